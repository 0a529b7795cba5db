"""Both sides of a comparison as flame charts on one time scale, drawn as SVG."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Literal

from jitterscope.api.diff_report import signed_time, time
from jitterscope.schemas.diff import Diff, DiffRows

_WIDTH = 1_200
_ROW_HEIGHT = 15
_MAX_DEPTH = 40
_MIN_WIDTH = 0.4
_CHAR_WIDTH = 6.1
_MIN_CHARS = 4
# From here on, a matched call is coloured as slower or faster.
_COLOURED_NS = 500

_HATCH = (
    "<pattern id='hatched' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    "<rect width='6' height='6' style='fill:var(--added);stroke:none'/>"
    "<path d='M0 0V6' style='stroke:Canvas;stroke-width:2'/></pattern>"
)


def chart(diff: Diff) -> Iterator[str]:
    """The abnormal one above the normal one; what only one has is hatched or outlined."""
    scale_ns = max(diff.a_ns, diff.b_ns, 1)
    rows = diff.rows
    for name, starts, durations in (
        ("abnormal", rows.a_start_ns, rows.a_ns),
        ("normal", rows.b_start_ns, rows.b_ns),
    ):
        boxes = list(_boxes(rows, starts, durations, scale_ns))
        height = (max((depth for depth, _ in boxes), default=0) + 1) * _ROW_HEIGHT
        yield f"<h2>{name}</h2><svg viewBox='0 0 {_WIDTH} {height}' role='img' aria-label='{name}'>"
        yield f"<defs>{_HATCH}</defs>"
        yield from (box for _, box in boxes)
        yield "</svg>"


def _boxes(
    rows: DiffRows, starts: Sequence[int | None], durations: Sequence[int | None], scale_ns: int
) -> Iterator[tuple[int, str]]:
    for at, (start_ns, duration_ns) in enumerate(zip(starts, durations, strict=True)):
        depth = rows.depth[at]
        if start_ns is None or duration_ns is None or depth >= _MAX_DEPTH:
            continue
        x, width = start_ns / scale_ns * _WIDTH, duration_ns / scale_ns * _WIDTH
        if width >= _MIN_WIDTH:
            yield depth, _box(rows, at, duration_ns, (x, depth * _ROW_HEIGHT, width))


def _box(rows: DiffRows, at: int, duration_ns: int, place: tuple[float, int, float]) -> str:
    x, y, width = place
    name = rows.name[at]
    tip = f"{name}: {time(duration_ns)}, {signed_time(rows.delta_ns[at])}"
    box = (
        f"<g><title>{escape(tip)}</title><rect class='{_look(rows, at)}' x='{x:.2f}' y='{y}' "
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
