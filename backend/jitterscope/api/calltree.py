"""The merged flame graph, parents before children, at most 5,000 nodes."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.calltree import CallTree, CallTreeQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get("/traces/{trace_id}/calltree", response_model=CallTree, responses=documented(404, 409, 422, 503))
async def get_calltree(trace_id: str, query: Annotated[CallTreeQuery, Query()], core: Core) -> Response:
    """The merged flame graph, parents before children, at most 5,000 nodes."""
    return await core.answer("calltree", query, trace_id)
