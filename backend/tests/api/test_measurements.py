"""Files of measurements: every number equals that of the lines themselves."""

import statistics
from collections.abc import Sequence

import pytest

from jitterscope.schemas.latencies import LatencyPage
from jitterscope.schemas.latency_stats import LatencyGroup, LatencyStats
from tests.api.service import Service

_BARS = {19: 1_200, 20: 640, 21: 97, 23: 41, 28: 15, 41: 6}


def _cyclictest(bars: dict[int, int], *, overflows: int = 0, longest: int | None = None) -> bytes:
    """A histogram of one thread of 50 microseconds."""
    lines = ["# /dev/cpu_dma_latency set to 0us", "# Histogram"]
    lines += [f"{value:06d} {bars.get(value, 0):06d}" for value in range(50)]
    lines += [
        f"# Total: {sum(bars.values()):09d}",
        f"# Min Latencies: {min(bars):05d}",
        "# Avg Latencies: 00020",
        f"# Max Latencies: {longest or max(bars):05d}",
        f"# Histogram Overflows: {overflows:05d}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _group(service: Service, trace_id: str, **parameters: str) -> LatencyGroup:
    asked = {"kind": "measured"} | parameters
    response = service.client.get(f"/api/v1/traces/{trace_id}/latencies/stats", params=asked)
    assert response.status_code == 200, response.text
    (group,) = LatencyStats.model_validate_json(response.content).groups
    return group


def _nearest_rank(values: Sequence[int], percent: float) -> int:
    return sorted(values)[-(-int(len(values) * percent * 1000) // 100_000) - 1]


def test_bars_count_as_often_as_they_say(working_service: Service) -> None:
    trace_id = working_service.ready(_cyclictest(_BARS))
    values = [value * 1000 for value, count in _BARS.items() for _ in range(count)]
    group = _group(working_service, trace_id, bucket="10us")
    assert (group.count, group.min_ns, group.max_ns) == (1_999, 19_000, 41_000)
    assert group.mean_ns == round(statistics.mean(values))
    assert group.stdev_ns == round(statistics.stdev(values))
    found = [group.p50_ns, group.p90_ns, group.p99_ns, group.p99_9_ns]
    assert found == [_nearest_rank(values, percent) for percent in (50, 90, 99, 99.9)]
    assert [bin_.count for bin_ in group.histogram] == [1_200, 640 + 97 + 41 + 15, 0, 6]
    page = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies", params={"kind": "measured"})
    worst = LatencyPage.model_validate_json(page.content).items[0]
    assert (worst.duration_ns, worst.weight, worst.key) == (41_000, 6, "cyclictest thread 0")
    assert worst.headline == "cyclictest thread 0 measured 41 µs"
    case = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies/{worst.id}")
    assert case.status_code == 200, case.text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (_cyclictest(_BARS), True),
        # Counts are no durations: the file has no worst case.
        (
            b"# ftq cpu=1 quantum_ns=1000000 n=2 work=64 start_ns=5\n#quantum\tstart_ns\tcount\n0\t5\t9\n",
            True,
        ),
        (b"# tracer: nop\n#\n sh-7 [000] d.h.. 1.000001: local_timer_entry: vector=236\n", False),
    ],
)
def test_a_file_of_measurements_is_told_from_a_trace(
    working_service: Service, content: bytes, expected: bool
) -> None:
    trace_id = working_service.ready(content)
    answer = working_service.client.get(f"/api/v1/traces/{trace_id}").json()
    assert answer["is_measurement"] is expected
    listed = working_service.client.get("/api/v1/traces").json()["items"]
    assert [one["is_measurement"] for one in listed if one["id"] == trace_id] == [expected]


def test_the_longest_overflow_is_known(working_service: Service) -> None:
    trace_id = working_service.ready(_cyclictest(_BARS, overflows=3, longest=412))
    group = _group(working_service, trace_id)
    assert (group.count, group.max_ns, group.p99_9_ns) == (2_002, 412_000, 50_000)


def test_a_summary_decides_its_extremes_alone(working_service: Service) -> None:
    text = b"T: 0 (  822) P:80 I:1000 C:    313 Min:     19 Act:   32 Avg:   20 Max:      44\n"
    trace_id = working_service.ready(text)
    checks = [
        {"kind": "measured", "stat": stat, "op": "<=", "value": "50us"} for stat in ("max", "p99", "mean")
    ]
    response = working_service.client.post(f"/api/v1/traces/{trace_id}/checks", json=checks)
    results = response.json()["results"]
    assert [result["outcome"] for result in results] == ["passed", "undecidable", "undecidable"]
    assert results[1]["reason"] == "the program did not print 310 of its values"


SORTED_BY = "SELECT DISTINCT worst_duration_ns FROM trace WHERE format = 'ftq_counts'"


@pytest.mark.parametrize("group_by", ["", "key"])
def test_counts_of_work_have_no_unit(working_service: Service, group_by: str) -> None:
    lines = "".join(f"{number}\t{1_000_000 * number + 7}\t{1078 + number % 2}\n" for number in range(100))
    text = "# ftq cpu=1 quantum_ns=1000000 clock=CLOCK_MONOTONIC\n#quantum\tstart_ns\tcount\n" + lines
    trace_id = working_service.ready(text.encode())
    asked = {"kind": "measured"} | ({"group_by": group_by} if group_by else {})
    response = working_service.client.get(f"/api/v1/traces/{trace_id}/latencies/stats", params=asked)
    stats = LatencyStats.model_validate_json(response.content)
    (group,) = stats.groups
    assert (stats.unit, group.count, group.min_ns, group.max_ns) == ("none", 100, 1078, 1079)
    trace = working_service.client.get(f"/api/v1/traces/{trace_id}").json()
    assert (trace["format"], trace["clock"], trace["skipped_bytes"]) == ("ftq_counts", "mono", 0)
    # The largest count is the best quantum: it is no case, and no time.
    assert trace["worst"] is None
    assert working_service.rows(SORTED_BY) == [(-1,)]


_BARE = b"10.5\n11.25\n12\n13\n"


@pytest.mark.parametrize(
    ("unit", "longest_ns"), [("ns", 13), ("us", 13_000), ("ms", 13_000_000), ("s", 13_000_000_000)]
)
def test_bare_numbers_have_the_unit_of_their_upload(
    working_service: Service, unit: str, longest_ns: int
) -> None:
    # Nanoseconds are whole ones.
    body = b"10\n11\n12\n13\n" if unit == "ns" else _BARE
    sent = working_service.client.post(f"/api/v1/traces?filename={unit}.txt&unit={unit}", content=body)
    assert sent.status_code == 202, sent.text
    trace_id = sent.json()["id"]
    assert working_service.wait(trace_id)["status"] == "ready"
    group = _group(working_service, trace_id)
    assert (group.count, group.max_ns) == (4, longest_ns)
    stored = working_service.client.get(f"/api/v1/traces/{trace_id}/raw")
    assert stored.content == f"# unit={unit}\n".encode() + body
    form = working_service.client.post(f"/api/v1/traces?unit={unit}", files={"file": (f"{unit}.txt", body)})
    assert (form.status_code, form.json()["id"]) == (200, trace_id)


def test_bare_numbers_without_a_unit_are_asked_for_it(service: Service) -> None:
    refused = service.client.post("/api/v1/traces?filename=bare.txt", content=_BARE)
    assert (refused.status_code, refused.json()["code"]) == (415, "unit_unknown")
    assert "unit=ns, us, ms or s" in refused.json()["remedy"]


@pytest.mark.parametrize("stated", [_cyclictest(_BARS), b"# unit=us\n" + _BARE, b"late_us\n" + _BARE])
def test_a_unit_beside_a_file_that_states_its_own_is_refused(service: Service, stated: bytes) -> None:
    refused = service.client.post("/api/v1/traces?filename=stated.txt&unit=ms", content=stated)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_parameter")
    assert "the file says itself" in refused.json()["detail"]


def test_a_unit_does_not_make_anything_a_recording(service: Service) -> None:
    refused = service.client.post("/api/v1/traces?filename=no.txt&unit=us", content=b"<!doctype html>\n" * 9)
    assert (refused.status_code, refused.json()["code"]) == (415, "unknown_format")
    assert service.client.post("/api/v1/traces?unit=us", content=b"").status_code == 422
    assert service.client.post("/api/v1/traces?unit=min", content=_BARE).status_code == 422
