"""What took the time of a window."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.schemas.slice_totals import SliceTotals, SliceTotalsQuery

router = APIRouter(tags=["inside a trace"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/slice-totals", response_model=SliceTotals, responses=documented(404, 409, 422, 503)
)
async def get_slice_totals(
    trace_id: str, query: Annotated[SliceTotalsQuery, Query()], core: Core
) -> Response:
    """What took the time of a window, by CPU and name. Add up the answers until `next` is null."""
    return await core.answer("slice_totals", query, trace_id)
