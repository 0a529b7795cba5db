"""Big files whose upload breaks, and continues."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jitterscope.terminal import upload
from jitterscope.terminal.command_line import run_command
from tests.api.service import Service, busy_lines, trace_file

RESUMABLE_BYTES = 1 << 20
BLOCK_BYTES = 65_536


class BadLine:
    """Passes connections on to a service, and breaks one when it has carried as much as the next cut says.

    What is on its way then is lost, so it waits until the service has stored a MiB.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._service_port = int(service.base_url.rpartition(":")[2])
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts: list[int] = []
        self.sent_bytes = 0
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                thread = threading.Thread(target=self._serve, args=(client,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._service_port)) as service:
            back = threading.Thread(target=_pass, args=(service, client, lambda _: True))
            back.start()
            carried = 0

            def count(size: int) -> bool:
                nonlocal carried
                carried += size
                self.sent_bytes += size
                if self.cuts and carried > self.cuts[0]:
                    wait_until_stored(self._service)
                    self.cuts.pop(0)
                    return False
                return True

            _pass(client, service, count)
            back.join()


def _pass(source: socket.socket, target: socket.socket, count: Callable[[int], bool]) -> None:
    with contextlib.suppress(OSError):
        while block := source.recv(BLOCK_BYTES):
            target.sendall(block)
            if not count(len(block)):
                break
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def line(service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[BadLine]:
    line = BadLine(service)
    monkeypatch.setenv("JITTERSCOPE_SERVER", f"http://127.0.0.1:{line.port}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(upload, "_WORTH_CONTINUING_BYTES", RESUMABLE_BYTES)
    yield line
    line.close()


@pytest.fixture
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Almost 3 MB that no other test uploads, since what is there already is not sent."""
    path = tmp_path / "big.txt"
    path.write_bytes(busy_lines(30_000) + trace_file() + f"# {request.node.name}\n".encode())
    return path


def cached(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "cache/jitterscope/uploads").glob("*"))


def uploaded(file: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert run_command("upload", ["--json", "--label", "board=rpi5", str(file)]) == 0
    trace: dict[str, object] = json.loads(capsys.readouterr().out)
    assert (trace["name"], trace["labels"]) == ("big", {"board": "rpi5"})
    assert trace["size_bytes"] == file.stat().st_size
    return trace


@pytest.mark.parametrize("cuts", [[], [1_500_000], [1_500_000, 1]])
def test_an_upload_continues_where_the_line_broke(
    cuts: list[int],
    service: Service,
    line: BadLine,
    file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line.cuts = [*cuts]
    trace = uploaded(file, capsys)
    assert service.client.get(f"/api/v1/traces/{trace['id']}/raw").content == file.read_bytes()
    assert line.cuts == []
    # What was not stored when the line broke goes twice, and nothing else but headers.
    most_lost = sum(max(BLOCK_BYTES, cut + BLOCK_BYTES - RESUMABLE_BYTES) for cut in cuts)
    assert line.sent_bytes < file.stat().st_size + most_lost + 10_000
    assert cached(tmp_path) == []


def stopped(service: Service, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads a file as somebody does who presses Ctrl-C on the way, when the first MiB has been stored."""
    after_bytes = 2_000_000
    read = upload.ShownFile.read

    def read_or_stop(shown: upload.ShownFile, count: int = -1) -> bytes:
        nonlocal after_bytes
        after_bytes -= count
        if after_bytes < 0:
            wait_until_stored(service)
            raise KeyboardInterrupt
        return read(shown, count)

    with monkeypatch.context() as patched:
        patched.setattr(upload.ShownFile, "read", read_or_stop)
        assert run_command("upload", ["--label", "board=rpi5", str(file)]) == 130


def wait_until_stored(service: Service) -> None:
    while max(path.stat().st_size for path in unfinished(service)) < RESUMABLE_BYTES:
        time.sleep(0.01)


def unfinished(service: Service) -> list[Path]:
    return list((service.settings.store_folder / "unfinished").iterdir())


def test_the_next_run_continues_what_was_stopped(
    service: Service,
    line: BadLine,
    file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped(service, file, monkeypatch)
    [place] = cached(tmp_path)
    assert place.read_text().startswith("/uploads/")
    line.sent_bytes = 0
    uploaded(file, capsys)
    assert line.sent_bytes < file.stat().st_size - RESUMABLE_BYTES + 10_000
    assert cached(tmp_path) == []


def test_an_upload_that_expired_starts_again(
    service: Service,
    line: BadLine,
    file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped(service, file, monkeypatch)
    for path in unfinished(service):
        path.unlink()
    line.sent_bytes = 0
    uploaded(file, capsys)
    assert line.sent_bytes > file.stat().st_size
    assert cached(tmp_path) == []


def test_what_is_no_recording_is_refused_and_not_tried_again(
    line: BadLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program"
    path.write_bytes(b"\x7fELF" + bytes(3 << 20))
    assert run_command("upload", [str(path)]) == 1
    assert "This is not a recording" in capsys.readouterr().err
    assert line.sent_bytes < 4 << 20


@pytest.mark.usefixtures("line")
def test_a_service_that_is_not_there_is_not_waited_for(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JITTERSCOPE_SERVER", "http://127.0.0.1:9")
    assert run_command("upload", [str(file)]) == 1
    assert "start it with `jitterscope run`" in capsys.readouterr().err
