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
    /// Of a running task, by the kernel's priorities: the smaller number is the more important task. All deadline tasks have
    /// the same number, and the one whose deadline comes first runs (kernel/sched/deadline.c).
    pub fn of(running: i32, waiting: i32) -> Self {
        match () {
            () if is_fair(running) && is_fair(waiting) => Self::Fair,
            () if running < waiting || (is_deadline(running) && is_deadline(waiting)) => Self::Higher,
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

/// True for the priorities of the fair classes (`SCHED_OTHER`, `SCHED_BATCH`, `SCHED_IDLE`).
pub fn is_fair(prio: i32) -> bool {
    prio >= FIRST_FAIR_PRIO
}

/// True for the one priority of all deadline tasks.
fn is_deadline(prio: i32) -> bool {
    prio < 0
}

/// True for real-time priorities, which are neither those of deadline tasks nor of fair ones.
pub fn is_real_time(prio: i32) -> bool {
    (0..FIRST_FAIR_PRIO).contains(&prio)
}

/// The kernel's priority of a task at the end of a stretch, where it had another one at the start, which was not lent:
/// somebody set it in between.
pub fn changed_to(scene: &Scene<'_, '_>, task_idx: i32, (start_ns, end_ns): (i64, i64)) -> Option<i32> {
    let pid = scene.pid(task_idx)?;
    let is_lent = [start_ns, end_ns].iter().any(|t_ns| scene.prio_before_boost(pid, *t_ns).is_some());
    let (first, last) = (scene.prio(task_idx, start_ns)?, scene.prio(task_idx, end_ns)?);
    (first != last && !is_lent).then_some(last)
}

/// What a task's own priority is at a time at which it has a higher one lent, by its changes for locks, from what to what, in
/// order. Those that wait for each other's locks lend it one after the other.
pub fn before_boost(boosts: &[(i64, i32, i32)], t_ns: i64) -> Option<i32> {
    let (before, after) = boosts.split_at_checked(boosts.partition_point(|(at_ns, ..)| *at_ns <= t_ns))?;
    let mut own: Option<i32> = None;
    for (_, old, new) in before {
        own = match own {
            Some(own) if *new >= own => None,
            None if new < old => Some(*old),
            own => own,
        };
    }
    // Without its beginning, its end shows it, down to the last step.
    let back = after.iter().take_while(|(_, old, new)| before.is_empty() && old < new).last();
    own.or(back.map(|(.., new)| *new))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_earlier_deadline_comes_first() {
        assert_eq!(Rank::of(-1, -1), Rank::Higher);
        assert_eq!(Rank::of(-1, 19), Rank::Higher);
        assert_eq!(Rank::of(19, -1), Rank::Lower);
        assert_eq!(Rank::of(19, 19), Rank::Equal);
    }

    proptest! {
        /// However often it is lent a higher one before it has its own again, its own is what it began with.
        #[test]
        fn the_own_priority_outlasts_all_that_is_lent(
            own in 90..120_i32,
            lent in prop::collection::vec(0..90_i32, 1..6),
            seen in 0..6_usize,
            begins in any::<bool>(),
        ) {
            let mut steps: Vec<i32> = lent;
            // More and more important, and back by the same steps.
            steps.sort_unstable_by(|one, other| other.cmp(one));
            steps.dedup();
            let up: Vec<i32> = std::iter::once(own).chain(steps).collect();
            let all: Vec<i32> = up.iter().chain(up.iter().rev().skip(1)).copied().collect();
            let changes: Vec<(i64, i32, i32)> = (0_i64..)
                .zip(all.iter().zip(all.iter().skip(1)))
                .map(|(number, (old, new))| (number * 10, *old, *new))
                .collect();
            let peak = up.len() - 1;
            let known = if begins { &changes[..] } else { &changes[peak..] };
            let first_ns = known[0].0 - 5;
            let t_ns = if begins { 10 * i64::try_from(seen % peak).unwrap() } else { first_ns };
            prop_assert_eq!(before_boost(known, t_ns), Some(own));
            prop_assert_eq!(before_boost(known, i64::MAX), None);
        }
    }
}
