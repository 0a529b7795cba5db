"""What took the time of all latencies of a kind, from the ordinary ones to the slowest."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.latency_tail import LatencyTail, LatencyTailQuery

router = APIRouter(tags=["latencies"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/latencies/tail",
    response_model=LatencyTail,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_tail(
    trace_id: str, query: Annotated[LatencyTailQuery, Query()], core: Core
) -> Response:
    """What took the time of all samples of a kind, by bands of the distribution."""
    return await core.answer("latency_tail", query, trace_id)
