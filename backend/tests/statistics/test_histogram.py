"""Merged histograms have the quantiles of all values."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from jitterscope.statistics.histogram import Histogram, cell_width, merge, on_one_axis


def _histogram(values: list[int]) -> Histogram:
    distinct, counts = np.unique(np.asarray(values, np.int64), return_counts=True)
    return Histogram.of(distinct.tolist(), counts.tolist(), is_exact=True)


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(999, 1000)])
@pytest.mark.parametrize("count", [1, 2, 99, 100, 101, 3000])
def test_quantiles_are_nearest_ranks(share: Fraction, count: int) -> None:
    values = np.random.default_rng(count).integers(500, size=count).tolist()
    parts = [values[start::3] for start in range(3) if values[start::3]]
    merged = merge([_histogram(part) for part in parts])
    within = [value for value in set(values) if sum(one <= value for one in values) >= share * count]
    assert merged.quantile(share) == min(within)
    assert (merged.count, merged.is_exact) == (count, True)


def test_a_cell_counts_as_its_middle() -> None:
    # 1,000,000 has twenty bits; its cell keeps the first ten of them and is 1,024 wide.
    start = 1_000_000 >> 10 << 10
    cells = Histogram.of([5, start], [1, 3], is_exact=False)
    assert cells.values.tolist() == [5, start + 511]
    assert abs(cells.quantile(Fraction(1, 2)) - 1_000_000) <= 1_000_000 / 512
    assert not merge([cells, _histogram([7])]).is_exact


@pytest.mark.parametrize("largest", [50, 100_000])
def test_every_value_is_counted_once(largest: int) -> None:
    chance = np.random.default_rng(largest)
    parts = [chance.integers(largest, size=3_000).tolist() for _ in range(4)]
    counted = Counter(value for part in parts for value in part)
    merged = merge([_histogram(part) for part in parts])
    assert dict(zip(merged.values.tolist(), merged.counts.tolist(), strict=True)) == counted
    assert merged.values.tolist() == sorted(counted)


@pytest.mark.parametrize(("largest", "is_rounded"), [(50, False), (100_000, True)])
def test_an_axis_has_cells_where_values_are_many(largest: int, is_rounded: bool) -> None:
    chance = np.random.default_rng(largest)
    parts = [chance.integers(largest, size=3_000).tolist() for _ in range(4)]

    def column(value: int) -> int:
        width = cell_width(value) if is_rounded else 1
        return value // width * width + (width - 1) // 2

    axis, rows = on_one_axis([_histogram(part) for part in parts])
    assert axis.tolist() == sorted({column(value) for part in parts for value in part})
    for part, row in zip(parts, rows.tolist(), strict=True):
        counted = Counter(map(column, part))
        assert row == [counted[value] for value in axis.tolist()]
