"""Installs the wheel in dist/ into an empty environment without a compiler or Node.js, and tests the product.

    backend/.venv/bin/python scripts/try_wheel.py

The libraries are those of uv.lock, from the cache filled when they were installed for the tests.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
UV = REPOSITORY / ".tools" / "venv" / "bin" / "uv"
MOST_SECONDS = 60.0


def install(wheel: Path, folder: Path) -> Path:
    """The `jitterscope` program of a new environment in `folder` that holds the wheel and its libraries."""
    constraints = folder / "constraints.txt"
    export = ["export", "--project", "backend", "--locked", "--no-dev", "--no-emit-project", "--no-hashes"]
    run(UV, "--quiet", *export, "--output-file", constraints, cwd=REPOSITORY)
    run(UV, "--quiet", "venv", "--python", sys.executable, folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(UV, "--quiet", "pip", "install", "--python", python, "--constraint", constraints, wheel, cwd=folder)
    return folder / "venv" / "bin" / "jitterscope"


def run(*command: str | Path, cwd: Path) -> None:
    subprocess.run(command, check=True, cwd=cwd, stdout=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


def get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - http
        content: bytes = answer.read()
    return content


def samples_ready(address: str) -> int:
    traces = json.loads(get(f"{address}/api/v1/traces?limit=100"))["items"]
    failed = [trace["filename"] for trace in traces if trace["status"] == "failed"]
    assert not failed, f"{failed} failed"
    return sum(trace["status"] == "ready" for trace in traces)


def use(program: Path, folder: Path) -> None:
    """Starts the product, loads a page and a sample, and stops it.

    Raises: AssertionError if it does not do all that within `MOST_SECONDS`.
    """
    # PATH contains only the programs of the environment.
    environment = {"PATH": str(program.parent), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    version = subprocess.run(
        [program, "--version"], check=True, capture_output=True, text=True, env=environment
    ).stdout
    assert version.startswith("jitterscope "), version

    began = time.monotonic()
    port = free_port()
    command: list[str | Path] = [program, "run", "--data", folder / "data", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder) as process:
        assert process.stdout is not None
        try:
            address = f"http://127.0.0.1:{port}"
            said = process.stdout.readline()
            assert said == f"Jitterscope is at {address}\n", said
            started = time.monotonic() - began
            page = get(f"{address}/").decode()
            assert '<div id="root"' in page, page
            script = page.split('<script type="module" crossorigin src="')[1].split('"')[0]
            assert len(get(f"{address}{script}")) > 10_000, script
            while samples_ready(address) == 0:
                assert time.monotonic() - began < MOST_SECONDS, "no sample trace was loaded"
                time.sleep(0.1)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=MOST_SECONDS)
    assert process.returncode == 0, process.returncode
    seconds = time.monotonic() - began
    assert seconds < MOST_SECONDS, f"it took {seconds:.0f} s"
    (notices,) = program.parent.parent.glob("lib/*/site-packages/jitterscope/_shipped/THIRD-PARTY.txt")
    assert "MIT" in notices.read_text(), notices
    print(f"{version.strip()}: started in {started:.1f} s, a sample loaded and stopped in {seconds:.1f} s")


def main() -> None:
    (wheel,) = (REPOSITORY / "dist").glob("*.whl")
    os.environ.pop("VIRTUAL_ENV", None)
    with tempfile.TemporaryDirectory() as folder:
        use(install(wheel, Path(folder)), Path(folder))


if __name__ == "__main__":
    main()
