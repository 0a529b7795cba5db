//! Threads of the kernel that run softirqs for others, such as `ksoftirqd/2`.

use super::scene::Scene;
use crate::explain::span::Span;
use crate::explain::surroundings::{Seen, Surroundings};
use crate::model::Flags;

/// How their names begin, in the eight characters that a latency tracer prints.
const NAMES: [&str; 4] = ["ksoftirq", "ktimers/", "ktimerso", "sirq-"];

/// True for a task in which the kernel runs softirqs.
pub fn is_carrier(around: &Surroundings<'_, '_>, task_idx: i32) -> bool {
    around.task(task_idx).is_some_and(|task| is_carrier_comm(task.comm.as_bytes()))
}

/// True if tasks of this name run softirqs.
pub fn is_carrier_comm(comm: &[u8]) -> bool {
    NAMES.iter().any(|prefix| comm.starts_with(prefix.as_bytes()))
}

/// True for a thread that runs the softirqs of timers, and has no other one of its CPU beside it for that (PREEMPT_RT).
pub fn is_for_timers(around: &Surroundings<'_, '_>, task_idx: i32) -> bool {
    around.task(task_idx).is_some_and(|task| task.comm.starts_with("ktimers"))
}

/// True for a softirq that ran in a task of its own.
pub fn has_carrier(scene: &Scene<'_, '_>, soft: &Span<'_>) -> bool {
    is_carrier(scene.around, soft.task_idx)
}

/// True for an event of a softirq in such a task, by its flags.
pub fn is_in_carrier(scene: &Scene<'_, '_>, event: &Seen<'_>) -> bool {
    let flags = Flags(event.flags.cast_unsigned());
    flags.has(Flags::SOFTIRQ) && !flags.has(Flags::HARDIRQ) && is_carrier(scene.around, event.task_idx)
}
