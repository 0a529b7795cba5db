//! What the timerlat tracer reports: how late its own timer reaches the interrupt, the thread, user space.

mod hit;
mod measure;
#[cfg(test)]
mod tests;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::{Case, Kind, Parts, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct Timerlat;

impl Kind for Timerlat {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        let context = match phrases::key(case) {
            "irq" => "interrupt",
            "user-ret" => "return to user space",
            other => other,
        };
        format!("The timerlat {context} on CPU {} was {} late", case.cpu, words::time(case.duration_ns))
    }

    fn way(&self) -> Way {
        Way::Reported
    }

    fn needs_events(&self) -> bool {
        true
    }

    fn parts(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
        hit::parts(case, around)
    }

    /// The thread that measures does not delay itself.
    fn is_of_task(&self) -> bool {
        true
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 13,
    name: "timerlat",
    title: "Timerlat",
    definition: "From the expiry of the timerlat tracer's timer to its interrupt, its thread or its return to user space, as the tracer reports it.",
    note: "With the [tracer's own parts](#tracer-parts).",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: Some("context"),
    lateness: Lateness::Measured,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "timerlat",
        title: "Timer latency as the timerlat tracer reports it",
        needs: &[&["timerlat"]],
        roles: &[Role::Timerlat],
        start: measure::start,
    },
};
