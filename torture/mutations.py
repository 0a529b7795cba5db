"""Damage to binary recordings: one to three edits, of every kind that a disk, a copy or an editor makes."""

import random
from collections.abc import Callable

from transfers_of_files import TRANSFERS_OF_FILES

Edit = Callable[[bytearray, random.Random], None]

_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 64, 100, 512, 1000, 4095, 4096, 4097, 8192)


def mutate(content: bytes, seed: str, head: bytes = b"") -> bytes:
    """The content with edits that `seed` decides; never the content itself.

    It begins with `head` as before, without which it would be a recording of another kind, or a part of one
    in which nothing is missing.
    """
    choice = random.Random(seed)  # noqa: S311 (the same mutants for the same seed)
    while True:
        mutant = bytearray(content)
        for _ in range(choice.choice((1, 1, 1, 1, 2, 3))):
            if mutant:
                choice.choice(_EDITS)(mutant, choice)
        if mutant != content and mutant.startswith(head):
            return bytes(mutant)


def _place(content: bytearray, choice: random.Random) -> int:
    """Anywhere; more often where there is something, and at the head of a page."""
    match choice.randrange(4):
        case 0:
            return choice.randrange(len(content))
        case 1:
            page = choice.choice((4096, 65536))
            return min(
                choice.randrange(len(content) // page + 1) * page + choice.randrange(24), len(content) - 1
            )
    for _ in range(64):
        at = choice.randrange(len(content))
        if content[at]:
            return at
    return choice.randrange(len(content))


def _range(content: bytearray, choice: random.Random) -> tuple[int, int]:
    start = _place(content, choice)
    if choice.randrange(4) == 0:
        start -= start % 4096
    size = choice.choice(_SIZES) if choice.randrange(3) else choice.randrange(1, len(content) + 1)
    return start, min(start + size, len(content))


def _flip_bit(content: bytearray, choice: random.Random) -> None:
    content[_place(content, choice)] ^= 1 << choice.randrange(8)


def _set_byte(content: bytearray, choice: random.Random) -> None:
    content[_place(content, choice)] = choice.choice(
        (0, 1, 0x1D, 0x1E, 0x1F, 0x7F, 0xFF, choice.randrange(256))
    )


def _set_number(content: bytearray, choice: random.Random) -> None:
    """Changes a size, offset or count."""
    width = choice.choice((2, 4, 8))
    at = _place(content, choice)
    at -= at % choice.choice((1, width))
    order = choice.choice(("little", "little", "big"))
    before = int.from_bytes(content[at : at + width], order)  # type: ignore[arg-type] # one of two literals
    step = choice.choice((1, 2, 3, 4, 8, 12, 16, 64, 4096))
    number = choice.choice(
        (0, 1, before + step, before - step, before * 2, before // 2, before + len(content), len(content), -1)
    )
    content[at : at + width] = (number % (1 << 8 * width)).to_bytes(width, order)[: len(content) - at]  # type: ignore[arg-type] # one of two literals


def _insert(content: bytearray, choice: random.Random) -> None:
    at, size = _place(content, choice), choice.choice(_SIZES)
    content[at:at] = choice.choice((bytes(size), choice.randbytes(size), content[at : at + size]))


def _delete(content: bytearray, choice: random.Random) -> None:
    start, end = _range(content, choice)
    del content[start:end]


def _zero(content: bytearray, choice: random.Random) -> None:
    start, end = _range(content, choice)
    content[start:end] = bytes(end - start)


def _fill(content: bytearray, choice: random.Random) -> None:
    start, end = _range(content, choice)
    content[start:end] = choice.choice((b"\xff" * (end - start), choice.randbytes(end - start)))


def _zero_page(content: bytearray, choice: random.Random) -> None:
    start = choice.randrange(len(content)) & ~4095
    end = min(start + 4096 * choice.choice((1, 1, 2, 3)), len(content))
    content[start:end] = bytes(end - start)


def _copy(content: bytearray, choice: random.Random) -> None:
    """Overwrites a block with another one."""
    start, end = _range(content, choice)
    to = min(_place(content, choice), len(content) - (end - start))
    content[to : to + end - start] = content[start:end]


def _copy_page(content: bytearray, choice: random.Random) -> None:
    count = max(len(content) // 4096, 1)
    source, to = (4096 * choice.randrange(count) for _ in range(2))
    page = content[source : source + 4096]
    content[to : to + len(page)] = page


def _shift_pages(content: bytearray, choice: random.Random) -> None:
    """Puts in whole pages, or takes some out."""
    at = choice.randrange(len(content)) & ~4095
    size = 4096 * choice.choice((1, 1, 2, 3))
    if choice.randrange(2):
        del content[at : at + size]
    else:
        content[at:at] = choice.choice((bytes(size), content[at : at + size]))


def _move(content: bytearray, choice: random.Random) -> None:
    start, end = _range(content, choice)
    block = content[start:end]
    del content[start:end]
    at = choice.randrange(len(content) + 1)
    content[at:at] = block


def _swap(content: bytearray, choice: random.Random) -> None:
    """Exchanges two blocks of one size."""
    size = choice.choice((8, 16, 512, 4096))
    if len(content) < 2 * size:
        return
    first, second = (choice.randrange(len(content) // size) * size for _ in range(2))
    blocks = content[first : first + size], content[second : second + size]
    content[second : second + size], content[first : first + size] = blocks


def _duplicate(content: bytearray, choice: random.Random) -> None:
    start, end = _range(content, choice)
    content[end:end] = content[start:end]


def _cut(content: bytearray, choice: random.Random) -> None:
    del content[choice.randrange(len(content)) :]


def _append(content: bytearray, choice: random.Random) -> None:
    size = choice.choice(_SIZES)
    content += choice.choice((bytes(size), choice.randbytes(size), content[-size:]))


_EDITS: tuple[Edit, ...] = (
    _flip_bit,
    _flip_bit,
    _flip_bit,
    _set_byte,
    _set_byte,
    _set_number,
    _set_number,
    _insert,
    _delete,
    _zero,
    _fill,
    _zero_page,
    _copy,
    _copy_page,
    _shift_pages,
    _move,
    _swap,
    _duplicate,
    _cut,
    _append,
    *TRANSFERS_OF_FILES,
)
