"""What takes the time of CPUs and tasks."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from jitterscope.api.computed import json_answer, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import FreshQuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.interference import interference
from jitterscope.schemas.interference import Interference, InterferenceQuery

router = APIRouter(tags=["latencies"], route_class=FreshQuestionRoute)


@router.get(
    "/traces/{trace_id}/interference",
    response_model=Interference,
    responses=documented(404, 409, 422, 503),
)
async def get_interference(
    trace_id: str, query: Annotated[InterferenceQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """What took the time of each CPU, from which tasks, and what its ticks cost; no block is read."""
    return await json_answer(request, await interference(services.database, trace_id, parameters(query)))
