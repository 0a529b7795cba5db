//! Lines of a function graph: calls, banners, and the events inside it.

use super::annotation;
use super::graph::{self, Graph, GraphLine};
use super::graph_call::{self, GraphCall};
use super::odd_notes;
use super::payload::{self, Payload};
use super::reader::{TextReader, Verdict};
use super::scan;
use super::section;
use super::signs;
use crate::model::{
    CallRecord, Code, EventKind, EventRecord, Flags, GraphPoint, Place, Stop, TaskRef, TimeOrigin, TimeUnit,
    Timestamp,
};

/// The kernel cuts a name in a banner.
/// Source: kernel/trace/trace_functions_graph.c (`print_graph_proc`), Linux 2.6.29 to 7.3.
const BANNER_NAME_BYTES: usize = 7;

impl TextReader<'_> {
    /// Hands on one line of a graph, with a time laid out from the durations where it has none.
    pub(super) fn graph_line(
        &mut self,
        line: &GraphLine<'_>,
        text: &[u8],
        place: Place,
    ) -> Result<Verdict, Stop> {
        let Some(cpu) = self.cpu(line.cpu.or(Some(0)), place)? else { return Ok(Verdict::Dropped) };
        let depth = self.indentation.depth(cpu, line);
        if line.cpu.is_none() {
            // The lines of all CPUs follow one another.
            self.indentation.forget(cpu);
        }
        let ts = self.graph_time(line, depth.likely, cpu);
        self.arrive(ts, cpu)?;
        self.graph_order(line, text, ts, cpu, place)?;
        // A longer name is cut, which may leave a dash at its end.
        let has_dash = |comm: &[u8]| comm.ends_with(b"-") && comm.len() < BANNER_NAME_BYTES;
        let is_odd_name = |comm: &[u8]| {
            signs::is_quoted_name(comm) || has_dash(comm) || memchr::memmem::find(comm, b"  ").is_some()
        };
        if line.task.is_some_and(|task| is_odd_name(task.comm)) {
            self.section.doubt(place, text);
        }
        let is_odd =
            line.has_second || line.is_time_cut || depth.is_impossible() || signs::is_broken_call(text);
        if is_odd || self.is_torn(line, text) {
            self.section.suspect(Code::SecondRecord, place, text);
        }
        // A person who leaves out a call may keep its duration, and the columns with it.
        let is_elided = line.call == GraphCall::Elided && line.duration_ns.is_some();
        if is_elided
            || matches!(line.call, GraphCall::Enter { .. } | GraphCall::Leaf { .. } | GraphCall::Exit { .. })
        {
            self.graph_columns(line, text, place)?;
        }
        self.section.count_entries(section::entries_of(&line.call));
        if let GraphCall::Comment(comment) = line.call {
            self.graph_event(line, comment, ts, cpu, place)?;
            return Ok(Verdict::Used);
        }
        let at = GraphPoint {
            ts: Some(ts),
            cpu: Some(cpu),
            buffer: b"",
            task: line.task,
            flags: line.flags,
            depth: depth.trusted,
            place,
        };
        let verdict = self.calls(line, at)?;
        let is_drawn = self.graph_notes(line, text, place)?;
        // Lines that a person draws leave the call in its column.
        if is_drawn && depth.is_deeper {
            self.section.suspect(Code::SecondRecord, place, text);
        }
        Ok(verdict)
    }

    /// The time of a line: its own, or one laid out from the durations of the file.
    fn graph_time(&mut self, line: &GraphLine<'_>, depth: u16, cpu: u16) -> Timestamp {
        if let Some(ts) = line.time {
            self.time_is(TimeUnit::Ns, TimeOrigin::Recorded);
            return ts;
        }
        if self.facts.time_origin.is_none() {
            self.time_is(TimeUnit::Ns, TimeOrigin::Derived);
        }
        self.derived_time(line, depth, cpu)
    }

    /// Reports a line that is there twice, or before one that it should follow.
    fn graph_order(
        &mut self,
        line: &GraphLine<'_>,
        text: &[u8],
        ts: Timestamp,
        cpu: u16,
        place: Place,
    ) -> Result<(), Stop> {
        let has_own_length = line.time.is_some() && matches!(line.call, GraphCall::Leaf { .. });
        let duration_ns = line.duration_ns.filter(|_| has_own_length).unwrap_or_default();
        if self.repeated.is_repeated_call(ts, cpu, duration_ns, text) {
            self.report(Code::RepeatedLine, place, text)?;
        }
        if self.graph_times.is_before_others(cpu, line) {
            self.report(Code::OutOfOrder, place, text)?;
        }
        Ok(())
    }

    /// Compares the columns of a call with those of the calls before it.
    fn graph_columns(&mut self, line: &GraphLine<'_>, text: &[u8], place: Place) -> Result<(), Stop> {
        self.section.look(b"graph", line.columns(), place);
        if let Some(layout) = line.layout {
            self.section.graph_columns.see(layout, place);
        }
        if self.joined.is_other_graph(line) {
            self.report(Code::SeveralRecordings, place, text)?;
        }
        Ok(())
    }

    /// True of a line that no kernel prints: a call without a duration, or a comment without a bar, where others have one,
    /// a comment without a word, blanks inside of arguments, or none before a bracket.
    fn is_torn(&mut self, line: &GraphLine<'_>, text: &[u8]) -> bool {
        self.section.has_bars |= line.has_bar;
        match line.call {
            GraphCall::Comment(_) => self.section.has_bars && !line.has_bar,
            GraphCall::Leaf { .. } => {
                self.section.has_durations |= line.duration_ns.is_some();
                has_torn_arguments(&line.call)
                    || self.section.has_durations && line.has_bar && line.duration_ns.is_none()
            }
            GraphCall::Enter { .. } => {
                has_torn_arguments(&line.call) || text.ends_with(b"){") || text.ends_with(b"( {")
            }
            GraphCall::Exit { .. } => {
                has_blank_comment(text)
                    || self.section.has_durations && line.has_bar && line.duration_ns.is_none()
            }
            _ => false,
        }
    }

    fn derived_time(&mut self, line: &GraphLine<'_>, depth: u16, cpu: u16) -> Timestamp {
        let duration_ns = line.duration_ns.unwrap_or_default();
        match line.call {
            GraphCall::Enter { .. } => self.clock.enter(cpu, depth),
            GraphCall::Leaf { .. } => self.clock.leaf(cpu, depth, duration_ns),
            GraphCall::Exit { .. } => self.clock.exit(cpu, depth, duration_ns),
            _ => self.clock.now(cpu),
        }
    }

    /// A line of a graph with all columns switched off; only the header shows that it is one.
    pub(super) fn bare_graph_line(&mut self, text: &[u8], place: Place) -> Result<Option<Verdict>, Stop> {
        if self.facts.tracer.as_deref() != Some("function_graph") {
            return Ok(None);
        }
        match graph::parse_bare(text) {
            Graph::Line(line) => {
                self.tally.count_line();
                self.graph_line(&line, text, place).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `/* sched_waking: comm=... */` is the event; `/* text */` is a trace_printk.
    fn graph_event(
        &mut self,
        line: &GraphLine<'_>,
        comment: &[u8],
        ts: Timestamp,
        cpu: u16,
        place: Place,
    ) -> Result<(), Stop> {
        let shown = self.shown_tasks.remove(&cpu);
        let known = shown.as_ref().map(|(pid, comm)| TaskRef { pid: Some(*pid), comm, tgid: None });
        let (kind, name, args) = match payload::parse(comment) {
            Payload::Event { kind, name, args } if kind != EventKind::Unknown => (kind, name, args),
            Payload::Stack { kind, .. } => {
                self.stack.expect(kind);
                (EventKind::Bprint, &b"bprint"[..], comment)
            }
            _ => (EventKind::Bprint, &b"bprint"[..], comment),
        };
        if kind == EventKind::Tracepoint {
            self.section.look(name, args, place);
        }
        let task = line.task.or(known).unwrap_or_default();
        let result = self.sink.event(&EventRecord {
            ts,
            cpu,
            buffer: b"",
            task,
            flags: line.flags,
            kind,
            system: None,
            name,
            args,
            place,
        });
        if let Some(shown) = shown {
            self.shown_tasks.insert(cpu, shown);
        }
        result
    }

    /// What a person wrote after the call (`f();  <=== slow`) or before it; true for lines drawn before it.
    fn graph_notes(&mut self, line: &GraphLine<'_>, text: &[u8], place: Place) -> Result<bool, Stop> {
        // `<========== |` of the kernel is no arrow of a person.
        if matches!(line.call, GraphCall::Irq { .. }) {
            return Ok(false);
        }
        // A line of the kernel ends with the call, and only blanks precede it.
        if let Some((_, note)) = annotation::note(text) {
            if odd_notes::is_odd_note(note) {
                self.section.doubt(place, note);
            }
            self.note(note, place)?;
        }
        let symbol = match line.call {
            GraphCall::Enter { symbol, .. } | GraphCall::Leaf { symbol, .. } => symbol,
            _ => return Ok(false),
        };
        let Some(bar) = memchr::memchr(b'|', text) else { return Ok(false) };
        let last_column = text.get(bar.saturating_add(1)..).unwrap_or_default();
        let blanks = last_column.iter().take_while(|byte| **byte == b' ').count();
        // With more columns than the duration, the first bar is not the one before the call.
        let has_more_columns = line.time.is_some() || line.task.is_some() || line.flags.has(Flags::KNOWN);
        if has_more_columns || last_column.get(blanks..).is_some_and(|call| call.starts_with(symbol)) {
            return Ok(false);
        }
        let column = graph_call::symbol_column(last_column, &line.call);
        let note = graph_call::note_before(last_column, column);
        self.note(note, place)?;
        let art = last_column.get(..column).unwrap_or_default();
        if art.iter().all(|byte| matches!(byte, b'|' | b' ' | b'\t')) {
            self.section.see_bar(place);
        }
        Ok(note.is_empty())
    }

    /// ` 0)   ksoftir-18   => qemu-kv-17653`
    pub(super) fn banner(
        &mut self,
        cpu: u64,
        prev: TaskRef<'_>,
        next: TaskRef<'_>,
        place: Place,
    ) -> Result<Verdict, Stop> {
        let Some(cpu) = self.cpu(Some(cpu), place)? else { return Ok(Verdict::Dropped) };
        self.flush()?;
        self.indentation.forget(cpu);
        // ` 0)  cyclict-273   =>  c274   =>    <idle>-0`, ` 0)  cyclict-27 cyclict-274   =>    <idle>-0`
        let is_longer = [prev, next].iter().any(|task| task.comm.len() > BANNER_NAME_BYTES);
        if memchr::memmem::find(next.comm, b"=>").is_some() || is_longer {
            self.section.suspect(Code::SecondRecord, place, next.comm);
        }
        if let Some(pid) = next.pid {
            let shown = self.shown_tasks.entry(cpu).or_default();
            shown.0 = pid;
            shown.1.clear();
            shown.1.extend_from_slice(next.comm);
        }
        // A banner has no time; it gets that of the last line of any CPU.
        let ts = match self.facts.time_origin {
            Some(TimeOrigin::Recorded) => self.last.map(|(ts, _)| ts),
            _ => Some(self.clock.now(cpu)),
        };
        let (cpu, flags) = (Some(cpu), Default::default());
        let at = GraphPoint { ts, cpu, buffer: b"", task: None, flags, depth: None, place };
        self.sink.call(&CallRecord::Switch { at, prev, next })?;
        Ok(Verdict::Used)
    }
}

/// `/*  */`
fn has_blank_comment(text: &[u8]) -> bool {
    let inside = memchr::memmem::find(text, b"/*").and_then(|at| text.get(at.saturating_add(2)..));
    inside.is_some_and(|inside| scan::skip_blanks(inside).starts_with(b"*/"))
}

/// True where the arguments of a call have a gap, or a bracket too many or too few: `f(g();`, `)t_update_offsets_now(`.
pub(super) fn has_torn_arguments(call: &GraphCall<'_>) -> bool {
    match call {
        GraphCall::Leaf { args, .. } | GraphCall::Enter { args, .. } => {
            memchr::memmem::find(args, b"  ").is_some()
                // Strings may hold anything.
                || scan::has_open_bracket(args, b"(", b")") && !args.contains(&b'"')
        }
        _ => false,
    }
}
