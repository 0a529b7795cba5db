"""Where a series of numbers changes its level for good.

The statistic is Pettitt's, weighted: the largest sum of ranks that a split of the series makes. How often the
same numbers in another order make as much says whether the split is real. The series is split there, and both
parts are searched in turn. Ranks make single outliers, of which there are many among latencies, count no more
than any other large number.

Source: A. N. Pettitt, A Non-Parametric Approach to the Change-Point Problem, Applied Statistics 28 (1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SEED = 20_250_101
_ORDERS = 999
# One in a hundred series without any change is said to have one.
_LEVEL = 0.01
# Fewer numbers on one side are no level.
MIN_PART = 5
_MAX_CHANGES = 50

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ChangePoint:
    """`index` is of the first number of the new level; `p_value` is of the part that was split there."""

    index: int
    p_value: float


def change_points(values: Sequence[int]) -> list[ChangePoint]:
    """In the order of the series; the same series always gives the same. At most fifty."""
    found: list[ChangePoint] = []
    parts = [(0, len(values))]
    series = np.asarray(values, np.float64)
    while parts and len(found) < _MAX_CHANGES:
        first, end = parts.pop(0)
        split = _split(series[first:end])
        if split is not None:
            at = first + split.index
            found.append(ChangePoint(at, split.p_value))
            parts += [(first, at), (at, end)]
    return sorted(found, key=lambda one: one.index)


def _split(values: _Floats) -> ChangePoint | None:
    """The best split of a part; None where it is not real."""
    if len(values) < 2 * MIN_PART:
        return None
    ranks = _ranks(values)
    sums = _sums(ranks[None, :])[0]
    statistic = sums.max()
    generator = np.random.default_rng([_SEED, len(values)])
    # A thousand orders of some thousand numbers would be too much at once.
    step = max(1, 200_000 // len(values))
    as_large = 0
    for start in range(0, _ORDERS, step):
        orders = generator.permuted(np.tile(ranks, (min(step, _ORDERS - start), 1)), axis=1)
        as_large += int((_sums(orders).max(axis=1) >= statistic - 1e-9).sum())
    p_value = (1 + as_large) / (1 + _ORDERS)
    if statistic == 0 or p_value > _LEVEL:
        return None
    return ChangePoint(_between_levels(values, int(sums.argmax()) + MIN_PART), p_value)


def _between_levels(values: _Floats, index: int) -> int:
    """The split near this one with the fewest numbers on the wrong side of the middle of both levels.

    Ranks show well that there is a change, but a few outliers in a short part move where they place it.
    """
    levels = np.median(values[:index]), np.median(values[index:])
    is_later = np.sign(values - sum(levels) / 2) == np.sign(levels[1] - levels[0])
    wrong = np.cumsum(is_later) + np.cumsum(~is_later[::-1])[::-1] - ~is_later
    splits = np.arange(MIN_PART, len(values) - MIN_PART + 1)
    fewest = splits[wrong[splits - 1] == wrong[splits - 1].min()]
    return int(fewest[np.abs(fewest - index).argmin()])


def _sums(ranks: _Floats) -> _Floats:
    """By row and split, how far the sum of ranks before it is from what it would be by chance.

    In units of its standard deviation but for a factor: else a split near an end would count for little.
    """
    count = ranks.shape[1]
    sums = np.cumsum(ranks - ranks.mean(axis=1, keepdims=True), axis=1)[:, MIN_PART - 1 : count - MIN_PART]
    before = np.arange(MIN_PART, count - MIN_PART + 1)
    found: _Floats = np.abs(sums) / np.sqrt(before * (count - before))
    return found


def _ranks(values: _Floats) -> _Floats:
    """Equal numbers have the mean of their ranks."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    found: _Floats = (ends - (counts - 1) / 2)[which]
    return found
