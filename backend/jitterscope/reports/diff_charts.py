"""Both sides of a comparison as flame charts."""

from collections.abc import Iterator
from typing import Literal
from xml.etree.ElementTree import Element

from jitterscope.reports.axis import AXIS_HEIGHT, CHART_WIDTH, KEYS_HEIGHT, drawn_keys, keys, label, ticks
from jitterscope.reports.elements import tag
from jitterscope.reports.picture import TITLE_HEIGHT, picture
from jitterscope.reports.times import axis_text, exact_delta, exact_time
from jitterscope.schemas.diff import Diff, DiffColumns, DiffRows

_LANE_HEIGHT = 15
_MAX_DEPTH = 40
_MIN_WIDTH = 0.4
# Of a picture, for the name of a side.
_NAME_HEIGHT = 20


def charts(diff: Diff) -> Iterator[Element]:
    """Both sides as flame charts on one time scale; what only one has is hatched or outlined."""
    for name, side in _sides(diff):
        drawn, height = _chart(diff, side, 0)
        size = f"0 0 {CHART_WIDTH} {height}"
        chart = tag("svg", _hatching(), *drawn, viewBox=size, role="img", aria_label=name)
        yield tag("h2", name, class_="chart")
        yield tag("div", chart, class_="wide chart")
    yield from keys(_keys(diff))


def diff_svg(diff: Diff) -> str:
    """Both charts as a standalone picture, one under the other, under the sentence."""
    top = TITLE_HEIGHT
    drawn = [_hatching()]
    for name, side in _sides(diff):
        drawn.append(tag("text", name, class_="title", x="4", y=f"{top + 14}"))
        top += _NAME_HEIGHT
        chart, height = _chart(diff, side, top)
        drawn += chart
        top += height
    drawn += drawn_keys(_keys(diff), top)
    return picture(diff.summary, drawn, top + KEYS_HEIGHT)


def _sides(diff: Diff) -> list[tuple[str, DiffColumns]]:
    return [("abnormal", diff.rows.abnormal), ("normal", diff.rows.normal)]


def _chart(diff: Diff, side: DiffColumns, top: int) -> tuple[list[Element], int]:
    """What is drawn of a side below `top`, and its height."""
    scale_ns = max(diff.abnormal.duration_ns, diff.normal.duration_ns, 1)
    boxes = list(_boxes(diff, side, scale_ns, top))
    height = AXIS_HEIGHT + (max((depth for depth, _ in boxes), default=0) + 1) * _LANE_HEIGHT
    axis = ticks(scale_ns, top, top + height, lambda at_ns: axis_text(at_ns, diff.unit))
    return [*axis, *(box for _, box in boxes)], height


def _least_ns(diff: Diff) -> int:
    """A smaller difference is noise, and no colour says otherwise."""
    return max(diff.noise_floor_ns, 1)


def _keys(diff: Diff) -> dict[str, str]:
    return {
        "added": "only abnormal",
        "removed": "only normal",
        "slower": f"slower by itself, by {exact_time(_least_ns(diff), diff.unit)} or more",
        "faster": "faster by as much",
    }


def _hatching() -> Element:
    line = tag("path", d="M0 0V5", class_="hatching")
    size = {"width": "5", "height": "5", "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return tag("defs", tag("pattern", line, id="hatched", **size))


def _boxes(diff: Diff, side: DiffColumns, scale_ns: int, top: int) -> Iterator[tuple[int, Element]]:
    """With the depth of each."""
    rows, unit, least_ns = diff.rows, diff.unit, _least_ns(diff)
    for at, (start_ns, duration_ns) in enumerate(zip(side.start_ns, side.duration_ns, strict=True)):
        depth, name = rows.depth[at], rows.name[at]
        if start_ns is None or duration_ns is None or depth >= _MAX_DEPTH:
            continue
        x, width = start_ns / scale_ns * CHART_WIDTH, duration_ns / scale_ns * CHART_WIDTH
        if width < _MIN_WIDTH:
            continue
        y = top + AXIS_HEIGHT + depth * _LANE_HEIGHT
        tip = f"{name}: {exact_time(duration_ns, unit)}, {exact_delta(rows.delta_ns[at], unit)}"
        box = tag("rect", x=f"{x:.2f}", y=f"{y}", width=f"{width:.2f}", height=f"{_LANE_HEIGHT - 1}")
        words = label(name, x, y + 11, width)
        yield depth, tag("g", tag("title", tip), box, *words, class_=_look(rows, at, least_ns))


def _look(rows: DiffRows, at: int, least_ns: int) -> Literal["added", "removed", "slower", "faster", "same"]:
    match rows.status[at]:
        case "added":
            return "added"
        case "removed":
            return "removed"
        case "matched" if rows.self_delta_ns[at] >= least_ns:
            return "slower"
        case "matched" if rows.self_delta_ns[at] <= -least_ns:
            return "faster"
        case _:
            return "same"
