"""What is inside a trace: every answer has the declared shape and the right nanoseconds."""

import gzip
import json
from pathlib import Path

import pytest

from jitterscope.schemas.calls import CallInContext, Calls
from jitterscope.schemas.calltree import CallTree
from jitterscope.schemas.catalog import Catalog
from jitterscope.schemas.events import EventPage
from jitterscope.schemas.functions import FunctionPage
from jitterscope.schemas.model import Answer
from jitterscope.schemas.timeline import Timeline
from jitterscope.schemas.trace import TraceAnswer
from tests.api.service import Service, busy_lines, trace_file

SAMPLES = Path(__file__).resolve().parents[3] / "sample_traces"

SAMPLE_NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.suffix not in (".md", ".toml"))

SHAPES: dict[str, type[Answer]] = {
    "timeline": Timeline,
    "calls": Calls,
    "calltree": CallTree,
    "functions": FunctionPage,
    "events": EventPage,
}

# Calls of two CPUs without absolute times, as the function_graph tracer prints them.
CALLS = b"""# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
 0)               |  do_idle() {
 0)   1.000 us    |    rcu_read();
 0)   2.500 us    |    tick_stop();
 0)   5.000 us    |  }
 1)   0.750 us    |  rcu_read();
"""


def inside(service: Service, trace_id: str, call: str, **parameters: str | int) -> dict[str, object]:
    """The answer of a call, after it was held against its declared shape."""
    response = service.client.get(f"/api/v1/traces/{trace_id}/{call}", params=parameters)
    assert response.status_code == 200, response.text
    SHAPES[call.partition("?")[0]].model_validate_json(response.content)
    found: dict[str, object] = response.json()
    return found


def check_refused(service: Service, path: str, parameter: str) -> None:
    response = service.client.get(path)
    assert response.status_code == 422, response.text
    assert [error["parameter"] for error in response.json()["errors"]] == [parameter]


def test_events_and_slices_have_the_times_of_the_file(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file())
    events = inside(working_service, trace_id, "events")["items"]
    assert isinstance(events, list)
    assert [(event["t"], event["cpu"], event["event"]) for event in events] == [
        (0, 0, "sched_switch"),
        (10_000, 0, "irq_handler_entry"),
        (25_000, 0, "irq_handler_exit"),
        (30_000, 1, "sched_waking"),
        (40_000, 0, "sched_switch"),
    ]
    assert events[0]["args"]["next_pid"] == 9
    assert events[1]["flags"]["irqs_off"] is True

    timeline = inside(working_service, trace_id, "timeline")
    lanes = timeline["lanes"]
    assert isinstance(lanes, list)
    by_id = {lane["id"]: (lane["t"], lane["duration_ns"]) for lane in lanes}
    assert by_id["cpu0.sched"] == ([0], [40_000])
    assert by_id["cpu0.irq"] == ([10_000], [15_000])

    # The same window by nanoseconds, by units and by the stamps of the file.
    windows = [
        {"start": "10000", "end": "30000"},
        {"start": "10us", "end": "0.03ms"},
        {"start": "100.000020", "end": "100.000040"},
    ]
    assert (
        len({json.dumps(inside(working_service, trace_id, "timeline", **window)) for window in windows}) == 1
    )
    for begin in ({"at": "100.000035"}, {"start": "25us"}):
        page = inside(working_service, trace_id, "events", **begin)["items"]
        assert isinstance(page, list)
        assert [event["seq"] for event in page] == [2, 3, 4]


def test_pages_of_events_join_to_all(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file())
    for order in ("asc", "desc"):
        found: list[int] = []
        more: dict[str, str | int] = {"limit": 2, "order": order}
        while True:
            page = inside(working_service, trace_id, "events", **more)
            assert isinstance(page["items"], list)
            found += [event["seq"] for event in page["items"]]
            if page["next"] is None:
                break
            more["cursor"] = str(page["next"])
        assert found == sorted(range(5), reverse=order == "desc")


def test_a_search_through_many_blocks_finds_each_event_once(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file() + busy_lines(50_000))
    asks = {
        # Everywhere, nowhere but in the first block, and nowhere.
        "event:sched_waking": [3, *range(5, 50_005)],
        "irq=24": [1, 2],
        "eth0": [1],
        "pid=10": [],
    }
    for order in ("asc", "desc"):
        for q, expected in asks.items():
            found: list[int] = []
            more: dict[str, str | int] = {"limit": 1000, "order": order, "q": q}
            while True:
                page = inside(working_service, trace_id, "events", **more)
                assert isinstance(page["items"], list)
                assert len(page["items"]) <= 1000
                found += [event["seq"] for event in page["items"]]
                if page["next"] is None:
                    break
                more["cursor"] = str(page["next"])
            assert found == (expected if order == "asc" else expected[::-1]), (q, order)


def test_calls_have_their_own_times(working_service: Service) -> None:
    trace_id = working_service.ready(CALLS)
    trace = working_service.wait(trace_id)
    assert (trace["call_count"], trace["time_origin"]) == (4, "derived")
    functions = inside(working_service, trace_id, "functions")["items"]
    assert isinstance(functions, list)
    totals = {item["symbol"]: (item["count"], item["total_ns"], item["self_ns"]) for item in functions}
    assert totals == {
        "do_idle": (1, 5_000, 1_500),
        "tick_stop": (1, 2_500, 2_500),
        "rcu_read": (2, 1_750, 1_750),
    }
    tree = inside(working_service, trace_id, "calltree")
    assert (tree["total_ns"], tree["call_count"], tree["net"]) == (5_750, 4, None)
    net = inside(working_service, trace_id, "calltree", time="net")
    nothing_taken = {"taken_ns": 0, "has_interrupts": False, "has_switches": False}
    assert (net["total_ns"], net["net"]) == (5_750, nothing_taken)
    inside(working_service, trace_id, "calls", by="task")
    slowest = functions[0]["slowest"]["id"]
    response = working_service.client.get(f"/api/v1/traces/{trace_id}/calls/{slowest}")
    found = CallInContext.model_validate_json(response.content)
    assert (found.call.symbol, found.call.duration_ns, found.callers) == ("do_idle", 5_000, [])
    missing = working_service.client.get(f"/api/v1/traces/{trace_id}/calls/call-1@999.0")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        ("timeline?start=soon", "start"),
        ("timeline?start=5us&end=1us", "end"),
        ("timeline?width=5001", "width"),
        ("timeline?width=1", "width"),
        ("timeline?lanes=cpu0.nothing", "lanes"),
        ("timeline?zoom=1", "zoom"),
        ("calls?min=-1us", "min"),
        ("calls?by=color", "by"),
        ("calls?cpu=x", "cpu"),
        ("calltree?time=own", "time"),
        ("calls/no-call", "id"),
        ("calltree?min_share=2", "min_share"),
        ("calltree?invert=perhaps", "invert"),
        ("functions?sort=name;drop", "sort"),
        ("functions?limit=1001", "limit"),
        ("functions?cursor=x", "cursor"),
        ("events?limit=0", "limit"),
        ("events?q=" + "x" * 201, "q"),
        ("events?q=t>", "q"),
        ("events?order=up", "order"),
        ("events?at=noon", "at"),
        ("events?at=100.000035&start=0", "at"),
        ("events?cursor=x", "cursor"),
        ("warnings?cursor=x", "cursor"),
        ("warnings?limit=1001", "limit"),
    ],
)
def test_bad_parameters_are_refused_by_name(
    ready_trace: tuple[Service, str], call: str, parameter: str
) -> None:
    service, trace_id = ready_trace
    check_refused(service, f"/api/v1/traces/{trace_id}/{call}", parameter)


def test_big_answers_are_compressed_for_those_who_ask(ready_trace: tuple[Service, str]) -> None:
    service, trace_id = ready_trace
    path = f"/api/v1/traces/{trace_id}/events"
    asked = {"Accept-Encoding": "gzip"}
    with service.client.stream("GET", path, headers=asked, params={"limit": 1000}) as response:
        body = b"".join(response.iter_raw())
    plain = service.client.get(path, headers={"Accept-Encoding": "identity"}, params={"limit": 1000})
    assert response.headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain.content
    assert "content-encoding" not in plain.headers
    assert plain.headers["cache-control"] == "no-store"


def test_warnings_have_a_place_a_sentence_and_pages(working_service: Service) -> None:
    trace_id = working_service.ready(trace_file() + b"what is this\nand this\nand that\n")
    (warning,) = TraceAnswer.model_validate(working_service.wait(trace_id)).warnings
    lines = trace_file().count(b"\n")
    assert (warning.code, warning.count, warning.first_line) == ("unparsed_lines", 3, lines + 1)
    assert warning.first_byte_offset == len(trace_file())
    assert warning.sample == "what is this"
    assert warning.sentence
    path = f"/api/v1/traces/{trace_id}/warnings"
    first = working_service.client.get(path, params={"limit": 2}).json()
    assert [item["line"] for item in first["items"]] == [lines + 1, lines + 2]
    last = working_service.client.get(path, params={"limit": 2, "cursor": first["next"]}).json()
    assert [(item["line"], item["sample"]) for item in last["items"]] == [(lines + 3, "and that")]
    assert last["next"] is None
    assert working_service.client.get(path, params={"code": "lost_events"}).json()["items"] == []


def test_the_catalog_knows_every_diagnostic(idle_service: Service) -> None:
    catalog = Catalog.model_validate_json(idle_service.client.get("/api/v1/catalog").content)
    assert {"lost_events", "unparsed_lines"} <= {entry["code"] for entry in catalog.diagnostics}
    assert [kind.name for kind in catalog.slice_kinds][:2] == ["sched", "irq"]
    needs = {entry["kind"]: entry["needs"] for entry in catalog.latencies}
    assert ["sched_waking", "sched_switch"] in needs["wakeup"]


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_every_sample_answers_everything(working_service: Service, name: str) -> None:
    trace_id = working_service.ready((SAMPLES / name).read_bytes(), name)
    trace = TraceAnswer.model_validate(working_service.wait(trace_id))
    assert trace.used_bytes is not None
    assert trace.skipped_bytes is not None
    assert trace.used_bytes + trace.skipped_bytes == trace.expanded_bytes
    for call in SHAPES:
        inside(working_service, trace_id, call)
    inside(working_service, trace_id, "calls", by="task")
    inside(working_service, trace_id, "calltree", invert="true")
