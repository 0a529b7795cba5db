"""The samples of every kind of latency, as their definitions say, from records in the order of the file.

Each function reads the whole recording for one kind and looks forwards and backwards as it likes. Where the
definitions leave something open, what the kernel does has decided; a comment says so.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tests.oracle.reader import Record
from tests.oracle.recording import Recording, switch_of, woken_pid

Reason = Literal["lost_events", "no_start", "no_end", "out_of_order", "contradiction", "early", "interrupted"]

# arch/x86/include/asm/trace/irq_vectors.h
IRQ_VECTORS = (
    *("local_timer", "reschedule", "call_function", "call_function_single", "irq_work", "x86_platform_ipi"),
    *("thermal_apic", "threshold_apic", "deferred_error_apic", "error_apic", "spurious_apic"),
)
VECTOR_EVENT = re.compile(rf"(?P<vector>{'|'.join(IRQ_VECTORS)})_(?P<end>entry|exit)")
# What ticks: the local timer of x86, and the timer of Arm, which is an ordinary interrupt there.
TIMER_INTERRUPTS = ("local_timer", "arch_timer")
# kernel/time/tick-sched.c, Linux 3.0 to 6.18
TICK_HANDLERS = ("tick_sched_timer", "tick_nohz_handler", "tick_nohz_highres_handler")
NOT_IDLE = 0xFFFF_FFFF  # `cpu_idle` says so of a CPU that leaves its idle state
CALLERS = re.compile(r"caller=(\S+?)(?:\+0x\S*)? parent=(\S+?)(?:\+0x\S*)?(?:\s|$)")


@dataclass(frozen=True)
class Sample:
    """One latency: `[start_ns, start_ns + duration_ns)`, and the CPU on which it ended."""

    kind: str
    start_ns: int
    duration_ns: int
    cpu: int
    pid: int | None = None
    key: str | None = None


@dataclass(frozen=True)
class Incomplete:
    """A latency of which one end is not known."""

    kind: str
    reason: Reason
    key: str | None = None


Found = Iterator[Sample | Incomplete]


@dataclass(frozen=True)
class Mark:
    """The beginning or the end of something that nests."""

    name: str
    is_entry: bool
    key: str | None = None


def wakeup(recording: Recording) -> Found:
    since: dict[int, int] = {}
    for at, record in recording.numbered():
        pid = woken_pid(record)
        # Who is woken between deciding to sleep and sleeping goes on running, and waits for nothing.
        if pid is not None and not recording.is_running(pid, at):
            since.setdefault(pid, at)
        switch = switch_of(record)
        # A task that turns out to run has come without a switch, or ran all the time.
        if (switch or recording.came_unseen(at)) and since.pop(record.pid, None) is not None:
            yield Incomplete("wakeup", "no_end")
        if switch and switch.next in since:
            yield between(recording, "wakeup", since.pop(switch.next), at, pid=switch.next)
    yield from (Incomplete("wakeup", "no_end") for _ in since)


def preempted(recording: Recording) -> Found:
    since: dict[int, int] = {}
    for at, record in recording.numbered():
        switch = switch_of(record)
        if (switch or recording.came_unseen(at)) and since.pop(record.pid, None) is not None:
            yield Incomplete("preempted", "no_end")
        if not switch:
            continue
        # The idle task is always ready to run and never waits.
        if switch.prev != 0 and switch.state in ("R", "R+"):
            since[switch.prev] = at
        if switch.next in since:
            yield between(recording, "preempted", since.pop(switch.next), at, pid=switch.next)
    yield from (Incomplete("preempted", "no_end") for _ in since)


def irq(recording: Recording) -> Found:
    yield from _nested(recording, "irq", interrupt_mark)


def tick(recording: Recording) -> Found:
    """Where no handler of a tick is recorded, nothing tells which interrupts of the timer are ticks."""
    ticks: dict[int, list[int]] = {}
    for _, record in recording.numbered():
        function = (record.text("function") or "").removesuffix("/0x0")
        if record.event == "hrtimer_expire_entry" and function in TICK_HANDLERS:
            ticks.setdefault(record.cpu, []).append(record.ns)
    for found in irq(recording):
        if found.key not in TIMER_INTERRUPTS:
            continue
        if ticks and isinstance(found, Sample):
            of_cpu = ticks.get(found.cpu, [])
            after = bisect_left(of_cpu, found.start_ns)
            if not any(ns <= found.start_ns + found.duration_ns for ns in of_cpu[after : after + 1]):
                continue
        yield replace(found, kind="tick")


def softirq(recording: Recording) -> Found:
    def vector(record: Record) -> Mark | None:
        if record.event not in ("softirq_entry", "softirq_exit"):
            return None
        name = _softirq_name(record)
        return Mark(name, record.event == "softirq_entry", name)

    yield from _nested(recording, "softirq", vector)


def softirq_raise(recording: Recording) -> Found:
    """The kernel takes all pending vectors at once and runs them in their order (kernel/softirq.c,
    handle_softirqs); what is raised from then on waits for the next round.
    """
    raised: dict[tuple[int, int], list[int]] = {}
    rounds: dict[int, Round] = {}
    for at, record in recording.numbered():
        vector = record.number("vec")
        if vector is None or record.event not in ("softirq_raise", "softirq_entry"):
            continue
        waiting = raised.setdefault((record.cpu, vector), [])
        if waiting and recording.lost_between(record.cpu, waiting[0], at):
            # Whether it has run since is lost, too.
            yield Incomplete("softirq_raise", "lost_events")
            waiting.clear()
        if record.event == "softirq_raise":
            waiting.append(at)
            continue
        current = rounds.get(record.cpu)
        if not (
            current and current.pid == record.pid and current.vector < vector and waiting[:1] < [current.at]
        ):
            # PREEMPT_RT runs the vectors of timers in a thread of their own.
            current = Round(at, record.pid, vector)
        rounds[record.cpu] = Round(current.at, record.pid, vector)
        if waiting:
            yield between(recording, "softirq_raise", waiting[0], at, key=_softirq_name(record))
            raised[record.cpu, vector] = [raise_at for raise_at in waiting if raise_at > current.at]
        else:
            yield Incomplete("softirq_raise", "no_start")
    yield from (Incomplete("softirq_raise", "no_end") for waiting in raised.values() if waiting)


@dataclass(frozen=True)
class Round:
    """Softirqs that run one after the other: since which record, in whose context, and the last vector."""

    at: int
    pid: int
    vector: int


def irqsoff(recording: Recording) -> Found:
    yield from _switched_off(recording, "irqsoff", "irq")


def preemptoff(recording: Recording) -> Found:
    yield from _switched_off(recording, "preemptoff", "preempt")


def between(
    recording: Recording, kind: str, start: int, end: int, *, pid: int | None = None, key: str | None = None
) -> Sample | Incomplete:
    """What began with one record and ended with another, unless records were lost in between."""
    first, last = recording[start], recording[end]
    if any(recording.lost_between(cpu, start, end) for cpu in (first.cpu, last.cpu)):
        return Incomplete(kind, "lost_events", key)
    return Sample(kind, first.ns, last.ns - first.ns, last.cpu, pid, key)


def _switched_off(recording: Recording, kind: str, what: str) -> Found:
    """The kernel reports the outermost pair only (kernel/trace/trace_preemptirq.c), so none nests.

    An idle CPU keeps nobody waiting: its sleep is no part of a section, as the kernel's own tracers have it
    (kernel/sched/idle.c, stop_critical_timings). The idle task never switches preemption on, so that its
    whole time is no part of a section with preemption off.
    """
    since: dict[int, int] = {}
    keys: dict[int, str | None] = {}
    for at, record in recording.numbered():
        cpu, idle = record.cpu, _idle_state(record) if what == "irq" else _idle_task(record)
        begins, ends = record.event == f"{what}_disable", record.event == f"{what}_enable"
        if begins:
            keys[cpu] = _callers(record)
        if ends and cpu not in keys:
            yield Incomplete(kind, "no_start")
        if cpu in since and (begins or ends or idle == "begins"):
            start = since.pop(cpu)
            yield (
                Incomplete(kind, "contradiction")
                if begins
                else between(recording, kind, start, at, key=keys[cpu])
            )
        if begins or (idle == "ends" and cpu in keys):
            since[cpu] = at
        if ends:
            keys.pop(cpu, None)
    yield from (Incomplete(kind, "no_end") for _ in since)


def _callers(record: Record) -> str | None:
    found = CALLERS.match(record.args)
    return f"{found[1]} ← {found[2]}" if found else None


def _idle_task(record: Record) -> Literal["begins", "ends"] | None:
    switch = switch_of(record)
    if switch is None or 0 not in (switch.prev, switch.next):
        return None
    return "begins" if switch.next == 0 else "ends"


def _idle_state(record: Record) -> Literal["begins", "ends"] | None:
    if record.event != "cpu_idle":
        return None
    return "ends" if record.number("state") == NOT_IDLE else "begins"


def _nested(recording: Recording, kind: str, read: Callable[[Record], Mark | None]) -> Found:
    """Pairs of entry and exit of one name on one CPU; who enters last leaves first."""
    stacks: dict[int, list[tuple[Mark, int]]] = {}
    for at, record in recording.numbered():
        mark = read(record)
        if mark is None:
            continue
        stack = stacks.setdefault(record.cpu, [])
        if mark.is_entry:
            stack.append((mark, at))
        elif mark.name not in (entered.name for entered, _ in stack):
            yield Incomplete(kind, "no_start", mark.key)
        else:
            while stack[-1][0].name != mark.name:
                unended, _ = stack.pop()
                yield Incomplete(kind, "no_end", unended.key)
            entered, start = stack.pop()
            yield between(recording, kind, start, at, key=entered.key)
    yield from (Incomplete(kind, "no_end", mark.key) for stack in stacks.values() for mark, _ in stack)


def interrupt_mark(record: Record) -> Mark | None:
    vector = VECTOR_EVENT.fullmatch(record.event)
    if vector:
        return Mark(vector["vector"], vector["end"] == "entry", vector["vector"])
    if record.event == "irq_handler_entry":
        return Mark(f"irq {record.text('irq')}", is_entry=True, key=record.args.partition("name=")[2])
    if record.event == "irq_handler_exit":
        return Mark(f"irq {record.text('irq')}", is_entry=False)
    return None


def _softirq_name(record: Record) -> str:
    action = re.search(r"\[action=(\w+)\]", record.args)
    return action[1] if action else str(record.number("vec"))
