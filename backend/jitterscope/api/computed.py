"""Answers that the core has written: passed on as they are, compressed where that pays."""

import asyncio
import gzip

from fastapi import Request, Response
from pydantic import BaseModel

from jitterscope.explore.question import Parameters

_MIN_COMPRESSED_BYTES = 16 << 10
# Columns of numbers shrink about as well at the fastest level, in a fraction of the time.
_LEVEL = 1


def parameters(query: BaseModel) -> Parameters:
    """The parameters that were given, under their public names."""
    return query.model_dump(by_alias=True, exclude_none=True)


async def json_answer(request: Request, body: bytes) -> Response:
    """The JSON; a trace does not change, but it can be deleted, so nobody keeps its parts."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if len(body) >= _MIN_COMPRESSED_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        body = await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)
