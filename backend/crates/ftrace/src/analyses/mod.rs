//! What is concluded from a trace's events. One file and one line in [`ANALYSES`] each.

mod armed_timers;
mod calls;
mod cause;
mod cpu_frequency;
mod cpu_power;
mod cyclic;
#[cfg(test)]
mod cyclic_tests;
mod field;
mod hwlat;
mod idle;
mod irq;
mod irqsoff;
mod latency;
mod nest;
mod noise;
mod off_sections;
mod on_cpu;
mod osnoise;
mod preempted;
mod preemptoff;
mod reports;
mod sched;
mod shapes;
mod slice_kind;
mod softirq;
mod softirq_raise;
mod stated;
mod syscall;
mod taint;
mod tick;
mod timer;
mod timer_passes;
mod timerlat;
mod wakeup;

use std::collections::BTreeMap;
use std::mem::discriminant;

pub use cause::Cause;
pub use latency::{IncompleteReason, LatencyKind, Sample, SampleFlags, SampleSource, Subject};
pub use noise::NoiseLane;
pub use reports::{LatencyTracer, Report};
pub use shapes::{CounterChange, CounterName, Emit, Slice, SliceFlags};
pub use slice_kind::SliceKind;
pub use stated::impossible;

use crate::events::{Decoded, Role};
use crate::model::{Limits, LossCause, ReadError, TimeUnit};

/// An event with a role, its arguments as values and its time from the trace's start.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    pub t_ns: i64,
    pub cpu: u16,
    /// The task in whose context it was recorded.
    pub task: Option<u32>,
    /// That task's pid.
    pub pid: Option<i32>,
    /// The event's own name.
    pub name: &'a [u8],
    /// Since when its CPU is known without a gap: its first record, or the first after a loss.
    pub known_since_ns: i64,
    pub clock: TraceClock,
    pub decoded: Decoded<'a>,
}

/// How a trace's times relate to the clock that stamped its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceClock {
    /// What the clock said at the trace's time zero.
    pub origin_ns: i64,
    /// Nanoseconds that an event states can be put beside its time only where that counts them, too.
    pub unit: TimeUnit,
}

/// One pass over a trace. Time never runs backwards on a CPU without a `gap` in between.
pub trait Analysis {
    /// An event of one of the roles that it asked for.
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError>;

    /// A finished call.
    fn call(&mut self, _call: &Slice<'_>, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    /// Records of a CPU are missing.
    fn gap(&mut self, _gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }

    /// No record comes after this.
    fn finish(&mut self, _end: &TraceEnd, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        Ok(())
    }
}

/// Nothing is known of `cpu` between `start_ns`, its last record, and its next one.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    pub cpu: u16,
    pub start_ns: i64,
    pub kind: LossKind,
}

/// How records of a CPU were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// The kernel dropped them, on a busy CPU and within moments; or the CPU's clock stepped back.
    Dropped,
    /// The file is damaged or ends too early, which may take seconds of an idle CPU: any task may have run there.
    Unreadable,
}

impl From<LossCause> for LossKind {
    fn from(cause: LossCause) -> Self {
        match cause {
            LossCause::Unreadable | LossCause::CutOff => Self::Unreadable,
            LossCause::Overwritten | LossCause::OverwrittenBefore | LossCause::LeftOut => Self::Dropped,
        }
    }
}

/// Where a trace ends.
#[derive(Clone, Debug, Default)]
pub struct TraceEnd {
    /// The latest record of all.
    pub t_ns: i64,
    /// The last record of each CPU.
    pub cpus: BTreeMap<u16, i64>,
    /// What latency tracers say of themselves, in the order of the file.
    pub reports: Vec<Report>,
}

/// An analysis as people and the importer know it.
pub struct AnalysisEntry {
    /// Stable name, as the API shows it.
    pub name: &'static str,
    pub title: &'static str,
    /// What to record for it: alternatives, each a list of events that must all be there.
    pub needs: &'static [&'static [&'static str]],
    /// The roles of the events that it is given; the names inside of roles do not matter.
    pub roles: &'static [Role],
    /// The latencies that it measures.
    pub latencies: &'static [&'static LatencyKind],
    pub start: fn(&Limits) -> Box<dyn Analysis>,
}

impl AnalysisEntry {
    pub fn wants(&self, role: Role) -> bool {
        self.roles.iter().any(|wanted| discriminant(wanted) == discriminant(&role))
    }
}

/// Every analysis.
pub static ANALYSES: &[&AnalysisEntry] = &[
    &sched::ENTRY,
    &irq::ENTRY,
    &softirq::ENTRY,
    &idle::ENTRY,
    &cpu_frequency::ENTRY,
    &calls::ENTRY,
    &wakeup::ENTRY,
    &irqsoff::ENTRY,
    &preemptoff::ENTRY,
    &preempted::ENTRY,
    &softirq_raise::ENTRY,
    &syscall::ENTRY,
    &tick::ENTRY,
    &timer::ENTRY,
    &cyclic::ENTRY,
    &timerlat::ENTRY,
    &osnoise::ENTRY,
    &hwlat::ENTRY,
    &noise::ENTRY,
    &field::ENTRY,
];

/// Every kind of latency, in the order of the analyses.
pub fn latency_kinds() -> impl Iterator<Item = &'static LatencyKind> {
    ANALYSES.iter().flat_map(|entry| entry.latencies.iter().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_latency_has_a_number_and_a_name_of_its_own() {
        let count = latency_kinds().count();
        assert_eq!(latency_kinds().map(|kind| kind.code).collect::<BTreeSet<_>>().len(), count);
        assert_eq!(latency_kinds().map(|kind| kind.name).collect::<BTreeSet<_>>().len(), count);
    }
}
