//! Preemption-off sections.
//!
//! The scheduler switches preemption off before it switches tasks, and the next task switches it on
//! again: such a section continues across the switch. The idle task never switches it on.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleFlags, SampleSource, SliceKind, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::{Case, Kind, Surroundings, phrases, reported_section, words};

#[derive(Debug)]
pub struct Preemptoff;

impl Kind for Preemptoff {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
        let (key, task) = (phrases::key(case), reported_section::owner(case, around));
        let off = reported_section::what_was_off(case, around, "Preemption was off");
        format!("{off} for {} on CPU {} in {key}{task}", words::time(case.duration_ns), case.cpu)
    }

    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        let is_reported = findings.case.flags.has(SampleFlags::REPORTED);
        if is_reported { reported_section::clause(findings) } else { findings.usual_cause() }
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 6,
    name: "preemptoff",
    title: "Preemption off",
    definition: "From preempt_disable to preempt_enable on the same CPU, without the time of the idle task in between; or what the preemptoff tracer reports.",
    note: "The preemptirqsoff tracer counts here if its section begins with interrupts on.",
    source: SampleSource::Slices(SliceKind::Preemptoff),
    subject: Subject::Cpu,
    key_name: Some("caller"),
    lateness: Lateness::Late,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "preemptoff",
        title: "Preemption off",
        needs: &[&["preempt_disable", "preempt_enable", "sched_switch"], &["preemptoff tracer"]],
        roles: &[Role::PreemptDisable, Role::PreemptEnable, Role::SchedSwitch],
        start: measure::start,
    },
};
