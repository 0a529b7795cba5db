"""How many events match a filter, by CPU and time."""

from jitterscope.schemas.event_counts import EventCounts
from tests.api.service import Service, busy_lines, trace_file


def counts_of(service: Service, trace_id: str, **parameters: str | int) -> EventCounts:
    response = service.client.get(f"/api/v1/traces/{trace_id}/event-counts", params=parameters)
    assert response.status_code == 200, response.text
    return EventCounts.model_validate_json(response.content)


def test_counts_are_those_of_the_events(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(71))
    q = "event:sched_switch"
    path = f"/api/v1/traces/{trace_id}/events"
    events = working_service.client.get(path, params={"q": q}).json()["items"]
    found = counts_of(working_service, trace_id, q=q)
    assert found.next is None
    assert found.count == len(events) > 0
    cells = [
        (cpu.cpu, start, start + length, count)
        for cpu in found.cpus
        for start, length, count in zip(cpu.t, cpu.duration_ns, cpu.counts, strict=True)
    ]
    for cpu, start, end, count in cells:
        assert count == len([event for event in events if event["cpu"] == cpu and start <= event["t"] < end])


def test_parts_of_a_long_count_add_up(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(72) + busy_lines(60_000))
    total, cursor = 0, ""
    while True:
        more = {"cursor": cursor} if cursor else {}
        found = counts_of(working_service, trace_id, q="prio=89 event:sched_waking", width=100, **more)
        assert found.count == sum(sum(cpu.counts) for cpu in found.cpus)
        total += found.count
        if found.next is None:
            break
        cursor = found.next
    assert total >= 60_000


def test_a_bad_filter_is_refused(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(73))
    path = f"/api/v1/traces/{trace_id}/event-counts"
    response = working_service.client.get(path, params={"q": "cpu:x"})
    assert (response.status_code, response.json()["code"]) == (422, "bad_filter")
