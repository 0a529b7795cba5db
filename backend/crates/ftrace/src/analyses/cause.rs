//! What can have the time of a CPU, from the innermost to the outermost.

use super::{NoiseLane, SliceFlags, SliceKind};

/// Causes in the order in which they hide each other: the first that is active at an instant has the CPU.
///
/// A gap of the hardware outranks everything that would have run in it. An idle state that is
/// recorded outranks sections with interrupts or preemption off, because the kernel goes idle inside
/// of them: what the CPU waits for in them is an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    Nmi,
    Irq,
    Softirq,
    Gap,
    Idle,
    Irqsoff,
    Preemptoff,
    Task,
    /// The task whose latency is looked at.
    Itself,
    Unknown,
}

impl Cause {
    /// The cause that a slice of this kind shows; `None` for calls, which only add detail to another one.
    pub fn of_slice(kind: SliceKind, depth: u16, flags: SliceFlags) -> Option<Self> {
        Some(match kind {
            // Switches are missing there: who ran is not known.
            SliceKind::Sched if flags.has_all(SliceFlags::UNSEEN_RUN) => Self::Unknown,
            SliceKind::Sched => Self::Task,
            SliceKind::Irq => Self::Irq,
            SliceKind::Softirq => Self::Softirq,
            SliceKind::Idle => Self::Idle,
            SliceKind::Irqsoff => Self::Irqsoff,
            SliceKind::Preemptoff => Self::Preemptoff,
            SliceKind::Task
            | SliceKind::Call
            | SliceKind::Boost
            | SliceKind::WakeupArrow
            | SliceKind::TimerArrow
            | SliceKind::SoftirqArrow
            | SliceKind::IpiArrow
            | SliceKind::WorkArrow => return None,
            SliceKind::Noise => match NoiseLane::of_depth(depth)? {
                NoiseLane::Thread => Self::Task,
                NoiseLane::Hardware => Self::Gap,
                NoiseLane::Softirq => Self::Softirq,
                NoiseLane::Irq => Self::Irq,
                NoiseLane::Nmi => Self::Nmi,
            },
        })
    }

    /// The stable name that the API shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nmi => "nmi",
            Self::Irq => "irq",
            Self::Softirq => "softirq",
            Self::Gap => "gap",
            Self::Idle => "idle",
            Self::Irqsoff => "irqsoff",
            Self::Preemptoff => "preemptoff",
            Self::Task => "task",
            Self::Itself => "itself",
            Self::Unknown => "unknown",
        }
    }
}
