"""scripts/requirements names all that a machine lacks, in one line, before anything is built."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "requirements"
# What every Debian has.
ESSENTIAL = ["awk", "bash", "cat", "dirname", "env", "grep", "head", "paste", "realpath", "sed", "sort"]

# A machine with everything; what a program prints, or the shell command that it is.
COMPLETE = {
    "cargo": "cargo 1.95.0 (f2d3ce0bd 2026-03-21)",
    "rustc": "rustc 1.95.0",
    "node": "v20.20.2",
    "npm": "11.19.1",
    "python3": "Python 3.11.2",
    "cc": "",
    "c++": "",
    "git": "",
    "make": "",
    "chromium": "",
    "curl": "",
}


def requirements(folder: Path, kind: str, programs: dict[str, str], *, postgresql: bool = True) -> list[str]:
    """What the script prints on a machine that has these programs alone."""
    path = folder / "bin"
    path.mkdir()
    for name in ESSENTIAL:
        found = shutil.which(name)
        assert found is not None, name
        (path / name).symlink_to(found)
    for name, text in programs.items():
        body = text.removeprefix("sh: ") if text.startswith("sh: ") else f"echo '{text}'"
        (path / name).write_text(f"#!/bin/sh\n{body}\n")
        (path / name).chmod(0o755)
    if postgresql:
        server = folder / "postgresql" / "15" / "bin" / "postgres"
        server.parent.mkdir(parents=True)
        server.touch(mode=0o755)
    certificates = folder / "certificates"
    certificates.write_text("any")
    done = subprocess.run(
        [SCRIPT, kind],
        capture_output=True,
        check=False,
        text=True,
        env={
            "PATH": str(path),
            "HOME": str(folder),
            "SSL_CERT_FILE": str(certificates),
            "POSTGRESQL_FOLDER": str(folder / "postgresql"),
            "REQUIREMENTS_INSTALL_NOTHING": "1",
        },
    )
    lines = done.stderr.splitlines()
    assert (done.returncode == 0) == (lines == []), done.stderr
    return lines


def check(folder: Path, kind: str, programs: dict[str, str], expected: str) -> None:
    assert requirements(folder, kind, programs) == [f"install what is missing first: {expected}"]


@pytest.mark.parametrize("kind", ["run", "test"])
def test_a_complete_machine_passes_in_silence(tmp_path: Path, kind: str) -> None:
    assert requirements(tmp_path, kind, COMPLETE) == []


def test_an_empty_machine_hears_of_everything_at_once(tmp_path: Path) -> None:
    assert requirements(tmp_path, "test", {}, postgresql=False) == [
        "install what is missing first: apt-get install make git gcc libc6-dev python3 python3-venv "
        "postgresql-15 curl chromium-headless-shell; Node.js 20.19 or newer with npm (nodejs.org); "
        "Rust 1.88 or newer (rustup.rs)"
    ]


@pytest.mark.parametrize(
    ("program", "text", "expected"),
    [
        ("node", "v18.19.0", "Node.js 20.19 or newer (nodejs.org; node is 18.19.0)"),
        ("node", "v20.9.0", "Node.js 20.19 or newer (nodejs.org; node is 20.9.0)"),
        ("cargo", "cargo 1.65.0", "Rust 1.88 or newer (rustup.rs; cargo is 1.65.0)"),
        ("python3", "Python 3.9.2", "Python 3.11 or newer (python3 is 3.9.2)"),
        ("python3", 'sh: [ "$1" = --version ] && echo Python 3.11.2', "apt-get install python3-venv"),
        ("cc", "sh: exit 1", "apt-get install libc6-dev"),
    ],
)
def test_what_is_too_old_or_not_whole_is_named(
    tmp_path: Path, program: str, text: str, expected: str
) -> None:
    check(tmp_path, "run", COMPLETE | {program: text}, expected)


@pytest.mark.parametrize(
    ("kind", "program", "expected"),
    [
        ("fuzz", "c++", "apt-get install g++"),
        ("e2e", "chromium", "apt-get install chromium-headless-shell"),
        ("unit", "curl", "apt-get install curl"),
        ("run", "npm", "npm (it comes with Node.js from nodejs.org)"),
        ("run", "rustc", "Rust 1.88 or newer (rustup.rs)"),
    ],
)
def test_a_missing_program_is_named(tmp_path: Path, kind: str, program: str, expected: str) -> None:
    check(tmp_path, kind, {name: text for name, text in COMPLETE.items() if name != program}, expected)


def test_running_needs_nothing_that_only_tests_need(tmp_path: Path) -> None:
    programs = {name: text for name, text in COMPLETE.items() if name not in {"c++", "chromium", "git"}}
    assert requirements(tmp_path, "run", programs, postgresql=False) == []


def test_a_pinned_toolchain_that_rustup_lacks_is_named(tmp_path: Path) -> None:
    programs = COMPLETE | {"cargo": "sh: exit 1", "rustup": "stable-x86_64-unknown-linux-gnu"}
    lines = requirements(tmp_path, "run", programs)
    assert lines[-1].startswith("install what is missing first: Rust 1.")
    assert "(rustup toolchain install 1." in lines[-1]


def test_components_of_rust_are_named(tmp_path: Path) -> None:
    cargo = 'sh: [ "$1" = --version ] && echo cargo 1.95.0'
    check(
        tmp_path,
        "lint",
        COMPLETE | {"cargo": cargo},
        "rustfmt and clippy (rustup component add rustfmt clippy)",
    )


def test_a_wrong_kind_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [SCRIPT], capture_output=True, check=False, env=os.environ | {"HOME": str(tmp_path)}
    )
    assert done.returncode == 2
