"""Rows of binary COPY streams in memory: taken apart, filtered, and put together to streams again."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jitterscope.store.kept_rows import COPY_END, COPY_HEAD
from jitterscope.store.rows import Filter, Holds, Rows, Touches

_FIELDS = struct.Struct(">h")
_LENGTH = struct.Struct(">i")
# Dimensions, flags, type of the elements, and of the only dimension its length and its lower bound.
_ARRAY = struct.Struct(">iiIii")


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of a row as PostgreSQL would send them; `None` for null."""

    fields: tuple[bytes | None, ...]

    def number(self, at: int) -> int:
        """An integer column; null counts as 0."""
        return int.from_bytes(self.fields[at] or b"", "big", signed=True)

    def numbers(self, at: int) -> set[int]:
        """The elements of an array of integers, but for those that are null."""
        array = self.fields[at]
        if not array or _LENGTH.unpack_from(array)[0] == 0:
            return set()
        _, _, _, count, _ = _ARRAY.unpack_from(array)
        elements = set()
        at_byte = _ARRAY.size
        for _ in range(count):
            (size,) = _LENGTH.unpack_from(array, at_byte)
            at_byte += _LENGTH.size
            if size >= 0:
                elements.add(int.from_bytes(array[at_byte : at_byte + size], "big", signed=True))
                at_byte += size
        return elements


def read_rows(stream: memoryview) -> Iterator[Row]:
    """The rows of a complete stream.

    Raises: ValueError if it is none.
    """
    if stream[: len(COPY_HEAD)] != COPY_HEAD:
        raise ValueError("not a binary COPY stream")
    at = len(COPY_HEAD)
    while True:
        (count,) = _FIELDS.unpack_from(stream, at)
        at += _FIELDS.size
        if count < 0:
            return
        fields: list[bytes | None] = []
        for _ in range(count):
            (length,) = _LENGTH.unpack_from(stream, at)
            at += _LENGTH.size
            fields.append(None if length < 0 else bytes(stream[at : at + length]))
            at += max(0, length)
        yield Row(tuple(fields))


@dataclass(frozen=True)
class Columns:
    """The columns of a table in the order of its rows, and its key without the trace's."""

    names: Sequence[str]
    key: Sequence[str]

    def key_of(self, row: Row) -> tuple[int, ...]:
        """What tells the row of a block from others."""
        return tuple(row.number(self.names.index(name)) for name in self.key)

    def order_of(self, row: Row) -> tuple[bytes, ...]:
        """Rows come in this order: no number in a key is negative, so bytes sort as it and text do."""
        return tuple(row.fields[self.names.index(name)] or b"" for name in self.key)

    def has(self, row: Row, wanted: Filter) -> bool:
        """Whether a filter of a question holds for the row.

        Raises: ValueError for a filter that is about no rows.
        """
        match wanted:
            case Rows(rows=ids):
                return self.key_of(row) in ids
            case Touches(touches=(start_ns, end_ns)):
                first, last = ("t0", "t1") if "t0" in self.names else ("t_ns", "t_ns")
                at = self.names.index
                return row.number(at(last)) >= start_ns and row.number(at(first)) < end_ns
            case Holds(holds=(column, values)):
                return not row.numbers(self.names.index(column)).isdisjoint(values)
            case _:
                raise ValueError(f"no rows are read by {wanted}")


def stream_of(rows: Sequence[Row], places: Sequence[int]) -> bytes:
    """A complete stream of these columns of the rows."""
    parts = [COPY_HEAD]
    for row in rows:
        parts.append(_FIELDS.pack(len(places)))
        for at in places:
            field = row.fields[at]
            parts.append(_LENGTH.pack(-1 if field is None else len(field)))
            parts.append(field or b"")
    return b"".join([*parts, COPY_END])
