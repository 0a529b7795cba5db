//! A section with preemption off.

use super::{Entry, Setting};
use crate::explain::why::{Certainty, Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "preempt_off_section",
    mechanism: Mechanism::NotPreemptible,
    title: "A section with preemption off",
    condition: "A section of `preempt_disable` and `preempt_enable`, or `irq_disable` and `irq_enable` events, \
        with its function.",
    meaning: "The scheduler was asked to switch inside the section and had to wait for its end.",
    helps: "Shorten the section. On PREEMPT_RT `spin_lock()` no longer disables preemption; \
        `raw_spin_lock()` and `preempt_disable()` still do.",
    check: "Record the `preemptirq` events again, or run the `preemptoff` tracer: the longest section must \
        be shorter.",
    reference: "Documentation/locking/locktypes.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.certainty == Certainty::Recorded && link.function_idx.is_some()
}
