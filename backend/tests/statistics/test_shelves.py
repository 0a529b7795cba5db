"""Planted shelves are found where they are, and a distribution with one mode has one shelf."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from jitterscope.statistics.histogram import Histogram, cell_width
from jitterscope.statistics.shelves import distance, find_shelves, highest

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]

_UNIMODAL: dict[str, Draw] = {
    "a constant": lambda _, count: np.full(count, 1_000.0),
    "normal": lambda random, count: random.normal(1_000, 3, count),
    "wide normal": lambda random, count: random.normal(1_000_000, 5_000, count),
    "uniform": lambda random, count: random.uniform(900, 1_100, count),
    "exponential loss": lambda random, count: 1_000 - random.exponential(20, count),
    "a long tail": lambda random, count: 10_000 - random.lognormal(3, 1.5, count),
    "two neighbours": lambda random, count: random.choice([999.0, 1_000.0], count, p=[0.3, 0.7]),
    "a sparse tail": lambda random, count: np.where(
        random.random(count) < 0.005, random.uniform(0, 990, count), random.normal(1_000, 2, count)
    ),
}


def _histogram(values: NDArray[np.float64]) -> Histogram:
    distinct, counts = np.unique(np.round(values).astype(np.int64), return_counts=True)
    return Histogram.of(distinct.tolist(), counts.tolist(), is_exact=True)


@pytest.mark.parametrize("name", _UNIMODAL)
@pytest.mark.parametrize("count", [200, 2_000, 20_000])
def test_one_mode_is_one_shelf(name: str, count: int) -> None:
    several = 0
    for seed in range(40):
        shelves = find_shelves(_histogram(_UNIMODAL[name](np.random.default_rng(seed), count)))
        several += len(shelves) != 1
    assert several == 0


@pytest.mark.parametrize("noise", [0.0, 1.5, 40.0])
@pytest.mark.parametrize("seed", range(25))
def test_planted_shelves_are_found(noise: float, seed: int) -> None:
    """Two to five shelves of at least 5 % of 4,000 quanta, eight deviations apart, and 2 % anywhere below."""
    random = np.random.default_rng([seed, round(noise * 10)])
    number = int(random.integers(2, 6))
    gaps = random.integers(1, 5, number) * max(8, round(8 * noise))
    places = 50_000 - np.cumsum(gaps)
    shares = 0.05 + 0.95 * 0.9 * random.dirichlet(np.ones(number) * 2)
    shares /= shares.sum()
    which = random.choice(number, 4_000, p=shares)
    values = places[which] + random.normal(0, noise, 4_000)
    strays = random.random(4_000) < 0.02
    values[strays] = random.uniform(1_000, places[-1] - 50 * (noise + 1), strays.sum())
    found = find_shelves(_histogram(values))
    assert len(found) == number
    for shelf, place, at in zip(found, places, range(number), strict=True):
        assert abs((shelf.low + shelf.high) / 2 - place) <= 1 + noise
        planted = np.sum(which[~strays] == at)
        # A normal shelf ends where a fifth of its density is left: 1.8 deviations from its middle.
        assert 0.85 * planted <= shelf.count <= planted
    top = highest(found)
    assert top is not None
    assert top == found[0]
    for shelf, place in zip(found, places, strict=True):
        assert abs(distance(top, shelf) - (places[0] - place)) <= 1 + 1.5 * noise


def test_the_order_of_samples_and_their_offset_change_nothing() -> None:
    random = np.random.default_rng(7)
    values = np.concatenate([random.normal(1_079, 0.5, 500), random.normal(1_094, 0.5, 1_500)])
    found = find_shelves(_histogram(values))
    moved = find_shelves(_histogram(np.round(random.permutation(values)) + 12_345))
    assert [(one.low + 12_345, one.high + 12_345, one.count, one.at_most) for one in found] == [
        (one.low, one.high, one.count, one.at_most) for one in moved
    ]
    assert [round(one.count, -2) for one in found] in ([1_500, 500], [1_500, 400])


def test_values_that_were_rounded_to_cells_keep_their_shelves() -> None:
    random = np.random.default_rng(3)
    values = np.concatenate([random.normal(2_000_000, 3_000, 3_000), random.normal(1_900_000, 3_000, 1_000)])
    width = cell_width(2_000_000)
    starts, counts = np.unique(values.astype(np.int64) // width * width, return_counts=True)
    found = find_shelves(Histogram.of(starts.tolist(), counts.tolist(), is_exact=False))
    assert [round((one.low + one.high) / 2, -4) for one in found] == [2_000_000, 1_900_000]


def test_too_few_samples_are_no_shelf() -> None:
    assert find_shelves(_histogram(np.asarray([5.0] * 9))) == []
    assert [(one.low, one.count) for one in find_shelves(_histogram(np.asarray([5.0] * 10)))] == [(5, 10)]
    nobody = np.zeros(0, np.int64)
    assert find_shelves(Histogram(nobody, nobody, is_exact=True)) == []
