//! Behind a real-time task of higher priority.

use super::{Entry, Setting, irq_thread, priority_inheritance};
use crate::explain::why::{FIRST_FAIR_PRIO, Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "higher_priority",
    mechanism: Mechanism::HigherPriority,
    title: "Behind a real-time task of higher priority",
    condition: "A real-time or deadline task ran that is no thread of an interrupt and inherited nothing.",
    meaning: "A real-time task keeps the CPU until it blocks, yields, or something more important comes. \
        Whatever is less urgent waits for all of it.",
    helps: "Order priorities by deadline: the shorter, the higher. Shorten what the other task does in one \
        go, or give each a CPU of its own (`taskset`, cpusets).",
    check: "The wakeup latency of the task must no longer depend on the other one: compare it with and \
        without that running.",
    reference: "Documentation/core-api/real-time/theory.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    let is_realtime = link.subject_prio.is_some_and(|prio| prio < FIRST_FAIR_PRIO);
    is_realtime && !irq_thread::holds(setting, link) && !priority_inheritance::holds(setting, link)
}
