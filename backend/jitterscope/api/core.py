"""The core as routers ask it."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response
from isal import igzip
from pydantic import BaseModel

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.services import ServicesOf
from jitterscope.explore.driver import Parameters, ask
from jitterscope.reports.elements import POLICY
from jitterscope.reports.png import png

_MIN_COMPRESSED_BYTES = 16 << 10
# Fewer are compressed in about the time that the way to a thread and back takes on a busy server.
_QUICK_BYTES = 64 << 10
# ISA-L takes a third of zlib's time at this level, and columns of numbers shrink no better at a higher one.
_LEVEL = 1
_FORMATS = {
    "text/html": "html",
    "text/plain": "text",
    "image/svg+xml": "svg",
    "image/png": "png",
    "application/json": "json",
}
REPORT_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept", "Content-Security-Policy": POLICY}
"""Of reports: a trace can be deleted, so no client keeps them, and nothing in them runs."""

PICTURES = ("svg", "png")
"""The forms of what `sent_picture` sends."""


@dataclass(frozen=True)
class CoreOfRequest:
    """Questions of one request."""

    request: Request
    services: ServicesOf
    base_url: BaseUrl

    async def ask(self, name: str, query: BaseModel | Parameters, trace_id: str = "") -> bytes:
        """JSON as the core writes it.

        Raises: NotFound, TraceNotReady, TraceFailed, InvalidParameter.
        """
        given = parameters(query) if isinstance(query, BaseModel) else query
        return await ask(self.services.database, name, given, trace_id=trace_id, base_url=self.base_url)

    def preferred_format(self, given: str | None, forms: Collection[str]) -> str:
        """The requested form, else the first of `forms` or JSON that is accepted, else JSON."""
        accepted = self.request.headers.get("accept", "").split(",")
        types = (part.partition(";")[0].strip().lower() for part in accepted)
        accepted_forms = (_FORMATS[name] for name in types if name in _FORMATS)
        return given or next((form for form in accepted_forms if form in {*forms, "json"}), "json")

    async def answer(self, name: str, query: BaseModel | Parameters, trace_id: str = "") -> Response:
        """The JSON, compressed where that pays and the client can read it."""
        return await sent_json(self.request, await self.ask(name, query, trace_id))


async def sent_picture(svg: str, form: str) -> Response:
    """A picture as it is, or as `png`."""
    if form == "svg":
        return Response(svg, media_type="image/svg+xml", headers=REPORT_HEADERS)
    return Response(await asyncio.to_thread(png, svg), media_type="image/png", headers=REPORT_HEADERS)


async def sent_json(request: Request, body: bytes) -> Response:
    """JSON as an answer, compressed where that pays and the client can read it."""
    accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
    if len(body) < _MIN_COMPRESSED_BYTES or not accepts_gzip:
        return json_response(body, is_gzip=False)
    if len(body) < _QUICK_BYTES:
        return json_response(igzip.compress(body, _LEVEL, mtime=0), is_gzip=True)
    return json_response(await asyncio.to_thread(igzip.compress, body, _LEVEL, mtime=0), is_gzip=True)


async def core_of(request: Request, services: ServicesOf, base_url: BaseUrl) -> CoreOfRequest:
    """How the router of one request asks. A class as a dependency would be called on another thread."""
    return CoreOfRequest(request, services, base_url)


Core = Annotated[CoreOfRequest, Depends(core_of)]


def parameters(query: BaseModel) -> Parameters:
    """The parameters that were given, under their public names."""
    return query.model_dump(by_alias=True, exclude_none=True)


def json_response(body: bytes, *, is_gzip: bool) -> Response:
    """A trace does not change, but it can be deleted, so no client keeps its parts."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if is_gzip:
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)
