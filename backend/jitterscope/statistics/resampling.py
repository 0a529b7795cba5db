"""How far a statistic of traces can be trusted, by drawing the same traces again.

Traces are drawn, not samples: samples of one run have its load, its temperature and its placement in common,
and an interval that took them for independent would be too narrow. The seed is fixed, so that the same traces
always give the same answer.

With fewer than five traces, blocks of time of each are drawn instead (`time_blocks`): how far a number can be
trusted for these runs. They do not say what another run would have measured, so no difference is real by
them.

Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 (percentile intervals)
and 15 (permutation tests).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jitterscope.statistics.histogram import Histogram, Ints, on_one_axis
from jitterscope.statistics.time_blocks import MIN_RUN, Blocks

_SEED = 20_250_101
_DRAWS = 1000
# With fewer traces the same few are drawn again and again, and an interval says nothing.
MIN_TRACES = 5
# Where all ways to deal the traces to two sides are no more than this, each is tried.
_MAX_DEALS = 1000
_LEVEL = 0.05
# Runs too short to be cut into blocks that can be tested may hold one in this many samples of a variant.
_MIN_PER_SHORT = 10
# Student's t at 97.5 % is 1 + this / freedom times that of the normal distribution, within 1 % from 15 on.
_T_EXCESS = 1.21

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    low: int
    high: int

    @property
    def holds_zero(self) -> bool:
        """True where, for all that is known, there is no difference."""
        return self.low <= 0 <= self.high


class Difference(NamedTuple):
    """`interval` is of after - before; `is_real` is None where there are too few traces or samples."""

    interval: Interval | None
    is_real: bool | None
    p_value: float | None


class Units(NamedTuple):
    """What is drawn: traces, or blocks of time, `sizes[n]` of trace n.

    Blocks are drawn within their trace, so that each keeps its weight: `drawn[n]` of them, each for as much
    of the trace.
    """

    histograms: Sequence[Histogram]
    sizes: Sequence[int]
    drawn: Sequence[int]
    are_blocks: bool

    @classmethod
    def of(cls, traces: Sequence[Histogram], blocks: Sequence[Blocks] = ()) -> Units | None:
        """Traces where they are enough, else their blocks; None without any, and where most are short."""
        if len(traces) >= MIN_TRACES:
            return cls(traces, [len(traces)], [len(traces)], are_blocks=False)
        if not traces or len(blocks) < len(traces):
            return None
        short = sum(one.count for one in traces if one.count < MIN_RUN)
        if short * _MIN_PER_SHORT > sum(one.count for one in traces):
            return None
        every = [one for parts in blocks for one in parts.histograms]
        sizes = [len(parts.histograms) for parts in blocks]
        return cls(every, sizes, [parts.drawn for parts in blocks], are_blocks=True)

    def weights(self, salt: int) -> Floats:
        """How often each is drawn, one row for each draw; each once in the first row."""
        drawn = np.concatenate(
            [
                _weights(size, salt + 2 * at, drawn)
                for at, (size, drawn) in enumerate(zip(self.sizes, self.drawn, strict=True))
            ],
            axis=1,
        )
        return np.concatenate([np.ones((1, len(self.histograms))), drawn])

    def interval(self, drawn: Floats, *others: Units) -> Interval:
        """Of a number of these and `others`, which is the first of `drawn` as it is.

        Few blocks vary less than many would: by n - 1 of n, and as a normal distribution does than Student's.
        """
        interval = _interval(drawn[1:])
        freedoms = [sum(one.sizes) - len(one.sizes) for one in (self, *others) if one.are_blocks]
        if not freedoms:
            return interval
        freedom = min(freedoms)
        wider = (1 + _T_EXCESS / freedom) * math.sqrt((freedom + 1) / freedom)
        value = float(drawn[0])
        return Interval(
            round(value - wider * max(value - interval.low, 0)),
            round(value + wider * max(interval.high - value, 0)),
        )

    def totals(self) -> list[tuple[int, int]]:
        return [(one.count, int(one.values @ one.counts)) for one in self.histograms]


def quantile_intervals(units: Units, shares: Sequence[Fraction]) -> list[Interval | None]:
    """The 95 % interval of each quantile of all samples together; None with too few samples."""
    axis, sums = _sums_on_one_axis(units.histograms)
    weights = units.weights(0)
    count = int(sums[:, -1].sum())
    return [
        units.interval(_Quantile(axis, sums, share).of(weights)) if has_enough(count, share) else None
        for share in shares
    ]


def differing_quantiles(sides: tuple[Units, Units], shares: Sequence[Fraction]) -> list[Interval | None]:
    """The 95 % interval of each quantile of the second side less the first's; None with too few samples."""
    before = len(sides[0].histograms)
    axis, sums = _sums_on_one_axis([*sides[0].histograms, *sides[1].histograms])
    parts = sums[:before], sums[before:]
    weights = sides[0].weights(0), sides[1].weights(1)
    found: list[Interval | None] = []
    for share in shares:
        if not all(has_enough(int(part[:, -1].sum()), share) for part in parts):
            found.append(None)
            continue
        drawn = [_Quantile(axis, part, share).of(of) for part, of in zip(parts, weights, strict=True)]
        found.append(sides[0].interval(drawn[1] - drawn[0], sides[1]))
    return found


def differing_means(
    totals: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]], sides: tuple[Units, Units]
) -> Interval:
    """The 95 % interval of the mean of the second side less the first's, from (count, sum) of each unit."""
    drawn = [
        _means(side.weights(at), part) for at, (side, part) in enumerate(zip(sides, totals, strict=True))
    ]
    return sides[0].interval(drawn[1] - drawn[0], sides[1])


def _means(weights: Floats, totals: Sequence[tuple[int, int]]) -> Floats:
    counts, sums = np.asarray(totals, np.float64).T
    return np.asarray((weights @ sums) / (weights @ counts))


def has_enough(count: int, share: Fraction) -> bool:
    """At least ten samples lie past the quantile."""
    return count * (1 - share) >= 10


def mean_interval(totals: Sequence[tuple[int, int]], units: Units) -> Interval:
    """The 95 % interval of the mean of all samples together, from (count, sum) of each unit."""
    return units.interval(_means(units.weights(0), totals))


def compare_quantiles(
    sides: tuple[Sequence[Histogram], Sequence[Histogram]], shares: Sequence[Fraction]
) -> list[Difference]:
    """How sure each quantile of the second side differs from that of the first."""
    before, after = len(sides[0]), len(sides[1])
    axis, sums = _sums_on_one_axis([*sides[0], *sides[1]])
    drawn = _side(_weights(before), before=0, after=after), _side(_weights(after, salt=1), before, after=0)
    deals = _deals(before, after)
    found = []
    for share in shares:
        if not all(has_enough(int(side.sum()), share) for side in (sums[:before, -1], sums[before:, -1])):
            found.append(Difference(None, None, None))
            continue
        quantile = _Quantile(axis, sums, share)
        dealt = None if deals is None else quantile.of(1 - deals) - quantile.of(deals)
        found.append(_difference(quantile.of(drawn[1]) - quantile.of(drawn[0]), dealt, min(before, after)))
    return found


def _sums_on_one_axis(histograms: Sequence[Histogram]) -> tuple[Ints, Floats]:
    """The axis, and for each histogram the sums of its counts up to each value of the axis."""
    axis, rows = on_one_axis(histograms)
    return axis, np.cumsum(rows, axis=1)


def _side(weights: Floats, before: int, after: int) -> Floats:
    """Weights of one side with none for the traces of the other."""
    return np.pad(weights, ((0, 0), (before, after)))


def compare_means(
    sides: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]],
) -> Difference:
    """How sure the mean of the second side differs from the first's, from (count, sum) of each trace."""
    before, after = len(sides[0]), len(sides[1])
    totals = np.asarray([*sides[0], *sides[1]], np.float64)

    def means(weights: Floats, of: Floats) -> Floats:
        counts, sums = (weights @ of).T
        return np.asarray(sums / counts)

    drawn = means(_weights(after, salt=1), totals[before:]) - means(_weights(before), totals[:before])
    deals = _deals(before, after)
    dealt = None if deals is None else means(1 - deals, totals) - means(deals, totals)
    return _difference(drawn, dealt, min(before, after))


def _difference(drawn: Floats, dealt: Floats | None, traces: int) -> Difference:
    """Real where the interval does not reach zero, and dealing the traces anew seldom makes as much.

    The first row of `dealt` is the traces as they are.
    """
    interval = _interval(drawn) if traces >= MIN_TRACES else None
    if dealt is None or interval is None:
        return Difference(interval, None, None)
    p_value = float(np.mean(np.abs(dealt) >= abs(dealt[0])))
    return Difference(interval, not interval.holds_zero and p_value <= _LEVEL, p_value)


@functools.lru_cache(maxsize=16)
def _weights(traces: int, salt: int = 0, drawn: int | None = None) -> Floats:
    """How often each trace is drawn, one row for each draw. Not to be changed: it is kept.

    Where fewer are `drawn` than there are, each that is drawn counts for more.
    """
    count = drawn or traces
    generator = np.random.default_rng([_SEED, traces, salt])
    even = np.full(traces, 1 / traces)
    drawings = generator.multinomial(count, even, size=_DRAWS).astype(np.float64)
    return drawings * np.float64(traces / count)


@functools.lru_cache(maxsize=2)
def _deals(before: int, after: int) -> Floats | None:
    """For each way to deal the traces, 1 where one is on the first side. The first row is as they are.

    Not to be changed: a comparison asks for the same deals of a hundred causes, so they are kept.
    """
    both = before + after
    deals = math.comb(both, before)
    if deals * _LEVEL < 2:
        return None
    as_is = np.concatenate([np.ones(before), np.zeros(after)])
    if deals <= _MAX_DEALS:
        rows = np.zeros((deals, both))
        for row, chosen in zip(rows, itertools.combinations(range(both), before), strict=True):
            row[list(chosen)] = 1
        return rows
    generator = np.random.default_rng([_SEED, before, after])
    others = [generator.permutation(as_is) for _ in range(_MAX_DEALS - 1)]
    return np.asarray([as_is, *others])


class _Quantile:
    """One quantile of traces taken together, however often each is taken.

    It lies between the smallest and the largest of the traces' own: only the columns between are added up.
    `sums` are those of the counts of each row up to each column.
    """

    def __init__(self, axis: Ints, sums: Floats, share: Fraction) -> None:
        self._share = float(share)
        self._totals = sums[:, -1]
        own = (sums < self._ranks(self._totals)[:, None]).sum(axis=1)
        first, last = int(own.min()), int(own.max())
        self._axis = axis[first : last + 1]
        self._below = sums[:, first - 1] if first else np.zeros(len(sums))
        self._sums = sums[:, first : last + 1]

    def of(self, weights: Floats) -> Floats:
        """The quantile for each row of weights, which say how often each trace is taken."""
        ranks = self._ranks(weights @ self._totals)[:, None]
        is_whole = bool((weights == np.floor(weights)).all())
        at = self._in_steps(weights, ranks) if is_whole else self._in_order(weights, ranks)
        found: Floats = self._axis[np.minimum(at, len(self._axis) - 1)].astype(np.float64)
        return found

    def _in_steps(self, weights: Floats, ranks: Floats) -> NDArray[np.intp]:
        """The columns of the ranks: near which the draws lie, and of these columns, which.

        Sums of whole numbers are exact, so that it does not matter in which order they are added.
        """
        step = math.isqrt(len(self._axis)) + 1
        # Without the copy, numpy would multiply without BLAS.
        steps = np.ascontiguousarray(self._sums[:, step - 1 :: step])
        below = (weights @ steps < ranks).sum(axis=1)
        first, last = int(below.min()) * step, (int(below.max()) + 1) * step
        return first + np.asarray((weights @ self._sums[:, first:last] < ranks).sum(axis=1))

    def _in_order(self, weights: Floats, ranks: Floats) -> NDArray[np.intp]:
        """The same where blocks count for parts of samples: how exact their sums are depends on the order."""
        rows = np.diff(self._sums, axis=1, prepend=self._below[:, None])
        sums = np.cumsum(weights @ rows, axis=1) + (weights @ self._below)[:, None]
        return np.asarray((sums < ranks).sum(axis=1))

    def _ranks(self, totals: Floats) -> Floats:
        # Counts are whole; a product that is a hair above a whole number is that number.
        ranks: Floats = np.ceil(totals * self._share - 1e-6)
        return ranks


def _interval(drawn: Floats) -> Interval:
    low, high = np.quantile(drawn, [_LEVEL / 2, 1 - _LEVEL / 2], method="inverted_cdf")
    return Interval(round(float(low)), round(float(high)))
