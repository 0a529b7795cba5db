//! The records of one CPU in the order of its buffer.

use super::clock::Clock;
use super::page_source::{PageSource, Step};
use super::ring_page::{Missed, PageCursor, PageLayout, RawRecord};
use crate::model::{Code, Diagnostic, Place, ReadError, Sink, Timestamp};

/// A CPU's pages with a position in them. After a successful [`CpuStream::advance`] it stands on a record.
pub struct CpuStream<'a> {
    pub cpu: u16,
    /// The instance's name; empty for the top one.
    pub buffer: &'a [u8],
    source: PageSource<'a>,
    layout: PageLayout,
    cursor: PageCursor,
    record: RawRecord,
    time: Timestamp,
    missed: Option<Missed>,
    /// Of the pages that were looked at, how much of the file they take and how much was not used.
    pub used_bytes: u64,
    pub skipped_bytes: u64,
    /// Losses that the pages themselves count.
    pub counted_losses: u64,
    /// The pages also mark losses without a count.
    pub has_uncounted_losses: bool,
    /// Time of the first record.
    pub first: Option<Timestamp>,
}

impl<'a> CpuStream<'a> {
    pub fn new(cpu: u16, buffer: &'a [u8], source: PageSource<'a>, layout: PageLayout) -> Self {
        Self {
            cpu,
            buffer,
            source,
            layout,
            cursor: PageCursor::default(),
            record: RawRecord::default(),
            time: Timestamp::default(),
            missed: None,
            used_bytes: 0,
            skipped_bytes: 0,
            counted_losses: 0,
            has_uncounted_losses: false,
            first: None,
        }
    }

    /// Time of the current record.
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Data of the current record.
    pub fn record(&self) -> &[u8] {
        self.source.page().get(self.record.start..self.record.end).unwrap_or_default()
    }

    /// Where the current record's data stands in the file.
    pub fn record_place(&self) -> Place {
        self.source.place_of(self.record.start)
    }

    /// Where the page of the current record stands.
    pub fn page_place(&self) -> Place {
        Place::byte(self.source.place())
    }

    /// The loss before the current record, once.
    pub fn take_missed(&mut self) -> Option<Missed> {
        let missed = self.missed.take();
        match missed {
            Some(Missed(Some(count))) => self.counted_losses = self.counted_losses.saturating_add(count),
            Some(Missed(None)) => self.has_uncounted_losses = true,
            None => {}
        }
        missed
    }

    /// Goes to the next record with a time that can be told; false at the end.
    pub fn advance(&mut self, clock: &Clock, sink: &mut dyn Sink) -> Result<bool, ReadError> {
        loop {
            match self.layout.next(&mut self.cursor, self.source.page()) {
                Ok(Some(record)) => match clock.timestamp(record.stamp, self.cpu) {
                    Some(time) => {
                        (self.record, self.time) = (record, time);
                        self.first.get_or_insert(time);
                        return Ok(true);
                    }
                    None => {
                        let data = self.source.page().get(record.start..record.end).unwrap_or_default();
                        report(sink, Code::TimestampOutOfRange, self.source.place(), data)?;
                        self.skip(data_bytes(&record));
                    }
                },
                Ok(None) => {
                    if !self.next_page(sink)? {
                        return Ok(false);
                    }
                }
                Err(code) => {
                    // A record that reaches over the end of the file is what a cut file ends with.
                    if !self.source.is_cut() {
                        report(sink, code, self.source.place(), self.page_head())?;
                    }
                    self.skip(self.cursor.remaining() as u64);
                    self.cursor = PageCursor::default();
                }
            }
        }
    }

    /// Goes to the next page whose header makes sense; false at the end.
    fn next_page(&mut self, sink: &mut dyn Sink) -> Result<bool, ReadError> {
        loop {
            match self.source.advance()? {
                Step::End => return Ok(false),
                Step::Damaged { code, place, bytes } => {
                    report(sink, code, place, b"")?;
                    self.skipped_bytes = self.skipped_bytes.saturating_add(bytes);
                }
                Step::Page => {
                    let size = self.source.page().len() as u64;
                    self.used_bytes = self.used_bytes.saturating_add(self.source.file_bytes(size));
                    match self.layout.open(self.source.page(), self.source.is_cut()) {
                        Ok((cursor, missed)) => {
                            self.cursor = cursor;
                            self.missed = missed.or(self.missed);
                            return Ok(true);
                        }
                        Err(code) => {
                            report(sink, code, self.source.place(), self.page_head())?;
                            self.skip(size);
                        }
                    }
                }
            }
        }
    }

    /// Counts bytes of the current page that hold nothing for us.
    pub fn skip(&mut self, bytes: u64) {
        let bytes = self.source.file_bytes(bytes);
        self.skipped_bytes = self.skipped_bytes.saturating_add(bytes);
    }

    fn page_head(&self) -> &[u8] {
        let page = self.source.page();
        page.get(..32).unwrap_or(page)
    }
}

fn data_bytes(record: &RawRecord) -> u64 {
    record.end.saturating_sub(record.start) as u64
}

fn report(sink: &mut dyn Sink, code: Code, byte_offset: u64, sample: &[u8]) -> Result<(), ReadError> {
    sink.diagnostic(Diagnostic { code, place: Place::byte(byte_offset), sample, count: 1 })
}
