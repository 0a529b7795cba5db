"""Traces that one trace can be compared with: alike but for one thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.like_traces import SAME_CLOCK
from jitterscope.store.runs import WITH

# Traces that are looked at: the last opened, those with the most labels in common, the newest.
_CANDIDATES = 500

Likeness = Literal["label", "tracer", "opened"]

_QUERY = text(
    """
WITH own AS (SELECT key, tracer, format, time_unit, clock FROM trace WHERE id = :trace_id), candidate AS (
    SELECT trace.key, trace.id, trace.name, trace.created_at,
        (trace.tracer, trace.format) IS NOT DISTINCT FROM (own.tracer, own.format) AS has_tracer,
        array_position(CAST(:recent AS text[]), trace.id) AS place,
        (SELECT count(*) FROM label AS theirs JOIN label AS mine USING (name, value)
         WHERE theirs.trace_key = trace.key AND mine.trace_key = own.key) AS shared_count
    FROM trace, own
    WHERE status = 'ready' AND id <> :trace_id AND {same_clock} AND EXISTS (
        SELECT FROM latency_kind AS theirs JOIN latency_kind AS mine USING (name)
        WHERE theirs.trace_key = trace.key AND mine.trace_key = own.key
          AND theirs.count > 0 AND mine.count > 0)
    ORDER BY place NULLS LAST, shared_count DESC, created_at DESC, id
    LIMIT :candidates
)
SELECT id, name, has_tracer, place, coalesce((
    SELECT json_object_agg(label.name, value ORDER BY label.name)
    FROM label WHERE trace_key = key AND label.name <> :tie
), '{}') AS labels
FROM candidate ORDER BY place NULLS LAST, shared_count DESC, created_at DESC, id
""".replace("{same_clock}", SAME_CLOCK)
)
_OWN = text("""
SELECT name, coalesce((
    SELECT json_object_agg(label.name, value) FROM label WHERE trace_key = key AND label.name <> :tie
), '{}') AS labels
FROM trace WHERE id = :trace_id
""")
_WORD_ENDS = re.compile(r"[-_.\s]+")


@dataclass(frozen=True)
class Comparable:
    """`label` is the one that differs, where all others are the same."""

    id: str
    name: str
    labels: Mapping[str, str]
    likeness: Likeness
    label: str | None


async def comparable_traces(
    session: AsyncSession, trace_id: str, recent: Sequence[str], limit: int
) -> tuple[Mapping[str, str], list[Comparable]]:
    """The labels of a trace but for its tie to the file of its run, and others with latencies of the same
    kinds.

    First those whose labels differ in one value, then those that were opened last, then those that the same
    tracer wrote in the same form; of these, the ones with the most words of their name in common.
    """
    name, own = (await session.execute(_OWN, {"trace_id": trace_id, "tie": WITH})).one()
    words = set(_WORD_ENDS.split(name))
    params = {"trace_id": trace_id, "recent": list(recent), "candidates": _CANDIDATES, "tie": WITH}
    found = [
        Comparable(row.id, row.name, row.labels, likeness, label)
        for row in await session.execute(_QUERY, params)
        for likeness, label in [_likeness(own, row.labels, row.place is not None, row.has_tracer)]
        if likeness is not None
    ]
    # Sorting keeps the order of the query among equals.
    found.sort(
        key=lambda one: (
            ("label", "opened", "tracer").index(one.likeness),
            0 if one.likeness == "opened" else -len(words.intersection(_WORD_ENDS.split(one.name))),
        )
    )
    return own, found[:limit]


def _likeness(
    own: Mapping[str, str], theirs: Mapping[str, str], was_opened: bool, has_tracer: bool
) -> tuple[Likeness | None, str | None]:
    differing = [name for name in own if theirs.get(name) != own[name]]
    if own.keys() == theirs.keys() and len(differing) == 1:
        return "label", differing[0]
    if was_opened:
        return "opened", None
    return ("tracer", None) if has_tracer else (None, None)
