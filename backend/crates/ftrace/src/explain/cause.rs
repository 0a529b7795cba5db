//! What can take time, from the innermost to the outermost.

use super::span::Span;
use super::surroundings::Surroundings;
use crate::analyses::SliceKind;

/// Causes in the order in which they hide each other: the first that is active at an instant is to blame.
///
/// A gap of the hardware stands before everything that would have run in it. An idle state that is
/// recorded stands before sections with interrupts or preemption off, because the kernel goes idle inside
/// of such: what the CPU waits for in them is an interrupt.
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
    Itself,
    Unknown,
}

impl Cause {
    /// The stable name that the API shows.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Nmi => "nmi",
            Cause::Irq => "irq",
            Cause::Softirq => "softirq",
            Cause::Gap => "gap",
            Cause::Idle => "idle",
            Cause::Irqsoff => "irqsoff",
            Cause::Preemptoff => "preemptoff",
            Cause::Task => "task",
            Cause::Itself => "itself",
            Cause::Unknown => "unknown",
        }
    }

    /// What a slice stands for in the case of a task; `None` for calls, which only tell more of it.
    pub fn of(span: &Span<'_>, own_task_idx: Option<i32>, around: &Surroundings<'_, '_>) -> Option<Self> {
        Some(match span.kind {
            SliceKind::Sched if own_task_idx == Some(span.task_idx) => Cause::Itself,
            SliceKind::Sched => Cause::Task,
            SliceKind::Irq => Cause::Irq,
            SliceKind::Softirq => Cause::Softirq,
            SliceKind::Idle => Cause::Idle,
            SliceKind::Irqsoff => Cause::Irqsoff,
            SliceKind::Preemptoff => Cause::Preemptoff,
            SliceKind::Noise => return noise(around.symbol_name(span.symbol_idx)?, span, own_task_idx),
            SliceKind::Call => return None,
        })
    }
}

// `irq local_timer:236`, `softirq RCU:9`, `thread bash-183`, `nmi`, `hardware`
fn noise(name: &str, span: &Span<'_>, own_task_idx: Option<i32>) -> Option<Cause> {
    Some(match name.split(' ').next()? {
        "nmi" => Cause::Nmi,
        "irq" => Cause::Irq,
        "softirq" => Cause::Softirq,
        "hardware" => Cause::Gap,
        "thread" if name.starts_with("thread swapper/") => Cause::Idle,
        "thread" if own_task_idx == Some(span.task_idx) => Cause::Itself,
        "thread" => Cause::Task,
        _ => return None,
    })
}
