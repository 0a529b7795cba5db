"""The samples of timers, of those who sleep until one expires, and of system calls."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracle.reader import Record
from tests.oracle.recording import Recording, switch_of, woken_pid
from tests.oracle.samples import Found, Incomplete, Sample, between, interrupt_mark


@dataclass(frozen=True)
class Expiry:
    """A timer's expiry: the records of its last start, if there is one, and of the call of its function.

    Of the timers that an interrupt handles, all state the one reading of the clock before the `first`
    (kernel/time/hrtimer.c, hrtimer_interrupt).
    """

    started: int | None
    first: int
    at: int
    late_ns: int

    def asked_ns(self, recording: Recording) -> int:
        """When it was asked for, on the clock of the recording."""
        return recording[self.first].ns - self.late_ns


def expiries(recording: Recording) -> list[Expiry]:
    """All calls of `hrtimer_expire_entry`. One start leads to one expiry: each needs a start of its own."""
    found: list[Expiry] = []
    started: dict[str | None, int] = {}
    first: dict[tuple[int, int | None], int] = {}
    for at, record in recording.numbered():
        timer = record.text("hrtimer")
        if record.event == "hrtimer_start":
            started[timer] = at
        elif record.event == "hrtimer_expire_entry":
            start = started.pop(timer, None)
            asked = None if start is None else asked_of(recording[start])
            now = record.number("now")
            late_ns = 0 if asked is None or now is None else now - asked
            found.append(Expiry(start, first.setdefault((record.cpu, now), at), at, late_ns))
    return found


def asked_of(start: Record) -> int | None:
    """The expiry that was asked for, with the slack that the task allows.

    The kernel may call the function at any time after `softexpires` (kernel/time/hrtimer.c,
    __hrtimer_run_queues); it is late only after `expires`. The two are the same for real-time tasks.
    """
    return start.number("expires")


def timer(recording: Recording) -> Found:
    for expiry in expiries(recording):
        known = _known(recording, "timer", expiry)
        if not known and expiry.late_ns < 0:
            # The kernel fires a timer with slack together with another one.
            known = Incomplete("timer", "early")
        record = recording[expiry.at]
        function = (record.text("function") or "").removesuffix("/0x0")
        yield known or Sample("timer", expiry.asked_ns(recording), expiry.late_ns, record.cpu, key=function)


def cyclic(recording: Recording) -> Found:
    for expiry in expiries(recording):
        if not _wakes_a_task(recording[expiry.at]):
            continue
        known = _known(recording, "cyclic", expiry)
        if known or expiry.started is None:
            yield known or Incomplete("cyclic", "no_start")
            continue
        woken_at = _woken(recording, expiry)
        if woken_at is None:
            if not _wakes_anybody(recording, expiry):
                yield Incomplete("cyclic", "interrupted")
            continue
        pid = recording[expiry.started].pid
        end = _back(recording, pid, expiry.at, woken_at)
        yield Incomplete("cyclic", "no_end") if end is None else _late(recording, expiry, end, pid)
    for _ in _interrupted_sleeps(recording):
        yield Incomplete("cyclic", "interrupted")


def _late(recording: Recording, expiry: Expiry, end: int, pid: int) -> Sample | Incomplete:
    assert expiry.started is not None
    asked_ns, back = expiry.asked_ns(recording), recording[end]
    known = between(recording, "cyclic", expiry.started, end, pid=pid)
    if isinstance(known, Incomplete):
        return known
    if back.ns < asked_ns:
        return Incomplete("cyclic", "early")
    # Who ran on another CPU when its timer woke it stays there, though the waking is recorded elsewhere.
    cpu = recording.cpu_of(pid, end) if woken_pid(back) == pid and back.pid != pid else back.cpu
    return Sample("cyclic", asked_ns, back.ns - asked_ns, back.cpu if cpu is None else cpu, pid)


def _woken(recording: Recording, expiry: Expiry) -> int | None:
    """Where the timer's function wakes the task that started it, as tasks sleep on their own timers.

    The function wakes nobody if a signal has ended the sleep before: wake_up_process does nothing then, and
    records nothing (kernel/time/hrtimer.c, hrtimer_wakeup). Nobody waited for this expiry any more.
    """
    assert expiry.started is not None
    pid = recording[expiry.started].pid
    wakings = _wakings(recording, expiry)
    return next((at for at in wakings if woken_pid(recording[at]) == pid), None)


def _wakes_anybody(recording: Recording, expiry: Expiry) -> bool:
    has_wakings = any(record.event == "sched_waking" for record in recording.records)
    return not has_wakings or _handler_end(recording, expiry) is None or any(_wakings(recording, expiry))


def _wakings(recording: Recording, expiry: Expiry) -> Iterator[int]:
    end = _handler_end(recording, expiry)
    for at, record in recording.numbered(expiry.at + 1):
        if at == end:
            break
        if record.cpu == recording[expiry.at].cpu and woken_pid(record) is not None:
            yield at


def _handler_end(recording: Recording, expiry: Expiry) -> int | None:
    entry = recording[expiry.at]
    for at, record in recording.numbered(expiry.at + 1):
        is_its = record.cpu == entry.cpu and record.text("hrtimer") == entry.text("hrtimer")
        if is_its and record.event == "hrtimer_expire_exit":
            return at
    return None


def _interrupted_sleeps(recording: Recording) -> Iterator[int]:
    """The returns of system calls that a signal ended before their own timer did (EINTR, ERESTART*)."""
    armed: dict[int, str | None] = {}
    for at, record in recording.numbered():
        if record.event == "hrtimer_start" and _wakes_a_task(record):
            armed[record.pid] = record.text("hrtimer")
        elif record.event == "hrtimer_expire_entry":
            armed = {pid: timer for pid, timer in armed.items() if timer != record.text("hrtimer")}
        elif record.event.startswith("sys_exit"):
            is_armed = armed.pop(record.pid, None) is not None
            if is_armed and _returned(record) in (-4, -512, -513, -514, -516):
                yield at


def _returned(record: Record) -> int:
    number = int(re.split(r"[ =]", record.args)[-1], 0)
    return number - (1 << 64) if number >= 1 << 63 else number


def _back(recording: Recording, pid: int, at: int, woken_at: int) -> int | None:
    """Where the sleeper is back: the return of its system call, or the switch to it if none is recorded.

    Who is found running has not slept; that it is back is not recorded, but the interrupt was over first.
    """
    in_call = _is_in_call(recording, pid, at)
    ran = not in_call and recording.is_running(pid, woken_at)
    if ran and recording[woken_at].pid != pid:
        return woken_at
    first = (_kept_until(recording, pid, at, woken_at) or woken_at) + 1 if ran else at + 1
    if ran and not _must_give_way(recording, pid, first - 1):
        return first - 1
    switched_in: int | None = None
    for number, record in recording.numbered(first):
        switch = switch_of(record)
        if switch and switch.next == pid and switched_in is None:
            switched_in = number
        if record.pid == pid and record.event.startswith("sys_exit"):
            return number
        if not in_call and record.pid == pid and _has_been_back(record):
            break
    return None if in_call else switched_in


def _kept_until(recording: Recording, pid: int, at: int, woken_at: int) -> int | None:
    """The end of the interrupt that a task is in: its own record, or that of the timer's function."""
    timer, depth, found = recording[at].text("hrtimer"), 0, None
    for number, record in recording.numbered(woken_at + 1):
        if record.cpu != recording[at].cpu:
            continue
        if record.pid != pid or record.event == "sched_switch":
            break
        if record.event == "hrtimer_expire_exit" and record.text("hrtimer") == timer:
            found = number
        mark = interrupt_mark(record)
        if mark:
            depth += 1 if mark.is_entry else -1
        if depth < 0:
            return number
    return found


def _must_give_way(recording: Recording, pid: int, at: int) -> bool:
    """Whether need-resched is set from the end of an interrupt until its task is switched out."""
    mark = interrupt_mark(recording[at])
    if mark is None or not recording[at].needs_resched:
        return False
    for _, record in recording.numbered(at + 1):
        if record.cpu != recording[at].cpu:
            continue
        switch = switch_of(record)
        if switch:
            return switch.prev == pid and switch.state in ("R", "R+")
        if not record.needs_resched:
            return False
    return False


def _has_been_back(record: Record) -> bool:
    """Whether a task's record shows that it is not in its sleep any more: it calls, or sleeps again."""
    switch = switch_of(record)
    if switch:
        return switch.state not in ("R", "R+")
    sleeps_again = record.event == "hrtimer_start" and _wakes_a_task(record)
    return sleeps_again or record.event.startswith("sys_enter")


def _wakes_a_task(record: Record) -> bool:
    return (record.text("function") or "").startswith("hrtimer_wakeup")


def _is_in_call(recording: Recording, pid: int, at: int) -> bool:
    for number in range(at - 1, -1, -1):
        record = recording[number]
        if record.pid == pid and record.event.startswith(("sys_enter", "sys_exit")):
            return record.event.startswith("sys_enter")
    return False


def _known(recording: Recording, kind: str, expiry: Expiry) -> Incomplete | None:
    """Why the lateness of an expiry is not known."""
    if expiry.started is None:
        return Incomplete(kind, "no_start")
    start, now = recording[expiry.started], recording[expiry.at].number("now")
    soft = start.number("softexpires")
    if expiry.late_ns < 0 and (now is None or soft is None or now < soft):
        return Incomplete(kind, "out_of_order")
    sample = between(recording, kind, expiry.started, expiry.at)
    return sample if isinstance(sample, Incomplete) else None


@dataclass(frozen=True)
class Call:
    """A system call's entry or exit: `sys_openat(...)`, `sys_openat -> 0x3`, `sys_enter: NR 257 (...)`."""

    is_entry: bool
    is_raw: bool
    name: str


def syscall(recording: Recording) -> Found:
    since: dict[int, tuple[Call, int]] = {}
    previous: dict[int, Call] = {}
    for at, record in recording.numbered():
        call = _call_of(record)
        if call is None:
            continue
        before = previous.get(record.pid)
        previous[record.pid] = call
        if before and before.is_entry == call.is_entry and before.is_raw != call.is_raw:
            # The same end in its other form: both events hang on one place in the kernel.
            continue
        begun = since.pop(record.pid, None)
        if call.is_entry:
            since[record.pid] = (call, at)
            if begun:
                yield Incomplete("syscall", "no_end")
        elif begun is None:
            yield Incomplete("syscall", "no_start")
        elif not _is_same(begun[0], call):
            yield Incomplete("syscall", "contradiction")
        else:
            yield between(recording, "syscall", begun[1], at, pid=record.pid, key=begun[0].name)
    yield from (Incomplete("syscall", "no_end") for _ in since)


def _call_of(record: Record) -> Call | None:
    found = re.fullmatch(r"sys_(enter|exit)(?:_(\w+))?", record.event)
    if not found:
        return None
    number = re.match(r"NR (-?\d+)", record.args)
    return Call(found[1] == "enter", number is not None, number[1] if number else found[2])


def _is_same(entry: Call, end: Call) -> bool:
    # The return from a signal's handler (rt_sigreturn) leaves -1 where the number was.
    return entry.is_raw != end.is_raw or end.name in (entry.name, "-1")
