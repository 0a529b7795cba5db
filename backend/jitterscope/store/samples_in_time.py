"""Samples of one trace in the order in which they began."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.task_sums import places_of

# A sample has the name of its task and no more of it, so that classes are compared by pid and name.
_SAMPLES = text("""
    SELECT array_agg(duration_ns ORDER BY t_ns) AS durations_ns
    FROM latency
    WHERE trace_key = :key AND kind = :kind
      AND (CAST(:cpu AS smallint) IS NULL OR cpu = CAST(:cpu AS smallint))
      AND (CAST(:comm AS text) IS NULL OR comm = CAST(:comm AS text))
      AND (CAST(:sample_key AS text) IS NULL OR latency.key = CAST(:sample_key AS text))
      AND (CAST(:places AS integer[]) IS NULL OR (pid, comm) IN (
          SELECT task.pid, task.comm FROM task
          WHERE task.trace_key = :key
            AND width_bucket(task.prio, ARRAY[0, 100]) = ANY(CAST(:places AS integer[]))))
""")


async def samples_in_time(
    session: AsyncSession,
    trace_key: int,
    kind: str,
    *,
    cpu: int | None,
    comm: str | None,
    key: str | None,
    classes: Sequence[str] | None,
) -> Sequence[int]:
    """Durations of the samples that meet all conditions, each row once: a bar of a histogram is one."""
    params = {
        "key": trace_key,
        "kind": kind,
        "cpu": cpu,
        "comm": comm,
        "sample_key": key,
        "places": places_of(classes),
    }
    return (await session.scalar(_SAMPLES, params)) or []
