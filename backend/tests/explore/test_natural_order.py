"""Values of labels as people would list them."""

import itertools
import random

import pytest

from jitterscope.explore.compare.natural_order import natural_order


@pytest.mark.parametrize(
    ("ordered", "name"),
    [
        (["500ns", "100us", "1ms", "1.5 ms", "10ms", "100ms", "1s", "2min"], "sleep"),
        (["0.25", "0.5", "2", "10", "64"], "groups"),
        (["800MHz", "1GHz", "1.2GHz"], "frequency"),
        (["6.1", "6.9", "6.12-rc1", "6.12-rc10", "6.12", "6.12-rt", "6.12.1"], "kernel"),
        (["v2.9", "v2.10"], "tool"),
        (["hz100", "hz250", "hz1000"], "kernel"),
        (["1ms", "10ms", "forever", "none"], "sleep"),
        # Of two kinds, none is larger than the other.
        (["10ms", "64KiB"], "what"),
    ],
)
def test_the_order_does_not_depend_on_what_comes_first(ordered: list[str], name: str) -> None:
    for seed in range(20):
        shuffled = [*ordered, *ordered]
        random.Random(seed).shuffle(shuffled)  # noqa: S311 (no secret)
        assert natural_order(shuffled, name) == ordered


def test_any_text_has_a_place() -> None:
    texts = ["".join(letters) for letters in itertools.product("1a.-µ ms", repeat=3)] + ["9" * 200, "²", ""]
    assert sorted(natural_order(texts)) == sorted(texts)
