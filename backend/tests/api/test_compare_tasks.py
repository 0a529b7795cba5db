"""Comparisons of the tasks of one class, and of what two filters let through: no sums are kept of either."""

import json
from pathlib import Path
from typing import Any

import pytest

from jitterscope.explore.compare import read_members
from jitterscope.schemas.compare import CompareAnswer, DistributionAnswer, MeasuresAnswer
from jitterscope.schemas.latency_stats import LatencyStats
from jitterscope.schemas.trend import TrendAnswer
from tests.api.recordings import two_classes
from tests.api.service import Service

_CYCLICTEST = Path(__file__).resolve().parents[3] / "sample_traces" / "cyclictest-load-6.12-rt.txt.zst"
_REAL_TIME_US = [[40 + run + number * 5 % 7 for number in range(100)] for run in range(5)]
_FAIR_US = [[200 + run + number * 7 % 11 for number in range(100)] for run in range(5)]


@pytest.fixture(scope="module")
def traces(working_service: Service) -> list[str]:
    return [
        working_service.ready(two_classes(*waits_us))
        for waits_us in zip(_REAL_TIME_US, _FAIR_US, strict=True)
    ]


def _body(traces: list[str], where: dict[str, Any]) -> dict[str, Any]:
    variants = [{"name": "first", "traces": traces[:2]}, {"name": "rest", "traces": traces[2:]}]
    return {"measure": {"kind": "wakeup"}, "variants": variants, "where": where}


def _compared(service: Service, body: dict[str, Any]) -> CompareAnswer:
    response = service.client.post("/api/v1/compare", json=body)
    assert response.status_code == 200, response.text
    return CompareAnswer.model_validate_json(response.content)


@pytest.mark.parametrize(
    ("where", "of_each"),
    [
        ({"priority_class": "real_time"}, 100),
        ({"priority_class": "fair"}, 200),
        ({"priority_class": "deadline,real_time"}, 100),
        ({"priority_class": "fair", "comm": "job"}, 100),
        ({"priority_class": "real_time", "cpu": 0}, 100),
        ({"comm": "job", "cpu": 0}, 200),
        ({"comm": "job", "cpu": 1}, 0),
        ({"priority_class": "deadline"}, 0),
    ],
)
def test_a_variant_has_what_its_traces_have_with_the_same_filter(
    working_service: Service, traces: list[str], where: dict[str, Any], of_each: int
) -> None:
    answer = _compared(working_service, _body(traces, where))
    assert [variant.samples for variant in answer.variants] == [2 * of_each, 3 * of_each]
    stats = [_stats(working_service, trace, where) for trace in traces]
    for variant, own in zip(answer.variants, (stats[:2], stats[2:]), strict=True):
        groups = [group for one in own for group in one.groups]
        assert variant.samples == sum(group.count for group in groups)
        assert variant.max_ns == max((group.max_ns for group in groups), default=None)
        if variant.max_url is not None:
            case = variant.max_url.replace("/t/", "/api/v1/traces/").replace("cases", "latencies")
            assert working_service.client.get(case).json()["duration_ns"] == variant.max_ns
    again = working_service.client.get(answer.url)
    assert CompareAnswer.model_validate_json(again.content) == answer


def _stats(service: Service, trace: str, where: dict[str, Any]) -> LatencyStats:
    response = service.client.get(
        f"/api/v1/traces/{trace}/latencies/stats", params={"kind": "wakeup"} | where
    )
    return LatencyStats.model_validate_json(response.content)


def test_curves_trends_and_exact_quantiles_are_of_the_same_tasks(
    working_service: Service, traces: list[str]
) -> None:
    body = _body(traces, {"priority_class": "real_time"})
    response = working_service.client.post("/api/v1/compare/distribution", json=body)
    curves = DistributionAnswer.model_validate_json(response.content)
    assert [(one.count, one.min_ns, one.max_ns) for one in curves.variants] == [
        (200, 40_000, 47_000),
        (300, 42_000, 50_000),
    ]
    lines = working_service.client.post("/api/v1/compare/exact", json=body).text.splitlines()
    assert json.loads(lines[-1])["variants"][1]["p50_ns"] == _median_us(_REAL_TIME_US[2:]) * 1000
    run = {"measure": body["measure"], "variant": {"name": "runs", "traces": traces}, "where": body["where"]}
    trend = working_service.client.post("/api/v1/trend", json=run | {"stat": "max_ns"})
    points = TrendAnswer.model_validate_json(trend.content).points
    assert [point.count for point in points] == [100] * 5


def _median_us(waits_us: list[list[int]]) -> int:
    ordered = sorted(us for run in waits_us for us in run)
    return ordered[(len(ordered) + 1) // 2 - 1]


def test_few_traces_have_intervals_from_blocks_of_time(working_service: Service, traces: list[str]) -> None:
    body = _body(traces, {"priority_class": "real_time"})
    first, rest = _compared(working_service, body).variants
    assert (first.drawn, rest.drawn) == ("blocks", "blocks")


def test_tasks_are_offered_by_class(working_service: Service, traces: list[str]) -> None:
    variants = {"variants": _body(traces, {})["variants"]}
    response = working_service.client.post("/api/v1/compare/measures", json=variants)
    tasks = MeasuresAnswer.model_validate_json(response.content).tasks
    assert [(task.comm, task.priority_class, task.traces) for task in tasks] == [
        ("job", "real_time", 5),
        ("job", "fair", 5),
        ("sh", "fair", 5),
    ]


def test_the_class_that_all_traces_measure_is_named(working_service: Service, traces: list[str]) -> None:
    measuring = working_service.ready(_CYCLICTEST.read_bytes())
    for ids, wanted in (([measuring], "real_time"), ([measuring, traces[0]], None)):
        variants = {"variants": [{"name": "all", "traces": ids}]}
        response = working_service.client.post("/api/v1/compare/measures", json=variants)
        measures = MeasuresAnswer.model_validate_json(response.content).measures
        found = {one.kind: one.measured_class for one in measures}
        assert (found["cyclic"], found["wakeup"], found["irq"]) == ("real_time", wanted, None)


def test_many_values_are_rounded_to_cells_as_at_load(
    working_service: Service, traces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = _body(traces, {"priority_class": "fair"})
    exact = _compared(working_service, body)
    monkeypatch.setattr(read_members, "_MOST_VALUES", 5)
    rounded = _compared(working_service, body)
    for one, other in zip(exact.variants, rounded.variants, strict=True):
        assert (one.exact, other.exact) == (True, False)
        assert (one.samples, one.mean_ns, one.max_ns) == (other.samples, other.mean_ns, other.max_ns)
        assert one.p50_ns is not None
        assert other.p50_ns is not None
        assert abs(one.p50_ns - other.p50_ns) <= one.p50_ns / 512


def test_more_samples_than_can_be_read_are_refused(
    working_service: Service, traces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_members, "_MOST_SAMPLES", 100)
    body = _body(traces, {"priority_class": "fair"})
    response = working_service.client.post("/api/v1/compare", json=body)
    assert response.status_code == 422
    assert "all 1,500 of the traces would be read, and a comparison reads 100" in response.text
