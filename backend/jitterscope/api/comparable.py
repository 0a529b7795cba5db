"""What a trace can be compared with."""

from typing import Annotated

from fastapi import APIRouter, Query

from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.schemas.comparable import ComparableQuery, ComparableTrace, ComparableTraces
from jitterscope.store import traces
from jitterscope.store.comparable_traces import comparable_traces

router = APIRouter(tags=["experiments"])


@router.get("/traces/{trace_id}/comparable", responses=documented(404, 422, 503))
async def list_comparable_traces(
    trace_id: str, query: Annotated[ComparableQuery, Query()], services: ServicesOf
) -> ComparableTraces:
    """Other traces with latencies of the same kinds, those first whose labels differ in one value only.

    Those whose clocks count something else are left out: their durations cannot be compared.
    """
    async with services.database.session() as session:
        await traces.find_by_id(session, trace_id)
        labels, found = await comparable_traces(session, trace_id, query.recent, query.limit)
    return ComparableTraces(labels=dict(labels), items=[ComparableTrace.model_validate(one) for one in found])
