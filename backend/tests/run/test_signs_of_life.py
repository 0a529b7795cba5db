"""What hangs is told from what is busy, starting, or was asleep, by a clock of the test's own."""

import contextlib
import http.server
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.run import signs_of_life
from jitterscope.run.probe import Patience, Probe, ask_database, ask_web_server
from jitterscope.run.signs_of_life import Pulse, is_waiting_for_disk


def missed_until_given_up(patience: Patience, now: float) -> int:
    count = 0
    while not patience.is_exhausted:
        patience.note_silence(now)
        count += 1
    return count


def test_three_in_a_row_are_too_many() -> None:
    patience = Patience(most_missed=3)
    patience.begin(0)
    patience.note_answer(1)
    for now in (2, 3):
        patience.note_silence(now)
    patience.note_answer(4)
    assert missed_until_given_up(patience, 5) == 3


def test_a_part_that_starts_has_time() -> None:
    patience = Patience(most_missed=3)
    patience.begin(0)
    for now in range(59):
        patience.note_silence(now)
    assert not patience.is_exhausted
    assert missed_until_given_up(patience, 60) == 3


def test_what_another_start_does_not_cure_gets_one_ever_more_rarely() -> None:
    patience = Patience(most_missed=3)
    counts = []
    for start in range(6):
        patience.begin(1000 * start)
        patience.note_answer(1000 * start)
        counts.append(missed_until_given_up(patience, 1000 * start + 1))
    assert counts == [3, 6, 12, 24, 24, 24]
    patience.begin(7000)
    for now in (7000, 7601):
        patience.note_answer(now)
    assert missed_until_given_up(patience, 7602) == 3


class Clock:
    """Stands in for the module `time`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(signs_of_life, "time", clock)
    return clock


def looked_at(pulse: Pulse, clock: Clock, seconds: int) -> bool:
    """Whether it counts as hung at any time."""
    was_missing = False
    for _ in range(seconds):
        clock.now += 1
        was_missing |= pulse.are_missing()
    return was_missing


def test_a_file_that_is_not_touched_any_more(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "alive"
    pulse = Pulse(file, silence_seconds=20)
    pulse.begin()
    assert not looked_at(pulse, clock, 100), "it has not begun"
    file.touch()
    assert not looked_at(pulse, clock, 20)
    # However old it is: the time of day may have been set.
    os.utime(file, (5, 5))
    assert not looked_at(pulse, clock, 20)
    assert looked_at(pulse, clock, 2)
    pulse.begin()
    assert not file.exists()


def test_the_time_in_which_nobody_looked_does_not_count(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "alive"
    pulse = Pulse(file, silence_seconds=20)
    file.touch()
    looked_at(pulse, clock, 10)
    clock.now += 3600
    assert not looked_at(pulse, clock, 20)
    assert looked_at(pulse, clock, 2)


@contextlib.contextmanager
def answering_after(seconds: float) -> Iterator[int]:
    """The port of a web server that takes so long for each answer."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(seconds)
            self.send_error(503)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def is_given_up(probe: Probe, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if probe.are_missing():
            return True
        time.sleep(0.01)
    return False


def test_a_busy_server_is_let_be() -> None:
    with answering_after(0.5) as port:
        probe = Probe(ask_web_server("127.0.0.1", port), 2, most_missed=1)
        probe.begin()
        assert not is_given_up(probe, 3)


def test_a_server_that_stops_answering_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        probe = Probe(ask_web_server("127.0.0.1", port), 0.2, most_missed=3)
        probe.begin()
        assert not is_given_up(probe, 1), "it may still be starting"
        # Those that asked before have gone; one of these is asked now.
        for _ in range(10):
            with server.accept()[0] as client, contextlib.suppress(OSError):
                client.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
                client.recv(1000)
        assert is_given_up(probe, 10)


def test_a_stopped_database_does_not_answer(postgres: EmbeddedPostgres) -> None:
    ask = ask_database(postgres.url)
    ask(5)
    os.kill(postgres.pid, signal.SIGSTOP)
    try:
        with pytest.raises(TimeoutError):
            ask(2)
    finally:
        os.kill(postgres.pid, signal.SIGCONT)
    ask(5)


def test_a_process_that_sleeps_does_not_wait_for_a_disk() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"up\n")
        process.stdin.flush()
        # Until it answers, its program may be read from a disk.
        assert process.stdout.readline() == b"up\n"
        assert not is_waiting_for_disk(process.pid)
        process.kill()
    assert not is_waiting_for_disk(process.pid)
