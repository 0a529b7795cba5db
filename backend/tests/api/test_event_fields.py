"""Which fields of events hold numbers."""

import pytest

from jitterscope.schemas.event_fields import EventFieldPage
from tests.api.service import Service, trace_file

# The most frequent type first, which is sched_switch; eth0 is a name.
EXPECTED = [
    *(f"sched_switch.{field}" for field in ("prev_pid", "prev_prio", "next_pid", "next_prio")),
    "irq_handler_entry.irq",
    "irq_handler_exit.irq",
    *(f"sched_waking.{field}" for field in ("pid", "prio", "target_cpu")),
]


def page_of(service: Service, trace_id: str, **parameters: str | int) -> EventFieldPage:
    response = service.client.get(f"/api/v1/traces/{trace_id}/event-fields", params=parameters)
    assert response.status_code == 200, response.text
    return EventFieldPage.model_validate_json(response.content)


@pytest.mark.parametrize("limit", [1, 4, 1000])
def test_fields_follow_their_types_and_pages_join_to_all(working_service: Service, limit: int) -> None:
    trace_id = working_service.ready(trace_file())
    found: list[str] = []
    more: dict[str, str | int] = {"limit": limit}
    while True:
        page = page_of(working_service, trace_id, **more)
        assert len(page.items) <= limit
        found += [item.name for item in page.items]
        if page.next is None:
            break
        more["cursor"] = page.next
    assert found == EXPECTED


def test_a_field_has_the_unit_that_its_event_prints(working_service: Service) -> None:
    line = b"              sh-7       [000] d..2.   100.000051: hrtimer_cb: now: 100000051 [us], delta: 96\n"
    page = page_of(working_service, working_service.ready(trace_file() + line), event="hrtimer_cb")
    assert [(item.field, item.unit, item.unit_source, item.is_sampled) for item in page.items] == [
        ("now", "none", "none", False),
        ("delta", "us", "event", True),
    ]


@pytest.mark.parametrize("cursor", ["x", "WzFd", "WyIxIiwgMl0", "Wy0xLDBd", "WzEsOTk5OTk5OTk5OTk5XQ"])
def test_cursors_of_others_are_refused(working_service: Service, cursor: str) -> None:
    path = f"/api/v1/traces/{working_service.ready(trace_file())}/event-fields"
    response = working_service.client.get(path, params={"cursor": cursor})
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == ["cursor"]
