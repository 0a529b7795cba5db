//! Why something else had the CPU, judged only by priorities, without looking at single events.

use crate::analyses::Cause;
use crate::explain::FIRST_FAIR_PRIO;

/// A mechanism, of which most are those of chains ([`explain::why`](crate::explain::why)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mechanism {
    HigherPriority,
    EqualPriority,
    FairShare,
    /// A less important task, or a section with preemption or interrupts off, while a task waited.
    NotPreemptible,
    IrqsOff,
    Interrupt,
    Softirq,
    IdleExit,
    Stall,
    OwnWork,
    Unknown,
}

impl Mechanism {
    /// The stable name that the API shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::HigherPriority => "higher_priority",
            Self::EqualPriority => "equal_priority",
            Self::FairShare => "fair_share",
            Self::NotPreemptible => "not_preemptible",
            Self::IrqsOff => "irqs_off",
            Self::Interrupt => "interrupt",
            Self::Softirq => "softirq",
            Self::IdleExit => "idle_exit",
            Self::Stall => "stall",
            Self::OwnWork => "own_work",
            Self::Unknown => "unknown",
        }
    }

    /// Of what had a CPU, and the priority of its task; `waits` is the task that waited for the CPU meanwhile: its
    /// priority, where it is known.
    pub fn of(cause: Cause, prio: Option<i16>, waits: Option<Option<i16>>) -> Self {
        match cause {
            Cause::Nmi | Cause::Irq => Self::Interrupt,
            Cause::Softirq => Self::Softirq,
            Cause::Gap => Self::Stall,
            Cause::Idle => Self::IdleExit,
            Cause::Itself => Self::OwnWork,
            Cause::Unknown => Self::Unknown,
            Cause::Irqsoff | Cause::Preemptoff if waits.is_some() => Self::NotPreemptible,
            Cause::Irqsoff => Self::IrqsOff,
            Cause::Preemptoff => Self::Unknown,
            Cause::Task => match (waits.flatten(), prio) {
                (Some(mine), Some(its)) => Self::of_priorities(mine, its),
                _ => Self::Unknown,
            },
        }
    }

    fn of_priorities(mine: i16, its: i16) -> Self {
        let is_fair = |prio: i16| i32::from(prio) >= FIRST_FAIR_PRIO;
        match its.cmp(&mine) {
            _ if is_fair(mine) && is_fair(its) => Self::FairShare,
            std::cmp::Ordering::Less => Self::HigherPriority,
            std::cmp::Ordering::Equal => Self::EqualPriority,
            std::cmp::Ordering::Greater => Self::NotPreemptible,
        }
    }
}
