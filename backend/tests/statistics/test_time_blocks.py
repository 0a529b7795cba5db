"""Intervals of a single run hold what a longer run would have measured, however slowly its load changes."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from jitterscope.statistics.resampling import Units, differing_quantiles, mean_interval, quantile_intervals
from jitterscope.statistics.time_blocks import MIN_BLOCKS, time_blocks

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
    return Units.of([one for parts in blocks for one in parts[:1]], blocks)


# 4,000 samples are more than enough for p99 where none depends on the one before.
@pytest.mark.parametrize("memory", [0.0, 0.6, 0.9])
def test_intervals_hold_the_quantile_of_the_load(memory: float) -> None:
    chance = np.random.default_rng(round(10 * memory))
    whole = np.quantile(
        20_000 * np.exp(0.3 * np.random.default_rng(1).normal(size=1_000_000)), [0.5, 0.9, 0.99]
    )
    rounds, told, held = 80, 0, np.zeros(3)
    for run in _runs(chance, rounds, 4_000, memory):
        units = _units(run)
        if units is None:
            continue
        told += 1
        for at, (interval, value) in enumerate(zip(quantile_intervals(units, _SHARES), whole, strict=True)):
            assert interval is not None
            held[at] += interval.low <= value <= interval.high
    assert told >= 0.7 * rounds
    # 95 in 100, and by chance 6 fewer; of 300 rounds, 90 to 97.
    assert (held >= 0.87 * told).all(), (held / told).tolist()


def test_a_load_that_changes_as_slowly_as_the_run_is_long_has_none() -> None:
    chance = np.random.default_rng(4)
    assert sum(bool(time_blocks(run)) for run in _runs(chance, 40, 2_000, 0.999)) <= 8


def test_blocks_hold_every_value_once_and_are_long_enough() -> None:
    run = _run(np.random.default_rng(5), 1_001, 0.0)
    blocks = time_blocks(run)
    assert MIN_BLOCKS <= len(blocks) <= 64
    assert sum(one.count for one in blocks) == len(run)
    assert sum(int(one.values @ one.counts) for one in blocks) == int(run.sum())
    assert time_blocks(run[: MIN_BLOCKS * 4 - 1]) == []
    assert time_blocks(run[:0]) == []
    assert len(time_blocks(np.full(1_000, 7, np.int64))) == 32


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
