//! Lines with the columns of a record: events, functions, stacks, and the graph of trace-cmd report.

use super::annotation;
use super::context::{Context, Cpu, Time};
use super::graph_call::GraphCall;
use super::payload::{self, Payload};
use super::pending::Continuation;
use super::reader::{TextReader, Verdict};
use super::time_steps::TimeSteps;
use super::{as_printed, graph, graph_lines, odd_notes, printed_fields, report_graph, scan, signs, stated};
use crate::model::{
    CallRecord, Code, EventKind, EventRecord, GraphPoint, Ns, Place, StackKind, Stop, TimeOrigin, TimeUnit,
    Timestamp,
};

/// A line whose columns were read.
#[derive(Clone, Copy)]
struct RecordLine<'l> {
    context: &'l Context<'l>,
    ts: Timestamp,
    cpu: u16,
    place: Place,
}

impl<'l> RecordLine<'l> {
    /// The line as an event of this name.
    fn event<'e>(&self, kind: EventKind, name: &'e [u8], args: &'e [u8]) -> EventRecord<'e>
    where
        'l: 'e,
    {
        let Self { context, ts, cpu, place } = *self;
        let Context { buffer, task, flags, .. } = *context;
        EventRecord { ts, cpu, buffer, task, flags, kind, system: None, name, args, place }
    }
}

impl TextReader<'_> {
    /// Time and CPU of the next record; `None`, which is reported, where it has to be dropped.
    pub(super) fn begin_record(
        &mut self,
        context: &Context<'_>,
        place: Place,
    ) -> Result<Option<(Timestamp, u16)>, Stop> {
        let number = match context.cpu {
            Cpu::Number(number) => Some(number),
            Cpu::Absurd => None,
        };
        let Some(cpu) = self.cpu(number, place)? else { return Ok(None) };
        let Some(ts) = self.timestamp(context, place)? else { return Ok(None) };
        self.arrive(ts, cpu)?;
        self.section.count_entries(1);
        self.section.see_number(cpu, place);
        Ok(Some((ts, cpu)))
    }

    /// Hands on the record of one line.
    pub(super) fn record(&mut self, context: &Context<'_>, place: Place) -> Result<Verdict, Stop> {
        let announced = std::mem::take(&mut self.announced_buffer);
        let buffer = if context.buffer.is_empty() { &announced } else { context.buffer };
        let context = &Context { buffer, ..*context };
        let Some((ts, cpu)) = self.begin_record(context, place)? else { return Ok(Verdict::Dropped) };
        let line = RecordLine { context, ts, cpu, place };
        let payload = payload::parse(context.payload);
        self.question(&line, &payload)?;
        match payload {
            Payload::Event { kind, name, args } => self.named_event(&line, kind, name, args)?,
            Payload::Function { function, parent } => self.function(&line, function, parent)?,
            Payload::Syscall { enter, call, args } => self.syscall(&line, enter, call, args)?,
            Payload::Stack { kind, name, args } => self.stack(&line, kind, name, args)?,
            Payload::Graph { enter, text } => return self.report_graph(&line, enter, text),
        }
        Ok(Verdict::Used)
    }

    /// Takes note of every sign that the line is not what it looks like.
    fn question(&mut self, line: &RecordLine<'_>, payload: &Payload<'_>) -> Result<(), Stop> {
        let RecordLine { context, ts, cpu, place } = *line;
        let is_misspelt = self.section.task_names.is_misspelt(cpu, context.task.pid, context.task.comm);
        self.section.heads.see(context, place);
        // The kernel prints a stack with these columns among the lines of a graph, too.
        if !matches!(payload, Payload::Stack { .. })
            && self.joined.is_other_record(context.layout, context.columns)
        {
            self.report(Code::SeveralRecordings, place, context.payload)?;
            // Its times need not follow from those before.
            self.section.steps = TimeSteps::default();
        }
        let has_time = !matches!(context.time, Time::Ticks(_));
        if has_time && self.section.steps.see(ts, cpu, context.payload, place) {
            self.report(Code::OutOfOrder, place, context.payload)?;
        }
        if self.repeated.is_repeated((ts, cpu), context, payload) {
            self.report(Code::RepeatedLine, place, context.payload)?;
        }
        let is_open_call = matches!(payload, Payload::Syscall { enter: true, .. })
            && printed_fields::is_open_call(context.payload);
        if signs::has_signs(context, payload) {
            self.section.suspect(Code::SecondRecord, place, context.payload);
        } else if signs::is_misstated(payload) || is_open_call {
            self.section.suspect(Code::OddFields, place, context.payload);
        } else if signs::has_controls(payload) {
            self.report(Code::ControlChars, place, context.payload)?;
        } else if is_misspelt
            || signs::is_odd_counter(payload)
            || as_printed::is_changed(payload)
            || signs::is_quoted_name(context.task.comm)
        {
            self.section.doubt(place, context.payload);
        }
        Ok(())
    }

    /// An event by its name as printed.
    fn named_event(
        &mut self,
        line: &RecordLine<'_>,
        kind: EventKind,
        name: &[u8],
        args: &[u8],
    ) -> Result<(), Stop> {
        let RecordLine { context, ts, cpu, place } = *line;
        match kind {
            EventKind::Tracepoint => {
                if self.joined.is_other_name(context.payload, name) {
                    self.report(Code::SeveralRecordings, place, context.payload)?;
                }
                self.section.look(name, args, place);
                // A synthetic event with a stack: `stack=STACK:`
                if args.ends_with(b"STACK:") {
                    self.stack.expect(StackKind::Kernel);
                }
            }
            EventKind::Unknown if name == b"unknown" && !is_type_number(args) => {
                self.section.suspect(Code::OddFields, place, args);
            }
            EventKind::Print | EventKind::Bprint => self.section.texts.begin(),
            EventKind::Tracer => {
                self.section.look(name, args, place);
                self.sample_number(name, args, (ts, cpu), place)?;
            }
            _ => {}
        }
        self.prints_names_apart = payload::is_padded(context.payload, name);
        self.event(&line.event(kind, name, args))
    }

    /// `sys_openat(dfd: ffffff9c, ...)` as `sys_enter_openat`, `sys_openat -> 0x3` as `sys_exit_openat`.
    fn syscall(&mut self, line: &RecordLine<'_>, enter: bool, call: &[u8], args: &[u8]) -> Result<(), Stop> {
        let mut name = std::mem::take(&mut self.scratch);
        name.clear();
        name.extend_from_slice(if enter { b"sys_enter_" } else { b"sys_exit_" });
        name.extend_from_slice(call);
        self.section.look_at_call(&name, args, line.place);
        self.event(&line.event(EventKind::Tracepoint, &name, args))?;
        self.scratch = name;
        Ok(())
    }

    /// The title of a stack, whose frames are on the lines that follow.
    fn stack(
        &mut self,
        line: &RecordLine<'_>,
        kind: StackKind,
        name: &[u8],
        args: &[u8],
    ) -> Result<(), Stop> {
        self.section.look(name, args, line.place);
        // trace-cmd report -N begins the stack after the name: `kernel_stack:         \t=> do_idle`
        let frame = annotation::frame(args);
        let args = if frame.is_some() { b"" } else { args };
        self.sink.event(&line.event(EventKind::Tracepoint, name, args))?;
        self.stack.expect(kind);
        if let Some(frame) = frame {
            self.section.look(b"frame", stated::frame_columns(args), line.place);
            self.stack.push(frame, Some((line.ts, line.cpu)), line.place);
        }
        Ok(())
    }

    /// False where the tracer of the header writes no functions.
    fn has_functions(&self) -> bool {
        const WITHOUT: [&str; 6] = ["nop", "timerlat", "osnoise", "hwlat", "blk", "mmiotrace"];
        !self.facts.tracer.as_deref().is_some_and(|tracer| WITHOUT.contains(&tracer))
    }

    fn timestamp(&mut self, context: &Context<'_>, place: Place) -> Result<Option<Timestamp>, Stop> {
        let (ts, unit) = match context.time {
            Time::Seconds(ts) | Time::Micros(ts) => (ts, TimeUnit::Ns),
            Time::Ticks(ts) => (ts, TimeUnit::Ticks),
            Time::OutOfRange => {
                self.report(Code::TimestampOutOfRange, place, context.payload)?;
                return Ok(None);
            }
            Time::Bad => {
                self.report(Code::BadTimestamp, place, context.payload)?;
                return Ok(None);
            }
        };
        self.time_is(unit, TimeOrigin::Recorded);
        Ok(Some(ts))
    }

    /// Hands `event` on, or holds it where its text may continue in the next line.
    pub(super) fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        let is_text = matches!(event.kind, EventKind::Print | EventKind::Bprint);
        let mut event = *event;
        let mut note = None;
        if !is_text && let Some((args, text)) = annotation::note(event.args) {
            event.args = args;
            note = Some(text);
            if odd_notes::is_odd_note(text) {
                self.section.doubt(event.place, text);
            }
        }
        match continuation(&event, self.prints_names_apart) {
            Some(continuation) => self.pending.hold(&event, continuation),
            None => self.sink.event(&event)?,
        }
        match note {
            Some(text) => self.note(text, event.place),
            None => Ok(()),
        }
    }

    /// A line of the function tracer.
    fn function(
        &mut self,
        line: &RecordLine<'_>,
        function: &[u8],
        parent: Option<&[u8]>,
    ) -> Result<(), Stop> {
        let (payload, place) = (line.context.payload, line.place);
        let keys = function_columns(function, parent);
        self.section.look(b"function", keys, place);
        let is_named = !self.prints_names_apart || payload.starts_with(b"function:");
        let is_begun = parent.is_none() && (!is_named || self.section.begins_event(function));
        if is_begun || !self.has_functions() {
            self.section.doubt(place, payload);
        }
        if parent.is_some_and(signs::is_odd_parent) {
            self.section.suspect(Code::SecondRecord, place, payload);
        }
        self.function_event(line, function, parent)
    }

    /// The arguments of the event are always `func <-parent`, or only `func`.
    fn function_event(
        &mut self,
        line: &RecordLine<'_>,
        function: &[u8],
        parent: Option<&[u8]>,
    ) -> Result<(), Stop> {
        let payload = line.context.payload;
        let event = |args| line.event(EventKind::Function, b"function", args);
        let is_as_printed = parent.is_some_and(|parent| payload.len() == function.len() + 3 + parent.len());
        // `func (parent)` of kernels before 2.6.30 is as long.
        let has_arrow = payload.get(function.len().saturating_add(1)) == Some(&b'<');
        if is_as_printed && has_arrow && memchr::memmem::find(payload, b" <--").is_none() {
            return self.event(&event(payload));
        }
        let Some(parent) = parent else {
            self.pending.hold(&event(function), Continuation::Parent);
            return Ok(());
        };
        let mut args = std::mem::take(&mut self.scratch);
        args.clear();
        let (parent, note) = annotation::note(parent).unwrap_or((parent, b""));
        for part in [function, b" <-", parent] {
            args.extend_from_slice(part);
        }
        self.sink.event(&line.event(EventKind::Function, b"function", &args))?;
        self.scratch = args;
        if odd_notes::is_odd_note(note) {
            self.section.doubt(line.place, note);
        }
        self.note(note, line.place)
    }

    /// `funcgraph_entry:        1.456 us   |    _raw_spin_unlock();`
    fn report_graph(&mut self, line: &RecordLine<'_>, enter: bool, text: &[u8]) -> Result<Verdict, Stop> {
        let RecordLine { context, ts, cpu, place } = *line;
        let at = GraphPoint {
            ts: Some(ts),
            cpu: Some(cpu),
            buffer: context.buffer,
            task: Some(context.task),
            flags: context.flags,
            depth: None,
            place,
        };
        let by_fields = report_graph::raw_fields(text, enter, at);
        if by_fields.is_some() && report_graph::are_odd_fields(text) {
            self.section.suspect(Code::SecondRecord, place, text);
        }
        if let Some(call) = by_fields.or_else(|| report_graph::kernel_format(text, enter, at)) {
            self.sink.call(&call)?;
            return Ok(Verdict::Used);
        }
        match graph::parse_without_cpu(text) {
            graph::Graph::Line(line) => {
                // `funcgraph_entry:       |  } /* f */`
                let is_exit = matches!(line.call, GraphCall::Exit { .. });
                if is_exit == enter || line.has_second || graph_lines::has_torn_arguments(&line.call) {
                    self.section.suspect(Code::SecondRecord, place, text);
                }
                self.calls(&line, GraphPoint { depth: line.depth, ..at })
            }
            graph::Graph::BadDuration => {
                self.report(Code::BadDuration, place, text)?;
                Ok(Verdict::Dropped)
            }
            graph::Graph::Unfinished => Ok(Verdict::Unfinished),
            // `funcgraph_entry:      # ` / `2079.480 us |  gether_disconnect();`
            graph::Graph::No if memchr::memchr(b'|', text).is_none() => Ok(Verdict::Unfinished),
            graph::Graph::No => Ok(Verdict::Unparsed),
        }
    }

    /// Hands on what a graph line says at `at`.
    pub(super) fn calls(&mut self, line: &graph::GraphLine<'_>, at: GraphPoint<'_>) -> Result<Verdict, Stop> {
        let duration_ns = line.duration_ns.map(Ns);
        match line.call {
            GraphCall::Enter { symbol, args } => self.sink.call(&CallRecord::Enter { at, symbol, args })?,
            GraphCall::Leaf { symbol, args, retval: b"" } => {
                self.sink.call(&CallRecord::Leaf { at, symbol, duration_ns, args })?;
            }
            // A leaf has no place for a return value, so it is handed on as its entry and its exit.
            GraphCall::Leaf { symbol, args, retval } => {
                self.sink.call(&CallRecord::Enter { at, symbol, args })?;
                let ts = at.ts.map(|ts| ts + duration_ns.unwrap_or_default());
                let at = GraphPoint { ts, ..at };
                self.sink.call(&CallRecord::Exit { at, symbol: Some(symbol), duration_ns, retval })?;
            }
            GraphCall::Exit { symbol, retval } => {
                self.sink.call(&CallRecord::Exit { at, symbol, duration_ns, retval })?;
            }
            GraphCall::Irq { enter } => self.sink.call(&CallRecord::Irq { at, enter })?,
            GraphCall::Elided => self.sink.call(&CallRecord::Elided { at })?,
            GraphCall::Comment(_) | GraphCall::Unfinished | GraphCall::Nothing => {
                return Ok(Verdict::Unparsed);
            }
        }
        Ok(Verdict::Used)
    }
}

/// What is the same in all entries of functions of a recording: whether there is a parent, and where it lies.
fn function_columns(function: &[u8], parent: Option<&[u8]>) -> &'static [u8] {
    let has_address = |symbol: &[u8]| memchr::memmem::find(symbol, b" <").is_some();
    match parent {
        None => b"",
        Some(parent) if has_address(function) && has_address(parent) => b"<f=<-=<p=",
        Some(_) if has_address(function) => b"<f=<-=",
        Some(parent) if has_address(parent) => b"<-=<p=",
        Some(_) => b"<-=",
    }
}

/// Whether the line after `event` may belong to it. trace-cmd names what it prints (`prints_names_apart`);
/// the kernel does not, so that any event without fields may be a print.
fn continuation(event: &EventRecord<'_>, prints_names_apart: bool) -> Option<Continuation> {
    match event.kind {
        EventKind::Print | EventKind::Bprint => Some(Continuation::NewLine),
        EventKind::Tracepoint if event.name == b"console" => Some(Continuation::NewLine),
        // trace_printk prints `caller: text`, and its text has no `key=value` more often than not.
        EventKind::Tracepoint if prints_names_apart || event.args.starts_with(b"NR ") => None,
        EventKind::Tracepoint if memchr::memchr(b'=', event.args).is_none() && has_words(event.args) => {
            Some(Continuation::NewLine)
        }
        EventKind::Tracer if event.name == b"hwlat" && memchr::memmem::find(event.args, b"ts:").is_none() => {
            Some(Continuation::Fields)
        }
        _ => None,
    }
}

/// `type: 313`, `Unknown type 77`: a record that the kernel itself cannot name.
pub(super) fn is_type_number(args: &[u8]) -> bool {
    let number = [&b"type: "[..], b"Unknown type ", b"UNKNOWN TYPE "]
        .iter()
        .find_map(|start| args.strip_prefix(*start));
    number.is_some_and(|number| !number.is_empty() && number.trim_ascii().iter().all(u8::is_ascii_digit))
}

fn has_words(args: &[u8]) -> bool {
    memchr::memchr2_iter(b' ', b'\t', scan::trim(args)).nth(1).is_some()
}
