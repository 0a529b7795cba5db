"""Intervals of a single run hold what a longer run would have measured, however slowly its load changes."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from jitterscope.statistics.histogram import merge
from jitterscope.statistics.resampling import Units, differing_quantiles, mean_interval, quantile_intervals
from jitterscope.statistics.time_blocks import MIN_BLOCKS, MIN_RUN, time_blocks

_SHARES = [Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)]


def _runs(
    chance: np.random.Generator, runs: int, count: int, memory: float, slower: float = 1.0
) -> NDArray[np.int64]:
    """Latencies of a load that changes slowly: of the logarithm, each keeps so much of the one before."""
    states = chance.normal(size=(count, runs))
    for at in range(1, count):
        states[at] = memory * states[at - 1] + np.sqrt(1 - memory**2) * states[at]
    return (20_000 * slower * np.exp(0.3 * states.T)).astype(np.int64)


def _run(chance: np.random.Generator, count: int, memory: float, slower: float = 1.0) -> NDArray[np.int64]:
    return np.asarray(_runs(chance, 1, count, memory, slower)[0])


def _units(*runs: NDArray[np.int64]) -> Units | None:
    blocks = [time_blocks(run) for run in runs]
    return Units.of([merge(parts.histograms) for parts in blocks], blocks)


# 4,000 samples are more than enough for p99 where none depends on the one before.
@pytest.mark.parametrize("memory", [0.0, 0.6, 0.9])
def test_intervals_hold_the_quantile_of_the_load(memory: float) -> None:
    chance = np.random.default_rng(round(10 * memory))
    whole = np.quantile(
        20_000 * np.exp(0.3 * np.random.default_rng(1).normal(size=1_000_000)), [0.5, 0.9, 0.99]
    )
    rounds, held = 80, np.zeros(3)
    for run in _runs(chance, rounds, 4_000, memory):
        units = _units(run)
        assert units is not None
        for at, (interval, value) in enumerate(zip(quantile_intervals(units, _SHARES), whole, strict=True)):
            assert interval is not None
            held[at] += interval.low <= value <= interval.high
    # 95 in 100, and by chance 6 fewer; of 300 rounds, 90 to 97.
    assert (held >= 0.87 * rounds).all(), (held / rounds).tolist()


def test_a_load_that_changes_as_slowly_as_the_run_is_long_is_drawn_whole() -> None:
    chance = np.random.default_rng(4)
    blocks = [time_blocks(run) for run in _runs(chance, 40, 2_000, 0.999)]
    assert sum(one.are_independent for one in blocks) <= 8
    assert all(len(one.histograms) == MIN_BLOCKS for one in blocks if not one.are_independent)


# It changes in a 20th and in a tenth of the run.
@pytest.mark.parametrize("memory", [0.98, 0.99])
def test_a_slow_load_has_wide_intervals_that_hold_its_numbers(memory: float) -> None:
    chance = np.random.default_rng(round(100 * memory))
    medians, means, told = 0, 0, 0
    for run in _runs(chance, 120, 1_000, memory):
        units = _units(run)
        assert units is not None
        if time_blocks(run).are_independent:
            continue
        told += 1
        [median] = quantile_intervals(units, _SHARES[:1])
        mean = mean_interval(units.totals(), units)
        assert median is not None
        medians += median.low <= 20_000 <= median.high
        means += mean.low <= 20_000 * np.exp(0.3**2 / 2) <= mean.high
    assert told >= 30
    assert min(medians, means) >= 0.95 * told


def test_halves_of_one_slow_load_do_not_differ() -> None:
    chance = np.random.default_rng(11)
    differ = 0
    for run in _runs(chance, 60, 4_000, 0.995):
        halves = _units(run[:2_000]), _units(run[2_000:])
        assert halves[0] is not None
        assert halves[1] is not None
        [median] = differing_quantiles((halves[0], halves[1]), _SHARES[:1])
        assert median is not None
        differ += not median.low <= 0 <= median.high
    # 5 in 100 by chance; more than 7 of 60 come of that once in a hundred times.
    assert differ <= 7


def test_short_runs_are_told_of_beside_long_ones_alone() -> None:
    chance = np.random.default_rng(12)
    long, short = _run(chance, 1_000, 0.0), _run(chance, MIN_RUN - 1, 0.0)
    blocks = time_blocks(short)
    assert len(blocks.histograms) == len(short)
    assert not blocks.are_independent
    assert _units(short) is None
    assert _units(long[:500], short) is None
    alone, both = _units(long), _units(long, short)
    assert alone is not None
    assert both is not None
    # A run of which nothing is known but its samples makes an interval wider, never narrower.
    spans = [mean_interval(one.totals(), one) for one in (alone, both)]
    assert spans[1].high - spans[1].low > spans[0].high - spans[0].low


def test_blocks_hold_every_value_once_and_are_long_enough() -> None:
    run = _run(np.random.default_rng(5), 1_001, 0.0)
    blocks = time_blocks(run).histograms
    assert MIN_BLOCKS <= len(blocks) <= 64
    assert sum(one.count for one in blocks) == len(run)
    assert sum(int(one.values @ one.counts) for one in blocks) == int(run.sum())
    assert time_blocks(run[:0]).histograms == []
    assert len(time_blocks(np.full(1_000, 7, np.int64)).histograms) == 32


def test_runs_keep_their_weight() -> None:
    # Sleeps of two lengths: which is drawn more often is not what the interval is about.
    chance = np.random.default_rng(6)
    units = _units(_run(chance, 2_000, 0.0), _run(chance, 2_000, 0.0, slower=50.0))
    assert units is not None
    mean = mean_interval(units.totals(), units)
    assert mean.high / mean.low < 1.06


def test_a_longer_run_differs_by_its_interval() -> None:
    chance = np.random.default_rng(7)
    before, same, longer = (_units(_run(chance, 4_000, 0.5, slower)) for slower in (1.0, 1.0, 1.3))
    assert before is not None
    assert same is not None
    assert longer is not None
    [median, _, _] = differing_quantiles((before, longer), _SHARES)
    assert median is not None
    assert median.low > 0
    rare = [Fraction(9_999, 10_000)]
    assert differing_quantiles((before, same), rare) == [None]
