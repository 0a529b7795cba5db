"""What took the CPU from tasks of some names while they ran."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class TakenFrom:
    """Sums of one cause on one CPU of one trace.

    With `is_victim`, of what interrupted the tasks; a cause `sched` without a name is then all that was
    taken. Otherwise, of tasks that ran, they themselves among them.
    """

    trace_key: int
    cpu: int
    cause: str
    name: str | None
    is_victim: bool
    count: int
    total_ns: int
    max_ns: int


_TAKEN_FROM = text("""
    SELECT taken.trace_key, taken.cpu, slice_kind.name AS cause, coalesce(ran.comm, symbol.name) AS name,
           taken.victim IS NOT NULL AS is_victim, sum(taken.count)::bigint AS count,
           sum(taken.total_ns)::bigint AS total_ns, max(taken.max_ns) AS max_ns
    FROM interference AS taken
    JOIN slice_kind ON slice_kind.kind = taken.cause
    LEFT JOIN task AS ran ON ran.trace_key = taken.trace_key AND ran.idx = taken.task
    LEFT JOIN task AS victim ON victim.trace_key = taken.trace_key AND victim.idx = taken.victim
    LEFT JOIN symbol ON symbol.trace_key = taken.trace_key AND symbol.idx = taken.symbol
    WHERE taken.trace_key = ANY(:keys)
      AND (victim.comm = ANY(:comms) OR taken.victim IS NULL AND slice_kind.name = 'sched')
    GROUP BY taken.trace_key, taken.cpu, slice_kind.name, coalesce(ran.comm, symbol.name),
             taken.victim IS NOT NULL
""")


async def taken_from(session: AsyncSession, keys: Sequence[int], comms: Sequence[str]) -> list[TakenFrom]:
    """Of the tasks of these names in these traces."""
    rows = await session.execute(_TAKEN_FROM, {"keys": list(keys), "comms": list(comms)})
    return [TakenFrom(**row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's public name)
