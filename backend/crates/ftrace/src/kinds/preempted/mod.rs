//! Involuntary waits: a task that wants to run is switched out, and waits to be switched to again.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::stages::{Events, Mark, Steps};
use crate::explain::{Case, Kind, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct Preempted;

impl Kind for Preempted {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn waits_from(&self) -> Option<Mark> {
        Some(Mark::SwitchOut)
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let task = phrases::subject(case, around);
        format!("{task} was preempted on CPU {} for {}", case.start_cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Wait
    }

    fn steps<'c>(&self, events: &Events<'c, '_>) -> Option<Steps<'c>> {
        Some(Steps {
            first: Mark::SwitchOut,
            middle: events.migrations(),
            last: (Mark::Switch, events.switch(None)),
        })
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 4,
    name: "preempted",
    title: "Preemption",
    definition: "From the sched_switch that takes the CPU from a runnable task (state R or R+) to the next sched_switch to it.",
    note: "",
    source: SampleSource::Samples,
    subject: Subject::Task,
    key_name: None,
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "preempted",
        title: "Preemption",
        needs: &[&["sched_switch"]],
        roles: &[Role::SchedSwitch, Role::SchedWaking, Role::SchedMigrate],
        start: measure::start,
    },
};
