"""The rules of `proofs` for a trace.dat, whose pages and descriptions carry no checksums."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from page_mutations import HEAD

PAGE_STILL_IN_ORDER = "a page at another time, still in order"
PAGE_OF_THE_KIND = "a page of another recording, in order"
OTHER_CONTENTS = "other values in records of the same lengths"
OTHER_NAMES = "other letters in a name or a text"

_PADDING, _TIME_EXTEND, _TIME_STAMP = 29, 30, 31
# `17 08 44 tracing 6 0`, the order of bytes, the size of a long, and then the size of a page.
_PAGE_SIZE_AT = 14
_TEXT = frozenset(range(0x20, 0x7F)) | frozenset(b"\t\n")


@dataclass(frozen=True)
class _Record:
    """Where the contents of a record lie, and when it happened."""

    start: int
    end: int
    time: int


def proof_of_pages(original: bytes, changed: bytes) -> str | None:
    """The rule that proves it; `None` where something shows that this is not what was recorded."""
    if len(original) != len(changed) or original == changed:
        return None
    places = [at for at, pair in enumerate(zip(original, changed, strict=True)) if pair[0] != pair[1]]
    pages = _Pages(original)
    starts = [
        start
        for start in pages.starts
        if original[start : start + pages.size] != changed[start : start + pages.size]
    ]
    outside = [at for at in places if not any(start <= at < start + pages.size for start in starts)]
    if outside:
        is_text = all(original[at] in _TEXT and changed[at] in _TEXT for at in places)
        return OTHER_NAMES if is_text else None
    if all(_has_same_records(original, changed, start, pages) for start in starts):
        return OTHER_CONTENTS
    if not all(_is_in_order(original, changed, start, pages) for start in starts):
        return None
    restored = bytearray(changed)
    for start in starts:
        restored[start : start + 8] = original[start : start + 8]
    if restored == original:
        return PAGE_STILL_IN_ORDER
    return PAGE_OF_THE_KIND if all(_is_described(changed, start, pages) for start in starts) else None


class _Pages:
    """The pages with data of a little-endian recording that is not compressed."""

    def __init__(self, content: bytes) -> None:
        (self.size,) = struct.unpack_from("<I", content, _PAGE_SIZE_AT)
        # The types of records that the file describes.
        self.types = {int(number) for number in re.findall(rb"\nID: (\d+)\n", content)}
        self.starts = [
            at for at in range(0, len(content) - self.size + 1, self.size) if self._has_data(content, at)
        ]

    def _has_data(self, content: bytes, at: int) -> bool:
        time, commit = HEAD.unpack_from(content, at)
        is_full = bool(time) and 0 < commit <= self.size - HEAD.size
        return is_full and sum(1 for _ in _records(content, at, self.size)) > 0


def _records(content: bytes, page: int, size: int) -> Iterator[_Record]:
    """Those of a page, up to one that is longer than it.

    Source: include/linux/ring_buffer.h (`enum ring_buffer_type`), Linux 2.6.30 to 7.3.
    """
    (time, commit), at = HEAD.unpack_from(content, page), page + HEAD.size
    end = at + min(commit, size - HEAD.size)
    while at + 4 <= end:
        word, body = (int.from_bytes(content[place : place + 4], "little") for place in (at, at + 4))
        kind, delta = word & 31, word >> 5
        match kind:
            case 29:
                start, length = at + 4, body
            case 30 | 31:
                start, length, delta = at + 8, 0, delta + (body << 27)
            case 0:
                start, length = at + 8, body - 4
            case _:
                start, length = at + 4, 4 * kind
        if length < 0 or start + length > end:
            return
        time = delta if kind == _TIME_STAMP else time + delta
        if kind not in (_PADDING, _TIME_EXTEND, _TIME_STAMP):
            yield _Record(start, start + length, time)
        at = start + length


def _is_described(content: bytes, page: int, pages: _Pages) -> bool:
    """Whether a page has records, all of them of types that the file describes."""
    types = [
        int.from_bytes(content[record.start : record.start + 2], "little")
        for record in _records(content, page, pages.size)
    ]
    return bool(types) and pages.types.issuperset(types)


def _has_same_records(original: bytes, changed: bytes, page: int, pages: _Pages) -> bool:
    """Whether only contents of records differ, and each record is of a type that the file describes."""
    records = list(_records(original, page, pages.size))
    restored = bytearray(changed[page : page + pages.size])
    for record in records:
        restored[record.start - page : record.end - page] = original[record.start : record.end]
    return restored == original[page : page + pages.size] and _is_described(changed, page, pages)


def _is_in_order(original: bytes, changed: bytes, page: int, pages: _Pages) -> bool:
    """Whether a page still lies between its neighbours.

    A neighbour whose time is on the other side to begin with is of another CPU.
    """
    before, behind = page - pages.size, page + pages.size
    start, end = _time(original, page), _last_time(original, page, pages.size)
    is_behind = before not in pages.starts or _last_time(original, before, pages.size) > start
    is_before = behind not in pages.starts or _time(original, behind) < end
    return (is_behind or _last_time(changed, before, pages.size) <= _time(changed, page)) and (
        is_before or _last_time(changed, page, pages.size) <= _time(changed, behind)
    )


def _time(content: bytes, page: int) -> int:
    time, _ = HEAD.unpack_from(content, page)
    return int(time)


def _last_time(content: bytes, page: int, size: int) -> int:
    return max((record.time for record in _records(content, page, size)), default=_time(content, page))
