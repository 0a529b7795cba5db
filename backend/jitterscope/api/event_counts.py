"""How many events match a filter, by CPU and time."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.event_counts import EventCounts, EventCountsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/event-counts", response_model=EventCounts, responses=documented(404, 409, 422, 503)
)
async def get_event_counts(
    trace_id: str, query: Annotated[EventCountsQuery, Query()], core: Core
) -> Response:
    """How many events of a window match, by CPU and cell of time. Add up the answers until `next` is null."""
    return await core.answer("event_counts", query, trace_id)
