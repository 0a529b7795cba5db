//! The kinds of slices: one table of their codes, names and looks.

use super::NoiseLane;
use crate::events::Role;

macro_rules! slice_kinds {
    ($( $variant:ident $code:literal $name:literal $lane:literal $title:literal $colour:literal; )*) => {
        /// What a slice is about: one kind of lane.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum SliceKind { $( $variant, )* }

        impl SliceKind {
            /// Every kind, in the order in which the lanes of a CPU are drawn.
            pub const ALL: &'static [SliceKind] = &[ $( SliceKind::$variant, )* ];

            /// The number that is stored.
            pub const fn code(self) -> i16 { match self { $( SliceKind::$variant => $code, )* } }

            /// The stable name that the API shows: `irqsoff`.
            pub fn name(self) -> &'static str { match self { $( SliceKind::$variant => $name, )* } }

            /// The label of its lane: `irqs off`.
            pub fn lane(self) -> &'static str { match self { $( SliceKind::$variant => $lane, )* } }

            /// What one slice of it is: `Interrupts off`.
            pub fn title(self) -> &'static str { match self { $( SliceKind::$variant => $title, )* } }

            /// What decides on a slice's colour: a colour of the palette by name, or what the slice names (`task`,
            /// `source`, `state`).
            pub fn colour(self) -> &'static str { match self { $( SliceKind::$variant => $colour, )* } }
        }
    };
}

// A code that has been stored once keeps its meaning for ever.
slice_kinds! {
    Sched 1 "sched" "running" "Running task" "task";
    Irq 2 "irq" "irq" "Interrupt" "irq";
    Softirq 3 "softirq" "softirq" "Softirq" "softirq";
    Irqsoff 6 "irqsoff" "irqs off" "Interrupts off" "irqs_off";
    Preemptoff 7 "preemptoff" "preempt off" "Preemption off" "preempt_off";
    Noise 9 "noise" "noise" "Noise reported by the tracer" "source";
    Idle 4 "idle" "idle" "Idle state" "state";
    Call 5 "call" "calls" "Function call" "function";
    Task 10 "task" "task" "State of a task" "task_state";
    Boost 16 "boost" "boosted" "Priority that a task was lent" "boost";
    WakeupArrow 11 "wakeup_arrow" "wakeups" "From a waking to the switch to its task" "arrow";
    TimerArrow 12 "timer_arrow" "timers" "From the start of a timer to its expiry" "arrow";
    SoftirqArrow 13 "softirq_arrow" "softirq raises" "From the raising of a softirq to its handler" "arrow";
    IpiArrow 14 "ipi_arrow" "IPIs" "From the sending of an IPI to its handler" "arrow";
    WorkArrow 15 "work_arrow" "work" "From the queueing of work to its start" "arrow";
}

/// What a task does. A stored slice of the kind `task` has its number as `depth`; running tasks are sched slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskState {
    Running,
    /// Woken, and not yet switched to.
    Runnable,
    /// It lost the CPU, or gave way, and wants it back.
    Preempted,
    Blocked,
}

impl TaskState {
    pub const fn code(self) -> u16 {
        match self {
            Self::Running => 0,
            Self::Runnable => 1,
            Self::Preempted => 2,
            Self::Blocked => 3,
        }
    }
}

impl SliceKind {
    /// The kind that is stored as this number; `None` for one of another version.
    pub fn of_code(code: i16) -> Option<Self> {
        Self::ALL.iter().find(|kind| kind.code() == code).copied()
    }

    /// True where a slice says what an event of one CPU has caused later, perhaps on another. It is on no lane: its
    /// `cpu` and `task` are those of its end, `depth` is the CPU and `parent` the task of its beginning.
    pub const fn is_arrow(self) -> bool {
        matches!(
            self,
            Self::WakeupArrow | Self::TimerArrow | Self::SoftirqArrow | Self::IpiArrow | Self::WorkArrow
        )
    }

    /// True where a CPU has lanes of it, and nothing else does.
    pub const fn is_of_cpu(self) -> bool {
        !matches!(self, Self::Task | Self::Boost) && !self.is_arrow()
    }

    /// The labels of its rows by depth, where depth says what a slice is about; empty where it says how slices nest.
    pub const fn rows(self) -> &'static [&'static str] {
        match self {
            Self::Noise => NoiseLane::ROWS,
            _ => &[],
        }
    }

    /// Whether an event of this role begins slices of the kind; none of those that are not made from single events.
    pub fn begins_with(self, role: Role) -> bool {
        match self {
            Self::Sched => role == Role::SchedSwitch,
            Self::Task => matches!(role, Role::SchedSwitch | Role::SchedWaking | Role::SchedWakeup),
            Self::Irq => matches!(role, Role::IrqEntry | Role::IpiEntry | Role::VectorEntry(_)),
            Self::Softirq => role == Role::SoftirqEntry,
            Self::Irqsoff => role == Role::IrqDisable,
            Self::Preemptoff => role == Role::PreemptDisable,
            Self::Idle => matches!(role, Role::CpuIdle | Role::PowerStart),
            _ => false,
        }
    }

    /// Whether an event of this role ends slices of the kind.
    pub fn ends_with(self, role: Role) -> bool {
        match self {
            Self::Sched | Self::Task => self.begins_with(role),
            Self::Irq => matches!(role, Role::IrqExit | Role::IpiExit | Role::VectorExit(_)),
            Self::Softirq => role == Role::SoftirqExit,
            Self::Irqsoff => role == Role::IrqEnable,
            Self::Preemptoff => role == Role::PreemptEnable,
            Self::Idle => matches!(role, Role::CpuIdle | Role::PowerEnd),
            _ => false,
        }
    }

    /// The kind that the catalog and requests call `name`.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|kind| kind.name() == name).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn kinds_name_the_events_that_begin_and_end_their_slices() {
        let bounds = |kind: SliceKind| {
            (Role::names(|role| kind.begins_with(role)), Role::names(|role| kind.ends_with(role)))
        };
        let (begins, ends) = bounds(SliceKind::Irq);
        assert!(begins.iter().any(|name| name == "local_timer_entry"));
        // A softirq, and the handler of a timer, are none.
        assert!(begins.iter().all(|name| !name.starts_with("softirq") && !name.starts_with("hrtimer")));
        assert_eq!(begins.len(), ends.len());
        assert_eq!(bounds(SliceKind::Preemptoff).1, ["preempt_enable"]);
        assert_eq!(bounds(SliceKind::Noise), (Vec::new(), Vec::new()));
    }

    #[test]
    fn codes_and_names_tell_kinds_apart() {
        let codes: BTreeSet<i16> = SliceKind::ALL.iter().map(|kind| kind.code()).collect();
        let names: BTreeSet<&str> = SliceKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!((codes.len(), names.len()), (SliceKind::ALL.len(), SliceKind::ALL.len()));
        for kind in SliceKind::ALL {
            assert_eq!(SliceKind::of_code(kind.code()), Some(*kind));
            assert_eq!(SliceKind::of_name(kind.name()), Some(*kind));
        }
        assert_eq!((SliceKind::of_code(0), SliceKind::of_name("other")), (None, None));
    }
}
