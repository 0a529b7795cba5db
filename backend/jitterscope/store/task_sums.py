"""What tasks of some traces have of latencies, by their names and classes, as summed up at load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# As the core's PriorityClass has them: `width_bucket(prio, ARRAY[0, 100])` is the place of a task's class.
CLASSES = ("deadline", "real_time", "fair")


def places_of(classes: Sequence[str] | None) -> list[int] | None:
    """The places of these classes, as statements take them; None where all tasks are meant."""
    return None if classes is None else [CLASSES.index(one) for one in classes]


_BUSIEST = text("""
    SELECT task.comm
    FROM latency_task AS own
    JOIN latency_kind ON latency_kind.trace_key = own.trace_key AND latency_kind.kind = own.kind
    JOIN task ON task.trace_key = own.trace_key AND task.idx = own.task
    WHERE own.trace_key = ANY(:keys) AND latency_kind.name = :kind
      AND width_bucket(task.prio, ARRAY[0, 100]) = ANY(:places)
    GROUP BY task.comm
    HAVING sum(own.count) >= :least
    ORDER BY task.comm
""")


async def busiest_of_classes(
    session: AsyncSession, keys: Sequence[int], kind: str, classes: Sequence[str], least: float
) -> list[str]:
    """Names of tasks of these classes that have at least so many samples of a kind."""
    given = {"keys": list(keys), "kind": kind, "places": places_of(classes), "least": least}
    return list((await session.execute(_BUSIEST, given)).scalars())


@dataclass(frozen=True)
class ClassedTask:
    """Tasks of one name and class; the class is None where no event says."""

    comm: str
    priority_class: str | None
    traces: int


_CLASSED = text("""
    SELECT task.comm, width_bucket(task.prio, ARRAY[0, 100]) AS place,
           count(DISTINCT own.trace_key) AS traces
    FROM latency_task AS own
    JOIN task ON task.trace_key = own.trace_key AND task.idx = own.task
    WHERE own.trace_key = ANY(:keys)
    GROUP BY task.comm, place
    ORDER BY place, count(DISTINCT own.trace_key) DESC, sum(own.count) DESC, task.comm
    LIMIT :limit
""")


async def classed_tasks(session: AsyncSession, keys: Sequence[int], limit: int) -> list[ClassedTask]:
    """Names of tasks that have latencies of any kind in these traces, each once for each of its classes.

    They are in the scheduler's order, those of most traces first.
    """
    rows = await session.execute(_CLASSED, {"keys": list(keys), "limit": limit})
    return [
        ClassedTask(row.comm, None if row.place is None else CLASSES[row.place], row.traces) for row in rows
    ]


@dataclass(frozen=True)
class ClassSums:
    """What tasks of one class have of a kind in one trace. The class is None where no event says."""

    kind: str
    trace_key: int
    place: int | None
    most: int  # samples of the task that has most
    has_program: bool  # one of its tasks has the name of a program that measures


_BY_CLASS = text("""
    SELECT latency_kind.name AS kind, own.trace_key,
           width_bucket(task.prio, ARRAY[0, 100]) AS place, max(own.count) AS most,
           bool_or(task.comm ^@ ANY(:programs)) AS has_program
    FROM latency_task AS own
    JOIN latency_kind ON latency_kind.trace_key = own.trace_key AND latency_kind.kind = own.kind
    JOIN task ON task.trace_key = own.trace_key AND task.idx = own.task
    WHERE own.trace_key = ANY(:keys) AND latency_kind.name = ANY(:kinds)
    GROUP BY latency_kind.name, own.trace_key, place
""")


async def sums_by_class(
    session: AsyncSession, keys: Sequence[int], kinds: Sequence[str], programs: Sequence[str]
) -> list[ClassSums]:
    """One for each class of tasks that has samples of one of these kinds in one of these traces.

    `programs` are what the names of those that measure begin with.
    """
    given = {"keys": list(keys), "kinds": list(kinds), "programs": list(programs)}
    rows = await session.execute(_BY_CLASS, given)
    return [ClassSums(row.kind, row.trace_key, row.place, row.most, row.has_program) for row in rows]
