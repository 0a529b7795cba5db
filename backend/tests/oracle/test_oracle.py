"""Every latency of every sample trace is the one that a second, plain reading of its text finds."""

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from jitterscope.run.samples import list_samples
from tests.api.service import Service
from tests.oracle.kinds import KINDS
from tests.oracle.rare import RARE, Rare, Row
from tests.oracle.recording import Recording
from tests.oracle.reports import stated
from tests.oracle.samples import Incomplete, Sample

PAGE = 1000
TASK_KINDS = ("wakeup", "preempted", "syscall", "cyclic")

# What `trace-cmd report -t` makes of a trace.dat: its text with all nanoseconds.
REPORTS = {"cyclictest-6.12-rt.dat": Path(__file__).parent / "cyclictest-6.12-rt.report-t.txt.zst"}


class Oracle:
    """What the second reading finds; a recording is read once, and searched once for each kind."""

    def __init__(self, lines: list[str]) -> None:
        self.report = stated(lines)
        self._recording = Recording(lines)
        self._found: dict[str, list[Sample | Incomplete]] = {}

    def samples(self, kind: str) -> Counter[Row]:
        return Counter(_row(found) for found in self._find(kind) if isinstance(found, Sample))

    def incomplete(self, kind: str) -> Counter[str]:
        return Counter(found.reason for found in self._find(kind) if isinstance(found, Incomplete))

    def _find(self, kind: str) -> list[Sample | Incomplete]:
        if kind not in self._found:
            self._found[kind] = list(KINDS[kind](self._recording))
        return self._found[kind]


@pytest.fixture(scope="module", params=[*list_samples()], ids=lambda sample: sample.path.name)
def loaded(request: pytest.FixtureRequest, service: Service) -> tuple[str, Oracle]:
    """A sample trace in the product, and in the oracle."""
    path: Path = request.param.path
    lines = text_of(REPORTS.get(path.name, path)).splitlines()
    return service.ready(path.read_bytes(), path.name), Oracle(lines)


@pytest.mark.parametrize("kind", KINDS)
def test_every_latency_is_found_twice(kind: str, loaded: tuple[str, Oracle], service: Service) -> None:
    trace_id, oracle = loaded
    expected = oracle.samples(kind)
    report = oracle.report
    if report and report.kind == kind:
        expected[_row(report)] += 1
    found = _from_product(service, trace_id, kind)
    assert sorted(found - expected) == [], "only the product has these"
    assert sorted(expected - found) == [], "only the oracle has these"


@pytest.mark.parametrize("kind", KINDS)
def test_what_gives_no_number_is_counted_by_its_reason(
    kind: str, loaded: tuple[str, Oracle], service: Service
) -> None:
    trace_id, oracle = loaded
    assert _incomplete_of_product(service, trace_id, kind) == oracle.incomplete(kind)


@pytest.mark.parametrize("rare", RARE, ids=lambda rare: rare.name)
def test_what_is_rare_is_found_three_times(rare: Rare, service: Service) -> None:
    oracle = Oracle(list(rare.lines))
    trace_id = service.ready("".join(f"{line}\n" for line in rare.lines).encode(), "rare.txt")
    for kind in KINDS:
        by_hand = Counter(rare.found.get(kind, ()))
        assert oracle.samples(kind) == by_hand, kind
        assert _from_product(service, trace_id, kind) == by_hand, kind
        assert _incomplete_of_product(service, trace_id, kind) == oracle.incomplete(kind), kind


def text_of(path: Path) -> str:
    content = path.read_bytes()
    if path.suffix == ".zst":
        content = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(content)).read()
    return content.decode(errors="replace")


def _incomplete_of_product(service: Service, trace_id: str, kind: str) -> Counter[str]:
    kinds = service.client.get(f"/api/v1/traces/{trace_id}/latencies/kinds").json()["items"]
    rows = next(item["incomplete"] for item in kinds if item["kind"] == kind)
    return Counter({row["reason"]: row["count"] for row in rows})


def _row(sample: Sample) -> Row:
    return sample.start_ns, sample.duration_ns, sample.cpu, sample.pid


def _from_product(service: Service, trace_id: str, kind: str) -> Counter[Row]:
    return Counter(_items(service, trace_id, kind))


def _items(service: Service, trace_id: str, kind: str) -> Iterator[Row]:
    origin_ns = int(str(service.wait(trace_id)["origin_ns"]))
    params = {"kind": kind, "limit": str(PAGE), "sort": "t"}
    while True:
        response = service.client.get(f"/api/v1/traces/{trace_id}/latencies", params=params)
        assert response.status_code == 200, response.text
        page = response.json()
        for item in page["items"]:
            pid = item["pid"] if kind in TASK_KINDS else None
            yield origin_ns + item["t"], item["duration_ns"], item["cpu"], pid
        if page["next"] is None:
            return
        params["cursor"] = page["next"]
