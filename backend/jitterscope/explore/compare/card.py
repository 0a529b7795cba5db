"""The numbers of one variant, and how they differ from those of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from jitterscope.explore.compare.members import Member, Members
from jitterscope.statistics.histogram import merge
from jitterscope.statistics.resampling import (
    MIN_TRACES,
    Difference,
    Interval,
    Units,
    compare_means,
    compare_quantiles,
    differing_means,
    differing_quantiles,
    mean_interval,
    quantile_intervals,
)

QUANTILES: dict[str, Fraction] = {
    "p50_ns": Fraction(1, 2),
    "p90_ns": Fraction(9, 10),
    "p99_ns": Fraction(99, 100),
    "p99_9_ns": Fraction(999, 1000),
    "p99_99_ns": Fraction(9_999, 10_000),
}


@dataclass(frozen=True)
class Card:
    """`numbers` holds min, mean, stdev, quantiles and max; the stdev of a single sample is None.

    `drawn` says what intervals were drawn from; None where there are none.
    """

    samples: int
    numbers: dict[str, int | None]
    intervals: dict[str, Interval | None]
    is_exact: bool
    longest: Member | None
    drawn: Literal["traces", "blocks"] | None = None


def card_of(members: Members) -> Card:
    """The numbers of all samples of all traces together."""
    if not members.members:
        return Card(0, {}, {}, is_exact=True, longest=None)
    card = numbers_of(members.members)
    units = _units(members)
    if units is None:
        return card
    card.intervals.update(zip(QUANTILES, quantile_intervals(units, list(QUANTILES.values())), strict=True))
    card.intervals["mean_ns"] = mean_interval(_totals(members, units), units)
    return replace(card, drawn="traces" if len(members.members) >= MIN_TRACES else "blocks")


def numbers_of(members: Sequence[Member]) -> Card:
    """The numbers of all samples of at least one trace, without intervals."""
    summaries = [member.summary for member in members]
    merged = merge([member.histogram for member in members])
    count, total = sum(one.count for one in summaries), sum(one.total_ns for one in summaries)
    longest = min(members, key=lambda one: (-one.summary.max_ns, one.trace.created_at, one.trace.id))
    squares = [one.squares for one in summaries]
    known = [square for square in squares if square is not None]
    numbers: dict[str, int | None] = {
        "min_ns": min(one.min_ns for one in summaries),
        "mean_ns": rounded(Fraction(total, count)),
        "stdev_ns": stdev_of(count, total, sum(known)) if len(known) == len(squares) else None,
        "max_ns": longest.summary.max_ns,
    }
    numbers |= {name: merged.quantile(share) for name, share in QUANTILES.items()}
    return Card(count, numbers, {}, merged.is_exact, longest)


def differences(before: Members, after: Members) -> dict[str, Difference]:
    """By number of the card, how sure the second variant differs from the first."""
    if not before.members or not after.members:
        return {}
    if min(len(before.members), len(after.members)) < MIN_TRACES:
        return _within_runs(before, after)
    sides = [one.histogram for one in before.members], [one.histogram for one in after.members]
    found = dict(zip(QUANTILES, compare_quantiles(sides, list(QUANTILES.values())), strict=True))
    return {"mean_ns": compare_means((_totals(before), _totals(after)))} | found


def _within_runs(before: Members, after: Members) -> dict[str, Difference]:
    """Intervals of these runs. There are too few to say whether others would differ."""
    sides = _units(before), _units(after)
    if sides[0] is None or sides[1] is None:
        return {}
    both = sides[0], sides[1]
    found = dict(zip(QUANTILES, differing_quantiles(both, list(QUANTILES.values())), strict=True))
    mean = differing_means((_totals(before, both[0]), _totals(after, both[1])), both)
    return {name: Difference(interval, None, None) for name, interval in ({"mean_ns": mean} | found).items()}


def _units(members: Members) -> Units | None:
    return Units.of([one.histogram for one in members.members], members.blocks)


def _totals(members: Members, units: Units | None = None) -> Sequence[tuple[int, int]]:
    if units is not None and len(members.members) < MIN_TRACES:
        return units.totals()
    return [(one.summary.count, one.summary.total_ns) for one in members.members]


def stdev_of(count: int, total: int, squares: int) -> int | None:
    """Of the sample (n - 1), rounded; exact, as all are integers."""
    if count < 2:
        return None
    variance = Fraction(count * squares - total * total, count * (count - 1))
    # The root of four times the variance, which shows on which side of a half the rest lies.
    doubled = math.isqrt(4 * variance.numerator // variance.denominator)
    return (doubled + 1) // 2


def rounded(value: Fraction) -> int:
    """The nearest whole number; halves are rounded up."""
    return math.floor(value + Fraction(1, 2))
