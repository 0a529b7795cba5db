//! Counter changes on their way into `counter_block`.

use super::event_blocks::BLOCK_RECORDS;
use super::tables::COUNTER_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::{Ns, ReadError};

/// A counter's new value from `t_ns` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredChange {
    pub t_ns: Ns,
    pub counter: i16,
    pub cpu: i16,
    pub value: i64,
}

/// The changes that are being collected for the next block.
#[derive(Default)]
pub struct CounterBlocks {
    block: i32,
    changes: Vec<StoredChange>,
}

impl CounterBlocks {
    /// Adds a change, and writes the block before it if that is full.
    pub fn push(&mut self, change: StoredChange, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.changes.len() >= BLOCK_RECORDS {
            self.flush(writer)?;
        }
        self.changes.push(change);
        Ok(())
    }

    /// Writes what is collected: one block, or more where `dt` cannot hold a distance.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let mut changes = std::mem::take(&mut self.changes);
        let (_, count) = TimeAxis::of_first(changes.iter().map(|change| change.t_ns));
        if count < changes.len() {
            // As for events: CPUs whose clocks are seconds apart are written one after the other.
            changes.sort_by_key(|change| change.t_ns);
        }
        let mut rest = changes.as_slice();
        while !rest.is_empty() {
            let (times, count) = TimeAxis::of_first(rest.iter().map(|change| change.t_ns));
            let (block, after) = rest.split_at(count);
            self.write(block, &times, writer)?;
            rest = after;
        }
        changes.clear();
        self.changes = changes;
        Ok(())
    }

    fn write(
        &mut self,
        changes: &[StoredChange],
        times: &TimeAxis,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let count = i32::try_from(changes.len()).unwrap_or(i32::MAX);
        writer.row(&COUNTER_BLOCK, |row| {
            row.int(self.block).int(times.t0()).int(times.t1()).int(count).ints(times.dt());
            row.ints(changes.iter().map(|change| change.counter));
            row.ints(changes.iter().map(|change| change.cpu));
            row.ints(changes.iter().map(|change| change.value));
        })?;
        self.block = self.block.saturating_add(1);
        Ok(())
    }
}
