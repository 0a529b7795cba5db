"""Small recordings of what is rare, with the latencies that are in them, worked out by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.oracle.lines import line, lost, switch, timer_done, timer_expires, timer_start, waking

# Start and duration in nanoseconds, CPU, and the task of those kinds that have one.
Row = tuple[int, int, int, int | None]


@dataclass(frozen=True)
class Rare:
    name: str
    lines: Sequence[str]
    found: Mapping[str, Sequence[Row]] = field(default_factory=dict)


def us(start: int, duration: int, cpu: int, pid: int | None = None) -> Row:
    return start * 1000, duration * 1000, cpu, pid


RARE = (
    Rare(
        "a second waking changes nothing, and a migration neither",
        [
            waking(10, 0, 1, 9),
            waking(15, 0, 1, 9, "sched_wakeup"),
            line(16, 0, 1, "sched_migrate_task: comm=task9 pid=9 prio=120 orig_cpu=0 dest_cpu=1"),
            waking(17, 0, 1, 9),
            switch(30, 1, 0, "R", 9),
            switch(40, 1, 9, "S", 0),
        ],
        {"wakeup": [us(10, 20, 1, 9)]},
    ),
    Rare(
        "only the wakeup is recorded, not the waking",
        [
            waking(12, 0, 1, 9, "sched_wakeup"),
            waking(14, 0, 1, 8, "sched_wakeup_new"),
            switch(20, 0, 1, "S", 9),
            switch(25, 0, 9, "S", 8),
        ],
        {"wakeup": [us(12, 8, 0, 9), us(14, 11, 0, 8)]},
    ),
    Rare(
        "who is woken while running waits for nothing",
        [switch(5, 0, 0, "R", 9), waking(10, 1, 1, 9), switch(20, 0, 9, "R+", 3), switch(30, 0, 3, "S", 9)],
        {"preempted": [us(20, 10, 0, 9)]},
    ),
    Rare(
        "who is woken on the way to sleep waits from the wakeup that makes it runnable",
        [
            switch(5, 0, 0, "R", 9),
            waking(10, 1, 1, 9),
            switch(12, 0, 9, "S", 3),
            waking(14, 1, 1, 9, "sched_wakeup"),
            switch(30, 0, 3, "S", 9),
        ],
        {"wakeup": [us(14, 16, 0, 9)]},
    ),
    Rare(
        "an elided switch: the task of the line in between ran",
        [
            waking(10, 0, 1, 9),
            line(15, 0, 9, "console: x"),
            waking(18, 0, 9, 9),
            switch(20, 0, 9, "R", 1),
            switch(50, 0, 1, "S", 9),
        ],
        {"preempted": [us(20, 30, 0, 9)]},
    ),
    Rare(
        "lost records on the CPU of either end",
        [
            waking(10, 0, 1, 9),
            line(11, 1, 2, "irq_handler_entry: irq=5 name=disk"),
            line(12, 0, 1, "softirq_raise: vec=3 [action=NET_RX]"),
            switch(13, 0, 1, "R", 4),
            lost(1),
            line(20, 1, 2, "irq_handler_exit: irq=5 ret=handled"),
            line(21, 0, 4, "softirq_entry: vec=3 [action=NET_RX]"),
            line(22, 0, 4, "softirq_exit: vec=3 [action=NET_RX]"),
            switch(23, 0, 4, "S", 9),
            waking(24, 0, 9, 5),
            lost(0),
            switch(30, 0, 9, "S", 5),
            switch(31, 0, 5, "S", 1),
        ],
        {
            "wakeup": [us(10, 13, 0, 9)],
            "preempted": [],
            "softirq_raise": [us(12, 9, 0)],
            "softirq": [us(21, 1, 0)],
        },
    ),
    Rare(
        "interrupts in interrupts, and a softirq that is raised again",
        [
            line(10, 0, 1, "irq_handler_entry: irq=5 name=disk"),
            line(11, 0, 1, "softirq_raise: vec=4 [action=BLOCK]"),
            line(12, 0, 1, "local_timer_entry: vector=236"),
            line(13, 0, 1, "softirq_raise: vec=4 [action=BLOCK]"),
            line(15, 0, 1, "local_timer_exit: vector=236"),
            line(19, 0, 1, "irq_handler_exit: irq=5 ret=handled"),
            line(20, 0, 1, "softirq_entry: vec=4 [action=BLOCK]"),
            line(22, 0, 1, "softirq_raise: vec=4 [action=BLOCK]"),
            line(25, 0, 1, "softirq_exit: vec=4 [action=BLOCK]"),
            line(26, 0, 1, "softirq_entry: vec=4 [action=BLOCK]"),
            line(28, 0, 1, "softirq_exit: vec=4 [action=BLOCK]"),
            line(30, 0, 1, "reschedule_entry: vector=253"),
        ],
        {
            "irq": [us(10, 9, 0), us(12, 3, 0)],
            "tick": [us(12, 3, 0)],
            "softirq": [us(20, 5, 0), us(26, 2, 0)],
            "softirq_raise": [us(11, 9, 0), us(22, 4, 0)],
        },
    ),
    Rare(
        "interrupts and preemption switched off, on two CPUs",
        [
            line(10, 0, 1, "preempt_disable: caller=a+0x1/0x9 parent=b+0x2/0x9"),
            line(11, 0, 1, "irq_disable: caller=c+0x1/0x9 parent=b+0x2/0x9"),
            line(12, 1, 2, "irq_enable: caller=z+0x1/0x9 parent=z+0x2/0x9"),
            line(13, 1, 2, "irq_disable: caller=e+0x1/0x9 parent=f+0x2/0x9"),
            line(15, 0, 1, "irq_enable: caller=c+0x5/0x9 parent=b+0x2/0x9"),
            line(18, 1, 2, "irq_enable: caller=e+0x5/0x9 parent=f+0x2/0x9"),
            switch(19, 0, 1, "S", 3),
            line(20, 0, 3, "preempt_enable: caller=d+0x1/0x9 parent=b+0x2/0x9"),
            line(21, 1, 2, "irq_disable: caller=e+0x1/0x9 parent=f+0x2/0x9"),
        ],
        {"irqsoff": [us(11, 4, 0), us(13, 5, 1)], "preemptoff": [us(10, 10, 0)]},
    ),
    Rare(
        "system calls in both forms at once, one that never began and one that never ends",
        [
            line(10, 0, 1, "sys_exit: NR 0 = 5"),
            line(11, 0, 1, "sys_enter: NR 230 (0, 0, 7f00, 0, 0, 0)"),
            line(11, 0, 1, "sys_clock_nanosleep(which_clock: 0, flags: 0, rqtp: 7f00, rmtp: 0)"),
            switch(12, 0, 1, "S", 2),
            line(13, 0, 2, "sys_enter: NR 15 (0, 0, 0, 0, 0, 0)"),
            line(14, 0, 2, "sys_exit: NR -1 = 0"),
            switch(15, 0, 2, "S", 1),
            line(16, 0, 1, "sys_exit: NR 230 = 0"),
            line(17, 0, 1, "sys_clock_nanosleep -> 0x0"),
            line(20, 0, 1, "sys_enter: NR 60 (0, 0, 0, 0, 0, 0)"),
        ],
        {"syscall": [us(11, 5, 0, 1), us(13, 1, 0, 2)]},
    ),
    Rare(
        "a sleeper that is preempted on its way back",
        [
            line(10, 0, 9, "sys_clock_nanosleep(which_clock: 1, flags: 1, rqtp: 7f00, rmtp: 0)"),
            timer_start(11, 0, 9, 0xA, 5_000_000),
            switch(12, 0, 9, "S", 0),
            timer_expires(31, 0, 0, 0xA, 5_001_500),
            waking(32, 0, 0, 9),
            timer_done(33, 0, 0, 0xA),
            switch(35, 0, 0, "R", 9),
            switch(36, 0, 9, "R+", 3),
            switch(46, 0, 3, "S", 9),
            line(48, 0, 9, "sys_clock_nanosleep -> 0x0"),
        ],
        {
            "timer": [(29_500, 1500, 0, None)],
            "cyclic": [(29_500, 18_500, 0, 9)],
            "wakeup": [us(32, 3, 0, 9)],
            "preempted": [us(36, 10, 0, 9)],
            "syscall": [us(10, 38, 0, 9)],
        },
    ),
    Rare(
        "without system calls, a sleeper is back when it runs",
        [
            timer_start(11, 0, 9, 0xA, 5_000_000),
            switch(12, 0, 9, "S", 0),
            timer_expires(31, 0, 0, 0xA, 5_001_500),
            waking(32, 0, 0, 9),
            timer_done(33, 0, 0, 0xA),
            switch(35, 0, 0, "R", 9),
            timer_start(37, 0, 9, 0xA, 6_000_000),
            switch(38, 0, 9, "S", 0),
        ],
        {
            "timer": [(29_500, 1500, 0, None)],
            "cyclic": [(29_500, 5500, 0, 9)],
            "wakeup": [us(32, 3, 0, 9)],
        },
    ),
    Rare(
        "a timer that finds its task running, and one that fires within its slack",
        [
            switch(5, 0, 0, "R", 9),
            timer_start(11, 0, 9, 0xA, 4_990_000),
            line(12, 0, 9, "local_timer_entry: vector=236"),
            timer_expires(13, 0, 9, 0xA, 5_000_000),
            waking(14, 0, 9, 9),
            timer_done(15, 0, 9, 0xA),
            line(16, 0, 9, "local_timer_exit: vector=236"),
            line(
                30,
                0,
                9,
                "hrtimer_start: hrtimer=000000000000000b function=hrtimer_wakeup"
                " expires=5060000 softexpires=5010000 mode=REL was_armed=0",
            ),
            switch(31, 0, 9, "S", 0),
            timer_expires(53, 0, 0, 0xB, 5_040_000),
            waking(54, 0, 0, 9),
            timer_done(55, 0, 0, 0xB),
            switch(90, 0, 0, "R", 9),
        ],
        {
            "timer": [us(3, 10, 0)],
            "cyclic": [us(3, 13, 0, 9), us(73, 17, 0, 9)],
            "tick": [us(12, 4, 0)],
            "irq": [us(12, 4, 0)],
            "wakeup": [us(54, 36, 0, 9)],
        },
    ),
    Rare(
        "a timer that is started again, one that was never seen to start, and one whose start may be lost",
        [
            timer_start(1, 0, 9, 0xA, 4_000_000),
            timer_start(2, 0, 9, 0xA, 5_000_000),
            timer_start(3, 0, 9, 0xC, 5_000_000),
            timer_expires(10, 0, 0, 0xA, 5_000_700),
            timer_done(11, 0, 0, 0xA),
            timer_expires(12, 0, 0, 0xB, 5_000_700),
            timer_done(13, 0, 0, 0xB),
            timer_expires(14, 0, 0, 0xA, 7_000_000),
            timer_done(15, 0, 0, 0xA),
            lost(0),
            timer_expires(20, 0, 0, 0xC, 5_003_700),
            timer_done(21, 0, 0, 0xC),
        ],
        {"timer": [(9300, 700, 0, None)]},
    ),
)
