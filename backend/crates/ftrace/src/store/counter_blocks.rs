//! Counter changes on their way into `counter_block`.

use super::event_blocks::BLOCK_RECORDS;
use super::tables::COUNTER_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::ReadError;

/// A counter's new value from `t_ns` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredChange {
    pub t_ns: i64,
    pub counter: i16,
    pub cpu: i16,
    pub value: i64,
}

/// The block that is being filled.
#[derive(Default)]
pub struct CounterBlocks {
    block: i32,
    times: TimeAxis,
    changes: Vec<StoredChange>,
}

impl CounterBlocks {
    pub fn push(&mut self, change: StoredChange, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.changes.len() >= BLOCK_RECORDS || !self.times.push(change.t_ns, change.t_ns) {
            self.flush(writer)?;
            self.times.push(change.t_ns, change.t_ns);
        }
        self.changes.push(change);
        Ok(())
    }

    /// Writes the block out, if there is anything in it.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let count = i32::try_from(self.changes.len()).unwrap_or(i32::MAX);
        writer.row(&COUNTER_BLOCK, |row| {
            row.int(self.block).int(self.times.t0()).int(self.times.t1()).int(count).ints(self.times.dt());
            row.ints(self.changes.iter().map(|change| change.counter));
            row.ints(self.changes.iter().map(|change| change.cpu));
            row.ints(self.changes.iter().map(|change| change.value));
        })?;
        self.block = self.block.saturating_add(1);
        self.times.clear();
        self.changes.clear();
        Ok(())
    }
}
