"""How many uploads may be open, and how slowly each may come."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from fastapi import Request
from starlette.requests import ClientDisconnect

from jitterscope.problems import InvalidRequest, TooManyUploads, UploadTooSlow
from jitterscope.settings import Settings


class OpenUploads:
    """Counts the uploads that are being received."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.max_open_uploads
        self._count = 0

    def require_room(self) -> None:
        """Raises: TooManyUploads."""
        if self._count >= self._most:
            raise TooManyUploads(
                f"{self._count} uploads are open (JITTERSCOPE_MAX_OPEN_UPLOADS); "
                "send this one when another has ended."
            )

    @contextmanager
    def one(self) -> Iterator[None]:
        """Raises: TooManyUploads."""
        self.require_room()
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1


async def paced_body(request: Request, settings: Settings) -> AsyncIterator[bytes]:
    """The body, as it comes. Only time spent waiting for the client counts against it.

    Raises: UploadTooSlow, InvalidRequest where the client went away.
    """
    chunks = aiter(request.stream())
    waited_seconds, received_bytes = 0.0, 0
    while True:
        began = time.monotonic()
        try:
            async with asyncio.timeout(settings.upload_stall_seconds):
                chunk = await anext(chunks)
        except StopAsyncIteration:
            return
        except ClientDisconnect as error:
            raise InvalidRequest("The transfer was cut before its end.") from error
        except TimeoutError as error:
            raise UploadTooSlow(
                f"No byte came for {settings.upload_stall_seconds:g} s (JITTERSCOPE_UPLOAD_STALL_SECONDS); "
                "send the file again over a better line."
            ) from error
        waited_seconds += time.monotonic() - began
        received_bytes += len(chunk)
        if waited_seconds > settings.upload_stall_seconds:
            _require_rate(received_bytes / waited_seconds, settings.min_upload_bytes_per_second)
        yield chunk


def _require_rate(bytes_per_second: float, least: int) -> None:
    if bytes_per_second < least:
        raise UploadTooSlow(
            f"The upload comes at {bytes_per_second:.0f} bytes a second, below the least rate of {least} "
            "(JITTERSCOPE_MIN_UPLOAD_BYTES_PER_SECOND); send the file again over a better line."
        )
