"""What tracers state themselves: their report of one section or wait, and the records of timerlat."""

import re
from collections.abc import Sequence

from tests.oracle.reader import FLAGS
from tests.oracle.recording import Recording
from tests.oracle.samples import Found, Sample

LINE = re.compile(rf"\s*.*?-\d+\s+(?P<cpu>\d+){FLAGS}\s+(?P<us>\d+)us.?\s*:\s+(?P<payload>.*)")
TRACER = re.compile(r"# tracer: (\w+)")
LATENCY = re.compile(r"# latency: (\d+) us")
TASK = re.compile(r"#    \| task: .*-(\d+) \(uid:")
# The call that ends a section is recorded after its end is measured (kernel/trace/trace_irqsoff.c).
SWITCHING_ON = ("trace_hardirqs_on <-", "tracer_hardirqs_on <-")


def timerlat(recording: Recording) -> Found:
    for _, record in recording.numbered():
        found = re.fullmatch(r"context\s+(\S+)\s+timer_latency\s+(\d+) ns", record.args)
        if record.event == "timerlat" and found:
            late_ns = int(found[2])
            yield Sample("timerlat", record.ns - late_ns, late_ns, record.cpu, key=found[1])


def stated(lines: Sequence[str]) -> Sample | None:
    """The latency of a report. Its header says how long it was; else the functions of a section do."""
    marks = [found for line in lines if (found := LINE.match(line))]
    latency, tracer, task = (_header(pattern, lines) for pattern in (LATENCY, TRACER, TASK))
    end = next((at for at, mark in enumerate(marks) if mark["payload"].startswith(SWITCHING_ON)), 0)
    if latency and task and (tracer or "").startswith("wakeup"):
        first = marks[0]
        return _sample("wakeup", first, int(latency), int(task))
    if end:
        first, last = marks[0], marks[end - 1]
        return _sample("irqsoff", first, int(latency or int(last["us"]) - int(first["us"])), None)
    return None


def _header(pattern: re.Pattern[str], lines: Sequence[str]) -> str | None:
    return next((found[1] for line in lines if (found := pattern.match(line))), None)


def _sample(kind: str, first: re.Match[str], lasts_us: int, pid: int | None) -> Sample:
    return Sample(kind, int(first["us"]) * 1000, lasts_us * 1000, int(first["cpu"]), pid)
