//! A softirq that ran while a task was to run.

use super::{Entry, Setting};
use crate::explain::why::{Certainty, Link, Mechanism, Subject};

pub static ENTRY: Entry = Entry {
    name: "softirq_not_preemptible",
    mechanism: Mechanism::NotPreemptible,
    title: "A softirq ran before the task",
    condition: "`softirq_entry` and `softirq_exit` around the stretch, with need-resched set.",
    meaning: "Without PREEMPT_RT, softirqs run at the end of an interrupt and cannot be preempted, whatever \
        the priority of the task that waits.",
    helps: "PREEMPT_RT runs softirqs in the context of threads. Elsewhere, move what raises them: send \
        interrupts of network and block devices to other CPUs, offload RCU callbacks (`rcu_nocbs=`), \
        keep timers away.",
    check: "The `softirq` latencies of that vector on this CPU must become shorter or rarer; \
        `/proc/softirqs` counts them for each CPU.",
    reference: "Documentation/admin-guide/kernel-per-CPU-kthreads.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    matches!(link.subject, Some(Subject::Softirq(_))) && link.certainty == Certainty::Recorded
}
