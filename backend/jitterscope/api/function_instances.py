"""The calls of one function."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.function_instances import FunctionInstances, FunctionInstancesQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/functions/instances",
    response_model=FunctionInstances,
    responses=documented(404, 409, 422, 503),
)
async def list_function_instances(
    trace_id: str, query: Annotated[FunctionInstancesQuery, Query()], core: Core
) -> Response:
    """The calls of one function, as points of time and duration: pick two to compare them."""
    return await core.answer("function_instances", query, trace_id)
