"""Where the parts of a trace.dat are: borders, sizes, offsets, options and the tables of CPUs.

Source: Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and trace-cmd.dat.v7.5.txt of trace-cmd 3.1.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from page_form import PageForm

_VERSION_AT, _HEAD_END = 10, 18
_DONE, _BUFFER = 0, 3
# Options of version 7 that say where a section begins.
_POINTERS = range(16, 22)


@dataclass(frozen=True)
class Number:
    at: int
    size: int


@dataclass
class Structure:
    form: PageForm
    borders: set[int] = field(default_factory=set)
    # Sizes, counts and offsets.
    numbers: list[Number] = field(default_factory=list)
    # From the id of an option to its end.
    options: list[tuple[int, int]] = field(default_factory=list)
    # Of each CPU, the offset of its pages; their size is behind it.
    entries: list[Number] = field(default_factory=list)


def structure_of(recording: bytes) -> Structure:
    """That of a whole recording of version 6 or 7."""
    reader = _Reader(recording)
    if recording[_VERSION_AT : _VERSION_AT + 1] == b"6":
        reader.version_6()
    else:
        reader.version_7()
    found = reader.found
    found.borders = {at for at in found.borders if _HEAD_END < at < len(recording)}
    return found


class _Reader:
    def __init__(self, recording: bytes) -> None:
        self.recording, self.at = recording, _HEAD_END
        self.found = Structure(PageForm.of(recording))

    def number(self, size: int) -> int:
        """The one that follows."""
        number = Number(self.at, size)
        self.found.numbers.append(number)
        self.at += size
        return self.value(number)

    def value(self, number: Number) -> int:
        kind = {2: "H", 4: "I", 8: "Q"}[number.size]
        (value,) = struct.unpack_from(self.found.form.order + kind, self.recording, number.at)
        return int(value)

    def text(self) -> None:
        self.at = self.recording.index(b"\0", self.at) + 1
        self.found.borders.add(self.at)

    def sized(self, size: int) -> None:
        length = self.number(size)
        self.found.borders.update((self.at, self.at + length))
        self.at += length

    def times(self, part: Callable[[], None]) -> None:
        for _ in range(self.number(4)):
            part()

    def formats(self) -> None:
        self.times(lambda: self.sized(8))

    def system(self) -> None:
        self.text()
        self.formats()

    def cpus(self, count: int) -> None:
        for _ in range(count):
            self.found.entries.append(Number(self.at, 8))
            start, size = self.number(8), self.number(8)
            self.found.borders.update((self.at, start, start + size))

    def version_6(self) -> None:
        for _ in range(2):
            self.text()
            self.sized(8)
        self.formats()
        self.times(self.system)
        for size in (4, 4, 8):
            self.sized(size)
        cpu_count = self.number(4)
        if self.recording.startswith(b"options", self.at):
            self.text()
            self.options(len(self.recording))
            self.at += 2
        is_of_pages = self.recording.startswith(b"flyrecord", self.at)
        self.text()
        if is_of_pages:
            self.cpus(cpu_count)

    def options(self, end: int) -> None:
        """Up to the one that ends them, or a place."""
        while self.at + 6 <= end:
            start = self.at
            if self.value(Number(start, 2)) == _DONE:
                return
            self.at += 2
            self.sized(4)
            self.found.options.append((start, self.at))

    def version_7(self) -> None:
        self.text()
        self.text()
        self.at = self.number(8)
        is_packed = self.section()
        if is_packed:
            return
        end = self.at + self.value(Number(self.at - 8, 8))
        self.options(end)
        for start, _ in list(self.found.options):
            kind, self.at = self.value(Number(start, 2)), start + 6
            if kind == _BUFFER:
                self.buffer()
            elif kind in _POINTERS:
                self.at = self.number(8)
                self.section()

    def section(self) -> bool:
        """Whether it is compressed: id, flags, description, size."""
        flags = self.value(Number(self.at + 2, 2))
        self.found.borders.update((self.at, self.at + 16))
        self.at += 8
        size = self.number(8)
        self.found.borders.add(self.at + size)
        return bool(flags & 1)

    def buffer(self) -> None:
        self.number(8)
        self.text()
        self.text()
        self.number(4)
        for _ in range(self.number(4)):
            self.number(4)
            self.cpus(1)
