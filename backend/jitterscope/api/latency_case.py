"""Latencies: one case."""

from fastapi import APIRouter, Request, Response

from jitterscope.api.base_url import BaseUrl, trace_url
from jitterscope.api.computed import json_answer
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.latency_case import latency_case
from jitterscope.schemas.latency_case import LatencyCase

router = APIRouter(tags=["latencies"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/latencies/{case_id}",
    response_model=LatencyCase,
    responses=documented(404, 409, 422, 503),
)
async def show_latency_case(
    trace_id: str, case_id: str, request: Request, services: ServicesOf, base_url: BaseUrl
) -> Response:
    """One case: its steps, where its time went, what it waited behind, and the events around it."""
    url = trace_url(base_url, trace_id)
    return await json_answer(request, await latency_case(services.database, trace_id, case_id, url))
