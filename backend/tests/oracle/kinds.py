"""Every kind of latency that the oracle knows, by its public name."""

from collections.abc import Callable, Mapping

from tests.oracle import reports, samples, sleeps
from tests.oracle.recording import Recording
from tests.oracle.samples import Found

KINDS: Mapping[str, Callable[[Recording], Found]] = {
    "wakeup": samples.wakeup,
    "preempted": samples.preempted,
    "irq": samples.irq,
    "softirq": samples.softirq,
    "softirq_raise": samples.softirq_raise,
    "syscall": sleeps.syscall,
    "irqsoff": samples.irqsoff,
    "preemptoff": samples.preemptoff,
    "tick": samples.tick,
    "timer": sleeps.timer,
    "cyclic": sleeps.cyclic,
    "timerlat": reports.timerlat,
}
