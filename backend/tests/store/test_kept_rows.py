"""COPY streams put together from rows that were read before."""

import asyncio
from collections.abc import Sequence

import pytest

from jitterscope.store.kept_rows import RowId, rows_of, stream_of
from jitterscope.store.part_cache import LoadParts, PartCache

HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
END = b"\xff\xff"


class Table:
    """Rows by number, and the numbers that were read."""

    def __init__(self, rows: int) -> None:
        self.rows = {(number,): b"row %d;" % number for number in range(rows)}
        self.read: list[list[RowId]] = []

    async def __call__(self, ids: Sequence[RowId]) -> list[bytes]:
        self.read.append(list(ids))
        return [self.rows[row_id] for row_id in ids if row_id in self.rows]


def stream(parts: LoadParts, table: Table, *numbers: int) -> bytes:
    return asyncio.run(stream_of(parts, "table", [(number,) for number in numbers], table))


def test_only_what_is_not_at_hand_is_read() -> None:
    parts, table = LoadParts(PartCache(), (1, 1)), Table(9)
    assert stream(parts, table, 3, 1) == HEAD + b"row 1;row 3;" + END
    assert stream(parts, table, 1, 2, 3, 3) == HEAD + b"row 1;row 2;row 3;" + END
    assert stream(parts, table, 2) == HEAD + b"row 2;" + END
    assert table.read == [[(1,), (3,)], [(2,)]]


def test_another_load_has_other_rows() -> None:
    cache, table = PartCache(), Table(2)
    stream(LoadParts(cache, (1, 1)), table, 1)
    table.rows[1,] = b"loaded again;"
    assert stream(LoadParts(cache, (1, 2)), table, 1) == HEAD + b"loaded again;" + END


def test_memory_is_bounded() -> None:
    parts, table = LoadParts(PartCache(max_bytes=2000), (1, 1)), Table(100)
    for number in range(100):
        stream(parts, table, number)
    kept = [number for number in range(100) if parts.cache.find(parts.load, ("table", (number,)))]
    assert 0 < len(kept) < 10
    assert kept[-1] == 99


def test_a_row_that_is_missing_is_no_shorter_answer() -> None:
    with pytest.raises(RuntimeError, match="table has 1 of 2 rows"):
        stream(LoadParts(PartCache(), (1, 1)), Table(1), 0, 1)


def test_rows_are_taken_from_messages() -> None:
    assert rows_of([HEAD + b"a", b"b", END]) == [b"a", b"b"]
    assert rows_of([HEAD + END]) == []
    for messages in ([], [b"a", END], [HEAD + b"a"]):
        with pytest.raises(ValueError, match="binary COPY"):
            rows_of(messages)
