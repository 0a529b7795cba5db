"""Answers that the core has written: passed on as they are, compressed where that pays."""

import asyncio

from fastapi import Request, Response
from isal import igzip
from pydantic import BaseModel

from jitterscope.explore.question import Parameters

_MIN_COMPRESSED_BYTES = 16 << 10
# ISA-L takes a third of zlib's time at this level, and columns of numbers shrink no better at a higher one.
_LEVEL = 1


def parameters(query: BaseModel) -> Parameters:
    """The parameters that were given, under their public names."""
    return query.model_dump(by_alias=True, exclude_none=True)


async def json_answer(request: Request, body: bytes) -> Response:
    """The JSON, compressed where that pays and the client can read it."""
    if len(body) < _MIN_COMPRESSED_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
        return json_response(body, is_gzip=False)
    return json_response(await asyncio.to_thread(igzip.compress, body, _LEVEL, mtime=0), is_gzip=True)


def json_response(body: bytes, *, is_gzip: bool) -> Response:
    """A trace does not change, but it can be deleted, so no client keeps its parts."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if is_gzip:
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)
