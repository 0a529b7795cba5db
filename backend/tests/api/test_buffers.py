"""Which trace instance events come from."""

from tests.api.service import Service, trace_file

_SWITCHES = ("sh:7 [120] R ==> rt:9 [89]", "rt:9 [89] S ==> sh:7 [120]")


def _line(buffer: str, task: str, micros: int, event: str) -> str:
    prefix = f"{buffer}: " if buffer else "    "
    name, pid = task.split("-")
    return f"{prefix}{name:>16}-{pid:<5} [000] 100.{micros:06d}: {event}\n"


# What trace-cmd report prints of `-e sched_waking -e sched_switch -B rt -e sched_switch`.
REPORT = "".join(
    (
        "cpus=1\n",
        _line("", "sh-7", 0, "sched_waking:         comm=rt pid=9 prio=89 target_cpu=000"),
        _line("", "sh-7", 10, f"sched_switch:         {_SWITCHES[0]}"),
        _line("rt", "sh-7", 11, f"sched_switch:         {_SWITCHES[0]}"),
        _line("", "rt-9", 50, f"sched_switch:         {_SWITCHES[1]}"),
        _line("rt", "rt-9", 50, f"sched_switch:         {_SWITCHES[1]}"),
    )
).encode()

EVENTS = [(0, None), (10_000, None), (11_000, "rt"), (50_000, None), (50_000, "rt")]


def _events(service: Service, trace_id: str, q: str) -> list[tuple[int, str | None]]:
    response = service.client.get(f"/api/v1/traces/{trace_id}/events", params={"q": q})
    assert response.status_code == 200, response.text
    return [(item["t"], item["buffer"]) for item in response.json()["items"]]


def test_events_say_their_buffer_and_are_filtered_by_it(working_service: Service) -> None:
    trace_id = working_service.ready(REPORT)
    found = working_service.wait(trace_id)["buffers"]
    assert found == [{"name": None, "event_count": 3}, {"name": "rt", "event_count": 2}]
    assert _events(working_service, trace_id, "") == EVENTS
    assert _events(working_service, trace_id, "buffer:rt") == [EVENTS[2], EVENTS[4]]
    assert _events(working_service, trace_id, 'buffer:"" event:sched_switch') == [EVENTS[1], EVENTS[3]]


def test_what_two_buffers_recorded_is_measured_once(working_service: Service) -> None:
    trace_id = working_service.ready(REPORT)
    response = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "wakeup"})
    assert response.status_code == 200, response.text
    assert [item["duration_ns"] for item in response.json()["items"]] == [10_000]


def test_a_trace_of_the_top_buffer_lists_none(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file())
    assert working_service.wait(trace_id)["buffers"] == []
    assert {buffer for _, buffer in _events(working_service, trace_id, "")} == {None}
