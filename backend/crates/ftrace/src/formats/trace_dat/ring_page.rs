//! One page of the ring buffer: its header, and the records in it with their times.
//!
//! Source: include/linux/ring_buffer.h and kernel/trace/ring_buffer.c, Linux 6.12.

use std::ops::Range;

use super::byte_order::ByteOrder;
use super::entry_header::{EntryHeader, EntryKind};
use crate::model::Code;

const USED_MASK: u64 = 0x07ff_ffff;
const MISSED_EVENTS: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;

/// An entry's header, the fields that every record has, and one of its own.
const MIN_RECORD_BYTES: usize = 16;

/// Absolute stamps hold 59 bits; the top five are those of the time before.
const STAMP_MSB: u64 = 0xf8 << 56;
const STAMP_BITS: u32 = 59;

/// Events that were lost before a page; `None` where the kernel did not count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed(pub Option<u64>);

/// A record with data: its stamp, and where in the page the data is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawRecord {
    pub stamp: u64,
    pub start: usize,
    pub end: usize,
}

/// How pages are laid out by the kernel that wrote them.
#[derive(Clone, Copy, Debug)]
pub struct PageLayout {
    pub order: ByteOrder,
    pub long_bytes: usize,
    pub entry_header: EntryHeader,
}

/// A position between the records of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageCursor {
    at: usize,
    end: usize,
    stamp: u64,
    /// Records so far that the kernel took back.
    pub discarded: u64,
}

/// What the header of a page says.
pub struct Opened {
    pub cursor: PageCursor,
    pub missed: Option<Missed>,
    /// The bytes after the last record, which the kernel leaves zero.
    pub junk: Range<usize>,
    /// Time of the first record.
    pub stamp: u64,
}

/// Bytes of the largest page header.
pub const HEAD_BYTES: usize = 16;

/// The header of a page: the time of its first record, and the size of its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageHead {
    pub stamp: u64,
    pub used: usize,
}

/// Times of the first record of a page and of the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSpan {
    pub first: u64,
    pub last: u64,
}

impl PageLayout {
    /// The header that `page` begins with; `None` where that is none.
    pub fn head(self, page: &[u8]) -> Option<PageHead> {
        let stamp = self.order.u64(page, 0)?;
        let commit = self.order.load(page, 8, self.long_bytes)?;
        // The kernel adds the flag of bit 31 as a negative int, which fills the upper half with ones.
        let is_head = matches!(commit >> 32, 0 | 0xffff_ffff);
        let used = usize::try_from(commit & USED_MASK).ok()?;
        is_head.then_some(PageHead { stamp, used })
    }

    /// Whether everything on a page makes sense, and `is_right` holds for all its records, of which there are
    /// some.
    pub fn all_records(self, page: &[u8], is_right: impl FnMut(&RawRecord) -> bool) -> bool {
        self.span_of(page, is_right).is_some()
    }

    /// The times of a page on which everything makes sense; `None` of any other page, and of an empty one.
    pub fn span(self, page: &[u8]) -> Option<PageSpan> {
        self.span_of(page, |_| true)
    }

    /// Records on a page; `None` where not all of it makes sense.
    pub fn record_count(self, page: &[u8]) -> Option<u64> {
        let mut opened = self.open(page, false).ok().filter(|opened| opened.junk.is_empty())?;
        let mut count = 0_u64;
        while self.next(&mut opened.cursor, page).ok()?.is_some() {
            count = count.saturating_add(1);
        }
        Some(count)
    }

    fn span_of(self, page: &[u8], mut is_right: impl FnMut(&RawRecord) -> bool) -> Option<PageSpan> {
        let mut opened = self.open(page, false).ok().filter(|opened| opened.junk.is_empty())?;
        let mut span = None;
        while let Some(record) = self.next(&mut opened.cursor, page).ok()?.filter(|record| is_right(record)) {
            let first = span.map_or(record.stamp, |span: PageSpan| span.first);
            span = Some(PageSpan { first, last: record.stamp });
        }
        span.filter(|_| opened.cursor.is_at_end())
    }

    /// A cursor before the first record.
    ///
    /// `is_cut` says that the file ends inside the page, which then holds less than its header says.
    /// Errors: `bad_page` where this is no page header, `bad_commit` where its length is impossible.
    pub fn open(self, page: &[u8], is_cut: bool) -> Result<Opened, Code> {
        let commit = self.order.load(page, 8, self.long_bytes).ok_or(Code::BadPage)?;
        let PageHead { stamp, used } = self.head(page).ok_or(Code::BadPage)?;
        let flags = commit & (MISSED_EVENTS | MISSED_STORED);
        let at = self.long_bytes.saturating_add(8);
        let end = at.saturating_add(used);
        if end > page.len() && !is_cut {
            return Err(Code::BadCommit);
        }
        let end = end.min(page.len());
        let cursor = PageCursor { at, end, stamp, discarded: 0 };
        let missed = (flags & MISSED_EVENTS != 0).then(|| {
            let is_counted = flags & MISSED_STORED != 0;
            Missed(if is_counted { self.order.load(page, end, self.long_bytes) } else { None })
        });
        let is_counted = missed.is_some_and(|missed| missed.0.is_some());
        let blank = end.saturating_add(if is_counted { self.long_bytes } else { self.page_end(page, end) });
        let last = page.get(blank..).unwrap_or_default().iter().rposition(|byte| *byte != 0);
        let junk = blank..last.map_or(blank, |last| blank.saturating_add(last).saturating_add(1));
        Ok(Opened { cursor, missed, junk, stamp })
    }

    /// Bytes of the entry that ends a page, which does not count as written: padding of no time at all, or of
    /// all that is left.
    fn page_end(self, page: &[u8], end: usize) -> usize {
        let entry = self.order.u32(page, end).map(|word| self.entry_header.divide(word, self.order));
        match entry {
            Some((EntryKind::Padding { .. }, 0)) => 4,
            Some((EntryKind::Padding { words: 0 }, _)) => 8,
            _ => 0,
        }
    }

    /// The next record that has data; `None` at the end of the page.
    ///
    /// Errors: `bad_event_length`; the rest of the page cannot be read then.
    pub fn next(self, cursor: &mut PageCursor, page: &[u8]) -> Result<Option<RawRecord>, Code> {
        let mut is_behind_stamp = false;
        while cursor.at < cursor.end {
            let word = self.order.u32(page, cursor.at).ok_or(Code::BadEventLength)?;
            let (kind, delta) = self.entry_header.divide(word, self.order);
            let is_stamp = kind == EntryKind::TimeStamp;
            // A stamp is written together with its record; all ones would be read as stamps.
            if is_stamp && is_behind_stamp {
                return Err(Code::BadEventLength);
            }
            is_behind_stamp = is_stamp;
            let body = cursor.at.saturating_add(4);
            match kind {
                EntryKind::Padding { .. } if delta == 0 => {
                    // What is too short for a record ends a page; with more after it, it was none.
                    let is_last = cursor.end.saturating_sub(cursor.at) < MIN_RECORD_BYTES;
                    if is_last || self.entry_header == EntryHeader::TypeAndLen {
                        break;
                    }
                    return Err(Code::BadEventLength);
                }
                EntryKind::Padding { words } => {
                    let skipped = if words == 0 { self.word(page, body)? } else { words.saturating_mul(4) };
                    cursor.stamp = cursor.stamp.saturating_add(delta);
                    cursor.move_to(body, skipped)?;
                    cursor.discarded = cursor.discarded.saturating_add(1);
                }
                EntryKind::TimeExtend => {
                    let high = u64::from(self.word(page, body)?) << 27;
                    cursor.stamp = cursor.stamp.saturating_add(high.saturating_add(delta));
                    cursor.move_to(body, 4)?;
                }
                EntryKind::TimeStamp => {
                    let high = u64::from(self.word(page, body)?) << 27;
                    cursor.stamp = absolute(high.saturating_add(delta), cursor.stamp);
                    cursor.move_to(body, 4)?;
                }
                EntryKind::OldTimeStamp => return Err(Code::BadEventLength),
                EntryKind::Data { words } => {
                    cursor.stamp = cursor.stamp.saturating_add(delta);
                    let (start, length) = match words {
                        0 => (body.saturating_add(4), self.word(page, body)?.checked_sub(4)),
                        words => (body, words.checked_mul(4)),
                    };
                    let length = length.ok_or(Code::BadEventLength)?;
                    cursor.move_to(start, length)?;
                    let end = start.saturating_add(length as usize);
                    return Ok(Some(RawRecord { stamp: cursor.stamp, start, end }));
                }
            }
        }
        Ok(None)
    }

    /// Whether zeros in the place of the record after `record` may reach into it.
    pub fn is_overwritten(self, behind: &PageCursor, record: &RawRecord, page: &[u8]) -> bool {
        let is_zero = |at: usize| self.order.u32(page, at) == Some(0);
        behind.remaining() >= MIN_RECORD_BYTES && is_zero(behind.at) && is_zero(record.end.saturating_sub(4))
    }

    fn word(self, page: &[u8], at: usize) -> Result<u32, Code> {
        self.order.u32(page, at).ok_or(Code::BadEventLength)
    }
}

impl PageCursor {
    /// Goes past `length` bytes from `body`, rounded up to the alignment of records. Always forward.
    fn move_to(&mut self, body: usize, length: u32) -> Result<(), Code> {
        let next = body.saturating_add(length as usize).checked_next_multiple_of(4);
        match next {
            Some(next) if next <= self.end && next > self.at => self.at = next,
            _ => return Err(Code::BadEventLength),
        }
        Ok(())
    }

    /// Whether no record is left, but what may end a page.
    fn is_at_end(&self) -> bool {
        self.remaining() < MIN_RECORD_BYTES
    }

    /// Bytes after the cursor that hold records.
    pub fn remaining(&self) -> usize {
        self.end.saturating_sub(self.at)
    }
}

/// A 59-bit stamp with the top bits of the time before it; it has wrapped where it is less than that.
fn absolute(stamp: u64, before: u64) -> u64 {
    if before & STAMP_MSB == 0 {
        return stamp;
    }
    let full = stamp | before & STAMP_MSB;
    if full < before { full.saturating_add(1 << STAMP_BITS) } else { full }
}
