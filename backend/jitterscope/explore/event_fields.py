"""Which fields of events hold numbers, so that they can be asked for as series."""

from collections.abc import Sequence

from jitterscope.explore.ready_trace import ready_trace
from jitterscope.store.database import Database
from jitterscope.store.event_fields import FieldOfType
from jitterscope.store.event_fields import event_fields as fields_after


async def event_fields(
    database: Database, trace_id: str, event: str | None, after: tuple[int, int] | None, limit: int
) -> Sequence[FieldOfType]:
    """The fields of a ready trace; `after` is (event_count, idx) of one of them.

    Raises: NotFound, TraceNotReady, TraceFailed.
    """
    async with database.session() as session:
        trace = await ready_trace(session, trace_id)
        return await fields_after(session, trace.key, event, after, limit)
