//! Interrupts-off sections.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleFlags, SampleSource, SliceKind, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::{Case, Kind, Surroundings, phrases, reported_section, words};

#[derive(Debug)]
pub struct Irqsoff;

impl Kind for Irqsoff {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let (key, task) = (phrases::key(case), reported_section::owner(case, around));
        let off = reported_section::what_was_off(case, around, "Interrupts were off");
        format!("{off} for {} on CPU {} in {key}{task}", words::time(case.duration_ns), case.cpu)
    }

    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        let is_reported = findings.case.flags.has(SampleFlags::REPORTED);
        if is_reported { reported_section::clause(findings) } else { findings.usual_cause() }
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 5,
    name: "irqsoff",
    title: "Interrupts off",
    definition: "From irq_disable to irq_enable on the same CPU, without idle time in between; or what the irqsoff tracer reports.",
    note: "The preemptirqsoff tracer counts here if its section begins with interrupts off.",
    source: SampleSource::Slices(SliceKind::Irqsoff),
    subject: Subject::Cpu,
    key_name: Some("caller"),
    lateness: Lateness::Late,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "irqsoff",
        title: "Interrupts off",
        needs: &[&["irq_disable", "irq_enable"], &["irqsoff tracer"]],
        roles: &[Role::IrqDisable, Role::IrqEnable, Role::CpuIdle, Role::PowerStart, Role::PowerEnd],
        start: measure::start,
    },
};
