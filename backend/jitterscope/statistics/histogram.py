"""Values with how often each was measured: what variants of an experiment are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

# A cell of a summary keeps the first ten bits of its values, see `cell_start` of the core.
_CELL_BITS = 10


@dataclass(frozen=True)
class Histogram:
    """Distinct values in ascending order and how often each was measured, at least once.

    Where it is not exact, a value is the middle of its cell, which is at most a 512th of it wide.
    """

    values: Ints
    counts: Ints
    is_exact: bool

    @classmethod
    def of(cls, values: Sequence[int] | Ints, counts: Sequence[int] | Ints, *, is_exact: bool) -> Histogram:
        """From the values of a summary, which are the beginnings of cells where they are not exact."""
        starts = np.asarray(values, np.int64)
        return cls(starts if is_exact else _middles(starts), np.asarray(counts, np.int64), is_exact)

    @property
    def count(self) -> int:
        return int(self.counts.sum())

    def rank(self, share: Fraction) -> int:
        """Which of the values in ascending order, from 1, at least this share of all do not exceed."""
        return max(-(-self.count * share.numerator // share.denominator), 1)

    def quantile(self, share: Fraction) -> int:
        """The smallest value that at least this share of all do not exceed (nearest rank)."""
        return int(self.values[np.searchsorted(np.cumsum(self.counts), self.rank(share))])


def merge(histograms: Sequence[Histogram]) -> Histogram:
    """All of them as one; exact where all are."""
    values = np.concatenate([one.values for one in histograms])
    # Each histogram is in order, and this sort joins runs that are.
    order = np.argsort(values, kind="stable")
    values = values[order]
    begins = _begins(values)
    counts = np.add.reduceat(np.concatenate([one.counts for one in histograms])[order], begins)
    return Histogram(values[begins], counts, all(one.is_exact for one in histograms))


def on_one_axis(histograms: Sequence[Histogram]) -> tuple[Ints, NDArray[np.float64]]:
    """The values of all, rounded to cells where they are many, and one row of counts for each histogram."""
    every = _distinct(np.concatenate([one.values for one in histograms]))
    is_rounded = len(every) > _MAX_COLUMNS
    if is_rounded:
        every = _distinct(_middles(cell_starts(every)))
    rows = np.zeros((len(histograms), len(every)))
    for row, one in zip(rows, histograms, strict=True):
        values = _middles(cell_starts(one.values)) if is_rounded else one.values
        # Of a type other than the row's, numpy adds them up ten times as slowly.
        np.add.at(row, np.searchsorted(every, values), one.counts.astype(np.float64))
    return every, rows


def _distinct(values: Ints) -> Ints:
    """Each value once, in ascending order. `np.unique` takes four times as long, because it hashes."""
    ordered = np.sort(values)
    return ordered[_begins(ordered)]


def _begins(ordered: Ints) -> NDArray[np.intp]:
    """Where each value has its first place."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


def cell_width(value: int) -> int:
    """How wide the cell of a value is where it is not exact."""
    return 1 << max(abs(value).bit_length() - _CELL_BITS, 0)


_MAX_COLUMNS = 4096


def _shifts(values: Ints) -> Ints:
    # The exponent of a float is its length in bits: exact up to 2^53, and past that no duration lies.
    bits = np.frexp(np.abs(values).astype(np.float64))[1].astype(np.int64)
    return np.maximum(bits - _CELL_BITS, 0)


def cell_starts(values: Ints) -> Ints:
    """Where the cell of each value begins."""
    shifts = _shifts(values)
    return (values >> shifts) << shifts


def _middles(starts: Ints) -> Ints:
    return starts + ((np.int64(1) << _shifts(starts)) - 1) // 2
