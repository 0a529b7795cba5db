"""The rule of `page_proofs` for a trace.dat that has lost whole pages, with its table of CPUs anew."""

import re
import struct
from dataclasses import dataclass
from itertools import pairwise

from page_form import Kind
from structure import structure_of

PAGES_GONE = "whole pages are gone, which nothing counts"

_STATISTICS = re.compile(
    rb"CPU: *(?P<cpu>\d+)\nentries: *(?P<left>\d+)\n.*?\n"
    rb"bytes: *(?P<bytes>\d+)\n.*?\nread events: *(?P<read>\d+)",
    re.DOTALL,
)
_SWITCH = re.compile(
    rb"name: sched_switch\nID: (?P<id>\d+)\n.*?next_pid;\s*offset:(?P<next_pid>\d+);\s*size:4;", re.DOTALL
)
_COMMON_PID_AT = 4


def proof_of_fewer_pages(original: bytes, changed: bytes) -> str | None:
    """The rule, where each CPU has pages of the original in their order, and all else is the same.

    No page numbers the one before it. What may show that one is gone are the statistics of its CPU, and a
    task that runs without a switch to it.
    """
    try:
        whole, rest = _Recording(original), _Recording(changed)
    except (struct.error, IndexError, ValueError):
        return None
    if whole.without_pages != rest.without_pages or len(whole.cpus) != len(rest.cpus):
        return None
    pairs = list(zip(whole.cpus, rest.cpus, strict=True))
    kept = [_places(pages, left) for pages, left in pairs]
    if any(places is None for places in kept) or whole.cpus == rest.cpus:
        return None
    is_counted = any(_is_missed(rest, cpu) for cpu, (pages, left) in enumerate(pairs) if pages != left)
    is_broken = any(_has_gap(whole, cpu, places) for cpu, places in enumerate(kept) if places is not None)
    return None if is_counted or is_broken else PAGES_GONE


@dataclass(frozen=True)
class _Switches:
    """The type of the records of switches, and where they name the next task."""

    type: int
    next_pid_at: int


class _Recording:
    """The pages of each CPU, and the file without them and without their places."""

    def __init__(self, content: bytes) -> None:
        structure = structure_of(content)
        self.form = structure.form
        self.content = content
        blank = bytearray(content)
        self.cpus: list[list[bytes]] = []
        ranges = []
        for number in structure.entries:
            start, size = struct.unpack_from(self.form.order + "QQ", content, number.at)
            blank[number.at : number.at + 16] = bytes(16)
            if start + size > len(content):
                raise ValueError(start)
            step = self.form.page_bytes
            self.cpus.append([content[at : at + step] for at in range(start, start + size, step)])
            ranges.append((start, start + size))
        for start, end in sorted(ranges, reverse=True):
            del blank[start:end]
        self.without_pages = bytes(blank)
        found = _SWITCH.search(content)
        self.switches = _Switches(int(found["id"]), int(found["next_pid"])) if found else None

    def records(self, page: bytes) -> list[bytes]:
        entries = self.form.entries(page, 0, len(page))
        return [page[entry.start : entry.end] for entry in entries if entry.is_record]

    def taken_back_count(self, page: bytes) -> int:
        return sum(entry.kind == Kind.PADDING for entry in self.form.entries(page, 0, len(page)))

    def number(self, record: bytes, at: int, size: int) -> int:
        return int.from_bytes(record[at : at + size], self.form.byte_order)

    def task_before(self, record: bytes) -> int:
        return self.number(record, _COMMON_PID_AT, 4)

    def task_behind(self, record: bytes) -> int:
        switches = self.switches
        if switches and self.number(record, 0, 2) == switches.type:
            return self.number(record, switches.next_pid_at, 4)
        return self.task_before(record)


def _places(pages: list[bytes], left: list[bytes]) -> list[int] | None:
    """Which of the pages are left; `None` where they are not some of them in their order."""
    places, at = [], 0
    for page in left:
        if page not in pages[at:]:
            return None
        at = pages.index(page, at)
        places.append(at)
        at += 1
    return places


def _is_missed(recording: _Recording, cpu: int) -> bool:
    """Whether the statistics of a CPU count more than its pages hold."""
    counted = [match for match in _STATISTICS.finditer(recording.content) if int(match["cpu"]) == cpu]
    if not counted:
        return False
    seen = sum(
        len(recording.records(page)) + recording.taken_back_count(page) for page in recording.cpus[cpu]
    )
    read, left, left_bytes = (int(counted[0][name]) for name in ("read", "left", "bytes"))
    # A recorder does not always read the last page, which was not full.
    may_be_left = len(counted) == 1 and seen == read and left_bytes <= recording.form.page_bytes
    return not may_be_left and seen < read + left


def _has_gap(recording: _Recording, cpu: int, places: list[int]) -> bool:
    """Whether another task runs behind a missing page than before it, where switches were recorded."""
    pages = [(at, recording.records(recording.cpus[cpu][at])) for at in places]
    switches = recording.switches
    if not switches or not any(
        recording.number(record, 0, 2) == switches.type for _, records in pages for record in records
    ):
        return False
    return any(
        before and behind and recording.task_behind(before[-1]) != recording.task_before(behind[0])
        for (at, before), (next_at, behind) in pairwise(pages)
        if next_at > at + 1
    )
