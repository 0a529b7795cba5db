"""The rules of `proofs` for a trace.dat, whose pages and descriptions carry no checksums."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from page_form import Kind, PageForm
from page_loss_proofs import proof_of_fewer_pages

PAGE_STILL_IN_ORDER = "a page at another time, still in order"
PAGE_OF_THE_KIND = "a page of another recording, in order"
OTHER_CONTENTS = "other values in records of the same lengths"
OTHER_NAMES = "other letters in a name or a text"

_TEXT = frozenset(range(0x20, 0x7F)) | frozenset(b"\t\n")


@dataclass(frozen=True)
class _Record:
    """Where the contents of a record lie, and when it happened."""

    start: int
    end: int
    time: int


def proof_of_pages(original: bytes, changed: bytes) -> str | None:
    """The rule that proves it; `None` where something shows that this is not what was recorded."""
    if len(original) != len(changed):
        return proof_of_fewer_pages(original, changed)
    if original == changed:
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
    """The pages with data of a recording that is not compressed."""

    def __init__(self, content: bytes) -> None:
        self.form = PageForm.of(content)
        self.size = self.form.page_bytes
        # The types of records that the file describes.
        self.types = {int(number) for number in re.findall(rb"\nID: (\d+)\n", content)}
        starts = self.form.pages(content, self.size)
        self.starts = [at for at in starts if any(True for _ in self.records(content, at))]

    def records(self, content: bytes, page: int) -> Iterator[_Record]:
        time = self.time(content, page)
        for entry in self.form.entries(content, page, self.size):
            time = entry.delta if entry.kind == Kind.TIME_STAMP else time + entry.delta
            if entry.is_record:
                yield _Record(entry.start, entry.end, time)

    def time(self, content: bytes, page: int) -> int:
        time, _ = self.form.head.unpack_from(content, page)
        return int(time)

    def last_time(self, content: bytes, page: int) -> int:
        return max((record.time for record in self.records(content, page)), default=self.time(content, page))

    def type_of(self, content: bytes, record: _Record) -> int:
        return int.from_bytes(content[record.start : record.start + 2], self.form.byte_order)


def _is_described(content: bytes, page: int, pages: _Pages) -> bool:
    """Whether a page has records, all of them of types that the file describes."""
    types = [pages.type_of(content, record) for record in pages.records(content, page)]
    return bool(types) and pages.types.issuperset(types)


def _has_same_records(original: bytes, changed: bytes, page: int, pages: _Pages) -> bool:
    """Whether only contents of records differ, and each record is of a type that the file describes."""
    restored = bytearray(changed[page : page + pages.size])
    for record in pages.records(original, page):
        restored[record.start - page : record.end - page] = original[record.start : record.end]
    return restored == original[page : page + pages.size] and _is_described(changed, page, pages)


def _is_in_order(original: bytes, changed: bytes, page: int, pages: _Pages) -> bool:
    """Whether a page still lies between its neighbours.

    A neighbour whose time is on the other side to begin with is of another CPU.
    """
    before, behind = page - pages.size, page + pages.size
    start, end = pages.time(original, page), pages.last_time(original, page)
    is_behind = before not in pages.starts or pages.last_time(original, before) > start
    is_before = behind not in pages.starts or pages.time(original, behind) < end
    return (is_behind or pages.last_time(changed, before) <= pages.time(changed, page)) and (
        is_before or pages.last_time(changed, page) <= pages.time(changed, behind)
    )
