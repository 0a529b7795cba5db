"""Function calls over time."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from jitterscope.api.computed import json_answer, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.calls import call, calls
from jitterscope.schemas.calls import CallInContext, Calls, CallsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get("/traces/{trace_id}/calls", response_model=Calls, responses=documented(404, 409, 422, 503))
async def get_calls(
    trace_id: str, query: Annotated[CallsQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """The flame chart: one lane for each CPU (or task) and depth."""
    return await json_answer(request, await calls(services.database, trace_id, parameters(query)))


@router.get(
    "/traces/{trace_id}/calls/{call_id}",
    response_model=CallInContext,
    responses=documented(404, 409, 422, 503),
)
async def get_call(trace_id: str, call_id: str, request: Request, services: ServicesOf) -> Response:
    """One call, and the calls that it lies in."""
    return await json_answer(request, await call(services.database, trace_id, call_id))
