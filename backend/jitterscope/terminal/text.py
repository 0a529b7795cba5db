"""Names and rulers as text for a terminal."""

import os
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Narrower, words would be broken.
_LEAST_WIDTH = 20


def plain(text: str) -> str:
    """Text of a recording, without anything that a terminal would obey."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def terminal_width() -> int | None:
    """Columns of the terminal that is written to; None for a file or a pipe, whose lines are never broken."""
    try:
        return (os.get_terminal_size(sys.stdout.fileno()).columns or None) if sys.stdout.isatty() else None
    except (OSError, ValueError):
        return None


def lines_of(text: str, indent: int = 0) -> Iterator[str]:
    """Text of a recording after `indent`, broken between words where the terminal ends.

    The first `indent` characters of `text` are the indent of the first line; the rest is wrapped.
    """
    width = terminal_width()
    if width is None or width < indent + _LEAST_WIDTH or len(text) <= width:
        yield plain(text)
        return
    # Most output is not wrapped, and starts earlier without it.
    import textwrap  # noqa: PLC0415

    first, rest = plain(text)[:indent], plain(text)[indent:]
    for number, line in enumerate(textwrap.wrap(rest, width - indent, break_on_hyphens=False)):
        yield f"{first if number == 0 else ' ' * indent}{line}"


def titled_list(title: str, sentences: Sequence[str], most: int | None = None) -> Iterator[str]:
    """Sentences below their title after an empty line, `most` at most; nothing where there are none."""
    if not sentences:
        return
    yield from ("", f"{title}:")
    for sentence in sentences[:most]:
        yield from lines_of(f"  {sentence}", 2)
    if most is not None and len(sentences) > most:
        yield f"  and {len(sentences) - most} more; --json has all"


class Piece(NamedTuple):
    """A stretch of a ruler, in nanoseconds from its start."""

    start: int
    end: int
    is_cause: bool


def ruler(pieces: Sequence[Piece], duration: int, width: int) -> str:
    """A bar `width` characters long: `█` is the cause, `░` what else there was, `·` nothing.

    A cause that is shorter than a character still has one.
    """
    line = ["·"] * width
    for piece in sorted(pieces, key=lambda piece: piece.is_cause):
        first = piece.start * width // max(1, duration)
        last = (piece.end * width - 1) // max(1, duration)
        for at in range(max(0, first), min(width - 1, max(first, last)) + 1):
            line[at] = "█" if piece.is_cause else "░"
    return "".join(line)
