//! A CPU on which the task may run had nothing to do.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "wrong_cpu",
    mechanism: Mechanism::WrongCpu,
    title: "Another CPU was idle all the while",
    condition: "Another CPU had nothing to run for the whole wait, and the task has run there in this recording.",
    meaning: "The task waited in the queue of one CPU while another one was free. The scheduler looks for an \
        idle CPU at the wakeup and balances later, so a task may wait for the next balancing; it cannot \
        move where affinity, a cpuset or disabled migration forbids it.",
    helps: "Look at its affinity (`taskset -p PID`) and its cpuset. If it has to be on time, do not leave \
        the choice to the scheduler: pin it to a CPU, and everything else away from that.",
    check: "With `sched_migrate_task` recorded, see where the scheduler moves it, and whether the other CPU \
        is idle still.",
    reference: "Documentation/scheduler/sched-domains.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.idle_cpu.is_some()
}
