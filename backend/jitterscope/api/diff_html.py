"""A comparison as one HTML file that needs nothing else."""

from collections.abc import Iterator
from html import escape

from jitterscope.api.diff_chart import chart
from jitterscope.api.diff_report import Report, Row
from jitterscope.schemas.diff import Diff

# Nothing is loaded, and nothing runs.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-popups"
)

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --dim: #777; --warn: #a40; --same: #9aa7b5; --slow: #d55e00;
  --fast: #0072b2; --added: #e69f00; }
@media (prefers-color-scheme: dark) { :root { --warn: #fa6; --same: #4a5866; --dim: #999; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 0 1rem 4rem; }
h1 { font-size: 18px; line-height: 1.4; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 2rem 0 .25rem; }
.dim { color: var(--dim); } .doubtful { color: var(--warn); }
td.name, code { font-family: ui-monospace, monospace; font-size: 13px; }
table { border-collapse: collapse; } td, th { padding: 1px 1rem 1px 0; text-align: left; }
td.time, th.time { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.added td.name, tr.removed td.name { font-weight: 600; }
svg { width: 100%; height: auto; display: block; border: 1px solid var(--line); margin: .25rem 0 .75rem; }
svg rect { fill: var(--same); stroke: Canvas; stroke-width: .5; }
svg rect.slower { fill: var(--slow); } svg rect.faster { fill: var(--fast); }
svg rect.added { fill: url(#hatched); }
svg rect.removed { fill: none; stroke: CanvasText; stroke-dasharray: 3 2; stroke-width: 1; }
svg text { font: 10px ui-monospace, monospace; fill: CanvasText; }
"""

_MARKS = {
    "added": "only in the abnormal one",
    "removed": "only in the normal one",
    "elided": "left out there",
}


def diff_html(diff: Diff, report: Report) -> str:
    """The page. Everything that comes from traces is escaped."""
    return "".join(_parts(diff, report))


def _parts(diff: Diff, report: Report) -> Iterator[str]:
    yield "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
    yield "<meta name='viewport' content='width=device-width'>"
    yield f"<title>{escape(report.title)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(report.summary)}</h1><table>"
    for name, duration, side in report.sides:
        yield f"<tr><th>{name}</th><td class='time'>{duration}</td><td>"
        yield f"<a href='{escape(side.url)}'>{escape(side.title)}</a>, {escape(side.trace_name)}</td></tr>"
    yield "</table>"
    if report.normal_set is not None:
        yield f"<p class='dim'>{escape(report.normal_set)}</p>"
    yield from _list("What differs around them", report.guard)
    yield from chart(diff)
    yield from _list("Only one of them calls", [(False, line) for line in report.only_one_side])
    small = [report.below_floor] if report.below_floor else []
    yield from _list("Slower or faster", [(False, line) for line in [*report.slower, *small]])
    yield from _tree(report)
    yield from _list("Notes", [(False, line) for line in report.notes])
    yield f"<p><a href='{escape(report.url)}'>{escape(report.url)}</a></p></body></html>"


def _list(title: str, lines: list[tuple[bool, str]]) -> Iterator[str]:
    if lines:
        yield f"<h2>{title}</h2><ul>"
        for is_doubtful, line in lines:
            yield (
                f"<li class='doubtful'>{escape(line)} This makes it doubtful.</li>"
                if is_doubtful
                else (f"<li>{escape(line)}</li>")
            )
        yield "</ul>"


def _tree(report: Report) -> Iterator[str]:
    yield "<h2>Largest differences in the tree</h2><table><tr>"
    yield "".join(f"<th class='time'>{name}</th>" for name in ("delta", "by itself", "abnormal", "normal"))
    yield "<th>call</th></tr>"
    for row in report.rows:
        yield from _row(row)
    yield "</table>"
    if report.rest:
        yield f"<p class='dim'>{escape(report.rest)}</p>"


def _row(row: Row) -> Iterator[str]:
    yield f"<tr class='{escape(row.status)}'>"
    for time in (row.delta, row.self_delta, row.abnormal, row.normal):
        yield f"<td class='time'>{time}</td>"
    mark = f" <span class='dim'>{_MARKS[row.status]}</span>" if row.status in _MARKS else ""
    yield f"<td class='name' style='padding-left:{min(row.depth, 40)}em'>{escape(row.name)}{mark}</td></tr>"
