"""From queued to a final state, whatever happens on the way."""

import contextlib
import functools
import gzip
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from jitterscope.store.placement import DISTRIBUTED
from tests.api.service import READY_SECONDS, Service, ServiceMaker, busy_lines, running_worker, trace_file

T = TypeVar("T")

# Takes a parser long enough to be caught at work. They follow the five events of the small recording.
LONG_EVENT_COUNT = 400_000


def long_trace() -> bytes:
    return trace_file() + busy_lines(LONG_EVENT_COUNT)


def until(found: Callable[[], T | None], what: str) -> T:
    """What is found, as soon as it is."""
    give_up = time.monotonic() + READY_SECONDS
    while time.monotonic() < give_up:
        value = found()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError(f"waited in vain for {what}")


def parser_pid(worker: subprocess.Popen[bytes]) -> int:
    """The parsing child of a worker, once it is at work."""

    def find() -> int | None:
        children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text(encoding="ascii")
        parsers = [
            int(pid)
            for pid in children.split()
            # Another one only states which walls it has.
            if b"jitterscope.ingest.child" in (command := command_of(int(pid))) and b"task=import" in command
        ]
        return parsers[0] if parsers else None

    return until(find, "a parser")


def command_of(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def rows_left(service: Service) -> dict[str, int]:
    """Tables that are not empty, of those that a trace's contents are in."""
    # One statement sees all tables at the same moment, and is over before a load is.
    counts = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in DISTRIBUTED)  # noqa: S608
    return {str(table): int(str(count)) for table, count in service.rows(counts) if count}


@contextlib.contextmanager
def watching(service: Service, trace_id: str) -> Iterator[Iterator[tuple[str, dict[str, object]]]]:
    """The server-sent events of a trace's progress, as (event, data)."""

    def events() -> Iterator[tuple[str, dict[str, object]]]:
        name = ""
        for line in response.iter_lines():
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            elif line.startswith("data:"):
                yield name, json.loads(line.removeprefix("data:"))

    with service.client.stream("GET", f"/api/v1/traces/{trace_id}/progress") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        yield events()


def test_a_recording_becomes_ready(service: Service, worker: subprocess.Popen[bytes]) -> None:
    trace = service.wait(service.upload(trace_file()).json()["id"])
    assert worker.poll() is None
    assert (trace["status"], trace["progress"], trace["stage"]) == ("ready", 1.0, None)
    assert (trace["event_count"], trace["cpus"], trace["cpu_count"]) == (5, [0, 1], 2)
    assert (trace["origin_ns"], trace["duration_ns"]) == ("100000010000", 40_000)
    assert trace["used_bytes"] == len(trace_file())
    assert (trace["skipped_bytes"], trace["warnings"], trace["error"]) == (0, [], None)
    assert trace["ready_at"] is not None
    # The queue forgets the job only behind the commit that makes the trace ready.
    jobs = "SELECT status FROM procrastinate_jobs WHERE task_name = 'load_trace'"
    assert until(lambda: not service.rows(jobs), "the end of the job")


def test_what_stands_before_the_first_line_in_time_is_not_before_the_trace(
    service: Service, worker: subprocess.Popen[bytes]
) -> None:
    later, earlier = (
        [f" bash-1 [{cpu:03}] {second + number / 10:.6f}: a: x={number}" for number in range(3)]
        for cpu, second in ((0, 50), (1, 7))
    )
    trace_id = service.ready("\n".join([*later, *earlier, ""]).encode(), "blocks.txt")
    found = service.client.get(f"/api/v1/traces/{trace_id}").json()
    assert (found["origin_ns"], found["event_count"]) == ("7000000000", 6)
    assert worker.poll() is None
    events = service.client.get(f"/api/v1/traces/{trace_id}/events").json()["items"]
    assert [(event["cpu"], event["t"]) for event in events] == [
        (cpu, second * 10**9 + tenths * 10**8) for cpu, second in ((1, 0), (0, 43)) for tenths in range(3)
    ]


def test_progress_is_told_to_the_end(service: Service) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    with watching(service, trace_id) as events, running_worker(service.settings):
        told = list(events)
    assert [name for name, _ in told[:-1]] == ["progress"] * (len(told) - 1)
    states = [data["status"] for _, data in told]
    assert states[0] == "queued"
    assert "parsing" in states
    done = [float(str(data["progress"])) for _, data in told]
    assert done == sorted(done)
    name, last = told[-1]
    assert (name, last["status"], last["progress"], last["events"]) == (
        "done",
        "ready",
        1.0,
        LONG_EVENT_COUNT + 5,
    )


def test_the_progress_of_a_finished_trace_is_its_end(service: Service, worker: object) -> None:
    trace_id = service.ready(trace_file())
    with watching(service, trace_id) as events:
        assert [name for name, _ in events] == ["done"]
    assert worker is not None


def test_waiting_ends_with_the_time(service: Service) -> None:
    trace_id = service.upload(trace_file()).json()["id"]
    started = time.monotonic()
    trace = service.client.get(f"/api/v1/traces/{trace_id}", params={"wait": "0.5"}).json()
    assert trace["status"] == "queued"
    assert 0.4 < time.monotonic() - started < 10


def test_a_parser_that_is_killed_is_started_again(service: Service, worker: subprocess.Popen[bytes]) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    os.kill(parser_pid(worker), signal.SIGKILL)
    assert service.wait(trace_id)["status"] == "ready"
    assert service.rows("SELECT attempt, crash_count FROM trace") == [(2, 1)]


def test_a_file_that_kills_its_parser_three_times_is_failed(
    service: Service, worker: subprocess.Popen[bytes]
) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    for _ in range(3):
        killed = parser_pid(worker)
        os.kill(killed, signal.SIGKILL)
        until(functools.partial(is_gone, killed), "the parser's end")
    trace = service.wait(trace_id)
    assert trace["status"] == "failed"
    error = trace["error"]
    assert isinstance(error, dict)
    assert (error["code"], error["class"]) == ("parser_crash", "crash")
    assert "3 times" in str(error["sentence"])
    assert "SIGKILL" in str(error["sentence"])
    assert rows_left(service) == {}
    refused = service.client.get(f"/api/v1/traces/{trace_id}/timeline")
    assert (refused.status_code, refused.json()["code"]) == (409, "trace_failed")


def test_nothing_is_visible_before_all_of_it_is(service: Service, worker: subprocess.Popen[bytes]) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    parser_pid(worker)
    seen = set()
    while "ready" not in seen:
        left = rows_left(service)
        timeline = service.client.get(f"/api/v1/traces/{trace_id}/timeline").status_code
        # Asked last: if it is not ready now, it was not when the others looked.
        seen.add(service.client.get(f"/api/v1/traces/{trace_id}").json()["status"])
        if "ready" not in seen:
            assert (left, timeline) == ({}, 409)
    assert "parsing" in seen
    assert rows_left(service)["event_block"] > 0


def test_a_trace_can_be_deleted_while_it_is_loaded(service: Service, worker: subprocess.Popen[bytes]) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    killed = parser_pid(worker)
    assert service.client.delete(f"/api/v1/traces/{trace_id}").status_code == 204
    until(functools.partial(is_gone, killed), "the parser's end")
    # The next load comes after the end of the deleted one.
    other = service.ready(trace_file())
    assert service.client.delete(f"/api/v1/traces/{other}").status_code == 204
    assert rows_left(service) == {}
    assert service.stored_files() == []


def test_a_load_outlives_its_worker(service: Service) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    with running_worker(service.settings) as first:
        parser = parser_pid(first)
        first.kill()
        first.wait()
        # The child goes with its parent, whatever it was doing.
        until(functools.partial(is_gone, parser), "the parser's end")
    began = time.monotonic()
    with running_worker(service.settings):
        until(lambda: service.rows("SELECT FROM trace WHERE attempt = 2"), "the second attempt")
        assert time.monotonic() - began < 10
        assert service.wait(trace_id)["status"] == "ready"
    assert service.rows("SELECT attempt, crash_count FROM trace") == [(2, 0)]
    assert service.rows("SELECT count(*), sum(count) FROM event_block HAVING sum(count) <> 400005") == []


def test_a_worker_that_is_asked_to_stop_gives_its_load_back(service: Service) -> None:
    trace_id = service.upload(long_trace()).json()["id"]
    with running_worker(service.settings) as first:
        parser_pid(first)
    assert first.returncode == 0
    with running_worker(service.settings):
        assert service.wait(trace_id)["status"] == "ready"


def test_a_file_past_a_limit_is_failed_with_its_reason(make_service: ServiceMaker) -> None:
    service = make_service(parser_min_seconds=1, parser_bytes_per_second=1 << 40, max_expansion_ratio=10_000)
    # Many seconds of reading in few bytes: the same member of a gzip file over and over.
    trace_id = service.upload(gzip.compress(long_trace()) * 64, "long.txt.gz").json()["id"]
    with running_worker(service.settings):
        trace = service.wait(trace_id)
    error = trace["error"]
    assert isinstance(error, dict)
    assert (trace["status"], error["code"]) == ("failed", "parse_time_limit")


def test_a_bomb_is_failed_at_the_limit(make_service: ServiceMaker) -> None:
    service = make_service(max_expanded_bytes=1 << 20)
    trace_id = service.upload(gzip.compress(trace_file() + busy_lines(20_000))).json()["id"]
    with running_worker(service.settings):
        trace = service.wait(trace_id)
    error = trace["error"]
    assert isinstance(error, dict)
    assert (trace["status"], error["code"], error["class"]) == ("failed", "expanded_too_large", "limit")
    assert error["byte_offset"] == 1 << 20
    assert "max_expanded_bytes" in error["remedy"]
    assert rows_left(service) == {}


def test_blocks_are_rows_in_sql(service: Service, worker: subprocess.Popen[bytes]) -> None:
    """What the views tell is what the page gets, for blocks whose events share almost everything."""
    assert worker.poll() is None
    trace_id = service.ready(trace_file() + busy_lines(10_000))
    events = service.client.get(f"/api/v1/traces/{trace_id}/events", params={"limit": 100}).json()["items"]
    told = service.rows(
        "SELECT seq, t_ns, cpu, pid, comm, event, args FROM event ORDER BY seq FETCH FIRST 100 ROWS ONLY"
    )
    names = ("seq", "t", "cpu", "pid", "comm", "event", "raw")
    assert told == [tuple(event[name] for name in names) for event in events]
    assert service.rows("SELECT count(*), count(DISTINCT seq) FROM event") == [(10_005, 10_005)]
    slices = service.rows(
        "SELECT count(*), count(*) FILTER (WHERE self_ns <= duration_ns AND cpu + depth >= 0) FROM slice"
    )
    assert slices == service.rows("SELECT slice_count, slice_count FROM trace")
