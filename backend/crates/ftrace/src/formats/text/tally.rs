//! Accounting: every byte is used or skipped, and a file that is mostly no trace is refused.

use crate::model::{Code, FailureClass, Place, ReadError, grouped};

/// Fewer unreadable lines than this are never a reason to refuse a file that has records.
const TOLERATED_LINES: u64 = 1_000;

#[derive(Debug, Default)]
pub struct Tally {
    pub used_bytes: u64,
    pub skipped_bytes: u64,
    pub since_progress: u64,
    /// Lines that are, or should have been, records.
    pub lines: u64,
    pub unparsed: u64,
    /// Events and graph lines, and lines known to be records without a time.
    pub records: u64,
    pub last_place: Place,
    first_unparsed: Place,
}

impl Tally {
    /// Counts a line's bytes; `cut_bytes` are those past the longest line, which are skipped in any case.
    pub fn account(&mut self, is_used: bool, line_bytes: u64, cut_bytes: u64) {
        let (used, skipped) =
            if is_used { (line_bytes, cut_bytes) } else { (0, line_bytes.saturating_add(cut_bytes)) };
        self.used_bytes = self.used_bytes.saturating_add(used);
        self.skipped_bytes = self.skipped_bytes.saturating_add(skipped);
        self.since_progress = self.since_progress.saturating_add(line_bytes).saturating_add(cut_bytes);
    }

    /// Bytes of an earlier line count as skipped after all.
    pub fn take_back(&mut self, is_used: bool, bytes: usize) {
        let bytes = if is_used { 0 } else { self.used_bytes.min(bytes as u64) };
        self.used_bytes = self.used_bytes.saturating_sub(bytes);
        self.skipped_bytes = self.skipped_bytes.saturating_add(bytes);
    }

    /// Counts bytes that are not part of a line, such as those of a damaged block.
    pub fn account_skipped(&mut self, bytes: u64) {
        self.skipped_bytes = self.skipped_bytes.saturating_add(bytes);
    }

    /// A line that is, or should have been, a record.
    pub fn count_line(&mut self) {
        self.lines = self.lines.saturating_add(1);
    }

    /// Counts a line that should have been a record.
    pub fn count_unparsed(&mut self, place: Place) {
        if self.unparsed == 0 {
            self.first_unparsed = place;
        }
        self.unparsed = self.unparsed.saturating_add(1);
    }

    /// Errors: `too_many_unparsed` where more than half of the lines could not be read, and they are
    /// many or nothing else is there.
    pub fn judge(&self) -> Result<(), ReadError> {
        let is_most = self.unparsed.saturating_mul(2) > self.lines;
        if self.unparsed == 0 || !is_most || self.unparsed < TOLERATED_LINES && self.records > 0 {
            return Ok(());
        }
        let sentence =
            format!("{} of {} lines could not be read.", grouped(self.unparsed), grouped(self.lines));
        Err(ReadError::new(FailureClass::Corrupt, Code::TooManyUnparsed, self.first_unparsed, sentence))
    }
}
