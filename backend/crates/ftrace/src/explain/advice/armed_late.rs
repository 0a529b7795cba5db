//! A task that asked to be woken at a time that had passed.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism, Subject};

pub static ENTRY: Entry = Entry {
    name: "armed_late",
    mechanism: Mechanism::ArmedLate,
    title: "The task was late before it slept",
    condition: "`hrtimer_start` of the task after the expiry that it asked for.",
    meaning: "The period was over before the task armed its timer: what it did in its last period, or what \
        kept it from doing so, took longer than the period. This sleep is the victim.",
    helps: "Look for the cause in the period before: what the task did, and what it waited for. Lengthen the \
        period, or skip the periods that were missed instead of catching up.",
    check: "No timer of the task may expire before it is armed: `expires` of `hrtimer_start` must lie after \
        the stamp of its clock.",
    reference: "Documentation/timers/hrtimers.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.subject == Some(Subject::Task(setting.case.task_idx))
}
