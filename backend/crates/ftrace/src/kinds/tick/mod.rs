//! Scheduler ticks: what the timer interrupt of each CPU costs where it runs the tick.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleFlags, SampleSource, SliceKind, Subject};
use crate::events::Role;
use crate::explain::{Case, Kind, Surroundings, words};

#[derive(Debug)]
pub struct Tick;

impl Kind for Tick {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn event(&self, case: &Case<'_>, _around: &Surroundings<'_, '_>) -> String {
        let is_unknown = case.flags.has(SampleFlags::HANDLER_UNKNOWN);
        let what = if is_unknown { "timer interrupt" } else { "tick" };
        format!("The {what} on CPU {} took {}", case.cpu, words::time(case.duration_ns))
    }

    fn slice_kind(&self) -> Option<SliceKind> {
        Some(SliceKind::Irq)
    }

    fn is_wait(&self) -> bool {
        false
    }
}

/// The one whose sums are shown beside what takes the time of a CPU.
pub static KIND: LatencyKind = LatencyKind {
    code: 11,
    name: "tick",
    title: "Tick",
    definition: "From the entry to the exit of the interrupt of a CPU's own timer, if the interrupt runs the tick.",
    note: "An interrupt runs the tick if it calls `tick_nohz_handler`, `tick_nohz_highres_handler` or `tick_sched_timer`. Where no `hrtimer_expire_entry` names one of them, every interrupt of the timer counts, flagged `handler_unknown`.",
    source: SampleSource::Samples,
    subject: Subject::Cpu,
    key_name: None,
    lateness: Lateness::Long,
    has_sleep: false,
    analysis: AnalysisEntry {
        name: "tick",
        title: "Ticks",
        needs: &[
            &["local_timer_entry", "local_timer_exit"],
            &["irq_handler_entry", "irq_handler_exit"],
            &["timer_interrupt_entry", "timer_interrupt_exit"],
        ],
        roles: &[
            Role::IrqEntry,
            Role::IrqExit,
            Role::VectorEntry(""),
            Role::VectorExit(""),
            Role::IpiEntry,
            Role::IpiExit,
            Role::HrtimerExpireEntry,
        ],
        start: measure::start,
    },
};
