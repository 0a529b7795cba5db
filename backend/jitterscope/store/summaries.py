"""What each trace has of a kind of latency and of interference, summed up when it was loaded.

What crosses traces reads these rows and no samples or events, wherever they have what is meant: it costs as
much for long traces as for short ones, and also runs where traces are spread over several servers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from psycopg.rows import DictRow, dict_row
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.database import driver_connection
from jitterscope.store.whole_numbers import BIGINT_ARRAY, WholeNumbers

SplitBy = Literal["cpu", "task", "key", "sleep", "frequency", "idle_state"]
GroupBy = Literal["all"] | SplitBy
SPLITS: tuple[SplitBy, ...] = get_args(SplitBy)


@dataclass(frozen=True)
class Summary:
    """The samples of one kind and group in one trace. Inexact values are the beginnings of cells."""

    trace_key: int
    count: int
    total_ns: int
    squares: int | None
    min_ns: int
    max_ns: int
    max_start_ns: int
    max_owner: str
    max_key: str | None
    is_exact: bool
    values_ns: NDArray[np.int64]
    value_counts: NDArray[np.int64]


_SUMMARIES = """
    SELECT summary.trace_key, summary.group_name, summary.count AS sample_count, summary.total_ns,
           summary.squares, summary.min_ns, summary.max_ns, summary.max_start_ns, summary.max_owner,
           summary.max_key, summary.is_exact,
           CASE WHEN NOT whole.is_known THEN summary.value_ns END AS value_ns,
           CASE WHEN NOT whole.is_known THEN summary.value_count END AS value_count
    FROM latency_summary AS summary
    JOIN latency_kind ON latency_kind.trace_key = summary.trace_key AND latency_kind.kind = summary.kind
    CROSS JOIN LATERAL (
        SELECT CAST(%(known)s AS jsonb) -> CAST(summary.trace_key AS text)
               IS NOT DISTINCT FROM jsonb_build_array(summary.count, summary.total_ns) AS is_known
    ) AS whole
    WHERE summary.trace_key = ANY(%(keys)s) AND latency_kind.name = %(kind)s
      AND summary.group_by = %(group_by)s AND summary.group_name = ANY(%(group_names)s)
"""


async def latency_summaries(
    session: AsyncSession, keys: Sequence[int], kind: str, group_by: GroupBy, group_name: str
) -> dict[int, Summary]:
    """By trace; a trace without such samples has none."""
    found = await summaries_by_group(session, keys, kind, group_by, [group_name])
    return {summary.trace_key: summary for _, summary in found}


async def summaries_by_group(
    session: AsyncSession,
    keys: Sequence[int],
    kind: str,
    group_by: GroupBy,
    names: Sequence[str],
    wholes: Mapping[int, Summary] | None = None,
) -> list[tuple[str, Summary]]:
    """What each trace has of these groups, with their names.

    A group is a part of its trace's samples: where it is all of them, as on a recording of one CPU, its
    histogram is taken from `wholes`, which are of whole traces, and is not read again.
    """
    wholes = wholes or {}
    known = {key: (whole.count, str(whole.total_ns)) for key, whole in wholes.items()}
    given = {
        "keys": list(keys),
        "kind": kind,
        "group_by": group_by,
        "group_names": list(names),
        "known": json.dumps(known),
    }
    connection = await driver_connection(session)
    # Histograms are most of what crosses traces. As text and lists, they took longer than all else.
    async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
        cursor.adapters.register_loader(BIGINT_ARRAY, WholeNumbers)
        await cursor.execute(_SUMMARIES, given)
        return [(row["group_name"], _summary(row, wholes)) async for row in cursor]


def _summary(row: DictRow, wholes: Mapping[int, Summary]) -> Summary:
    values_ns, value_counts = row["value_ns"], row["value_count"]
    if values_ns is None:
        whole = wholes[row["trace_key"]]
        values_ns, value_counts = whole.values_ns, whole.value_counts
    return Summary(
        trace_key=row["trace_key"],
        count=row["sample_count"],
        total_ns=int(row["total_ns"]),
        squares=None if row["squares"] is None else int(row["squares"]),
        min_ns=row["min_ns"],
        max_ns=row["max_ns"],
        max_start_ns=row["max_start_ns"],
        max_owner=row["max_owner"],
        max_key=row["max_key"],
        is_exact=bool(row["is_exact"]),
        values_ns=values_ns,
        value_counts=value_counts,
    )


@dataclass(frozen=True)
class Group:
    """A group of all of some traces; `values` are those of its histograms, which are what it costs."""

    name: str
    count: int
    values: int


_GROUPS = text("""
    SELECT summary.group_name AS name, sum(summary.count)::bigint AS count,
           sum(cardinality(summary.value_ns))::bigint AS values
    FROM latency_summary AS summary
    JOIN latency_kind ON latency_kind.trace_key = summary.trace_key AND latency_kind.kind = summary.kind
    WHERE summary.trace_key = ANY(:keys) AND latency_kind.name = :kind AND summary.group_by = :group_by
    GROUP BY summary.group_name
    ORDER BY sum(summary.count) DESC, summary.group_name
    LIMIT :limit
""")


async def groups_of(
    session: AsyncSession, keys: Sequence[int], kind: str, group_by: GroupBy, limit: int
) -> list[Group]:
    """The groups of these traces, those with the most samples first."""
    given = {"keys": list(keys), "kind": kind, "group_by": group_by, "limit": limit}
    return [Group(**row._mapping) for row in await session.execute(_GROUPS, given)]  # noqa: SLF001


@dataclass(frozen=True)
class SummedUp:
    """A kind of which traces have samples; of measurements and fields, one source or field, too."""

    kind: str
    key: str | None
    trace_keys: Sequence[int]
    samples: int


# Sources of measurements and fields of events are not alike: each is a measure of its own.
_SUMMED_UP = text("""
    SELECT latency_kind.name AS kind, nullif(summary.group_name, '') AS key,
           array_agg(summary.trace_key) AS trace_keys, sum(summary.count)::bigint AS samples
    FROM latency_summary AS summary
    JOIN latency_kind ON latency_kind.trace_key = summary.trace_key AND latency_kind.kind = summary.kind
    WHERE summary.trace_key = ANY(:keys)
      AND (summary.group_by = 'all'
           OR summary.group_by = 'key' AND latency_kind.name = ANY(:keyed))
    GROUP BY latency_kind.name, summary.group_name
    ORDER BY count(*) DESC, latency_kind.name, summary.group_name
    LIMIT 500
""")


async def summed_up(session: AsyncSession, keys: Sequence[int], keyed: Sequence[str]) -> list[SummedUp]:
    """What of these traces can be compared, at most 500 measures, those of most traces first.

    Of the kinds in `keyed`, each key is a measure of its own.
    """
    rows = await session.execute(_SUMMED_UP, {"keys": list(keys), "keyed": list(keyed)})
    return [SummedUp(**row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's public name)


_SPLITS = text("""
    SELECT latency_kind.name AS kind, one.group_by
    FROM latency_kind CROSS JOIN unnest(CAST(:splits AS text[])) AS one (group_by)
    WHERE latency_kind.trace_key = ANY(:keys) AND EXISTS (
        SELECT FROM latency_summary AS summary
        WHERE summary.trace_key = latency_kind.trace_key AND summary.kind = latency_kind.kind
          AND summary.group_by = one.group_by)
    GROUP BY latency_kind.name, one.group_by
""")


async def splits_of(session: AsyncSession, keys: Sequence[int]) -> dict[str, list[SplitBy]]:
    """By kind, what its samples in these traces are summed up by."""
    rows = await session.execute(_SPLITS, {"keys": list(keys), "splits": list(SPLITS)})
    found = {(row.kind, row.group_by) for row in rows}
    return {kind: [one for one in SPLITS if (kind, one) in found] for kind, _ in found}


_UNSUMMED = text("""
    SELECT latency_kind.trace_key FROM latency_kind
    WHERE trace_key = ANY(:keys) AND name = :kind AND NOT EXISTS (
        SELECT FROM latency_summary AS summary
        WHERE summary.trace_key = latency_kind.trace_key AND summary.kind = latency_kind.kind)
""")


async def traces_without_summary(session: AsyncSession, keys: Sequence[int], kind: str) -> list[int]:
    """Those that have samples of the kind, and were loaded before summaries were made."""
    return list((await session.execute(_UNSUMMED, {"keys": list(keys), "kind": kind})).scalars())


_COUNTS = text("""
    SELECT trace_key, count AS samples FROM latency_kind
    WHERE trace_key = ANY(:keys) AND name = :kind AND count > 0
""")


async def samples_of_kind(session: AsyncSession, keys: Sequence[int], kind: str) -> dict[int, int]:
    """By trace, how many samples of the kind it has; those without any are left out."""
    rows = await session.execute(_COUNTS, {"keys": list(keys), "kind": kind})
    return {row.trace_key: row.samples for row in rows}


async def traces_having(session: AsyncSession, keys: Sequence[int], kind: str) -> frozenset[int]:
    """Those that have samples of the kind."""
    return frozenset(await samples_of_kind(session, keys, kind))


@dataclass(frozen=True)
class Interference:
    """What one cause took of one CPU in one trace."""

    trace_key: int
    cpu: int
    cause: str
    name: str | None
    count: int
    total_ns: int
    max_ns: int


_INTERFERENCE = text("""
    SELECT taken.trace_key, taken.cpu, slice_kind.name AS cause, coalesce(task.comm, symbol.name) AS name,
           sum(taken.count)::bigint AS count, sum(taken.total_ns)::bigint AS total_ns,
           max(taken.max_ns) AS max_ns
    FROM interference AS taken
    JOIN slice_kind ON slice_kind.kind = taken.cause
    LEFT JOIN task ON task.trace_key = taken.trace_key AND task.idx = taken.task
    LEFT JOIN symbol ON symbol.trace_key = taken.trace_key AND symbol.idx = taken.symbol
    WHERE taken.trace_key = ANY(:keys)
      -- What a task did not get is counted a second time, by what took it.
      AND (slice_kind.name <> 'sched' OR taken.victim IS NULL)
      AND (CAST(:cpu AS smallint) IS NULL OR taken.cpu = CAST(:cpu AS smallint))
    GROUP BY taken.trace_key, taken.cpu, slice_kind.name, coalesce(task.comm, symbol.name)
""")


async def interference_of(session: AsyncSession, keys: Sequence[int], cpu: int | None) -> list[Interference]:
    """What took the CPUs of these traces, or one CPU of each."""
    rows = await session.execute(_INTERFERENCE, {"keys": list(keys), "cpu": cpu})
    return [Interference(**row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's public name)
