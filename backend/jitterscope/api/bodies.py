"""Bodies of requests: small and shallow wherever no recording is uploaded."""

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterator
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jitterscope.api.layer import Layer
from jitterscope.api.problem_documents import error_response
from jitterscope.problems import AppError, BodyTooLarge, InvalidRequest, RequestTooSlow
from jitterscope.settings import Settings

_DRAIN_SECONDS = 5.0
# Strings, in which brackets mean nothing, and brackets.
_JSON_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


class Bodies(Layer):
    """Reads the body of every request but an upload before anything else does, within bounds.

    Uploads stream, with their own bounds.
    """

    def __init__(self, app: ASGIApp, settings: Settings, is_upload: Callable[[str, str], bool]) -> None:
        """`is_upload` takes the method and the path of a request."""
        super().__init__(app)
        self._settings = settings
        self._is_upload = is_upload

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _has_body(scope):
            await self._app(scope, receive, send)
            return
        if _closes(scope):
            receive, send = _Drained(receive, send).both
        try:
            if self._is_upload(scope["method"], scope["path"]):
                # Here already: a crowd of uploads is refused before each of them is routed.
                scope["app"].state.services.uploads.require_room()
                received: Receive | None = receive
            else:
                body = await self._read(scope, receive)
                received = None if body is None else _replayed(body, receive)
        except AppError as error:
            # The connection stays open for a moment, so that a client that keeps sending can read why not.
            await error_response(error)(scope, receive, send)
            return
        if received is not None:
            await self._app(scope, received, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None where the client went away.

        Raises: BodyTooLarge, RequestTooSlow, InvalidRequest.
        """
        claimed = Headers(scope=scope).get("content-length", "")
        if claimed.isdecimal() and int(claimed[:20]) > self._settings.max_body_bytes:
            raise self._too_large()
        body = bytearray()
        try:
            async with asyncio.timeout(self._settings.header_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > self._settings.max_body_bytes:
                        raise self._too_large()
                    if not message.get("more_body", False):
                        break
        except TimeoutError as error:
            raise RequestTooSlow(
                f"The body did not arrive within {self._settings.header_seconds:g} s "
                "(JITTERSCOPE_HEADER_SECONDS); send it again over a better line."
            ) from error
        if json_depth(bytes(body)) > self._settings.max_json_depth:
            raise InvalidRequest(
                f"The body is nested more than {self._settings.max_json_depth} deep "
                "(JITTERSCOPE_MAX_JSON_DEPTH); no call takes that.",
                code="json_too_deep",
            )
        return bytes(body)

    def _too_large(self) -> BodyTooLarge:
        return BodyTooLarge(
            f"The body is larger than {self._settings.max_body_bytes} bytes (JITTERSCOPE_MAX_BODY_BYTES); "
            "only uploads may be, and they go to POST /api/v1/traces."
        )


class _Drained:
    """Reads on for a while before a refusal is sent, where the connection ends with it.

    Closing a connection on which something unread has arrived resets it, and the client that is
    still sending never gets to read why. Other connections stay open, and are drained afterwards.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._is_read = False

    @property
    def both(self) -> tuple[Receive, Send]:
        return self._next_message, self._send_when_read

    async def _next_message(self) -> Message:
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def _send_when_read(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= HTTPStatus.BAD_REQUEST:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_DRAIN_SECONDS):
                    while not self._is_read:
                        await self._next_message()
        await self._send(message)


def json_depth(text: bytes) -> int:
    """How deep the brackets nest, were the text JSON."""
    deepest = depth = 0
    for token in _tokens(text):
        if token in (b"[", b"{"):
            depth += 1
            deepest = max(deepest, depth)
        elif token in (b"]", b"}"):
            depth -= 1
    return deepest


def _tokens(text: bytes) -> Iterator[bytes]:
    return (found.group() for found in _JSON_TOKENS.finditer(text))


def _closes(scope: Scope) -> bool:
    """Whether the connection ends with the answer, as urllib asks for."""
    return scope["http_version"] == "1.0" or (b"connection", b"close") in scope["headers"]


def _has_body(scope: Scope) -> bool:
    return any(
        (name == b"content-length" and value.strip() != b"0") or name == b"transfer-encoding"
        for name, value in scope["headers"]
    )


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What the application receives: the body at once, then what else comes, such as the disconnection."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
