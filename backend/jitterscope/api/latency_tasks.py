"""The tasks that have latencies."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import FreshQuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.schemas.latencies import LatencyTasks, LatencyTasksQuery
from jitterscope.store.traces import label_value

# Labels change while a trace does not, so this answer is not kept.
router = APIRouter(tags=["latencies"], route_class=FreshQuestionRoute)

# The label that names the tasks a recording was made for, separated by commas.
TASK_LABEL = "task"


@router.get(
    "/traces/{trace_id}/latencies/tasks",
    response_model=LatencyTasks,
    responses=documented(404, 409, 422, 503),
)
async def list_latency_tasks(
    trace_id: str, query: Annotated[LatencyTasksQuery, Query()], core: Core, services: ServicesOf
) -> Response:
    """The tasks that have latencies, first those that the recording is about."""
    async with services.database.session() as session:
        labelled = await label_value(session, trace_id, TASK_LABEL)
    names = [name.strip() for name in (labelled or "").split(",") if name.strip()]
    return await core.answer("latency_tasks", {**parameters(query), "labelled": names}, trace_id)
