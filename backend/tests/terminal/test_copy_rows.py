"""Rows of COPY streams in memory are those that the database would select."""

import struct
from itertools import pairwise

import numpy as np
import pytest

from jitterscope.store.rows import Holds, Name, Rows, Touches
from jitterscope.terminal.copy_rows import Columns, Row, read_rows, stream_of
from jitterscope.terminal.text import Piece, duration_text, plain, ruler

COLUMNS = Columns(["trace_key", "block", "t0", "t1", "cpu"], ["block"])


def array(values: list[int]) -> bytes:
    """smallint[] as PostgreSQL sends it, with a null behind each element."""
    head = struct.pack(">iiIii", 1, 1, 21, 2 * len(values), 1)
    return head + b"".join(struct.pack(">ihi", 2, value, -1) for value in values)


def row(block: int, t0: int, t1: int, cpus: list[int]) -> Row:
    return Row(
        (
            struct.pack(">q", 1),
            struct.pack(">i", block),
            struct.pack(">q", t0),
            struct.pack(">q", t1),
            array(cpus) if cpus else struct.pack(">iiI", 0, 0, 21),
        )
    )


def test_streams_are_put_together_as_they_were() -> None:
    rows = [row(1, 0, 9, [0, 1]), Row((None, b"", b"text", None, b"\0"))]
    stream = stream_of(rows, range(5))
    assert [*read_rows(memoryview(stream))] == rows
    [short, _] = read_rows(memoryview(stream_of(rows, [1, 3])))
    assert short.fields == (rows[0].fields[1], rows[0].fields[3])
    with pytest.raises(ValueError, match="COPY"):
        [*read_rows(memoryview(b"no stream"))]


def test_filters_choose_what_their_words_say() -> None:
    random = np.random.default_rng(7)
    for _ in range(200):
        block, t0, length = (int(one) for one in random.integers(0, 50, 3))
        cpus = [int(cpu) for cpu in random.choice(6, int(random.integers(0, 4)), replace=False)]
        one = row(block, t0, t0 + length, cpus)
        start, end = sorted(int(at) for at in random.integers(-5, 120, 2))
        wanted = [int(cpu) for cpu in random.choice(6, 2, replace=False)]
        assert COLUMNS.has(one, Rows(rows=((block,), (99,))))
        assert not COLUMNS.has(one, Rows(rows=((block + 1,),)))
        assert COLUMNS.has(one, Touches(touches=(start, end))) == (t0 + length >= start and t0 < end)
        assert COLUMNS.has(one, Holds(holds=("cpu", tuple(wanted)))) == bool({*cpus} & {*wanted})
    with pytest.raises(ValueError, match="no rows"):
        COLUMNS.has(row(1, 0, 1, []), Name(name="x"))


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
