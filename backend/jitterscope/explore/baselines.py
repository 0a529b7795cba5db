"""The limit that a baseline sets to one number of a trace.

A limit is the baseline's own number, times a factor if wanted. Or it is statistical: a run like those of the
baseline is as likely to have the largest number as any other of them. So among n runs of the baseline and the
one that is checked, one in twenty exceeds the k-th largest of the baseline's, k = (n + 1) / 20. This assumes
nothing about how the numbers are distributed, and takes nineteen runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.explore.compare.card import QUANTILES, numbers_of
from jitterscope.explore.compare.clocks import Scale
from jitterscope.explore.compare.guard import FACTS
from jitterscope.explore.compare.members import (
    Member,
    Members,
    missing_ids,
    select_variants,
    unit_of,
)
from jitterscope.explore.compare.read_members import read_members
from jitterscope.explore.compare.request import CompareRequest, Variant
from jitterscope.explore.compare.words import amount
from jitterscope.statistics.resampling import has_enough
from jitterscope.store.baselines import traces_with_doubt
from jitterscope.store.database import Database
from jitterscope.store.models import Trace
from jitterscope.store.traces import find_by_id

_LEVEL = Fraction(1, 20)
MIN_RUNS = 19
# A kernel or a command line may differ: that is what is checked. Numbers that were recorded in another way
# cannot be compared.
_RECORDED_ALIKE = ("tracer", "trace clock", "format", "number of CPUs")
_EXTREMES = {"min_ns", "max_ns"}
_DOUBTS_OF_ALL = ("lost_events", "not_listed")


@dataclass(frozen=True)
class Wanted:
    """`stat` is a number of the card such as `p99_ns`. `factor` is None for a statistical limit."""

    stat: str
    is_upper: bool
    is_strict: bool
    factor: Fraction | None
    min_count: int
    min_traces: int


@dataclass(frozen=True)
class Limit:
    """What the number has to keep to, of whole nanoseconds, and from what it was made."""

    limit_ns: int
    value_ns: int
    traces: int
    unit: str

    def text(self, value_ns: int) -> str:
        """A number as reasons say it."""
        return amount(value_ns, self.unit)


class Undecidable(Exception):
    """Why a baseline sets no limit."""


async def find_limit(database: Database, trace_id: str, request: CompareRequest, wanted: Wanted) -> Limit:
    """The limit for a trace, from the only variant of the request without that trace.

    Raises: Undecidable, NotFound, TraceNotReady, InvalidParameter.
    """
    async with database.session() as session:
        trace = await find_by_id(session, trace_id)
        others = await _without(session, request, trace)
    [members] = await read_members(database, others)
    _check_members(members, trace, wanted)
    reasons = ("lost_events",) if wanted.stat in _EXTREMES else _DOUBTS_OF_ALL
    keys = [member.trace.key for member in members.members]
    async with database.session() as session:
        doubtful = await traces_with_doubt(session, keys, request.measure.kind, reasons)
    if doubtful:
        raise Undecidable(f"{_of(len(doubtful), members)} lost events, or did not list all values")
    return _limit(members, wanted)


async def _without(session: AsyncSession, request: CompareRequest, trace: Trace) -> CompareRequest:
    """The same of the baseline without the trace that is checked, which is not compared with itself."""
    [variant] = request.variants
    [traces] = await select_variants(session, request.variants)
    missing = missing_ids(variant, traces)
    if missing:
        raise Undecidable(f"{len(missing):,} of its traces were deleted, such as {missing[0]}")
    others = [one.id for one in traces if one.key != trace.key]
    if not others:
        raise Undecidable("it has no traces" if not traces else "it has no other trace than this one")
    return replace(request, variants=[Variant(variant.name, others)])


def _check_members(members: Members, trace: Trace, wanted: Wanted) -> None:
    found, samples = len(members.members), sum(one.summary.count for one in members.members)
    if members.unready or members.unsummed:
        missing = members.unready + len(members.unsummed)
        raise Undecidable(f"{_of(missing, members)} are not loaded by this version, or could not be")
    if not found:
        raise Undecidable("none of its traces has such samples")
    if found < wanted.min_traces:
        raise Undecidable(
            f"{found:,} of its traces have such samples, and at least {wanted.min_traces:,} must"
        )
    if samples < wanted.min_count:
        raise Undecidable(f"it has {samples:,} such samples, fewer than the {wanted.min_count:,} required")
    unlike = [*members.unlike] if members.scale.holds(trace) else [one.trace for one in members.members]
    if unlike:
        scale, own = Scale.of(unlike), Scale.of([trace])
        raise Undecidable(f"{_of(len(unlike), members)} count {scale}, and the one that is checked {own}")
    for what in _RECORDED_ALIKE:
        fact = FACTS[what]
        others = {value for one in members.members if (value := fact(one.trace)) != fact(trace)}
        if others:
            shown = ", ".join(sorted("not stated" if one is None else str(one) for one in others)[:3])
            here = "not stated" if fact(trace) is None else fact(trace)
            raise Undecidable(f"its {what} is another one: {shown}; here it is {here}")


def _limit(found: Members, wanted: Wanted) -> Limit:
    members, unit = found.members, unit_of([found])
    card = numbers_of(members)
    value = card.numbers[wanted.stat]
    share = QUANTILES.get(wanted.stat)
    groups = [card.samples] if wanted.factor is not None else [one.summary.count for one in members]
    if value is None or (share is not None and not all(has_enough(count, share) for count in groups)):
        raise Undecidable("too few of its samples lie past this quantile: it takes ten")
    if wanted.factor is not None:
        exact = value * wanted.factor
        # A number is whole: `x <= 10.5` is `x <= 10`, and `x < 10.5` is `x < 11`.
        down = wanted.is_upper != wanted.is_strict
        limit = math.floor(exact) if down else math.ceil(exact)
        return Limit(limit, value, len(members), unit)
    if len(members) < MIN_RUNS:
        raise Undecidable(f"it has {len(members)} runs, and 95 % take {MIN_RUNS}")
    rank = math.floor(_LEVEL * (len(members) + 1))
    own = sorted((_own(member, wanted) for member in members), reverse=wanted.is_upper)
    return Limit(own[rank - 1], value, len(members), unit)


def _own(member: Member, wanted: Wanted) -> int:
    value = numbers_of([member]).numbers[wanted.stat] or 0
    if member.histogram.is_exact or wanted.stat in _EXTREMES:
        return value
    # Known within a 512th: rounding alone breaks no limit.
    return value + value // 512 if wanted.is_upper else value - value // 512


def _of(count: int, members: Members) -> str:
    return f"{count:,} of its {len(members.traces):,} traces"
