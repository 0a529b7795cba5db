//! Softirqs, with the hard interrupts inside them taken off their self time.

mod measure;

use crate::analyses::nest::NESTED_ROLES;
use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, SliceKind, Subject};
use crate::explain::{Case, Kind, Surroundings, phrases, words};

#[derive(Debug)]
pub struct Softirq;

impl Kind for Softirq {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        format!("Softirq {} on CPU {} took {}", phrases::key(case), case.cpu, words::time(case.duration_ns))
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 8,
    name: "softirq",
    title: "Softirq duration",
    definition: "From softirq_entry to softirq_exit of the same vector on the same CPU.",
    note: "Self time excludes the interrupts inside it, and the time in which its task was switched out.",
    source: SampleSource::Slices(SliceKind::Softirq),
    subject: Subject::Cpu,
    key_name: Some("vector"),
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "softirq",
        title: "Softirqs",
        needs: &[&["softirq_entry", "softirq_exit"]],
        roles: NESTED_ROLES,
        start: measure::start,
    },
};
