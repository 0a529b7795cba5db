"""Damage to the pages of a trace.dat: where they lie, what they say of themselves, and their records."""

import struct
from collections.abc import Callable
from random import Random

from page_form import Kind, PageForm
from structure import structure_of

PageMutation = Callable[[Random, bytearray, bytes], None]

PAGE = 4096
SECTOR = 512


def pages(content: bytes | bytearray) -> list[int]:
    """Where pages with data begin."""
    return PageForm.of(content).pages(content, PAGE)


def swap_pages(random: Random, content: bytearray, _: bytes) -> None:
    one, other = (random.choice(pages(content)) for _ in range(2))
    page = content[one : one + PAGE]
    content[one : one + PAGE] = content[other : other + PAGE]
    content[other : other + PAGE] = page


def repeat_page(random: Random, content: bytearray, _: bytes) -> None:
    """Over another one, or before itself."""
    at, to = (random.choice(pages(content)) for _ in range(2))
    page = content[at : at + PAGE]
    content[to : to + random.choice((PAGE, 0))] = page


def take_page_of_other(random: Random, content: bytearray, other: bytes) -> None:
    at = random.choice(pages(content))
    content[at : at + PAGE] = other[(source := random.choice(pages(other))) : source + PAGE]


def lose_page(random: Random, content: bytearray, _: bytes) -> None:
    at = random.choice(pages(content))
    content[at : at + PAGE] = random.choice((b"", bytes(PAGE)))


def lose_page_and_count_anew(random: Random, content: bytearray, _: bytes) -> None:
    """Its CPU has one page less, and those behind it begin so much earlier."""
    form = PageForm.of(content)
    at = random.choice(form.pages(content, form.page_bytes))
    for entry in structure_of(bytes(content)).entries:
        start, size = struct.unpack_from(form.order + "QQ", content, entry.at)
        if start <= at < start + size:
            size -= form.page_bytes
        elif start > at:
            start -= form.page_bytes
        struct.pack_into(form.order + "QQ", content, entry.at, start, size)
    del content[at : at + form.page_bytes]


def lose_sector(random: Random, content: bytearray, _: bytes) -> None:
    at = random.choice(pages(content)) + SECTOR * random.randrange(PAGE // SECTOR)
    content[at : at + SECTOR] = random.choice((b"\0", b"\xff")) * SECTOR


def change_commit(random: Random, content: bytearray, _: bytes) -> None:
    at, head = random.choice(pages(content)), PageForm.of(content).head
    time, commit = head.unpack_from(content, at)
    step = random.choice((4, 8, 16, 64, 4096))
    commits = (
        commit + step,
        commit - step,
        commit // 8 * 4,
        0,
        commit | 1 << 31,
        commit | 1 << 63,
    )
    bits = 8 * (head.size - 8)
    head.pack_into(content, at, time, random.choice(commits) % (1 << bits))


def change_time(random: Random, content: bytearray, _: bytes) -> None:
    at, head = random.choice(pages(content)), PageForm.of(content).head
    time, commit = head.unpack_from(content, at)
    shift = random.choice((1, 1_000, 10**6, 10**9, 10**12, 1 << 40, 1 << 62)) * random.choice((1, -1))
    head.pack_into(content, at, (time + shift) % (1 << 64), commit)


def change_type(random: Random, content: bytearray, _: bytes) -> None:
    form = PageForm.of(content)
    at = random.choice(_records(form, content, random.choice(pages(content)))) + 4
    kind = int.from_bytes(content[at : at + 2], form.byte_order)
    kinds = (0, kind ^ 1, kind + 1, kind ^ 0x100, 0xFFFF, random.randrange(2_000))
    content[at : at + 2] = (random.choice(kinds) % (1 << 16)).to_bytes(2, form.byte_order)


def change_length(random: Random, content: bytearray, _: bytes) -> None:
    form = PageForm.of(content)
    at = random.choice(_records(form, content, random.choice(pages(content))))
    form.set_kind(content, at, random.randrange(32))


def turn_field(random: Random, content: bytearray, _: bytes) -> None:
    """A number in the other order of bytes."""
    at, size = random.randrange(12, len(content) - 8) // 4 * 4, random.choice((4, 8))
    content[at : at + size] = content[at : at + size][::-1]


def transfer_as_text(random: Random, content: bytearray, _: bytes) -> None:
    """Seven bits, or UTF-8 of what was taken for Latin-1, in a part."""
    at, size = random.randrange(len(content)), random.choice((64, 512, 4096))
    part = content[at : at + size]
    wide = part.decode("latin-1").encode()
    content[at : at + size] = random.choice((bytes(byte & 0x7F for byte in part), wide))


PAGE_MUTATIONS: tuple[PageMutation, ...] = (
    swap_pages,
    repeat_page,
    take_page_of_other,
    lose_page,
    lose_page_and_count_anew,
    lose_sector,
    change_commit,
    change_time,
    change_type,
    change_length,
    turn_field,
    transfer_as_text,
)


def _records(form: PageForm, content: bytes | bytearray, page: int) -> list[int]:
    """Where the records of a page begin that have a length of their own and are no time stamps."""
    return [
        entry.at for entry in form.entries(content, page, PAGE) if entry.is_record and entry.kind != Kind.LONG
    ] or [page + form.head.size]
