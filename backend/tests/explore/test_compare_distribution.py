"""Bars and sorted samples of variants, whatever their values are."""

import numpy as np
import pytest

from jitterscope.explore.compare.distribution import Distribution, distribution_of, equal_edges, octave_edges
from jitterscope.explore.compare.members import Member, Members
from jitterscope.explore.compare.request import Variant
from jitterscope.statistics.histogram import Histogram
from jitterscope.store.models import Trace
from jitterscope.store.summaries import Summary


def _counts(seed: int) -> dict[int, int]:
    """How often durations were measured: close together or far apart, few or many."""
    chance = np.random.default_rng(seed)
    low = chance.choice([0, 1, 1_000, 1_078, 1 << 20])
    span = chance.choice([1, 20, 2_000, 1 << 40])
    values = low + chance.integers(span, size=chance.choice([1, 2, 50, 600]))
    return {int(value): int(chance.integers(1, 1_000)) for value in values}


def _members(name: str, counts: dict[int, int]) -> Members:
    values = np.asarray(sorted(counts), np.int64)
    counted = np.asarray([counts[value] for value in sorted(counts)], np.int64)
    summary = Summary(
        trace_key=1,
        count=int(counted.sum()),
        total_ns=0,
        squares=0,
        min_ns=int(values[0]),
        max_ns=int(values[-1]),
        max_start_ns=0,
        max_owner="cpu0",
        max_key=None,
        is_exact=True,
        values_ns=values,
        value_counts=counted,
    )
    member = Member(Trace(format="cyclictest"), summary, Histogram.of(values, counted, is_exact=True))
    return Members(Variant(name), [member.trace], [member], 0, frozenset())


def _drawn(*variants: dict[int, int]) -> Distribution:
    return distribution_of([_members(str(number), counts) for number, counts in enumerate(variants)])


_SEEDS = pytest.mark.parametrize("seed", range(60))


@_SEEDS
def test_every_sample_is_in_its_bar(seed: int) -> None:
    before, after = _counts(seed), _counts(1_000 + seed)
    drawn = _drawn(before, after)
    assert list(drawn.edges) == sorted(set(drawn.edges))
    assert len(drawn.edges) <= 170
    for spread, counts in zip(drawn.spreads, (before, after), strict=True):
        for low, high, count in zip(drawn.edges, drawn.edges[1:], spread.bars, strict=False):
            assert count == sum(times for value, times in counts.items() if low <= value < high)
        assert sum(spread.bars) == spread.count == sum(counts.values())


@_SEEDS
def test_the_sorted_samples_are_those_of_their_ranks(seed: int) -> None:
    counts = _counts(seed)
    spread = _drawn(counts).spreads[0]
    samples = sorted(value for value, times in counts.items() for _ in range(times))
    assert [samples[rank] for rank in spread.ranks] == list(spread.durations_ns)
    assert (spread.ranks[0], spread.ranks[-1]) == (0, len(samples) - 1)
    assert list(spread.ranks) == sorted(set(spread.ranks))
    assert len(spread.ranks) <= 800


@_SEEDS
def test_bars_hold_all_between_the_least_and_the_most(seed: int) -> None:
    chance = np.random.default_rng(seed)
    low, high = sorted(int(chance.integers(1, 1 << int(bits))) for bits in chance.integers(1, 50, size=2))
    for edges in (equal_edges(low, high), octave_edges(low, high)):
        assert edges[0] <= low
        assert high < edges[-1]


def test_whole_microseconds_leave_no_bar_empty() -> None:
    drawn = _drawn({us * 1_000: 5 for us in range(10, 100)})
    assert all(drawn.spreads[0].bars)
    assert drawn.edges[0] == 10_000


def test_counts_that_lie_close_together_have_bars_of_one() -> None:
    drawn = _drawn({1078: 800, 1079: 200}, {1078: 250, 1093: 500, 1094: 250})
    assert drawn.has_equal_bars
    assert [high - low for low, high in zip(drawn.edges, drawn.edges[1:], strict=False)] == [1] * 17


def test_nothing_is_drawn_without_samples() -> None:
    empty = Members(Variant("none"), [], [], 0, frozenset())
    assert distribution_of([empty]).spreads == []
