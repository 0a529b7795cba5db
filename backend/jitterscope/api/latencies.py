"""Latencies: the list, the kinds, statistics, and over time."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from jitterscope.api.core import Core
from jitterscope.api.lists import ALL_ROWS, ListRoute, Lists
from jitterscope.api.problem_documents import documented
from jitterscope.schemas.latencies import (
    LatenciesQuery,
    LatencyKinds,
    LatencyKindsQuery,
    LatencyPage,
)
from jitterscope.schemas.latency_stats import (
    LatencySeries,
    LatencySeriesQuery,
    LatencyStats,
    LatencyStatsQuery,
)

router = APIRouter(tags=["latencies"], route_class=ListRoute)


@router.get(
    "/traces/{trace_id}/latencies",
    response_model=LatencyPage,
    responses=documented(404, 406, 409, 422, 503) | ALL_ROWS,
)
async def list_latencies(
    trace_id: str,
    query: Annotated[LatenciesQuery, Query()],
    lists: Lists,
) -> Response:
    """The cases, the worst first unless `sort` says otherwise; in a window, those that touch it."""
    return await lists.answer("latencies", query, trace_id)


@router.get(
    "/traces/{trace_id}/latencies/kinds",
    response_model=LatencyKinds,
    responses=documented(404, 409, 422, 503),
)
async def list_latency_kinds(
    trace_id: str, query: Annotated[LatencyKindsQuery, Query()], core: Core
) -> Response:
    """Every kind of latency: its count and worst case, what gave no number, or what to record for it."""
    return await core.answer("latency_kinds", query, trace_id)


@router.get(
    "/traces/{trace_id}/latencies/stats",
    response_model=LatencyStats,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_stats(
    trace_id: str, query: Annotated[LatencyStatsQuery, Query()], core: Core
) -> Response:
    """Percentiles, a histogram and all durations by rank, of all samples or group by group."""
    return await core.answer("latency_stats", query, trace_id)


@router.get(
    "/traces/{trace_id}/latencies/series",
    response_model=LatencySeries,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_series(
    trace_id: str, query: Annotated[LatencySeriesQuery, Query()], core: Core
) -> Response:
    """Latencies over time for a screen of some width, CPU by CPU; every maximum is kept."""
    return await core.answer("latency_series", query, trace_id)
