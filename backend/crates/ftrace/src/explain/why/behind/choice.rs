//! What the scheduler chose to run on a CPU while a task was in the queue of it.

use super::Queue;
use crate::explain::blame::Held;
use crate::explain::surroundings::Seen;
use crate::explain::why::interrupt::ON_ITS_WAY_NS;
use crate::explain::why::resched::is_asked;

impl Queue<'_, '_, '_> {
    /// The scheduler had the choice while the task waited in the queue of this very CPU, and took something less
    /// important: then it was not allowed to run.
    pub(super) fn is_passed_over(&self, held: &Held<'_>) -> bool {
        let is_here = || self.waiter.is_queued_on(self.scene, self.leg.cpu);
        let has_looked = || self.has_chosen(held) || self.has_kept(held);
        self.is_throttled_at(held.start_ns) || is_here() && has_looked()
    }

    /// The CPU was asked to switch after the task came into a queue, and is asked no longer, without a switch: the
    /// scheduler chose the one that ran.
    pub(super) fn has_kept(&self, held: &Held<'_>) -> bool {
        let Some((from_ns, from_seq)) = self.queued() else { return false };
        let before = self.scene.events(self.leg.cpu, from_ns, held.start_ns.saturating_add(1));
        let asks = |event: &&&Seen<'_>| Some(event.seq) >= from_seq && is_asked(event) == Some(true);
        let Some(last) = before.iter().rfind(asks) else { return false };
        let later = self.scene.events(self.leg.cpu, last.t_ns, self.leg.end_ns);
        let next = later.iter().find(|event| event.seq > last.seq);
        next.is_some_and(|event| event.switch().is_none() && is_asked(event) == Some(false))
    }

    /// The CPU of the leg has switched from one task to another while the task was in some queue.
    pub(super) fn has_chosen(&self, held: &Held<'_>) -> bool {
        let Some((from_ns, from_seq)) = self.queued() else { return false };
        let events = self.scene.events(self.leg.cpu, from_ns.max(self.leg.start_ns), held.start_ns);
        let chosen = events.iter().rfind(|event| event.switch().is_some());
        // The switch that takes the CPU from the waiting task itself is the choice of another, too.
        chosen.is_some_and(|event| {
            let switch = event.switch();
            Some(event.seq) != from_seq && switch.is_some_and(|switch| switch.prev.pid != self.waiter.pid)
        })
    }

    /// When the task was put into a queue, and the event that says so. What woke it may lie before the events that are
    /// looked at; then it was in a queue from the beginning on.
    pub(super) fn queued(&self) -> Option<(i64, Option<i64>)> {
        let is_before = self.waiter.since.is_none() && self.scene.tells_wakings;
        let queued = self.waiter.queued.map(|queued| (queued.t_ns, Some(queued.seq)));
        queued.or_else(|| is_before.then_some((self.leg.start_ns, None)))
    }

    /// Where events are missing, the task may have run, or waited elsewhere. Where no wakings are recorded, one that was
    /// passed over may have slept: its state as it left its CPU may have been about something else (PREEMPT_RT).
    pub(super) fn is_known_to_wait(&self, held: &Held<'_>) -> bool {
        let is_told = self.scene.tells_wakings || self.is_throttled_at(held.start_ns);
        is_told && !self.scene.around.has_losses(self.leg.start_ns, held.end_ns)
    }

    pub(super) fn is_throttled_at(&self, t_ns: i64) -> bool {
        self.throttled.is_some_and(|(from_ns, until_ns)| from_ns <= t_ns && t_ns < until_ns)
    }

    pub(super) fn may_be_throttled(&self, held: &Held<'_>) -> bool {
        self.waiter.may_be_throttled(self.scene, held.start_ns) && self.is_known_to_wait(held)
    }

    /// An event of the CPU, in the middle of it, does not ask for a switch: the scheduler has looked, and kept the task.
    pub(super) fn is_kept(&self, held: &Held<'_>) -> bool {
        let Some((from_ns, from_seq)) = self.queued() else { return false };
        let until_ns = held.end_ns.saturating_sub(ON_ITS_WAY_NS);
        let inside = self.scene.events(self.leg.cpu, held.start_ns.max(from_ns), until_ns);
        inside.iter().any(|event| {
            Some(event.seq) > from_seq && event.switch().is_none() && is_asked(event) == Some(false)
        })
    }
}
