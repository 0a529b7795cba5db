//! Migration latency: from the migration of a waiting task to its run on the destination CPU.
//!
//! The scheduler moves a task while it wakes it, or from one run queue to another; never one that runs, nor one that
//! sleeps on (`set_task_cpu` in kernel/sched/core.c, Linux 6.12). A task that is moved again before it runs has not
//! stopped waiting: its latency counts from the first migration, and each further one is a stage. Where it had been
//! woken or preempted before it was moved, `wakeup` and `preempted` hold the whole wait.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::stages::{Events, Mark, Steps};
use crate::explain::{Case, Kind, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct Migration;

impl Kind for Migration {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn waits_from(&self) -> Option<Mark> {
        Some(Mark::Migration)
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let (task, time) = (phrases::subject(case, around), words::time(case.duration_ns));
        if case.start_cpu != case.cpu {
            return format!(
                "{task} was moved to CPU {} and on to CPU {}, and waited {time}",
                case.start_cpu, case.cpu
            );
        }
        format!("{task} waited {time} for CPU {} after its migration", case.cpu)
    }

    fn way(&self) -> Way {
        Way::Wait
    }

    fn steps<'c>(&self, events: &Events<'c, '_>) -> Option<Steps<'c>> {
        let case = events.case;
        let switch = events.switch(None);
        let mut middle = events.migrations();
        let first =
            middle.iter().position(|(_, event)| event.t_ns == case.start_ns).map(|at| middle.remove(at).1);
        let wakeup = events.after(first, |event| events.is_wakeup(event));
        middle.extend(wakeup.map(|event| (Mark::Wakeup, event)));
        let idle_exit = events.after(first, |event| event.cpu == case.cpu && event.ends_idle());
        middle.extend(idle_exit.map(|event| (Mark::IdleExit, event)));
        middle.retain(|(_, event)| switch.is_none_or(|switch| event.seq < switch.seq));
        Some(Steps { first: Mark::Migration, middle, last: (Mark::Switch, switch) })
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 17,
    name: "migration",
    title: "Migration latency",
    definition: "From the sched_migrate_task of a waiting task to the sched_switch to it on the destination CPU. A task that is migrated again before it runs keeps waiting.",
    note: "A sleeper that is moved (Linux 6.12 and newer) does not wait. Where the wait began earlier, with a waking or a preemption, `wakeup` and `preempted` hold the whole of it.",
    source: SampleSource::Samples,
    subject: Subject::Task,
    key_name: None,
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "migration",
        title: "Migration latency",
        needs: &[&["sched_migrate_task", "sched_switch"]],
        roles: &[Role::SchedSwitch, Role::SchedWaking, Role::SchedMigrate],
        start: measure::start,
    },
};
