"""What caused what: arrows between events."""

import pytest

from jitterscope.schemas.arrows import Arrows
from tests.api.recordings import wakeups
from tests.api.service import Service


def arrows_of(service: Service, trace_id: str, **parameters: str | int) -> Arrows:
    response = service.client.get(f"/api/v1/traces/{trace_id}/arrows", params=parameters)
    assert response.status_code == 200, response.text
    return Arrows.model_validate_json(response.content)


def test_wakings_lead_to_switches(working_service: Service) -> None:
    trace_id = working_service.ready(wakeups([5, 70, 20]))
    found = arrows_of(working_service, trace_id)
    assert list(zip(found.kind, found.from_t, found.to_t, strict=True)) == [
        ("wakeup", 0, 5_000),
        ("wakeup", 1_000_000, 1_070_000),
        ("wakeup", 2_000_000, 2_020_000),
    ]
    assert (found.from_pid[0], found.to_pid[0]) == (0, 9)
    names = [
        found.tasks[idx].comm for idx in (found.from_task_idx[0], found.to_task_idx[0]) if idx is not None
    ]
    assert names == ["<idle>", "rt"]
    assert (found.from_event[1], found.to_event[1]) == ("cpu0@1000000", "cpu0@1070000")
    assert (found.recorded, found.is_complete) == (["wakeup"], True)


def test_the_longest_are_shown_and_the_others_counted(working_service: Service) -> None:
    trace_id = working_service.ready(wakeups([5, 70, 20]))
    found = arrows_of(working_service, trace_id, limit=1, kinds="wakeup,timer", pid=9)
    assert (found.to_event, found.hidden) == (["cpu0@1070000"], {"wakeup": 2, "timer": 0})


@pytest.mark.parametrize("query", ["cpu=x", "pid=x", "kinds=lock", "limit=0", "start=soon"])
def test_bad_parameters_are_refused_by_name(ready_trace: tuple[Service, str], query: str) -> None:
    service, trace_id = ready_trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/arrows?{query}")
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == [query.partition("=")[0]]
