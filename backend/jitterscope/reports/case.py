"""A case as an HTML page that needs nothing else, as the same text for a mail, and its ruler as a picture."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from jitterscope.reports.elements import link, page, tag, text, titled_list
from jitterscope.reports.ruler import ruler
from jitterscope.reports.times import duration_text, place_text, share_text, stretches_text, ticks_text
from jitterscope.schemas.latency_case import CaseLink, CaseStage, LatencyCase, LinkNormal

_MAX_LINKS = 60
_MAX_BLAME = 12
_MAX_FRAMES = 40


class Recorded(NamedTuple):
    """The recording that a case is of."""

    name: str
    kernel: str | None
    time_unit: str | None = None

    @property
    def unit(self) -> str:
        """Of its times: nanoseconds, or ticks where its clock counts steps of unknown length."""
        return self.time_unit or "ns"


def cases_html(cases: Sequence[tuple[LatencyCase, Recorded]]) -> str:
    """The page, one case under the other. Everything that comes from traces is escaped."""
    title = " | ".join(case.headline for case, _ in cases)
    return page(title, (element for case, recorded in cases for element in _body(case, recorded)))


def case_text(case: LatencyCase, recorded: Recorded) -> str:
    """The page without its ruler. Characters that would steer a terminal are shown as `?`."""
    return "\n".join(text(_body(case, recorded))) + "\n"


def _body(case: LatencyCase, recorded: Recorded) -> Iterator[Element]:
    yield tag("h1", case.headline)
    yield tag("p", _about(case, recorded), class_="dim")
    yield from ruler(case, recorded.unit)
    yield from _chain(case, recorded.unit)
    yield from _blame(case, recorded.unit)
    yield from _stages(case.stages, recorded.unit)
    yield from titled_list("Evidence", [one.sentence for one in case.evidence])
    yield from titled_list("What helps", [f"{one.title}: {one.helps}" for one in case.advice])
    if case.record_next is not None:
        yield from titled_list("Record next", [case.record_next.why, case.record_next.command])
    if case.stack is not None:
        yield from titled_list("Stack", case.stack.frames[:_MAX_FRAMES], look="code")
    yield tag("footer", link(case.url, case.url))


def _about(case: LatencyCase, recorded: Recorded) -> str:
    """`wakeup of cyclictest-1213 on CPU 1, 7.0 µs (7,000 ns), 0.998000000 s after the first record of …`."""
    whom = "" if case.pid is None else f" of {case.comm or '<...>'}-{case.pid}"
    kernel = "" if recorded.kernel is None else f", Linux {recorded.kernel}"
    length, place = _length(case, recorded.unit), place_text(case.t, recorded.unit)
    return f"{case.kind}{whom} on CPU {case.cpu}, {length}, {place} of {recorded.name}{kernel}"


def _length(case: LatencyCase, unit: str) -> str:
    """As people say it, and to the nanosecond."""
    if case.unit != "ns":
        return f"{case.duration_ns:,}"
    if unit == "ticks":
        return ticks_text(case.duration_ns)
    spoken, exact = duration_text(case.duration_ns), f"{case.duration_ns:,} ns"
    return spoken if spoken == exact else f"{spoken} ({exact})"


def _chain(case: LatencyCase, unit: str) -> Iterator[Element]:
    """The links in the order of time; of more than can be shown, the longest."""
    longest = sorted(case.why, key=lambda link: -link.duration_ns)[:_MAX_LINKS]
    shown = sorted(longest, key=lambda link: link.start)
    rows = [_link(link, case, unit) for link in shown]
    if len(case.why) > len(shown):
        rest_ns = sum(link.duration_ns for link in case.why) - sum(link.duration_ns for link in shown)
        words = stretches_text(len(case.why) - len(shown))
        rows.append(_row("", duration_text(rest_ns, unit), share_text(rest_ns, case.duration_ns), words))
    yield from _titled_table("Why", rows)


def _link(link: CaseLink, case: LatencyCase, unit: str) -> Element:
    since = f"+{duration_text(link.start - case.t, unit)}"
    notes = [link.certainty if link.certainty != "recorded" else "", _normal(link.normal, unit)]
    known = "; ".join(note for note in notes if note)
    words = f"{link.sentence} ({known})" if known else link.sentence
    share = share_text(link.duration_ns, case.duration_ns)
    return _row(since, duration_text(link.duration_ns, unit), share, words)


def _normal(normal: LinkNormal | None, unit: str) -> str:
    if normal is None:
        return ""
    return f"#{normal.rank:,} of {normal.count:,}, median {duration_text(normal.median_ns, unit)}"


def _blame(case: LatencyCase, unit: str) -> Iterator[Element]:
    rows = []
    for blame in case.blame[:_MAX_BLAME]:
        what = blame.what if blame.what == blame.cause else f"{blame.cause} {blame.what}"
        where = "" if blame.where is None else f" ({blame.where})"
        share = share_text(blame.duration_ns, case.duration_ns)
        rows.append(_row(duration_text(blame.duration_ns, unit), share, f"{what}{where}"))
    yield from _titled_table("Where the time went", rows)


def _stages(stages: Sequence[CaseStage], unit: str) -> Iterator[Element]:
    rows = [_row(duration_text(one.duration_ns, unit), f"{one.from_} → {one.to}") for one in stages]
    yield from _titled_table("Stages", rows)


def _titled_table(title: str, rows: Sequence[Element]) -> Iterator[Element]:
    if rows:
        yield tag("h2", title)
        yield tag("table", *rows)


def _row(*cells: str) -> Element:
    *times, words = cells
    return tag("tr", *(tag("td", time, class_="time") for time in times), tag("td", words))
