"""Statistics of latencies and latencies over time: exact numbers, refusals that name their parameter."""

import statistics

import pytest

from jitterscope.schemas.latencies import LatencyPage
from jitterscope.schemas.latency_stats import LatencySeries, LatencyStats
from tests.api.recordings import wakeups
from tests.api.service import Service


def stats_of(service: Service, trace_id: str, **parameters: str | int) -> LatencyStats:
    asked = {"kind": "wakeup"} | parameters
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/stats", params=asked)
    assert response.status_code == 200, response.text
    return LatencyStats.model_validate_json(response.content)


def series_of(service: Service, trace_id: str, **parameters: str | int) -> LatencySeries:
    asked = {"kind": "wakeup"} | parameters
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/series", params=asked)
    assert response.status_code == 200, response.text
    return LatencySeries.model_validate_json(response.content)


def test_statistics_are_exact(waiting_trace: tuple[Service, str]) -> None:
    (group,) = stats_of(*waiting_trace, bucket="10us").groups
    durations = [us * 1000 for us in range(1, 31)]
    assert (group.group, group.count, group.min_ns, group.max_ns) == (None, 30, 1_000, 30_000)
    assert group.mean_ns == 15_500
    assert group.stdev_ns == round(statistics.stdev(durations))
    assert (group.p50_ns, group.p90_ns, group.p99_ns, group.p99_999_ns) == (15_000, 27_000, 30_000, 30_000)
    assert [(found.low_ns, found.high_ns, found.count) for found in group.histogram] == [
        (0, 10_000, 9),
        (10_000, 20_000, 10),
        (20_000, 30_000, 10),
        (30_000, 40_000, 1),
    ]
    assert group.shelves.duration_ns == durations
    assert group.shelves.rank == list(range(30))
    service, trace_id = waiting_trace
    worst = service.client.get(f"/api/v1/traces/{trace_id}/latencies?limit=1").json()["items"][0]
    assert group.worst_id == worst["id"]


def test_groups_and_filters(waiting_trace: tuple[Service, str]) -> None:
    (cpu,) = stats_of(*waiting_trace, group_by="cpu", min="11us", max="20us").groups
    assert cpu.group is not None
    assert (cpu.group.value, cpu.group.label, cpu.count, cpu.p50_ns) == (0, "CPU 0", 10, 15_000)
    (task,) = stats_of(*waiting_trace, group_by="pid").groups
    assert task.group is not None
    assert (task.group.value, task.group.label, task.group.folded) == (9, "rt-9", None)
    asleep = stats_of(*waiting_trace, group_by="sleep").groups
    assert [(one.group.label if one.group else None, one.count) for one in asleep] == [
        ("slept 100 µs to 1 ms", 29),
        ("unknown", 1),
    ]
    assert stats_of(*waiting_trace, cpu="7").groups == []


def test_what_gave_no_number_is_told(working_service: Service) -> None:
    lines = wakeups([5, 6]).splitlines(keepends=True)
    stats = stats_of(working_service, working_service.ready(b"".join(lines[:-2])))
    assert [(found.reason, found.count) for found in stats.incomplete] == [("no_end", 1)]


def test_every_sample_while_there_are_few(waiting_trace: tuple[Service, str]) -> None:
    series = series_of(*waiting_trace, end="3ms")
    (lane,) = series.lanes
    assert (series.detail, series.max_ns, lane.cpu) == ("samples", 21_000, 0)
    assert lane.t == [0, 1_000_000, 2_000_000]
    assert lane.duration_ns == [7_000, 14_000, 21_000]
    assert lane.count == [1, 1, 1]


def test_every_maximum_when_there_are_many(waiting_trace: tuple[Service, str]) -> None:
    series = series_of(*waiting_trace, width=4)
    (lane,) = series.lanes
    assert (series.detail, series.max_ns) == ("buckets", 30_000)
    assert len(lane.t) <= 4
    assert sum(lane.count) == 30
    assert 30_000 in lane.duration_ns
    at = lane.duration_ns.index(30_000)
    assert lane.t[at] == 21_000_000
    service, trace_id = waiting_trace
    worst = service.client.get(f"/api/v1/traces/{trace_id}/latencies?limit=1").json()["items"][0]
    assert lane.id[at] == worst["id"]


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        ("stats", "kind"),
        ("stats?kind=wakeup,wakeup", "kind"),
        ("stats?kind=nothing", "kind"),
        ("stats?kind=wakeup&group_by=color", "group_by"),
        ("stats?kind=wakeup&group_by=key", "group_by"),
        ("stats?kind=wakeup&bucket=0", "bucket"),
        ("stats?kind=wakeup&buckets=1001", "buckets"),
        ("stats?kind=wakeup&sort=t", "sort"),
        ("series?kind=wakeup&width=1", "width"),
        ("series?kind=wakeup&start=5us&end=1us", "end"),
        ("series?kind=wakeup&cpu=x", "cpu"),
    ],
)
def test_bad_parameters_are_refused_by_name(
    waiting_trace: tuple[Service, str], call: str, parameter: str
) -> None:
    service, trace_id = waiting_trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{call}")
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == [parameter]


def test_a_field_is_a_series_of_its_own(working_service: Service) -> None:
    lines = [
        f"              sh-7       [001] d..2.   100.00{number}000: {event}\n"
        for number, event in enumerate(
            ("print: begin", *(f"hrtimer_cb: cpu=1 delta={wait_us}us" for wait_us in (10, 30, 20)))
        )
    ]
    trace_id = working_service.ready(("# tracer: nop\n#\n" + "".join(lines)).encode())
    response = working_service.client.get(
        f"/api/v1/traces/{trace_id}/latencies", params={"field": "hrtimer_cb.delta"}
    )
    items = LatencyPage.model_validate_json(response.content).items
    assert [(item.kind, item.key, item.duration_ns) for item in items] == [
        ("field", "hrtimer_cb.delta", duration_ns) for duration_ns in (30_000, 20_000, 10_000)
    ]
    assert items[0].id.startswith("field.hrtimer_cb.delta-cpu1@")
    path = f"/api/v1/traces/{trace_id}/latencies/stats"
    response = working_service.client.get(path, params={"field": "hrtimer_cb.delta"})
    (group,) = LatencyStats.model_validate_json(response.content).groups
    assert (group.count, group.p50_ns, group.worst_id) == (3, 20_000, items[0].id)
    refused = working_service.client.get(path, params={"field": "hrtimer_cb.delta", "kind": "wakeup"})
    assert [error["parameter"] for error in refused.json()["errors"]] == ["field"]
