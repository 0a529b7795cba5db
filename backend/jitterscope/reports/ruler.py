"""A case as a ruler: what each stretch of it went by with, and its stages on the same scale."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from jitterscope.reports.axis import AXIS_HEIGHT, CHART_WIDTH, KEYS_HEIGHT, drawn_keys, keys, label, ticks
from jitterscope.reports.elements import tag
from jitterscope.reports.picture import TITLE_HEIGHT, picture
from jitterscope.reports.times import axis_text, duration_text
from jitterscope.schemas.latency_case import LatencyCase

_ROW_HEIGHT = 26
_ROW_GAP = 4
# A cause that is shorter can still be seen.
_MIN_BAR_WIDTH = 2

# What a stretch went by with: how it is drawn, and what that means.
_LOOKS = {
    "tasks": "behind other tasks",
    "interrupts": "interrupts and softirqs",
    "held": "CPU or task held back: interrupts off, idle, stood still, throttled",
    "itself": "its own work",
    "unknown": "not recorded",
}
_LOOK_OF = {
    "higher_priority": "tasks",
    "equal_priority": "tasks",
    "fair_share": "tasks",
    "not_preemptible": "tasks",
    "waits_for": "tasks",
    "other_interrupt": "interrupts",
    "handler": "interrupts",
    "deferred": "interrupts",
    "ipi": "interrupts",
    "irqs_off": "held",
    "idle_exit": "held",
    "stall": "held",
    "throttled": "held",
    "armed_late": "held",
    "unknown": "unknown",
}


class _Bar(NamedTuple):
    start_ns: int
    duration_ns: int
    words: str
    look: str


def ruler(case: LatencyCase, unit: str) -> Iterator[Element]:
    """The drawing for a page; nothing for a case of which neither a chain nor stages are known."""
    rows = _bars(case)
    if rows:
        size = f"0 0 {CHART_WIDTH} {_height(rows)}"
        drawn = _rows(rows, case.duration_ns, 0, unit)
        chart = tag("svg", *drawn, viewBox=size, role="img", aria_label="Why, on a scale of time")
        yield tag("div", chart, class_="wide chart")
        yield from keys(_keys(case))


def ruler_svg(case: LatencyCase, unit: str) -> str:
    """The same as a standalone picture, under its sentence."""
    rows = _bars(case)
    if not rows:
        return picture(case.headline, (), TITLE_HEIGHT)
    bottom = TITLE_HEIGHT + _height(rows)
    drawn = (*_rows(rows, case.duration_ns, TITLE_HEIGHT, unit), *drawn_keys(_keys(case), bottom))
    return picture(case.headline, drawn, bottom + KEYS_HEIGHT)


def _keys(case: LatencyCase) -> dict[str, str]:
    present = {_look(link.mechanism) for link in case.why}
    return {look: words for look, words in _LOOKS.items() if look in present}


def _bars(case: LatencyCase) -> list[list[_Bar]]:
    """A row of links, and one of stages; a row that would be empty is left out."""
    links = [
        _Bar(link.start - case.t, link.duration_ns, link.sentence, _look(link.mechanism)) for link in case.why
    ]
    stages = [
        _Bar(stage.start_ns - case.t, stage.duration_ns, f"{stage.from_} → {stage.to}", "itself")
        for stage in case.stages
    ]
    return [row for row in (links, stages) if row]


def _look(mechanism: str) -> str:
    return _LOOK_OF.get(mechanism, "itself")


def _height(rows: Sequence[Sequence[_Bar]]) -> int:
    return AXIS_HEIGHT + len(rows) * (_ROW_HEIGHT + _ROW_GAP)


def _rows(rows: Sequence[Sequence[_Bar]], duration_ns: int, top: int, unit: str) -> Iterator[Element]:
    scale_ns = max(duration_ns, 1)
    yield from ticks(scale_ns, top, top + _height(rows), lambda at_ns: f"+{axis_text(at_ns, unit)}")
    for number, bars in enumerate(rows):
        y = top + AXIS_HEIGHT + number * (_ROW_HEIGHT + _ROW_GAP)
        yield from (_drawn(bar, scale_ns, y, unit) for bar in bars if bar.duration_ns > 0)


def _drawn(bar: _Bar, scale_ns: int, y: int, unit: str) -> Element:
    x = bar.start_ns / scale_ns * CHART_WIDTH
    width = max(bar.duration_ns / scale_ns * CHART_WIDTH, _MIN_BAR_WIDTH)
    words = label(bar.words, x, y + 16, width)
    tip = f"{duration_text(bar.duration_ns, unit)}: {bar.words}"
    box = tag("rect", x=f"{x:.2f}", y=f"{y}", width=f"{width:.2f}", height=f"{_ROW_HEIGHT}")
    return tag("g", tag("title", tip), box, *words, class_=bar.look)
