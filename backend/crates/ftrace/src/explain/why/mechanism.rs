//! The closed list of reasons for which something takes longer (docs/why.md).

/// Why a stretch of a case went by, and what would have ended it sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mechanism {
    IrqsOff,
    IdleExit,
    ArmedLate,
    OtherInterrupt,
    Stall,
    Handler,
    Deferred,
    HigherPriority,
    EqualPriority,
    FairShare,
    NotPreemptible,
    WrongCpu,
    Ipi,
    Migration,
    Throttled,
    WaitsFor,
    KernelExit,
    /// The CPU ran at less than its highest frequency.
    SlowClock,
    /// What the task of the case did itself.
    OwnWork,
    Unknown,
}

impl Mechanism {
    /// The stable name that the API shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::IrqsOff => "irqs_off",
            Self::IdleExit => "idle_exit",
            Self::ArmedLate => "armed_late",
            Self::OtherInterrupt => "other_interrupt",
            Self::Stall => "stall",
            Self::Handler => "handler",
            Self::Deferred => "deferred",
            Self::HigherPriority => "higher_priority",
            Self::EqualPriority => "equal_priority",
            Self::FairShare => "fair_share",
            Self::NotPreemptible => "not_preemptible",
            Self::WrongCpu => "wrong_cpu",
            Self::Ipi => "ipi",
            Self::Migration => "migration",
            Self::Throttled => "throttled",
            Self::WaitsFor => "waits_for",
            Self::KernelExit => "kernel_exit",
            Self::SlowClock => "slow_clock",
            Self::OwnWork => "own_work",
            Self::Unknown => "unknown",
        }
    }

    /// True where the CPU executed something, which takes longer at a low frequency.
    pub fn is_execution(self) -> bool {
        !matches!(
            self,
            Self::IdleExit | Self::ArmedLate | Self::Stall | Self::WaitsFor | Self::Unknown | Self::Throttled
        )
    }

    /// True where the mechanism is a task that had the CPU.
    pub fn is_of_task(self) -> bool {
        matches!(self, Self::HigherPriority | Self::EqualPriority | Self::FairShare | Self::NotPreemptible)
    }
}

/// How a link was concluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Events state both ends.
    Recorded,
    /// It held at least within the bounds.
    Bounded,
    /// From a consequence, or by exclusion.
    Inferred,
}

impl Certainty {
    /// The stable name that the API shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Bounded => "bounded",
            Self::Inferred => "inferred",
        }
    }
}
