//! What a chain does not know, and the events that would have shown it.

use crate::explain::surroundings::Surroundings;
use crate::explain::why::{Certainty, Link, Mechanism, Subject};

/// Something that a link of a chain does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// What ran on a CPU.
    WhatRan,
    /// The same, though switches are recorded: events were lost.
    Lost,
    /// Why a task was in the way: what it was worth.
    Priorities,
    /// Whether a task was in the kernel, where interrupts can be off.
    Mode,
    /// Which section had interrupts off.
    IrqsOffSection,
    /// Which section had preemption off.
    PreemptOffSection,
    /// Which interrupt or softirq ran.
    Interrupts,
    /// Whether a CPU ran at all.
    Ticks,
    /// Who woke a sleeper.
    Waker,
}

const SWITCH: &[&str] = &["sched_switch"];
const PRIORITIES: &[&str] = &["sched_switch", "sched_waking"];
const MODE: &[&str] = &["sys_enter", "sys_exit"];
const IRQS_OFF: &[&str] = &["irq_disable", "irq_enable"];
const PREEMPT_OFF: &[&str] = &["preempt_disable", "preempt_enable"];
const INTERRUPTS: &[&str] = &["irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit"];
const TICKS: &[&str] = &["hrtimer_start", "hrtimer_expire_entry"];
const WAKER: &[&str] = &["sched_waking", "sched_wakeup"];

impl Gap {
    /// `None` where a link lacks nothing, or no other event would add anything.
    pub fn of(link: &Link<'_>, around: &Surroundings<'_, '_>) -> Option<Self> {
        let is_inferred = link.certainty == Certainty::Inferred;
        let is_about_task = matches!(link.subject, Some(Subject::Task(_)));
        let may_be_still = link.also.contains(&Mechanism::Stall);
        let is_of_unknown_interrupt =
            matches!(link.subject, Some(Subject::Interrupt(-1) | Subject::Softirq(-1)));
        let candidates: &[Self] = match link.mechanism {
            // What is recorded, and left out, no other recording would show better.
            Mechanism::Unknown if link.is_unseen => &[],
            Mechanism::Unknown if is_about_task => &[Self::Priorities],
            Mechanism::Unknown => &[Self::WhatRan, Self::Lost],
            Mechanism::IrqsOff if is_inferred && matches!(link.subject, Some(Subject::Cpu(_))) => {
                &[Self::WhatRan, Self::IrqsOffSection]
            }
            Mechanism::IrqsOff if is_inferred && may_be_still => &[Self::Mode, Self::IrqsOffSection],
            Mechanism::IrqsOff if is_inferred => &[Self::IrqsOffSection],
            Mechanism::NotPreemptible | Mechanism::OtherInterrupt if is_of_unknown_interrupt => {
                &[Self::Interrupts, Self::Ticks]
            }
            Mechanism::NotPreemptible if is_inferred && may_be_still => {
                &[Self::Ticks, Self::PreemptOffSection]
            }
            Mechanism::FairShare if may_be_still => &[Self::Ticks],
            Mechanism::NotPreemptible if is_inferred => &[Self::PreemptOffSection],
            Mechanism::WaitsFor if is_inferred && link.subject.is_none() => &[Self::Waker],
            _ => &[],
        };
        candidates.iter().copied().find(|gap| gap.is_open(link, around))
    }

    fn is_open(self, link: &Link<'_>, around: &Surroundings<'_, '_>) -> bool {
        match self {
            Self::Lost => around.losses(link.cpu).next().is_some(),
            _ => self.missing().iter().any(|event| !around.records(event)),
        }
    }

    fn missing(self) -> &'static [&'static str] {
        match self {
            Self::WhatRan => SWITCH,
            Self::Lost => &[],
            Self::Priorities => PRIORITIES,
            Self::Mode => MODE,
            Self::IrqsOffSection => IRQS_OFF,
            Self::PreemptOffSection => PREEMPT_OFF,
            Self::Interrupts => INTERRUPTS,
            Self::Ticks => TICKS,
            Self::Waker => WAKER,
        }
    }

    /// The events that show it. Where the mode of a task is open, the section answers it, too, where the kernel has
    /// such events.
    pub fn events(self) -> impl Iterator<Item = &'static str> {
        let section: &[&str] = if self == Self::Mode { IRQS_OFF } else { &[] };
        self.missing().iter().chain(section).copied()
    }

    /// What is unknown, and what will show it.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::WhatRan => "No record says what ran: sched_switch was not recorded.",
            Self::Lost => "Events of this CPU were lost: a larger buffer keeps them.",
            Self::Priorities => {
                "No record says what the priorities were: sched_switch and sched_waking state them."
            }
            Self::Mode => {
                "No record says whether the task was in the kernel, which alone can switch interrupts off: \
                 system calls tell it. irq_disable and irq_enable name the section, on kernels with \
                 CONFIG_IRQSOFF_TRACER; others ignore them (-i)."
            }
            Self::IrqsOffSection => {
                "No record says where interrupts were off: irq_disable and irq_enable name the section, on \
                 kernels with CONFIG_IRQSOFF_TRACER; others ignore them (-i)."
            }
            Self::PreemptOffSection => {
                "No record says where preemption was off: preempt_disable and preempt_enable name the \
                 section, on kernels with CONFIG_PREEMPT_TRACER; others ignore them (-i)."
            }
            Self::Interrupts => {
                "No record says which interrupt or softirq ran: their entries and exits name it."
            }
            Self::Ticks => {
                "No record says whether the CPU ran at all: the handlers of timers, which come with each tick, \
                 show it."
            }
            Self::Waker => "No record says who woke the task: sched_waking names the waker.",
        }
    }
}
