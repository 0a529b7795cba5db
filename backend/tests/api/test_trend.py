"""A week of nightlies: one number of many traces, and the night on which it changed."""

import statistics

import pytest

from jitterscope.schemas.trend import TrendAnswer
from tests.api.recordings import wakeups
from tests.api.service import Service

NIGHTS = 16
BAD_SINCE = 8


def _waits(night: int) -> list[int]:
    longest_us = 90 if night >= BAD_SINCE else 40
    return [longest_us + night * 7 % 5 if number == 50 else 5 + number % 11 for number in range(60)]


@pytest.fixture(scope="module")
def nightlies(working_service: Service) -> tuple[Service, list[str]]:
    """Uploaded in another order than that of their builds; one trace has no build."""
    found = {}
    for night in sorted(range(NIGHTS), key=lambda night: night * 5 % NIGHTS):
        trace_id = working_service.ready(wakeups(_waits(night), comm=f"night{night}"))
        labels = {"labels": {"experiment": "nightly", "build": f"6.{night + 1}"}}
        assert working_service.client.patch(f"/api/v1/traces/{trace_id}", json=labels).status_code == 200
        found[night] = trace_id
    other = working_service.ready(wakeups([5, 6], comm="nightly"))
    labels = {"labels": {"experiment": "nightly"}}
    assert working_service.client.patch(f"/api/v1/traces/{other}", json=labels).status_code == 200
    return working_service, [found[night] for night in range(NIGHTS)]


def _trend(service: Service, **more: str) -> TrendAnswer:
    query = {"labels": "experiment:nightly", "measure": "wakeup", "stat": "max_ns"} | more
    response = service.client.get("/api/v1/trend", params=query)
    assert response.status_code == 200, response.text
    return TrendAnswer.model_validate_json(response.content)


def test_builds_are_in_their_order_and_the_bad_one_is_named(nightlies: tuple[Service, list[str]]) -> None:
    service, ids = nightlies
    answer = _trend(service, x="label:build")
    assert [point.trace for point in answer.points] == ids
    assert [point.x for point in answer.points] == [f"6.{night + 1}" for night in range(NIGHTS)]
    assert (answer.without_x, answer.without_samples) == (1, 0)
    [change] = answer.changes
    assert (change.index, change.x) == (BAD_SINCE, f"6.{BAD_SINCE + 1}")
    longest = [1000 * max(_waits(night)) for night in range(NIGHTS)]
    levels = statistics.median_low(longest[:BAD_SINCE]), statistics.median_low(longest[BAD_SINCE:])
    assert (change.before_ns, change.after_ns) == levels
    assert change.normal_trace in ids[:BAD_SINCE]
    worst = service.client.get(
        change.worst_url.replace("/t/", "/api/v1/traces/").replace("cases", "latencies")
    )
    assert worst.json()["duration_ns"] == answer.points[BAD_SINCE].max_ns


def test_without_a_label_the_order_is_that_of_uploads(nightlies: tuple[Service, list[str]]) -> None:
    service, ids = nightlies
    answer = _trend(service)
    assert answer.without_x == 0
    by_upload = [ids[night] for night in sorted(range(NIGHTS), key=lambda night: night * 5 % NIGHTS)]
    assert [point.trace for point in answer.points][:NIGHTS] == by_upload


def test_names_are_an_order_too(nightlies: tuple[Service, list[str]]) -> None:
    """Night 9 comes before night 10, and the trace without a number before both."""
    service, ids = nightlies
    for number, trace_id in enumerate(ids):
        renamed = service.client.patch(f"/api/v1/traces/{trace_id}", json={"name": f"night-{number + 1}"})
        assert renamed.status_code == 200
    answer = _trend(service, x="name")
    assert [point.x for point in answer.points if point.x.startswith("night-")] == [
        f"night-{night + 1}" for night in range(NIGHTS)
    ]
    assert [point.trace for point in answer.points if point.trace in ids] == ids
    assert (len(answer.points), answer.without_x) == (NIGHTS + 1, 0)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"labels": "nightly"}, "labels"),
        ({"measure": "wakeup:x"}, "measure"),
        ({"x": "kernel"}, "x"),
        ({"stat": "p42"}, "stat"),
    ],
)
def test_refusals_name_what_is_wrong(idle_service: Service, change: dict[str, str], named: str) -> None:
    query = {"labels": "a:b", "measure": "wakeup"} | change
    response = idle_service.client.get("/api/v1/trend", params=query)
    assert response.status_code == 422
    assert named in response.text


def test_no_traces_no_points(idle_service: Service) -> None:
    answer = _trend(idle_service, labels="no:where")
    assert (answer.points, answer.changes) == ([], [])
