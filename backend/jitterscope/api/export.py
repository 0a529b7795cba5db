"""A trace, or a window of it, in the format of another tool."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from jitterscope.api.catalog_texts import catalog
from jitterscope.api.core import parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.api.streams import Stream
from jitterscope.problems import InvalidParameter
from jitterscope.schemas.export import ExportQuery
from jitterscope.store import traces

router = APIRouter(tags=["inside a trace"])

_FORMATS = {entry["name"]: entry for entry in catalog()["exports"]}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {entry["media_type"].partition(";")[0]: {} for entry in _FORMATS.values()},
        "description": "The file, as it is made.",
    }
}


@router.get(
    "/traces/{trace_id}/export",
    response_class=Response,
    responses=documented(404, 409, 422, 503) | _FILE,
)
async def export_trace(
    trace_id: str, query: Annotated[ExportQuery, Query()], services: ServicesOf, stream: Stream
) -> Response:
    """The trace, or a window of it, in the format of another tool; the catalog lists them under `exports`."""
    entry = _FORMATS.get(query.format)
    if entry is None:
        raise InvalidParameter("format", f"{query.format!r} is none of {', '.join(_FORMATS)}")
    async with services.database.session() as session:
        name = (await traces.find_by_id(session, trace_id)).name
    return await stream.answer(
        "export",
        parameters(query),
        trace_id,
        media_type=entry["media_type"],
        filename=file_name(name, query.window_name, entry["extension"]),
    )


def file_name(trace_name: str, part: str, extension: str) -> str:
    """A name for a download: what any file system takes, whatever the trace is called."""
    words = re.sub(r"[^A-Za-z0-9._-]+", "-", trace_name).strip("-.")[:80] or "trace"
    return f"{words}{part}.{extension}"
