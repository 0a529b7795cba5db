//! What is concluded from a trace's events: how analyses work, what several of them use, and those that measure
//! no latency, with one file and one line in [`ANALYSES`] each. The others belong to their kinds.

pub(crate) mod armed_timers;
mod arrows;
mod boosts;
mod cause;
mod cpu_frequency;
pub(crate) mod cpu_power;
mod idle;
mod latency;
pub(crate) mod nest;
mod noise;
pub(crate) mod off_sections;
pub(crate) mod on_cpu;
pub(crate) mod reports;
mod sched;
mod shapes;
mod slice_kind;
pub(crate) mod softirq_rounds;
pub(crate) mod softirq_vectors;
pub(crate) mod starts;
pub(crate) mod stated;
mod strays;
pub(crate) mod taint;
mod task_states;
pub(crate) mod timer_passes;

use std::collections::BTreeMap;
use std::mem::discriminant;

pub use arrows::{ARROWS, ArrowKind};
pub use cause::Cause;
pub use latency::{IncompleteReason, LatencyKind, Lateness, Sample, SampleFlags, SampleSource, Subject};
pub use noise::NoiseLane;
pub use reports::{LatencyTracer, Report};
pub use shapes::{CounterChange, CounterName, Emit, Slice, SliceFlags};
pub use slice_kind::{SliceKind, TaskState};
pub use stated::impossible;

use crate::events::{Decoded, Role};
use crate::model::{Flags, Limits, LossCause, Ns, ReadError, TimeUnit};

/// An event with a role, its arguments as values and its time from the trace's start.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    pub t_ns: Ns,
    pub cpu: u16,
    /// The task in whose context it was recorded.
    pub task: Option<u32>,
    /// That task's pid.
    pub pid: Option<i32>,
    pub flags: Flags,
    /// The event's own name.
    pub name: &'a [u8],
    /// Since when its CPU is known without a gap: its first record, or the first after a loss.
    pub known_since_ns: Ns,
    /// A filter leaves out what most tasks of its CPU do.
    pub is_filtered: bool,
    /// When its CPU was idle last, where the idle task stops and starts the tick without a record.
    pub hidden_idle_ns: Option<Ns>,
    /// Of a switch: those before it on its CPU that are not recorded, the last one to the task that is switched out.
    pub unseen: &'a [UnseenSwitch],
    pub clock: TraceClock,
    pub decoded: Decoded<'a>,
}

/// A switch that is not recorded; an event of the task that it led to shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnseenSwitch {
    pub pid: i32,
    pub task: Option<u32>,
    /// Until when at least the task before had the CPU.
    pub left_ns: Ns,
    /// Since when at the latest this one has it.
    pub since_ns: Ns,
}

/// How a trace's times relate to the clock that stamped its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceClock {
    /// What the clock said at the trace's time zero.
    pub origin_ns: Ns,
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
    pub start_ns: Ns,
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
    pub t_ns: Ns,
    /// The last record of each CPU.
    pub cpus: BTreeMap<u16, Ns>,
    /// What latency tracers say of themselves, in the order of the file.
    pub reports: Vec<Report>,
}

/// An analysis as people and the importer know it.
#[derive(Debug)]
pub struct AnalysisEntry {
    /// Stable name, as the API shows it.
    pub name: &'static str,
    pub title: &'static str,
    /// What to record for it: alternatives, each a list of events that must all be there.
    pub needs: &'static [&'static [&'static str]],
    /// The roles of the events that it is given; the names inside of roles do not matter.
    pub roles: &'static [Role],
    pub start: fn(&Limits) -> Box<dyn Analysis>,
}

impl AnalysisEntry {
    /// True where the analysis has asked for events of this role, whatever the role's payload.
    pub fn wants(&self, role: Role) -> bool {
        self.roles.iter().any(|wanted| discriminant(wanted) == discriminant(&role))
    }
}

/// Every analysis that measures no latency.
pub static ANALYSES: &[&AnalysisEntry] =
    &[&sched::ENTRY, &task_states::ENTRY, &boosts::ENTRY, &idle::ENTRY, &cpu_frequency::ENTRY, &noise::ENTRY];
