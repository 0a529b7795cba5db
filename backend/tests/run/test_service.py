"""The whole service as `python -m jitterscope run` starts it."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.run.asking import seconds_until_loaded


class Running:
    """A started service, and what it has printed up to its address."""

    def __init__(self, data: Path, port: int, settings: Mapping[str, str] | None = None) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        command = ["run", "--port", str(port), "--data", str(data), "--no-samples"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jitterscope", *command],
            stdout=subprocess.PIPE,
            text=True,
            env=environment | dict(settings or {}),
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()

    def end(self, number: signal.Signals) -> int:
        self.end_with_output(number)
        return self.process.returncode

    def end_with_output(self, number: signal.Signals) -> str:
        """What it said after its first line."""
        self.process.send_signal(number)
        return self.process.communicate(timeout=30)[0]


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


def pid_of(data: Path, words: bytes) -> int:
    """The process of this folder whose command line has these words."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if words in (entry / "cmdline").read_bytes() and os.fsencode(data) in (
                (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            ):
                return int(entry.name)
        except OSError:
            continue
    raise AssertionError(f"no process with {words!r}")


def test_every_part_is_started_again(data: Path, port: int) -> None:
    running = Running(data, port, {"JITTERSCOPE_WORKER_SILENCE_SECONDS": "3"})
    seconds_until_loaded(port, 1)
    parts = {
        b"jitterscope\0api": signal.SIGKILL,
        b"jitterscope\0worker": signal.SIGKILL,
        b"postgres\0-D": signal.SIGKILL,
    }
    for number, (words, how) in enumerate(parts.items(), start=2):
        os.kill(pid_of(data, words), how)
        assert seconds_until_loaded(port, number) < 15, words
    # One that hangs is replaced, too.
    os.kill(pid_of(data, b"jitterscope\0worker"), signal.SIGSTOP)
    assert seconds_until_loaded(port, 9) < 20
    output = running.end_with_output(signal.SIGTERM)
    assert running.process.returncode == 0
    # One sentence for each, however many attempts it took; the worker also lost its database.
    said = [" ".join(line.split(" ")[:3]) for line in output.splitlines()[:-1]]
    assert said.count("PostgreSQL ended with") == 1
    assert said.count("the web server") == 1
    assert 1 <= sum(sentence.startswith("the worker") for sentence in said) <= 3


def test_what_hangs_is_replaced_and_what_pauses_is_not(data: Path, port: int) -> None:
    running = Running(data, port, {"JITTERSCOPE_PROBE_SECONDS": "2", "JITTERSCOPE_MISSED_PROBES": "2"})
    seconds_until_loaded(port, 1)
    parts = (b"jitterscope\0api", b"postgres\0-D")
    pids = {words: pid_of(data, words) for words in parts}
    # Long enough for one answer to be missed, as on a machine that has too much to do.
    for pid in pids.values():
        os.kill(pid, signal.SIGSTOP)
    time.sleep(2.5)
    for pid in pids.values():
        os.kill(pid, signal.SIGCONT)
    seconds_until_loaded(port, 2)
    assert {words: pid_of(data, words) for words in parts} == pids
    for number, (words, pid) in enumerate(pids.items(), start=3):
        os.kill(pid, signal.SIGSTOP)
        until_gone(pid)
        assert seconds_until_loaded(port, number) < 15, words
    output = running.end_with_output(signal.SIGTERM)
    assert running.process.returncode == 0
    for name in ("the web server", "PostgreSQL"):
        sentence = f"{name} gave no sign of life and was killed; it is started again"
        assert output.count(f"{name} ") == output.count(sentence) == 1


def until_gone(pid: int) -> None:
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_a_taken_port_is_named(data: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        running = Running(data, taken)
        assert running.first_line.startswith(f"port {taken} is in use")
        running.process.communicate(timeout=30)
        assert running.process.returncode == 1
