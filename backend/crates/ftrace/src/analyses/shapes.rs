//! The closed set of shapes that analyses answer with.

use serde::{Deserialize, Serialize};

use super::{IncompleteReason, LatencyKind, Sample, SliceKind};
use crate::model::{Code, Ns, ReadError, TaskRef};

/// What is special about a slice, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceFlags(pub u16);

impl SliceFlags {
    /// It began before anything is known of its CPU; the start is the first moment that is known.
    pub const STARTED_BEFORE: SliceFlags = SliceFlags(1);
    /// Its end was not recorded; it ends where it was last seen to last, often the end of the trace.
    pub const CUT_AT_END: SliceFlags = SliceFlags(2);
    /// Events were lost inside it, or time ran backwards; where nothing else is known it ends there.
    pub const HAS_GAP: SliceFlags = SliceFlags(4);
    /// Calls inside it were left out by hand.
    pub const ELIDED_CHILDREN: SliceFlags = SliceFlags(8);
    /// A call that ran in an interrupt.
    pub const IN_INTERRUPT: SliceFlags = SliceFlags(16);
    /// What the tracer itself reports in its header.
    pub const REPORTED: SliceFlags = SliceFlags(32);
    /// Calls between the one before and this one were left out by hand.
    pub const ELIDED_BEFORE: SliceFlags = SliceFlags(64);
    /// The last calls inside it were left out by hand.
    pub const ELIDED_LAST: SliceFlags = SliceFlags(128);
    /// A softirq whose task was switched out in it, as on PREEMPT_RT: what ran in the meantime is not nested in it.
    pub const SUSPENDED: SliceFlags = SliceFlags(256);
    /// A call of a recording in which those that are not the first of their stack may have no caller, either.
    pub const OUTERMOST: SliceFlags = SliceFlags(512);

    /// True where one of its ends is not its own.
    pub fn is_cut(self) -> bool {
        self.0 & (Self::STARTED_BEFORE.0 | Self::CUT_AT_END.0 | Self::HAS_GAP.0) != 0
    }

    /// A run of a task that no record begins, while another task was seen on its CPU before.
    pub const BEGINS_UNSEEN: SliceFlags = SliceFlags(Self::STARTED_BEFORE.0 | Self::HAS_GAP.0);
    /// A run between two tasks without a record of a switch: either of them had the CPU, or others, or none.
    pub const UNSEEN_RUN: SliceFlags = SliceFlags(Self::BEGINS_UNSEEN.0 | Self::CUT_AT_END.0);

    /// True where it has each of the flags.
    pub fn has_all(self, flags: SliceFlags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// True of a call at `depth` without a recorded caller, where none was left out.
    pub fn is_outermost(self, depth: impl Into<i32>) -> bool {
        depth.into() == 0 || self.has(Self::OUTERMOST)
    }

    pub fn with(self, flag: SliceFlags) -> SliceFlags {
        SliceFlags(self.0 | flag.0)
    }

    pub fn has(self, flag: SliceFlags) -> bool {
        self.0 & flag.0 != 0
    }
}

/// An interval [start, start + duration) on the lane (kind, cpu, depth). Tasks and names are indices
/// that [`Emit`] handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice<'a> {
    pub kind: SliceKind,
    pub start_ns: Ns,
    pub duration_ns: Ns,
    /// The duration without what is nested in it.
    pub self_ns: Ns,
    pub cpu: u16,
    pub task: Option<u32>,
    pub symbol: Option<u32>,
    pub depth: u16,
    /// For calls: their number in the order of opening, and that of the caller.
    pub id: Option<u32>,
    pub parent: Option<u32>,
    pub flags: SliceFlags,
    pub args: &'a [u8],
    pub retval: &'a [u8],
}

impl Slice<'_> {
    /// A slice without nested ones, names or specials.
    pub fn new(kind: SliceKind, cpu: u16, start_ns: Ns, end_ns: Ns) -> Self {
        let duration_ns = start_ns.until(end_ns);
        Self {
            kind,
            start_ns,
            duration_ns,
            self_ns: duration_ns,
            cpu,
            task: None,
            symbol: None,
            depth: 0,
            id: None,
            parent: None,
            flags: SliceFlags::default(),
            args: b"",
            retval: b"",
        }
    }

    pub fn end_ns(&self) -> Ns {
        self.start_ns + self.duration_ns
    }
}

/// A counter's value from `t_ns` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterChange {
    pub counter: CounterName,
    pub t_ns: Ns,
    pub cpu: u16,
    pub value: i64,
}

/// A counter by the name and the unit that people see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterName {
    pub name: &'static str,
    pub unit: Option<&'static str>,
}

/// Receives what analyses find.
pub trait Emit {
    /// The index of a task that an event's arguments name. `None` where the limit of tasks is reached
    /// by one that says neither pid nor comm.
    fn task(&mut self, cpu: u16, task: TaskRef<'_>) -> Result<Option<u32>, ReadError>;
    /// A task was seen with this priority, as the kernel counts them.
    fn priority(&mut self, task: u32, prio: i32);
    /// The index of a name on slices.
    fn symbol(&mut self, name: &[u8]) -> Result<u32, ReadError>;
    fn slice(&mut self, slice: &Slice<'_>) -> Result<(), ReadError>;
    fn counter(&mut self, change: &CounterChange) -> Result<(), ReadError>;
    fn sample(&mut self, sample: &Sample) -> Result<(), ReadError>;
    /// Something of this kind that began or ended, and gives no number.
    fn incomplete(&mut self, kind: &'static LatencyKind, reason: IncompleteReason);
    /// How many of this kind are stated to have been measured without their values.
    fn not_listed(&mut self, kind: &'static LatencyKind, count: i64);
    /// A problem with the event that is being looked at.
    fn diagnostic(&mut self, code: Code) -> Result<(), ReadError>;
}
