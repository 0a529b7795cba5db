"""The worst case of each trace, from the few that were kept when it was loaded."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, and_, any_, bindparam, case, column, func, select, table
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.store.models import Trace

# Somebody who measured wants to know of the measured thread, and not of what else waited long meanwhile.
# Next come the other kinds that say how late something was; what only says how long it took is often no
# fault, and a system call sleeps for as long as it was told to.
_MEASURED = ("cyclic", "timerlat")
_LATE = ("timer", "irqsoff", "preemptoff", "wakeup")
_SLEEPS = "syscall"

_CASE = table(
    "latency_case", column("trace_key"), column("kind"), column("rank"), column("duration_ns"), column("cpu")
)
_KIND = table("latency_kind", column("trace_key"), column("kind"), column("name"))
_EXPLANATION = table(
    "latency_explanation",
    column("trace_key"),
    column("kind"),
    column("rank"),
    column("id"),
    column("headline"),
)
_OF_KIND = and_(_KIND.c.trace_key == _CASE.c.trace_key, _KIND.c.kind == _CASE.c.kind)
_EXPLAINS = and_(
    _EXPLANATION.c.trace_key == _CASE.c.trace_key,
    _EXPLANATION.c.kind == _CASE.c.kind,
    _EXPLANATION.c.rank == _CASE.c.rank,
)
_TELLING = case(
    (_KIND.c.name.in_(_MEASURED), 0), (_KIND.c.name.in_(_LATE), 1), (_KIND.c.name != _SLEEPS, 2), else_=3
)
# The most telling kinds first, of those the longest; the kind settles a tie.
_ORDER = (_TELLING, _CASE.c.duration_ns.desc(), _CASE.c.kind)


class WorstCase(NamedTuple):
    """The id and the headline are absent where the case could not be explained."""

    trace_key: int
    kind: str
    duration_ns: int
    cpu: int
    id: str | None
    headline: str | None


# Made once: every look at the catalog asks it, and making a statement takes longer than running it.
_WORST = (
    select(
        _CASE.c.trace_key,
        _KIND.c.name,
        _CASE.c.duration_ns,
        _CASE.c.cpu,
        _EXPLANATION.c.id,
        _EXPLANATION.c.headline,
    )
    .ext(distinct_on(_CASE.c.trace_key))
    .select_from(_CASE.join(_KIND, _OF_KIND).outerjoin(_EXPLANATION, _EXPLAINS))
    .where(_CASE.c.trace_key == any_(bindparam("keys", type_=ARRAY(BigInteger))), _CASE.c.rank == 0)
    .order_by(_CASE.c.trace_key, *_ORDER)
)


async def worst_cases_of(session: AsyncSession, keys: Iterable[int]) -> dict[int, WorstCase]:
    """By trace, the longest latency of the kinds that tell the most."""
    rows = await session.execute(_WORST, {"keys": list(keys)})
    return {row.trace_key: row for row in (WorstCase(*found) for found in rows)}


def worst_duration_ns() -> ColumnElement[int]:
    """The length of a trace's worst case, -1 where it has none: to sort traces by."""
    longest = (
        select(_CASE.c.duration_ns)
        .select_from(_CASE.join(_KIND, _OF_KIND))
        .where(_CASE.c.trace_key == Trace.key, _CASE.c.rank == 0)
        .order_by(*_ORDER)
        .limit(1)
        .scalar_subquery()
    )
    return func.coalesce(longest, -1)
