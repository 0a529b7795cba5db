"""What the traces of a variant recorded: interference, ticks, and what took the time of samples."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope import _ftrace
from jitterscope.explore.compare.members import Members
from jitterscope.explore.compare.request import CompareRequest
from jitterscope.store.cause_sums import (
    Taken,
    TickSum,
    isolated_cpus,
    lost_times,
    taken_of,
    ticks_of,
)
from jitterscope.store.models import TraceStatus
from jitterscope.store.summaries import Interference, groups_of, interference_of, traces_having
from jitterscope.store.task_sums import busiest_of_classes

# A CPU counts as one of the measured tasks' own if it has this part of what the busiest of them has.
_MIN_PART = 0.25
_MAX_GROUPS = 1024
# A task that has this part of all samples is the one that was measured.
_MOST = 0.9
# How late tasks were: what took that time is known. It is not for measurements, for which the first of
# these is used instead.
_STAND_INS = tuple(
    kind["kind"]
    for kind in json.loads(_ftrace.catalog())["latencies"]
    if kind["subject"] == "task" and kind["lateness"] in {"measured", "late"}
)


@dataclass(frozen=True)
class Recorded:
    """Of the traces that recorded any interference; `durations` are theirs, by key.

    Numbers that a program measured and the traces of the same runs can be in one variant; `measured` are the
    keys of the former. `cpus` are those of each trace, and `isolated` is what it says of isolated ones.
    `lost_ns` is how much of it lies in gaps of lost events, by trace and CPU. `unlike` are the keys of those
    that are left out, because their clocks count something else.
    """

    durations: dict[int, int]
    interference: Sequence[Interference]
    ticks: Sequence[TickSum]
    taken: Sequence[Taken]
    measured: frozenset[int] = frozenset()
    cpus: Mapping[int, Sequence[int]] = field(default_factory=dict)
    isolated: Mapping[int, str] = field(default_factory=dict)
    lost_ns: Mapping[tuple[int, int], int] = field(default_factory=dict)
    unlike: frozenset[int] = frozenset()

    def recorded_ns(self, cpu: int) -> dict[int, int]:
        """For how long each trace recorded a CPU: rates and shares are of this time."""
        return {
            key: max(duration - self.lost_ns.get((key, cpu), 0), 0)
            for key, duration in self.durations.items()
        }

    def busy_shares(self) -> dict[int, float]:
        """For each CPU on which tasks ran, for which part of the recorded time they did."""
        busy_ns: dict[int, int] = {}
        for row in self.interference:
            if row.cause == "sched":
                busy_ns[row.cpu] = busy_ns.get(row.cpu, 0) + row.total_ns
        recorded_ns = {cpu: sum(self.recorded_ns(cpu).values()) for cpu in busy_ns}
        return {cpu: busy / recorded_ns[cpu] for cpu, busy in busy_ns.items() if recorded_ns[cpu]}


async def find_recorded(
    session: AsyncSession, request: CompareRequest, variants: Sequence[Members]
) -> tuple[list[Recorded], frozenset[int]]:
    """By variant; and the CPUs of the tasks that were measured, none where those are not known."""
    found = []
    comms = await _comms(session, request, variants)
    for members in variants:
        ready = {one.key: one for one in members.traces if one.status == TraceStatus.READY}
        recorded = await interference_of(session, list(ready), request.where.cpu)
        unlike = frozenset(row.trace_key for row in recorded if not members.scale.holds(ready[row.trace_key]))
        rows = [row for row in recorded if row.trace_key not in unlike]
        keys = {row.trace_key for row in rows}
        durations = {key: ready[key].duration_ns or 0 for key in keys}
        ticks = [
            tick
            for tick in await ticks_of(session, list(keys))
            if request.where.cpu is None or tick.cpu == request.where.cpu
        ]
        taken = await _taken(session, request, list(keys), comms)
        measured = await traces_having(session, list(ready), "measured")
        cpus = {key: ready[key].cpus or range(ready[key].cpu_count or 0) for key in keys}
        isolated = await isolated_cpus(session, list(keys))
        lost_ns = await lost_times(session, list(keys))
        found.append(Recorded(durations, rows, ticks, taken, measured, cpus, isolated, lost_ns, unlike))
    return found, _cpus(request, found, comms)


async def _comms(session: AsyncSession, request: CompareRequest, variants: Sequence[Members]) -> list[str]:
    """Names of the measured tasks; none where samples of many are mixed.

    A source of measurements begins with the name of its program.
    """
    if request.where.comm is not None:
        return [request.where.comm]
    keys = [one.trace.key for members in variants for one in members.members]
    if request.measure.kind == "measured":
        sources = await groups_of(session, keys, "measured", "key", _MAX_GROUPS)
        return sorted({source.name.split(" ", 1)[0] for source in sources})
    count = sum(one.summary.count for members in variants for one in members.members)
    classes = request.where.classes()
    if classes is not None:
        return await busiest_of_classes(session, keys, request.measure.kind, classes, _MOST * count)
    tasks = await groups_of(session, keys, request.measure.kind, "task", 1)
    return [task.name for task in tasks if task.count >= _MOST * count]


async def _taken(
    session: AsyncSession, request: CompareRequest, keys: Sequence[int], comms: Sequence[str]
) -> list[Taken]:
    kinds = _STAND_INS if request.measure.kind == "measured" else (request.measure.kind,)
    for kind in kinds:
        found = await taken_of(session, keys, kind, comms, request.where.classes())
        if found:
            return found
    return []


def _cpus(request: CompareRequest, variants: Sequence[Recorded], comms: Sequence[str]) -> frozenset[int]:
    found: set[int] = set()
    for recorded in variants:
        own: dict[int, int] = {}
        for row in recorded.interference:
            if row.cause == "sched" and row.name in comms:
                own[row.cpu] = own.get(row.cpu, 0) + row.total_ns
        found.update(cpu for cpu, time in own.items() if time >= _MIN_PART * max(own.values()))
    return frozenset(found if request.where.cpu is None else found & {request.where.cpu})
