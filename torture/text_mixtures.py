"""Two texts in one file: sectors of another, its lines, its end, or all of it behind the first."""

from collections.abc import Callable
from random import Random

Mixture = Callable[[Random, bytes, bytes], bytes]

_SECTORS = (512, 1024, 4096)


def join(random: Random, text: bytes, other: bytes) -> bytes:
    """One behind the other, the first with or without its end, or the same again."""
    cut = text[: random.randrange(1, len(text))]
    return random.choice((text + other, cut + other, text.rstrip(b"\n") + other, text + text))


def keep_old_end(random: Random, text: bytes, other: bytes) -> bytes:
    """The longer file that a shorter one was written over."""
    at = random.randrange(1, len(text))
    return text[:at] + other[at:]


def exchange_sector(random: Random, text: bytes, other: bytes) -> bytes:
    """One of the other file, a hole, another of the same file, or none."""
    size = random.choice(_SECTORS)
    at, source = _sector(random, text, size), _sector(random, other, size)
    own = _sector(random, text, size)
    sectors = (other[source : source + size], bytes(size), text[own : own + size], b"")
    return text[:at] + random.choice(sectors) + text[at + size :]


def interleave(random: Random, text: bytes, other: bytes) -> bytes:
    """Two writers of one pipe."""
    size = random.choice(_SECTORS)
    ends = range(0, max(len(text), len(other)), size)
    return b"".join(text[at : at + size] + other[at : at + size] for at in ends)


def go_on_with_lines(random: Random, text: bytes, other: bytes) -> bytes:
    """The first lines of one recording, and the last ones of another."""
    lines, others = text.splitlines(keepends=True), other.splitlines(keepends=True)
    return b"".join([*lines[: random.randrange(1, len(lines) + 1)], *others[random.randrange(len(others)) :]])


def put_lines(random: Random, text: bytes, other: bytes) -> bytes:
    lines, others = text.splitlines(keepends=True), other.splitlines(keepends=True)
    at, start = random.randrange(len(lines)), random.randrange(len(others))
    taken = others[start : start + random.randrange(1, 30)]
    return b"".join([*lines[:at], *taken, *lines[at + random.randrange(20) :]])


def put_line_within(random: Random, text: bytes, other: bytes) -> bytes:
    """Within another line, before its rest or over it."""
    line = random.choice(other.splitlines(keepends=True))
    at = random.randrange(len(text))
    return text[:at] + line + text[at + random.choice((0, len(line))) :]


def take_header(_: Random, text: bytes, other: bytes) -> bytes:
    header = [line for line in other.splitlines(keepends=True) if line.startswith(b"#")][:12]
    rest = [line for line in text.splitlines(keepends=True) if not line.startswith(b"#")]
    return b"".join(header + rest)


MIXTURES: tuple[Mixture, ...] = (
    join,
    keep_old_end,
    exchange_sector,
    interleave,
    go_on_with_lines,
    put_lines,
    put_line_within,
    take_header,
)


def _sector(random: Random, text: bytes, size: int) -> int:
    return random.randrange(max(1, len(text) // size)) * size
