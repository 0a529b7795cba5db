"""Which types of events were recorded."""

import pytest

from tests.api.service import Service, trace_file

# A text file says no systems.
EXPECTED = [
    ("sched_switch", None, "tracepoint", 2),
    ("irq_handler_entry", None, "tracepoint", 1),
    ("irq_handler_exit", None, "tracepoint", 1),
    ("sched_waking", None, "tracepoint", 1),
]


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
def test_types_are_counted_and_pages_join_to_all(working_service: Service, limit: int) -> None:
    trace_id = working_service.ready(trace_file())
    found: list[tuple[str, str | None, str, int]] = []
    more: dict[str, str | int] = {"limit": limit}
    while True:
        response = working_service.client.get(f"/api/v1/traces/{trace_id}/event-types", params=more)
        assert response.status_code == 200, response.text
        page = response.json()
        assert len(page["items"]) <= limit
        found += [(item["name"], item["system"], item["kind"], item["event_count"]) for item in page["items"]]
        if page["next"] is None:
            break
        more["cursor"] = page["next"]
    assert found == EXPECTED
    assert sum(count for *_, count in found) == working_service.wait(trace_id)["event_count"]


@pytest.mark.parametrize("cursor", ["x", "WzFd", "WyIxIiwgMl0", "Wy0xLDBd", "WzEsOTk5OTk5OTk5OTk5XQ"])
def test_cursors_of_others_are_refused(working_service: Service, cursor: str) -> None:
    trace_id = working_service.ready(trace_file())
    response = working_service.client.get(f"/api/v1/traces/{trace_id}/event-types", params={"cursor": cursor})
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == ["cursor"]
