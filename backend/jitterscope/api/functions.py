"""Statistics of every function, the largest total first unless `sort` says otherwise."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.functions import FunctionPage, FunctionsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/functions", response_model=FunctionPage, responses=documented(404, 409, 422, 503)
)
async def list_functions(trace_id: str, query: Annotated[FunctionsQuery, Query()], core: Core) -> Response:
    """Statistics of every function, the largest total first unless `sort` says otherwise."""
    return await core.answer("functions", query, trace_id)
