"""Sums of single traces that show what made a difference: ticks, and what took the time of samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.task_sums import places_of


@dataclass(frozen=True)
class TickSum:
    """The ticks of one CPU in one trace, from the start of the first to that of the last.

    `span_ns` is without the gaps of lost events. Where no handler shows which interrupts of the timer are
    ticks, all are, and `is_handler_known` is false.
    """

    trace_key: int
    cpu: int
    is_handler_known: bool
    count: int
    total_ns: int
    max_ns: int
    span_ns: int


# The core's TICK is 0, and its TIMER_INTERRUPT is -1: they are no kinds of slices.
_TICKS = text("""
    SELECT DISTINCT ON (trace_key, cpu) trace_key, cpu, cause = 0 AS is_handler_known, count, total_ns,
           max_ns, last_start_ns - first_start_ns - coalesce((
               SELECT sum(upper(gap) - lower(gap)) FROM (
                   SELECT range_agg(int8range(greatest(loss.start_ns, first_start_ns),
                                              least(loss.end_ns, last_start_ns))) AS gaps
                   FROM loss
                   WHERE loss.trace_key = interference.trace_key
                     AND (loss.cpu IS NULL OR loss.cpu = interference.cpu)
                     AND loss.start_ns < last_start_ns AND loss.end_ns > first_start_ns
                     AND NOT (loss.start_ns <= first_start_ns AND loss.end_ns >= last_start_ns)
               ) AS lost, unnest(gaps) AS gap), 0)::bigint AS span_ns
    FROM interference
    WHERE trace_key = ANY(:keys) AND cause IN (0, -1)
    ORDER BY trace_key, cpu, cause DESC
""")


async def ticks_of(session: AsyncSession, keys: Sequence[int]) -> list[TickSum]:
    """Of each trace and CPU that had ticks."""
    rows = await session.execute(_TICKS, {"keys": list(keys)})
    return [TickSum(**row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's public name)


# A loss that lies somewhere in the trace is stored as all of it: it says nothing of how long.
_LOST = text("""
    SELECT lost.key, lost.cpu, sum(upper(gap) - lower(gap))::bigint AS lost_ns
    FROM (
        SELECT trace.key, cpus.cpu,
               range_agg(int8range(greatest(loss.start_ns, 0), least(loss.end_ns, trace.duration_ns))) AS gaps
        FROM trace
        CROSS JOIN LATERAL unnest(trace.cpus) AS cpus (cpu)
        JOIN loss ON loss.trace_key = trace.key AND (loss.cpu IS NULL OR loss.cpu = cpus.cpu)
        WHERE trace.key = ANY(:keys) AND loss.end_ns > greatest(loss.start_ns, 0)
          AND loss.start_ns < trace.duration_ns
          AND NOT (loss.start_ns <= 0 AND loss.end_ns >= trace.duration_ns)
        GROUP BY trace.key, cpus.cpu
    ) AS lost, unnest(lost.gaps) AS gap
    GROUP BY lost.key, lost.cpu
""")


async def lost_times(session: AsyncSession, keys: Sequence[int]) -> dict[tuple[int, int], int]:
    """By trace and CPU, the nanoseconds in gaps of lost events; none where nothing was lost."""
    rows = await session.execute(_LOST, {"keys": list(keys)})
    return {(row.key, row.cpu): row.lost_ns for row in rows}


@dataclass(frozen=True)
class Taken:
    """What a cause took of all samples of a kind in one trace."""

    trace_key: int
    cause: str
    name: str | None
    total_ns: int


_TAKEN = text("""
    SELECT part.trace_key, part.cause, part.name, sum(taken.duration_ns)::bigint AS total_ns
    FROM latency_tail_part AS part
    JOIN latency_kind ON latency_kind.trace_key = part.trace_key AND latency_kind.kind = part.kind
    JOIN latency_tail AS tail
      ON tail.trace_key = part.trace_key AND tail.kind = part.kind AND tail.subject = part.subject
    LEFT JOIN task ON task.trace_key = tail.trace_key AND task.idx = tail.task
    CROSS JOIN LATERAL unnest(part.duration_ns) AS taken (duration_ns)
    WHERE part.trace_key = ANY(:keys) AND latency_kind.name = :kind AND part.cause IS NOT NULL
      AND (cardinality(CAST(:comms AS text[])) = 0 OR task.comm = ANY(:comms))
      AND (CAST(:places AS integer[]) IS NULL
           OR width_bucket(tail.prio, ARRAY[0, 100]) = ANY(CAST(:places AS integer[])))
    GROUP BY part.trace_key, part.cause, part.name
""")


async def taken_of(
    session: AsyncSession, keys: Sequence[int], kind: str, comms: Sequence[str], classes: Sequence[str] | None
) -> list[Taken]:
    """What took the time of the samples of tasks of these names and classes; without any, of all."""
    given = {"keys": list(keys), "kind": kind, "comms": list(comms), "places": places_of(classes)}
    rows = await session.execute(_TAKEN, given)
    return [Taken(**row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's public name)


_ISOLATED = text("""
    SELECT key, concat_ws(',',
        (SELECT string_agg(value, ',') FROM label
         WHERE trace_key = key AND name IN ('isolcpus', 'isolated', 'nohz_full')),
        facts ->> 'isolcpus', facts ->> 'isolated', facts ->> 'nohz_full'
    ) AS listed, coalesce(facts ->> 'cmdline', '') AS cmdline
    FROM trace WHERE key = ANY(:keys)
""")


async def isolated_cpus(session: AsyncSession, keys: Sequence[int]) -> dict[int, str]:
    """By trace, the CPUs that its labels or facts call isolated, as lists; else its command line."""
    rows = await session.execute(_ISOLATED, {"keys": list(keys)})
    return {row.key: row.listed or row.cmdline for row in rows}
