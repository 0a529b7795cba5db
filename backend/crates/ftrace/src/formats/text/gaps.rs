//! Places where something is missing in a text, because the compressed file around it is damaged.

use super::reader::{TextReader, Verdict};
use crate::input::lines::Line;
use crate::model::{LossCause, LossRecord, Place, Stop};

/// The gaps that are not passed yet.
pub struct Gaps<'a> {
    offsets: &'a [u64],
}

impl<'a> Gaps<'a> {
    pub fn new(offsets: &'a [u64]) -> Self {
        Self { offsets }
    }

    /// True where the line is none: the two ends around a gap, or the end of a line that begins after one.
    /// Passes its gaps.
    pub fn break_line(&mut self, line: &Line<'_>) -> bool {
        let end = line.place.byte_offset.saturating_add(line.used_bytes).saturating_add(line.cut_bytes);
        let passed = self.offsets.iter().take_while(|offset| **offset < end).count();
        self.offsets = self.offsets.get(passed..).unwrap_or_default();
        passed > 0
    }

    /// True where a later part of the file could not be decompressed.
    pub fn are_left(&self) -> bool {
        !self.offsets.is_empty()
    }
}

impl TextReader<'_> {
    /// Skips a line that a gap is in.
    pub(super) fn lose_at_gap(&mut self, line: &Line<'_>) -> Result<(), Stop> {
        let begun = std::mem::take(&mut self.unfinished);
        if !begun.text.is_empty() {
            let is_used = self.judge(Verdict::Unparsed, &begun.text, begun.place, true)?;
            self.tally.account(is_used, begun.bytes, 0);
        }
        self.tally.last_place = line.place;
        self.tally.account(false, line.used_bytes, line.cut_bytes);
        self.flush()?;
        self.lose_all(line.place)
    }

    /// What every CPU did until its next record is not known.
    pub(super) fn lose_all(&mut self, place: Place) -> Result<(), Stop> {
        for cpu in self.since_damage.take() {
            self.section.sample_numbers.forget(cpu);
            let (cpu, buffer, ts, count) = (Some(cpu), None, None, None);
            let cause = LossCause::CutOff;
            self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })?;
        }
        Ok(())
    }
}
