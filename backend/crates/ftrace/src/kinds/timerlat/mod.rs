//! What the timerlat tracer reports: how late its own timer reaches the interrupt, the thread, user space.

mod hit;
mod measure;
#[cfg(test)]
mod tests;

use crate::analyses::{AnalysisEntry, LatencyKind, Lateness, SampleSource, Subject};
use crate::events::Role;
use crate::explain::headline::Findings;
use crate::explain::stages::{Events, Marked, Steps};
use crate::explain::{Case, Kind, Mark, Parts, Surroundings, Way, phrases, words};
use hit::Records;

#[derive(Debug)]
pub struct Timerlat;

impl Kind for Timerlat {
    fn latency(&self) -> &'static LatencyKind {
        &KIND
    }

    fn is_stated(&self) -> bool {
        true
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
        Way::Sleeper
    }

    /// Its records lie among the events of its way.
    fn is_report(&self, _case: &Case<'_>) -> bool {
        false
    }

    fn steps<'c>(&self, events: &Events<'c, '_>) -> Option<Steps<'c>> {
        let Records { own, irq } = Records::of(events.case, events.around)?;
        let entry = irq.and_then(|irq| events.entry_around(irq));
        let mut middle: Vec<Marked<'c>> =
            entry.map(|entry| (Mark::InterruptEntry, entry)).into_iter().collect();
        let last = match phrases::key(events.case) {
            "irq" => Mark::Handler,
            context => {
                middle.extend(irq.map(|irq| (Mark::Handler, irq)));
                middle.extend(events.switch(irq).map(|switch| (Mark::Switch, switch)));
                if context == "thread" { Mark::Thread } else { Mark::Return }
            }
        };
        Some(Steps { first: Mark::Expiry, middle, last: (last, Some(own)) })
    }

    fn cause(&self, findings: &Findings<'_, '_>) -> Option<String> {
        findings.verdict_or_parts()
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
