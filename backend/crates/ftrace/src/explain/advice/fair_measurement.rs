//! A periodic task without a real-time priority.

use super::{Entry, Setting};
use crate::explain::why::{Certainty, Link, Mechanism, Way};

pub static ENTRY: Entry = Entry {
    name: "fair_measurement",
    mechanism: Mechanism::FairShare,
    title: "This periodic task has no real-time priority",
    condition: "A task of the fair class that sleeps until a time and is measured by it waited behind another \
        one of its class.",
    meaning: "Among tasks of the fair class the scheduler balances shares of the CPU. It promises no latency: \
        to wait for a slice of each other task is no fault.",
    helps: "Give it a real-time priority (`chrt -f 80 COMMAND`; cyclictest takes `-p 80`), or, if it has to \
        stay fair, a shorter slice by `sched_setattr()` (`sched_runtime`, kernels from 6.12) and less \
        company on its CPU.",
    check: "`sched_switch` must show it with a priority below 100; what is left of its wakeup latency then \
        is no waiting behind fair tasks.",
    reference: "Documentation/core-api/real-time/theory.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    setting.case.kind.way() == Way::Sleeper && link.certainty == Certainty::Recorded
}
