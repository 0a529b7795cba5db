"""A comparison as an HTML page that needs nothing else, and the same page as plain text for a mail."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from jitterscope.reports.diff_charts import charts
from jitterscope.reports.elements import link, page, tag, text, titled_list
from jitterscope.reports.times import exact_delta, exact_time
from jitterscope.reports.verdict import Verdict
from jitterscope.schemas.diff import Diff, DiffContribution, DiffRows, DiffSet, DiffSide, DiffTimes

_CONTRIBUTIONS = 12
_ROWS = 36
_NOTES = 6
_PARTS = 8
_FEWEST_WITH_MAD = 3
_MAX_TEXT_LINES = 100
_STATUS_WORDS = {"added": "only abnormal", "removed": "only normal", "elided": "elided on the other side"}


Verdicts = Sequence[tuple[str, Verdict]]
"""On the sides that are cases, each with the name of its side."""


def diff_html(diff: Diff, verdicts: Verdicts) -> str:
    """The page, with both sides as flame charts. Everything that comes from traces is escaped."""
    return page(f"{diff.abnormal.title}: {exact_delta(diff.delta_ns, diff.unit)}", _body(diff, verdicts))


def diff_text(diff: Diff, verdicts: Verdicts) -> str:
    """At most 100 lines, without the charts. Characters that would steer a terminal are shown as `?`."""
    lines = text(_body(diff, verdicts))
    if len(lines) > _MAX_TEXT_LINES:
        lines = [*lines[: _MAX_TEXT_LINES - 1], diff.url]
    return "\n".join(lines) + "\n"


def set_words(name: str, of: DiffSet, unit: str) -> str:
    """How long the instances of a side are; the median distance from the median of one or two is always 0."""
    mad = f", MAD {exact_time(of.mad_ns, unit)}" if of.count >= _FEWEST_WITH_MAD else ""
    return (
        f"{of.count:,} {name} instances: median {exact_time(of.median_ns, unit)}{mad}, "
        f"{exact_time(of.min_ns, unit)} to {exact_time(of.max_ns, unit)}; {of.used:,} of them aligned"
    )


def _body(diff: Diff, verdicts: Verdicts) -> Iterator[Element]:
    lists = diff.contributions
    yield tag("h1", diff.summary)
    yield tag("h2", "Sides")
    yield tag("table", _side("abnormal", diff.abnormal, diff.unit), _side("normal", diff.normal, diff.unit))
    for name, side in (("abnormal", diff.abnormal), ("normal", diff.normal)):
        if of := side.set:
            yield tag("p", set_words(name, of, diff.unit), class_="dim")
    for name, verdict in verdicts:
        yield from titled_list(f"Why the {name} one took so long", [verdict.headline, *verdict.links])
    yield from titled_list(
        "What makes the comparison doubtful",
        [found.sentence for found in diff.guard if found.is_doubtful],
        look="doubtful",
    )
    yield from titled_list(
        "What else differs", [found.sentence for found in diff.guard if not found.is_doubtful]
    )
    yield from _causes(diff)
    yield from charts(diff)
    yield from titled_list("Without a counterpart", _sentences(lists.only_one_side, diff.unit))
    below = lists.below_floor
    changed = _sentences(lists.slower, diff.unit)
    if below.count:
        changed.append(f"{exact_delta(below.delta_ns, diff.unit)}: {below.count:,} below the noise floor")
    yield from titled_list("Slower or faster", changed)
    yield from _tree(diff)
    yield from titled_list("Notes", diff.notes[:_NOTES])
    yield tag("footer", link(diff.url, diff.url))


def _side(name: str, side: DiffSide, unit: str) -> Element:
    time = tag("td", exact_time(side.duration_ns, unit), class_="time")
    return tag("tr", tag("th", name), time, tag("td", link(side.title, side.url), f", {side.trace_name}"))


def _causes(diff: Diff) -> Iterator[Element]:
    """What had the CPU in two cases, and their stages; nothing of calls."""
    causes: list[tuple[str, DiffTimes]] = []
    for cause in diff.causes:
        causes.append((cause.cause, cause))
        causes += [(f"  {part.what}", part) for part in cause.parts[:_PARTS]]
    stages: list[tuple[str, DiffTimes]] = [(f"{stage.from_} → {stage.to}", stage) for stage in diff.stages]
    for title, lines in (("Causes", causes), ("Stages", stages)):
        if lines:
            yield tag("h2", title)
            yield tag("table", *(_times(name, times, diff.unit) for name, times in lines))
    if diff.by_events is not None:
        yield tag("h2", "By the order of events")
        yield tag("p", diff.by_events)


def _times(name: str, times: DiffTimes, unit: str) -> Element:
    sides = (exact_time(ns, unit) for ns in (times.abnormal_ns, times.normal_ns))
    shown = (exact_delta(times.delta_ns, unit), *sides)
    return tag("tr", *(tag("td", time, class_="time") for time in shown), tag("td", name, class_="name"))


def _sentences(contributions: Sequence[DiffContribution], unit: str) -> list[str]:
    found = [one.sentence for one in contributions[:_CONTRIBUTIONS]]
    if rest := contributions[_CONTRIBUTIONS:]:
        found.append(f"{exact_delta(sum(one.delta_ns for one in rest), unit)}: {len(rest):,} more")
    return found


def _tree(diff: Diff) -> Iterator[Element]:
    """The rows with the largest differences of their own, and their callers, in the order of the tree."""
    rows = diff.rows
    ranked = sorted(range(len(rows.id)), key=lambda at: (-rows.largest_ns[at], at))
    chosen = sorted(at for at in ranked[:_ROWS] if at == 0 or rows.largest_ns[at] > 0)
    titles = (tag("th", title, class_="time") for title in ("delta", "self delta", "abnormal", "normal"))
    yield tag("h2", "Largest differences in the tree")
    head = tag("tr", *titles, tag("th", "call"))
    yield tag("div", tag("table", head, *(_row(rows, at, diff.unit) for at in chosen)), class_="wide")
    if hidden := len(rows.id) - len(chosen) + diff.rows_hidden.count:
        hidden_ns = diff.delta_ns - sum(rows.self_delta_ns[at] for at in chosen)
        yield tag("p", f"{exact_delta(hidden_ns, diff.unit)} in {hidden:,} smaller rows", class_="dim")


def _row(rows: DiffRows, at: int, unit: str) -> Element:
    abnormal, normal = (
        "" if duration_ns is None else exact_time(duration_ns, unit)
        for duration_ns in (rows.abnormal.duration_ns[at], rows.normal.duration_ns[at])
    )
    deltas = (exact_delta(ns, unit) for ns in (rows.delta_ns[at], rows.self_delta_ns[at]))
    times = (*deltas, abnormal, normal)
    indent = "  " * min(rows.depth[at], 24)
    words = tag("span", f"  {_STATUS_WORDS.get(rows.status[at], '')}".rstrip(), class_="dim")
    name = tag("td", indent + rows.name[at], words, class_="name")
    return tag("tr", *(tag("td", time, class_="time") for time in times), name, class_=rows.status[at])
