"""A comparison as plain text, for a mail."""

import textwrap
from collections.abc import Iterator

from jitterscope.api.diff_report import Report, Row

_WIDTH = 100
_MAX_LINES = 100
_MARKS = {"added": "only abnormal", "removed": "only normal", "elided": "left out in the other"}


def diff_text(report: Report) -> str:
    """At most 100 lines. Characters that would steer a terminal are shown as `?`."""
    lines = [_printable(line) for line in _lines(report)]
    if len(lines) > _MAX_LINES:
        lines = [*lines[: _MAX_LINES - 1], _printable(report.url)]
    return "\n".join(lines) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from textwrap.wrap(report.summary, _WIDTH)
    yield ""
    for name, duration, side in report.sides:
        yield f"{name:<9} {duration:>14}  {side.title}, {side.trace_name}"
        yield f"{'':<9} {'':>14}  {side.url}"
    for found in report.sets:
        yield from textwrap.wrap(found, _WIDTH)
    yield from _section("What differs around them (! makes it doubtful)", _guard(report))
    yield from _section("Without a counterpart", report.only_one_side)
    yield from _section("Slower or faster", report.slower)
    yield from _section("Too small to be listed", [report.below_floor] if report.below_floor else [])
    yield from _section("Largest differences in the tree", _tree(report))
    yield from _section("Notes", report.notes)
    yield ""
    yield report.url


def _guard(report: Report) -> list[str]:
    return [f"{'!' if is_doubtful else ' '} {sentence}" for is_doubtful, sentence in report.guard]


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield f"{title}:"
    for line in lines:
        yield from (
            textwrap.wrap(line, _WIDTH, initial_indent="  ", subsequent_indent="      ", drop_whitespace=True)
            if len(line) > _WIDTH
            else [f"  {line}"]
        )


def _tree(report: Report) -> list[str]:
    width = max((len(row.delta) for row in report.rows), default=0)
    own_width = max((len(row.self_delta) for row in report.rows), default=0)
    head = f"{'delta':>{width}}  {'by itself':>{own_width}}"
    lines = [head, *(_row(row, width, own_width) for row in report.rows)]
    return [*lines, report.rest] if report.rest else lines


def _row(row: Row, width: int, own_width: int) -> str:
    mark = f"  ({_MARKS[row.status]})" if row.status in _MARKS else ""
    indent = "  " * min(row.depth, 24)
    return f"{row.delta:>{width}}  {row.self_delta:>{own_width}}  {indent}{row.name}{mark}"


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in line)
