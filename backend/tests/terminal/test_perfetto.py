"""What is converted for Perfetto, read by Perfetto's own schema: every event, with what is known of it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent  # type: ignore[import-untyped] # has no stubs

from jitterscope.run.samples import SAMPLES, Sample, list_samples
from jitterscope.terminal.command_line import run_command
from jitterscope.terminal.events import events
from jitterscope.terminal.recording import Recording, read_recording

LOADED = SAMPLES / "cyclictest-load-6.12-rt.txt.zst"
CALLS = SAMPLES / "timer-interrupt-6.12.txt.zst"

Fields = dict[str, Any]  # Any: numbers and texts


def converted(sample: Path, folder: Path) -> Trace:
    file = folder / "trace.perfetto-trace"
    assert run_command("convert", [str(sample), "--to", "perfetto", "-o", str(file)]) == 0
    return Trace.FromString(file.read_bytes())


def ftrace_events(trace: Trace, name: str) -> list[tuple[int, int, Fields]]:
    """Time, CPU and fields of the events of a type, in the order of time."""
    found = [
        (event.timestamp, packet.ftrace_events.cpu, event)
        for packet in trace.packet
        for event in packet.ftrace_events.event
        if event.HasField(name)
    ]
    return [
        (stamp, cpu, {field.name: value for field, value in getattr(event, name).ListFields()})
        for stamp, cpu, event in sorted(found, key=lambda one: one[0])
    ]


def recorded(recording: Recording, name: str) -> list[tuple[int, int, Fields]]:
    origin = int(recording.known["origin_ns"])
    found = events(recording, f"event:{name}")
    return [(origin + event["t"], event["cpu"], event["args"]) for event in found if event["event"] == name]


def calls(recording: Recording, folder: Path) -> list[Fields]:
    with (folder / "calls.ndjson").open("w+b") as file:
        recording.write("rows", {"list": "calls", "format": "ndjson"}, file.fileno())
        file.seek(0)
        return [json.loads(line) for line in file.read().splitlines()]


@pytest.mark.parametrize("sample", [*list_samples()], ids=lambda sample: sample.path.name)
def test_every_event_and_every_call_is_counted_on_both_sides(sample: Sample, tmp_path: Path) -> None:
    recording, trace = read_recording(str(sample.path)), converted(sample.path, tmp_path)
    count = sum(len(packet.ftrace_events.event) for packet in trace.packet)
    assert count == recording.known["event_count"]
    types = Counter(packet.track_event.type for packet in trace.packet if packet.HasField("track_event"))
    call_count = len(calls(recording, tmp_path))
    assert types[TrackEvent.TYPE_SLICE_BEGIN] == types[TrackEvent.TYPE_SLICE_END] == call_count


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        (
            "sched_switch",
            ["prev_comm", "prev_pid", "prev_prio", "next_comm", "next_pid", "next_prio"],
        ),
        ("sched_waking", ["comm", "pid", "prio", "target_cpu"]),
        ("sched_wakeup", ["comm", "pid", "prio", "target_cpu"]),
        ("irq_handler_entry", ["irq", "name"]),
        ("softirq_entry", ["vec"]),
        ("cpu_idle", ["state", "cpu_id"]),
    ],
)
def test_names_priorities_wakeups_and_counters_are_there(
    name: str, fields: list[str], tmp_path: Path
) -> None:
    recording, trace = read_recording(str(LOADED)), converted(LOADED, tmp_path)
    found, expected = ftrace_events(trace, name), recorded(recording, name)
    assert found
    for (stamp, cpu, message), (t, on_cpu, args) in zip(found, expected, strict=True):
        assert (stamp, cpu) == (t, on_cpu)
        # A number that is 0 and was written is listed, too: these fields are optional in the schema.
        assert {field: message[field] for field in fields} == {field: args[field] for field in fields}


def test_threads_have_their_names(tmp_path: Path) -> None:
    recording, trace = read_recording(str(LOADED)), converted(LOADED, tmp_path)
    [tree] = [packet.process_tree for packet in trace.packet if packet.HasField("process_tree")]
    names = {thread.tid: thread.name for thread in tree.threads}
    ran = {event["pid"] for event in events(recording, "event:sched_switch") if event["pid"]}
    assert ran <= {*names}
    assert {name for pid, name in names.items() if pid in ran} >= {"cyclictest", "hackbench"}


def test_calls_are_nested_slices_of_their_threads_with_names(tmp_path: Path) -> None:
    trace = converted(CALLS, tmp_path)
    names: dict[int, str] = {}
    stacks: dict[int, int] = Counter()
    tracks: set[int] = set()
    called: Counter[str] = Counter()
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            tracks.add(packet.track_descriptor.uuid)
        names |= {entry.iid: entry.name for entry in packet.interned_data.event_names}
        if packet.HasField("track_event"):
            event = packet.track_event
            assert event.track_uuid in tracks
            is_begin = event.type == TrackEvent.TYPE_SLICE_BEGIN
            stacks[event.track_uuid] += 1 if is_begin else -1
            assert stacks[event.track_uuid] >= 0
            if is_begin:
                called[names[event.name_iid]] += 1
    assert called == Counter(call["symbol"] for call in calls(read_recording(str(CALLS)), tmp_path))
    assert set(stacks.values()) == {0}
