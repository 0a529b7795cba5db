"""The numbers of one variant, and how they differ from those of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from jitterscope.explore.compare.members import Member, Members
from jitterscope.statistics.histogram import merge
from jitterscope.statistics.resampling import (
    Difference,
    Interval,
    compare_means,
    compare_quantiles,
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
    """`numbers` holds min, mean, stdev, quantiles and max; the stdev of a single sample is None."""

    samples: int
    numbers: dict[str, int | None]
    intervals: dict[str, Interval | None]
    is_exact: bool
    longest: Member | None


def card_of(members: Members) -> Card:
    """The numbers of all samples of all traces together."""
    if not members.members:
        return Card(0, {}, {}, is_exact=True, longest=None)
    card = numbers_of(members.members)
    histograms = [member.histogram for member in members.members]
    card.intervals.update(
        zip(QUANTILES, quantile_intervals(histograms, list(QUANTILES.values())), strict=True)
    )
    card.intervals["mean_ns"] = mean_interval(_totals(members))
    return card


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
    sides = [one.histogram for one in before.members], [one.histogram for one in after.members]
    found = dict(zip(QUANTILES, compare_quantiles(sides, list(QUANTILES.values())), strict=True))
    return {"mean_ns": compare_means((_totals(before), _totals(after)))} | found


def _totals(members: Members) -> Sequence[tuple[int, int]]:
    return [(one.summary.count, one.summary.total_ns) for one in members.members]


def stdev_of(count: int, total: int, squares: int) -> int | None:
    """Of the sample (n - 1), rounded; exact, as all are integers."""
    if count < 2:
        return None
    variance = Fraction(count * squares - total * total, count * (count - 1))
    # The root of four times the variance, which tells on which side of a half the rest lies.
    doubled = math.isqrt(4 * variance.numerator // variance.denominator)
    return (doubled + 1) // 2


def rounded(value: Fraction) -> int:
    """The nearest whole number; halves are rounded up."""
    return math.floor(value + Fraction(1, 2))
