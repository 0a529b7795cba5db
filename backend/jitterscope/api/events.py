"""Events in the order of time, a page at a time."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.lists import ALL_ROWS, ListRoute, Lists
from jitterscope.api.problem_documents import documented
from jitterscope.schemas.events import EventPage, EventsQuery

router = APIRouter(tags=["inside a trace"], route_class=ListRoute)


@router.get(
    "/traces/{trace_id}/events",
    response_model=EventPage,
    responses=documented(404, 406, 409, 422, 503) | ALL_ROWS,
)
async def list_events(trace_id: str, query: Annotated[EventsQuery, Query()], lists: Lists) -> Response:
    """Events in the order of time, a page at a time."""
    return await lists.answer("events", query, trace_id)
