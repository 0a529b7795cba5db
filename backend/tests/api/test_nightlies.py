"""Journey 4 of the lab: three hundred nightlies, of which those from one build on are slower."""

import random

from jitterscope.schemas.checks import CheckReport
from jitterscope.schemas.trend import TrendAnswer
from tests.api.service import Service

NIGHTS = 300
BAD_SINCE = 171


def _histogram(night: int) -> bytes:
    """What `cyclictest -h` prints; one night in thirty is twice as slow, whatever the build."""
    chance = random.Random(night)  # noqa: S311 - the same nights every time
    late_us = (66 if night >= BAD_SINCE else 50) + chance.randrange(8)
    if chance.randrange(30) == 0:
        late_us *= 2
    counts = {20: 900 + night, 22 + chance.randrange(3): 80, late_us: 20}
    bars = [f"{at:06} {counts.get(at, 0):06}" for at in range(200)]
    total = sum(counts.values())
    ends = [f"# Total: {total:09}", "# Min Latencies: 00020", f"# Max Latencies: {max(counts):05}"]
    more = ["# Histogram Overflows: 00000", "# Histogram Overflow at cycle number:", "# Thread 0:", ""]
    return "\n".join(["# Histogram", *bars, *ends, *more]).encode()


def test_the_build_that_made_it_slower_is_found_and_its_check_fails(working_service: Service) -> None:
    service, client = working_service, working_service.client
    ids = [str(service.upload(_histogram(night)).json()["id"]) for night in range(NIGHTS)]
    for night, trace_id in enumerate(ids):
        assert service.wait(trace_id)["status"] == "ready"
        labels = {"labels": {"job": "lab", "build": f"6.12.{night + 1}"}}
        assert client.patch(f"/api/v1/traces/{trace_id}", json=labels).status_code == 200

    query = {"labels": "job:lab", "measure": "measured", "x": "label:build", "stat": "p99_ns"}
    response = client.get("/api/v1/trend", params=query)
    trend = TrendAnswer.model_validate_json(response.content)
    assert [point.trace for point in trend.points] == ids
    [change] = trend.changes
    assert abs(change.index - BAD_SINCE) <= 1
    assert change.after_ns > change.before_ns
    assert ids.index(change.normal_trace) < change.index

    week = {"name": "The week before", "variant": {"traces": ids[BAD_SINCE - 7 : BAD_SINCE]}}
    baseline = client.post("/api/v1/baselines", json=week).json()["slug"]
    check = {
        "kind": "measured",
        "stat": "p99",
        "op": "<=",
        "value": "baseline * 1.1",
        "baseline": baseline,
    }
    reports = {}
    for night in (BAD_SINCE - 1, BAD_SINCE):
        answer = client.post(f"/api/v1/traces/{ids[night]}/checks", json=[check])
        [reports[night]] = CheckReport.model_validate_json(answer.content).results
    before, after = reports[BAD_SINCE - 1], reports[BAD_SINCE]
    assert (before.outcome, after.outcome) == ("passed", "failed")
    assert after.reason is not None
    # Both numbers, and the runs they are of.
    assert "'The week before' (7 traces) has" in after.reason
    assert "and it is" in after.reason
    assert client.delete(f"/api/v1/baselines/{baseline}").status_code == 204
