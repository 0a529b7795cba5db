"""The samples of variants split by what they have in common: a table of labels, words of names, or groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.explore.compare.card import Card, numbers_of, rounded, stdev_of
from jitterscope.explore.compare.members import Member, Members
from jitterscope.explore.compare.natural_order import natural_order
from jitterscope.explore.compare.request import CompareRequest, Stratum
from jitterscope.problems import InvalidParameter
from jitterscope.store.models import Label
from jitterscope.store.summaries import groups_of, summaries_by_group

# Rows or columns of a table.
MAX_VALUES = 200
MAX_CELLS = 10_000
# Of all histograms that are read for a table: some 200 MB while they are read.
_MAX_HISTOGRAM_VALUES = 2_000_000

# A row or column; None is for what is not known.
Value = str | None


@dataclass(frozen=True)
class Cell:
    """`row` and `column` are None for what is not known; `column` also where the table has no columns.

    Samples outside all groups have only a count, a mean and a stdev.
    """

    variant: str
    row: Value
    column: Value
    traces: int
    card: Card


@dataclass(frozen=True)
class Strata:
    """Values are in the order of the table, what is not known last. Cells without samples are left out."""

    by: Sequence[Stratum]
    values: Sequence[Sequence[Value]]
    cells: Sequence[Cell]
    has_more: bool


@dataclass(frozen=True)
class Split:
    """Which samples are in which cell, before anything is added up."""

    by: Sequence[Stratum]
    labels: Mapping[tuple[int, str], str]
    # By variant: a member for each trace and group, with the group's name where traces are split.
    grouped: Sequence[Sequence[tuple[Value, Member]]]
    variants: Sequence[Members]
    has_more: bool


async def find_split(session: AsyncSession, request: CompareRequest, variants: Sequence[Members]) -> Split:
    """Reads what the table of strata needs.

    Raises: InvalidParameter where sums are not kept that way, and for a table that is too large.
    """
    keys = [one.trace.key for members in variants for one in members.members]
    names = [stratum.name for stratum in request.strata if stratum.by == "label"]
    rows = await session.execute(
        select(Label.trace_key, Label.name, Label.value).where(
            Label.trace_key.in_(keys), Label.name.in_(names)
        )
    )
    labels = {(key, name): value for key, name, value in rows}
    group_by = request.strata_group()
    if group_by is None:
        grouped: list[list[tuple[Value, Member]]] = [
            [(None, one) for one in members.members] for members in variants
        ]
        return Split(request.strata, labels, grouped, variants, has_more=False)
    kind = request.measure.kind
    groups = await groups_of(session, keys, kind, group_by, MAX_VALUES + 1)
    shown = groups[:MAX_VALUES]
    cost = sum(group.values for group in shown)
    if cost > _MAX_HISTOGRAM_VALUES:
        message = (
            f"the histograms of all of {group_by} have {cost:,} values, and a table may read "
            f"{_MAX_HISTOGRAM_VALUES:,}; select fewer traces"
        )
        raise InvalidParameter("strata", message, location="body")
    wholes = {one.trace.key: one.summary for members in variants for one in members.members}
    found = await summaries_by_group(session, keys, kind, group_by, [group.name for group in shown], wholes)
    by_trace: dict[int, list[tuple[str, Member]]] = defaultdict(list)
    traces = {one.trace.key: one.trace for members in variants for one in members.members}
    for name, summary in found:
        by_trace[summary.trace_key].append((name, Member.of(traces[summary.trace_key], summary)))
    grouped = [[pair for one in members.members for pair in by_trace[one.trace.key]] for members in variants]
    return Split(request.strata, labels, grouped, variants, len(groups) > len(shown))


def strata_of(split: Split) -> Strata | None:
    """The table; None where none was requested.

    Raises: InvalidParameter for a table that is too large.
    """
    if not split.by:
        return None
    found: dict[tuple[int, Value, Value], list[Member]] = defaultdict(list)
    for number, pairs in enumerate(split.grouped):
        for group, member in pairs:
            row, column = _place(split, group, member)
            found[number, row, column].append(member)
    cells = _checked_cells(split, found)
    values = []
    for axis, stratum in enumerate(split.by):
        known = {cell.column if axis else cell.row for cell in cells}
        ordered: list[Value] = [*natural_order((one for one in known if one is not None), stratum.name)]
        if len(ordered) > MAX_VALUES:
            message = (
                f"{stratum} has {len(ordered):,} values, and a table has at most {MAX_VALUES}; "
                "select fewer traces, or another label"
            )
            raise InvalidParameter("strata", message, location="body")
        values.append(ordered + ([None] if None in known else []))
    order = [{value: number for number, value in enumerate(axis)} for axis in values]
    names = {members.variant.name: number for number, members in enumerate(split.variants)}
    cells.sort(
        key=lambda cell: (
            order[0][cell.row],
            order[1][cell.column] if len(order) > 1 else 0,
            names[cell.variant],
        )
    )
    return Strata(split.by, values, cells, split.has_more)


def _place(split: Split, group: Value, member: Member) -> tuple[Value, Value]:
    values = [_value(split, stratum, group, member) for stratum in split.by]
    return values[0], values[1] if len(values) > 1 else None


def _value(split: Split, stratum: Stratum, group: Value, member: Member) -> Value:
    if stratum.by == "label":
        return split.labels.get((member.trace.key, stratum.name))
    return stratum.word_of(member.trace.name) if stratum.by == "word" else group


def _checked_cells(split: Split, found: Mapping[tuple[int, Value, Value], Sequence[Member]]) -> list[Cell]:
    if len(found) > MAX_CELLS:
        message = (
            f"the table would have {len(found):,} cells, and may have {MAX_CELLS:,}; "
            "select fewer traces, or split by one thing"
        )
        raise InvalidParameter("strata", message, location="body")
    cells = [
        Cell(split.variants[number].variant.name, row, column, len(members), numbers_of(members))
        for (number, row, column), members in found.items()
    ]
    return cells + (_ungrouped(split) if any(one.group is not None for one in split.by) else [])


def _ungrouped(split: Split) -> list[Cell]:
    """What all samples of traces come to, less those of the groups: in which group they are is not known.

    Extremes and histograms cannot be taken from one another.
    """
    rest: dict[tuple[int, Value, Value], list[tuple[int, int, int | None]]] = defaultdict(list)
    for number, (members, pairs) in enumerate(zip(split.variants, split.grouped, strict=True)):
        of_groups: dict[int, list[Member]] = defaultdict(list)
        for _, member in pairs:
            of_groups[member.trace.key].append(member)
        for member in members.members:
            own = _less(member, of_groups[member.trace.key])
            if own[0] > 0:
                row, column = _place(split, None, member)
                rest[number, row, column].append(own)
    return [
        Cell(split.variants[number].variant.name, row, column, len(sums), _sums_alone(sums))
        for (number, row, column), sums in rest.items()
    ]


def _less(whole: Member, parts: Sequence[Member]) -> tuple[int, int, int | None]:
    """Count, sum and sum of squares of the samples that are in none of the parts."""
    squares = whole.summary.squares
    for part in parts:
        own = part.summary.squares
        squares = None if squares is None or own is None else squares - own
    return (
        whole.summary.count - sum(part.summary.count for part in parts),
        whole.summary.total_ns - sum(part.summary.total_ns for part in parts),
        squares,
    )


def _sums_alone(sums: Sequence[tuple[int, int, int | None]]) -> Card:
    count, total = sum(one[0] for one in sums), sum(one[1] for one in sums)
    squares = [one[2] for one in sums]
    known = [square for square in squares if square is not None]
    stdev = stdev_of(count, total, sum(known)) if len(known) == len(squares) else None
    numbers = {"mean_ns": rounded(Fraction(total, count)), "stdev_ns": stdev}
    return Card(count, numbers, {}, is_exact=True, longest=None)
