"""One run as blocks of time that can be drawn like traces.

Where neighbours are correlated up to the longest blocks, the load changes about as slowly as the run is long:
then one block is drawn for the whole run, so that intervals are as wide as its stretches differ.

Source: H. R. Künsch, The Jackknife and the Bootstrap for General Stationary Observations, Annals of
Statistics 17 (1989), for blocks in place of samples.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jitterscope.statistics.histogram import Histogram, Ints

# The shortest blocks that are tried, and the fewest that say something.
_MOST_BLOCKS = 64
MIN_BLOCKS = 16
_MIN_SAMPLES = 4
# Neighbours count as independent where their correlation is what chance makes of it in 19 of 20 cases.
_ONE_SIDED_95 = 1.645
# The tail is as slow to change as the middle, or slower: a load that comes and goes.
_TAILS = (0.5, 0.9, 0.99)

# Runs with fewer samples have no blocks in which anything could be tested.
MIN_RUN = MIN_BLOCKS * _MIN_SAMPLES


class Blocks(NamedTuple):
    """`drawn` of them make up the run when it is drawn: all where they are independent, else one."""

    histograms: list[Histogram]
    drawn: int

    @property
    def are_independent(self) -> bool:
        return self.drawn > 1


def time_blocks(values: Ints) -> Blocks:
    """The values of one run, in the order of time, as blocks of as many values each; the last may be longer.

    Blocks are doubled until neighbours are not correlated, and once more, as a test with few blocks misses
    weak correlations. Where fewer than 16 such blocks are left, there are 16, of which one is drawn; of fewer
    than 64 values, each is a block, and one is drawn.
    """
    count = min(_MOST_BLOCKS, len(values) // _MIN_SAMPLES)
    exceeding = _exceeding(values)
    while count >= MIN_BLOCKS:
        if not any(_is_correlated(_block_means(row, count)) for row in exceeding):
            count = max(count // 2, MIN_BLOCKS)
            return Blocks(_parts(values, count), count)
        count //= 2
    return Blocks(_parts(values, MIN_BLOCKS if len(values) >= MIN_RUN else len(values)), 1)


def _parts(values: Ints, count: int) -> list[Histogram]:
    if count == 0:
        return []
    return [_histogram(block) for block in np.split(values, _starts(len(values), count)[1:])]


def _exceeding(values: Ints) -> NDArray[np.float64]:
    """For each share, which values are past the quantile."""
    if len(values) == 0:
        return np.zeros((0, 0))
    ends = np.quantile(values, _TAILS, method="inverted_cdf")
    return np.asarray([values > end for end in ends], np.float64)


def _starts(length: int, count: int) -> NDArray[np.int64]:
    return np.arange(count) * length // count


def _block_means(row: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    starts = _starts(len(row), count)
    means: NDArray[np.float64] = np.add.reduceat(row, starts) / np.diff(np.append(starts, len(row)))
    return means


def _is_correlated(shares: NDArray[np.float64]) -> bool:
    centred = shares - shares.mean()
    spread = float(centred @ centred)
    if spread == 0:
        return False
    return float(centred[1:] @ centred[:-1]) / spread > _ONE_SIDED_95 / math.sqrt(len(shares))


def _histogram(values: Ints) -> Histogram:
    distinct, counts = np.unique(values, return_counts=True)
    return Histogram(distinct, counts.astype(np.int64), is_exact=True)
