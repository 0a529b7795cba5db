"""The traces of a variant, with what was summed up of each when it was loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.explore.compare.clocks import NANOSECONDS, Scale
from jitterscope.explore.compare.request import CompareRequest, Variant
from jitterscope.problems import InvalidParameter, NotFound
from jitterscope.statistics.histogram import Histogram
from jitterscope.statistics.time_blocks import Blocks
from jitterscope.store.models import Label, Trace, TraceStatus
from jitterscope.store.summaries import Summary, latency_summaries, traces_without_summary

# Traces of all variants of one request.
MAX_TRACES = 2_000


@dataclass(frozen=True)
class Member:
    """A trace that has samples."""

    trace: Trace
    summary: Summary
    histogram: Histogram

    @classmethod
    def of(cls, trace: Trace, summary: Summary) -> Member:
        """A trace with what it has of one kind or group."""
        histogram = Histogram.of(summary.values_ns, summary.value_counts, is_exact=summary.is_exact)
        return cls(trace, summary, histogram)


@dataclass(frozen=True)
class Members:
    """`traces` are all that were selected: some are `unready`; those with keys in `unsummed` lack sums.

    `blocks` are those of time of each member, where there are too few to be drawn themselves. The clocks of
    all members count what `scale` says; `unlike` have samples, too, and clocks that count something else.
    """

    variant: Variant
    traces: Sequence[Trace]
    members: Sequence[Member]
    unready: int
    unsummed: frozenset[int]
    blocks: Sequence[Blocks] = ()
    scale: Scale = NANOSECONDS
    unlike: Sequence[Trace] = ()


async def find_members(session: AsyncSession, request: CompareRequest) -> list[Members]:
    """The variants in their order, from sums alone.

    Raises: NotFound for an id that is none; InvalidParameter for too many traces, and for a filter that no
    summary has.
    """
    group = request.group()
    if group is None:
        message = (
            "only one of cpu, comm, source and field can be given, and no priority_class: sums are kept by "
            "one at a time"
        )
        raise InvalidParameter("where", message, location="body")
    group_by, group_name = group
    found = []
    for variant, traces in await known_variants(session, request.variants):
        ready = ready_of(traces)
        kind = request.measure.kind
        summaries = await latency_summaries(session, list(ready), kind, group_by, group_name)
        unsummed = await traces_without_summary(session, list(ready), kind)
        members = [Member.of(trace, summaries[key]) for key, trace in ready.items() if key in summaries]
        found.append(Members(variant, traces, members, len(traces) - len(ready), frozenset(unsummed)))
    return of_one_clock(found)


def of_one_clock(found: Sequence[Members]) -> list[Members]:
    """The same with those members alone whose durations can be compared."""
    scale = Scale.of([one.trace for members in found for one in members.members])
    return [
        replace(
            members,
            members=[one for one in members.members if scale.holds(one.trace)],
            scale=scale,
            unlike=[one.trace for one in members.members if not scale.holds(one.trace)],
        )
        for members in found
    ]


async def known_variants(
    session: AsyncSession, variants: Sequence[Variant]
) -> list[tuple[Variant, list[Trace]]]:
    """Each variant with its traces.

    Raises: NotFound for an id that is none; InvalidParameter for too many traces.
    """
    selected = list(zip(variants, await select_variants(session, variants), strict=True))
    for variant, traces in selected:
        missing = missing_ids(variant, traces)
        if missing:
            raise NotFound(f"There is no trace {missing[0]!r}.")
    return selected


def ready_of(traces: Sequence[Trace]) -> dict[int, Trace]:
    """Those that are loaded, by key."""
    return {trace.key: trace for trace in traces if trace.status == TraceStatus.READY}


async def select_variants(session: AsyncSession, variants: Sequence[Variant]) -> list[list[Trace]]:
    """The traces of each variant that are there, the first uploaded first.

    Raises: InvalidParameter for too many traces.
    """
    found = []
    left = MAX_TRACES
    for number, variant in enumerate(variants):
        traces = await _traces(session, variant, left)
        if len(traces) > left:
            message = f"the variants have more than {MAX_TRACES} traces; select fewer with labels"
            raise InvalidParameter(f"variants.{number}", message, location="body")
        left -= len(traces)
        found.append(traces)
    return found


def missing_ids(variant: Variant, found: Sequence[Trace]) -> list[str]:
    """Those that the variant lists and no trace has, in order."""
    return sorted(set(variant.traces) - {trace.id for trace in found})


async def _traces(session: AsyncSession, variant: Variant, limit: int) -> list[Trace]:
    statement = select(Trace).order_by(Trace.created_at, Trace.id).limit(limit + 1)
    if variant.traces:
        return list(await session.scalars(statement.where(Trace.id.in_(variant.traces))))
    for name, value in variant.labels:
        label = exists().where(Label.trace_key == Trace.key, Label.name == name, Label.value == value)
        statement = statement.where(label)
    return list(await session.scalars(statement))


def unit_of(found: Sequence[Members]) -> str:
    """Counts of FTQ are bare numbers; all other summaries are of times, as the clocks count them."""
    formats = {member.trace.format for members in found for member in members.members}
    return "none" if formats == {"ftq_counts"} else found[0].scale.unit
