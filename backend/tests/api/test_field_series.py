"""Any field of any event as a series: bare numbers and durations, their cases, and checks of them."""

from typing import TypeVar
from urllib.parse import quote

import pytest

from jitterscope.schemas.checks import CheckReport
from jitterscope.schemas.latencies import LatencyPage
from jitterscope.schemas.latency_case import LatencyCase
from jitterscope.schemas.latency_stats import LatencySeries, LatencyStats
from tests.api.service import Service, busy_lines, trace_file

FIELD = "probe.level"
# -20 to 19 in a mixed order, on one CPU, once a millisecond.
VALUES = [number * 7 % 40 - 20 for number in range(40)]


@pytest.fixture(scope="module")
def probed(working_service: Service) -> tuple[Service, str]:
    """A trace of three thousand events, forty of which hold a number, and the service that has it."""
    line = "    sh-7       [000] d..2.   102.%03d000: probe: level=%d comm=5 at=000000002ac33b2e\n"
    probes = "".join(line % place for place in enumerate(VALUES))
    return working_service, working_service.ready(trace_file() + busy_lines(3000) + probes.encode())


Shape = TypeVar("Shape", LatencyPage, LatencyStats, LatencySeries)


def ask(probed: tuple[Service, str], call: str, shape: type[Shape], **parameters: str | int) -> Shape:
    service, trace_id = probed
    path = f"/api/v1/traces/{trace_id}/latencies{call}"
    asked: dict[str, str | int] = {"field": FIELD, **parameters}
    response = service.client.get(path, params=asked)
    assert response.status_code == 200, response.text
    return shape.model_validate_json(response.content)


def test_a_bare_number_has_statistics(probed: tuple[Service, str]) -> None:
    stats = ask(probed, "/stats", LatencyStats, kind="field", group_by="cpu", bucket="log2")
    assert (stats.unit, stats.incomplete) == ("none", [])
    assert stats.field is not None
    assert (stats.field.name, stats.field.unit, stats.field.unit_source) == (FIELD, "none", "none")
    (group,) = stats.groups
    assert (group.count, group.min_ns, group.max_ns) == (40, -20, 19)
    # -0.5 is rounded up.
    assert (group.mean_ns, group.p50_ns, group.p90_ns) == (0, -1, 15)
    assert [(one.low_ns, one.high_ns, one.count) for one in group.histogram] == [
        (-31, -15, 5),
        (-15, -7, 8),
        (-7, -3, 4),
        (-3, -1, 2),
        (-1, 0, 1),
        (0, 1, 1),
        (1, 2, 1),
        (2, 4, 2),
        (4, 8, 4),
        (8, 16, 8),
        (16, 32, 4),
    ]


def test_pages_of_a_list_join(probed: tuple[Service, str]) -> None:
    found: list[int] = []
    more: dict[str, str | int] = {"limit": 7}
    while True:
        page = ask(probed, "", LatencyPage, **more)
        assert {(item.unit, item.key) for item in page.items} == {("none", FIELD)}
        found += [item.duration_ns for item in page.items]
        if page.next is None:
            break
        more["cursor"] = page.next
    assert found == list(range(19, -21, -1))
    between = ask(probed, "", LatencyPage, min="-3", max="2", sort="duration")
    assert [item.duration_ns for item in between.items] == list(range(-3, 3))


def test_a_series_keeps_every_maximum(probed: tuple[Service, str]) -> None:
    series = ask(probed, "/series", LatencySeries, width=4, start="1999ms", end="2040ms")
    (lane,) = series.lanes
    assert (series.unit, series.detail, series.max_ns, sum(lane.count)) == ("none", "buckets", 19, 40)
    assert 19 in lane.duration_ns


def test_the_case_of_a_bare_number_is_its_event(probed: tuple[Service, str]) -> None:
    service, trace_id = probed
    worst = ask(probed, "", LatencyPage, limit=1).items[0]
    path = f"/api/v1/traces/{trace_id}/latencies/{quote(worst.id)}"
    case = LatencyCase.model_validate_json(service.client.get(path).content)
    assert (case.id, case.t, case.end, case.duration_ns, case.unit) == (
        worst.id,
        worst.t,
        worst.t,
        19,
        "none",
    )
    assert (case.stages, case.blame, case.evidence) == ([], [], [])
    assert [(event.t, event.raw.split()[0]) for event in case.events if event.event == "probe"] == [
        (worst.t, "level=19")
    ]
    assert service.client.get(path + "1").status_code == 404


def test_in_a_unit_of_time_it_is_blamed(probed: tuple[Service, str]) -> None:
    service, trace_id = probed
    page = ask(probed, "", LatencyPage, unit="ms", limit=1)
    (worst,) = page.items
    assert (worst.duration_ns, worst.unit, worst.end - worst.t) == (19_000_000, "ns", 19_000_000)
    assert worst.id.startswith(f"field.{FIELD}~ms-cpu0@")
    path = f"/api/v1/traces/{trace_id}/latencies/{quote(worst.id)}"
    case = LatencyCase.model_validate_json(service.client.get(path).content)
    assert (case.id, case.t, case.duration_ns) == (worst.id, worst.t, 19_000_000)
    assert sum(blame.duration_ns for blame in case.blame) == 19_000_000
    stats = ask(probed, "/stats", LatencyStats, unit="ms")
    assert [(found.reason, found.count) for found in stats.incomplete] == [("out_of_order", 20)]
    assert stats.groups[0].count == 20


@pytest.mark.parametrize(
    ("changes", "outcome", "actual"),
    [
        ({"stat": "max", "op": "<=", "value": 19}, "passed", 19),
        ({"stat": "min", "op": ">", "value": -20}, "failed", -20),
        ({"stat": "p50", "op": "==", "value": "-1"}, "passed", -1),
        ({"stat": "max", "op": "<", "value": "19ms", "unit": "ms"}, "failed", 19_000_000),
    ],
)
def test_checks(probed: tuple[Service, str], changes: dict[str, object], outcome: str, actual: int) -> None:
    service, trace_id = probed
    check = {"kind": "field", "field": FIELD} | changes
    response = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=[check])
    assert response.status_code == 200, response.text
    (result,) = CheckReport.model_validate_json(response.content).results
    assert (result.outcome, result.actual_ns) == (outcome, actual)
    assert result.worst is not None


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        (f"field={FIELD}&unit=hours", "unit"),
        ("kind=wakeup&unit=us", "unit"),
        (f"field={FIELD}&min=5us", "min"),
        (f"field={FIELD}&kind=wakeup", "field"),
    ],
)
def test_bad_parameters_are_refused_by_name(probed: tuple[Service, str], query: str, parameter: str) -> None:
    service, trace_id = probed
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/stats?{query}")
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == [parameter]
