"""The loading of a trace, as it happens."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent

from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.problems import NotFound
from jitterscope.schemas.progress import ProgressAnswer
from jitterscope.store.models import Trace, TraceStatus
from jitterscope.store.traces import find_by_id

router = APIRouter(tags=["traces"])


async def _key_of(trace_id: str, services: ServicesOf) -> int:
    """Found before the answer begins, so that an unknown trace is 404 and no empty stream."""
    async with services.database.session() as session:
        return (await find_by_id(session, trace_id)).key


@router.get(
    "/traces/{trace_id}/progress",
    response_class=EventSourceResponse,
    responses=documented(404, 503),
)
async def watch_progress(
    trace_id: str, trace_key: Annotated[int, Depends(_key_of)], services: ServicesOf
) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events: `progress` at every change, then one `done` (or `deleted`), which is the last."""
    last_sent: ProgressAnswer | None = None
    try:
        async for row in services.watch.rows(services.database, trace_id, trace_key, None):
            answer = _progress(row)
            is_final = TraceStatus(row.status).is_final
            if is_final:
                yield ServerSentEvent(event="done", data=answer)
                return
            if answer != last_sent:
                yield ServerSentEvent(event="progress", data=answer)
                last_sent = answer
    except NotFound:
        yield ServerSentEvent(event="deleted", data={})


def _progress(row: Trace) -> ProgressAnswer:
    return ProgressAnswer(
        status=TraceStatus(row.status).value,
        stage=row.stage,
        progress=row.progress,
        bytes_done=row.bytes_done,
        bytes_total=row.bytes_total,
        events=row.event_count or 0,
    )
