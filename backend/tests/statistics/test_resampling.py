"""A difference is told where there is one, and nowhere else."""

from fractions import Fraction

import numpy as np
import pytest

from jitterscope.statistics.histogram import Histogram, on_one_axis
from jitterscope.statistics.resampling import (
    Units,
    _Quantile,
    compare_means,
    compare_quantiles,
    has_enough,
    mean_interval,
    quantile_intervals,
)
from jitterscope.statistics.time_blocks import Blocks

_SHARES = [Fraction(1, 2), Fraction(99, 100)]


def _traces(chance: np.random.Generator, count: int, slower: float = 1.0) -> list[Histogram]:
    """Runs of 2,000 samples, each with a load of its own; of 2 in 100 samples the slow part takes longer."""
    found = []
    for _ in range(count):
        values = 20_000 * chance.lognormal(0, 0.03) * (1 + chance.gamma(2, 0.05, 2_000))
        values[:40] *= 1.5 * slower
        distinct, counts = np.unique(values.astype(np.int64), return_counts=True)
        found.append(Histogram.of(distinct.tolist(), counts.tolist(), is_exact=True))
    return found


def _totals(traces: list[Histogram]) -> list[tuple[int, int]]:
    return [(one.count, int((one.values * one.counts).sum())) for one in traces]


@pytest.mark.parametrize("traces", [5, 10])
def test_halves_of_one_group_seldom_differ(traces: int) -> None:
    chance = np.random.default_rng(traces)
    rounds, told = 60, np.zeros(3)
    for _ in range(rounds):
        before, after = _traces(chance, traces), _traces(chance, traces)
        quantiles = compare_quantiles((before, after), _SHARES)
        mean = compare_means((_totals(before), _totals(after)))
        told += [bool(one.is_real) for one in (*quantiles, mean)]
    # 5 in 100 by chance. Of 60, more than 8 come of that once in a hundred times.
    assert (told <= 8).all(), told


def test_a_slower_tail_is_found() -> None:
    chance = np.random.default_rng(3)
    rounds, found = 20, 0
    for _ in range(rounds):
        sides = _traces(chance, 20), _traces(chance, 20, slower=1.1)
        _, tail = compare_quantiles(sides, _SHARES)
        found += bool(tail.is_real)
        assert tail.interval is not None
        assert tail.interval.low <= tail.interval.high
        if tail.is_real:
            assert tail.interval.low > 0
    assert found >= 0.9 * rounds


def test_the_same_traces_give_the_same_answer() -> None:
    traces = _traces(np.random.default_rng(5), 8)
    first, again = (Units.of(traces) for _ in range(2))
    assert first is not None
    assert again is not None
    assert quantile_intervals(first, _SHARES) == quantile_intervals(again, _SHARES)
    assert mean_interval(_totals(traces), first) == mean_interval(_totals(traces), again)
    assert compare_quantiles((traces[:4], traces[4:]), _SHARES) == compare_quantiles(
        (traces[:4], traces[4:]), _SHARES
    )


def test_too_few_tell_nothing() -> None:
    few = _traces(np.random.default_rng(1), 4)
    assert Units.of(few) is None
    blocks = Blocks(few, drawn=4)
    assert Units.of(few, [blocks] * 3) is None
    assert Units.of(few, [blocks] * 4) is not None
    assert [one.is_real for one in compare_quantiles((few, few), _SHARES)] == [None, None]
    rare = [Fraction(9_999, 10_000)]
    traces = _traces(np.random.default_rng(1), 5)
    units = Units.of(traces)
    assert units is not None
    assert quantile_intervals(units, rare) == [None]
    assert compare_quantiles((traces, traces), rare)[0].is_real is None
    assert has_enough(1_000, Fraction(99, 100))
    assert not has_enough(999, Fraction(99, 100))


def test_one_trace_that_differs_is_no_difference() -> None:
    chance = np.random.default_rng(9)
    usual = _traces(chance, 10)
    odd = [*_traces(chance, 9), *_traces(chance, 1, slower=40.0)]
    assert compare_means((_totals(usual), _totals(odd))).is_real is False


@pytest.mark.parametrize("share", [*_SHARES, Fraction(9_999, 10_000)])
@pytest.mark.parametrize("largest", [1, 30, 3_000])
@pytest.mark.parametrize("part", [1, 2])
def test_quantiles_of_draws_are_nearest_ranks(part: int, largest: int, share: Fraction) -> None:
    chance = np.random.default_rng(largest)
    traces = [chance.integers(top, top + largest, size=200) for top in (5, 6, 40)]
    histograms = [Histogram(*np.unique(one, return_counts=True), is_exact=True) for one in traces]
    axis, rows = on_one_axis(histograms)
    # At least one trace is in each draw. Blocks of time may count for parts of a sample, here halves.
    drawn = chance.integers(5, size=(60, 3)) + np.eye(3, dtype=np.int64)[chance.integers(3, size=60)]
    found = _Quantile(axis, np.cumsum(rows, axis=1), share).of(drawn / part)
    for times, quantile in zip(drawn.tolist(), found, strict=True):
        values = np.sort(
            np.concatenate([np.repeat(one, time) for one, time in zip(traces, times, strict=True)])
        )
        rank = -(-len(values) * share.numerator // (share.denominator * part)) * part
        assert quantile == values[min(rank, len(values)) - 1]
