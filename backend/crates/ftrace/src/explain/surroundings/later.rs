//! The events after a case that say what was going on on each CPU as it ended.

use hashbrown::HashMap;

use super::{Events, Recorded, Seen};
use crate::events::Role;

/// How much is looked at behind a case, and kept of each CPU.
const MAX_LATER_ROWS: usize = 4_096;
const MAX_LATER_OF_CPU: usize = 8;

impl<'a> Recorded<'a> {
    /// The next events of each CPU behind a case, up to the expiry of a timer: a timer that was due in the case may have
    /// expired long after it. In the order of the trace.
    pub(super) fn after(&self, blocks: &[&Events<'a>], end_ns: i64) -> Vec<Seen<'a>> {
        let mut left: HashMap<i16, usize> = HashMap::new();
        // How many CPUs that run tasks have events left that say something; of all others, there may be none at all.
        let mut open = self.switched_cpus.len();
        let mut later = Vec::new();
        let rows = blocks.iter().filter(|block| block.last_ns > end_ns).flat_map(|of_block| {
            let rows = of_block.rows(end_ns.saturating_add(1), i64::MAX);
            rows.map(move |row| (&of_block.columns, row))
        });
        for (block, row) in rows.take(MAX_LATER_ROWS) {
            let is_later = block.t_ns.get(row).is_some_and(|t_ns| *t_ns > end_ns);
            let Some(cpu) = block.cpu.get(row).filter(|_| is_later && !block.is_repeated(row)) else {
                continue;
            };
            let left = left.entry(*cpu).or_insert(MAX_LATER_OF_CPU);
            if *left == 0 {
                continue;
            }
            let event = self.event(block, row);
            let is_expiry = event.as_ref().is_some_and(|event| event.role == Some(Role::HrtimerExpireEntry));
            *left = if is_expiry { 0 } else { left.saturating_sub(1) };
            later.extend(event);
            if *left == 0 && self.switched_cpus.contains(cpu) {
                open = open.saturating_sub(1);
                if open == 0 {
                    break;
                }
            }
        }
        later
    }
}
