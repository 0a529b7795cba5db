"""Function calls over time."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.lists import ALL_ROWS, ListRoute, Lists
from jitterscope.api.problem_documents import documented
from jitterscope.schemas.calls import CallInContext, Calls, CallsQuery

router = APIRouter(tags=["inside a trace"], route_class=ListRoute)


@router.get(
    "/traces/{trace_id}/calls", response_model=Calls, responses=documented(404, 406, 409, 422, 503) | ALL_ROWS
)
async def get_calls(trace_id: str, query: Annotated[CallsQuery, Query()], lists: Lists) -> Response:
    """The flame chart: one lane for each CPU (or task) and depth; in a format of rows, every call."""
    return await lists.answer("calls", query, trace_id)


@router.get(
    "/traces/{trace_id}/calls/{call_id}",
    response_model=CallInContext,
    responses=documented(404, 409, 422, 503),
)
async def get_call(trace_id: str, call_id: str, core: Core) -> Response:
    """One call, and the calls that it lies in."""
    return await core.answer("call", {"id": call_id}, trace_id)
