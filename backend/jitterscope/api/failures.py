"""An answer even to a request that failed in a way that nobody expected."""

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jitterscope.api.problem_documents import problem_response

_log = structlog.get_logger()


class Failures:
    """Logs the reason, which may name paths and statements, and tells the client that there is one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_started = False

        async def send_watched(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except Exception as error:
            _log.error("request_failed", exc_info=error)
            if is_started or scope["type"] != "http":
                raise
            detail = "The server failed on this request; its log has the reason under the request id."
            response = problem_response(500, "internal_error", "Internal server error", detail)
            await response(scope, receive, send)
