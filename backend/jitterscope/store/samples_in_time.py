"""Samples of one trace in the order in which they began."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.summaries import GroupBy

_SAMPLES = text("""
    SELECT array_agg(duration_ns ORDER BY t_ns) AS durations_ns
    FROM latency
    WHERE trace_key = :key AND kind = :kind
      AND CASE :group_by WHEN 'cpu' THEN cpu::text = :group_name WHEN 'task' THEN comm = :group_name
               WHEN 'key' THEN key = :group_name ELSE true END
""")


async def samples_in_time(
    session: AsyncSession, trace_key: int, kind: str, group_by: GroupBy, group_name: str
) -> Sequence[int]:
    """Durations of the samples of a kind and group, each row once: a bar of a histogram is one."""
    params = {"key": trace_key, "kind": kind, "group_by": group_by, "group_name": group_name}
    return (await session.scalar(_SAMPLES, params)) or []
