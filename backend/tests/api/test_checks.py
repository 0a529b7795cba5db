"""Gates for automation: what passes, what fails, and what cannot be decided."""

import gzip
from xml.etree import ElementTree as ET

import pytest

from jitterscope.schemas.checks import CheckReport
from tests.api.recordings import wakeups
from tests.api.service import Service, ServiceMaker, busy_lines, running_worker, trace_file

MAX_50_US: dict[str, object] = {"kind": "wakeup", "stat": "max", "op": "<=", "value": "50us"}


def report_of(service: Service, trace_id: str, *checks: dict[str, object]) -> CheckReport:
    response = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=checks)
    assert response.status_code == 200, response.text
    return CheckReport.model_validate_json(response.content)


def check(
    waiting_trace: tuple[Service, str], changes: dict[str, object], expected: tuple[str, int | None, int]
) -> None:
    report = report_of(*waiting_trace, MAX_50_US | changes)
    (result,) = report.results
    assert (result.outcome, result.actual_ns, result.count) == expected
    passed = {"passed": True, "failed": False, "undecidable": None}[result.outcome]
    assert (report.passed, result.passed) == (passed, passed)
    assert (result.reason is None) == (result.outcome == "passed")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ("passed", 30_000, 30)),
        ({"value": "30us"}, ("passed", 30_000, 30)),
        ({"value": 30_000}, ("passed", 30_000, 30)),
        ({"value": "30us", "op": "<"}, ("failed", 30_000, 30)),
        ({"stat": "p50", "op": "==", "value": "15us"}, ("passed", 15_000, 30)),
        ({"stat": "count", "op": ">=", "value": 31}, ("failed", None, 30)),
        ({"min_count": 31}, ("undecidable", 30_000, 30)),
        ({"where": {"comm": "nobody"}}, ("undecidable", None, 0)),
        ({"where": {"comm": "rt", "cpu": 0, "pid": 9}}, ("passed", 30_000, 30)),
    ],
)
def test_each_outcome(
    waiting_trace: tuple[Service, str], changes: dict[str, object], expected: tuple[str, int | None, int]
) -> None:
    check(waiting_trace, changes, expected)


def test_one_failure_fails_all_and_links_to_its_worst_case(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    few = MAX_50_US | {"min_count": 99}
    too_slow = MAX_50_US | {"value": "10us"}
    report = report_of(service, trace_id, MAX_50_US, too_slow, few)
    assert report.passed is False
    assert [result.outcome for result in report.results] == ["passed", "failed", "undecidable"]
    assert [str(result.check.value) for result in report.results] == ["50us", "10us", "50us"]
    worst = service.client.get(f"/api/v1/traces/{trace_id}/latencies?limit=1").json()["items"][0]
    linked = report.results[1].worst
    assert linked is not None
    assert (linked.id, linked.url, linked.headline) == (worst["id"], worst["url"], worst["headline"])
    assert report_of(service, trace_id, MAX_50_US, few).passed is None


def test_losses_never_pass(working_service: Service) -> None:
    lines = wakeups([5, 6]).decode().splitlines(keepends=True)
    lines.insert(-2, "CPU:0 [LOST 12 EVENTS]\n")
    lossy = working_service.ready("".join(lines).encode())
    (result,) = report_of(working_service, lossy, MAX_50_US).results
    assert (result.outcome, result.count) == ("undecidable", 1)
    assert report_of(working_service, lossy, MAX_50_US | {"value": "1us"}).passed is False


def test_a_trace_that_could_not_be_loaded_never_passes(make_service: ServiceMaker) -> None:
    service = make_service(max_expanded_bytes=1 << 20)
    content = gzip.compress(trace_file() + busy_lines(20_000))
    trace_id = str(service.upload(content, "long.txt.gz").json()["id"])
    early = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=[MAX_50_US])
    assert (early.status_code, early.json()["code"]) == (409, "trace_not_ready")
    with running_worker(service.settings):
        assert service.wait(trace_id)["status"] == "failed"
    report = report_of(service, trace_id, MAX_50_US)
    (result,) = report.results
    assert (report.passed, result.outcome, result.passed, result.worst) == (None, "undecidable", None, None)
    assert result.reason


def test_junit(waiting_trace: tuple[Service, str]) -> None:
    service, trace_id = waiting_trace
    checks = [MAX_50_US, MAX_50_US | {"value": "10us"}, MAX_50_US | {"where": {"comm": "\x01<&"}}]
    path = f"/api/v1/traces/{trace_id}/checks"
    response = service.client.post(path, json=checks, headers={"Accept": "application/xml"})
    assert response.headers["content-type"].startswith("application/xml")
    suites = ET.fromstring(response.content)  # noqa: S314 (our own)
    assert suites.attrib == {"tests": "3", "failures": "1", "errors": "1"}
    cases = suites.findall("./testsuite/testcase")
    assert [case.attrib["name"] for case in cases] == [
        "wakeup max <= 50us",
        "wakeup max <= 10us",
        "wakeup max <= 50us (comm=\N{REPLACEMENT CHARACTER}<&)",
    ]
    assert [[part.tag for part in case] for case in cases] == [[], ["failure"], ["error"]]
    assert f"/t/{trace_id}/cases/wakeup-9@" in (cases[1][0].text or "")


# A wakeup behind a task whose name would end an element, or a line of a terminal.
HOSTILE = "</x>]]>&\x1b[2J"
BEHIND = f"""# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
          <idle>-0 [001] d..2. 1.000010: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={HOSTILE} next_pid=5 next_prio=9
       {HOSTILE}-5 [001] d.h2. 1.000100: sched_waking: comm=rt pid=9 prio=19 target_cpu=001
       {HOSTILE}-5 [001] d..2. 1.000600: sched_switch: prev_comm={HOSTILE} prev_pid=5 prev_prio=9 prev_state=S ==> next_comm=rt next_pid=9 next_prio=19
              rt-9 [001] d..2. 1.000900: sched_switch: prev_comm=rt prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
"""  # noqa: E501 (lines of a real file are as long as they are)


def test_a_failure_says_why_the_worst_case_took_so_long(working_service: Service) -> None:
    trace_id = working_service.ready(BEHIND.encode())
    path = f"/api/v1/traces/{trace_id}/checks"
    response = working_service.client.post(path, json=[MAX_50_US], headers={"Accept": "application/xml"})
    suites = ET.fromstring(response.content)  # noqa: S314 (our own)
    verdict, link, url = (suites.findtext(".//failure") or "").split("\n")
    shown = HOSTILE.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
    assert verdict == f"Wakeup of rt-9 on CPU 1 took 500 µs: behind {shown}-5 (rt 90, above rt 80) for 500 µs"
    assert link == f"- 100 %: behind {shown}-5 (rt 90, above rt 80) for 500 µs"
    assert f"/t/{trace_id}/cases/wakeup-9@" in url
    (result,) = report_of(working_service, trace_id, MAX_50_US).results
    assert result.worst is not None
    assert result.worst.headline == verdict.replace("\N{REPLACEMENT CHARACTER}", "\x1b")


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ([], "body"),
        ([MAX_50_US, MAX_50_US | {"value": "soon"}], "1.value"),
        ([MAX_50_US | {"kind": "wakup"}], "0.kind"),
        ([MAX_50_US | {"stat": "median"}], "0.stat"),
        ([MAX_50_US | {"op": "!="}], "0.op"),
        ([MAX_50_US | {"where": {"color": "red"}}], "0.where.color"),
        ([{"kind": "wakeup"}], "0.stat"),
    ],
)
def test_bad_checks_are_refused_by_name(
    waiting_trace: tuple[Service, str], body: list[dict[str, object]], parameter: str
) -> None:
    service, trace_id = waiting_trace
    response = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=body)
    assert response.status_code == 422, response.text
    assert parameter in [error["parameter"] for error in response.json()["errors"]]


def test_a_trace_that_is_not_there(working_service: Service) -> None:
    response = working_service.client.post("/api/v1/traces/abcdefghijkl/checks", json=[MAX_50_US])
    assert response.status_code == 404
