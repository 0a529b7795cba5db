"""Latencies: the list, the kinds, statistics, and over time."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from jitterscope.api.base_url import BaseUrl, trace_url
from jitterscope.api.computed import json_answer, parameters
from jitterscope.api.problem_documents import documented
from jitterscope.api.questions import QuestionRoute
from jitterscope.api.services import ServicesOf
from jitterscope.explore.latencies import latencies, latency_kinds, latency_series, latency_stats
from jitterscope.schemas.latencies import LatenciesQuery, LatencyKinds, LatencyPage
from jitterscope.schemas.latency_stats import (
    LatencySeries,
    LatencySeriesQuery,
    LatencyStats,
    LatencyStatsQuery,
)

router = APIRouter(tags=["latencies"], route_class=QuestionRoute)


@router.get(
    "/traces/{trace_id}/latencies", response_model=LatencyPage, responses=documented(404, 409, 422, 503)
)
async def list_latencies(
    trace_id: str,
    query: Annotated[LatenciesQuery, Query()],
    request: Request,
    services: ServicesOf,
    base_url: BaseUrl,
) -> Response:
    """The cases, the worst first unless `sort` says otherwise; in a window, those that touch it."""
    url = trace_url(base_url, trace_id)
    return await json_answer(request, await latencies(services.database, trace_id, parameters(query), url))


@router.get(
    "/traces/{trace_id}/latencies/kinds",
    response_model=LatencyKinds,
    responses=documented(404, 409, 422, 503),
)
async def list_latency_kinds(
    trace_id: str, request: Request, services: ServicesOf, base_url: BaseUrl
) -> Response:
    """Every kind of latency: its count and worst case, what gave no number, or what to record for it."""
    url = trace_url(base_url, trace_id)
    return await json_answer(request, await latency_kinds(services.database, trace_id, url))


@router.get(
    "/traces/{trace_id}/latencies/stats",
    response_model=LatencyStats,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_stats(
    trace_id: str, query: Annotated[LatencyStatsQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """Percentiles, a histogram and all durations by rank, of all samples or group by group."""
    return await json_answer(request, await latency_stats(services.database, trace_id, parameters(query)))


@router.get(
    "/traces/{trace_id}/latencies/series",
    response_model=LatencySeries,
    responses=documented(404, 409, 422, 503),
)
async def get_latency_series(
    trace_id: str, query: Annotated[LatencySeriesQuery, Query()], request: Request, services: ServicesOf
) -> Response:
    """Latencies over time for a screen of some width, CPU by CPU; every maximum is kept."""
    return await json_answer(request, await latency_series(services.database, trace_id, parameters(query)))
