"""Times, names and rulers as text for a terminal."""

from collections.abc import Sequence
from typing import NamedTuple

_UNITS = (("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000))
_DIGITS = 3


def duration_text(duration: int, unit: str = "ns") -> str:
    """`8.964 ms`, `17.3 µs`, `512 ns`: three places, cut off; `12 ticks` of clocks without nanoseconds."""
    if unit != "ns":
        return f"{duration:,} {unit}"
    for name, size in _UNITS:
        if abs(duration) >= size:
            whole, rest = divmod(abs(duration), size)
            places = max(1, _DIGITS - len(str(whole)) + 1) if name == "µs" else _DIGITS
            part = rest * 10**places // size
            return f"{'-' if duration < 0 else ''}{whole}.{part:0{places}} {name}"
    return f"{duration} ns"


def plain(text: str) -> str:
    """Text of a recording, without anything that a terminal would obey."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


class Piece(NamedTuple):
    """A stretch of a ruler, in nanoseconds from its start."""

    start: int
    end: int
    is_cause: bool


def ruler(pieces: Sequence[Piece], duration: int, width: int) -> str:
    """A line of so many characters: `█` is the cause, `░` what else there was, `·` nothing.

    A cause that is shorter than a character still has one.
    """
    line = ["·"] * width
    for piece in sorted(pieces, key=lambda piece: piece.is_cause):
        first = piece.start * width // max(1, duration)
        last = (piece.end * width - 1) // max(1, duration)
        for at in range(max(0, first), min(width - 1, max(first, last)) + 1):
            line[at] = "█" if piece.is_cause else "░"
    return "".join(line)
