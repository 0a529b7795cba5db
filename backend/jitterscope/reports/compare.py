"""A comparison of variants as an HTML page that needs nothing else, and the same page as plain text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from jitterscope.explore.compare.words import percent_change
from jitterscope.reports.elements import link, page, tag, text, titled_list
from jitterscope.reports.spread_chart import spread_chart
from jitterscope.reports.times import value_delta, value_text
from jitterscope.schemas.compare import (
    CompareAnswer,
    CompareChange,
    CompareDifference,
    ComparedVariant,
    DistributionAnswer,
)
from jitterscope.schemas.shelves import ShelvesAnswer
from jitterscope.schemas.strata import CompareStrata

# Of each variant; the page of a service has all of them.
_CAUSES = 12
_HEADS = ("traces", "samples", "min", "mean ± stdev", "p50", "p90", "p99", "p99.9", "p99.99", "max")
# Whether a difference is more than chance; None where there are too few traces.
_IS_REAL = {True: "yes", False: "no", None: "too few"}
_QUANTILES = ("p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns")


@dataclass(frozen=True)
class CompareReport:
    """What a report is made of. `url` is the page of the comparison; only counts have shelves."""

    measured: str
    answer: CompareAnswer
    spread: DistributionAnswer
    shelves: ShelvesAnswer | None
    url: str

    @property
    def title(self) -> str:
        """The sentence, which is about the shelves where there are some."""
        return self.answer.sentence if self.shelves is None else self.shelves.sentence


def compare_html(report: CompareReport) -> str:
    """The page, with the percentile curves. Everything that comes from traces is escaped."""
    return page(report.title, _body(report))


def compare_text(report: CompareReport) -> str:
    """The page without its curves. Characters that would steer a terminal are shown as `?`."""
    return "\n".join(text(_body(report))) + "\n"


def _body(report: CompareReport) -> Iterator[Element]:
    answer = report.answer
    yield tag("h1", report.title)
    yield tag("p", report.measured, class_="dim")
    if report.shelves is None and len(answer.sentences) > 1:
        named = zip(answer.variants[1:], answer.sentences, strict=True)
        yield from titled_list("Variants", [f"{one.name}: {sentence}" for one, sentence in named])
    yield from titled_list("What else differs", answer.guard, look="doubtful")
    yield from _card(answer.variants, answer.unit)
    yield from spread_chart(report.spread)
    yield from _shelves(report.shelves)
    yield from _differences(answer)
    first = answer.variants[0].name
    yield from _causes(
        "What took the CPUs", answer.causes, first, [f"CPU {one.cpu}" for one in answer.causes]
    )
    if answer.classes is not None:
        causes = answer.classes.causes
        places = [f"{one.cpu_class} CPUs" for one in causes]
        yield from _causes("What took isolated and housekeeping CPUs", causes, first, places)
    yield from titled_list("The tick", [f"{tick.variant}: the tick {tick.product}" for tick in answer.ticks])
    yield from _strata(answer.strata, answer.unit)
    yield from titled_list("Notes", answer.notes)
    yield tag("footer", link(report.url, report.url))


def _card(variants: Sequence[ComparedVariant], unit: str) -> Iterator[Element]:
    def row(one: ComparedVariant) -> Element:
        least, mean, stdev = (_number(value, unit) for value in (one.min_ns, one.mean_ns, one.stdev_ns))
        *quantiles, longest = (_number(getattr(one, stat), unit) for stat in _QUANTILES)
        cells = (f"{one.traces:,}", f"{one.samples:,}", least, f"{mean} ± {stdev}", *quantiles)
        most = tag("td", longest if one.max_url is None else link(longest, one.max_url), class_="time")
        return tag("tr", tag("td", one.name), *(tag("td", cell, class_="time") for cell in cells), most)

    yield tag("h2", "Numbers")
    yield _table(("variant", *_HEADS), [row(one) for one in variants])


def _differences(answer: CompareAnswer) -> Iterator[Element]:
    """Of every statistic, with the interval where there are enough traces."""
    if not answer.differences:
        return
    yield tag("h2", f"Differences from {answer.variants[0].name}")
    heads = ("variant", "statistic", "from", "to", "difference", "95 % interval", "real")
    yield _table(heads, [_difference(one, answer.unit) for one in answer.differences])


def _difference(one: CompareDifference, unit: str) -> Element:
    share = "" if one.share is None else f" ({percent_change(one.share, digits=1)})"
    interval = "too few"
    if one.interval is not None:
        interval = " to ".join(value_delta(bound, unit) for bound in one.interval)
    cells = (
        one.stat.removesuffix("_ns").replace("_", "."),
        value_text(one.before, unit),
        value_text(one.after, unit),
        f"{value_delta(one.delta_ns, unit)}{share}",
        interval,
        _IS_REAL[one.is_real],
    )
    return tag("tr", tag("td", one.variant), *(tag("td", cell, class_="time") for cell in cells))


def _causes(
    title: str, causes: Sequence[CompareChange], first: str, places: Sequence[str]
) -> Iterator[Element]:
    rows = []
    shown: Counter[str] = Counter()
    for cause, place in zip(causes, places, strict=True):
        shown[cause.variant] += 1
        if shown[cause.variant] > _CAUSES:
            continue
        what = " ".join(
            part for part in ("task" if cause.cause == "sched" else cause.cause, cause.what) if part
        )
        cells = (
            *(_rate(per_s) for per_s in (cause.from_per_s, cause.to_per_s)),
            f"{100 * cause.from_share:.3f} %",
            f"{100 * cause.to_share:.3f} %",
            _IS_REAL[cause.is_real],
        )
        times = (tag("td", cell, class_="time") for cell in cells)
        rows.append(
            tag("tr", tag("td", cause.variant), tag("td", place), *times, tag("td", what, class_="name"))
        )
    if rows:
        heads = ("variant", "where", f"{first}: runs/s", "runs/s", f"{first}: share", "share", "real", "what")
        yield tag("h2", title)
        yield _table(heads, rows)
    if rest := len(causes) - len(rows):
        yield tag("p", f"{rest:,} smaller differences are not shown", class_="dim")


def _shelves(found: ShelvesAnswer | None) -> Iterator[Element]:
    if found is None:
        return
    for variant in found.variants:
        lines = [
            f"{_range(one.low, one.high)}, {100 * one.share:.3g} %: {one.summary}" for one in variant.shelves
        ]
        ticks = [variant.tick.product, *variant.tick.why] if variant.tick else []
        yield from titled_list(f"Shelves of {variant.name}", [variant.summary, *lines, *ticks])
    yield from titled_list("Notes on shelves", found.notes)


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _strata(strata: CompareStrata | None, unit: str) -> Iterator[Element]:
    """A row for each cell: variants, rows and columns are three dimensions."""
    if strata is None:
        return
    axes = [strata.rows.by] if strata.columns is None else [strata.rows.by, strata.columns.by]
    rows = []
    for cell in strata.cells:
        names = [cell.row, cell.column][: len(axes)]
        mean, stdev = _number(cell.mean_ns, unit), _number(cell.stdev_ns, unit)
        quantiles = (_number(value, unit) for value in (cell.p50_ns, cell.p99_ns))
        most = _number(cell.max_ns, unit)
        longest = tag("td", most if cell.max_url is None else link(most, cell.max_url), class_="time")
        cells = (f"{cell.count:,}", f"{mean} ± {stdev}", *quantiles)
        named = (tag("td", "not known" if name is None else name) for name in (cell.variant, *names))
        rows.append(tag("tr", *named, *(tag("td", one, class_="time") for one in cells), longest))
    if rows:
        yield tag("h2", "Samples split by " + " and ".join(axes))
        yield _table(("variant", *axes, "samples", "mean ± stdev", "p50", "p99", "max"), rows)


def _table(heads: Sequence[str], rows: Sequence[Element]) -> Element:
    looks = [cell.get("class", "") for cell in rows[0]]
    head = tag("tr", *(tag("th", name, class_=look) for name, look in zip(heads, looks, strict=True)))
    return tag("div", tag("table", head, *rows), class_="wide all")


def _rate(per_s: float | None) -> str:
    return "\N{EN DASH}" if per_s is None else f"{per_s:,.1f}"


def _number(value: int | None, unit: str) -> str:
    return "\N{EN DASH}" if value is None else value_text(value, unit)
