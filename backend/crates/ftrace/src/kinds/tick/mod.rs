//! Scheduler ticks: what the timer interrupt of each CPU costs where it runs the tick.

mod measure;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleFlags, SampleSource, SliceKind, Subject};
use crate::events::Role;
use crate::explain::{Case, Kind, Surroundings, Usual, words};

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

    /// Most interrupts of a timer run no tick, and are shorter.
    fn usual(&self, case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Usual> {
        let is_known = !case.flags.has(SampleFlags::HANDLER_UNKNOWN);
        is_known.then(|| around.usuals().tick(around, case.duration_ns))?
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

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::testing::explain::headlines;

    #[test]
    fn what_is_normal_is_that_of_ticks_not_of_every_interrupt_of_the_timer() {
        let mut text = String::new();
        for at_ms in 0..40_u32 {
            let (function, long_us) = match at_ms {
                39 => ("tick_nohz_handler", 100),
                at_ms if at_ms % 4 == 3 => ("tick_nohz_handler", 40),
                _ => ("hrtimer_wakeup", 10),
            };
            let lines = [
                (0, "local_timer_entry: vector=236".to_owned()),
                (
                    2,
                    format!(
                        "hrtimer_expire_entry: hrtimer=00000000000000aa function={function} now={at_ms}000000"
                    ),
                ),
                (long_us - 2, "hrtimer_expire_exit: hrtimer=00000000000000aa".to_owned()),
                (long_us, "local_timer_exit: vector=236".to_owned()),
            ];
            for (us, what) in lines {
                writeln!(text, "sh-5 [0] d.h1. 1.{:06}: {what}", at_ms * 1_000 + us).unwrap();
            }
        }
        let said = headlines(&text, "tick");
        let longest = said.lines().find(|line| line.contains("took 100 µs")).unwrap();
        assert!(longest.contains("(normally 40 µs)"), "{longest}");
    }
}
