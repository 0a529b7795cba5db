"""What a comparison says in one sentence."""

import pytest

from jitterscope.explore.compare.card import Card
from jitterscope.explore.compare.sentence import sentence
from jitterscope.explore.compare.words import percent_change
from jitterscope.statistics.resampling import Difference, Interval


def _card(p99_ns: int) -> Card:
    return Card(1_000, {"p99_ns": p99_ns}, {}, is_exact=True, longest=None)


@pytest.mark.parametrize(
    ("after_ns", "interval", "expected"),
    [
        (57_000, (-61_000, -39_000), "fell from 100 µs to 57 µs (-43 %, 95 % interval -61 to -39 %)."),
        (96_000, (-4_200, -3_900), "fell from 100 µs to 96 µs (-4.0 %, 95 % interval -4.2 to -3.9 %)."),
        (96_000, (-4_020, -3_980), "fell from 100 µs to 96 µs (-4.00 %, 95 % interval -4.02 to -3.98 %)."),
        (96_000, (-4_000, -4_000), "fell from 100 µs to 96 µs (-4 %)."),
        (104_000, (3_000, 5_000), "rose from 100 µs to 104 µs (+4 %, 95 % interval +3 to +5 %)."),
        (
            1_099_000,
            (998_000, 999_000),
            "rose from 100 µs to 1.099 ms (+999 %, 95 % interval +998 to +999 %).",
        ),
        (3_200_000, (2_900_000, 3_300_000), "rose from 100 µs to 3.2 ms (×32, 95 % interval ×30 to ×34)."),
        (
            3_200_000,
            (3_090_000, 3_120_000),
            "rose from 100 µs to 3.2 ms (×32.0, 95 % interval ×31.9 to ×32.2).",
        ),
        (99_980, (-40, -10), "fell from 100 µs to 99.98 µs (-0.02 %, 95 % interval -0.04 to -0.01 %)."),
        (99_980, (-30, -10), "fell from 100 µs to 99.98 µs (-0.02 %, 95 % interval -0.03 to -0.01 %)."),
    ],
)
def test_the_ends_of_an_interval_are_told_apart(
    after_ns: int, interval: tuple[int, int], expected: str
) -> None:
    found = {"p99_ns": Difference(Interval(*interval), is_real=True, p_value=0.01)}
    told = sentence(("before", "after"), (_card(100_000), _card(after_ns)), found, unit="ns")
    assert told.replace("\N{MINUS SIGN}", "-") == f"p99 {expected}"


def test_a_change_is_never_said_as_zero() -> None:
    assert percent_change(0.0, digits=1) == "+0.0 %"
    assert percent_change(-13 / 77_704, digits=1) == "\N{MINUS SIGN}0.02 %"
    for exponent in range(15):
        for first in (1, 4.9, 5, 9.5):
            said = percent_change(-first * 10.0**-exponent, digits=0)
            assert any(digit in said for digit in "123456789"), said
