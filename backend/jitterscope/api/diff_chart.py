"""Both sides of a comparison as flame charts on one time scale, drawn as SVG."""

from collections.abc import Iterator
from html import escape
from typing import Literal

from jitterscope.api.diff_report import signed_time, time
from jitterscope.schemas.diff import Diff, DiffColumns, DiffRows

_WIDTH = 1_200
_ROW_HEIGHT = 15
# Above the rows, for the times.
_AXIS_HEIGHT = 16
_MIN_TICKS = 5
_MAX_DEPTH = 40
_MIN_WIDTH = 0.4
_CHAR_WIDTH = 6.1
_MIN_CHARS = 4
# From here on, a matched call is coloured as slower or faster.
_COLOURED_NS = 500

_HATCH = (
    "<pattern id='hatched' width='5' height='5' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    "<path d='M0 0V5' style='stroke:var(--added);stroke-width:2'/></pattern>"
)
_KEYS = (
    ("added", "only in the abnormal one"),
    ("removed", "only in the normal one"),
    ("slower", f"slower by itself, by {time(_COLOURED_NS)} or more"),
    ("faster", "faster by as much"),
)


def chart(diff: Diff) -> Iterator[str]:
    """The abnormal one above the normal one; what only one has is hatched or outlined."""
    scale_ns = max(diff.abnormal.duration_ns, diff.normal.duration_ns, 1)
    rows = diff.rows
    for name, side in (("abnormal", rows.abnormal), ("normal", rows.normal)):
        boxes = list(_boxes(rows, side, scale_ns))
        height = _AXIS_HEIGHT + (max((depth for depth, _ in boxes), default=0) + 1) * _ROW_HEIGHT
        yield f"<h2>{name}</h2><div class='wide'>"
        yield f"<svg viewBox='0 0 {_WIDTH} {height}' role='img' aria-label='{name}'><defs>{_HATCH}</defs>"
        yield from _ticks(scale_ns, height)
        yield from (box for _, box in boxes)
        yield "</svg></div>"
    keys = (f"<span class='key {look}'></span>{words}" for look, words in _KEYS)
    yield f"<p class='dim'>{''.join(keys)}</p>"


def _ticks(scale_ns: int, height: int) -> Iterator[str]:
    """Lines at round times; the first one, at the start, needs none."""
    step_ns = _round_step(scale_ns)
    for at_ns in range(step_ns, scale_ns, step_ns):
        x = at_ns / scale_ns * _WIDTH
        # Near the right edge there is no room for the words.
        label = f"<text class='tick' x='{x + 3:.2f}' y='11'>{_short(at_ns)}</text>" if x < _WIDTH - 80 else ""
        yield f"<path class='tick' d='M{x:.2f} 0V{height}'/>{label}"


def _short(at_ns: int) -> str:
    return time(at_ns) if at_ns % 1000 else f"{at_ns // 1000:,} µs"


def _round_step(scale_ns: int) -> int:
    """The largest 1, 2 or 5 times a power of ten that divides the scale at least so often."""
    power = 10 ** max(len(str(scale_ns // _MIN_TICKS)) - 1, 0)
    return max((power * digit for digit in (1, 2, 5) if power * digit * _MIN_TICKS <= scale_ns), default=1)


def _boxes(rows: DiffRows, side: DiffColumns, scale_ns: int) -> Iterator[tuple[int, str]]:
    for at, (start_ns, duration_ns) in enumerate(zip(side.start_ns, side.duration_ns, strict=True)):
        depth = rows.depth[at]
        if start_ns is None or duration_ns is None or depth >= _MAX_DEPTH:
            continue
        x, width = start_ns / scale_ns * _WIDTH, duration_ns / scale_ns * _WIDTH
        if width >= _MIN_WIDTH:
            yield depth, _box(rows, at, duration_ns, (x, _AXIS_HEIGHT + depth * _ROW_HEIGHT, width))


def _box(rows: DiffRows, at: int, duration_ns: int, place: tuple[float, int, float]) -> str:
    x, y, width = place
    name = rows.name[at]
    tip = f"{name}: {time(duration_ns)}, {signed_time(rows.delta_ns[at])}"
    box = (
        f"<g class='{_look(rows, at)}'><title>{escape(tip)}</title><rect x='{x:.2f}' y='{y}' "
        f"width='{width:.2f}' height='{_ROW_HEIGHT - 1}'/>"
    )
    room = int((width - 4) / _CHAR_WIDTH)
    shown = name if len(name) <= room else name[: max(room - 1, 0)] + "…"
    label = f"<text x='{x + 2:.2f}' y='{y + 11}'>{escape(shown)}</text>" if room >= _MIN_CHARS else ""
    return f"{box}{label}</g>"


def _look(rows: DiffRows, at: int) -> Literal["added", "removed", "slower", "faster", "same"]:
    match rows.status[at]:
        case "added":
            return "added"
        case "removed":
            return "removed"
        case "matched" if rows.self_delta_ns[at] >= _COLOURED_NS:
            return "slower"
        case "matched" if rows.self_delta_ns[at] <= -_COLOURED_NS:
            return "faster"
        case _:
            return "same"
