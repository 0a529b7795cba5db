"""Which types of events were recorded, and how many of each."""

from typing import Annotated

from fastapi import APIRouter, Query

from jitterscope.api.cursors import decode_position, encode_cursor
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.event_types import event_types
from jitterscope.schemas.event_types import EventTypeItem, EventTypePage, EventTypesQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)

# What the columns of the position can hold.
_LIMITS = (2**63, 2**31)


@router.get("/traces/{trace_id}/event-types", responses=documented(404, 409, 422, 503))
async def list_event_types(
    trace_id: str, query: Annotated[EventTypesQuery, Query()], services: ServicesOf
) -> EventTypePage:
    """The types of the recorded events with their counts, the most frequent first."""
    after = decode_position(query.cursor, _LIMITS) if query.cursor else None
    rows = await event_types(services.database, trace_id, after, query.limit + 1)
    page = rows[: query.limit]
    return EventTypePage(
        items=[
            EventTypeItem(name=row.name, system=row.system, kind=row.kind, event_count=row.event_count)
            for row in page
        ],
        next=encode_cursor([page[-1].event_count, page[-1].idx]) if len(rows) > query.limit else None,
    )
