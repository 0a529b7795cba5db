"""Times, names and rulers as a terminal shows them."""

from itertools import pairwise

import numpy as np

from jitterscope.terminal.text import Piece, duration_text, plain, ruler


def test_times_have_their_units_and_no_more_places_than_help() -> None:
    said = [duration_text(ns) for ns in (0, 999, 1_000, 17_355, 8_964_180, 61_000_000_000, -2_500)]
    assert said == ["0 ns", "999 ns", "1.000 µs", "17.35 µs", "8.964 ms", "61.000 s", "-2.500 µs"]
    assert duration_text(1_234, "ticks") == "1,234 ticks"


def test_a_ruler_shows_every_cause_however_short() -> None:
    random = np.random.default_rng(9)
    for _ in range(300):
        cuts = sorted({0, 1_000, *(int(at) for at in random.integers(0, 1_000, 6))})
        stretches = [*pairwise(cuts)]
        cause = stretches[int(random.integers(0, len(stretches)))]
        line = ruler([Piece(*one, one == cause) for one in stretches], 1_000, 40)
        assert len(line) == 40
        assert set(line) <= {"█", "░"}
        assert "█" in line
        assert abs(line.count("█") - (cause[1] - cause[0]) * 40 / 1_000) <= 2


def test_control_characters_are_shown_and_not_obeyed() -> None:
    assert plain("a\x1b[31m\x07\u202eé") == "a\\x1b[31m\\x07\\u202eé"
