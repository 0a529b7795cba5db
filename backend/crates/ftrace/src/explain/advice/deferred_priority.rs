//! Work in a softirq thread that had to wait for its CPU.

use super::{Entry, Setting, WORTH_A_TENTH};
use crate::explain::why::{Link, Mechanism, Subject};

pub static ENTRY: Entry = Entry {
    name: "deferred_priority",
    mechanism: Mechanism::Deferred,
    title: "The thread that does the deferred work waits for the CPU",
    condition: "The softirq was raised, and ran in `ksoftirqd`, `ktimers` or another thread, which waited behind \
        a task.",
    meaning: "On PREEMPT_RT, and under load elsewhere, softirqs run in threads that have to be scheduled: \
        `ksoftirqd` at nice 0, `ktimers` at real-time priority 1. Every task of higher priority delays \
        them. Sleeps of tasks without real-time priority expire there on PREEMPT_RT.",
    helps: "Give the task that measures a real-time priority: its sleeps then expire in the interrupt \
        itself. Or raise the thread above what ran (`chrt -f -p PRIO PID`), or move that to another CPU.",
    check: "From `softirq_raise` to `softirq_entry` of that vector must take some µs; `hrtimer_expire_entry` \
        must come inside the timer interrupt (flag `h`).",
    reference: "Documentation/core-api/real-time/differences.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    let is_behind = |link: &&Link<'_>| {
        matches!(link.mechanism, Mechanism::HigherPriority | Mechanism::EqualPriority | Mechanism::FairShare)
    };
    let behind = link.deeper.iter().filter(is_behind);
    let behind_ns = behind.fold(0_i64, |sum, link| sum.saturating_add(link.duration_ns()));
    // Every thread waits for the switch to it; that alone is no reason to change its priority.
    let is_worth_it = behind_ns.saturating_mul(WORTH_A_TENTH) >= link.duration_ns();
    matches!(link.subject, Some(Subject::Task(_))) && is_worth_it
}
