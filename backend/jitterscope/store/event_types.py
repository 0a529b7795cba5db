"""What kinds of events a trace holds, counted."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import EventType


async def event_types(
    session: AsyncSession, trace_key: int, after: tuple[int, int] | None, limit: int
) -> Sequence[EventType]:
    """At most `limit` types that follow (event_count, idx) of one of them, the most frequent first."""
    query = select(EventType).where(EventType.trace_key == trace_key, EventType.event_count > 0)
    if after is not None:
        query = query.where(_follows(*after))
    return (
        await session.scalars(query.order_by(EventType.event_count.desc(), EventType.idx).limit(limit))
    ).all()


def _follows(event_count: int, idx: int) -> ColumnElement[bool]:
    return or_(
        EventType.event_count < event_count,
        and_(EventType.event_count == event_count, EventType.idx > idx),
    )
