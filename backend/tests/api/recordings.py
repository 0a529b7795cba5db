"""Recordings made of what a test wants to find in them."""

import re
from collections.abc import Iterable

_SWITCH = "prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> next_comm=%s next_pid=%d next_prio=89"
_HEADER = """# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
"""


def wakeups(waits_us: list[int], comm: str = "rt", pid: int = 9) -> bytes:
    """A recording of CPU 0 in which the task is woken once a millisecond, and waits that long each time."""
    lines = []
    for number, wait_us in enumerate(waits_us):
        woken_us = 100_000_000 + number * 1000
        for t_us, who, event in (
            (woken_us, "<idle>-0", f"sched_waking: comm={comm} pid={pid} prio=89 target_cpu=000"),
            (woken_us + wait_us, "<idle>-0", "sched_switch: " + _SWITCH % ("swapper/0", 0, "R", comm, pid)),
            (
                woken_us + wait_us,
                f"{comm}-{pid}",
                "sched_switch: " + _SWITCH % (comm, pid, "S", "swapper/0", 0),
            ),
        ):
            lines.append((t_us, who, 0, event))
    return _recording(lines)


def two_classes(real_time_us: list[int], fair_us: list[int]) -> bytes:
    """A recording of CPU 0 in which `job-9` waits as a real-time task, `job-10` and `sh-11` as fair ones."""
    lines = []
    tasks = [(9, 19, "job", real_time_us), (10, 120, "job", fair_us), (11, 120, "sh", fair_us)]
    for place, (pid, prio, comm, waits_us) in enumerate(tasks):
        for number, wait_us in enumerate(waits_us):
            woken_us = 100_000_000 + number * 3000 + place * 1000
            switch = "sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> " + (
                "next_comm=%s next_pid=%d next_prio=%d"
            )
            into = switch % ("swapper/0", 0, 120, "R", comm, pid, prio)
            away = switch % (comm, pid, prio, "S", "swapper/0", 0, 120)
            waking = f"sched_waking: comm={comm} pid={pid} prio={prio} target_cpu=000"
            lines += [
                (woken_us, "<idle>-0", 0, waking),
                (woken_us + wait_us, "<idle>-0", 0, into),
                (woken_us + wait_us, f"{comm}-{pid}", 0, away),
            ]
    return _recording(sorted(lines, key=lambda line: line[0]))


def sleeps(late_us: list[tuple[int, int]]) -> bytes:
    """A recording of CPU 0 in which a task begins each sleep so late, and runs so long after its timer."""
    timer = "hrtimer=00000000000000aa function=hrtimer_wakeup"
    lines = [(0, "sh-7", "tick_stop: success=1")]
    for number, (began_us, woken_us) in enumerate(late_us):
        due_us = 100_000 + number * 1000
        fired_us = due_us + max(began_us, 0) + 1
        expires = due_us * 1000
        lines += [
            (due_us + began_us, "rt-9", f"hrtimer_start: {timer} expires={expires} softexpires={expires}"),
            (fired_us, "<idle>-0", f"hrtimer_expire_entry: {timer} now={fired_us * 1000}"),
            (fired_us, "<idle>-0", "sched_waking: comm=rt pid=9 prio=89 target_cpu=000"),
            (fired_us, "<idle>-0", "hrtimer_expire_exit: hrtimer=00000000000000aa"),
            (fired_us + woken_us, "<idle>-0", "sched_switch: " + _SWITCH % ("swapper/0", 0, "R", "rt", 9)),
            (fired_us + woken_us + 1, "rt-9", "sched_switch: " + _SWITCH % ("rt", 9, "S", "swapper/0", 0)),
        ]
    ordered = sorted(lines, key=lambda line: line[0])
    return _recording((1_000_000 + t_us, who, 0, event) for t_us, who, event in ordered)


def idle_sleeps(states: list[tuple[int, int]]) -> bytes:
    """A task that sleeps for 10 ms each time, and the µs after which CPU 0 left an idle state for it."""
    lines = []
    for number, (state, wait_us) in enumerate(states):
        woken_us = 1_000_010_000 + number * 11_000
        lines += [
            (woken_us - 10_000, "rt-9", 0, "sched_switch: " + _SWITCH % ("rt", 9, "S", "swapper/0", 0)),
            (woken_us - 9_990, "<idle>-0", 0, f"cpu_idle: state={state} cpu_id=0"),
            (woken_us, "<idle>-0", 1, "sched_waking: comm=rt pid=9 prio=89 target_cpu=000"),
            (woken_us + wait_us - 1, "<idle>-0", 0, f"cpu_idle: state={2**32 - 1} cpu_id=0"),
            (woken_us + wait_us, "<idle>-0", 0, "sched_switch: " + _SWITCH % ("swapper/0", 0, "R", "rt", 9)),
        ]
    return _recording(lines)


def counting(recording: bytes) -> bytes:
    """The same of a clock that counts: each microsecond is a tick of unknown length."""
    # [000] d..1. 100000000: sched_waking:
    return re.sub(rb" (\d+)\.(\d{6}): ", rb" \1\2: ", recording)


def _recording(lines: Iterable[tuple[int, str, int, str]]) -> bytes:
    """Of each line the time in µs, the task, the CPU and the event."""
    rows = [
        f"{who:>16} [{cpu:03}] d..2. {t_us // 1_000_000:5d}.{t_us % 1_000_000:06d}: {event}\n"
        for t_us, who, cpu, event in lines
    ]
    return (_HEADER + "".join(rows)).encode()
