//! What the blocks hold in which a case lies, beyond the case itself: what is usual, and what is missing.

use std::sync::Arc;

use hashbrown::HashSet;

use super::{Events, Seen, Slices, Surroundings};
use crate::analyses::SliceKind;
use crate::events::{Role, field_number};
use crate::explain::frequency::frequencies_khz;
use crate::explain::why::Usuals;
use crate::store::read::dictionaries::{Loss, Task};

const KTHREADD: i32 = 2;

impl<'r, 'a> Surroundings<'r, 'a> {
    /// True where events in [start, end) are left out, because the case is too long for all of them.
    pub fn is_unseen_between(&self, start_ns: i64, end_ns: i64) -> bool {
        self.unseen.is_some_and(|(from_ns, to_ns)| from_ns < end_ns && start_ns < to_ns)
    }

    /// All tasks of the trace.
    pub fn tasks(&self) -> impl Iterator<Item = (i32, &Task<'a>)> {
        self.recorded.tasks.iter()
    }

    /// The losses of a CPU that last any time, in their order.
    pub fn sorted_losses(&self, cpu: i16) -> Vec<&'r Loss> {
        let mut losses: Vec<_> = self.losses(cpu).filter(|loss| loss.start_ns < loss.end_ns).collect();
        losses.sort_unstable_by_key(|loss| loss.start_ns);
        losses
    }

    /// Losses of this CPU; a loss that may lie anywhere is none of them.
    pub fn losses(&self, cpu: i16) -> impl Iterator<Item = &'r Loss> {
        self.recorded.losses.iter().filter(move |loss| loss.cpu == Some(cpu))
    }

    /// True where events of any CPU are lost in [start, end), or somewhere.
    pub fn has_losses(&self, start_ns: i64, end_ns: i64) -> bool {
        self.recorded.losses.iter().any(|loss| {
            loss.cpu.is_none()
                || (loss.start_ns < end_ns && start_ns < loss.end_ns.max(loss.start_ns.saturating_add(1)))
        })
    }

    /// True where the recording has interrupts, as events of their own or as noise.
    pub fn records_interrupts(&self) -> bool {
        let is_entry = |role: &Role| matches!(role, Role::IrqEntry | Role::VectorEntry(_) | Role::IpiEntry);
        self.recorded.roles.iter().flatten().any(is_entry) || self.records("irq_noise")
    }

    /// All events of the blocks in which the case lies, in the order of the trace.
    pub fn nearby_events(&self) -> impl Iterator<Item = Seen<'a>> {
        let blocks = self.blocks.iter().map(|block| &block.columns);
        blocks.flat_map(|block| (0..block.t_ns.len()).filter_map(|row| self.recorded.event(block, row)))
    }

    /// What is usual in the blocks in which the case lies.
    pub fn usuals(&self) -> Arc<Usuals> {
        self.recorded.usuals.of(self.blocks.iter().map(|block| block.columns.first_seq).collect())
    }

    /// The blocks of slices of a kind in which the case lies, and their places among all.
    pub fn nearby_slice_blocks(&self, kind: SliceKind) -> impl Iterator<Item = (usize, &Slices<'a>)> {
        let is_near = move |(_, block): &(usize, &Slices<'a>)| {
            block.kind == kind && block.touches(self.reach.0, self.reach.1)
        };
        self.recorded.slice_blocks.iter().enumerate().filter(is_near)
    }

    /// The durations of the interrupts, or softirqs, of a symbol in the blocks in which the case lies.
    pub fn nearby_runs(&self, kind: SliceKind, symbol_idx: i32) -> impl Iterator<Item = i64> {
        self.nearby_slice_blocks(kind).flat_map(move |(_, block)| {
            let rows = block.columns.symbol_idx.iter().zip(&block.columns.duration_ns);
            rows.filter(move |(idx, _)| **idx == symbol_idx).map(|(_, duration_ns)| *duration_ns)
        })
    }

    /// The threads of the kernel that were started in the blocks of the case, by pid: all are children of kthreadd.
    pub fn started_kernel_threads(&self) -> HashSet<i32> {
        let mut pids = HashSet::new();
        let Some(fork_idx) = self.recorded.type_idx("sched_process_fork") else { return pids };
        for Events { columns: block, .. } in &self.blocks {
            let rows = (0..block.t_ns.len())
                .filter(|row| block.type_idx.get(*row).copied().map(i32::from) == Some(fork_idx));
            let forks = rows.filter_map(|row| self.recorded.event(block, row));
            let forks = forks.filter(|event| self.pid(event.task_idx) == Some(KTHREADD));
            pids.extend(forks.filter_map(|event| {
                i32::try_from(field_number("sched_process_fork", event.args, "child_pid")?).ok()
            }));
        }
        pids
    }

    /// The frequencies of a CPU that the blocks record, by time.
    pub fn frequencies_khz(&self, cpu: i16) -> Vec<(i64, i64)> {
        frequencies_khz(&self.recorded.counter_blocks, &self.recorded.counters, cpu)
    }
}
