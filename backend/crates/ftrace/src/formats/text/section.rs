//! The records after one header: how many entries it announces, and how many were read.

use super::chopped_lines::ChoppedLines;
use super::cuts::SinceCut;
use super::frame_addresses::FrameAddresses;
use super::graph_call::GraphCall;
use super::graph_columns::GraphColumns;
use super::head_width::HeadWidth;
use super::header::{self, Announced};
use super::printed_texts::PrintedTexts;
use super::reader::TextReader;
use super::sample_numbers::SampleNumbers;
use super::scan;
use super::shapes::Shapes;
use super::suspicions::Suspicions;
use super::task_names::TaskNames;
use super::time_steps::TimeSteps;
use super::unnamed::unnamed;
use crate::model::{Code, Diagnostic, LossCause, LossRecord, Place, Stop, may_be_excerpt};

/// In a section of at least this many entries, a call that is the only one is out of place.
const MIN_OTHER_ENTRIES: u64 = 4;

/// The part of a text up to its next header.
#[derive(Debug, Default)]
pub struct Section {
    announced: Option<Announced>,
    /// Entries of the ring buffer that were read.
    entries: u64,
    /// Lines that may have been entries, and were not read.
    bad_lines: u64,
    /// A person left lines out, and said so.
    is_elided: bool,
    cpus: SinceCut,
    suspicions: Suspicions,
    /// The same lines for a text with as many entries as announced: none hides another, but each may be damaged.
    doubts: Suspicions,
    shapes: Shapes,
    pub(super) sample_numbers: SampleNumbers,
    pub(super) task_names: TaskNames,
    pub(super) heads: HeadWidth,
    pub(super) chopped: ChoppedLines,
    pub(super) texts: PrintedTexts,
    pub(super) steps: TimeSteps,
    pub(super) frames: FrameAddresses,
    pub(super) graph_columns: GraphColumns,
    /// The first comment of a header that is no statement of the kernel, or announces a count that does not follow.
    pub(super) other_comment: Option<Place>,
    /// Calls of a graph that call nothing were printed with their durations.
    pub(super) has_durations: bool,
    /// Lines of a graph were printed with a bar before the call.
    pub(super) has_bars: bool,
    /// Records of CPUs past those of the header: how many, and the first.
    beyond: Option<(u64, Place)>,
    /// Calls behind a bar more than others have, as people draw them: how many, and the first.
    bars: Option<(u64, Place)>,
    /// The first line of dashes that is no rule of a banner: where, and how many.
    pub(super) odd_rule: Option<(Place, usize)>,
}

impl Section {
    /// Takes note of a record of `cpu`.
    pub fn see(&mut self, cpu: u16) {
        self.cpus.see(cpu);
    }

    /// Adds entries of the ring buffer, of which a record may stand for several.
    pub fn count_entries(&mut self, count: u64) {
        self.entries = self.entries.saturating_add(count);
    }

    /// Takes note of a record's CPU. The header counts those that were online, whose numbers may be larger; one record of
    /// such a CPU is likely to be of another one.
    pub fn see_number(&mut self, cpu: u16, place: Place) {
        if self.announced.is_some_and(|announced| announced.cpus > 0 && u32::from(cpu) >= announced.cpus) {
            let (count, _) = self.beyond.get_or_insert((0, place));
            *count = count.saturating_add(1);
        }
    }

    /// Takes note of a call behind a bar more than others have. A person draws several, one above the other.
    pub fn see_bar(&mut self, place: Place) {
        let (count, _) = self.bars.get_or_insert((0, place));
        *count = count.saturating_add(1);
    }

    /// Counts a line that may have been an entry and could not be read.
    pub fn count_bad_line(&mut self) {
        self.bad_lines = self.bad_lines.saturating_add(1);
    }

    /// Takes note that a person has left lines out, so that fewer entries than announced are no sign of damage.
    pub fn elide(&mut self) {
        self.is_elided = true;
    }

    /// Takes note that a line may not be what it was read as.
    pub fn suspect(&mut self, code: Code, place: Place, line: &[u8]) {
        self.suspicions.add(code, place, line);
        self.doubts.add(Code::DoubtfulText, place, line);
    }

    /// Takes note that the text of a record may be damaged, and hides no other.
    pub fn doubt(&mut self, place: Place, line: &[u8]) {
        self.suspicions.add(Code::DoubtfulText, place, line);
        self.doubts.add(Code::DoubtfulText, place, line);
    }

    /// Takes note of the fields of an event: of many alike, one that is different was damaged.
    pub fn look(&mut self, name: &[u8], args: &[u8], place: Place) {
        // `NR 44 (d, f402678c10)`: numbers in letters and digits, without a field's name.
        if !args.starts_with(b"NR ") {
            let args = &unnamed(args);
            if Shapes::has_field_twice(args) {
                self.doubts.add(Code::DoubtfulText, place, args);
                // Where entries are counted, the count shows whether a line hides another.
                if self.announced.is_none() {
                    self.suspicions.add(Code::OddFields, place, args);
                }
            }
            self.shapes.look(name, args, place);
        }
    }

    /// True for a function without a parent that begins the name of an event: the rest of its line is gone.
    pub fn begins_event(&self, function: &[u8]) -> bool {
        self.shapes.has_longer_name(b"", function)
            || function.strip_prefix(b"sys_").is_some_and(|call| {
                self.shapes.has_longer_name(b"sys_enter_", call)
                    || self.shapes.has_longer_name(b"sys_exit_", call)
            })
    }

    /// The same of a system call in words: `dfd: ffffff9c, filename: 7f00`.
    pub fn look_at_call(&mut self, name: &[u8], args: &[u8], place: Place) {
        let names = args.split(|byte| *byte == b',').map(|argument| {
            let colon = memchr::memchr(b':', argument);
            colon.and_then(|at| argument.get(..at)).map_or(&b"?"[..], scan::trim)
        });
        let keys: Vec<u8> = names.flat_map(|name| [name, b"="]).flatten().copied().collect();
        self.shapes.look(name, &keys, place);
    }

    /// True where a record of `cpu` was read.
    pub fn has_cpu(&self, cpu: u16) -> bool {
        self.cpus.has(cpu)
    }

    /// True where records of the section were read.
    pub fn has_records(&self) -> bool {
        self.cpus.len() > 0
    }

    /// A call of a graph, or a function without its parent, that is the only one among other records: the remains of
    /// a line.
    fn remains(&self) -> impl Iterator<Item = (Place, &[u8])> {
        let function = self.shapes.only_record(b"function").filter(|(_, keys)| keys.is_empty());
        let graph = self.shapes.only_record(b"graph").filter(|_| self.entries >= MIN_OTHER_ENTRIES);
        function.filter(|_| self.entries > 1).into_iter().chain(graph)
    }

    /// Records unlike all others of their kind.
    fn odd(&self) -> impl Iterator<Item = (Place, &[u8])> {
        self.shapes.odd().into_iter().chain(self.remains())
    }

    /// Lines that say themselves that they may be the missing entries.
    fn explained(&self) -> u64 {
        self.bad_lines.saturating_add(self.suspicions.count())
    }

    /// The kernel announces the entries of all CPUs above the file of one (`per_cpu/cpu0/trace`), too.
    fn is_of_one_cpu(&self) -> bool {
        let is_of_several = |announced: Announced| announced.cpus > 1 && !announced.is_of_latency;
        self.announced.is_some_and(is_of_several) && self.cpus.len() == 1
    }

    /// True where a text with too few entries may be whole all the same: that of one CPU with its fair share of
    /// the few that there are.
    fn may_be_whole(&self, announced: Announced) -> bool {
        let share = self.entries.saturating_mul(u64::from(announced.cpus));
        self.is_of_one_cpu()
            && self.explained() == 0
            && may_be_excerpt(announced.entries)
            && share >= announced.entries
    }
}

/// Where the only one is.
fn only((count, first): (u64, Place)) -> Option<Place> {
    (count == 1).then_some(first)
}

/// Entries of the ring buffer that a line of a graph stands for: a leaf is an entry and an exit.
/// Source: kernel/trace/trace_functions_graph.c (`print_graph_entry_leaf`), Linux 5.10 to 7.3.
pub fn entries_of(call: &GraphCall<'_>) -> u64 {
    match call {
        GraphCall::Leaf { .. } => 2,
        GraphCall::Enter { .. } | GraphCall::Exit { .. } | GraphCall::Comment(_) => 1,
        GraphCall::Irq { .. } | GraphCall::Elided | GraphCall::Unfinished | GraphCall::Nothing => 0,
    }
}

impl TextReader<'_> {
    /// Ends a section where `line` begins another.
    pub(super) fn begin_section(&mut self, line: &[u8], place: Place) -> Result<(), Stop> {
        let announced = header::announced(line);
        if announced.is_some() || line.starts_with(b"# tracer: ") {
            self.end_section(false, place)?;
            self.section.announced = announced;
        }
        Ok(())
    }

    /// Compares what was announced with what was read. `is_cut` where the text ends within a line.
    pub(super) fn end_section(&mut self, is_cut: bool, place: Place) -> Result<(), Stop> {
        let mut section = std::mem::take(&mut self.section);
        if let Some((place, sample)) = section.steps.jump() {
            self.report(Code::SeveralRecordings, place, sample)?;
        }
        self.doubt_whole_section(&mut section);
        let Section { announced, entries, .. } = section;
        let is_complete = announced.is_some_and(|announced| announced.entries == entries);
        let missing = announced.and_then(|announced| announced.entries.checked_sub(entries)).unwrap_or(0);
        let explained = section.explained().saturating_add(u64::from(is_cut));
        if is_complete {
            let mut doubts = std::mem::take(&mut section.doubts);
            section.odd().for_each(|(place, args)| doubts.add(Code::DoubtfulText, place, args));
            doubts.report(self.sink)?;
        } else {
            self.report_suspicions(&mut section)?;
        }
        if let Some(announced) = announced.filter(|_| !is_complete) {
            // perf-tools prints the header of the empty buffer, and then trace_pipe.
            let is_streamed = announced.entries == 0 && announced.written == Some(0);
            let is_explained = missing > 0 && missing <= explained;
            if !is_explained && (is_cut || !is_streamed) {
                let may_be_whole = !is_cut && section.may_be_whole(announced);
                let code = if may_be_whole { Code::OneCpuOnly } else { Code::HeaderMismatch };
                let count = announced.entries.abs_diff(entries);
                let sample = announced.text();
                self.sink.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count })?;
            }
        }
        let has_lost_end = missing > section.explained() && !section.is_elided && !section.is_of_one_cpu();
        let missing = (missing > 0).then_some(missing);
        if is_cut || has_lost_end { self.cut_off(&mut section.cpus, missing, place) } else { Ok(()) }
    }

    /// Takes note of lines that look damaged only beside all others of their section.
    fn doubt_whole_section(&self, section: &mut Section) {
        let heads = std::mem::take(&mut section.heads);
        if let Some((place, line)) = heads.cut() {
            section.doubt(place, line);
        }
        let chopped = std::mem::take(&mut section.chopped);
        if let Some((place, line)) = chopped.first() {
            section.doubt(place, line);
        }
        let texts = std::mem::take(&mut section.texts);
        if let Some((place, line)) = texts.alone() {
            section.suspect(Code::LinesJoined, place, line);
        }
        if let Some((place, length)) = section.odd_rule.filter(|_| section.shapes.record_count(b"graph") > 0)
        {
            section.doubt(place, "-".repeat(length).as_bytes());
        }
        for place in [section.beyond, section.bars].into_iter().flatten().filter_map(only) {
            section.doubt(place, b"");
        }
        let graph_columns = std::mem::take(&mut section.graph_columns);
        graph_columns.alone().for_each(|place| section.doubt(place, b""));
        // Where entries are announced, their number shows whether some are gone.
        let is_counted = section.announced.is_some();
        if let Some(place) = section.other_comment.filter(|_| section.has_records() && !is_counted) {
            section.doubt(place, b"");
        }
        // The wakeup tracers print entries of no function, the function tracer does not.
        let is_of_functions = self.facts.tracer.as_deref() == Some("function");
        if let Some(place) = section.shapes.function_without_parent().filter(|_| is_of_functions) {
            section.doubt(place, b"");
        }
    }

    /// Reports the suspicions about a section whose entries are not counted, or are not as many as announced.
    fn report_suspicions(&mut self, section: &mut Section) -> Result<(), Stop> {
        let mut suspicions = std::mem::take(&mut section.suspicions);
        let is_announced = section.announced.is_some();
        // Where entries are counted, the count shows whether a line hides another.
        let code = if is_announced { Code::DoubtfulText } else { Code::OddFields };
        let odd = section.odd().filter(|(_, args)| !is_announced || !args.is_empty());
        odd.for_each(|(place, args)| suspicions.add(code, place, args));
        suspicions.report(self.sink)?;
        let first_loss = suspicions.first_loss();
        section.suspicions = suspicions;
        let Some(place) = first_loss else { return Ok(()) };
        // Too late to say where: what came after it was handed on long ago.
        let (cpu, buffer, ts, count) = (None, None, None, None);
        let cause = LossCause::Unreadable;
        self.sink.loss(&LossRecord { cpu, buffer, ts, count, cause, place })
    }

    /// What all CPUs did after their last records is not in the file.
    fn cut_off(&mut self, cpus: &mut SinceCut, count: Option<u64>, place: Place) -> Result<(), Stop> {
        self.flush()?;
        let (buffer, ts, cause) = (None, None, LossCause::CutOff);
        for cpu in cpus.take() {
            self.sink.loss(&LossRecord { cpu: Some(cpu), buffer, ts, count: None, cause, place })?;
        }
        match count {
            Some(_) => self.sink.loss(&LossRecord { cpu: None, buffer, ts, count, cause, place }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "section_tests.rs"]
mod tests;
