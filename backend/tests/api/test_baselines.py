"""Baselines, and checks of a night against them."""

from urllib.parse import parse_qs, urlsplit

import pytest

from jitterscope.schemas.baselines import BaselineAnswer, BaselineList
from jitterscope.schemas.checks import CheckReport, CheckResult
from tests.api.recordings import two_classes, wakeups
from tests.api.service import Service

PATH = "/api/v1/baselines"
NIGHTS = 20


def _night(night: int, longest_us: int) -> bytes:
    waits = [longest_us + night % 5 if number == 50 else 5 + number % 11 for number in range(60)]
    return wakeups(waits, comm=f"base{night}")


@pytest.fixture(scope="module")
def green(working_service: Service) -> tuple[Service, list[str]]:
    """Twenty nights with a longest wakeup of 40 to 44 us, labelled."""
    ids = []
    for night in range(NIGHTS):
        trace_id = working_service.ready(_night(night, 40))
        labels = {"labels": {"job": "green"}}
        assert working_service.client.patch(f"/api/v1/traces/{trace_id}", json=labels).status_code == 200
        ids.append(trace_id)
    return working_service, ids


def _saved(service: Service, name: str, **variant: object) -> BaselineAnswer:
    response = service.client.post(PATH, json={"name": name, "variant": variant})
    assert response.status_code == 201, response.text
    return BaselineAnswer.model_validate_json(response.content)


def _checked(service: Service, trace_id: str, baseline: str, **more: object) -> CheckResult:
    check = {"kind": "wakeup", "stat": "max", "op": "<=", "value": "baseline", "baseline": baseline} | more
    response = service.client.post(f"/api/v1/traces/{trace_id}/checks", json=[check])
    assert response.status_code == 200, response.text
    [result] = CheckReport.model_validate_json(response.content).results
    assert (result.passed is True) == (result.outcome == "passed")
    return result


def test_a_baseline_is_saved_listed_changed_and_deleted(green: tuple[Service, list[str]]) -> None:
    service, ids = green
    saved = _saved(service, "Last green", labels={"job": "green"})
    assert (saved.slug, saved.trace_count, saved.missing) == ("last-green", NIGHTS, [])
    assert _saved(service, "Last green", traces=ids[:2]).slug == "last-green-2"
    listed = BaselineList.model_validate_json(service.client.get(PATH).content)
    assert [one.slug for one in listed.items][:2] == ["last-green-2", "last-green"]
    changed = service.client.patch(f"{PATH}/last-green-2", json={"name": "Two", "where": {"cpu": 0}})
    answer = BaselineAnswer.model_validate_json(changed.content)
    assert (answer.name, answer.where.cpu, answer.trace_count) == ("Two", 0, 2)
    assert service.client.delete(f"{PATH}/last-green-2").status_code == 204
    assert service.client.get(f"{PATH}/last-green-2").status_code == 404
    assert service.client.delete(f"{PATH}/last-green").status_code == 204


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": "x", "variant": {}}, 422),
        ({"name": " ", "variant": {"labels": {"a": "b"}}}, 422),
        ({"name": "x", "variant": {"labels": {"a": "b"}, "traces": ["a"]}}, 422),
        ({"name": "x", "slug": "No", "variant": {"labels": {"a": "b"}}}, 422),
        ({"name": "a", "variant": {"traces": ["a\0b"]}}, 422),
    ],
)
def test_what_is_no_baseline_is_refused(idle_service: Service, body: dict[str, object], status: int) -> None:
    assert idle_service.client.post(PATH, json=body).status_code == status


def test_a_slug_is_taken_once(idle_service: Service) -> None:
    body = {"name": "x", "slug": "once", "variant": {"labels": {"a": "b"}}}
    assert [idle_service.client.post(PATH, json=body).status_code for _ in range(2)] == [201, 409]


def test_a_slow_night_fails_and_the_reason_names_both_numbers(green: tuple[Service, list[str]]) -> None:
    service, ids = green
    baseline = _saved(service, "Green nights", labels={"job": "green"}).slug
    slow = service.ready(_night(100, 60))
    result = _checked(service, slow, baseline, value="baseline * 1.1")
    assert (result.outcome, result.actual_ns) == ("failed", 60_000)
    held = result.baseline
    assert held is not None
    assert (held.name, held.traces, held.value_ns, held.limit_ns) == ("Green nights", NIGHTS, 44_000, 48_400)
    assert result.reason is not None
    for told in ("Green nights", "44 µs", "48.4 µs", "60 µs"):
        assert told in result.reason
    assert held.url is not None
    [variants] = parse_qs(urlsplit(held.url).query)["variants"]
    assert variants == f"Green%20nights=job:green;checked={slow}"
    assert _checked(service, slow, baseline, value="baseline * 1.4").outcome == "passed"
    # One of its own runs is not compared with itself.
    own = _checked(service, ids[0], baseline)
    assert own.baseline is not None
    assert (own.outcome, own.baseline.traces) == ("passed", NIGHTS - 1)
    response = service.client.post(
        f"/api/v1/traces/{slow}/checks",
        json=[{"kind": "wakeup", "stat": "max", "op": "<=", "value": "baseline", "baseline": baseline}],
        headers={"Accept": "application/xml"},
    )
    for told in (
        f"wakeup max &lt;= baseline of {baseline}",
        "'Green nights' (20 traces) has 44 µs",
        "/compare?",
    ):
        assert told in response.text


def test_a_statistical_check_takes_nineteen_runs(green: tuple[Service, list[str]]) -> None:
    service, ids = green
    many = _saved(service, "Many", traces=ids[:19]).slug
    few = _saved(service, "Few", traces=ids[:18]).slug
    slow = service.ready(_night(101, 60))
    usual = service.ready(_night(102, 40))
    assert _checked(service, slow, many, statistical=True).outcome == "failed"
    assert _checked(service, usual, many, statistical=True).outcome == "passed"
    undecided = _checked(service, slow, few, statistical=True)
    assert undecided.outcome == "undecidable"
    assert "18 runs, and 95 % take 19" in (undecided.reason or "")


def test_what_is_not_known_is_undecidable(green: tuple[Service, list[str]]) -> None:
    service, ids = green
    usual = service.ready(_night(103, 40))
    gone = service.ready(_night(104, 40))
    baseline = _saved(service, "With one gone", traces=[*ids[:3], gone]).slug

    def reason(slug: str = baseline, **more: object) -> str:
        result = _checked(service, usual, slug, **more)
        assert result.outcome == "undecidable"
        return result.reason or ""

    assert _checked(service, usual, baseline).outcome == "passed"
    assert "at least 5 must" in reason(min_traces=5)
    assert "fewer than the 1,000 required" in reason(min_count=1_000)
    assert "past this quantile" in reason(stat="p99_99")
    assert "none of its traces has such samples" in reason(where={"comm": "nobody"})
    assert service.client.delete(f"/api/v1/traces/{gone}").status_code == 204
    assert gone in reason()
    assert service.client.get(f"{PATH}/{baseline}").json()["missing"] == [gone]
    assert service.client.delete(f"{PATH}/{baseline}").status_code == 204
    assert "may have been deleted" in reason()
    assert "it has no traces" in reason(_saved(service, "Empty", labels={"job": "no such job"}).slug)
    assert "no other trace than this" in reason(_saved(service, "Itself", traces=[usual]).slug)


def test_a_baseline_that_lost_events_sets_no_limit(green: tuple[Service, list[str]]) -> None:
    service, ids = green
    lines = _night(105, 40).decode().splitlines(keepends=True)
    switch = next(at for at, line in enumerate(lines) if "next_comm=base105" in line)
    lines.insert(switch, "CPU:0 [LOST 7 EVENTS]\n")
    lossy = service.ready("".join(lines).encode())
    result = _checked(service, ids[0], _saved(service, "Lossy", traces=[ids[1], lossy]).slug)
    assert (result.outcome, result.actual_ns) == ("undecidable", None)
    assert "1 of its 2 traces lost events" in (result.reason or "")


def test_another_way_to_record_sets_no_limit(green: tuple[Service, list[str]]) -> None:
    service, ids = green
    marked = _night(106, 40).replace(b"# tracer: nop", b"# tracer: wakeup_rt")
    other = service.ready(marked)
    result = _checked(service, ids[0], _saved(service, "Other tracer", traces=[other]).slug)
    assert result.outcome == "undecidable"
    assert "its tracer is another one: wakeup_rt; here it is nop" in (result.reason or "")


@pytest.mark.parametrize(
    "change",
    [
        {"value": "50us"},
        {"value": "baseline * x"},
        {"stat": "count"},
        {"op": "=="},
        {"where": {"pid": 9}},
        {"statistical": True, "value": "baseline * 1.1"},
        {"statistical": True, "op": "<"},
        {"baseline": None, "value": "50us", "min_traces": 2},
    ],
)
def test_checks_that_no_baseline_can_decide_are_refused(
    idle_service: Service, change: dict[str, object]
) -> None:
    check = {"kind": "wakeup", "stat": "max", "op": "<=", "value": "baseline", "baseline": "x"} | change
    response = idle_service.client.post("/api/v1/traces/abcdefghijkl/checks", json=[check])
    assert response.status_code == 422


def test_a_baseline_keeps_to_a_class_of_tasks(working_service: Service) -> None:
    """Real-time tasks wait 41 us at most in the baseline, and 49 in the trace; fair ones longer in both."""
    before = working_service.ready(two_classes([40, 41], [200, 201]))
    after = working_service.ready(two_classes([40, 49], [200, 201]))
    body = {"name": "Real-time", "variant": {"traces": [before]}, "where": {"priority_class": "real_time"}}
    saved = BaselineAnswer.model_validate_json(working_service.client.post(PATH, json=body).content)
    assert saved.where.priority_class == "real_time"
    slug, real_time = saved.slug, {"priority_class": "real_time"}

    failed = _checked(working_service, after, slug, where=real_time)
    assert (failed.outcome, failed.actual_ns) == ("failed", 49_000)
    assert failed.baseline is not None
    assert (failed.baseline.value_ns, failed.baseline.limit_ns) == (41_000, 41_000)
    address = parse_qs(urlsplit(failed.baseline.url or "").query)
    assert address["priority"] == ["real_time"]
    assert _checked(working_service, before, _of_all(working_service, after), where=real_time).passed

    # A check of all tasks says nothing of this baseline, and one of some real-time tasks does.
    unlike = _checked(working_service, after, slug)
    assert unlike.outcome == "undecidable"
    assert "it keeps to priority_class=real_time, and the check does not" in (unlike.reason or "")
    assert _checked(working_service, after, slug, where=real_time | {"comm": "job"}).outcome == "failed"


def _of_all(service: Service, trace_id: str) -> str:
    return _saved(service, "All tasks", traces=[trace_id]).slug


def test_classes_are_the_same_in_any_order(working_service: Service) -> None:
    trace, other = (working_service.ready(two_classes([40], [longest])) for longest in (300, 301))
    body = {
        "name": "Two classes",
        "variant": {"traces": [trace]},
        "where": {"priority_class": "real_time,fair"},
    }
    slug = BaselineAnswer.model_validate_json(working_service.client.post(PATH, json=body).content).slug
    result = _checked(working_service, other, slug, where={"priority_class": "fair,real_time"})
    assert (result.outcome, result.actual_ns) == ("failed", 301_000)
