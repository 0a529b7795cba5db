"""The pictures of a comparison: every variant's samples on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from jitterscope.explore.compare.members import Members, unit_of
from jitterscope.explore.compare.read_members import read_members
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.threads import in_thread
from jitterscope.statistics.histogram import Histogram, Ints, merge
from jitterscope.store.database import Database

TAIL: dict[str, Fraction] = {
    "p99_ns": Fraction(99, 100),
    "p99_9_ns": Fraction(999, 1000),
    "p99_99_ns": Fraction(9_999, 10_000),
    "p99_999_ns": Fraction(99_999, 100_000),
}

_MAX_BARS = 160
# Samples that lie closer together than this have equal bars, others parts of powers of two.
_EQUAL_BELOW = 4
_MAX_BARS_AN_OCTAVE = 16
_EVEN_POINTS = 300
_TAIL_POINTS_A_DECADE = 40


@dataclass(frozen=True)
class Spread:
    """The samples of one variant. `bars` has a count for each pair of edges; `ranks` begin with 0."""

    name: str
    count: int
    min_ns: int
    max_ns: int
    tail: dict[str, int]
    bars: Sequence[int]
    ranks: Sequence[int]
    durations_ns: Sequence[int]


@dataclass(frozen=True)
class Distribution:
    """Variants without samples have no spread."""

    unit: str
    edges: Sequence[int]
    has_equal_bars: bool
    is_exact: bool
    spreads: Sequence[Spread]


async def distribution(database: Database, request: CompareRequest) -> Distribution:
    """Reads the summaries of all traces, and their samples only where no summary is of those that are meant.

    Raises: NotFound, InvalidParameter.
    """
    found = await read_members(database, request)
    return await in_thread(lambda: distribution_of(found))


def distribution_of(found: Sequence[Members]) -> Distribution:
    """The same of members that were found."""
    merged = [
        (members.variant.name, merge([member.histogram for member in members.members]))
        for members in found
        if members.members
    ]
    if not merged:
        return Distribution("ns", [], has_equal_bars=True, is_exact=True, spreads=[])
    low = min(int(one.values[0]) for _, one in merged)
    high = max(int(one.values[-1]) for _, one in merged)
    has_equal_bars = low <= 0 or high < low * _EQUAL_BELOW
    # Programs measure in whole microseconds: narrower bars would be empty at random.
    step = int(np.gcd.reduce([np.gcd.reduce(one.values) for _, one in merged])) or 1
    edges = (equal_edges if has_equal_bars else octave_edges)(low, high, step)
    spreads = [_spread(name, one, edges) for name, one in merged]
    is_exact = all(one.is_exact for _, one in merged)
    return Distribution(unit_of(found), edges.tolist(), has_equal_bars, is_exact, spreads)


def equal_edges(low: int, high: int, step: int = 1) -> Ints:
    """Edges of bars of whole steps that are as wide as each other; the last one lies past `high`."""
    width = step * max(1, -(-(high - low + 1) // (_MAX_BARS * step)))
    first = low // width * width
    return np.arange(first, high + width + 1, width, dtype=np.int64)


def octave_edges(low: int, high: int, step: int = 1) -> Ints:
    """Edges that part powers of two evenly, as finely as there is room; whole steps, each once."""
    first, last = math.floor(math.log2(low)), math.floor(math.log2(high)) + 1
    parts = _MAX_BARS_AN_OCTAVE
    while parts > 1 and (last - first) * parts > _MAX_BARS:
        parts //= 2
    steps = np.arange((last - first) * parts + 1)
    edges = np.floor(np.exp2(first + steps / parts)).astype(np.int64)
    edges = np.unique(-(-edges // step) * step)
    # Parts of small powers of two are the same whole number. Bars outside of all samples are left out.
    begin = max(int(np.searchsorted(edges, low, side="right")) - 1, 0)
    return edges[begin : int(np.searchsorted(edges, high, side="right")) + 1]


def _spread(name: str, one: Histogram, edges: Ints) -> Spread:
    where = np.searchsorted(edges, one.values, side="right") - 1
    bars = np.bincount(where, weights=one.counts, minlength=len(edges) - 1).astype(np.int64)
    ranks = _ranks(one)
    below = np.cumsum(one.counts)
    return Spread(
        name=name,
        count=one.count,
        min_ns=int(one.values[0]),
        max_ns=int(one.values[-1]),
        tail={stat: one.quantile(share) for stat, share in TAIL.items()},
        bars=bars.tolist(),
        ranks=ranks.tolist(),
        durations_ns=one.values[np.searchsorted(below, ranks, side="right")].tolist(),
    )


def _ranks(one: Histogram) -> Ints:
    """Ranks whose samples draw the curve: where each value begins, or as many as the eye can tell."""
    count = one.count
    if len(one.values) <= _EVEN_POINTS:
        begins = np.cumsum(one.counts) - one.counts
        return np.unique(np.append(begins, count - 1))
    even = np.linspace(0, count - 1, _EVEN_POINTS).round()
    decades = math.log10(count)
    tail = count - 1 - np.logspace(0, decades, math.ceil(decades * _TAIL_POINTS_A_DECADE) + 1).round() + 1
    return np.unique(np.clip(np.concatenate([even, tail]), 0, count - 1).astype(np.int64))
