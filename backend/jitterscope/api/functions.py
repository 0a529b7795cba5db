"""Statistics of every function, the largest total first unless `sort` says otherwise."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.lists import ALL_ROWS, ListRoute, Lists
from jitterscope.api.problem_documents import documented
from jitterscope.schemas.functions import FunctionPage, FunctionsQuery

router = APIRouter(tags=["inside a trace"], route_class=ListRoute)


@router.get(
    "/traces/{trace_id}/functions",
    response_model=FunctionPage,
    responses=documented(404, 406, 409, 422, 503) | ALL_ROWS,
)
async def list_functions(trace_id: str, query: Annotated[FunctionsQuery, Query()], lists: Lists) -> Response:
    """Statistics of every function, the largest total first unless `sort` says otherwise."""
    return await lists.answer("functions", query, trace_id)
