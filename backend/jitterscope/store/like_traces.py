"""Traces that have calls of one function, or latencies of one kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# Of the clocks of `trace` and `own`: durations of unlike ones cannot be compared. A file that does not name
# its clock may have that of the other.
SAME_CLOCK = """
trace.time_unit = own.time_unit
    AND (trace.time_unit = 'ns' OR coalesce(trace.clock = own.clock, TRUE))
""".strip()

# Traces that are looked into; those that sort first.
_CANDIDATES = 500

# `recent` in its order, then by the labels in common, then the newest.
_NEAREST = """
WITH own AS (SELECT key, time_unit, clock FROM trace WHERE id = :trace_id), candidate AS (
    SELECT trace.*, array_position(CAST(:recent AS text[]), trace.id) AS place,
        coalesce(shared.names, '{}') AS shared
    FROM own, trace, LATERAL (
        SELECT array_agg(theirs.name ORDER BY theirs.name) AS names
        FROM label AS theirs
        JOIN label AS mine USING (name, value)
        WHERE theirs.trace_key = trace.key AND mine.trace_key = own.key
    ) AS shared
    WHERE trace.status = 'ready' AND trace.id <> :trace_id AND {same_clock}
    ORDER BY place NULLS LAST, cardinality(coalesce(shared.names, '{}')) DESC, trace.created_at DESC, trace.id
    LIMIT :candidates
)
SELECT id, name, created_at, shared, found.count, found.median_ns, found.max_ns, coalesce(
    (SELECT json_object_agg(label.name, value ORDER BY label.name) FROM label WHERE trace_key = key), '{}'
) AS labels
FROM candidate, LATERAL ({found}) AS found
ORDER BY place NULLS LAST, cardinality(shared) DESC, created_at DESC, id
LIMIT :limit
"""

# Of the trace itself.
_OWN_COUNT = """
SELECT found.count FROM trace AS candidate, LATERAL ({found}) AS found WHERE id = :trace_id
"""

_OF_FUNCTION = """
    SELECT sum(count)::bigint AS count, max(p50_ns) AS median_ns, max(max_ns) AS max_ns
    FROM symbol JOIN function_stat ON function_stat.trace_key = key AND symbol = idx
    WHERE symbol.trace_key = key AND :function IN (symbol.name, symbol.name || ' [' || module || ']')
    HAVING count(*) > 0
"""

_OF_KIND = """
    SELECT count, NULL::bigint AS median_ns, max_ns
    FROM latency_kind
    WHERE trace_key = key AND latency_kind.name = :kind AND count > 0 AND (
        CAST(:key AS text) IS NULL
        OR EXISTS (SELECT FROM symbol WHERE symbol.trace_key = candidate.key AND symbol.name = :key)
    )
"""


@dataclass(frozen=True)
class LikeTrace:
    """`median_ns` is known only of functions."""

    id: str
    name: str
    created_at: datetime
    shared: Sequence[str]
    count: int
    median_ns: int | None
    max_ns: int
    labels: dict[str, str]


@dataclass(frozen=True)
class LikeTraces:
    """`own_count` is of the trace itself, `others` are the nearest first."""

    own_count: int
    others: list[LikeTrace]


async def traces_with_function(
    session: AsyncSession, trace_id: str, function: str, recent: Sequence[str], limit: int
) -> LikeTraces:
    """Ready traces that have calls of the function, of clocks that count the same."""
    return await _nearest(session, _OF_FUNCTION, trace_id, recent, limit, function=function)


async def traces_with_kind(
    session: AsyncSession, trace_id: str, kind: str, key: str | None, recent: Sequence[str], limit: int
) -> LikeTraces:
    """Ready traces that have cases of the kind, and know the key, of clocks that count the same."""
    return await _nearest(session, _OF_KIND, trace_id, recent, limit, kind=kind, key=key)


async def _nearest(
    session: AsyncSession,
    found: str,
    trace_id: str,
    recent: Sequence[str],
    limit: int,
    **wanted: str | None,
) -> LikeTraces:
    own = text(_OWN_COUNT.replace("{found}", found))
    own_count = await session.scalar(own, {"trace_id": trace_id, **wanted})
    given = {
        "trace_id": trace_id,
        "recent": list(recent),
        "candidates": _CANDIDATES,
        "limit": limit,
        **wanted,
    }
    rows = await session.execute(
        text(_NEAREST.replace("{found}", found).replace("{same_clock}", SAME_CLOCK)), given
    )
    return LikeTraces(own_count or 0, [LikeTrace(**row) for row in rows.mappings()])
