//! Which bytes of a file were read: a byte that was not read does not count as used.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::input::ReadAt;
use crate::model::{Code, Diagnostic, Place, ReadError, Sink, Stop, grouped};

/// Bytes that are looked at in one go.
const LOOK_BYTES: usize = 64 << 10;

/// A file that remembers what was read of it.
pub struct ByteAccount<'a> {
    file: &'a dyn ReadAt,
    /// Start and end of what was read. Neither overlaps nor touches another.
    read: RefCell<BTreeMap<u64, u64>>,
    /// Of what was read, how much was not used.
    skipped: Cell<u64>,
}

impl<'a> ByteAccount<'a> {
    pub fn new(file: &'a dyn ReadAt) -> Self {
        Self { file, read: RefCell::default(), skipped: Cell::new(0) }
    }

    /// Reads without taking the bytes for read.
    pub fn peek(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        self.file.read_at(offset, buffer)
    }

    /// Bytes that were read are not used.
    pub fn skip(&self, bytes: u64) {
        self.skipped.set(self.skipped.get().saturating_add(bytes));
    }

    /// No byte from `start` to `end` is used, whether it was read or not; the reader has reported it.
    pub fn skip_range(&self, start: u64, end: u64) {
        let end = end.min(self.file.len());
        self.skip(end.saturating_sub(start));
        self.claim(start, end);
    }

    /// Bytes that are known not to be used; no more than the file has.
    pub fn skipped_bytes(&self) -> u64 {
        self.skipped.get().min(self.file.len())
    }

    /// Bytes that are used by now, of those that were read.
    pub fn used_bytes(&self) -> u64 {
        let read = self.read.borrow().iter().map(|(start, end)| end.saturating_sub(*start)).sum::<u64>();
        read.saturating_sub(self.skipped_bytes())
    }

    /// Start and end of every unread stretch.
    pub fn unread(&self) -> Vec<(u64, u64)> {
        let mut at = 0;
        let mut stretches = Vec::new();
        for (start, end) in self.read.borrow().iter().chain([(&self.file.len(), &self.file.len())]) {
            if at < *start {
                stretches.push((at, *start));
            }
            at = at.max(*end);
        }
        stretches
    }

    /// Reports the unread stretches, and counts them as skipped. Returns the size of the largest, in bytes.
    ///
    /// `pages` lists where pages begin, with their size: before them there may be zeros to align them.
    pub fn report_unread(&self, pages: &BTreeMap<u64, u64>, sink: &mut dyn Sink) -> Result<u64, Stop> {
        let mut largest = 0;
        for (start, end) in self.unread() {
            let is_aligned = |page_bytes: &u64| end.is_multiple_of(*page_bytes) && end - start < *page_bytes;
            if pages.get(&end).is_some_and(is_aligned) && self.is_blank(start, end)? {
                self.claim(start, end);
                continue;
            }
            self.skip_range(start, end);
            let count = end.saturating_sub(start);
            let sample = format!("{} bytes", grouped(count));
            let (code, place, sample) = (Code::UnreadBytes, Place::byte(start), sample.as_bytes());
            sink.diagnostic(Diagnostic { code, place, sample, count })?;
            largest = largest.max(count);
        }
        Ok(largest)
    }

    fn is_blank(&self, mut start: u64, end: u64) -> Result<bool, ReadError> {
        let mut buffer = vec![0; LOOK_BYTES];
        while start < end {
            let size = usize::try_from(end - start).unwrap_or(LOOK_BYTES).min(LOOK_BYTES);
            let count = self.file.read_at(start, buffer.get_mut(..size).unwrap_or_default())?;
            if count == 0 || buffer.iter().take(count).any(|byte| *byte != 0) {
                return Ok(false);
            }
            start = start.saturating_add(count as u64);
        }
        Ok(true)
    }

    fn claim(&self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        let mut read = self.read.borrow_mut();
        let (mut start, mut end) = (start, end);
        while let Some((&before, &behind)) = read.range(..=end).next_back() {
            if behind < start {
                break;
            }
            if before <= start && end <= behind {
                return;
            }
            (start, end) = (start.min(before), end.max(behind));
            read.remove(&before);
        }
        read.insert(start, end);
    }
}

impl ReadAt for ByteAccount<'_> {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let count = self.file.read_at(offset, buffer)?;
        self.claim(offset, offset.saturating_add(count as u64));
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Recorder;
    use super::*;

    fn read(account: &ByteAccount<'_>, start: u64, end: u64) {
        let mut buffer = vec![0; (end - start) as usize];
        assert_eq!(account.read_at(start, &mut buffer).unwrap(), buffer.len());
    }

    #[test]
    fn what_was_read_in_any_order_leaves_the_rest() {
        let file = vec![1_u8; 100];
        let account = ByteAccount::new(&file);
        for (start, end) in [(40, 50), (10, 20), (20, 30), (45, 60), (10, 12), (0, 5), (5, 10)] {
            read(&account, start, end);
        }
        assert_eq!(account.unread(), [(30, 40), (60, 100)]);
        account.skip_range(35, 70);
        assert_eq!(account.unread(), [(30, 35), (70, 100)]);
        assert_eq!((account.used_bytes(), account.skipped_bytes()), (30, 35));
    }

    #[test]
    fn zeros_that_align_pages_are_used() {
        let mut file = vec![0_u8; 64];
        file[50] = 1;
        let account = ByteAccount::new(&file);
        read(&account, 0, 10);
        read(&account, 16, 32);
        let mut recorder = Recorder::default();
        account.report_unread(&BTreeMap::from([(16, 16), (48, 16)]), &mut recorder).unwrap();
        assert_eq!(recorder.lines, "! unread_bytes x32 at byte 32\n");
        assert_eq!((account.used_bytes(), account.skipped_bytes()), (32, 32));
    }
}
