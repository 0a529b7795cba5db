//! Losses that a text announces, between its lines or in its header.

use super::annotation;
use super::reader::{TextReader, Verdict};
use crate::model::{LossCause, LossRecord, Place, Stop, Timestamp};

/// Announced losses that wait for the record after them.
const MAX_WAITING_LOSSES: usize = 1_024;

/// An announced loss that ends with the next record.
pub struct WaitingLoss {
    cpu: u16,
    buffer: Vec<u8>,
    count: Option<u64>,
    place: Place,
}

impl TextReader<'_> {
    /// Keeps a loss until the next record shows when it ended.
    pub(super) fn announce_loss(
        &mut self,
        loss: annotation::Loss<'_>,
        place: Place,
    ) -> Result<Verdict, Stop> {
        let Some(cpu) = self.cpu(Some(loss.cpu), place)? else { return Ok(Verdict::Dropped) };
        if self.waiting_losses.len() >= MAX_WAITING_LOSSES {
            self.flush_losses(None)?;
        }
        loss.buffer.clone_into(&mut self.announced_buffer);
        let buffer = loss.buffer.to_vec();
        self.waiting_losses.push(WaitingLoss { cpu, buffer, count: loss.count, place });
        Ok(Verdict::Used)
    }

    /// Hands on the losses that wait; that of the CPU of `next` ends at its time.
    pub(super) fn flush_losses(&mut self, next: Option<(Timestamp, u16)>) -> Result<(), Stop> {
        for loss in self.waiting_losses.drain(..) {
            self.section.sample_numbers.forget(loss.cpu);
            let ts = next.filter(|(_, cpu)| loss.cpu == *cpu).map(|(ts, _)| ts);
            let (cpu, buffer, count) = (Some(loss.cpu), Some(loss.buffer.as_slice()), loss.count);
            let (cause, place) = (LossCause::Overwritten, loss.place);
            self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })?;
        }
        Ok(())
    }

    /// `entries-in-buffer/entries-written: 140080/250280`: the difference was overwritten before the first record.
    pub(super) fn overwritten(&mut self) -> Result<(), Stop> {
        let (Some(kept), Some(written)) = (self.facts.entries_in_buffer, self.facts.entries_written) else {
            return Ok(());
        };
        match written.checked_sub(kept) {
            None | Some(0) => Ok(()),
            lost => {
                let place = Place::line(1, 0);
                let (cpu, buffer, ts, cause) = (None, Some(&b""[..]), None, LossCause::Overwritten);
                self.sink.loss(&LossRecord { cpu, buffer, ts, count: lost, cause, place })
            }
        }
    }
}
