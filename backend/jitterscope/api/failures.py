"""An answer even to a request that failed unexpectedly."""

import errno
import os

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jitterscope.api.problem_documents import error_response, problem_response
from jitterscope.problems import AppError, DiskAlmostFull, OutOfMemory, StorageFailed

_log = structlog.get_logger()


class Failures:
    """Logs the reason, which may name paths and statements, and only tells the client that there is one."""

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
            refusal = _refusal(error)
            if refusal is not None:
                response = error_response(refusal)
            else:
                detail = "The server failed on this request; its log has the reason under the request id."
                response = problem_response(500, "internal_error", "Internal server error", detail)
            await response(scope, receive, send)


def _refusal(error: Exception) -> AppError | None:
    """What the machine ran out of or did not do, where that is not our mistake. Paths stay in the log."""
    match error:
        case MemoryError() | OSError(errno=errno.ENOMEM):
            return OutOfMemory("The server has no memory left for this request; try again in a moment.")
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return DiskAlmostFull("The disk is full; delete traces or make room on the disk.")
        case OSError(errno=errno.EIO | errno.EROFS | errno.EMFILE | errno.ENFILE | errno.EACCES as code):
            return StorageFailed(
                f"The server's disk refused to do this: {os.strerror(code)}. Nothing was stored in part; "
                "send the request again, and look at the server's log if that does not help."
            )
        case _:
            return None
