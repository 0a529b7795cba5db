"""What takes the time of CPUs and tasks."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import FreshQuestionRoute
from jitterscope.schemas.interference import Interference, InterferenceQuery

router = APIRouter(tags=["latencies"], route_class=FreshQuestionRoute)


@router.get(
    "/traces/{trace_id}/interference",
    response_model=Interference,
    responses=documented(404, 409, 422, 503),
)
async def get_interference(
    trace_id: str, query: Annotated[InterferenceQuery, Query()], core: Core
) -> Response:
    """What took the time of each CPU, from which tasks, and what its ticks cost; no block is read."""
    return await core.answer("interference", query, trace_id)
