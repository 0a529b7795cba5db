//! The events before a case that say what was happening when it began.

use hashbrown::HashMap;

use super::{Events, Recorded, Seen, Surroundings};
use crate::events::Role;

/// How much is looked at before a case, and kept of each CPU.
const MAX_EARLIER_ROWS: usize = 4_096;
const MAX_EARLIER_OF_CPU: usize = 48;
/// The same for a task, whose last events may be older.
const MAX_EARLIER_OF_TASK: usize = 16;

/// The events before a case, in the order of the trace.
pub(super) struct Earlier<'a> {
    /// The last ones, of each CPU enough to say what it was doing.
    pub last: Vec<Seen<'a>>,
    /// Starts and expiries of timers before those.
    pub timers: Vec<Seen<'a>>,
}

impl<'a> Recorded<'a> {
    pub(super) fn before(&self, blocks: &[&Events<'a>], start_ns: i64) -> Earlier<'a> {
        let mut of_cpu: HashMap<i16, usize> = HashMap::new();
        let (mut last, mut timers) = (Vec::new(), Vec::new());
        let mut looked_at = 0_usize;
        for of_block in blocks.iter().rev().filter(|block| block.first_ns < start_ns) {
            let block = &of_block.columns;
            for row in of_block.rows(i64::MIN, start_ns.saturating_sub(1)).rev() {
                if looked_at >= MAX_EARLIER_ROWS {
                    break;
                }
                let is_earlier = block.t_ns.get(row).is_some_and(|t_ns| *t_ns < start_ns);
                if !is_earlier || block.is_repeated(row) {
                    continue;
                }
                looked_at = looked_at.saturating_add(1);
                let Some(cpu) = block.cpu.get(row) else { continue };
                let count = of_cpu.entry(*cpu).or_default();
                *count = count.saturating_add(1);
                match *count {
                    ..=MAX_EARLIER_OF_CPU => last.extend(self.event(block, row)),
                    _ => timers.extend(self.event(block, row).filter(is_of_timer)),
                }
            }
        }
        last.reverse();
        timers.reverse();
        Earlier { last, timers }
    }
}

fn is_of_timer(event: &Seen<'_>) -> bool {
    matches!(event.role, Some(Role::HrtimerStart | Role::HrtimerExpireEntry))
}

impl<'a> Surroundings<'_, 'a> {
    /// The last events of a task before those that are looked at, which may lie longer ago than those of its CPU; the
    /// latest first.
    pub fn earlier_of(&self, task_idx: i32) -> impl Iterator<Item = Seen<'a>> {
        let (start_ns, _) = self.reach;
        let blocks = self.blocks.iter().rev().filter(move |block| block.first_ns < start_ns);
        let earlier = blocks.flat_map(move |of_block| {
            let block = &of_block.columns;
            let rows = of_block.rows(i64::MIN, start_ns.saturating_sub(1)).rev();
            let is_of_task = move |row: &usize| block.task_idx.get(*row) == Some(&task_idx);
            rows.filter(move |row| is_of_task(row) && !block.is_repeated(*row))
                .filter_map(move |row| self.recorded.event(block, row))
        });
        earlier.filter(move |event| event.t_ns < start_ns).take(MAX_EARLIER_OF_TASK)
    }
}
