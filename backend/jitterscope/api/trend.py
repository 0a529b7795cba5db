"""One number of many traces along an axis, such as of a week of nightly builds."""

from typing import Annotated

from fastapi import APIRouter, Query

from jitterscope.api.base_url import BaseUrl
from jitterscope.api.compare import longest_url, measure_of_body, variants_of, where_of_body
from jitterscope.api.problem_documents import documented
from jitterscope.api.services import ServicesOf
from jitterscope.explore.compare import CompareRequest, Measure, Variant, Where
from jitterscope.explore.compare.guard import clocks_guard
from jitterscope.explore.compare.members import unit_of
from jitterscope.explore.compare.trend import Change, Point, Trend, trend
from jitterscope.problems import InvalidParameter
from jitterscope.schemas.trend import TrendAnswer, TrendBody, TrendChange, TrendPoint, TrendQuery
from jitterscope.store.database import Database

router = APIRouter(tags=["experiments"])

_STATS = ("mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns")


@router.get("/trend", responses=documented(404, 422, 503))
async def get_trend(
    query: Annotated[TrendQuery, Query()], services: ServicesOf, base_url: BaseUrl
) -> TrendAnswer:
    """A point for each trace with these labels, and where its number changed its level."""
    labels = [(name, value) for name, _, value in (label.partition(":") for label in query.labels)]
    where = Where(query.cpu, query.comm, query.priority_class)
    request = CompareRequest(measure_of(query.measure), [Variant("all", labels=labels)], where)
    return await _answer(services.database, request, query, base_url)


@router.post("/trend", responses=documented(404, 422, 503))
async def find_trend(body: TrendBody, services: ServicesOf, base_url: BaseUrl) -> TrendAnswer:
    """The same for traces that are listed, too."""
    request = CompareRequest(
        measure_of_body(body.measure), variants_of([body.variant]), where_of_body(body.where)
    )
    return await _answer(services.database, request, body, base_url)


async def _answer(
    database: Database, request: CompareRequest, wanted: TrendQuery | TrendBody, base_url: str
) -> TrendAnswer:
    found = await trend(database, request, x=wanted.x, stat=wanted.stat)
    members = found.members
    kind = request.measure.kind
    return TrendAnswer(
        unit=unit_of([members]),
        stat=wanted.stat,
        points=[_point(point, kind, base_url) for point in found.points],
        changes=[_change(change, found, kind, base_url) for change in found.changes],
        without_x=found.without_x,
        without_samples=len(members.traces) - len(members.members) - len(members.unlike),
        guard=clocks_guard([members]),
    )


def measure_of(text: str) -> Measure:
    """From a kind, `field:NAME` or `measured:SOURCE`.

    Raises: InvalidParameter for a key of another kind.
    """
    kind, colon, key = text.partition(":")
    if colon and kind not in {"field", "measured"}:
        raise InvalidParameter("measure", f"{kind[:50]!r} has no key; only field:… and measured:… have one")
    return Measure(kind, key if colon else None)


def _point(point: Point, kind: str, base_url: str) -> TrendPoint:
    trace = point.member.trace
    return TrendPoint.model_validate(
        {
            "x": point.x,
            "trace": trace.id,
            "name": trace.name,
            "uploaded_at": trace.created_at,
            "lost_events": bool(trace.lost_events),
            "count": point.card.samples,
            "worst_url": longest_url(point.card, kind, base_url),
        }
        | {stat: point.card.numbers[stat] for stat in _STATS}
    )


def _change(change: Change, found: Trend, kind: str, base_url: str) -> TrendChange:
    first, normal = found.points[change.index], found.points[change.normal]
    return TrendChange.model_validate(
        {
            "index": change.index,
            "x": first.x,
            "before_ns": change.before,
            "after_ns": change.after,
            "share": (change.after - change.before) / change.before if change.before else None,
            "p_value": change.p_value,
            "differs": change.differs,
            "worst_url": longest_url(first.card, kind, base_url),
            "normal_trace": normal.member.trace.id,
            "normal_url": longest_url(normal.card, kind, base_url),
        }
    )
