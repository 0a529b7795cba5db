//! Interrupts were off in a section that was recorded.

use super::{Entry, Setting};
use crate::explain::why::{Certainty, Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "irqs_off_section",
    mechanism: Mechanism::IrqsOff,
    title: "A section with interrupts off",
    condition: "A section of `irq_disable` and `irq_enable` events, with its function.",
    meaning: "A timer that expires inside the section waits for its end, whatever the priority of its task: \
        the interrupt itself cannot come.",
    helps: "Shorten the section, or do the work of its caller elsewhere. On PREEMPT_RT `spin_lock_irqsave()` \
        no longer disables interrupts; `raw_spin_lock_irqsave()`, `local_irq_save()` and hard interrupt \
        handlers still do.",
    check: "Record `preemptirq:irq_disable` and `irq_enable` again, or run the `irqsoff` tracer: the longest \
        section must be shorter.",
    reference: "Documentation/locking/locktypes.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.certainty == Certainty::Recorded && link.function_idx.is_some()
}
