//! Scheduler ticks: what the timer interrupt of each CPU costs.

mod measure;

use crate::analyses::nest::INTERRUPT_ROLES;
use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, SliceKind, Subject};
use crate::explain::{Case, Kind, Surroundings, words};

#[derive(Debug)]
pub struct Tick;

impl Kind for Tick {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        format!("The tick on CPU {} took {}", case.cpu, words::time(case.duration_ns))
    }

    fn slice_kind(&self) -> Option<SliceKind> {
        Some(SliceKind::Irq)
    }

    fn is_wait(&self) -> bool {
        false
    }
}

static KIND: LatencyKind = LatencyKind {
    code: 11,
    name: "tick",
    title: "Timer interrupt",
    definition: "From the entry to the exit of the interrupt of a CPU's own timer.",
    note: "",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: None,
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "tick",
        title: "Timer interrupts",
        needs: &[
            &["local_timer_entry", "local_timer_exit"],
            &["irq_handler_entry", "irq_handler_exit"],
            &["timer_interrupt_entry", "timer_interrupt_exit"],
        ],
        roles: INTERRUPT_ROLES,
        start: measure::start,
    },
};
