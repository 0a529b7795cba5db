"""Events in the order of time, a page at a time."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from jitterscope.api.computed import json_answer, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.events import events
from jitterscope.schemas.events import EventPage, EventsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get("/traces/{trace_id}/events", response_model=EventPage, responses=documented(404, 409, 422, 503))
async def get_events(
    trace_id: str, query: Annotated[EventsQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """Events in the order of time, a page at a time."""
    return await json_answer(request, await events(services.database, trace_id, parameters(query)))
