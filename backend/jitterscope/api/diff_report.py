"""A comparison as an HTML page that needs nothing else, and the same page as plain text for a mail."""

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element, tostring

from jitterscope.api.verdicts import Verdict
from jitterscope.schemas.diff import Diff, DiffColumns, DiffContribution, DiffRows, DiffSide, DiffTimes

# Nothing is loaded, and nothing runs.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-popups"
)

_STYLE = Path(__file__).with_name("diff_report.css").read_text(encoding="utf-8")
_CONTRIBUTIONS = 12
_ROWS = 36
_NOTES = 6
_PARTS = 8
_TEXT_WIDTH = 100
_MAX_TEXT_LINES = 100

_CHART_WIDTH = 1_200
_LANE_HEIGHT = 15
# Above the lanes, for the times.
_AXIS_HEIGHT = 16
_MAX_DEPTH = 40
_MIN_WIDTH = 0.4
_CHAR_WIDTH = 6.1
_MIN_CHARS = 4
_MIN_TICKS = 5
_STATUS_WORDS = {"added": "only abnormal", "removed": "only normal", "elided": "elided on the other side"}


Verdicts = Sequence[tuple[str, Verdict]]
"""On the sides that are cases, each with the name of its side."""


def diff_html(diff: Diff, verdicts: Verdicts) -> str:
    """The page, with both sides as flame charts. Everything that comes from traces is escaped."""
    head = _tag(
        "head",
        _tag("meta", charset="utf-8"),
        _tag("meta", name="viewport", content="width=device-width"),
        _tag("title", f"{diff.abnormal.title}: {_delta(diff.delta_ns)}"),
        _tag("style", _STYLE),
    )
    page = _tag("html", head, _tag("body", *_body(diff, verdicts)), lang="en")
    return "<!doctype html>" + tostring(page, encoding="unicode", method="html")


def diff_text(diff: Diff, verdicts: Verdicts) -> str:
    """At most 100 lines, without the charts. Characters that would steer a terminal are shown as `?`."""
    lines = [line for element in _body(diff, verdicts) for line in _lines(element)]
    if len(lines) > _MAX_TEXT_LINES:
        lines = [*lines[: _MAX_TEXT_LINES - 1], diff.url]
    printable = ("".join(char if char.isprintable() else "?" for char in line) for line in lines)
    return "\n".join(printable) + "\n"


def _body(diff: Diff, verdicts: Verdicts) -> Iterator[Element]:
    lists = diff.contributions
    yield _tag("h1", diff.summary)
    yield _tag("h2", "Sides")
    yield _tag("table", _side("abnormal", diff.abnormal), _side("normal", diff.normal))
    for name, side in (("abnormal", diff.abnormal), ("normal", diff.normal)):
        if of := side.set:
            words = (
                f"{of.count:,} {name} instances: median {_time(of.median_ns)}, MAD {_time(of.mad_ns)}, "
                f"{_time(of.min_ns)} to {_time(of.max_ns)}; {of.used:,} of them aligned"
            )
            yield _tag("p", words, class_="dim")
    for name, verdict in verdicts:
        yield from _list(f"Why the {name} one took so long", [verdict.headline, *verdict.links])
    yield from _list(
        "What makes the comparison doubtful",
        [found.sentence for found in diff.guard if found.is_doubtful],
        look="doubtful",
    )
    yield from _list("What else differs", [found.sentence for found in diff.guard if not found.is_doubtful])
    yield from _causes(diff)
    yield from _charts(diff)
    yield from _list("Without a counterpart", _sentences(lists.only_one_side))
    below = lists.below_floor
    small = [f"{_delta(below.delta_ns)}: {below.count} below the noise floor"] if below.count else []
    yield from _list("Slower or faster", [*_sentences(lists.slower), *small])
    yield from _tree(diff)
    yield from _list("Notes", diff.notes[:_NOTES])
    yield _tag("footer", _tag("a", diff.url, href=diff.url))


def _side(name: str, side: DiffSide) -> Element:
    link = _tag("a", side.title, href=side.url)
    time = _tag("td", _time(side.duration_ns), class_="time")
    return _tag("tr", _tag("th", name), time, _tag("td", link, f", {side.trace_name}"))


def _causes(diff: Diff) -> Iterator[Element]:
    """What had the CPU in two cases, and their stages; nothing of calls."""
    causes: list[tuple[str, DiffTimes]] = []
    for cause in diff.causes:
        causes.append((cause.cause, cause))
        causes += [(f"  {part.what}", part) for part in cause.parts[:_PARTS]]
    stages: list[tuple[str, DiffTimes]] = [(f"{stage.from_} → {stage.to}", stage) for stage in diff.stages]
    for title, lines in (("Causes", causes), ("Stages", stages)):
        if lines:
            yield _tag("h2", title)
            yield _tag("table", *(_times(name, times) for name, times in lines))
    if diff.by_events is not None:
        yield _tag("h2", "By the order of events")
        yield _tag("p", diff.by_events)


def _times(name: str, times: DiffTimes) -> Element:
    shown = (_delta(times.delta_ns), _time(times.abnormal_ns), _time(times.normal_ns))
    return _tag("tr", *(_tag("td", time, class_="time") for time in shown), _tag("td", name, class_="name"))


def _list(title: str, lines: Sequence[str], look: str = "") -> Iterator[Element]:
    if lines:
        yield _tag("h2", title)
        yield _tag("ul", *(_tag("li", line) for line in lines), class_=look)


def _sentences(contributions: Sequence[DiffContribution]) -> list[str]:
    found = [one.sentence for one in contributions[:_CONTRIBUTIONS]]
    if rest := contributions[_CONTRIBUTIONS:]:
        found.append(f"{_delta(sum(one.delta_ns for one in rest))}: {len(rest)} more")
    return found


def _tree(diff: Diff) -> Iterator[Element]:
    """The rows with the largest differences of their own, and their callers, in the order of the tree."""
    rows = diff.rows
    ranked = sorted(range(len(rows.id)), key=lambda at: (-rows.largest_ns[at], at))
    chosen = sorted(at for at in ranked[:_ROWS] if at == 0 or rows.largest_ns[at] > 0)
    titles = (_tag("th", title, class_="time") for title in ("delta", "self delta", "abnormal", "normal"))
    yield _tag("h2", "Largest differences in the tree")
    head = _tag("tr", *titles, _tag("th", "call"))
    yield _tag("div", _tag("table", head, *(_row(rows, at) for at in chosen)), class_="wide")
    if hidden := len(rows.id) - len(chosen) + diff.rows_hidden.count:
        hidden_ns = diff.delta_ns - sum(rows.self_delta_ns[at] for at in chosen)
        yield _tag("p", f"{_delta(hidden_ns)} in {hidden} smaller rows", class_="dim")


def _row(rows: DiffRows, at: int) -> Element:
    abnormal, normal = (
        "" if duration_ns is None else _time(duration_ns)
        for duration_ns in (rows.abnormal.duration_ns[at], rows.normal.duration_ns[at])
    )
    times = (_delta(rows.delta_ns[at]), _delta(rows.self_delta_ns[at]), abnormal, normal)
    indent = "  " * min(rows.depth[at], 24)
    words = _tag("span", f"  {_STATUS_WORDS.get(rows.status[at], '')}".rstrip(), class_="dim")
    name = _tag("td", indent + rows.name[at], words, class_="name")
    return _tag("tr", *(_tag("td", time, class_="time") for time in times), name, class_=rows.status[at])


def _charts(diff: Diff) -> Iterator[Element]:
    """Both sides as flame charts on one time scale; what only one has is hatched or outlined."""
    scale_ns = max(diff.abnormal.duration_ns, diff.normal.duration_ns, 1)
    # A smaller difference is noise, and no colour says otherwise.
    least_ns = max(diff.noise_floor_ns, 1)
    for name, side in (("abnormal", diff.rows.abnormal), ("normal", diff.rows.normal)):
        boxes = list(_boxes(diff.rows, side, scale_ns, least_ns))
        height = _AXIS_HEIGHT + (max((depth for depth, _ in boxes), default=0) + 1) * _LANE_HEIGHT
        drawn = (_hatching(), *_ticks(scale_ns, height), *(box for _, box in boxes))
        size = f"0 0 {_CHART_WIDTH} {height}"
        yield _tag("h2", name, class_="chart")
        yield _tag("div", _tag("svg", *drawn, viewBox=size, role="img", aria_label=name), class_="wide chart")
    keys = [(_tag("span", class_=f"key {look}"), words) for look, words in _keys(least_ns).items()]
    yield _tag("p", *(part for key in keys for part in key), class_="dim chart")


def _keys(least_ns: int) -> dict[str, str]:
    return {
        "added": "only abnormal",
        "removed": "only normal",
        "slower": f"slower by itself, by {_time(least_ns)} or more",
        "faster": "faster by as much",
    }


def _hatching() -> Element:
    line = _tag("path", d="M0 0V5", style="stroke:var(--added);stroke-width:2")
    size = {"width": "5", "height": "5", "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return _tag("defs", _tag("pattern", line, id="hatched", **size))


def _ticks(scale_ns: int, height: int) -> Iterator[Element]:
    """Lines at round times; the first one, at the start, needs none."""
    power = 10 ** max(len(str(scale_ns // _MIN_TICKS)) - 1, 0)
    step_ns = max((power * digit for digit in (1, 2, 5) if power * digit * _MIN_TICKS <= scale_ns), default=1)
    for at_ns in range(step_ns, scale_ns, step_ns):
        x = at_ns / scale_ns * _CHART_WIDTH
        yield _tag("path", class_="tick", d=f"M{x:.2f} 0V{height}")
        # Near the right edge there is no room for the words.
        if x < _CHART_WIDTH - 80:
            yield _tag("text", _time(at_ns), class_="tick", x=f"{x + 3:.2f}", y="11")


def _boxes(rows: DiffRows, side: DiffColumns, scale_ns: int, least_ns: int) -> Iterator[tuple[int, Element]]:
    """With the depth of each."""
    for at, (start_ns, duration_ns) in enumerate(zip(side.start_ns, side.duration_ns, strict=True)):
        depth, name = rows.depth[at], rows.name[at]
        if start_ns is None or duration_ns is None or depth >= _MAX_DEPTH:
            continue
        x, width = start_ns / scale_ns * _CHART_WIDTH, duration_ns / scale_ns * _CHART_WIDTH
        if width < _MIN_WIDTH:
            continue
        y, room = _AXIS_HEIGHT + depth * _LANE_HEIGHT, int((width - 4) / _CHAR_WIDTH)
        tip = f"{name}: {_time(duration_ns)}, {_delta(rows.delta_ns[at])}"
        box = _tag("rect", x=f"{x:.2f}", y=f"{y}", width=f"{width:.2f}", height=f"{_LANE_HEIGHT - 1}")
        label = name if len(name) <= room else f"{name[: room - 1]}…"
        text = [_tag("text", label, x=f"{x + 2:.2f}", y=f"{y + 11}")] if room >= _MIN_CHARS else []
        yield depth, _tag("g", _tag("title", tip), box, *text, class_=_look(rows, at, least_ns))


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


def _lines(element: Element) -> Iterator[str]:
    """An element of the page as text."""
    if "chart" in element.get("class", ""):
        return
    words = "".join(element.itertext())
    match element.tag:
        case "h2":
            yield from ("", f"{words}:")
        case "ul":
            for item in element:
                words = "".join(item.itertext())
                yield from textwrap.wrap(words, _TEXT_WIDTH, initial_indent="  ", subsequent_indent=" " * 6)
        case "table":
            yield from _table_lines(element)
        case "div":
            yield from (line for child in element for line in _lines(child))
        case "footer":
            yield from ("", words)
        case _:
            yield from textwrap.wrap(words, _TEXT_WIDTH)


def _table_lines(table: Element) -> Iterator[str]:
    rows = [["".join(cell.itertext()) for cell in row] for row in table]
    # The last column is as wide as it likes.
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row, cells in zip(table, rows, strict=True):
        yield "  ".join([*map(str.rjust, cells, widths), cells[-1]])
        if (link := row.find(".//a")) is not None:
            yield f"{'':{sum(widths) + 2 * len(widths)}}{link.get('href')}"


def _time(ns: int) -> str:
    """To the nanosecond: `1,063.996 µs`."""
    return f"{ns / 1_000:,.3f} µs".replace("-", "\N{MINUS SIGN}")


def _delta(ns: int) -> str:
    return f"{'+' if ns > 0 else ''}{_time(ns)}"


def _tag(name: str, /, *content: Element | str, **attributes: str) -> Element:
    """An element; `class_` is its class, and `aria_label` its `aria-label`."""
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value}
    element = Element(name, named)
    for part in content:
        if isinstance(part, Element):
            element.append(part)
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + part
        else:
            element.text = (element.text or "") + part
    return element
