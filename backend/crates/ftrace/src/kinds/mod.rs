//! Kinds of latency: how each is measured, and what is said of its cases. One folder and one line in [`KINDS`] each.

mod call;
mod cyclic;
mod field;
mod hwlat;
mod irq;
mod irqsoff;
mod measured;
mod migration;
mod osnoise;
mod preempted;
mod preemptoff;
mod softirq;
mod softirq_raise;
mod syscall;
mod tick;
mod timer;
mod timerlat;
mod wakeup;

use crate::analyses::{ANALYSES, ARROWS, AnalysisEntry, LatencyKind};
use crate::explain::Kind;
pub use field::KIND as FIELD;
pub use tick::KIND as TICK;

/// Every kind, first those that people look for first.
pub static KINDS: &[&dyn Kind] = &[
    &cyclic::Cyclic,
    &timerlat::Timerlat,
    &timer::Timer,
    &irqsoff::Irqsoff,
    &preemptoff::Preemptoff,
    &wakeup::Wakeup,
    &irq::Irq,
    &softirq::Softirq,
    &call::Call,
    &preempted::Preempted,
    &migration::Migration,
    &softirq_raise::SoftirqRaise,
    &syscall::Syscall,
    &tick::Tick,
    &osnoise::Osnoise,
    &hwlat::Hwlat,
    &field::Field,
    &measured::Measured,
];

/// Every analysis of a trace: those that measure no latency, those of the kinds, and those of arrows.
pub fn analyses() -> impl Iterator<Item = &'static AnalysisEntry> {
    let arrows = ARROWS.iter().map(|kind| &kind.analysis);
    ANALYSES.iter().copied().chain(latency_kinds().map(|kind| &kind.analysis)).chain(arrows)
}

/// The kind with a name.
pub fn find(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.latency().name == name)
}

pub fn latency_kinds() -> impl Iterator<Item = &'static LatencyKind> {
    KINDS.iter().map(|kind| kind.latency())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_latency_has_a_number_and_a_name_of_its_own() {
        let count = KINDS.len();
        assert_eq!(latency_kinds().map(|kind| kind.code).collect::<BTreeSet<_>>().len(), count);
        assert_eq!(latency_kinds().map(|kind| kind.name).collect::<BTreeSet<_>>().len(), count);
    }
}
