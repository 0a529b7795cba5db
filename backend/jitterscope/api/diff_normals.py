"""Other traces with calls or cases like one of this trace."""

import json
from typing import Annotated

from fastapi import APIRouter, Query

from jitterscope.api.core import Core
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.schemas.diff_normals import DiffNormals, DiffNormalsQuery, DiffNormalTrace
from jitterscope.store import traces
from jitterscope.store.like_traces import LikeTrace, traces_with_function, traces_with_kind

router = APIRouter(tags=["comparisons"], route_class=QuestionRoute)


@router.get("/diff/normals", responses=documented(404, 409, 422, 503))
async def list_diff_normals(
    query: Annotated[DiffNormalsQuery, Query()], core: Core, services: ServicesOf
) -> DiffNormals:
    """Other traces that have calls of the same function, or cases of the same kind and key.

    Those whose clocks count something else are left out: their durations cannot be compared.
    """
    like = json.loads(await core.ask("diff_like", {"abnormal": query.abnormal}))
    trace_id = like.pop("trace")
    async with services.database.session() as session:
        unit = (await traces.find_by_id(session, trace_id)).time_unit or "ns"
        if like["function"] is not None:
            found = await traces_with_function(session, trace_id, like["function"], query.recent, query.limit)
        else:
            found = await traces_with_kind(
                session, trace_id, like["kind"], like["key"], query.recent, query.limit
            )
    return DiffNormals.model_validate(
        like | {"count": found.own_count, "unit": unit, "traces": [_trace(trace) for trace in found.others]}
    )


def _trace(found: LikeTrace) -> DiffNormalTrace:
    return DiffNormalTrace(
        id=found.id,
        name=found.name,
        labels=found.labels,
        shared_labels=list(found.shared),
        created_at=found.created_at,
        count=found.count,
        median_ns=found.median_ns,
        max_ns=found.max_ns,
        normal=f"{found.id}/auto",
    )
