"""Statistics of every function, the largest total first unless `sort` says otherwise."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from jitterscope.api.computed import json_answer, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.functions import functions
from jitterscope.schemas.functions import FunctionPage, FunctionsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/functions", response_model=FunctionPage, responses=documented(404, 409, 422, 503)
)
async def get_functions(
    trace_id: str, query: Annotated[FunctionsQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """Statistics of every function, the largest total first unless `sort` says otherwise."""
    return await json_answer(request, await functions(services.database, trace_id, parameters(query)))
