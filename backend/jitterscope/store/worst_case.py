"""The worst case of each trace, from the few that were kept when it was loaded."""

import json
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    and_,
    any_,
    bindparam,
    case,
    column,
    func,
    literal_column,
    select,
    table,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope import _ftrace
from jitterscope.store.models import JsonObject, Trace

_Value = TypeVar("_Value")

# The worst news comes first: how late the measured thread was, then how late something else was. How long
# something took is often no fault, and the rest sleeps for as long as it asked to.
_LATENESS = ("measured", "late", "long", "asleep")

_CASE = table(
    "latency_case",
    column("trace_key"),
    column("kind"),
    column("rank"),
    column("duration_ns"),
    column("cpu"),
    column("flags", Integer),
)
_KIND = table("latency_kind", column("trace_key"), column("kind"), column("name"))
_EXPLANATION = table(
    "latency_explanation",
    column("trace_key"),
    column("kind"),
    column("rank"),
    column("id"),
    column("headline"),
    column("ruler", JSONB),
)
_TASK = table(
    "latency_task", column("trace_key"), column("kind"), column("task"), column("duration_ns"), column("cpu")
)
_OF_KIND = and_(_KIND.c.trace_key == _CASE.c.trace_key, _KIND.c.kind == _CASE.c.kind)
_EXPLAINS = and_(
    _EXPLANATION.c.trace_key == _CASE.c.trace_key,
    _EXPLANATION.c.kind == _CASE.c.kind,
    _EXPLANATION.c.rank == _CASE.c.rank,
)
_RANK = case(
    {kind["kind"]: _LATENESS.index(kind["lateness"]) for kind in json.loads(_ftrace.catalog())["latencies"]},
    value=_KIND.c.name,
    else_=len(_LATENESS),
)
# Bare numbers, as FTQ counts them, are no time, and the largest may be the best.
_IS_TIME = _CASE.c.flags.bitwise_and(_ftrace.NUMBER_FLAG) == 0
_IS_WORST = and_(_CASE.c.rank == 0, _IS_TIME)
# What is only late because its task had just been made comes last, as it does within its kind.
_IS_STARTING = _CASE.c.flags.bitwise_and(_ftrace.STARTING_FLAG) != 0
# Of the kinds with the worst news, the longest; the kind settles a tie.
_ORDER = (_RANK, _IS_STARTING, _CASE.c.duration_ns.desc(), _CASE.c.kind)


class WorstCase(NamedTuple):
    """Id, headline and ruler are absent where the case could not be explained, the ruler also where it has no
    stages.
    """

    trace_key: int
    kind: str
    duration_ns: int
    cpu: int
    id: str | None
    headline: str | None
    ruler: JsonObject | None


# The worst cases of the tasks that a recording is about: the core explains them with a rank below zero, which
# says whose it is. However long something else was late there, such as a shell's sleep, they come first.
_IS_ABOUT = and_(
    _EXPLANATION.c.trace_key == _TASK.c.trace_key,
    _EXPLANATION.c.kind == _TASK.c.kind,
    _EXPLANATION.c.rank == -1 - _TASK.c.task,
)
_NAMED = table("task", column("trace_key"), column("idx"), column("prio"))
_IS_ITS = and_(_NAMED.c.trace_key == _TASK.c.trace_key, _NAMED.c.idx == _TASK.c.task)
# Real-time and deadline tasks first: the main thread of a program that measures sleeps, too. Then what is
# measured, before a wakeup, which is only a part of it.
_TASK_ORDER = (
    func.coalesce(_NAMED.c.prio >= 100, true()),
    _RANK,
    _TASK.c.duration_ns.desc(),
    _TASK.c.task,
)
_OF_TASKS_KIND = and_(_KIND.c.trace_key == _TASK.c.trace_key, _KIND.c.kind == _TASK.c.kind)
_KEYS = any_(bindparam("keys", type_=ARRAY(BigInteger)))

# Made once: every look at the catalog asks it, and making a statement takes longer than running it.
_WORST = (
    select(
        _CASE.c.trace_key,
        _KIND.c.name,
        _CASE.c.duration_ns,
        _CASE.c.cpu,
        _EXPLANATION.c.id,
        _EXPLANATION.c.headline,
        _EXPLANATION.c.ruler,
    )
    .ext(distinct_on(_CASE.c.trace_key))
    .select_from(_CASE.join(_KIND, _OF_KIND).outerjoin(_EXPLANATION, _EXPLAINS))
    .where(_CASE.c.trace_key == _KEYS, _IS_WORST)
    .order_by(_CASE.c.trace_key, *_ORDER)
)
_WORST_OF_TASKS = (
    select(
        _TASK.c.trace_key,
        _KIND.c.name,
        _TASK.c.duration_ns,
        _TASK.c.cpu,
        _EXPLANATION.c.id,
        _EXPLANATION.c.headline,
        _EXPLANATION.c.ruler,
    )
    .ext(distinct_on(_TASK.c.trace_key))
    .select_from(_EXPLANATION.join(_TASK, _IS_ABOUT).join(_KIND, _OF_TASKS_KIND).join(_NAMED, _IS_ITS))
    .where(_EXPLANATION.c.trace_key == _KEYS, _EXPLANATION.c.rank < 0)
    .order_by(_TASK.c.trace_key, *_TASK_ORDER)
)


# One statement, since a round trip costs more than either half.
_BOTH = union_all(
    *(
        select(literal_column(is_of_tasks).label("is_of_tasks"), *half.subquery().c)
        for is_of_tasks, half in (("false", _WORST), ("true", _WORST_OF_TASKS))
    )
)


async def worst_cases_of(session: AsyncSession, keys: Iterable[int]) -> dict[int, WorstCase]:
    """By trace, the longest latency of what it is about, else of the kinds with the worst news."""
    found: dict[int, WorstCase] = {}
    for is_of_tasks, *columns in await session.execute(_BOTH, {"keys": list(keys)}):
        row = WorstCase(*columns)
        if is_of_tasks or row.trace_key not in found:
            found[row.trace_key] = row
    return found


def worst_duration_ns() -> ColumnElement[int]:
    """The length of a trace's worst case, -1 where it has none: to sort traces by."""
    return func.coalesce(_first_of_tasks(_TASK.c.duration_ns), _first(_CASE.c.duration_ns), -1)


def worst_text() -> ColumnElement[str]:
    """The sentence of a trace's worst case, empty where it has none: to search traces by."""
    return func.coalesce(_first_of_tasks(_EXPLANATION.c.headline), _first(_EXPLANATION.c.headline), "")


def _first_of_tasks(column: ColumnElement[_Value]) -> ColumnElement[_Value]:
    return (
        select(column)
        .select_from(_EXPLANATION.join(_TASK, _IS_ABOUT).join(_KIND, _OF_TASKS_KIND).join(_NAMED, _IS_ITS))
        .where(_EXPLANATION.c.trace_key == Trace.key, _EXPLANATION.c.rank < 0)
        .order_by(*_TASK_ORDER)
        .limit(1)
        .scalar_subquery()
    )


def _first(column: ColumnElement[_Value]) -> ColumnElement[_Value]:
    return (
        select(column)
        .select_from(_CASE.join(_KIND, _OF_KIND).outerjoin(_EXPLANATION, _EXPLAINS))
        .where(_CASE.c.trace_key == Trace.key, _IS_WORST)
        .order_by(*_ORDER)
        .limit(1)
        .scalar_subquery()
    )
