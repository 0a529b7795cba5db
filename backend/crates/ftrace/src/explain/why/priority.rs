//! How a task that has a CPU compares with one that wants it.

use super::mechanism::Mechanism;
use super::scene::Scene;

/// Priorities from here on are those of the fair class, which the kernel calls normal.
pub const FIRST_FAIR_PRIO: i32 = 100;

/// What a task is to another one that waits for its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    Higher,
    /// First come, first served, or round robin.
    Equal,
    /// Both are in the fair class.
    Fair,
    Lower,
}

impl Rank {
    /// Of a running task, by the kernel's priorities: the smaller number is the more important task.
    pub fn of(running: i32, waiting: i32) -> Self {
        match () {
            () if is_fair(running) && is_fair(waiting) => Self::Fair,
            () if running < waiting => Self::Higher,
            () if running == waiting => Self::Equal,
            () => Self::Lower,
        }
    }

    /// The mechanism where the running task kept the CPU by its priority; `None` where it did not.
    pub fn mechanism(self) -> Option<Mechanism> {
        match self {
            Self::Higher => Some(Mechanism::HigherPriority),
            Self::Equal => Some(Mechanism::EqualPriority),
            Self::Fair => Some(Mechanism::FairShare),
            Self::Lower => None,
        }
    }
}

pub fn is_fair(prio: i32) -> bool {
    prio >= FIRST_FAIR_PRIO
}

/// True for real-time priorities, which are neither those of deadline tasks nor of fair ones.
pub fn is_real_time(prio: i32) -> bool {
    (0..FIRST_FAIR_PRIO).contains(&prio)
}

/// The kernel's priority of a task at the end of a stretch, where it had another one at the start and nobody lent it:
/// somebody set it meanwhile.
pub fn changed_to(scene: &Scene<'_, '_>, task_idx: i32, (start_ns, end_ns): (i64, i64)) -> Option<i32> {
    let pid = scene.pid(task_idx)?;
    let is_lent = [start_ns, end_ns].iter().any(|t_ns| scene.prio_before_boost(pid, *t_ns).is_some());
    let (first, last) = (scene.prio(task_idx, start_ns)?, scene.prio(task_idx, end_ns)?);
    (first != last && !is_lent).then_some(last)
}
