//! Goes through a text line by line, finds out what each line is, and hands it on.

use std::io::Read;

use hashbrown::HashMap;

use super::clock_sync;
use super::context::{self, Context};
use super::cuts::SinceCut;
use super::derived_clock::DerivedClock;
use super::gaps::Gaps;
use super::graph::{self, Graph};
use super::graph_times::GraphTimes;
use super::indentation::Indentation;
use super::joined::Joined;
use super::losses::WaitingLoss;
use super::other_lines::OtherLine;
use super::pending::{Pending, StackLines};
use super::raw::RawText;
use super::repeated::Repeated;
use super::scan;
use super::section::Section;
use super::signs;
use super::tally::Tally;
use super::unfinished::Unfinished;
use crate::input::clean::{Cleaned, Cleaner};
use crate::input::lines::{Line, LineReader};
use crate::model::{
    Code, Diagnostic, Facts, Limits, NoteRecord, Place, Sink, Stop, TimeOrigin, TimeUnit, Timestamp,
};

/// Bytes between two reports of progress.
const PROGRESS_BYTES: u64 = 1 << 20;

/// What became of a line; its bytes count as used or as skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Used,
    /// Nothing that we know.
    Unparsed,
    /// A record that had to be dropped; its diagnostic is out.
    Dropped,
    /// A record that continues in the next line.
    Unfinished,
}

/// Reads all of `stream`, whatever text layouts it mixes.
///
/// Errors: those of the stream and of the sink, and `too_many_unparsed` where most lines are no trace.
pub fn read(stream: &mut dyn Read, limits: &Limits, sink: &mut dyn Sink) -> Result<(), Stop> {
    read_broken(stream, &[], limits, sink)
}

/// The same of a stream of which something is missing at the offsets `gaps`.
pub fn read_broken(
    stream: &mut dyn Read,
    gaps: &[u64],
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let mut lines = LineReader::new(stream, limits.max_line_bytes)?;
    let mut cleaner = Cleaner::for_head(lines.head());
    let mut reader = TextReader::new(limits, sink);
    reader.tally.used_bytes = lines.byte_offset();
    if lines.is_utf16() {
        reader.report(Code::Utf16Decoded, Place::byte(0), b"")?;
    }
    let mut gaps = Gaps::new(gaps);
    while let Some(line) = lines.next_line()? {
        if gaps.break_line(&line) {
            reader.lose_at_gap(&line)?;
            continue;
        }
        reader.take(&line, &mut cleaner)?;
    }
    if gaps.are_left() {
        reader.lose_all(reader.tally.last_place)?;
    }
    reader.finish(&mut cleaner)
}

/// The state of one reading.
pub struct TextReader<'a> {
    pub(super) limits: &'a Limits,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) facts: Facts,
    pub(super) facts_changed: bool,
    pub(super) pending: Pending,
    pub(super) stack: StackLines,
    pub(super) clock: DerivedClock,
    pub(super) indentation: Indentation,
    pub(super) graph_times: GraphTimes,
    pub(super) joined: Joined,
    pub(super) repeated: Repeated,
    pub(super) raw: RawText,
    pub(super) tally: Tally,
    pub(super) since_cut: SinceCut,
    pub(super) since_damage: SinceCut,
    pub(super) section: Section,
    pub(super) waiting_losses: Vec<WaitingLoss>,
    /// The buffer of the loss that was announced last. trace-cmd prints it there, and not before the
    /// record after it.
    pub(super) announced_buffer: Vec<u8>,
    /// The task that the last banner put on each CPU, for events inside a graph without a task column.
    pub(super) shown_tasks: HashMap<u16, (i32, Vec<u8>)>,
    /// Time and CPU of the last record.
    pub(super) last: Option<(Timestamp, u16)>,
    /// Layouts rarely change from one line to the next, so the last one is tried first.
    expects_graph: bool,
    /// The text ends within a line.
    is_cut: bool,
    /// The event that was read last was printed by trace-cmd.
    pub(super) prints_names_apart: bool,
    pub(super) unfinished: Unfinished,
    pub(super) scratch: Vec<u8>,
}

impl<'a> TextReader<'a> {
    fn new(limits: &'a Limits, sink: &'a mut dyn Sink) -> Self {
        Self {
            limits,
            sink,
            facts: Facts::default(),
            facts_changed: false,
            pending: Pending::default(),
            stack: StackLines::default(),
            clock: DerivedClock::default(),
            indentation: Indentation::default(),
            graph_times: GraphTimes::default(),
            joined: Joined::default(),
            repeated: Repeated::default(),
            raw: RawText::default(),
            tally: Tally::default(),
            since_cut: SinceCut::default(),
            since_damage: SinceCut::default(),
            section: Section::default(),
            waiting_losses: Vec::new(),
            announced_buffer: Vec::new(),
            shown_tasks: HashMap::new(),
            last: None,
            expects_graph: false,
            is_cut: false,
            prints_names_apart: false,
            unfinished: Unfinished::default(),
            scratch: Vec::new(),
        }
    }

    /// Takes one line and accounts for its bytes.
    fn take(&mut self, line: &Line<'_>, cleaner: &mut Cleaner) -> Result<(), Stop> {
        self.tally.last_place = line.place;
        let cleaned = cleaner.clean(line.text, line.place);
        if line.cut_bytes > 0 && cleaned != Cleaned::Outside {
            let sample = line.text.get(..128).unwrap_or(line.text);
            self.report(Code::LineTooLong, line.place, sample)?;
        }
        let is_outside = cleaned == Cleaned::Outside;
        self.is_cut = !line.is_complete && !is_outside;
        let (text, place) = match cleaned {
            Cleaned::Line(text, place) => (text, place),
            Cleaned::GoesOn => {
                self.tally.account(true, line.used_bytes, line.cut_bytes);
                return Ok(());
            }
            // What a page has around its trace was never meant to be read, unless its marks are damaged.
            Cleaned::Outside if context::parse(line.text).is_some() => (line.text, line.place),
            Cleaned::Outside => {
                self.tally.account(true, line.used_bytes.saturating_add(line.cut_bytes), 0);
                return Ok(());
            }
        };
        let verdict = match self.unfinished.text.is_empty() {
            _ if is_outside => Verdict::Unparsed,
            // Nothing says how much of the record is missing.
            _ if self.is_cut => Verdict::Unparsed,
            true => self.line(text, place)?,
            false => self.go_on(text, place)?,
        };
        if verdict == Verdict::Unfinished {
            self.keep_unfinished(text, place, line.used_bytes);
            self.tally.account_skipped(line.cut_bytes);
            return Ok(());
        }
        let is_used = self.judge(verdict, text, place, line.is_complete)?;
        self.tally.account(is_used, line.used_bytes, line.cut_bytes);
        if self.tally.since_progress >= PROGRESS_BYTES {
            self.progress()?;
        }
        Ok(())
    }

    /// Reports what could not be read; true where the line's bytes are used.
    pub(super) fn judge(
        &mut self,
        verdict: Verdict,
        text: &[u8],
        place: Place,
        is_whole: bool,
    ) -> Result<bool, Stop> {
        match verdict {
            Verdict::Used => {
                if memchr::memchr(0, text).is_some() && !self.raw.is_binary() {
                    self.report(Code::NulByte, place, text)?;
                }
                return Ok(true);
            }
            Verdict::Dropped => {
                self.section.count_bad_line();
                self.lose_record(text, place)?;
            }
            Verdict::Unparsed | Verdict::Unfinished if is_whole => {
                self.tally.count_unparsed(place);
                self.section.count_bad_line();
                self.report(Code::UnparsedLines, place, text)?;
                if signs::is_like_record(text) {
                    self.lose_record(text, place)?;
                }
            }
            Verdict::Unparsed | Verdict::Unfinished => self.report(Code::TruncatedLastLine, place, text)?,
        }
        Ok(false)
    }

    /// Finds out what a line is. The order matters only where a line could be two things.
    pub(super) fn line(&mut self, text: &[u8], place: Place) -> Result<Verdict, Stop> {
        self.section.chopped.see(text, place);
        if self.expects_graph {
            if let Some(verdict) = self.try_graph(text, place)? {
                return Ok(verdict);
            }
            if let Some(context) = context::parse(text) {
                return self.context_line(&context, place);
            }
        } else {
            if let Some(context) = context::parse(text) {
                return self.context_line(&context, place);
            }
            if let Some(verdict) = self.try_graph(text, place)? {
                return Ok(verdict);
            }
        }
        self.other_line(&OtherLine { text, trimmed: scan::trim(text), place })
    }

    /// Reads a line that begins as records do, with its task and CPU.
    pub(super) fn context_line(&mut self, context: &Context<'_>, place: Place) -> Result<Verdict, Stop> {
        self.expects_graph = false;
        if clock_sync::read(context, &mut self.facts) {
            self.facts_changed = true;
            return Ok(Verdict::Used);
        }
        self.tally.count_line();
        self.record(context, place)
    }

    fn try_graph(&mut self, text: &[u8], place: Place) -> Result<Option<Verdict>, Stop> {
        let verdict = match graph::parse(text) {
            Graph::Line(line) => self.graph_line(&line, text, place)?,
            Graph::BadDuration => {
                self.report(Code::BadDuration, place, text)?;
                Verdict::Dropped
            }
            Graph::Unfinished => Verdict::Unfinished,
            Graph::No => return Ok(None),
        };
        self.expects_graph = true;
        self.tally.count_line();
        Ok(Some(verdict))
    }

    /// The number of a CPU, or a diagnostic where it is past the limit.
    pub(super) fn cpu(&mut self, number: Option<u64>, place: Place) -> Result<Option<u16>, Stop> {
        let known = number.filter(|cpu| *cpu < u64::from(self.limits.max_cpus));
        let cpu = known.and_then(|cpu| u16::try_from(cpu).ok());
        if cpu.is_none() {
            self.report(Code::CpuOutOfRange, place, b"")?;
        }
        Ok(cpu)
    }

    /// Everything that a record's line has to do before it hands the record on.
    pub(super) fn arrive(&mut self, ts: Timestamp, cpu: u16) -> Result<(), Stop> {
        if self.pending.is_waiting() || !self.stack.is_empty() {
            self.flush()?;
        }
        if self.facts_changed {
            self.flush_facts()?;
        }
        if !self.waiting_losses.is_empty() {
            self.flush_losses(Some((ts, cpu)))?;
        }
        self.stack.expect_none();
        self.since_cut.see(cpu);
        self.since_damage.see(cpu);
        self.section.see(cpu);
        self.last = Some((ts, cpu));
        self.tally.records = self.tally.records.saturating_add(1);
        Ok(())
    }

    /// Hands on the event and the stack that wait for lines that belong to them.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        self.pending.flush(self.sink)?;
        self.stack.flush(self.sink)
    }

    /// Says once what the times are.
    pub(super) fn time_is(&mut self, unit: TimeUnit, origin: TimeOrigin) {
        if self.facts.time_unit != Some(unit) || self.facts.time_origin != Some(origin) {
            (self.facts.time_unit, self.facts.time_origin) = (Some(unit), Some(origin));
            self.facts_changed = true;
        }
    }

    fn flush_facts(&mut self) -> Result<(), Stop> {
        self.facts_changed = false;
        self.sink.facts(self.facts.clone())
    }

    /// Hands on a line that is no record, at the time of the last record; an empty one is nothing.
    pub(super) fn note(&mut self, text: &[u8], place: Place) -> Result<(), Stop> {
        let text = scan::trim(text);
        if text.is_empty() {
            return Ok(());
        }
        let (ts, cpu) = self.last.unzip();
        self.sink.note(&NoteRecord { ts, cpu, text, place })
    }

    /// Hands on a diagnostic about one line.
    pub(super) fn report(&mut self, code: Code, place: Place, sample: &[u8]) -> Result<(), Stop> {
        self.sink.diagnostic(Diagnostic { code, place, sample, count: 1 })
    }

    fn progress(&mut self) -> Result<(), Stop> {
        self.tally.since_progress = 0;
        self.sink.progress(self.tally.used_bytes, self.tally.skipped_bytes)
    }

    fn finish(mut self, cleaner: &mut Cleaner) -> Result<(), Stop> {
        if let Some((text, place)) = cleaner.finish() {
            self.judge(Verdict::Unparsed, text, place, false)?;
            self.is_cut = true;
        }
        if cleaner.is_inside_page() {
            self.report(Code::TruncatedLastLine, self.tally.last_place, b"")?;
            self.is_cut = true;
        }
        let waiting = std::mem::take(&mut self.unfinished);
        if !waiting.text.is_empty() {
            let is_used = self.judge(Verdict::Unparsed, &waiting.text, waiting.place, true)?;
            self.tally.account(is_used, waiting.bytes, 0);
        }
        self.flush()?;
        self.drop_carried(self.tally.last_place)?;
        self.flush_losses(None)?;
        self.end_section(self.is_cut, self.tally.last_place)?;
        self.overwritten()?;
        self.flush_facts()?;
        for (code, count, place) in cleaner.changes() {
            self.sink.diagnostic(Diagnostic { code, place, sample: b"", count })?;
        }
        self.progress()?;
        self.tally.judge()?;
        if self.tally.records == 0 && self.tally.unparsed == 0 {
            self.report(Code::NoEvents, self.tally.last_place, b"")?;
        }
        Ok(())
    }
}
