"""The commands that ask a service: upload, traces, label, open, delete."""

import http.server
import io
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.server import path_of
from tests.api.service import Service, busy_lines, trace_file


@pytest.fixture(autouse=True)
def address(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITTERSCOPE_SERVER", service.base_url)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[str]:
    assert run_command(arguments[0], arguments[1:]) == status
    return capsys.readouterr().out.splitlines()


def test_files_patterns_and_standard_input_become_traces(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (81, 82):
        (tmp_path / f"run{number}.txt").write_bytes(trace_file(number))
    urls = printed(capsys, "upload", "--wait", "--label", "board=rpi5", str(tmp_path / "run*.txt"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(trace_file(83))))
    urls += printed(capsys, "upload", "--wait", "--label", "board=rpi5", "--name", "piped", "-")
    traces = [service.client.get(f"/api/v1{path_of(url)}").json() for url in urls]
    assert [trace["name"] for trace in traces] == ["run81", "run82", "piped"]
    assert {trace["status"] for trace in traces} == {"ready"}
    assert {trace["labels"]["board"] for trace in traces} == {"rpi5"}
    # The same bytes are the same trace.
    [again] = printed(capsys, "upload", "--json", str(tmp_path / "run81.txt"))
    assert json.loads(again)["id"] == traces[0]["id"]


def test_traces_are_listed_labelled_opened_and_deleted(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = service.upload(trace_file(84), name="needle 84").json()
    service.wait(trace["id"])
    heads, row = printed(capsys, "traces", "needle")
    assert heads.split() == ["id", "name", "status", "kernel", "worst"]
    assert row.split()[:4] == [trace["id"], "needle", "84", "ready"]
    assert printed(capsys, "label", trace["id"], "board=rpi5", "lab=a b") == ["board=rpi5", "lab=a b"]
    assert printed(capsys, "label", trace["url"], "lab=") == ["board=rpi5"]
    [line] = printed(capsys, "traces", "--json", "--label", "board:rpi5", "needle")
    assert json.loads(line)["id"] == trace["id"]
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert printed(capsys, "open", "--print", trace["id"]) == [trace["url"]]
    assert opened == []
    printed(capsys, "open", trace["id"])
    assert opened == [trace["url"]]
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert printed(capsys, "delete", trace["id"], status=1) == []
    assert printed(capsys, "delete", "--yes", trace["id"]) == [f"deleted {trace['id']} needle 84"]
    assert printed(capsys, "traces", "needle") == []


def test_what_the_service_has_already_is_labelled_and_not_sent_again(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "large.txt"
    file.write_bytes(trace_file(91) + busy_lines(20_000))
    assert file.stat().st_size > 1 << 20
    [first] = printed(capsys, "upload", "--label", "board=rpi5", str(file))

    def send(*_: object) -> None:
        raise AssertionError("it was sent again")

    monkeypatch.setattr("jitterscope.terminal.server.Server.upload", send)
    [again] = printed(capsys, "upload", "--json", "--label", "lab=1", str(file))
    assert printed(capsys, "upload", str(file)) == [first]
    trace = json.loads(again)
    assert (trace["url"], trace["labels"]) == (first, {"board": "rpi5", "lab": "1"})
    # Once it is deleted, it is sent.
    printed(capsys, "delete", "--yes", trace["id"])
    with pytest.raises(AssertionError, match="sent again"):
        run_command("upload", [str(file)])


@pytest.mark.parametrize(("answer", "is_deleted"), [("y", True), ("", False), ("n", False)])
def test_a_trace_is_deleted_only_when_that_is_confirmed(
    answer: str, is_deleted: bool, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace_id = service.upload(trace_file(85)).json()["id"]
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    assert run_command("delete", [trace_id]) == 0
    assert (service.client.get(f"/api/v1/traces/{trace_id}").status_code == 404) == is_deleted


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["upload", "/there/is/none"], "/there/is/none: No such file or directory"),
        (["upload", "--label", "board", __file__], "'board' is no label; write NAME=VALUE"),
        (["label", "nosuchtrace1", "a=b"], "nosuchtrace1"),
        (["open", "nosuchtrace1"], "nosuchtrace1"),
        (["traces", "--server", "ftp://x"], "ftp://x is no address of a server"),
        (["traces", "--server", "http://127.0.0.1:9"], "start it with `jitterscope run`"),
    ],
)
def test_a_refusal_is_one_line_with_the_way_out(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(arguments[0], arguments[1:]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("jitterscope: ")
    assert said in line


def test_a_file_that_is_no_recording_fails_and_the_others_are_uploaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.bin").write_bytes(b"\x7fELF nothing of the kind")
    (tmp_path / "b.txt").write_bytes(trace_file(86))
    assert run_command("upload", [str(tmp_path / "a.bin"), str(tmp_path / "b.txt")]) == 1
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert len(told.err.splitlines()) == 1


class Busy(http.server.BaseHTTPRequestHandler):
    """Refuses the first request, breaks off the second, and answers the third with what it was sent."""

    seen: list[tuple[str | None, bytes]] = []  # noqa: RUF012 (emptied by each test)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append((self.headers["Authorization"], body))
        if len(self.seen) == 2:
            self.connection.close()
            return
        content = json.dumps({"url": "http://x/t/y\x1b[2J", "status": "ready", "id": "y"}).encode()
        self.send_response(503 if len(self.seen) == 1 else 202)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as the base has it)
        pass


@contextmanager
def busy_server() -> Iterator[str]:
    Busy.seen.clear()
    with http.server.HTTPServer(("127.0.0.1", 0), Busy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_an_upload_is_tried_again_and_takes_the_token_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JITTERSCOPE_TOKEN", "s3cret")
    monkeypatch.setattr("time.sleep", lambda _: None)
    file = tmp_path / "a.txt"
    file.write_bytes(trace_file(87))
    with busy_server() as url:
        lines = printed(capsys, "upload", "--server", url, str(file))
    assert Busy.seen == 3 * [("Bearer s3cret", trace_file(87))]
    # What a server says is text, too.
    assert lines == ["http://x/t/y\\x1b[2J"]
