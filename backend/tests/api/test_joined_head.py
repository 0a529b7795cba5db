"""What is written to a connection at once."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator

import pytest
from fastapi import FastAPI, Response
from fastapi.responses import StreamingResponse

from jitterscope.api.connections import server_config
from jitterscope.settings import Settings
from tests.api.service import served


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    app = FastAPI()

    @app.api_route("/known", methods=["GET", "HEAD"])
    async def known() -> Response:
        return Response(b"whole")

    @app.get("/coming")
    async def coming() -> StreamingResponse:
        async def parts() -> AsyncIterator[bytes]:
            await asyncio.sleep(600)
            yield b"late"

        return StreamingResponse(parts())

    with served(server_config(app, Settings(), port=0)) as url:
        host, port = url.removeprefix("http://").split(":")
        yield host, int(port)


def first_bytes(address: tuple[str, int], request: str) -> bytes:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(f"{request} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return connection.recv(65_536)


def test_an_answer_of_known_length_is_sent_at_once(address: tuple[str, int]) -> None:
    answers = [first_bytes(address, "GET /known") for _ in range(20)]
    assert all(answer.startswith(b"HTTP/1.1 200 OK\r\n") for answer in answers)
    assert all(answer.endswith(b"\r\n\r\nwhole") for answer in answers)


def test_an_answer_that_comes_about_begins_with_its_head(address: tuple[str, int]) -> None:
    answer = first_bytes(address, "GET /coming")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\n")


def test_a_head_without_a_body_is_sent(address: tuple[str, int]) -> None:
    answer = first_bytes(address, "HEAD /known")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\n")
