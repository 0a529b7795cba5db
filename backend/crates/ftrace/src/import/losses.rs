//! Intervals of which nothing is known because events were lost.

use std::collections::BTreeMap;

use crate::model::{LossCause, LossRecord, Ns, ReadError};
use crate::store::tables::LOSS;
use crate::store::writer::TableWriter;

use super::narrow;

/// A loss whose end is the next record of its CPU.
#[derive(Clone, Copy)]
struct Pending {
    start_ns: Ns,
    count: Option<u64>,
}

#[derive(Default)]
pub struct Losses {
    written: i32,
    /// By CPU.
    pending: BTreeMap<u16, Pending>,
    /// Losses that last until the end of the trace: CPU, start and count.
    to_end: Vec<(u16, Ns, Option<u64>)>,
    /// Losses of which only a total is known; they lie anywhere in the trace.
    unplaced: Vec<Option<u64>>,
    pub lost_events: u64,
    /// Those of a known CPU that were not taken yet: CPU, start and end.
    placed: Vec<(u16, Ns, Ns)>,
}

/// Unplaced losses are a line of a header or of a buffer's statistics each.
const MAX_UNPLACED: usize = 65_536;

impl Losses {
    /// Takes a loss that begins at `start_ns`, the last record of its buffer; `end_ns` where it is known.
    pub fn add(
        &mut self,
        loss: &LossRecord<'_>,
        start_ns: Ns,
        end_ns: Option<Ns>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        self.lost_events = self.lost_events.saturating_add(loss.count.unwrap_or(0));
        match (loss.cpu, end_ns) {
            (Some(cpu), Some(end_ns)) => self.write(Some(cpu), (start_ns, end_ns), loss.count, writer),
            // The CPU's other buffers may continue.
            (Some(cpu), None) if loss.cause == LossCause::CutOff && loss.buffer.is_some() => {
                self.to_end.push((cpu, start_ns, loss.count));
                Ok(())
            }
            (Some(cpu), None) => {
                self.end(cpu, start_ns, writer)?;
                self.pending.insert(cpu, Pending { start_ns, count: loss.count });
                Ok(())
            }
            (None, Some(end_ns)) => self.write(None, (start_ns, end_ns), loss.count, writer),
            (None, None) => {
                if self.unplaced.len() < MAX_UNPLACED {
                    self.unplaced.push(loss.count);
                }
                Ok(())
            }
        }
    }

    /// Losses with their CPUs that have come since this was asked the last time; those without an end are not among
    /// them yet.
    pub fn take_placed(&mut self) -> Vec<(u16, Ns, Ns)> {
        std::mem::take(&mut self.placed)
    }

    /// The next record of `cpu` is at `t_ns`.
    pub fn end(&mut self, cpu: u16, t_ns: Ns, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if let Some(pending) = self.pending.remove(&cpu) {
            self.write(Some(cpu), (pending.start_ns, t_ns), pending.count, writer)?;
        }
        Ok(())
    }

    /// No record comes after `end_ns`.
    pub fn finish(&mut self, end_ns: Ns, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for (cpu, pending) in std::mem::take(&mut self.pending) {
            self.write(Some(cpu), (pending.start_ns, end_ns), pending.count, writer)?;
        }
        for (cpu, start_ns, count) in std::mem::take(&mut self.to_end) {
            self.write(Some(cpu), (start_ns, end_ns), count, writer)?;
        }
        for count in std::mem::take(&mut self.unplaced) {
            self.write(None, (Ns::ZERO, end_ns), count, writer)?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        cpu: Option<u16>,
        (start_ns, end_ns): (Ns, Ns),
        count: Option<u64>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let idx = self.written;
        self.written = self.written.saturating_add(1);
        if let Some(cpu) = cpu.filter(|_| start_ns < end_ns) {
            self.placed.push((cpu, start_ns, end_ns));
        }
        writer.row(&LOSS, |row| {
            row.int(idx).optional_int(cpu.map(narrow)).int(start_ns).int(end_ns.max(start_ns));
            row.optional_int(count.map(|count| i64::try_from(count).unwrap_or(i64::MAX)));
        })
    }
}
