"""One number of many traces along an axis, and where it changed its level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.explore.compare.card import Card, numbers_of
from jitterscope.explore.compare.guard import FACTS
from jitterscope.explore.compare.members import Member, Members
from jitterscope.explore.compare.natural_order import natural_order
from jitterscope.explore.compare.read_members import read_members
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.explore.threads import in_thread
from jitterscope.statistics.change_points import change_points
from jitterscope.store.database import Database
from jitterscope.store.models import Label


@dataclass(frozen=True)
class Point:
    """One trace; `x` is the value of a label, its name, or the day of its upload."""

    x: str
    member: Member
    card: Card


@dataclass(frozen=True)
class Change:
    """From point `index` on, the number has another level than since the change before.

    `normal` is of the level before: the latest of the points whose number is the median. `differs` says what
    else is not the same in this point's trace and in the one before it.
    """

    index: int
    before: int
    after: int
    p_value: float
    normal: int
    differs: Sequence[str] = ()


@dataclass(frozen=True)
class Trend:
    """`without_x` traces lack the label."""

    points: Sequence[Point]
    changes: Sequence[Change]
    without_x: int
    members: Members


async def trend(database: Database, request: CompareRequest, *, x: str, stat: str) -> Trend:
    """Of the only variant of a request, in the order `uploaded`, `name` or `label:NAME`.

    Raises: NotFound, InvalidParameter.
    """
    [members] = await read_members(database, request, with_longest=True)
    async with database.session() as session:
        values = await _values(session, members, x)

    def work() -> Trend:
        placed = _placed(members, values, x)
        points = [Point(x, member, numbers_of([member])) for x, member in placed]
        numbers = [point.card.numbers[stat] or 0 for point in points]
        return Trend(points, _changes(numbers), len(members.members) - len(points), members)

    found = await in_thread(work)
    async with database.session() as session:
        labels = await _labels_around(session, found)
    changes = [replace(one, differs=_differs(found.points, one.index, labels)) for one in found.changes]
    return replace(found, changes=changes)


async def _labels_around(session: AsyncSession, found: Trend) -> dict[int, dict[str, str]]:
    """The labels of the traces on both sides of each change."""
    near = [point for one in found.changes for point in found.points[one.index - 1 : one.index + 1]]
    keys = [point.member.trace.key for point in near]
    labels: dict[int, dict[str, str]] = {key: {} for key in keys}
    for row in await session.scalars(select(Label).where(Label.trace_key.in_(keys)).order_by(Label.name)):
        labels[row.trace_key][row.name] = row.value
    return labels


_MAX_DIFFERENCES = 10


def _differs(points: Sequence[Point], index: int, labels: Mapping[int, Mapping[str, str]]) -> Sequence[str]:
    last, first = (points[at].member.trace for at in (index - 1, index))
    facts = [(what, fact(last), fact(first)) for what, fact in FACTS.items()]
    before, after = labels[last.key], labels[first.key]
    named = [(f"label {name}", before.get(name), after.get(name)) for name in sorted({*before, *after})]
    differences = [
        f"{what}: {_text(was)}, then {_text(then)}" for what, was, then in [*facts, *named] if was != then
    ]
    return differences[:_MAX_DIFFERENCES]


def _text(value: object) -> str:
    return "not stated" if value is None else str(value)


async def _values(session: AsyncSession, members: Members, x: str) -> dict[int, str] | None:
    """What each trace is placed by; None for the order of uploads, which members have already."""
    if x == "uploaded":
        return None
    if x == "name":
        return {one.trace.key: one.trace.name for one in members.members}
    label = x.removeprefix("label:")
    keys = [one.trace.key for one in members.members]
    rows = await session.execute(
        select(Label.trace_key, Label.value).where(Label.trace_key.in_(keys), Label.name == label)
    )
    return {row.trace_key: row.value for row in rows}


def _placed(members: Members, values: dict[int, str] | None, x: str) -> list[tuple[str, Member]]:
    """Sorted; of one value, those uploaded first come first."""
    if values is None:
        return [(f"{one.trace.created_at:%Y-%m-%d}", one) for one in members.members]
    order = {value: number for number, value in enumerate(natural_order(values.values(), x))}
    known = [(values[one.trace.key], one) for one in members.members if one.trace.key in values]
    # The sort is stable, and members come in the order of their uploads.
    return sorted(known, key=lambda pair: order[pair[0]])


def _changes(numbers: Sequence[int]) -> list[Change]:
    found = change_points(numbers)
    ends = [0, *(one.index for one in found), len(numbers)]
    changes = []
    for first, change, end in zip(ends, found, ends[2:], strict=False):
        before, after = numbers[first : change.index], numbers[change.index : end]
        level = _median(before)
        normal = max(number for number in range(first, change.index) if numbers[number] == level)
        changes.append(Change(change.index, level, _median(after), change.p_value, normal))
    return changes


def _median(numbers: Sequence[int]) -> int:
    """The lower one of two, so that it is one of the numbers."""
    return sorted(numbers)[(len(numbers) - 1) // 2]
