"""Damage to the structure of a trace.dat: its sizes, offsets, options and tables, and cuts at its borders."""

import struct
from collections.abc import Callable
from random import Random

from structure import Number, Structure, structure_of

StructureMutation = Callable[[Random, bytearray, Structure], None]

_STEPS = (1, 4, 8, 64, 4096)
_MAX_FLIPS = 64


def cut_at_border(random: Random, content: bytearray, found: Structure) -> None:
    """Or one byte beside it."""
    del content[random.choice(sorted(found.borders)) + random.choice((-1, 0, 1)) :]


def flip_bits(random: Random, content: bytearray, found: Structure) -> None:
    """From one to many, half of them near borders."""
    borders = sorted(found.borders)
    for _ in range(random.randrange(1, _MAX_FLIPS + 1)):
        near = random.choice(borders) + random.randrange(-8, 24)
        at = random.choice((near, random.randrange(len(content))))
        content[min(at, len(content) - 1)] ^= 1 << random.randrange(8)


def change_number(random: Random, content: bytearray, found: Structure) -> None:
    number = random.choice(found.numbers)
    before = _value(content, found, number)
    step = random.choice(_STEPS)
    _put(
        content, found, number, random.choice((0, before + step, before - step, before * 2, before // 2, -1))
    )


def change_entry(random: Random, content: bytearray, found: Structure) -> None:
    """Whole pages more or less, or elsewhere."""
    entry = random.choice(found.entries or found.numbers)
    number = Number(entry.at + random.choice((0, entry.size)), entry.size)
    step = found.form.page_bytes * random.choice((1, -1, 2))
    _put(content, found, number, _value(content, found, number) + step)


def swap_entries(random: Random, content: bytearray, found: Structure) -> None:
    """One CPU's pages for another's, with or without their sizes."""
    one, other = (random.choice(found.entries or found.numbers) for _ in range(2))
    size = one.size * random.choice((1, 2))
    first, second = content[one.at : one.at + size], content[other.at : other.at + size]
    content[one.at : one.at + size], content[other.at : other.at + size] = second, first


def lose_option(random: Random, content: bytearray, found: Structure) -> None:
    start, end = _option(random, found)
    del content[start:end]


def repeat_option(random: Random, content: bytearray, found: Structure) -> None:
    start, end = _option(random, found)
    content[end:end] = content[start:end]


def move_option(random: Random, content: bytearray, found: Structure) -> None:
    """Writes one option over the beginning of another."""
    (start, end), (to, _) = _option(random, found), _option(random, found)
    content[to : to + end - start] = content[start:end]


STRUCTURE_MUTATIONS: tuple[StructureMutation, ...] = (
    cut_at_border,
    flip_bits,
    change_number,
    change_entry,
    swap_entries,
    lose_option,
    repeat_option,
    move_option,
)


def mutate_structure(content: bytes, seed: str, number: int) -> bytes:
    """The content with the change that `number` decides."""
    random, mutant = Random(seed), bytearray(content)  # noqa: S311 (the same mutants for the same seed)
    STRUCTURE_MUTATIONS[number % len(STRUCTURE_MUTATIONS)](random, mutant, structure_of(content))
    return bytes(mutant)


def _option(random: Random, found: Structure) -> tuple[int, int]:
    """Of options that are compressed, the pointer to them."""
    pointer = found.numbers[0]
    return random.choice(found.options or [(pointer.at, pointer.at + pointer.size)])


def _kind(found: Structure, number: Number) -> str:
    return found.form.order + {2: "H", 4: "I", 8: "Q"}[number.size]


def _value(content: bytearray, found: Structure, number: Number) -> int:
    (value,) = struct.unpack_from(_kind(found, number), content, number.at)
    return int(value)


def _put(content: bytearray, found: Structure, number: Number, value: int) -> None:
    struct.pack_into(_kind(found, number), content, number.at, value % (1 << 8 * number.size))
