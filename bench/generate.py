"""Writes made-up recordings of any size, always the same ones.

    python bench/generate.py events 1000000 > events.txt
    python bench/generate.py calls 1000000 > calls.txt
    python bench/generate.py wide 1000000 > wide.txt        events of 64 CPUs

The mix of events and the shape of the calls are those of cyclictest under load; what a line says about
tasks, CPUs and nesting is consistent, so that a reader has to do all of its work.
"""

import random
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import TextIO

CPU_COUNT = 4
WIDE_CPU_COUNT = 64
TASKS = [("cyclictest", 1213), ("hackbench", 2001), ("hackbench", 2002), ("dd", 358), ("kworker/0:1", 77)]
IRQS = [(28, "virtio0-requests"), (24, "ens3"), (9, "acpi")]
SOFTIRQS = [(1, "TIMER"), (3, "NET_RX"), (7, "SCHED"), (9, "RCU")]

EVENT_HEADER = """\
# tracer: nop
#
# entries-in-buffer/entries-written: {count}/{count}   #P:{cpus}
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
"""

CALL_HEADER = """\
# tracer: function_graph
#
#     TIME        CPU  DURATION                  FUNCTION CALLS
#      |          |     |   |                     |   |   |   |
"""

# One timer interrupt: (name, children). The kernel's own shape, shortened.
Tree = tuple[str, list["Tree"]]
TIMER_INTERRUPT: Tree = (
    "__sysvec_apic_timer_interrupt",
    [
        (
            "hrtimer_interrupt",
            [
                ("ktime_get_update_offsets_now", []),
                (
                    "__hrtimer_run_queues",
                    [
                        ("_raw_spin_unlock_irqrestore", []),
                        (
                            "hrtimer_wakeup",
                            [
                                (
                                    "try_to_wake_up",
                                    [
                                        ("select_task_rq_rt", []),
                                        (
                                            "ttwu_do_activate",
                                            [
                                                (
                                                    "enqueue_task_rt",
                                                    [("cpupri_set", []), ("update_rt_migration", [])],
                                                ),
                                                ("wakeup_preempt", [("resched_curr", [])]),
                                            ],
                                        ),
                                        ("_raw_spin_unlock", []),
                                    ],
                                )
                            ],
                        ),
                    ],
                ),
                ("hrtimer_update_next_event", [("__hrtimer_next_event_base", [])]),
                ("tick_program_event", [("clockevents_program_event", [("ktime_get", [])])]),
            ],
        )
    ],
)


def event_lines(count: int, cpus: int = CPU_COUNT) -> Iterator[str]:
    """`count` lines of the tracefs layout, in order of time, after its header."""
    yield EVENT_HEADER.format(count=count, cpus=cpus)
    yield from islice(_events(cpus), count)


@cache
def _tasks(cpus: int) -> list[tuple[str, int]]:
    """One task more than there are CPUs, so that another one can always be switched to."""
    return TASKS + [("hackbench", 3001 + more) for more in range(cpus - CPU_COUNT)]


def _events(cpus: int) -> Iterator[str]:
    choose = random.Random(1)  # noqa: S311 - the same file every time
    now_us = 13_000_000
    running = [("swapper", 0)] * cpus
    while True:
        cpu = choose.randrange(cpus)
        for flags, text in _EPISODES[choose.randrange(len(_EPISODES))](choose, running, cpu):
            comm, pid = running[cpu]
            if text.startswith("sched_switch"):
                running[cpu] = _switch_target(text)
            who = f"{'<idle>' if pid == 0 else comm}-{pid}"
            now_us += choose.randrange(1, 9)
            stamp = f"{now_us // 1_000_000:5d}.{now_us % 1_000_000:06d}"
            yield f"{who:>20}     [{cpu:03d}] {flags} {stamp}: {text}\n"


Episode = Callable[[random.Random, list[tuple[str, int]], int], list[tuple[str, str]]]


def _switch_target(text: str) -> tuple[str, int]:
    fields = dict(field.split("=", 1) for field in text.partition("==> ")[2].split())
    return fields["next_comm"], int(fields["next_pid"])


def _switch(choose: random.Random, running: list[tuple[str, int]], cpu: int) -> list[tuple[str, str]]:
    comm, pid = running[cpu]
    # A task runs on one CPU at a time.
    free = [task for task in _tasks(len(running)) if task not in running]
    next_comm, next_pid = (f"swapper/{cpu}", 0) if pid and choose.random() < 0.4 else choose.choice(free)
    state = choose.choice(["S", "R", "R+", "D"]) if pid else "R"
    return [
        ("d..2.", f"sched_stat_runtime: comm={comm} pid={pid} runtime={choose.randrange(3000, 90000)} [ns]"),
        (
            "d..2.",
            f"sched_switch: prev_comm={comm} prev_pid={pid} prev_prio=120 prev_state={state} ==> "
            f"next_comm={next_comm} next_pid={next_pid} next_prio=120",
        ),
    ]


def _wakeup(choose: random.Random, running: list[tuple[str, int]], cpu: int) -> list[tuple[str, str]]:
    comm, pid = choose.choice(_tasks(len(running)))
    target = f"comm={comm} pid={pid} prio=120 target_cpu={cpu:03d}"
    return [("d.h2.", f"sched_waking: {target}"), ("dNh3.", f"sched_wakeup: {target}")]


def _irq(choose: random.Random, _running: list[tuple[str, int]], _cpu: int) -> list[tuple[str, str]]:
    number, name = choose.choice(IRQS)
    return [
        ("d.h1.", f"irq_handler_entry: irq={number} name={name}"),
        ("d.h1.", f"irq_handler_exit: irq={number} ret=handled"),
    ]


def _softirq(choose: random.Random, _running: list[tuple[str, int]], _cpu: int) -> list[tuple[str, str]]:
    vector, name = choose.choice(SOFTIRQS)
    what = f"vec={vector} [action={name}]"
    return [
        ("d.h1.", f"softirq_raise: {what}"),
        ("..s1.", f"softirq_entry: {what}"),
        ("..s1.", f"softirq_exit: {what}"),
    ]


def _timer(choose: random.Random, _running: list[tuple[str, int]], _cpu: int) -> list[tuple[str, str]]:
    timer = f"hrtimer={choose.choice(['000000005f0976a2', '000000000ca88291'])}"
    now_ns = choose.randrange(10**10, 10**11)
    return [
        ("d.h..", "local_timer_entry: vector=236"),
        ("d.h1.", f"hrtimer_cancel: {timer}"),
        ("d.h..", f"hrtimer_expire_entry: {timer} function=hrtimer_wakeup now={now_ns}"),
        ("d.h..", f"hrtimer_expire_exit: {timer}"),
        ("d.h..", "local_timer_exit: vector=236"),
    ]


_EPISODES: list[Episode] = [_switch, _switch, _wakeup, _irq, _softirq, _timer]


def call_lines(count: int) -> Iterator[str]:
    """function_graph text with absolute times of at least `count` calls, after its header."""
    choose = random.Random(2)  # noqa: S311 - the same file every time
    yield CALL_HEADER
    now_ns = 169_976_038_000
    made = 0
    while made < count:
        now_ns += choose.randrange(20_000, 400_000)
        lines: list[str] = []
        now_ns = _call(lines, choose, now_ns, choose.randrange(CPU_COUNT), 0, TIMER_INTERRUPT)
        made += sum(1 for line in lines if ";" in line or "{" in line)
        yield from lines


def _call(lines: list[str], choose: random.Random, start_ns: int, cpu: int, depth: int, tree: Tree) -> int:
    """Appends the lines of one call and what it calls, and returns when it ended."""
    name, children = tree
    if not children:
        duration_ns = choose.randrange(150, 1_600)
        lines.append(_line(start_ns, cpu, duration_ns, f"{'  ' * depth}{name}();"))
        return start_ns + duration_ns
    lines.append(_line(start_ns, cpu, None, f"{'  ' * depth}{name}() {{"))
    now_ns = start_ns + choose.randrange(100, 900)
    for child in children:
        now_ns = _call(lines, choose, now_ns, cpu, depth + 1, child) + choose.randrange(50, 300)
    lines.append(_line(now_ns, cpu, now_ns - start_ns, f"{'  ' * depth}}}"))
    return now_ns


def _line(now_ns: int, cpu: int, duration_ns: int | None, text: str) -> str:
    #   169.976039 |   0) + 35.086 us   |                } /* enqueue_task_fair */
    stamp = f"{now_ns // 10**9:5d}.{now_ns // 1000 % 10**6:06d}"
    if duration_ns is None:
        return f"{stamp} | {cpu:3d})               |  {text}\n"
    mark = "+" if duration_ns >= 10_000 else " "
    duration = f"{duration_ns // 1000}.{duration_ns % 1000:03d} us"
    return f"{stamp} | {cpu:3d}) {mark} {duration:<10}  |  {text}\n"


KINDS: dict[str, Callable[[int], Iterator[str]]] = {
    "events": event_lines,
    "calls": call_lines,
    "wide": partial(event_lines, cpus=WIDE_CPU_COUNT),
}


def write(kind: str, count: int, out: TextIO) -> None:
    """Writes a recording of that kind."""
    out.writelines(KINDS[kind](count))


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), sys.stdout)
