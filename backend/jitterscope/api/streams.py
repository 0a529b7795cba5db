"""Answers of any length: handed out as they are made, in constant memory, a few at once."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Annotated, Protocol

from fastapi import Depends, Request, Response
from isal import isal_zlib
from starlette.types import Receive, Scope, Send

from jitterscope import _ftrace
from jitterscope.api.base_url import BaseUrl
from jitterscope.api.questions import QuestionRoom
from jitterscope.api.services import ServicesOf
from jitterscope.explore.driver import Parameters
from jitterscope.explore.stream import stream

_LEVEL = 1
_GZIP_WINDOW = 31  # zlib: 2^15 bytes, with the header of gzip


class Compressor(Protocol):
    """Makes one compressed stream, piece by piece."""

    def compress(self, piece: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


# By their names in HTTP, the one that is preferred first.
_COMPRESSORS: Mapping[str, Callable[[], Compressor]] = {
    "zstd": lambda: _ftrace.ZstdCompressor(_LEVEL),
    "gzip": lambda: isal_zlib.compressobj(_LEVEL, isal_zlib.DEFLATED, _GZIP_WINDOW),
}


def best_encoding(accepted: str) -> str | None:
    """The encoding to send for an `Accept-Encoding`: `zstd` before `gzip`; None for neither."""
    weights = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        weights[name.strip()] = weight.replace(" ", "")
    named = (name for name in _COMPRESSORS if name in weights)
    return next((name for name in named if not re.fullmatch(r"q=0(\.0*)?", weights[name])), None)


@dataclass(frozen=True)
class StreamOfRequest:
    """An answer of any length to one request."""

    request: Request
    services: ServicesOf
    base_url: BaseUrl

    async def answer(
        self,
        name: str,
        parameters: Parameters,
        trace_id: str,
        *,
        media_type: str,
        filename: str,
        is_compressed: bool = False,
    ) -> Response:
        """The answer to a question of the core, as a file, compressed where the client can read that.

        What `is_compressed` already is sent as it is.

        Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter, TooManyQuestions.
        """
        accepted = "" if is_compressed else self.request.headers.get("accept-encoding", "")
        return await self.send(
            stream(self.services.database, name, parameters, trace_id=trace_id, base_url=self.base_url),
            media_type=media_type,
            encoding=best_encoding(accepted),
            headers={
                "Vary": "Accept, Accept-Encoding",
                "Content-Disposition": f'attachment; filename="{filename}"',
            },
        )

    async def send(
        self,
        chunks: AsyncGenerator[bytes],
        *,
        media_type: str,
        encoding: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Chunks as they come; each at once where there is no encoding.

        They hold a slot until the last byte is sent, or the client is gone.
        Raises: TooManyQuestions, and what the first chunk does: it is made before anything is sent.
        """
        room: QuestionRoom = self.request.app.state.questions
        async with AsyncExitStack() as held:
            await held.enter_async_context(room.stream_slots.one())
            held.push_async_callback(chunks.aclose)
            body = _joined(await anext(chunks), chunks)
            sent = {"Cache-Control": "no-store", **(headers or {})}
            if encoding is not None:
                sent["Content-Encoding"] = encoding
                body = _compressed(body, _COMPRESSORS[encoding]())
            return StreamedResponse(body, held.pop_all(), media_type, sent)


async def stream_of(request: Request, services: ServicesOf, base_url: BaseUrl) -> StreamOfRequest:
    """How the router of one request asks for what is as long as the trace."""
    return StreamOfRequest(request, services, base_url)


Stream = Annotated[StreamOfRequest, Depends(stream_of)]


class StreamedResponse(Response):
    """Sends chunks as they come; ends when the client goes. Where a chunk fails, the transfer is cut."""

    def __init__(
        self, chunks: AsyncIterator[bytes], held: AsyncExitStack, media_type: str, headers: dict[str, str]
    ) -> None:
        super().__init__(media_type=media_type, headers=headers)
        del self.headers["content-length"]
        self._chunks = chunks
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._held:
            work = asyncio.create_task(self._send(send))
            gone = asyncio.create_task(_disconnection(receive))
            try:
                await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                gone.cancel()
                if not work.done():
                    work.cancel()
                    await asyncio.wait({work})
            if not work.cancelled():
                work.result()

    async def _send(self, send: Send) -> None:
        start = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        await send(start)
        async for chunk in self._chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _joined(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk


async def _compressed(chunks: AsyncIterator[bytes], compressor: Compressor) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        if packed := await asyncio.to_thread(compressor.compress, chunk):
            yield packed
    yield compressor.flush()


async def _disconnection(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
