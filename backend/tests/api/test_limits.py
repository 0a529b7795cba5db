"""What one client may ask of the service: sizes, times and numbers, each with its answer."""

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from jitterscope.api.connections import server_config
from jitterscope.settings import Settings
from tests.api.service import Service, ServiceMaker, served, trace_file


def address_of(service: Service) -> tuple[str, int]:
    host, port = service.base_url.removeprefix("http://").split(":")
    return host, int(port)


class Sockets:
    """Connections as a hostile client opens them, all closed at the end of the test."""

    def __init__(self) -> None:
        self._open: list[socket.socket] = []

    def __call__(self, service: Service, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(address_of(service), timeout=10)
        self._open.append(connection)
        connection.sendall(sent)
        return connection

    def close(self) -> None:
        for connection in self._open:
            connection.close()


@pytest.fixture
def connected() -> Iterator[Sockets]:
    sockets = Sockets()
    yield sockets
    sockets.close()


def answer(connection: socket.socket) -> tuple[int, str]:
    """Status and code of the problem that comes next; (0, "") where it says nothing."""
    text = b""
    with contextlib.suppress(ConnectionResetError):
        # The connection may stay open for a while, for what the client still sends.
        while not text.endswith(b"}") and (chunk := connection.recv(65_536)):
            text += chunk
    head, _, body = text.partition(b"\r\n\r\n")
    if not head:
        return 0, ""
    return int(head.split(b" ")[1]), json.loads(body)["code"]


HEALTHY = b'{"status":"ok"}'


def is_healthy(connection: socket.socket) -> bool:
    """Whether the next answer is that of /healthz, whole."""
    text = b""
    while not text.endswith(HEALTHY):
        chunk = connection.recv(65_536)
        if not chunk:
            return False
        text += chunk
    return True


def check(service: Service, content: bytes | Iterator[bytes], status: int, code: str) -> None:
    """Every call that takes JSON answers like this."""
    headers = {"Content-Type": "application/json"}
    for method, path in (
        ("PATCH", "/api/v1/traces/abcdefghijkl"),
        ("POST", "/api/v1/traces/abcdefghijkl/checks"),
    ):
        response = service.client.request(method, path, content=content, headers=headers)
        assert (response.status_code, response.json()["code"]) == (status, code)
        assert response.headers["content-type"] == "application/problem+json"


def test_a_large_body_is_refused_by_its_length(idle_service: Service) -> None:
    check(idle_service, b" " * (256 << 10) + b"{}", 413, "body_too_large")


def test_a_large_body_is_refused_while_it_is_counted(idle_service: Service) -> None:
    def chunks() -> Iterator[bytes]:
        yield from [b" " * 65_536] * 8

    path = "/api/v1/traces/abcdefghijkl"
    response = idle_service.client.patch(path, content=chunks(), headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")


def test_a_claimed_body_is_not_waited_for(idle_service: Service, connected: Sockets) -> None:
    head = (
        b"PATCH /api/v1/traces/abcdefghijkl HTTP/1.1\r\nHost: localhost\r\nContent-Length: 62914560\r\n\r\n"
    )
    assert answer(connected(idle_service, head)) == (413, "body_too_large")


@pytest.mark.parametrize("nest", [lambda n: b"[" * n + b"]" * n, lambda n: b'{"a":' * n + b"1" + b"}" * n])
def test_deep_json_is_refused(idle_service: Service, nest: object) -> None:
    assert callable(nest)
    check(idle_service, nest(33), 422, "json_too_deep")
    check(idle_service, nest(20_000), 422, "json_too_deep")
    check(idle_service, nest(32), 422, "invalid_parameter")


def test_brackets_in_strings_do_not_nest(idle_service: Service) -> None:
    body = json.dumps({"name": "[" * 100 + '\\"{' * 20}).encode()
    check_path = "/api/v1/traces/abcdefghijkl"
    response = idle_service.client.patch(
        check_path, content=body, headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_escaped_quotes_without_an_end_cost_no_time(idle_service: Service) -> None:
    began = time.monotonic()
    check(idle_service, b'"' + b'\\"' * 100_000, 422, "invalid_parameter")
    assert time.monotonic() - began < 2


def test_large_headers_are_refused(idle_service: Service, connected: Sockets) -> None:
    many = {f"X-{number}": "x" * 1000 for number in range(17)}
    response = idle_service.client.get("/healthz", headers=many)
    assert (response.status_code, response.json()["code"]) == (431, "headers_too_large")
    endless = connected(idle_service, b"GET /healthz HTTP/1.1\r\nX: " + b"x" * (17 << 10))
    assert answer(endless) == (431, "headers_too_large")


def test_a_head_that_never_ends_is_cut(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(header_seconds=0.5)
    began = time.monotonic()
    connection = connected(service, b"GET /healthz HTTP/1.1\r\n")
    for _ in range(20):
        try:
            connection.sendall(b"X-Slow: 1\r\n")
        except OSError:
            break
        time.sleep(0.1)
    assert answer(connection) == (0, "")
    assert time.monotonic() - began < 2


def test_a_second_head_that_never_ends_is_cut(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(header_seconds=0.5)
    connection = connected(service, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert is_healthy(connection)
    connection.sendall(b"GET /healthz HT")
    began = time.monotonic()
    assert answer(connection) == (0, "")
    assert 0.3 < time.monotonic() - began < 2


def test_a_body_that_never_comes_is_not_waited_for(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(header_seconds=0.5)
    head = b"PATCH /api/v1/traces/abcdefghijkl HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
    assert answer(connected(service, head)) == (408, "request_too_slow")


def test_an_idle_connection_is_closed(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(idle_seconds=1)
    connection = connected(service, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert is_healthy(connection)
    began = time.monotonic()
    assert connection.recv(1) == b""
    assert 0.5 < time.monotonic() - began < 3


def test_idle_connections_make_room(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(max_connections=8)
    idle = [connected(service) for _ in range(50)]
    assert service.client.get("/api/v1/traces").status_code == 200
    # The longest idle ones have gone, the others are there.
    assert idle[0].recv(1) == b""
    idle[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert is_healthy(idle[-1])


def test_busy_connections_leave_room_for_health(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(max_connections=8)
    upload = b"POST /api/v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    for _ in range(8):
        connected(service, upload)
    time.sleep(0.2)
    ask = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert answer(connected(service, ask % b"/api/v1/traces")) == (503, "too_many_connections")
    assert is_healthy(connected(service, ask % b"/healthz"))


UPLOAD = b"POST /api/v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"


def test_so_many_uploads_are_open(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(max_open_uploads=4)
    uploads = [connected(service, UPLOAD) for _ in range(4)]
    time.sleep(0.3)
    refused = service.upload(trace_file())
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_uploads")
    assert int(refused.headers["retry-after"]) > 0
    uploads[0].close()
    time.sleep(0.3)
    assert service.upload(trace_file()).status_code == 202


def test_a_stalled_upload_is_ended(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(upload_stall_seconds=0.3)
    assert answer(connected(service, UPLOAD + b"x")) == (408, "upload_too_slow")
    assert service.stored_files() == []


def test_an_upload_that_trickles_is_ended(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(upload_stall_seconds=0.5, min_upload_bytes_per_second=1000)
    connection = connected(service, UPLOAD)
    for _ in range(20):
        connection.sendall(b"x")
        time.sleep(0.05)
    assert answer(connection) == (408, "upload_too_slow")


def test_a_slow_upload_arrives(make_service: ServiceMaker, connected: Sockets) -> None:
    service = make_service(upload_stall_seconds=0.2, min_upload_bytes_per_second=1000)
    content = trace_file()
    connection = connected(service, UPLOAD.replace(b"1000000", str(len(content)).encode()))
    for start in range(0, len(content), 100):
        connection.sendall(content[start : start + 100])
        time.sleep(0.02)
    assert connection.recv(65_536).startswith(b"HTTP/1.1 202")


@pytest.mark.parametrize("path", ["/api/v1/traces", "/api/v1/traces/abcdefghijkl/checks"])
def test_who_sends_on_and_closes_reads_why_it_was_refused(make_service: ServiceMaker, path: str) -> None:
    service = make_service(max_upload_bytes=1000)
    for _ in range(3):
        # As urllib does it: all of the body first, then the answer.
        connection = http.client.HTTPConnection(*address_of(service), timeout=20)
        connection.request("POST", path, b"x" * (20 << 20), {"Connection": "close"})
        response = connection.getresponse()
        assert response.status == 413
        assert json.loads(response.read())["code"] in ("upload_too_large", "body_too_large")
        connection.close()


def test_a_crowd_is_let_in_while_the_server_is_busy() -> None:
    settings = Settings()
    app = FastAPI()

    @app.get("/busy")
    async def busy() -> str:
        # The whole server, and not this request alone.
        time.sleep(1.5)  # noqa: ASYNC251
        return "done"

    with contextlib.ExitStack() as stack:
        url = stack.enter_context(served(server_config(app, settings, log_config=None)))
        address = ("127.0.0.1", int(url.rpartition(":")[2]))
        first = stack.enter_context(socket.create_connection(address))
        first.sendall(b"GET /busy HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.2)
        began = time.monotonic()
        for _ in range(settings.max_connections):
            stack.enter_context(socket.create_connection(address))
        # Whoever is not let in tries again after a second.
        assert time.monotonic() - began < 0.9
        assert first.recv(64).startswith(b"HTTP/1.1 200 OK")
