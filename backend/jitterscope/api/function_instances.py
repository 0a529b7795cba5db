"""The calls of one function."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from jitterscope.api.computed import json_answer, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.function_instances import function_instances
from jitterscope.schemas.function_instances import FunctionInstances, FunctionInstancesQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/functions/instances",
    response_model=FunctionInstances,
    responses=documented(404, 409, 422, 503),
)
async def get_function_instances(
    trace_id: str, query: Annotated[FunctionInstancesQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """The calls of one function, as points of time and duration: pick two to compare them."""
    answer = await function_instances(services.database, trace_id, parameters(query))
    return await json_answer(request, answer)
