//! Which intervals reach across a loss.

use std::collections::BTreeMap;

use super::{Event, IncompleteReason};

/// CPUs of which events were lost, each with the number of its last loss.
#[derive(Default)]
pub struct Taint {
    cpus: BTreeMap<u16, u64>,
    loss_count: u64,
}

/// A moment in the order of the file, to ask later what was lost since.
#[derive(Clone, Copy, Debug)]
pub struct Mark(u64);

impl Taint {
    pub fn gap(&mut self, cpu: u16) {
        self.loss_count = self.loss_count.saturating_add(1);
        self.cpus.insert(cpu, self.loss_count);
    }

    /// True where events of the CPU of `end` were lost after `start_ns`.
    pub fn reaches(&self, start_ns: i64, end: &Event<'_>) -> bool {
        start_ns < end.known_since_ns && self.cpus.contains_key(&end.cpu)
    }

    /// Why an interval cannot be measured whose two ends are known. What a third CPU lost may hide that a
    /// task ran there for a while, but says nothing of the ends.
    pub fn incomplete_between(
        &self,
        since: Mark,
        start_cpu: u16,
        start_ns: i64,
        end: &Event<'_>,
    ) -> Option<IncompleteReason> {
        let is_lost = self.reaches(start_ns, end)
            || self.is_lost_since(since, end.cpu)
            || self.is_lost_since(since, start_cpu);
        let is_backwards = (end.t_ns < start_ns).then_some(IncompleteReason::OutOfOrder);
        if is_lost { Some(IncompleteReason::LostEvents) } else { is_backwards }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.loss_count)
    }

    /// True where events of `cpu` were lost since.
    pub fn is_lost_since(&self, mark: Mark, cpu: u16) -> bool {
        self.cpus.get(&cpu).is_some_and(|loss| *loss > mark.0)
    }
}
