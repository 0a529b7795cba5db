//! Hard interrupts: devices' handlers and the CPU's own vectors, nested.

mod measure;

use crate::analyses::nest::NESTED_ROLES;
use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, SliceKind, Subject};
use crate::explain::{Case, Kind, Surroundings, phrases, words};

#[derive(Debug)]
pub struct Irq;

impl Kind for Irq {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        format!("Interrupt {} on CPU {} took {}", phrases::key(case), case.cpu, words::time(case.duration_ns))
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 7,
    name: "irq",
    title: "Interrupt duration",
    definition: "From an interrupt's entry to its exit on the same CPU.",
    note: "Self time excludes nested interrupts.",
    source: SampleSource::Slices(SliceKind::Irq),
    subject: Subject::Cpu,
    key_name: Some("irq"),
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "irq",
        title: "Interrupts",
        needs: &[
            &["irq_handler_entry", "irq_handler_exit"],
            &["local_timer_entry", "local_timer_exit"],
            &["ipi_entry", "ipi_exit"],
        ],
        roles: NESTED_ROLES,
        start: measure::start,
    },
};
