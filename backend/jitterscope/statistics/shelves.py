"""Shelves: the plateaus of sorted samples, which are the modes of their distribution.

A valley parts two shelves if its density is proven to be lower than that of the shelves on both sides. Under
any distribution with a single mode, a cell has at least the density of the lower one of any two cells around
it; so of the samples in the valley and in the lower shelf, at most half are in the shelf but for chance.
Chernoff's bound of the binomial says how rarely chance does that, and it is divided by the number of pairs of
cells that were tried (Bonferroni). Valleys are looked for with cells of all widths, from one count to half of
the range. Nothing is drawn at random.

Source: W. Hoeffding, Probability Inequalities for Sums of Bounded Random Variables (1963), theorem 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jitterscope.statistics.histogram import Histogram, Ints, cell_width

Floats = NDArray[np.float64]

# One in this many unimodal distributions may be parted by chance.
_LEVEL = 1e-3
# A valley has at most this part of the density of the lower shelf at its sides.
_MAX_DEPTH = 0.5
# A shelf ends where the density falls below this part of its highest.
_EDGE = 0.2
_MIN_SHARE = 0.01
_MIN_COUNT = 10


@dataclass(frozen=True)
class Shelf:
    """`low` and `high` are the first and last value of the plateau, and both belong to it.

    `count` are the samples on it, `at_most` those that are not above it.
    """

    low: int
    high: int
    count: int
    at_most: int


def find_shelves(one: Histogram) -> list[Shelf]:
    """The highest first, each with at least a hundredth of all samples, and at least ten."""
    if len(one.values) == 0:
        return []
    step = _step(one)
    least = max(_MIN_COUNT, _MIN_SHARE * one.count)
    below = np.cumsum(one.counts)
    found = []
    for first, last in _basins(one.values, one.counts, step):
        low, high = _plateau(one.values[first:last], one.counts[first:last], step)
        inside = slice(first + low, first + high + 1)
        count = int(one.counts[inside].sum())
        if count >= least:
            values = one.values[inside]
            found.append(Shelf(int(values[0]), int(values[-1]), count, int(below[inside.stop - 1])))
    return found[::-1]


def _step(one: Histogram) -> int:
    """The narrowest cell that makes sense: what all values are multiples of, or as they were rounded."""
    if not one.is_exact:
        return cell_width(int(np.abs(one.values).max()))
    return int(np.gcd.reduce(np.diff(one.values))) if len(one.values) > 1 else 1


def _basins(values: Ints, counts: Ints, step: int) -> Iterator[tuple[int, int]]:
    """Ranges of indices between proven valleys, in ascending order."""
    waiting = [(0, len(values))]
    while waiting:
        first, last = waiting.pop()
        split = _valley(values[first:last], counts[first:last], step)
        if split is None:
            yield first, last
        else:
            middle = first + int(np.searchsorted(values[first:last], split))
            waiting += [(middle, last), (first, middle)]


def _valley(values: Ints, counts: Ints, step: int) -> float | None:
    """Where the surest valley is; None where none is proven."""
    grids = list(_grids(values, step))
    best, split = 0.0, None
    for start, width in grids:
        places, cells = _cells((values - start) // width, counts)
        if len(cells) < 3:
            continue
        left, right = np.maximum.accumulate(cells), np.maximum.accumulate(cells[::-1])[::-1]
        valleys = cells[1:-1]
        # The lower one of the highest cells on the two sides.
        sides = np.minimum(left[:-2], right[2:])
        surprise = np.where(valleys <= _MAX_DEPTH * sides, _surprise(valleys, sides), 0.0)
        tried = len(grids) * (int(places[-1]) + 1) ** 2 / 2
        surprise -= math.log(tried / _LEVEL)
        at = int(np.argmax(surprise))
        if surprise[at] > best:
            # The valley may be several cells wide; its middle parts the shelves.
            end = at
            while end + 1 < len(valleys) and valleys[end + 1] == valleys[at]:
                end += 1
            best, split = float(surprise[at]), start + width * float(places[at] + 1 + places[end + 2]) / 2
    return split


def _cells(where: Ints, counts: Ints) -> tuple[Ints, Floats]:
    """Cells in their order, by number, with their counts; of cells without samples, one in each gap."""
    places, which = np.unique(where, return_inverse=True)
    filled = np.bincount(which, weights=counts)
    gaps = np.flatnonzero(np.diff(places) > 1) + 1
    return np.insert(places, gaps, places[gaps] - 1), np.insert(filled, gaps, 0.0)


def _grids(values: Ints, step: int) -> Iterator[tuple[int, int]]:
    """Starts and widths of cells: of each width two that lie half a cell apart."""
    first, spread = int(values[0]), int(values[-1] - values[0])
    width = step
    while width * 2 <= spread:
        yield first, width
        if width > step:
            yield first - width // (2 * step) * step, width
        width *= 2


def _surprise(fewer: Floats, more: Floats) -> Floats:
    """At least this is the negative logarithm of the chance that of `fewer + more` so few are on one side."""
    both = np.maximum(fewer + more, 1)
    share = fewer / both
    rest = 1 - share
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(share > 0, share * np.log(2 * share), 0.0)
        other = np.where(rest > 0, rest * np.log(2 * rest), 0.0)
    return np.where(share < rest, both * (own + other), 0.0)


def _plateau(values: Ints, counts: Ints, step: int) -> tuple[int, int]:
    """The first and last index of the values around the densest ones that are at least a fifth as dense."""
    total = int(counts.sum())
    # Freedman and Diaconis' width; the shortest half of the samples stands for the quartiles.
    width = step * max(1, round(2 * _shortest(values, counts, total / 2) / total ** (1 / 3) / step))
    ends = np.searchsorted(values, values + width)
    below = np.concatenate([[0], np.cumsum(counts)])
    densities = below[ends] - below[:-1]
    peak = int(np.argmax(densities))
    least = _EDGE * int(densities[peak])
    low, high = int(values[peak]), int(values[peak]) + width
    while _between(values, below, low - width, low) >= least:
        low -= width
    while _between(values, below, high, high + width) >= least:
        high += width
    return int(np.searchsorted(values, low)), int(np.searchsorted(values, high)) - 1


def _between(values: Ints, below: Ints, low: int, high: int) -> int:
    """How many samples lie in the half-open range; -1 outside of all values."""
    if high <= values[0] or low > values[-1]:
        return -1
    first, last = np.searchsorted(values, [low, high])
    return int(below[last] - below[first])


def _shortest(values: Ints, counts: Ints, wanted: float) -> int:
    """How wide the shortest range of values is that holds `wanted` samples."""
    below = np.cumsum(counts)
    ends = np.searchsorted(below, below - counts + wanted)
    is_inside = ends < len(values)
    return int(np.min(values[ends[is_inside]] - values[is_inside]))


def distance(top: Shelf, shelf: Shelf) -> int:
    """How much lower the upper edge is, which is disturbed least: what disturbs takes work away."""
    return top.high - shelf.high


def highest(shelves: Sequence[Shelf]) -> Shelf | None:
    """The one with the most work in a quantum."""
    return max(shelves, key=lambda one: one.high, default=None)
