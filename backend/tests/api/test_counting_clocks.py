"""Recordings whose clocks count ticks of unknown length: what is said of them, and what they go with."""

import re

import pytest

from jitterscope.schemas.baselines import BaselineAnswer
from jitterscope.schemas.checks import CheckReport
from jitterscope.schemas.compare import CompareAnswer, DistributionAnswer
from jitterscope.schemas.diff import Diff
from jitterscope.schemas.diff_normals import DiffNormals
from jitterscope.schemas.trend import TrendAnswer
from tests.api.comparisons import check_refused, text_of
from tests.api.recordings import counting, wakeups
from tests.api.service import Service

WAITS = [5, 6, 7, 8, 40]
_TIME = re.compile(r"[0-9] (ns|µs|ms)\b")


@pytest.fixture(scope="module")
def clocks(working_service: Service) -> tuple[Service, str, str, str]:
    """Two recordings of clocks that count, and one of a clock that has time."""
    files = [counting(wakeups(WAITS)), counting(wakeups([*WAITS, 2_000])), wakeups(WAITS, comm="timed")]
    first, second, timed = (working_service.ready(file) for file in files)
    return working_service, first, second, timed


def _worst(service: Service, trace_id: str) -> str:
    case: str = service.client.get(f"/api/v1/traces/{trace_id}/latencies?limit=1").json()["items"][0]["id"]
    return f"{trace_id}/{case}"


def _name(service: Service, trace_id: str) -> str:
    name: str = service.client.get(f"/api/v1/traces/{trace_id}").json()["name"]
    return name


def _compare(service: Service, form: str | None = None, **variants: list[str]) -> str:
    listed = [{"name": name, "traces": traces} for name, traces in variants.items()]
    body = {"measure": {"kind": "wakeup"}, "variants": listed}
    asked = {} if form is None else {"format": form}
    response = service.client.post("/api/v1/compare", json=body, params=asked)
    assert response.status_code == 200, response.text
    return response.text


def test_two_cases_are_compared_in_ticks(clocks: tuple[Service, str, str, str]) -> None:
    service, _, second, _ = clocks
    worst = _worst(service, second)
    found = Diff.model_validate_json(service.client.get("/api/v1/diff", params={"abnormal": worst}).content)
    assert (found.unit, found.delta_ns) == ("ticks", 1_993)
    assert found.summary.startswith("+1,993 clock ticks")
    for form in ("text", "html", "svg"):
        assert not _TIME.search(text_of(service, form, worst)), form


def test_two_recordings_have_ticks_of_unknown_length(clocks: tuple[Service, str, str, str]) -> None:
    service, first, second, _ = clocks
    asked = {"abnormal": _worst(service, second), "normal": f"{first}/auto"}
    found = Diff.model_validate_json(service.client.get("/api/v1/diff", params=asked).content)
    [guard] = [one for one in found.guard if one.name == "clock_tick"]
    assert "ticks of unknown length" in guard.sentence


def test_ticks_are_not_compared_with_time(clocks: tuple[Service, str, str, str]) -> None:
    service, first, second, timed = clocks
    names = _name(service, second), _name(service, timed)
    detail = (
        f'normal: "{names[0]}" counts ticks of a clock that it does not name and "{names[1]}" nanoseconds'
    )
    check_refused(service, 422, detail, abnormal=_worst(service, second), normal=f"{timed}/auto")
    both = f"{second},{timed}/cases:wakeup"
    check_refused(service, 422, "abnormal: ", abnormal=both, normal=f"{first}/auto")


def test_only_what_can_be_compared_is_offered(clocks: tuple[Service, str, str, str]) -> None:
    service, first, second, timed = clocks
    asked = {"abnormal": _worst(service, second)}
    offered = DiffNormals.model_validate_json(
        service.client.get("/api/v1/diff/normals", params=asked).content
    )
    ids = {trace.id for trace in offered.traces}
    assert (offered.unit, first in ids, timed in ids) == ("ticks", True, False)
    items = service.client.get(f"/api/v1/traces/{timed}/comparable?limit=100").json()["items"]
    assert not {first, second} & {one["id"] for one in items}


def test_variants_are_compared_in_ticks(clocks: tuple[Service, str, str, str]) -> None:
    service, first, second, _ = clocks
    answer = CompareAnswer.model_validate_json(_compare(service, before=[first], after=[second]))
    assert (answer.unit, answer.variants[1].max_ns) == ("ticks", 2_000)
    assert "2,000 clock ticks (after)" in answer.sentence
    assert answer.guard == [
        "The clocks count ticks of unknown length, which may not be the same in all traces."
    ]
    assert {(one.from_per_s, one.to_per_s) for one in answer.causes} == {(None, None)}
    assert all("Hz" not in one.product for one in answer.ticks)
    for form in ("text", "html", "svg"):
        written = _compare(service, form, before=[first], after=[second])
        assert not _TIME.search(written), form
        assert "clock ticks" in written, form


def test_traces_of_another_clock_are_left_out_by_name(clocks: tuple[Service, str, str, str]) -> None:
    service, first, second, timed = clocks
    answer = CompareAnswer.model_validate_json(_compare(service, tsc=[first, timed], after=[second]))
    assert (answer.unit, answer.variants[0].traces) == ("ticks", 1)
    assert answer.guard[0] == (
        "tsc: 1 of 2 traces counts nanoseconds instead of ticks of a clock without a name and is left out "
        f"({_name(service, timed)}): compare recordings with the same trace clock."
    )
    answer = CompareAnswer.model_validate_json(_compare(service, timed=[timed], tsc=[first]))
    assert (answer.unit, answer.variants[1].samples) == ("ns", 0)
    assert answer.sentence == (
        "tsc cannot be compared: it counts ticks of a clock without a name instead of nanoseconds."
    )
    body = {
        "measure": {"kind": "wakeup"},
        "variants": [{"name": "timed", "traces": [timed]}, {"name": "tsc", "traces": [first]}],
    }
    response = service.client.post("/api/v1/compare/distribution", json=body)
    curves = DistributionAnswer.model_validate_json(response.content)
    assert (curves.unit, [one.name for one in curves.variants]) == ("ns", ["timed"])


def test_a_trend_is_of_one_clock(clocks: tuple[Service, str, str, str]) -> None:
    service, first, second, timed = clocks
    body = {"measure": {"kind": "wakeup"}, "variant": {"name": "runs", "traces": [first, second, timed]}}
    answer = TrendAnswer.model_validate_json(service.client.post("/api/v1/trend", json=body).content)
    assert (answer.unit, {point.trace for point in answer.points}) == ("ticks", {first, second})
    assert (answer.without_samples, len(answer.guard)) == (0, 2)
    assert answer.guard[0].startswith("runs: 1 of 3 traces counts nanoseconds")


def test_a_limit_in_units_of_time_decides_nothing(clocks: tuple[Service, str, str, str]) -> None:
    service, _, second, timed = clocks
    check = {"kind": "wakeup", "stat": "max", "op": "<="}
    baseline = BaselineAnswer.model_validate_json(
        service.client.post(
            "/api/v1/baselines", json={"name": "Timed runs", "variant": {"traces": [timed]}}
        ).content
    )
    against = {"value": "baseline", "baseline": baseline.slug}
    response = service.client.post(
        f"/api/v1/traces/{second}/checks",
        json=[check | {"value": "50us"}, check | {"value": 1_500}, check | against],
    )
    in_time, in_ticks, of_baseline = CheckReport.model_validate_json(response.content).results
    assert (in_time.outcome, in_time.reason) == (
        "undecidable",
        "the trace clock counts ticks of unknown length, so 50us says nothing of them; give a limit in clock "
        "ticks, as a whole number",
    )
    assert in_ticks.reason == "max is 2,000 clock ticks, above the limit of 1,500 clock ticks"
    assert of_baseline.outcome == "undecidable"
    assert "1 of its 1 traces count nanoseconds" in (of_baseline.reason or "")


def test_a_case_is_reported_in_ticks(clocks: tuple[Service, str, str, str]) -> None:
    service, _, second, _ = clocks
    trace_id, _, case = _worst(service, second).partition("/")
    for form in ("text", "html", "svg"):
        report = service.client.get(f"/api/v1/traces/{trace_id}/latencies/{case}", params={"format": form})
        assert "2,000 clock ticks" in report.text, form
        assert not _TIME.search(report.text), form
