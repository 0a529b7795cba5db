//! A fair task whose cgroup has used its CPU time up.

use super::{Entry, Setting};
use crate::explain::why::{Link, Mechanism, Subject, is_fair};

pub static ENTRY: Entry = Entry {
    name: "cgroup_limit",
    mechanism: Mechanism::Throttled,
    title: "Its cgroup had no CPU time left",
    condition: "The task that was late is of the fair class and was throttled itself.",
    meaning: "`cpu.max` gives a cgroup so much CPU time in each period (100 ms unless it says otherwise), for all \
        of its tasks and CPUs together. Once it is used up, none of them runs until the next period, however idle \
        the CPUs are. The limits of the cgroups above count, too.",
    helps: "Raise the limit, or write `max` there: `CPUQuota=` of systemd, the CPU limit of a container. Let what \
        a period leaves be used later (`cpu.max.burst`, kernels from 5.14), or move what has to be on time into a \
        cgroup of its own: often other threads of the same one use the time up.",
    check: "`nr_throttled` and `throttled_usec` in the `cpu.stat` of the cgroup, and of those above it, must no \
        longer grow.",
    reference: "Documentation/scheduler/sched-bwc.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    link.subject == Some(Subject::Task(setting.case.task_idx)) && link.subject_prio.is_some_and(is_fair)
}
