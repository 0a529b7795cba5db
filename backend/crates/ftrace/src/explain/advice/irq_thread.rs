//! A threaded interrupt handler of higher priority.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism};

/// Source: kernel/irq/manage.c (setup_irq_thread), Linux 6.12.
pub const IRQ_THREAD: &str = "irq/";

pub static ENTRY: Entry = Entry {
    name: "irq_thread",
    mechanism: Mechanism::HigherPriority,
    title: "Behind the thread of an interrupt",
    condition: "A task of higher priority named `irq/…`.",
    meaning: "The handler of a device runs in a thread, SCHED_FIFO 50 unless somebody changed it, and so \
        before every task of lower priority.",
    helps: "Give the task that matters a priority above 50, or the thread one below (`chrt -f -p PRIO PID`). \
        The thread follows the affinity of its interrupt: `/proc/irq/N/smp_affinity_list` moves both.",
    check: "`sched_switch` to `irq/…` on this CPU must show a lower priority than that of the task (a larger \
        number), or must not occur any more.",
    reference: "Documentation/core-api/real-time/theory.rst",
    holds,
};

/// True where the task that ran is the thread of an interrupt.
pub fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    setting.comm(link).starts_with(IRQ_THREAD)
}
