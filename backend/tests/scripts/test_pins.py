"""Each tool is pinned once to a version, and the image uses the same one as a checkout."""

import json
import re
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
