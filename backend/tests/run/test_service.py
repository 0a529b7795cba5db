"""The whole service as `python -m jitterscope run` starts it."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest


class Running:
    """A started service, and what it has printed up to its address."""

    def __init__(self, data: Path, port: int) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        command = ["run", "--port", str(port), "--data", str(data), "--no-samples"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jitterscope", *command],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=30)
        return self.process.returncode


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"
    assert processes_of(tmp_path) == []


def processes_of(folder: Path) -> list[str]:
    """Commands of the processes that were started for `folder` and still run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(folder / "data") in command:
            found.append(command.split(b"\0\0")[0].replace(b"\0", b" ").decode(errors="replace"))
    return found


def test_starts_stops_and_starts_again_after_a_kill(data: Path, port: int) -> None:
    first = Running(data, port)
    assert first.first_line == f"Jitterscope is at http://127.0.0.1:{port}\n"
    first.end(signal.SIGKILL)

    began = time.monotonic()
    second = Running(data, port)
    assert second.first_line.startswith("Jitterscope is at"), "after kill -9"
    assert time.monotonic() - began < 10
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
        assert answer.status == 200
    assert second.end(signal.SIGINT) == 0

    third = Running(data, port)
    assert third.end(signal.SIGTERM) == 0


def test_a_taken_port_is_named(data: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        running = Running(data, taken)
        assert running.first_line.startswith(f"port {taken} is in use")
        running.process.communicate(timeout=30)
        assert running.process.returncode == 1
