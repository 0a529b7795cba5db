"""Migration latencies from upload to check: a kind that no code but its own folder knows."""

from tests.api.service import Service

MIGRATION = b"""# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
          <idle>-0       [001] d..2.  1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
               a-3       [000] d..3.  1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
               a-3       [000] d..3.  1.000012: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
               a-3       [000] d..3.  1.000013: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=001
              sh-7       [001] d..2.  1.000037: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
"""  # noqa: E501 (lines of a real file are as long as they are)


def test_a_kind_of_one_folder_is_listed_explained_drawn_and_checked(working_service: Service) -> None:
    trace_id = working_service.ready(MIGRATION)
    path = f"/api/v1/traces/{trace_id}"
    kinds = {
        kind["kind"]: kind for kind in working_service.client.get(f"{path}/latencies/kinds").json()["items"]
    }
    assert (kinds["migration"]["count"], kinds["migration"]["max_ns"]) == (1, 25_000)
    case = working_service.client.get(f"{path}/latencies/{kinds['migration']['worst']['id']}").json()
    assert case["headline"] == (
        "rt-9 waited 25 µs for CPU 1 after its migration: sh-7 (nice 0) could not be preempted for 24 µs"
    )
    assert [(stage["from"], stage["to"]) for stage in case["stages"]] == [
        ("migration", "wakeup"),
        ("wakeup", "switch"),
    ]
    series = working_service.client.get(f"{path}/latencies/series?kind=migration").json()
    assert [lane["duration_ns"] for lane in series["lanes"]] == [[25_000]]
    gates = [{"kind": "migration", "stat": "max", "op": "<=", "value": value} for value in ("30us", "20us")]
    results = working_service.client.post(f"{path}/checks", json=gates).json()["results"]
    assert [result["outcome"] for result in results] == ["passed", "failed"]
