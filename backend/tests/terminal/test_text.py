"""Times, names and rulers as a terminal shows them."""

from itertools import pairwise

import numpy as np
import pytest

from jitterscope.reports.times import duration_text, place_text, share_text
from jitterscope.terminal.table import table
from jitterscope.terminal.text import Piece, lines_of, plain, ruler


def test_times_have_their_units_and_no_more_places_than_help() -> None:
    said = [duration_text(ns) for ns in (0, 999, 1_000, 17_355, 8_964_180, 61_000_000_000, -2_500)]
    assert said == ["0 ns", "999 ns", "1.000 µs", "17.36 µs", "8.964 ms", "61.000 s", "-2.500 µs"]
    assert [duration_text(ticks, "ticks") for ticks in (1, 1_234)] == ["1 clock tick", "1,234 clock ticks"]


def test_times_are_rounded_as_in_sentences() -> None:
    said = [duration_text(ns) for ns in (5_715_500, 5_715_499, 999_940, 999_950, 999_999_500, -999_960)]
    assert said == ["5.716 ms", "5.715 ms", "999.9 µs", "1.000 ms", "1.000 s", "-1.000 ms"]


def test_a_place_may_be_before_the_first_record() -> None:
    assert place_text(998_000_000) == "0.998000000 s after the first record"
    assert place_text(-700) == "0.000000700 s before the first record"


def test_lines_end_between_words_where_the_terminal_does(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*lines_of("  wakeup  " + "behind 8 tasks " * 6, 10)]
    assert len(words) == 1
    monkeypatch.setattr("jitterscope.terminal.text.terminal_width", lambda: 40)
    broken = [*lines_of("  wakeup  " + "behind 8 tasks " * 6, 10)]
    assert max(map(len, broken)) <= 40
    assert [line[:10].strip() for line in broken] == ["wakeup", *[""] * (len(broken) - 1)]
    assert " ".join(line[10:] for line in broken) == ("behind 8 tasks " * 6).strip()
    assert next(lines_of("e\x1b[31m " * 20)).startswith("e\\x1b[31m")


def test_tables_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["gq3tq", "spike.dat", "woke 18.6 µs late: interrupt local_timer itself took 13 µs"]]
    assert [*table(None, rows, left=3)] == [f"  {'  '.join(rows[0])}"]
    monkeypatch.setattr("jitterscope.terminal.table.terminal_width", lambda: 40)
    assert [*table(None, rows, left=3)] == ["gq3tq spike.dat woke 18.6 µs late: inte…"]
    monkeypatch.setattr("jitterscope.terminal.table.terminal_width", lambda: 36)
    numbers = [["wakeup", "1,781", "13.486 ms", "13.486 ms"]]
    assert [*table(None, numbers, left=1)] == ["wakeup 1,781 13.486 ms 13.486 ms"]


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


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 1, "0.0 %"),
        (0, 0, "0.0 %"),
        (4, 10_000, "< 0.1 %"),
        (10, 10_000, "0.1 %"),
        (6_534, 10_000, "65.3 %"),
        (9_999, 10_000, "100.0 %"),
        (7, 7, "100.0 %"),
    ],
)
def test_shares_are_rounded_as_on_the_page(part: int, whole: int, text: str) -> None:
    assert share_text(part, whole) == text
