"""Where a series changes: found where it does, and silent where it does not."""

import numpy as np
import pytest

from jitterscope.statistics.change_points import change_points

RUNS = 300


def _nightlies(seed: int, change: float = 1.0, at: int = RUNS // 2) -> list[int]:
    """p99 of 300 runs around 50 us, now and then one of twice as much; from one on, all are larger."""
    generator = np.random.default_rng(seed)
    values = 50_000 * generator.lognormal(sigma=0.04, size=RUNS)
    values[generator.random(RUNS) < 0.03] *= 2
    values[at:] *= change
    return [round(value) for value in values]


@pytest.mark.parametrize("at", [60, 150, 270])
def test_a_change_is_found_where_it_is(at: int) -> None:
    """One night off where an outlier comes right before it; more only where several do."""
    found = [change_points(_nightlies(seed, 1.3, at)) for seed in range(100)]
    away = [min(abs(one.index - at) for one in changes) for changes in found]
    assert sum(distance <= 1 for distance in away) >= 94
    assert max(away) <= 3
    assert sum(len(changes) == 1 for changes in found) >= 94


def test_without_a_change_none_is_found() -> None:
    silent = sum(not change_points(_nightlies(seed)) for seed in range(1000, 1100))
    assert silent >= 94


def test_several_changes_are_all_found() -> None:
    values = _nightlies(1, 1.5, 100)
    values[200:] = _nightlies(2)[200:]
    assert [one.index for one in change_points(values)] == pytest.approx([100, 200], abs=1)


@pytest.mark.parametrize("values", [[], [7], [1, 2] * 4, [5] * 100])
def test_few_and_equal_numbers_have_no_change(values: list[int]) -> None:
    assert change_points(values) == []


def test_the_same_series_gives_the_same() -> None:
    values = _nightlies(3, 1.2)
    assert change_points(values) == change_points(values)
