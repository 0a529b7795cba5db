"""Events in the order of time, a page at a time."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.events import EventPage, EventsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get("/traces/{trace_id}/events", response_model=EventPage, responses=documented(404, 409, 422, 503))
async def list_events(trace_id: str, query: Annotated[EventsQuery, Query()], core: Core) -> Response:
    """Events in the order of time, a page at a time."""
    return await core.answer("events", query, trace_id)
