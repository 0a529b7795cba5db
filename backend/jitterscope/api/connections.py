"""Connections to clients: how many there may be, and how long each may be silent."""

import asyncio
import resource
import select
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

import h11
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from jitterscope.api.guard import headers_too_large
from jitterscope.api.problem_documents import error_response
from jitterscope.problems import AppError, MalformedRequest, TooManyConnections
from jitterscope.settings import Settings

# Connections above the limit on which only the service's health is answered.
_SPARE_CONNECTIONS = 16
_HEALTH_PATHS = ("/healthz", "/readyz")
# Connections that wait to be accepted; the kernel holds them. Where there is no room, the client's kernel
# tries again after a whole second, and a crowd that comes at once would keep everybody else out that long.
_BACKLOG = 1024
# A refused client may keep sending for this long, so that it gets to read why.
_DRAIN_SECONDS = 5.0


def server_config(
    app: str | Callable[..., Any],  # any ASGI application, or its name
    settings: Settings,
    **options: Any,  # noqa: ANN401 (those of uvicorn's Config)
) -> Config:
    """How uvicorn serves the application within the limits of the settings."""
    return Config(
        app,
        http=_protocol(settings),
        h11_max_incomplete_event_size=settings.max_header_bytes,
        timeout_keep_alive=settings.idle_seconds,
        backlog=_BACKLOG,
        # One line of our own for each request, and no header that only says what we are.
        access_log=False,
        server_header=False,
        **options,
    )


def allow_descriptors(settings: Settings) -> None:
    """Lifts the soft limit on open files to what the connections need, where the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1024 + 2 * settings.max_connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _protocol(settings: Settings) -> type["_Connection"]:
    """The class of the connections of one server, which is how uvicorn takes it."""

    class Connection(_Connection):
        limits = settings
        idle: ClassVar[dict[_Connection, None]] = {}

    return Connection


class _Connection(H11Protocol):
    """uvicorn's connection, closed where its client is too slow or there are too many.

    `idle` holds the connections without a request, the longest idle first: they make room for new ones.
    """

    limits: ClassVar[Settings]
    idle: ClassVar[dict["_Connection", None]]
    _alarm: asyncio.TimerHandle | None = None
    _stall_alarm: asyncio.TimerHandle | None = None
    _unsent_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self.conn = _JoinedHead(self.limits.max_header_bytes)
        excess = len(self.connections) - self.limits.max_connections
        if excess > 0 and (silent := next((found for found in self.idle if found.is_silent()), None)):
            # Each new one replaces an old one, so that idle clients cannot shut others out.
            del self.idle[silent]
            silent.transport.abort()
        elif excess > _SPARE_CONNECTIONS:
            self._refuse(_too_many(self.limits))
            return
        elif excess > 0:
            self.app = _OnlyHealth(self.app, self.limits)
        self.idle[self] = None
        self._set_alarm(self.limits.header_seconds)

    def is_silent(self) -> bool:
        """Whether nothing has arrived that is still to be read: a busy server is no fault of the client."""
        if self.transport.is_closing():
            return False
        arrivals = select.poll()
        arrivals.register(self.transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not arrivals.poll(0)

    def connection_lost(self, exc: Exception | None) -> None:
        self.idle.pop(self, None)
        self._cancel_alarms()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_waiting = self.conn.their_state is h11.IDLE
        super().data_received(data)
        if self.transport.is_closing() or not was_waiting:
            return
        if self.conn.their_state is not h11.IDLE:
            self.idle.pop(self, None)
            self._cancel_alarm()
        elif self._alarm is None:
            # The first bytes of another request; the rest of its head is due.
            self._set_alarm(self.limits.header_seconds)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self.conn.their_state is h11.IDLE:
            self.idle[self] = None
        elif self.conn.our_state is h11.DONE:
            # Answered before the body had ended: what still comes is thrown away, for a while.
            self._set_alarm(_DRAIN_SECONDS)

    def send_400_response(self, msg: str) -> None:
        if len(self.conn.trailing_data[0]) > self.limits.max_header_bytes:
            self._refuse(headers_too_large(self.limits.max_header_bytes))
        else:
            self._refuse(MalformedRequest(f"{msg} Its first line and its headers must be HTTP/1.1."))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unsent_bytes = self.transport.get_write_buffer_size()
        self._stall_alarm = self.loop.call_later(self.limits.idle_seconds, self._look_at_sending)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stall_alarm is not None:
            self._stall_alarm.cancel()
            self._stall_alarm = None

    def timeout_keep_alive_handler(self) -> None:
        # With bytes unsent, the client has not read its answer in all that time.
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def _look_at_sending(self) -> None:
        """Ends a connection whose client has read nothing since the last look."""
        unsent_bytes = self.transport.get_write_buffer_size()
        if unsent_bytes >= self._unsent_bytes:
            self.transport.abort()
            return
        self._unsent_bytes = unsent_bytes
        self._stall_alarm = self.loop.call_later(self.limits.idle_seconds, self._look_at_sending)

    def _set_alarm(self, seconds: float) -> None:
        self._cancel_alarm()
        self._alarm = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _cancel_alarms(self) -> None:
        self._cancel_alarm()
        if self._stall_alarm is not None:
            self._stall_alarm.cancel()

    def _refuse(self, error: AppError) -> None:
        """Answers and closes without looking at the request."""
        self._cancel_alarms()
        response = error_response(error)
        response.headers["Connection"] = "close"
        head = b"".join(b"%s: %s\r\n" % header for header in response.raw_headers)
        status = f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n".encode("ascii")
        self.transport.write(status + head + b"\r\n" + bytes(response.body))
        self.transport.close()


class _JoinedHead(h11.Connection):
    """Hands out the head of an answer of known length together with the first of its body.

    uvicorn writes at once whatever it is handed, and to send twice costs more than to make a small answer. An
    answer that is sent as it comes about, such as progress, begins with its head alone.
    """

    def __init__(self, max_head_bytes: int) -> None:
        super().__init__(h11.SERVER, max_head_bytes)
        self._held: list[bytes] = []

    def send_with_data_passthrough(self, event: h11.Event) -> list[bytes] | None:
        sent = super().send_with_data_passthrough(event)
        if sent is None:
            return None
        if isinstance(event, h11.Response) and any(name == b"content-length" for name, _ in event.headers):
            self._held = sent
            return []
        held, self._held = self._held, []
        return held + sent


def _too_many(settings: Settings) -> TooManyConnections:
    return TooManyConnections(
        f"All of the {settings.max_connections} connections (JITTERSCOPE_MAX_CONNECTIONS) are in use; "
        "try again in a moment."
    )


class _OnlyHealth:
    """The application as those see it whose connection is one too many."""

    def __init__(self, app: ASGIApp, limits: Settings) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in _HEALTH_PATHS:
            response = error_response(_too_many(self._limits))
            response.headers["Connection"] = "close"
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)
