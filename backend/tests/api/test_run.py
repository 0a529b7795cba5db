"""A file of measurements beside the trace of its run: values are tied to cases, or said not to be."""

from pathlib import Path

import pytest

from jitterscope.schemas.latencies import LatencyPage
from jitterscope.schemas.run import RunAnswer
from tests.api.service import Service

_TRACE = Path(__file__).resolve().parents[3] / "sample_traces" / "cyclictest-load-6.12-rt.txt.zst"
# The two threads of cyclictest, which itself is 369.
_PIDS = ["371", "372"]
# The program reads the clock so much later than its system call returned.
_LATER_NS = 2_300

_Threads = list[list[int]]


@pytest.fixture(scope="module")
def traced(working_service: Service) -> tuple[Service, str, _Threads]:
    """The trace, and what each thread would have measured, in microseconds."""
    trace_id = working_service.ready(_TRACE.read_bytes())
    threads = []
    for pid in _PIDS:
        asked: dict[str, str | int] = {"kind": "cyclic", "pid": pid, "sort": "t", "limit": 1_000}
        response = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies", params=asked)
        cases = LatencyPage.model_validate_json(response.content).items
        threads.append([(case.duration_ns + _LATER_NS) // 1_000 for case in cases])
    return working_service, trace_id, threads


def _cycles(threads: _Threads) -> bytes:
    """As `cyclictest -v` prints them."""
    lines = [f"Thread {number} Interval: {1_500 + 500 * number}" for number in range(len(threads))]
    for number, values in enumerate(threads):
        lines += [f"{number:8d}:{cycle:8d}:{value:8d}" for cycle, value in enumerate(values)]
    return ("\n".join(lines) + "\n").encode()


def _histogram(threads: _Threads, columns: int) -> bytes:
    """As `cyclictest -h` prints it; `threads` begin with those of the trace."""
    listed = [*threads, *([[20]] * columns)][:columns]
    lines = ["# Histogram"]
    lines += [
        "\t".join([f"{value:06d}", *(f"{values.count(value):06d}" for values in listed)])
        for value in sorted({value for values in listed for value in values})
    ]
    for name, numbers in (
        ("Total", [len(values) for values in listed]),
        ("Min Latencies", [min(values) for values in listed]),
        ("Avg Latencies", [20] * columns),
        ("Max Latencies", [max(values) for values in listed]),
        ("Histogram Overflows", [0] * columns),
    ):
        lines.append(f"# {name}: {' '.join(f'{number:05d}' for number in numbers)}")
    return ("\n".join(lines) + "\n").encode()


def _uploaded(service: Service, content: bytes, **parameters: str) -> str:
    response = service.client.post("/api/v1/traces", params=parameters, content=content)
    assert response.status_code in {200, 202}, response.text
    trace_id: str = response.json()["id"]
    answer = service.client.get(f"/api/v1/traces/{trace_id}", params={"wait": 60})
    assert answer.json()["status"] == "ready", answer.text
    return trace_id


def _run(service: Service, trace_id: str) -> RunAnswer:
    response = service.client.get(f"/api/v1/traces/{trace_id}/run")
    assert response.status_code == 200, response.text
    return RunAnswer.model_validate_json(response.content)


def test_each_cycle_is_its_case(traced: tuple[Service, str, _Threads]) -> None:
    service, trace_id, threads = traced
    file_id = _uploaded(service, _cycles(threads), filename="a.cyclictest.txt", **{"with": trace_id})
    run = _run(service, file_id)
    assert run.is_measurement
    assert [(one.id, one.by) for one in run.tied] == [(trace_id, "with")]
    assert [(one.source, one.pid, one.by) for one in run.threads] == [
        ("cyclictest thread 0", 371, "cycle"),
        ("cyclictest thread 1", 372, "cycle"),
    ]
    for one, values in zip(run.threads, threads, strict=True):
        assert one.says_ns == 1_000 * max(values)
        assert one.is_close
        assert _LATER_NS - 1_000 < one.difference_ns <= _LATER_NS
        case = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{one.case_id}").json()
        assert case["duration_ns"] == one.case_ns
    summary = run.threads[0].summary
    assert summary.startswith("cyclictest says 1,816 µs on thread 0; case cyclic-371@")
    assert summary.endswith(" is 1,813.7 µs")
    assert "Both are the same cycle of the thread." in run.threads[0].why
    assert "guess" not in run.threads[0].why
    # The trace knows the file, too.
    assert file_id in [one.id for one in _run(service, trace_id).tied]


def test_histograms_are_tied_by_their_largest(traced: tuple[Service, str, _Threads]) -> None:
    service, trace_id, threads = traced
    file_id = _uploaded(service, _histogram(threads, 2), filename="h.txt", **{"with": trace_id})
    found = _run(service, file_id).threads
    assert [(one.by, one.is_close) for one in found] == [("largest", True), ("largest", True)]
    for one in found:
        assert one.why.startswith("Both are the thread's largest value.")
        assert one.why.endswith(f" Task {one.pid} is taken to be {one.source}, by the order of pids.")


def test_values_of_another_run_are_not_the_same_wakeup(traced: tuple[Service, str, _Threads]) -> None:
    service, trace_id, threads = traced
    others = [[*values, max(values) + 900] for values in threads]
    file_id = _uploaded(service, _cycles(others), filename="o.txt", **{"with": trace_id})
    for one in _run(service, file_id).threads:
        assert not one.is_close
        assert "hardly the same wakeup" in one.why
        assert one.why.endswith(", by the order of pids.")


def test_more_threads_than_tasks_are_not_guessed(traced: tuple[Service, str, _Threads]) -> None:
    service, trace_id, threads = traced
    file_id = _uploaded(service, _histogram(threads, 8), filename="many.txt", **{"with": trace_id})
    run = _run(service, file_id)
    assert run.threads == []
    assert run.notes[0].endswith("has cases of 3 tasks called cyclictest: which is which is not known.")


def test_a_label_ties_and_a_name_proposes(traced: tuple[Service, str, _Threads]) -> None:
    service, trace_id, threads = traced
    client = service.client
    client.patch(f"/api/v1/traces/{trace_id}", json={"name": "night-17", "labels": {"run": "17"}})
    named = _uploaded(service, _histogram(threads, 2) + b"# 1\n", filename="night-17.cyclictest.txt")
    run = _run(service, named)
    assert (run.tied, [(one.id, one.by) for one in run.proposed]) == ([], [(trace_id, "name")])
    assert run.threads == []
    assert named in [one.id for one in _run(service, trace_id).proposed]
    client.patch(f"/api/v1/traces/{named}", json={"labels": {"run": "17"}})
    run = _run(service, named)
    assert [(one.id, one.by) for one in run.tied] == [(trace_id, "run")]
    assert (run.proposed, len(run.threads)) == ([], 2)
    # What several traces share names none of them.
    other = service.ready(b"# tracer: nop\n#\n sh-7 [000] d..2. 1.000000: print: run 17\n")
    client.patch(f"/api/v1/traces/{other}", json={"name": "other", "labels": {"run": "17"}})
    assert [one.id for one in _run(service, named).tied] == [trace_id]
    client.patch(f"/api/v1/traces/{trace_id}", json={"name": "another"})
    assert _run(service, named).tied == []


def test_with_has_to_name_a_trace(working_service: Service) -> None:
    response = working_service.client.post(
        "/api/v1/traces", params={"with": "nosuchtrace1"}, content=_histogram([[20]], 1)
    )
    assert response.status_code == 422
    assert "there is no trace" in response.text
    assert working_service.client.get("/api/v1/traces/nosuchtrace1/run").status_code == 404
