"""Tail profiles: what took the time of ordinary and of slow latencies."""

import pytest

from jitterscope.schemas.latencies import LatencyPage
from jitterscope.schemas.latency_tail import LatencyTail
from tests.api.service import Service

_HEADER = """# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
"""

_SWITCH = (
    "sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> "
    "next_comm=%s next_pid=%d next_prio=%d"
)
_IDLE = ("swapper/0", 0, 120)


def wait(task: tuple[str, int, int], behind: tuple[str, int, int], at_us: int, late_us: int) -> str:
    """A wakeup of a task on CPU 0, and how long another one keeps it waiting."""
    comm, pid, prio = task
    events = (
        (at_us - 5, _IDLE, _SWITCH % (*_IDLE, "R", *behind)),
        (at_us, behind, f"sched_waking: comm={comm} pid={pid} prio={prio} target_cpu=000"),
        (at_us + 1, behind, f"sched_wakeup: comm={comm} pid={pid} prio={prio} target_cpu=000"),
        (at_us + late_us, behind, _SWITCH % (*behind, "S", *task)),
        (at_us + late_us + 5, task, _SWITCH % (*task, "S", *_IDLE)),
    )
    return "".join(
        f"{f'{running[0]}-{running[1]}':>20} [000] d..2. "
        f"{t_us // 1_000_000:5d}.{t_us % 1_000_000:06d}: {event}\n"
        for t_us, running, event in events
    )


RT, SHELL = ("loop", 70, 19), ("sh", 7, 120)
HOG, LOW, ALIKE = ("hog", 80, 9), ("low", 81, 120), ("cc1", 82, 120)


def waits() -> bytes:
    """2,000 wakeups of a real-time task, of which 20 wait long behind a hog, and 30 of a shell."""
    lines = [
        wait(
            RT,
            HOG if number % 100 == 7 else LOW,
            1_000_000 + number * 1_000,
            400 if number % 100 == 7 else 10,
        )
        for number in range(2_000)
    ]
    lines += [wait(SHELL, ALIKE, 9_000_000 + number * 1_000, 30) for number in range(30)]
    return (_HEADER + "".join(lines)).encode()


@pytest.fixture(scope="session")
def waiting_trace(working_service: Service) -> tuple[Service, str]:
    return working_service, working_service.ready(waits())


def tail(trace: tuple[Service, str], query: str) -> LatencyTail:
    service, trace_id = trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/tail?{query}")
    assert response.status_code == 200, response.text
    return LatencyTail.model_validate_json(response.content)


def test_slow_and_ordinary_wakeups_differ_in_whom_they_wait_for(waiting_trace: tuple[Service, str]) -> None:
    profile = tail(waiting_trace, "kind=wakeup&comm=loop")
    assert profile.sentence == (
        "Wakeup latency of loop, the slowest 1 %: 100 % of the time behind hog; the others: 0 %."
    )
    assert (profile.count, profile.edge_error_ppm <= 490_000) == (2_000, True)
    slowest = profile.bands[-1]
    assert [(cause.cause, cause.what, cause.duration_ns) for cause in slowest.causes] == [
        ("task", "hog", 20 * 400_000)
    ]
    assert [mechanism.mechanism for mechanism in slowest.mechanisms] == ["higher_priority"]
    assert [mechanism.mechanism for mechanism in profile.bands[0].mechanisms] == ["not_preemptible"]
    assert [(stage.name, stage.duration_ns) for stage in slowest.stages] == [
        ("waking → wakeup", 20 * 1_000),
        ("wakeup → switch", 20 * 399_000),
    ]


def test_causes_mechanisms_and_stages_add_up_to_each_band(waiting_trace: tuple[Service, str]) -> None:
    for query in ("kind=wakeup", "kind=wakeup&priority_class=fair", "kind=wakeup&pid=7"):
        profile = tail(waiting_trace, query)
        assert sum(band.total_ns for band in profile.bands) == profile.total_ns
        for band in profile.bands:
            for parts in (band.causes, band.mechanisms, band.stages):
                assert sum(part.duration_ns for part in parts) == band.total_ns
            for cause in band.causes:
                assert sum(part.duration_ns for part in cause.mechanisms) == cause.duration_ns


def test_a_band_names_the_list_of_its_cases(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    for band in tail(waiting_trace, "kind=wakeup&priority_class=real_time").bands:
        query = {**band.cases, "limit": "1000", "sort": "duration"}
        response = service.client.get(f"/api/v1/traces/{trace_id}/latencies", params=query)
        items = LatencyPage.model_validate_json(response.content).items
        assert {item.comm for item in items} == {"loop"}
        assert len(items) == min(band.count, 1000)
        assert items[0].duration_ns == band.min_ns


def test_a_chosen_stretch_of_durations_is_a_band_of_its_own(waiting_trace: tuple[Service, str]) -> None:
    whole = tail(waiting_trace, "kind=wakeup")
    assert whole.chosen is None
    for band in whole.bands:
        chosen = tail(waiting_trace, f"kind=wakeup&min={band.min_ns}ns&max={band.max_ns}ns").chosen
        assert chosen is not None
        assert (chosen.count, chosen.causes) == (band.count, band.causes)
        assert (chosen.from_ppm, chosen.to_ppm) == (band.from_ppm, band.to_ppm)
    everything = tail(waiting_trace, "kind=wakeup&min=0ns").chosen
    assert everything is not None
    assert (everything.count, everything.total_ns) == (whole.count, whole.total_ns)
    assert tail(waiting_trace, "kind=wakeup&min=100s").chosen is None


def test_filters_choose_tasks(waiting_trace: tuple[Service, str]) -> None:
    assert tail(waiting_trace, "kind=wakeup").count == 2_030
    assert tail(waiting_trace, "kind=wakeup&priority_class=fair").count == 30
    assert tail(waiting_trace, "kind=wakeup&comm=nobody").count == 0
    fair = tail(waiting_trace, "kind=wakeup&pid=7")
    assert (fair.count, fair.sentence) == (
        30,
        "Wakeup latency of pid 7: 30 samples are too few to tell slow ones from ordinary ones.",
    )
    assert [mechanism.mechanism for mechanism in fair.bands[0].mechanisms] == ["fair_share"]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("kind=wakeup&cpu=0", "cpu"), ("kind=timer&comm=loop", "comm"), ("kind=nothing", "kind"), ("", "kind")],
)
def test_what_is_not_kept_is_refused_by_name(
    waiting_trace: tuple[Service, str], query: str, parameter: str
) -> None:
    service, trace_id = waiting_trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/tail?{query}")
    assert response.status_code == 422, response.text
    assert parameter in response.text


def test_a_kind_that_did_not_occur_has_no_bands(waiting_trace: tuple[Service, str]) -> None:
    profile = tail(waiting_trace, "kind=timer")
    assert (profile.count, profile.bands, profile.sentence, profile.unavailable) == (0, [], None, None)
