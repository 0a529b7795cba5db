//! Behind the owner of a lock, at the priority of who waits for it.

use super::{Entry, Setting};
use crate::events::field_number;
use crate::explain::surroundings::Seen;
use crate::explain::why::{Link, Mechanism, Subject};

const EVENT: &str = "sched_pi_setprio";

pub static ENTRY: Entry = Entry {
    name: "priority_inheritance",
    mechanism: Mechanism::HigherPriority,
    title: "Behind the owner of a lock, which inherited a priority",
    condition: "`sched_pi_setprio` raised the priority of the task that ran.",
    meaning: "A task of high priority waits for a lock with priority inheritance. Its owner runs at that \
        priority until it unlocks, ahead of every task in between. That is by design; how long it takes is \
        the length of the section under the lock.",
    helps: "Keep the sections under such a lock short, and never sleep or make a system call that may block in \
        one. Do not share a lock between urgent and other work.",
    check: "The time from the `sched_pi_setprio` that raises the priority to the one that lowers it must shrink.",
    reference: "Documentation/locking/rt-mutex.rst",
    holds,
};

/// True where the last change of the priority of the task that ran raised it.
pub fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    let Some(Subject::Task(idx)) = link.subject else { return false };
    let Some(pid) = setting.around.pid(idx) else { return false };
    let around = setting.around;
    let earlier = around.earlier.iter().chain(&around.events).take_while(|event| event.t_ns <= link.start_ns);
    let changes = earlier.filter(|event| around.event_name(event) == EVENT);
    let number = |event: &Seen<'_>, key| field_number(EVENT, event.args, key);
    let last = changes.filter(|event| number(event, "pid") == Some(i64::from(pid))).last();
    // The lower number is the higher priority.
    last.is_some_and(|event| {
        let prios = number(event, "newprio").zip(number(event, "oldprio"));
        prios.is_some_and(|(new, old)| new < old)
    })
}
