"""Which fields of events hold numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import EventField, EventType


class FieldOfType(NamedTuple):
    field: EventField
    event_type: EventType


async def event_fields(
    session: AsyncSession, trace_key: int, event: str | None, after: tuple[int, int] | None, limit: int
) -> Sequence[FieldOfType]:
    """At most `limit` fields that follow (event_count of the type, idx) of one of them.

    Those of the most frequent type come first, and those of one type in the order in which it prints them.
    With `event`, only those of the types of that name.
    """
    query = (
        select(EventField, EventType)
        .join(EventType, and_(EventType.trace_key == EventField.trace_key, EventType.idx == EventField.type))
        .where(EventField.trace_key == trace_key)
    )
    if event is not None:
        query = query.where(EventType.name == event)
    if after is not None:
        event_count, idx = after
        same = and_(EventType.event_count == event_count, EventField.idx > idx)
        query = query.where(or_(EventType.event_count < event_count, same))
    ordered = query.order_by(EventType.event_count.desc(), EventField.idx).limit(limit)
    return [FieldOfType(*row) for row in await session.execute(ordered)]
