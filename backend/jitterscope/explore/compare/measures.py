"""What can be compared of traces, and which traces variants are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope import _ftrace
from jitterscope.explore.compare.measured_class import PROGRAMS, measured_classes
from jitterscope.explore.compare.members import missing_ids, select_variants
from jitterscope.explore.compare.request import Variant
from jitterscope.store.database import Database
from jitterscope.store.models import Label, Trace
from jitterscope.store.summaries import SplitBy, SummedUp, splits_of, summed_up
from jitterscope.store.task_sums import ClassedTask, classed_tasks, sums_by_class

# The worst news comes first, as in the catalog.
Lateness = Literal["measured", "late", "long", "asleep"]
_LATENESS: tuple[Lateness, ...] = get_args(Lateness)
_KINDS = json.loads(_ftrace.catalog())["latencies"]
_LATENESS_OF: dict[str, Lateness] = {kind["kind"]: kind["lateness"] for kind in _KINDS}
# Kinds that need no event of the kernel's: what their keys name is another program's, or another event's.
_KEYED = [kind["kind"] for kind in _KINDS if not kind["needs"]]
# How late tasks were, and the kinds of that which tell who sleeps by the clock.
_LATE_TASKS = [
    kind["kind"] for kind in _KINDS if kind["subject"] == "task" and kind["lateness"] in {"measured", "late"}
]
_MEASURING = frozenset(kind for kind in _LATE_TASKS if _LATENESS_OF[kind] == "measured")

_MOST_TASKS = 200


@dataclass(frozen=True)
class Selected:
    """A trace of a variant."""

    trace: Trace
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Offered:
    """A kind, or one source or field of it. `variants` is how many have samples of it.

    `splits` is what its samples can be split by, beside labels and names of their traces. `measured_class` is
    the class of the tasks that all traces with samples of it measure; None where there is none, or no other.
    """

    kind: str
    key: str | None
    variants: int
    traces: int
    samples: int
    splits: Sequence[SplitBy]
    measured_class: str | None

    @property
    def lateness(self) -> Lateness:
        """What a long sample means, as the catalog has it of the kind."""
        return _LATENESS_OF.get(self.kind, _LATENESS[-1])


@dataclass(frozen=True)
class Measures:
    """`missing` has the ids of each variant that no trace has.

    `offered` begins with what most variants have, and of that with the worst news. `tasks` are those that
    have latencies, by class.
    """

    variants: Sequence[tuple[Variant, Sequence[Selected]]]
    missing: Sequence[Sequence[str]]
    offered: Sequence[Offered]
    tasks: Sequence[ClassedTask]


async def measures(database: Database, variants: Sequence[Variant]) -> Measures:
    """Reads the catalog's rows and what was summed up of each trace.

    Raises: InvalidParameter.
    """
    async with database.session() as session:
        found = await select_variants(session, variants)
        keys = [trace.key for traces in found for trace in traces]
        sums = await summed_up(session, keys, _KEYED)
        splits = await splits_of(session, keys)
        tasks = await classed_tasks(session, keys, _MOST_TASKS)
        classes = measured_classes(await sums_by_class(session, keys, _LATE_TASKS, PROGRAMS), _MEASURING)
        labels = await _labels(session, keys)
    listed = [
        (variant, [Selected(trace, labels.get(trace.key, {})) for trace in traces])
        for variant, traces in zip(variants, found, strict=True)
    ]
    # Of one source, sums are not kept by anything else.
    offered = [
        _offered(one, found, splits.get(one.kind, ()), classes.get(one.kind))
        if one.key is None
        else _offered(one, found, (), None)
        for one in sums
    ]
    offered.sort(key=lambda one: (-one.variants, _rank(one), -one.traces, one.kind, one.key or ""))
    missing = [missing_ids(variant, traces) for variant, traces in zip(variants, found, strict=True)]
    return Measures(listed, missing, offered, tasks)


def _rank(one: Offered) -> tuple[int, bool]:
    # What a program measured itself is what it was run for.
    rank = -1 if one.kind == "measured" else _LATENESS.index(one.lateness)
    return rank, one.key is not None


def _offered(
    one: SummedUp,
    found: Sequence[Sequence[Trace]],
    splits: Sequence[SplitBy],
    measured_class: str | None,
) -> Offered:
    having = set(one.trace_keys)
    variants = sum(any(trace.key in having for trace in traces) for traces in found)
    return Offered(one.kind, one.key, variants, len(having), one.samples, splits, measured_class)


async def _labels(session: AsyncSession, keys: Sequence[int]) -> dict[int, dict[str, str]]:
    rows = await session.scalars(select(Label).where(Label.trace_key.in_(keys)).order_by(Label.name))
    labels: dict[int, dict[str, str]] = {}
    for row in rows:
        labels.setdefault(row.trace_key, {})[row.name] = row.value
    return labels
