"""What a program measured beside what the trace of the same run shows of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jitterscope import _ftrace
from jitterscope.explore.driver import ask
from jitterscope.problems import TraceNotReady
from jitterscope.store.database import Database
from jitterscope.store.models import Trace
from jitterscope.store.runs import RunFile, RunFiles, run_files
from jitterscope.store.traces import find_by_id

# How late a sleeping task was: what programs that sleep measure of themselves.
_KIND = next(
    kind["kind"]
    for kind in json.loads(_ftrace.catalog())["latencies"]
    if kind["subject"] == "task" and kind["lateness"] == "measured"
)
_THREAD = re.compile(r"(?P<program>\S+) thread (?P<number>\d{1,5})")
_MOST_FILES = 4
_MOST_THREADS = 64
# Cycles are laid out their interval apart, bars of histograms a nanosecond.
_LEAST_INTERVAL_NS = 1_000
# Between the return of the system call and the program's reading of the clock lies less than this, but for a
# case that has nothing to do with the value.
_MOST_APART_NS = 50_000
_US = 1_000
# The trace of a run may have begun a little later than the program.
_SAME_COUNT = 0.05

By = Literal["cycle", "break", "largest"]


@dataclass(frozen=True)
class ThreadTie:
    """The largest value of a thread, and the worst case of the task that it was."""

    measurement: RunFile
    trace: RunFile
    source: str
    says_ns: int
    says_count: int
    case_id: str
    case_ns: int
    case_count: int
    pid: int
    by: By
    usual_difference_ns: int | None
    is_only: bool
    """Whether no other task could be the thread."""

    @property
    def difference_ns(self) -> int:
        """How much more the program says."""
        return self.says_ns - self.case_ns

    @property
    def is_close(self) -> bool:
        """Whether the two can be the same wakeup: values are cut to whole microseconds."""
        return -_US <= self.difference_ns <= _MOST_APART_NS

    def summary(self) -> str:
        """`cyclictest says 6,356 µs on thread 1; case cyclic-1359@2563694 is 6,353.8 µs`."""
        program, _, thread = self.source.partition(" ")
        return (
            f"{program} says {self.says_ns / _US:,.0f} µs on {thread}; "
            f"case {self.case_id} is {self.case_ns / _US:,.1f} µs"
        )

    @property
    def is_guess(self) -> bool:
        """Whether nothing but the order of pids says that the task is the thread."""
        return not self.is_only and not (self.is_close and self.by in ("cycle", "break"))

    def why(self) -> str:
        """What is known of the difference."""
        guess = f" Task {self.pid} is taken to be {self.source}, by the order of pids."
        return self._difference() + (guess if self.is_guess else "")

    def _difference(self) -> str:
        if not self.is_close:
            return (
                f"The program reports {_more(self.difference_ns)}, so they are hardly the same wakeup: "
                "the trace may have begun later, or lost events."
            )
        how = {
            "cycle": "Both are the same cycle of the thread.",
            "break": "Both are the thread's last value, which ended the run.",
            "largest": "Both are the thread's largest value.",
        }[self.by]
        usual = "" if self.usual_difference_ns is None else f" (medians: {_more(self.usual_difference_ns)})"
        return (
            f"{how} The program reports {_more(self.difference_ns)}{usual}: it reads the clock after its "
            "system call has returned, where the case ends, and rounds down to whole microseconds."
        )


@dataclass(frozen=True)
class Run:
    """`notes` say why threads could not be distinguished."""

    files: RunFiles
    threads: Sequence[ThreadTie]
    notes: Sequence[str]


async def run_of(database: Database, trace_id: str) -> Run:
    """The files of the run that a trace or file of measurements is of.

    Raises: NotFound, TraceNotReady.
    """
    async with database.session() as session:
        own = await find_by_id(session, trace_id)
        files = await run_files(session, trace_id, own.name)
        if files is None:
            raise TraceNotReady(f"The trace {trace_id} is not loaded yet, or could not be.")
        rows = {one.id: await find_by_id(session, one.id) for one in files.tied[:_MOST_FILES]} | {
            trace_id: own
        }
    ties: list[ThreadTie] = []
    notes: list[str] = []
    for other in files.tied[:_MOST_FILES]:
        measurement, trace = (files.own, other) if files.own.is_measurement else (other, files.own)
        found, said = await _ties(database, (measurement, rows[measurement.id]), (trace, rows[trace.id]))
        ties += found
        notes += said
    return Run(files, ties, notes)


async def _ties(
    database: Database, measurement: tuple[RunFile, Trace], trace: tuple[RunFile, Trace]
) -> tuple[list[ThreadTie], list[str]]:
    said = await _groups(database, measurement[0].id, {"kind": "measured", "group_by": "key"})
    threads = {
        int(match["number"]): (match["program"], group)
        for group in said
        if (match := _THREAD.fullmatch(str(group["group"]["value"])))
    }
    if not threads:
        return [], []
    program = next(iter(threads.values()))[0]
    tasks = await _groups(database, trace[0].id, {"kind": _KIND, "group_by": "pid", "comm": program})
    tasks = sorted(
        (task for task in tasks if task["group"]["value"] is not None), key=lambda one: one["group"]["value"]
    )
    if len(tasks) < len(threads) or len(threads) > _MOST_THREADS:
        note = (
            f"{measurement[0].name} has {len(threads)} threads, and {trace[0].name} has cases of "
            f"{len(tasks)} tasks called {program}: which is which is not known."
        )
        return [], [note]
    # Threads are started in their order, after the program itself, which sleeps between its own lines.
    found = [
        await _tie(database, measurement, trace, group, task, is_only=len(tasks) == 1)
        for (_, (_, group)), task in zip(sorted(threads.items()), tasks[-len(threads) :], strict=True)
    ]
    return found, []


async def _tie(
    database: Database,
    measurement: tuple[RunFile, Trace],
    trace: tuple[RunFile, Trace],
    group: dict[str, Any],  # JSON of the core
    task: dict[str, Any],  # JSON of the core
    *,
    is_only: bool,
) -> ThreadTie:
    pid, source = task["group"]["value"], str(group["group"]["value"])
    case_at = await _count_before(database, trace, task["worst_id"], {"kind": _KIND, "pid": str(pid)})
    by: By = "largest"
    stated = (measurement[1].facts or {}).get("break_value_us")
    if stated is not None and str(group["max_ns"] // _US) == str(stated) and case_at == task["count"] - 1:
        by = "break"
    elif _has_cycles(measurement[1], group["count"]):
        value_at = await _count_before(
            database, measurement, group["worst_id"], {"kind": "measured", "key": source}
        )
        by = "cycle" if value_at == case_at else "largest"
    # A summary lists only its extremes.
    is_whole = abs(group["count"] - task["count"]) <= _SAME_COUNT * task["count"]
    return ThreadTie(
        measurement=measurement[0],
        trace=trace[0],
        source=source,
        says_ns=group["max_ns"],
        says_count=group["count"],
        case_id=task["worst_id"],
        case_ns=task["max_ns"],
        case_count=task["count"],
        pid=pid,
        by=by,
        usual_difference_ns=group["p50_ns"] - task["p50_ns"] if is_whole else None,
        is_only=is_only,
    )


def _more(duration_ns: int) -> str:
    return f"{abs(duration_ns) / _US:,.1f} µs {'less' if duration_ns < 0 else 'more'}"


def _has_cycles(measurement: Trace, count: int) -> bool:
    return (measurement.duration_ns or 0) >= _LEAST_INTERVAL_NS * max(count - 1, 1)


async def _count_before(
    database: Database, side: tuple[RunFile, Trace], case_id: str, parameters: dict[str, str]
) -> int:
    """How many of them began before the case."""
    start_ns = int(case_id.partition("@")[2].partition("+")[0]) - (side[1].origin_ns or 0)
    if start_ns <= 0:
        return 0
    groups = await _groups(database, side[0].id, parameters | {"start": "0", "end": str(start_ns)})
    return sum(group["count"] for group in groups)


async def _groups(database: Database, trace_id: str, parameters: dict[str, str]) -> list[dict[str, Any]]:
    # The JSON of the core, as `LatencyStats` describes it.
    answer = json.loads(await ask(database, "latency_stats", parameters, trace_id=trace_id))
    groups: list[dict[str, Any]] = answer["groups"]
    return groups
