//! Whose time a slice is in the case of a task.

use super::span::Span;
use super::surroundings::Surroundings;
use crate::analyses::{Cause, SliceKind};

/// `None` for what has no time of its own.
pub fn cause_of(span: &Span<'_>, own_task_idx: Option<i32>, around: &Surroundings<'_, '_>) -> Option<Cause> {
    let cause = Cause::of_slice(span.kind, u16::try_from(span.depth).ok()?, span.flags)?;
    Some(match cause {
        // The tracers also report the idle task when it had the CPU.
        Cause::Task if span.kind == SliceKind::Noise && around.is_idle_task(span.task_idx) => Cause::Idle,
        Cause::Task if own_task_idx == Some(span.task_idx) => Cause::Itself,
        _ => cause,
    })
}
