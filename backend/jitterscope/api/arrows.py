"""What caused what: arrows between events of different CPUs and tasks."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.arrows import Arrows, ArrowsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get("/traces/{trace_id}/arrows", response_model=Arrows, responses=documented(404, 409, 422, 503))
async def get_arrows(trace_id: str, query: Annotated[ArrowsQuery, Query()], core: Core) -> Response:
    """Wakeups, timers, softirqs, IPIs and work that touch the window: the longest, and a count of others."""
    return await core.answer("arrows", query, trace_id)
