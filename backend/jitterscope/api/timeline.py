"""Lanes of slices, counters, losses and notes, reduced to what `width` pixels can show."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.timeline import Timeline, TimelineQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get("/traces/{trace_id}/timeline", response_model=Timeline, responses=documented(404, 409, 422, 503))
async def get_timeline(trace_id: str, query: Annotated[TimelineQuery, Query()], core: Core) -> Response:
    """Lanes of slices, counters, losses and notes, reduced to what `width` pixels can show."""
    return await core.answer("timeline", query, trace_id)
