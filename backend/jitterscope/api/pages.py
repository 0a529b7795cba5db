"""The built front end: its files as they are, and its one page under every address that it routes itself."""

import gzip
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

# Files with a hash of their content in the name, as the bundler writes them.
_IMMUTABLE_FOLDER = "assets/"
# t/24sh5tesqht7/cases/field.hrtimer_cb.delta-cpu6@14372733962000
_TRACE_PAGES = "t/"
_COMPRESSED_TYPES = ("text/", "application/javascript", "application/json", "image/svg+xml")
_MIN_COMPRESSED_BYTES = 1 << 10

# A page may run and show what this server sends, and talk to it; it makes no styles or scripts while it runs.
_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
)

_NOT_BUILT = """<!doctype html><html lang="en"><title>Jitterscope</title>
<h1>The front end is not built</h1>
<p>The API answers; its reference is at <a href="/docs">/docs</a>.</p></html>"""


@dataclass(frozen=True)
class _Asset:
    body: bytes
    gzipped: bytes | None
    media_type: str
    cache_control: str


class FrontEnd:
    """The files of one build, held in memory: what was not there at the start is not served."""

    def __init__(self, folder: Path) -> None:
        index = folder / "index.html"
        self._index = index.read_text(encoding="utf-8") if index.is_file() else None
        self._assets = {
            path.relative_to(folder).as_posix(): _read_asset(path, folder)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path != index
        }

    def asset(self, path: str, *, accepts_gzip: bool) -> Response | None:
        """A file of the build; None if there is no such file."""
        found = self._assets.get(path)
        if found is None:
            return None
        headers = {"Cache-Control": found.cache_control, "Vary": "Accept-Encoding"}
        if accepts_gzip and found.gzipped is not None:
            headers["Content-Encoding"] = "gzip"
            return Response(found.gzipped, media_type=found.media_type, headers=headers)
        return Response(found.body, media_type=found.media_type, headers=headers)

    def page(self) -> Response:
        """The one page, which finds out from its address what to show."""
        if self._index is None:
            return HTMLResponse(_NOT_BUILT, status_code=503)
        headers = {"Content-Security-Policy": _CONTENT_POLICY, "Cache-Control": "no-store"}
        return HTMLResponse(self._index, headers=headers)


def pages_router(folder: Path) -> APIRouter:
    """Serves a build. Must be included last, since it answers for every path that nothing else has."""
    front_end = FrontEnd(folder)
    router = APIRouter(include_in_schema=False)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def serve(path: str, request: Request) -> Response:
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        asset = front_end.asset(path, accepts_gzip=accepts_gzip)
        if asset is not None:
            return asset
        if path.startswith(("api/", _IMMUTABLE_FOLDER)) or _names_a_file(path):
            raise HTTPException(404)
        return front_end.page()

    return router


def _read_asset(path: Path, folder: Path) -> _Asset:
    body = path.read_bytes()
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    is_compressed = media_type.startswith(_COMPRESSED_TYPES) and len(body) >= _MIN_COMPRESSED_BYTES
    is_immutable = path.relative_to(folder).as_posix().startswith(_IMMUTABLE_FOLDER)
    return _Asset(
        body,
        gzip.compress(body, 9, mtime=0) if is_compressed else None,
        media_type,
        "public, max-age=31536000, immutable" if is_immutable else "no-cache",
    )


def _names_a_file(path: str) -> bool:
    """True for /robots.txt and similar paths; the names in a trace's pages may have a dot, too."""
    return "." in path.rpartition("/")[2] and not path.startswith(_TRACE_PAGES)
