"""Each tool is pinned once to a version, and the image uses the same one as a checkout."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def text(name: str) -> str:
    return (REPOSITORY / name).read_text()


def image_version(name: str) -> str:
    found = re.search(rf"^FROM {name}:([\d.]+)-", text("Dockerfile"), re.MULTILINE)
    assert found is not None, name
    return found[1]


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def test_rust() -> None:
    pinned = tomllib.loads(text("backend/rust-toolchain.toml"))["toolchain"]["channel"]
    oldest = tomllib.loads(text("backend/Cargo.toml"))["workspace"]["package"]["rust-version"]
    assert image_version("rust") == pinned
    assert numbers(oldest) <= numbers(pinned)


def test_no_crate_needs_a_newer_rust_than_is_promised() -> None:
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform"]
    done = subprocess.run(
        [*command, "x86_64-unknown-linux-gnu"], check=True, capture_output=True, cwd=REPOSITORY / "backend"
    )
    packages = json.loads(done.stdout)["packages"]
    needed = {package["name"]: numbers(package["rust_version"] or "0") for package in packages}
    assert {name for name, version in needed.items() if version > needed["ftrace"]} == set()


def test_node() -> None:
    pinned = text(".nvmrc").strip()
    assert image_version("node") == pinned
    for folder in ("frontend", "e2e"):
        oldest = json.loads(text(f"{folder}/package.json"))["engines"]["node"].removeprefix(">=")
        assert numbers(oldest) <= numbers(pinned)
        types = json.loads(text(f"{folder}/package.json"))["devDependencies"]["@types/node"]
        assert numbers(types)[0] == numbers(pinned)[0]


def test_uv_is_installed_by_hash_everywhere() -> None:
    requirement, *hashes = text("scripts/uv.txt").rpartition("uv==")[2].split("--hash=")
    assert re.match(r"\d+\.\d+\.\d+", requirement)
    assert all(re.match(r"sha256:[0-9a-f]{64}\b", found) for found in hashes)
    assert len(hashes) > 1
    for script in ("scripts/install-uv", "Dockerfile"):
        (command,) = (line for line in text(script).splitlines() if "pip install" in line)
        assert "--require-hashes" in command
        assert "uv.txt" in command


def test_the_build_backend_is_pinned() -> None:
    (requirement,) = tomllib.loads(text("backend/pyproject.toml"))["build-system"]["requires"]
    assert re.fullmatch(r"maturin==[\d.]+", requirement)
