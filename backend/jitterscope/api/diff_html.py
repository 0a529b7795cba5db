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
:root { color-scheme: light dark; --line: #8886; --dim: #666; --warn: #a40; --same: #dcd9d4; --slow: #f0a860;
  --fast: #7cc0ea; --added: #946000; --removed: #1f6fb2; }
@media (prefers-color-scheme: dark) { :root { --warn: #fa6; --same: #4a5866; --dim: #9a9a9a; --added: #f0a030;
  --removed: #6cb8f0; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; }
h1 { font-size: 18px; line-height: 1.4; margin: 1.25rem 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 1.5rem 0 .25rem; }
ul { margin: .25rem 0; padding-left: 1.25rem; } li, p { overflow-wrap: anywhere; }
.dim { color: var(--dim); font-weight: 400; } .doubtful { color: var(--warn); }
td.name, code { font-family: ui-monospace, monospace; font-size: 13px; }
table { border-collapse: collapse; } td { overflow-wrap: anywhere; }
td, th { padding: 1px 1rem 1px 0; text-align: left; vertical-align: top; }
.time { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; } .wide .name { white-space: nowrap; }
.wide tr + tr { border-top: 1px solid var(--line); }
.wide th { color: var(--dim); font-weight: 400; }
tr.added .name { color: var(--added); } tr.removed .name { color: var(--removed); }
svg { display: block; width: 100%; min-width: 60rem; height: auto; margin: .25rem 0 .5rem; }
svg path.tick { stroke: var(--line); }
svg rect { fill: var(--same); stroke: Canvas; stroke-width: .5; }
svg .slower rect { fill: var(--slow); } svg .faster rect { fill: var(--fast); }
svg .added rect { fill: url(#hatched); stroke: var(--added); }
svg .removed rect { fill: none; stroke: var(--removed); stroke-width: 1; }
svg text { font: 10px ui-monospace, monospace; fill: CanvasText; }
svg text.tick { fill: var(--dim); }
svg .slower text, svg .faster text { fill: #000; }
svg .added text { paint-order: stroke; stroke: Canvas; stroke-width: 4px; }
@media (max-width: 40rem) {
  .wide :is(td, th):nth-child(even) { display: none; }
  .wide :is(td, th) { padding-right: .75rem; }
}
.key { display: inline-block; width: 1.75em; height: .9em; margin: 0 .4em 0 1em; vertical-align: -.1em; }
.key:first-child { margin-left: 0; }
.key.slower { background: var(--slow); } .key.faster { background: var(--fast); }
.key.added { border: 1px solid var(--added);
  background: repeating-linear-gradient(135deg, var(--added) 0 1px, transparent 1px 4px); }
.key.removed { border: 1px solid var(--removed); }
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
    for found in report.sets:
        yield f"<p class='dim'>{escape(found)}</p>"
    yield from _list("What differs around them", report.guard)
    yield from chart(diff)
    yield from _list("Without a counterpart", [(False, line) for line in report.only_one_side])
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
    yield "<h2>Largest differences in the tree</h2><div class='wide'><table><tr>"
    yield "".join(f"<th class='time'>{name}</th>" for name in ("delta", "by itself", "abnormal", "normal"))
    yield "<th>call</th></tr>"
    for row in report.rows:
        yield from _row(row)
    yield "</table></div>"
    if report.rest:
        yield f"<p class='dim'>{escape(report.rest)}</p>"


def _row(row: Row) -> Iterator[str]:
    yield f"<tr class='{escape(row.status)}'>"
    for time in (row.delta, row.self_delta, row.abnormal, row.normal):
        yield f"<td class='time'>{time}</td>"
    mark = f" <span class='dim'>{_MARKS[row.status]}</span>" if row.status in _MARKS else ""
    yield f"<td class='name' style='padding-left:{min(row.depth, 40)}em'>{escape(row.name)}{mark}</td></tr>"
