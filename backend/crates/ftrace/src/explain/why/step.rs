//! What becomes of a task, event by event.

use crate::explain::surroundings::Seen;

/// What becomes of a task.
#[derive(Clone, Copy)]
pub struct Step<'s, 'a> {
    pub change: Change,
    pub event: &'s Seen<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It wants no CPU from now on.
    Blocks,
    Preempted,
    Woken,
    Runs,
}

impl Step<'_, '_> {
    /// True for a task that gave its CPU to the idle task in a state in which it could go on. If nobody wakes it before it
    /// runs again, it was throttled: an old tool prints idle threads of the kernel so, which sleep until a waking.
    pub fn is_runnable_for_idle(&self) -> bool {
        let switch = || self.event.switch().is_some_and(|switch| switch.prev_is_runnable());
        self.change == Change::Blocks && switch()
    }
}
