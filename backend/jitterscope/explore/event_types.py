"""Which types of events were recorded, how many of each, and which of their fields hold numbers."""

from collections.abc import Sequence

from jitterscope.explore.ready_trace import ready_trace
from jitterscope.store.database import Database
from jitterscope.store.event_fields import FieldOfType
from jitterscope.store.event_fields import event_fields as fields_after
from jitterscope.store.event_types import event_types as types_after
from jitterscope.store.models import EventType


async def event_types(
    database: Database, trace_id: str, after: tuple[int, int] | None, limit: int
) -> Sequence[EventType]:
    """The types of a ready trace, the most frequent first; `after` is (event_count, idx) of one of them.

    Raises: NotFound, TraceNotReady, TraceFailed.
    """
    async with database.session() as session:
        trace = await ready_trace(session, trace_id)
        return await types_after(session, trace.key, after, limit)


async def event_fields(
    database: Database, trace_id: str, event: str | None, after: tuple[int, int] | None, limit: int
) -> Sequence[FieldOfType]:
    """The fields of a ready trace that hold numbers; `after` is (event_count, idx) of one of them.

    Raises: NotFound, TraceNotReady, TraceFailed.
    """
    async with database.session() as session:
        trace = await ready_trace(session, trace_id)
        return await fields_after(session, trace.key, event, after, limit)
