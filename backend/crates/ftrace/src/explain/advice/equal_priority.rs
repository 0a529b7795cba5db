//! Behind a task of the same real-time priority.

use super::{Entry, Setting};
use crate::explain::why::{Certainty, Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "equal_priority",
    mechanism: Mechanism::EqualPriority,
    title: "Behind a task of the same real-time priority",
    condition: "Both tasks have the same real-time priority.",
    meaning: "SCHED_FIFO serves tasks of one priority in the order in which they came, and none preempts \
        another. SCHED_RR takes turns, but only after a time slice of 100 ms (`sched_rr_timeslice_ms`).",
    helps: "Give each task its own priority, or its own CPU.",
    check: "In `sched_switch` the two must differ in priority, or run on different CPUs.",
    reference: "Documentation/core-api/real-time/theory.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.certainty == Certainty::Recorded
}
