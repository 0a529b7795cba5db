"""How the pages of a trace.dat are written: the order of bytes, and the size of a long."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Literal

# After `17 08 44 tracing`, the version in digits and its NUL: the order, the size of a long, that of a page.
_ORDER_AT = 12
_LONG_AT = 13
_PAGE_SIZE_AT = 14

_TIME_BITS = 27
_TIME_MASK = (1 << _TIME_BITS) - 1
_KIND_MASK = 31


class Kind(IntEnum):
    """Kinds of entries; others than these are the number of words of a record."""

    LONG = 0
    PADDING = 29
    TIME_EXTEND = 30
    TIME_STAMP = 31


@dataclass(frozen=True)
class Entry:
    """Where an entry and its contents begin, and the time since the one before it."""

    at: int
    kind: int
    delta: int
    start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length

    @property
    def is_record(self) -> bool:
        return self.kind not in (Kind.PADDING, Kind.TIME_EXTEND, Kind.TIME_STAMP)


@dataclass(frozen=True)
class PageForm:
    order: str
    long_bytes: int
    page_bytes: int

    @classmethod
    def of(cls, recording: bytes | bytearray) -> "PageForm":
        order = ">" if recording[_ORDER_AT] else "<"
        (page_bytes,) = struct.unpack_from(order + "I", recording, _PAGE_SIZE_AT)
        return cls(order, recording[_LONG_AT], page_bytes)

    @property
    def byte_order(self) -> Literal["big", "little"]:
        """As `int.from_bytes` names it."""
        return "big" if self.order == ">" else "little"

    @cached_property
    def head(self) -> struct.Struct:
        """The time of the first record, and how many bytes are written."""
        return struct.Struct(self.order + ("QQ" if self.long_bytes == 8 else "QI"))

    def pages(self, content: bytes | bytearray, page_bytes: int) -> list[int]:
        """Where pages with data begin."""
        starts = []
        for at in range(0, len(content) - page_bytes + 1, page_bytes):
            time, commit = self.head.unpack_from(content, at)
            if time and 0 < commit <= page_bytes - self.head.size:
                starts.append(at)
        return starts

    def entries(self, content: bytes | bytearray, page: int, page_bytes: int) -> Iterator[Entry]:
        """Those of a page, up to one that is longer than it.

        Source: include/linux/ring_buffer.h (`enum ring_buffer_type`), Linux 2.6.30 to 7.3.
        """
        _, commit = self.head.unpack_from(content, page)
        at = page + self.head.size
        end = at + min(commit, page_bytes - self.head.size)
        while at + 8 <= end:
            entry = self._entry(content, at)
            if entry.length < 0 or entry.end > end:
                return
            yield entry
            at = entry.end

    def set_kind(self, content: bytearray, at: int, kind: int) -> None:
        """Of the entry at a place."""
        (word,) = struct.unpack_from(self.order + "I", content, at)
        little, big = word & ~_KIND_MASK | kind, word & _TIME_MASK | kind << _TIME_BITS
        struct.pack_into(self.order + "I", content, at, little if self.order == "<" else big)

    def _entry(self, content: bytes | bytearray, at: int) -> Entry:
        word, body = struct.unpack_from(self.order + "II", content, at)
        if self.order == "<":
            kind, delta = word & _KIND_MASK, word >> (32 - _TIME_BITS)
        else:
            kind, delta = word >> _TIME_BITS, word & _TIME_MASK
        match kind:
            case Kind.LONG:
                start, length = at + 8, body - 4
            case Kind.PADDING:
                start, length = at + 4, body
            case Kind.TIME_EXTEND | Kind.TIME_STAMP:
                start, length, delta = at + 8, 0, delta + (body << _TIME_BITS)
            case _:
                start, length = at + 4, 4 * kind
        return Entry(at, kind, delta, start, length)
