"""What takes the time of CPUs and tasks."""

import pytest

from jitterscope.schemas.interference import Interference
from tests.api.service import Service, trace_file


def interference_of(service: Service, trace_id: str, **parameters: str | int) -> Interference:
    response = service.client.get(f"/api/v1/traces/{trace_id}/interference", params=parameters)
    assert response.status_code == 200, response.text
    return Interference.model_validate_json(response.content)


def test_time_is_told_by_cpu_and_by_task(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(7), labels='{"isolcpus": "nohz,1-3"}')
    found = interference_of(working_service, trace_id)
    (cpu,) = found.cpus
    assert (cpu.cpu, cpu.is_isolated, cpu.span_ns, cpu.busy_ns) == (0, False, 40_000, 40_000)
    assert [(by.cause, by.what, by.pid, by.total_ns, by.share) for by in cpu.by] == [
        ("task", "rt", 9, 25_000, 0.625),
        ("irq", "eth7 [24]", None, 15_000, 0.375),
    ]
    (task,) = found.tasks
    assert (task.pid, task.comm, task.ran_ns) == (9, "rt", 40_000)
    assert [(by.cause, by.count, by.max_ns, by.max_t) for by in task.by] == [("irq", 1, 15_000, 10_000)]
    assert found.ticks == []


def test_isolated_cpus_are_those_of_the_label(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file(8), labels='{"isolated": "0,2-3"}')
    assert [cpu.is_isolated for cpu in interference_of(working_service, trace_id).cpus] == [True]
    # An answer that was given before is not given again.
    others = {"labels": {"isolated": "1"}}
    assert working_service.client.patch(f"/api/v1/traces/{trace_id}", json=others).status_code == 200
    assert [cpu.is_isolated for cpu in interference_of(working_service, trace_id).cpus] == [False]


def test_filters_choose_cpus_and_tasks(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file())
    assert interference_of(working_service, trace_id, cpu=1).cpus == []
    assert interference_of(working_service, trace_id, pid=7).tasks == []


@pytest.mark.parametrize("query", ["cpu=x", "pid=x", "isolated=1"])
def test_bad_parameters_are_refused_by_name(ready_trace: tuple[Service, str], query: str) -> None:
    service, trace_id = ready_trace
    response = service.client.get(f"/api/v1/traces/{trace_id}/interference?{query}")
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == [query.partition("=")[0]]
