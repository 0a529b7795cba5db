"""One line in the log for every request, and an id that joins it to the answer.

What asks every few seconds whether the service is well leaves a line only where it is not.
"""

import secrets
import time

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from jitterscope.api.layer import Layer

_log = structlog.get_logger("jitterscope.access")

_HEALTH_PATHS = ("/healthz", "/readyz")


class AccessLog(Layer):
    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = secrets.token_hex(8)
        started = time.perf_counter()
        status, sent_bytes = 0, 0

        async def send_counted(message: Message) -> None:
            nonlocal status, sent_bytes
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            elif message["type"] == "http.response.body":
                sent_bytes += len(message.get("body", b""))
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, send_counted)
            finally:
                if status != 200 or scope["path"] not in _HEALTH_PATHS:
                    _log.info(
                        "request",
                        method=scope["method"],
                        path=scope["path"],
                        status=status,
                        sent_bytes=sent_bytes,
                        duration_ms=round((time.perf_counter() - started) * 1000, 1),
                    )
