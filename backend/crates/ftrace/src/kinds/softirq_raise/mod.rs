//! Softirq raise latency: from the raising of a softirq to its handler.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::{Case, Kind, Surroundings, Way, phrases, words};

#[derive(Debug)]
pub struct SoftirqRaise;

impl Kind for SoftirqRaise {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        let (key, time) = (phrases::key(case), words::time(case.duration_ns));
        format!("Softirq {key} on CPU {} ran {time} after it was raised", case.cpu)
    }

    fn way(&self) -> Way {
        Way::Softirq
    }

    /// A softirq waits for the CPU on which it was raised.
    fn waits_for_cpu(&self) -> bool {
        true
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 9,
    name: "softirq_raise",
    title: "Softirq raise latency",
    definition: "From the first softirq_raise of a vector to its softirq_entry on the same CPU.",
    note: "",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: Some("vector"),
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "softirq_raise",
        title: "Softirq raise latency",
        needs: &[&["softirq_raise", "softirq_entry"]],
        roles: &[Role::SoftirqRaise, Role::SoftirqEntry],
        start: measure::start,
    },
};
