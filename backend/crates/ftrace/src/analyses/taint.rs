//! Which intervals reach across a loss, or across time that a task spent where nothing is recorded.

use std::collections::{BTreeMap, BTreeSet};

use super::strays::Strays;
use super::{Event, Gap, IncompleteReason, LossKind};
use crate::model::Ns;

/// CPUs of which events were lost, each with the number of its last loss.
#[derive(Default)]
pub struct Taint {
    cpus: BTreeMap<u16, u64>,
    loss_count: u64,
    /// CPUs of which nothing can be read at present.
    unreadable: BTreeSet<u16>,
    /// When the last of them became readable again.
    readable_since_ns: Option<Ns>,
    strays: Strays,
}

/// A moment in the order of the file, to ask later what was lost since.
#[derive(Clone, Copy, Debug)]
pub struct Mark(u64);

impl Taint {
    /// Takes note of a loss; an unreadable CPU stays so until its next event.
    pub fn gap(&mut self, Gap { cpu, kind, .. }: Gap) {
        self.loss_count = self.loss_count.saturating_add(1);
        self.cpus.insert(cpu, self.loss_count);
        if kind == LossKind::Unreadable {
            self.unreadable.insert(cpu);
        }
    }

    /// Takes note of `event`, and that it could be read.
    pub fn see(&mut self, event: &Event<'_>) {
        self.strays.event(event);
        if !self.unreadable.is_empty() && self.unreadable.remove(&event.cpu) {
            self.readable_since_ns = Some(event.t_ns);
        }
    }

    /// True where a task that waited since `start_ns` may have run on a CPU that cannot be read.
    fn may_have_run_unseen(&self, start_ns: Ns) -> bool {
        !self.unreadable.is_empty() || self.readable_since_ns.is_some_and(|since_ns| start_ns < since_ns)
    }

    /// Why an interval of a task cannot be measured: events of the CPU of `end` were lost after `start_ns`, or what the
    /// task did cannot be read or was not recorded.
    pub fn reaches(&self, pid: i32, start_ns: Ns, end: &Event<'_>) -> Option<IncompleteReason> {
        let is_lost = start_ns < end.known_since_ns && self.cpus.contains_key(&end.cpu);
        if is_lost || self.may_have_run_unseen(start_ns) {
            return Some(IncompleteReason::LostEvents);
        }
        self.strays.was_away(pid, start_ns).then_some(IncompleteReason::Unrecorded)
    }

    /// Why an interval cannot be measured whose two ends are known. What the kernel lost on a third CPU may
    /// hide that a task ran there for a while, but says nothing of the ends; where a CPU cannot be read, the
    /// task may have gone on there, and what looks like the end be another one.
    pub fn incomplete_between(
        &self,
        since: Mark,
        pid: i32,
        (start_cpu, start_ns): (u16, Ns),
        end: &Event<'_>,
    ) -> Option<IncompleteReason> {
        if self.is_lost_since(since, end.cpu) || self.is_lost_since(since, start_cpu) {
            return Some(IncompleteReason::LostEvents);
        }
        let is_backwards = || (end.t_ns < start_ns).then_some(IncompleteReason::OutOfOrder);
        self.reaches(pid, start_ns, end).or_else(is_backwards)
    }

    /// The present moment, for [`Self::is_lost_since`].
    pub fn mark(&self) -> Mark {
        Mark(self.loss_count)
    }

    /// True where events of `cpu` were lost since.
    pub fn is_lost_since(&self, mark: Mark, cpu: u16) -> bool {
        self.cpus.get(&cpu).is_some_and(|loss| *loss > mark.0)
    }
}
