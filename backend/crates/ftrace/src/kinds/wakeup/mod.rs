//! Wakeup latency: from a task's waking to the switch to it.

mod measure;
mod stages;
#[cfg(test)]
mod tests;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::stages::{Events, Steps};
use crate::explain::{Case, Kind, Mark, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct Wakeup;

impl Kind for Wakeup {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn waits_from(&self) -> Option<Mark> {
        Some(Mark::Waking)
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let task = phrases::task(case, around);
        format!("Wakeup of {task} on CPU {} took {}", case.cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Wait
    }

    fn steps<'c>(&self, events: &Events<'c, '_>) -> Option<Steps<'c>> {
        Some(stages::steps(events))
    }

    /// It starts on the waker's CPU, but waits where it first ran unless its wakeup says otherwise.
    fn first_cpu(&self, case: &Case<'_>) -> i16 {
        case.cpu
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 3,
    name: "wakeup",
    title: "Wakeup latency",
    definition: "From sched_waking (else sched_wakeup) to the first sched_switch to the task; or what the wakeup tracers report.",
    note: "The first of two wakings counts.",
    source: SampleSource::Samples,
    subject: Subject::Task,
    key_name: None,
    lateness: Lateness::Late,
    has_sleep: true,
    analysis: AnalysisEntry {
        name: "wakeup",
        title: "Wakeup latency",
        needs: &[&["sched_waking", "sched_switch"], &["sched_wakeup", "sched_switch"]],
        roles: &[
            Role::SchedSwitch,
            Role::SchedWaking,
            Role::SchedWakeup,
            Role::SchedMigrate,
            Role::SyscallEnter,
            Role::SyscallExit,
            Role::CpuIdle,
            Role::PowerStart,
            Role::PowerEnd,
            Role::CpuFrequency,
        ],
        start: measure::start,
    },
};
