//! Involuntary waits: a task that wants to run is switched out, and waits to be switched to again.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::{Decoded, Role};
use crate::explain::route::is_stopper_comm;
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
        let (task, time) = (phrases::subject(case, around), words::time(case.duration_ns));
        match stopper(case, around) {
            Some(stopper) => {
                let (from, to) = (case.start_cpu, case.cpu);
                format!("{task} was moved from CPU {from} to CPU {to} by {stopper}, and waited {time}")
            }
            None => format!("{task} was preempted on CPU {} for {time}", case.start_cpu),
        }
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

/// Who moved the task to another CPU, where that is what took its CPU from it.
fn stopper<'a>(case: &Case<'_>, around: &Surroundings<'_, 'a>) -> Option<&'a str> {
    let at_start = around.scheduled().filter(|(event, _)| event.t_ns == case.start_ns);
    let mut switches = at_start.filter_map(|(_, scheduled)| match scheduled {
        Some(Decoded::Switch(switch)) if Some(switch.prev.pid) == case.pid => Some(switch),
        _ => None,
    });
    let switch = switches.next().filter(|_| case.cpu != case.start_cpu)?;
    str::from_utf8(switch.next.comm).ok().filter(|comm| is_stopper_comm(comm.as_bytes()))
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
