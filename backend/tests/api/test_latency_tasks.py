"""Whose latencies: the tasks of a trace, what it is about, and answers about one task or class."""

import re
from collections import Counter

import pytest

from jitterscope.schemas.latencies import LatencyKinds, LatencyPage, LatencyTasks
from jitterscope.schemas.latency_stats import LatencyStats
from jitterscope.schemas.trace import TraceAnswer
from tests.api.service import Service

_HEADER = """# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
"""


_RUN = "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d"
_IDLE = ("swapper/0", 0, 120)


def sleep_of(comm: str, pid: int, prio: int, at_us: int, late_us: int) -> list[str]:
    """A sleep of half a millisecond on CPU 0, by a timer of the task's own."""
    timer, expires = f"hrtimer={pid:016x}", at_us * 1000 + 500_000
    events = (
        (at_us, f"hrtimer_start: {timer} function=hrtimer_wakeup expires={expires} softexpires={expires}"),
        (at_us + 2, "sched_switch: " + _RUN % (comm, pid, prio, "S", *_IDLE)),
        (at_us + 500, f"hrtimer_expire_entry: {timer} function=hrtimer_wakeup now={expires}"),
        (at_us + 500, f"sched_waking: comm={comm} pid={pid} prio={prio} target_cpu=000"),
        (at_us + 501, f"hrtimer_expire_exit: {timer}"),
        (at_us + 500 + late_us, "sched_switch: " + _RUN % (*_IDLE, "R", comm, pid, prio)),
    )
    runs = (True, True, False, False, False, False)
    return [
        f"{f'{comm}-{pid}' if is_own else '<idle>-0':>16} [000] d..2. "
        f"{t_us // 1_000_000:5d}.{t_us % 1_000_000:06d}: {event}\n"
        for (t_us, event), is_own in zip(events, runs, strict=True)
    ]


def sleeps(tasks: list[tuple[str, int, int, int, int]]) -> bytes:
    """Tasks `(comm, pid, prio, sleeps, µs late)` that sleep on CPU 0, one after another."""
    lines = [
        line
        for number, (comm, pid, prio, count, late_us) in enumerate(tasks)
        for sleep in range(count)
        for line in sleep_of(comm, pid, prio, 100_000_000 + number * 1_000_000 + sleep * 1_000, late_us)
    ]
    return (_HEADER + "".join(lines)).encode()


MIXED = sleeps(
    [
        ("sleep", 60, 120, 1, 400),
        ("loop", 70, 19, 25, 30),
        ("dl", 80, -1, 3, 20),
        ("cyclictest", 90, 120, 2, 90),
    ]
)


@pytest.fixture(scope="session")
def mixed_trace(working_service: Service) -> tuple[Service, str]:
    return working_service, working_service.ready(MIXED)


def answer(service: Service, trace_id: str, path: str = "tasks", query: str = "") -> bytes:
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{path}?{query}")
    assert response.status_code == 200, response.text
    return response.content


def test_what_the_recording_is_about_comes_first(mixed_trace: tuple[Service, str]) -> None:
    tasks = LatencyTasks.model_validate_json(answer(*mixed_trace)).items
    assert [(task.comm, task.prio, task.priority_class, task.is_measured) for task in tasks] == [
        ("loop", 19, "real_time", True),
        ("cyclictest", 120, "fair", True),
        ("dl", -1, "deadline", False),
        ("sleep", 120, "fair", False),
    ]
    assert tasks[0].worst.kind == "cyclic"
    assert tasks[0].worst.is_explained


def test_a_label_names_what_it_is_about(mixed_trace: tuple[Service, str]) -> None:
    service, trace_id = mixed_trace
    for value, first in (("sleep", "sleep"), ("dl-80, nobody", "dl")):
        service.client.patch(f"/api/v1/traces/{trace_id}", json={"labels": {"task": value}})
        tasks = LatencyTasks.model_validate_json(answer(*mixed_trace)).items
        assert (tasks[0].comm, tasks[0].is_measured) == (first, True)
    service.client.patch(f"/api/v1/traces/{trace_id}", json={"labels": {"task": None}})


@pytest.mark.parametrize(
    ("query", "pids"),
    [
        ("priority_class=fair", {60, 90}),
        ("priority_class=real_time,deadline", {70, 80}),
        ("pid=60", {60}),
        ("comm=cyclictest", {90}),
        ("pid=60&priority_class=real_time", set()),
    ],
)
def test_every_answer_is_about_the_chosen_tasks(
    mixed_trace: tuple[Service, str], query: str, pids: set[int]
) -> None:
    service, trace_id = mixed_trace
    page = LatencyPage.model_validate_json(
        service.client.get(f"/api/v1/traces/{trace_id}/latencies?kind=cyclic&limit=100&{query}").content
    )
    assert {item.pid for item in page.items} == pids
    kinds = LatencyKinds.model_validate_json(answer(*mixed_trace, "kinds", query)).items
    cyclic = next(kind for kind in kinds if kind.kind == "cyclic")
    assert cyclic.count == len(page.items)
    # The same case, however it was found.
    assert cyclic.worst == (page.items[0] if page.items else None)
    assert all(kind.count == 0 for kind in kinds if kind.kind in {"timer", "irq", "tick"})
    stats = LatencyStats.model_validate_json(answer(*mixed_trace, "stats", f"kind=cyclic&{query}"))
    assert sum(group.count for group in stats.groups) == len(page.items)
    tasks = LatencyTasks.model_validate_json(answer(*mixed_trace, "tasks", query)).items
    assert {task.pid for task in tasks} == pids
    # As many samples as the kind has whose worst is shown.
    shown = {task.pid: task.count for task in tasks if task.worst.kind == "cyclic"}
    assert shown == dict(Counter(item.pid for item in page.items if item.pid in shown))


def test_the_catalog_shows_what_was_measured_before_a_shells_sleep(
    mixed_trace: tuple[Service, str],
) -> None:
    service, trace_id = mixed_trace
    worst = TraceAnswer.model_validate(service.wait(trace_id)).worst
    assert worst is not None
    assert re.match(r"cyclic-70@", worst.id or "")
    assert worst.headline is not None
    assert "loop-70" in worst.headline
    sorted_by_worst = service.client.get("/api/v1/traces?sort=-worst&limit=200").json()["items"]
    assert trace_id in {trace["id"] for trace in sorted_by_worst}


def test_an_unknown_class_is_refused_by_name(mixed_trace: tuple[Service, str]) -> None:
    service, trace_id = mixed_trace
    for path in ("", "/kinds", "/tasks"):
        response = service.client.get(f"/api/v1/traces/{trace_id}/latencies{path}?priority_class=fifo")
        assert response.status_code == 422
        assert [error["parameter"] for error in response.json()["errors"]] == ["priority_class"]


@pytest.mark.parametrize("trace_id", ["%00", "abcdefghijkl", "x" * 300])
def test_there_are_no_tasks_of_a_trace_that_there_is_not(working_service: Service, trace_id: str) -> None:
    assert working_service.client.get(f"/api/v1/traces/{trace_id}/latencies/tasks").status_code == 404
