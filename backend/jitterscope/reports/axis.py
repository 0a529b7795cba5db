"""What charts have in common: the scale of time above, names in what is drawn, and what its colours mean."""

from collections.abc import Callable, Iterator, Mapping
from xml.etree.ElementTree import Element

from jitterscope.reports.elements import tag

CHART_WIDTH = 1_200
"""Pixels for the whole scale."""
AXIS_HEIGHT = 16
"""Pixels above what is drawn, for the times."""

_MIN_TICKS = 5
# Near the right edge there is no room for a time.
_TIME_WIDTH = 80
_CHAR_WIDTH = 6.1
_MIN_CHARS = 4


def ticks(scale_ns: int, top: int, bottom: int, time_of: Callable[[int], str]) -> Iterator[Element]:
    """Lines at round times; the first one, at the start, needs none."""
    power = 10 ** max(len(str(scale_ns // _MIN_TICKS)) - 1, 0)
    step_ns = max((power * digit for digit in (1, 2, 5) if power * digit * _MIN_TICKS <= scale_ns), default=1)
    for at_ns in range(step_ns, scale_ns, step_ns):
        x = at_ns / scale_ns * CHART_WIDTH
        yield tag("path", class_="tick", d=f"M{x:.2f} {top}V{bottom}")
        if x < CHART_WIDTH - _TIME_WIDTH:
            yield tag("text", time_of(at_ns), class_="tick", x=f"{x + 3:.2f}", y=f"{top + 11}")


def label(words: str, x: float, baseline: int, width: float) -> list[Element]:
    """The words in a box of this width, cut where it ends; nothing where no beginning of them fits."""
    room = int((width - 4) / _CHAR_WIDTH)
    if room < _MIN_CHARS:
        return []
    shown = words if len(words) <= room else f"{words[: room - 1]}…"
    return [tag("text", shown, x=f"{x + 2:.2f}", y=f"{baseline}")]


KEYS_HEIGHT = 22
"""Pixels below what is drawn, for `drawn_keys`."""


def drawn_keys(words_of: Mapping[str, str], top: int) -> Iterator[Element]:
    """What the colours mean, by the class that is drawn with them, as a row of a picture."""
    x = 4.0
    for look, words in words_of.items():
        box = tag("rect", x=f"{x:.2f}", y=f"{top + 7}", width="14", height="10")
        yield tag("g", box, class_=look)
        yield tag("text", words, class_="tick", x=f"{x + 19:.2f}", y=f"{top + 16}")
        x += 19 + _CHAR_WIDTH * len(words) + 24


def keys(words_of: Mapping[str, str]) -> Iterator[Element]:
    """The same for a page."""
    spans = [(tag("span", class_=f"key {look}"), words) for look, words in words_of.items()]
    if spans:
        yield tag("p", *(part for span in spans for part in span), class_="dim chart")
