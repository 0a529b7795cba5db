//! The records of one CPU in the order of its buffer.

use super::byte_account::ByteAccount;
use super::clock::Clock;
use super::page_source::{PageSource, Step};
use super::page_times::PageTimes;
use super::recording::CpuData;
use super::ring_page::{Missed, Opened, PageCursor, PageLayout, RawRecord};
use crate::model::{Code, Diagnostic, Place, Sink, Stop, Timestamp};

/// A CPU's pages with a position in them. After a successful [`CpuStream::advance`] it is at a record.
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
    /// Something could not be read since the last record.
    is_damaged: bool,
    /// Bytes after the records of this page could not be read.
    has_junk: bool,
    /// There were more pages than can be read.
    is_cut: bool,
    account: &'a ByteAccount<'a>,
    /// Time of the first record of the last page with records.
    page_stamp: u64,
    /// Time of the last record on its page's clock.
    pub last_stamp: u64,
    pub pages: PageTimes,
    /// Records, of all types, that were found on the pages.
    record_count: u64,
    /// Records that the kernel took back, and the first page with one.
    discarded: u64,
    discarded_place: u64,
    /// Losses that the pages themselves count.
    pub counted_losses: u64,
    /// The pages also mark losses without a count.
    pub has_uncounted_losses: bool,
    /// Time of the first record.
    pub first: Option<Timestamp>,
}

impl<'a> CpuStream<'a> {
    /// The records of one CPU in one buffer, before its first page is read.
    pub fn new(
        data: &CpuData,
        buffer: &'a [u8],
        source: PageSource<'a>,
        layout: PageLayout,
        account: &'a ByteAccount<'a>,
    ) -> Self {
        Self {
            cpu: data.cpu,
            buffer,
            source,
            layout,
            cursor: PageCursor::default(),
            record: RawRecord::default(),
            time: Timestamp::default(),
            missed: None,
            is_damaged: false,
            has_junk: false,
            is_cut: data.is_cut,
            account,
            page_stamp: 0,
            last_stamp: 0,
            pages: PageTimes::default(),
            record_count: 0,
            discarded: 0,
            discarded_place: 0,
            counted_losses: 0,
            has_uncounted_losses: false,
            first: None,
        }
    }

    /// Records that were found by now, with those that the kernel took back.
    pub fn records_seen(&self) -> u64 {
        self.record_count.saturating_add(self.discarded)
    }

    /// Time of the current record.
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Data of the current record.
    pub fn record(&self) -> &[u8] {
        self.source.page().get(self.record.start..self.record.end).unwrap_or_default()
    }

    /// The offset in the file of the current record's data.
    pub fn record_place(&self) -> Place {
        self.source.place_of(self.record.start)
    }

    /// The offset in the file of the current record's page.
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

    /// Whether something before the current record could not be read, once.
    pub fn take_damage(&mut self) -> bool {
        std::mem::take(&mut self.is_damaged)
    }

    /// Records after the current one may be hidden in `bytes` of it.
    pub fn hide(&mut self, bytes: u64) {
        self.skip(bytes);
        self.is_damaged = true;
    }

    /// Goes to the next record whose time is known; false at the end.
    pub fn advance(&mut self, clock: &Clock, sink: &mut dyn Sink) -> Result<bool, Stop> {
        loop {
            match self.layout.next(&mut self.cursor, self.source.page()) {
                Ok(Some(record)) if self.layout.is_overwritten(&self.cursor, &record, self.source.page()) => {
                    // The zeros after it are reported next.
                    self.hide(data_bytes(&record));
                }
                Ok(Some(record)) => match self.time_of(&record, clock) {
                    Some(time) => {
                        (self.record, self.time) = (record, time);
                        self.first.get_or_insert(time);
                        return Ok(true);
                    }
                    None => {
                        let data = self.source.page().get(record.start..record.end).unwrap_or_default();
                        report(sink, Code::TimestampOutOfRange, self.source.place(), data)?;
                        self.hide(data_bytes(&record));
                    }
                },
                Ok(None) => {
                    self.end_page();
                    if !self.next_page(sink)? {
                        self.is_damaged |= self.is_cut;
                        return self.report_discarded(sink).map(|()| false);
                    }
                }
                Err(code) => {
                    // A record that reaches over the end of the file is what a cut file ends with.
                    if !self.source.is_cut() {
                        report(sink, code, self.source.place(), self.page_head())?;
                    }
                    self.hide(self.cursor.remaining() as u64);
                    self.end_page();
                }
            }
        }
    }

    /// Goes to the next page whose header makes sense; false at the end.
    fn next_page(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        loop {
            match self.source.advance()? {
                Step::End => return Ok(false),
                Step::Damaged { code, start, end } => {
                    let sample = format!("CPU {}: {} bytes", self.cpu, end.saturating_sub(start));
                    report(sink, code, start, sample.as_bytes())?;
                    self.account.skip_range(start, end);
                    self.is_damaged = true;
                }
                Step::Page => match self.layout.open(self.source.page(), self.source.is_cut()) {
                    Ok(opened) if self.is_too_early(&opened) => {
                        let (stamp, before) = (opened.stamp, self.page_stamp);
                        let sample = format!("CPU {}: a page of {stamp} after one of {before}", self.cpu);
                        report(sink, Code::StrayPage, self.source.place(), sample.as_bytes())?;
                        self.hide(self.source.page().len() as u64);
                    }
                    Ok(opened) => {
                        self.check_page(&opened, sink)?;
                        self.cursor = opened.cursor;
                        self.missed = opened.missed.or(self.missed);
                        return Ok(true);
                    }
                    Err(code) => {
                        report(sink, code, self.source.place(), self.page_head())?;
                        self.hide(self.source.page().len() as u64);
                    }
                },
            }
        }
    }

    /// Whether a page begins before the one in front of it: it belongs to another CPU, or is in the wrong place.
    fn is_too_early(&self, opened: &Opened) -> bool {
        opened.stamp < self.page_stamp && opened.cursor.remaining() > 0
    }

    /// Reports what no recorder leaves on a page: nothing at all, bytes after the records, a time before
    /// that of the last record.
    fn check_page(&mut self, opened: &Opened, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (place, junk) = (self.source.place(), opened.junk.clone());
        if !junk.is_empty() {
            let place = self.source.place_of(junk.start).byte_offset;
            let sample = self.source.page().get(junk.clone()).unwrap_or_default();
            report(sink, Code::JunkOnPage, place, sample.get(..32).unwrap_or(sample))?;
            self.skip(junk.len() as u64);
            self.has_junk = true;
        } else if opened.cursor.remaining() == 0 && opened.missed.is_none() && !self.source.is_cut() {
            let sample = format!("CPU {}", self.cpu);
            report(sink, Code::EmptyPage, place, sample.as_bytes())?;
            self.hide(self.source.page().len() as u64);
        }
        if opened.cursor.remaining() > 0 {
            if opened.stamp < self.last_stamp {
                let (stamp, last) = (opened.stamp, self.last_stamp);
                let sample = format!("CPU {}: a page of {stamp} after {last}", self.cpu);
                report(sink, Code::OutOfOrder, place, sample.as_bytes())?;
                self.is_damaged = true;
            }
            self.page_stamp = opened.stamp;
            self.pages.begin(opened.stamp, place);
        }
        Ok(())
    }

    fn time_of(&mut self, record: &RawRecord, clock: &Clock) -> Option<Timestamp> {
        self.record_count = self.record_count.saturating_add(1);
        self.last_stamp = record.stamp;
        self.pages.see(record.stamp);
        clock.timestamp(record.stamp, self.cpu)
    }

    fn end_page(&mut self) {
        self.is_damaged |= std::mem::take(&mut self.has_junk);
        let cursor = std::mem::take(&mut self.cursor);
        if cursor.discarded > 0 && self.discarded == 0 {
            self.discarded_place = self.source.place();
        }
        self.discarded = self.discarded.saturating_add(cursor.discarded);
    }

    fn report_discarded(&mut self, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (count, place) = (self.discarded, Place::byte(self.discarded_place));
        if count == 0 {
            return Ok(());
        }
        let sample = format!("CPU {}", self.cpu);
        let code = Code::DiscardedRecords;
        sink.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count })
    }

    /// Counts bytes of the current page that hold nothing for us.
    pub fn skip(&mut self, bytes: u64) {
        self.account.skip(self.source.file_bytes(bytes));
    }

    fn page_head(&self) -> &[u8] {
        let page = self.source.page();
        page.get(..32).unwrap_or(page)
    }
}

fn data_bytes(record: &RawRecord) -> u64 {
    record.end.saturating_sub(record.start) as u64
}

fn report(sink: &mut dyn Sink, code: Code, byte_offset: u64, sample: &[u8]) -> Result<(), Stop> {
    sink.diagnostic(Diagnostic { code, place: Place::byte(byte_offset), sample, count: 1 })
}
