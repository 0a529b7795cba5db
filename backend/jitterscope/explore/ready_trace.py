"""The trace that a question is about."""

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.problems import TraceFailed, TraceNotReady
from jitterscope.store.models import Trace, TraceStatus
from jitterscope.store.traces import find_by_id


async def ready_trace(session: AsyncSession, trace_id: str) -> Trace:
    """The trace, which is fully loaded.

    Raises: NotFound, TraceNotReady, TraceFailed.
    """
    trace = await find_by_id(session, trace_id)
    match TraceStatus(trace.status):
        case TraceStatus.READY:
            return trace
        case TraceStatus.FAILED:
            sentence = (trace.error or {}).get("sentence", "")
            raise TraceFailed(f"The trace {trace_id!r} could not be loaded. {sentence}".strip())
        case status:
            raise TraceNotReady(f"The trace {trace_id!r} is {status.value}; try again when it is ready.")
