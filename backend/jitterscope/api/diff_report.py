"""What a comparison says to people, for a mail and for a page that stands alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from jitterscope.schemas.diff import Diff, DiffContribution, DiffSide

_CONTRIBUTIONS = 12
_ROWS = 36
_REMARKS = 6


@dataclass(frozen=True)
class Row:
    """A line of the tree of the largest differences."""

    depth: int
    name: str
    status: str
    delta: str
    self_delta: str
    abnormal: str
    normal: str


@dataclass(frozen=True)
class Report:
    """The same content for every form; times are texts. Names are as they came: forms make them safe."""

    summary: str
    title: str
    sides: list[tuple[str, str, DiffSide]]
    sets: list[str]
    guard: list[tuple[bool, str]]
    only_one_side: list[str]
    slower: list[str]
    below_floor: str | None
    rows: list[Row]
    rest: str | None
    notes: list[str]
    url: str


def report_of(diff: Diff) -> Report:
    rows, rest = _largest_rows(diff)
    lists = diff.contributions
    return Report(
        summary=diff.summary,
        title=f"{diff.abnormal.title}: {signed_time(diff.delta_ns)}",
        sides=[
            ("abnormal", time(diff.abnormal.duration_ns), diff.abnormal),
            ("normal", time(diff.normal.duration_ns), diff.normal),
        ],
        sets=_sets(diff),
        guard=[(found.is_doubtful, found.sentence) for found in diff.guard],
        only_one_side=_sentences(lists.only_one_side),
        slower=_sentences(lists.slower),
        below_floor=_below_floor(diff),
        rows=rows,
        rest=rest,
        notes=diff.notes[:_REMARKS],
        url=diff.url,
    )


def time(ns: int) -> str:
    """`63.996 µs`; from 1 ms on rounded, as in the sentence: `1.777 ms`, `2.160 s`."""
    if ns < 1_000_000:
        return exact_time(ns)
    step_ns, unit = (1_000, "ms") if ns < 1_000_000_000 else (1_000_000, "s")
    steps = (ns + step_ns // 2) // step_ns
    return f"{steps // 1_000:,}.{steps % 1_000:03} {unit}"


def exact_time(ns: int) -> str:
    """To the nanosecond, for columns that are added up."""
    return f"{ns // 1_000:,}.{ns % 1_000:03} µs"


def signed_time(ns: int) -> str:
    return _sign(ns) + time(abs(ns))


def _exact_signed_time(ns: int) -> str:
    return _sign(ns) + exact_time(abs(ns))


def _sign(ns: int) -> str:
    return "\N{MINUS SIGN}" if ns < 0 else "+" if ns > 0 else "±"


def _sentences(contributions: Sequence[DiffContribution]) -> list[str]:
    found = [one.sentence for one in contributions[:_CONTRIBUTIONS]]
    if rest := contributions[_CONTRIBUTIONS:]:
        found.append(f"{signed_time(sum(one.delta_ns for one in rest))}: {len(rest)} more")
    return found


def _sets(diff: Diff) -> list[str]:
    found = [("abnormal", diff.abnormal.set), ("normal", diff.normal.set)]
    return [
        f"{of.count:,} {which} ones: median {time(of.median_ns)}, usual distance {time(of.mad_ns)}, "
        f"{time(of.min_ns)} to {time(of.max_ns)}; {of.used:,} of them aligned one by one"
        for which, of in found
        if of is not None
    ]


def _below_floor(diff: Diff) -> str | None:
    rest = diff.contributions.below_floor
    return f"{signed_time(rest.delta_ns)}: {rest.count} below the noise floor" if rest.count else None


def _largest_rows(diff: Diff) -> tuple[list[Row], str | None]:
    """The rows with the largest differences of their own, and their callers, in the order of the tree."""
    rows = diff.rows
    ranked = sorted(range(len(rows.id)), key=lambda at: (-rows.largest_ns[at], at))
    chosen = sorted(at for at in ranked[:_ROWS] if at == 0 or rows.largest_ns[at] > 0)
    shown = [
        Row(
            depth=rows.depth[at],
            name=rows.name[at],
            status=rows.status[at],
            delta=_exact_signed_time(rows.delta_ns[at]),
            self_delta=_exact_signed_time(rows.self_delta_ns[at]),
            abnormal=_optional_time(rows.abnormal.duration_ns[at]),
            normal=_optional_time(rows.normal.duration_ns[at]),
        )
        for at in chosen
    ]
    hidden_ns = diff.delta_ns - sum(rows.self_delta_ns[at] for at in chosen)
    count = len(rows.id) - len(chosen) + diff.rows_hidden.count
    return shown, f"{_exact_signed_time(hidden_ns)} in {count} smaller rows" if count else None


def _optional_time(ns: int | None) -> str:
    return "" if ns is None else exact_time(ns)
