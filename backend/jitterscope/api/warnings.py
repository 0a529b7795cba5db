"""The problems of a trace, one by one."""

from typing import Annotated

from fastapi import APIRouter, Query

from jitterscope.api.cursors import decode_cursor, encode_cursor
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.explore.ready_trace import ready_trace
from jitterscope.problems import InvalidParameter
from jitterscope.schemas.diagnostics import DiagnosticLineAnswer, DiagnosticPage, DiagnosticQuery
from jitterscope.store.traces import diagnostic_lines

router = APIRouter(tags=["inside a trace"])


@router.get("/traces/{trace_id}/warnings", responses=documented(404, 409, 422, 503))
async def list_warnings(
    trace_id: str, query: Annotated[DiagnosticQuery, Query()], services: ServicesOf
) -> DiagnosticPage:
    """The diagnostics that were kept, each with its place."""
    after_idx = _decode_position(query.cursor) if query.cursor else -1
    async with services.database.session() as session:
        trace = await ready_trace(session, trace_id)
        rows = await diagnostic_lines(session, trace.key, query.code, after_idx, query.limit + 1)
    page = rows[: query.limit]
    return DiagnosticPage(
        items=[
            DiagnosticLineAnswer(code=row.code, line=row.line, byte_offset=row.byte_offset, sample=row.sample)
            for row in page
        ],
        next=encode_cursor([page[-1].idx]) if len(rows) > query.limit else None,
    )


def _decode_position(cursor: str) -> int:
    (idx,) = decode_cursor(cursor, 1)
    if not isinstance(idx, int) or not 0 <= idx < 2**31:
        raise InvalidParameter("cursor", "is not one that this call has answered")
    return idx
