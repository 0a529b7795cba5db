"""Latencies: one case."""

from fastapi import APIRouter, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.latency_case import LatencyCase

router = APIRouter(tags=["latencies"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/latencies/{case_id}",
    response_model=LatencyCase,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_case(trace_id: str, case_id: str, core: Core) -> Response:
    """One case: its steps, where its time went, what it waited behind, and the events around it."""
    return await core.answer("latency_case", {"case": case_id}, trace_id)
