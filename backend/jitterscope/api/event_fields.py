"""Which fields of the recorded events hold numbers."""

from typing import Annotated

from fastapi import APIRouter, Query

from jitterscope.api.cursors import decode_position, encode_cursor
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.event_types import event_fields
from jitterscope.schemas.event_fields import EventFieldItem, EventFieldPage, EventFieldsQuery, Unit
from jitterscope.store.event_fields import FieldOfType

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)

# What the columns of the position can hold.
_LIMITS = (2**63, 2**31)
_UNITS: dict[int | None, Unit] = {None: "none", 1: "ns", 1_000: "us", 1_000_000: "ms", 1_000_000_000: "s"}


@router.get("/traces/{trace_id}/event-fields", responses=documented(404, 409, 422, 503))
async def list_event_fields(
    trace_id: str, query: Annotated[EventFieldsQuery, Query()], services: ServicesOf
) -> EventFieldPage:
    """The fields of events that hold numbers, each with its unit: any of them is a series of its own."""
    after = decode_position(query.cursor, _LIMITS) if query.cursor else None
    rows = await event_fields(services.database, trace_id, query.event, after, query.limit + 1)
    page = rows[: query.limit]
    last = page[-1] if len(rows) > query.limit else None
    return EventFieldPage(
        items=[_item(row) for row in page],
        next=encode_cursor([last.event_type.event_count, last.field.idx]) if last else None,
    )


def _item(row: FieldOfType) -> EventFieldItem:
    field, event_type = row
    return EventFieldItem.model_validate(
        {
            "name": f"{event_type.name}.{field.name}",
            "event": event_type.name,
            "field": field.name,
            "unit": _UNITS[field.unit_ns],
            "unit_source": field.unit_source or "none",
            "is_sampled": field.is_sampled != 0,
            "event_count": event_type.event_count,
        }
    )
