//! Records of the ring buffer into what the sink takes.

use super::btf::FunctionArgs;
use super::byte_order::ByteOrder;
use super::common_fields::{CommonFields, kernel_version};
use super::cpu_stream::CpuStream;
use super::event_types::{EventType, EventTypes, Handler, OwnEntry, ParseContext, number};
use super::last_boot::LastBoot;
use super::metadata::Metadata;
use super::own_entries::{OwnContext, OwnRecord};
use super::plain_fields::{print_fields, print_syscall_enter, print_syscall_exit};
use super::print_fmt::pointer::push_address;
use super::print_fmt::spec::PointerKind;
use super::print_fmt::{PrintContext, Printer};
use super::proc_maps::ProcMaps;
use super::symbols::Symbols;
use super::text_tables::{Cmdlines, PrintkFormats};
use crate::model::{
    CallRecord, Code, Diagnostic, EventKind, EventRecord, Flags, GraphPoint, Limits, Ns, Place, Sink,
    StackKind, StackRecord, Stop, TaskRef, Timestamp, grouped,
};

/// Decodes records, whatever CPU they are of.
pub struct Decoder<'l> {
    types: EventTypes,
    tables: Tables,
    limits: &'l Limits,
    max_record_bytes: usize,
    printer: Printer,
    args: Vec<u8>,
    more: Vec<u8>,
}

/// What decoding looks things up in.
struct Tables {
    order: ByteOrder,
    long_bytes: usize,
    common: CommonFields,
    symbols: Symbols,
    last_boot: Option<LastBoot>,
    printk_formats: PrintkFormats,
    cmdlines: Cmdlines,
    proc_maps: ProcMaps,
    function_args: FunctionArgs,
    /// Of the texts of symbols, printk formats and names of tasks.
    table_places: [Place; 3],
    /// The kernel prints `0x` before the arguments of system calls.
    has_syscall_prefix: bool,
}

/// A record with what its common fields say.
struct Context<'r> {
    ts: Timestamp,
    cpu: u16,
    buffer: &'r [u8],
    task: TaskRef<'r>,
    flags: Flags,
    place: Place,
}

impl<'l> Decoder<'l> {
    /// `last_boot` is the option about the boot before, `kernel` the release that the file names.
    pub fn new(
        metadata: Metadata,
        proc_maps: ProcMaps,
        last_boot: Option<&[u8]>,
        order: ByteOrder,
        max_record_bytes: usize,
        kernel: Option<&str>,
        limits: &'l Limits,
    ) -> Self {
        let long_bytes = metadata.long_bytes;
        let types = EventTypes::new(metadata.formats);
        let Metadata { kallsyms, printk_formats, saved_cmdlines, .. } = metadata;
        let table_places = [kallsyms.place, printk_formats.place, saved_cmdlines.place];
        let symbols = Symbols::parse(kallsyms.text);
        let last_boot =
            last_boot.and_then(|option| LastBoot::parse(option, &metadata.modules, symbols.text_start()));
        let common = types
            .any_format(ParseContext { symbols: &symbols, long_bytes, max_record_bytes, limits })
            .map(|format| CommonFields::of(&format, kernel));
        let tables = Tables {
            order,
            long_bytes,
            common: common.unwrap_or_else(CommonFields::usual),
            symbols,
            last_boot,
            printk_formats: PrintkFormats::parse(&printk_formats.text),
            cmdlines: Cmdlines::parse(&saved_cmdlines.text),
            proc_maps,
            function_args: FunctionArgs::new(metadata.btf, order, long_bytes, kernel),
            table_places,
            has_syscall_prefix: kernel.and_then(kernel_version).is_some_and(|version| version >= (6, 18)),
        };
        let (args, more) = (Vec::new(), Vec::new());
        Self { types, tables, limits, max_record_bytes, printer: Printer::default(), args, more }
    }

    /// Hands the current record of `stream` to `sink`; counts its bytes as skipped where it is left out.
    pub fn decode(&mut self, stream: &mut CpuStream<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
        self.hand_over(stream, sink)?;
        self.check_length(stream, sink)
    }

    fn hand_over(&mut self, stream: &mut CpuStream<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
        let record = stream.record();
        let id = self.tables.common.id(record, self.tables.order);
        let page = stream.page_place();
        let context = self.tables.context(stream);
        let parse = ParseContext {
            symbols: &self.tables.symbols,
            long_bytes: self.tables.long_bytes,
            max_record_bytes: self.max_record_bytes,
            limits: self.limits,
        };
        let Some((known, problem)) = id.and_then(|id| self.types.get(id, parse)) else {
            return unknown_event(&context, id, page, &mut self.args, sink);
        };
        if let Some(problem) = problem {
            let (code, place) = (problem.code, problem.place);
            sink.diagnostic(Diagnostic { code, place, sample: &problem.sample, count: 1 })?;
        }
        self.args.clear();
        let is_whole = match &known.handler {
            Handler::Program(program) => {
                self.printer.print(program, record, self.tables.print_context(stream.buffer), &mut self.args)
            }
            Handler::Own(entry) => {
                let entry = *entry;
                let own = OwnRecord {
                    format: &known.format,
                    record,
                    context: self.tables.own_context(stream.buffer),
                };
                return own_entry(&own, entry, &context, &known.system, &mut self.args, &mut self.more, sink);
            }
            Handler::RawFields => print_fields(&known.format, record, self.tables.order, &mut self.args),
            Handler::SyscallEnter => {
                let (order, has_prefix) = (self.tables.order, self.tables.has_syscall_prefix);
                print_syscall_enter(&known.format, record, order, has_prefix, &mut self.args)
            }
            Handler::SyscallExit => {
                print_syscall_exit(&known.format, record, self.tables.order, &mut self.args)
            }
            Handler::Bad => {
                known.dropped = known.dropped.saturating_add(1);
                let bytes = record.len() as u64;
                stream.skip(bytes);
                return Ok(());
            }
        };
        if !is_whole {
            let code = Code::DataLocOutOfRecord;
            sink.diagnostic(Diagnostic { code, place: page, sample: &known.format.name, count: 1 })?;
        }
        sink.event(&tracepoint(&context, known, &self.args))
    }

    /// Reports a record that is so much longer than its fields that it may hide those after it.
    fn check_length(&mut self, stream: &mut CpuStream<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
        let Tables { order, long_bytes, common, .. } = &self.tables;
        let record = stream.record();
        let Some(id) = common.id(record, *order) else { return Ok(()) };
        let Some(known) = self.types.known(id) else { return Ok(()) };
        let Some(bytes) = known.hidden_bytes(record, *order, *long_bytes) else { return Ok(()) };
        let (code, place) = (Code::RecordTooLong, stream.record_place());
        let sample = format!("{}: {} bytes", String::from_utf8_lossy(&known.format.name), grouped(bytes));
        sink.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count: 1 })?;
        stream.hide(bytes as u64);
        Ok(())
    }

    /// Says which events were left out, and names the tasks.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), Stop> {
        for known in self.types.dropped() {
            let (code, place) = (Code::BadFormat, known.place);
            // The description itself was counted when it was met.
            let count = known.dropped.saturating_sub(1);
            if count > 0 {
                sink.diagnostic(Diagnostic { code, place, sample: &known.format.name, count })?;
            }
        }
        let count = self.tables.function_args.left_out();
        if count > 0 {
            let (code, place) = (Code::FunctionArgsLeftOut, Place::default());
            sink.diagnostic(Diagnostic { code, place, sample: b"", count })?;
        }
        self.tables.report_odd_lines(sink)?;
        self.tables.cmdlines.iter().try_for_each(|(pid, comm)| sink.task_name(pid, comm))
    }
}

impl Tables {
    fn context<'r>(&'r self, stream: &'r CpuStream<'_>) -> Context<'r> {
        let record = stream.record();
        let pid = self.common.pid(record, self.order);
        let comm = pid.map_or(&b""[..], |pid| self.cmdlines.name(pid));
        let task = TaskRef { pid, comm, tgid: self.common.tgid(record, self.order) };
        let flags = self.common.flags(record, self.order);
        let (ts, cpu, buffer) = (stream.time(), stream.cpu, stream.buffer);
        Context { ts, cpu, buffer, task, flags, place: stream.record_place() }
    }

    fn report_odd_lines(&self, sink: &mut dyn Sink) -> Result<(), Stop> {
        let [symbols, formats, names] = self.table_places;
        self.symbols.odd_lines.report("kallsyms", symbols, sink)?;
        self.printk_formats.odd_lines.report("printk_formats", formats, sink)?;
        self.cmdlines.odd_lines.report("saved_cmdlines", names, sink)
    }

    /// For a record of an instance.
    fn print_context(&self, instance: &[u8]) -> PrintContext<'_> {
        PrintContext {
            order: self.order,
            long_bytes: self.long_bytes,
            symbols: Some(&self.symbols),
            last_boot: self.last_boot.as_ref().filter(|boot| boot.is_of(instance)),
            printk_formats: Some(&self.printk_formats),
        }
    }

    fn own_context(&self, instance: &[u8]) -> OwnContext<'_> {
        let print = self.print_context(instance);
        let Self { cmdlines, proc_maps, function_args, .. } = self;
        OwnContext { print, cmdlines, proc_maps, function_args }
    }
}

fn tracepoint<'e>(context: &Context<'e>, known: &'e EventType, args: &'e [u8]) -> EventRecord<'e> {
    EventRecord {
        ts: context.ts,
        cpu: context.cpu,
        buffer: context.buffer,
        task: context.task,
        flags: context.flags,
        kind: EventKind::Tracepoint,
        system: (!known.system.is_empty()).then_some(known.system.as_slice()),
        name: &known.format.name,
        args: args.trim_ascii_end(),
        place: context.place,
    }
}

/// `type: 1234`, as the kernel's raw output names a record that nothing describes.
fn unknown_event(
    context: &Context<'_>,
    id: Option<u32>,
    page: Place,
    args: &mut Vec<u8>,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    args.clear();
    if let Some(id) = id {
        args.extend_from_slice(format!("type: {id}").as_bytes());
    }
    sink.diagnostic(Diagnostic { code: Code::UnknownEvent, place: page, sample: args, count: 1 })?;
    sink.event(&EventRecord {
        ts: context.ts,
        cpu: context.cpu,
        buffer: context.buffer,
        task: context.task,
        flags: context.flags,
        kind: EventKind::Unknown,
        system: None,
        name: b"unknown",
        args,
        place: context.place,
    })
}

fn own_entry(
    own: &OwnRecord<'_>,
    entry: OwnEntry,
    context: &Context<'_>,
    system: &[u8],
    args: &mut Vec<u8>,
    more: &mut Vec<u8>,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let event = |kind, name, args| EventRecord {
        ts: context.ts,
        cpu: context.cpu,
        buffer: context.buffer,
        task: context.task,
        flags: context.flags,
        kind,
        system: Some(system),
        name,
        args,
        place: context.place,
    };
    match entry {
        OwnEntry::KernelStack => {
            sink.event(&event(EventKind::Tracepoint, b"kernel_stack", b"<stack trace>"))?;
            stack(own, StackKind::Kernel, context, sink)
        }
        OwnEntry::UserStack => {
            sink.event(&event(EventKind::Tracepoint, b"user_stack", b"<user stack trace>"))?;
            stack(own, StackKind::User, context, sink)
        }
        OwnEntry::GraphEntry | OwnEntry::GraphExit => call(own, entry, context, args, more, sink),
        _ => match own.print(entry, args) {
            Some((kind, name)) => sink.event(&event(kind, name, args.trim_ascii_end())),
            None => Ok(()),
        },
    }
}

fn stack(
    own: &OwnRecord<'_>,
    kind: StackKind,
    context: &Context<'_>,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    let frame = |address: u64| {
        let mut text = Vec::new();
        match kind {
            StackKind::Kernel => push_address(&mut text, address, PointerKind::Symbol, &own.context.print),
            StackKind::User => own.push_user_address(address, context.task, &mut text),
        }
        text
    };
    let texts: Vec<_> = own.frames().into_iter().map(frame).collect();
    let frames: Vec<_> = texts.iter().map(Vec::as_slice).collect();
    let (ts, cpu, place) = (Some(context.ts), Some(context.cpu), context.place);
    sink.stack(&StackRecord { ts, cpu, kind, frames: &frames, place })
}

/// The two ends of a call of the function graph tracer.
fn call(
    own: &OwnRecord<'_>,
    entry: OwnEntry,
    context: &Context<'_>,
    symbol: &mut Vec<u8>,
    more: &mut Vec<u8>,
    sink: &mut dyn Sink,
) -> Result<(), Stop> {
    own.push_symbol(b"func", symbol);
    more.clear();
    let at = GraphPoint {
        ts: Some(context.ts),
        cpu: Some(context.cpu),
        buffer: context.buffer,
        task: Some(context.task),
        flags: context.flags,
        depth: u16::try_from(own.signed(b"depth")).ok(),
        place: context.place,
    };
    if entry == OwnEntry::GraphEntry {
        own.push_args(b"func", more);
        return sink.call(&CallRecord::Enter { at, symbol, args: more });
    }
    let order = own.context.print.order;
    let time = |name| number(own.format, name, own.record, order);
    let duration_ns = match (time(b"calltime"), time(b"rettime")) {
        (Some(start), Some(end)) => end.checked_sub(start).filter(|duration| *duration >= 0).map(Ns),
        _ => None,
    };
    if let Some(value) = number(own.format, b"retval", own.record, order) {
        push_return_value(value, own.context.print.long_bytes, more);
    }
    sink.call(&CallRecord::Exit { at, symbol: Some(symbol), duration_ns, retval: more })
}

/// Errors in decimal, anything else in hexadecimal.
/// Source: print_graph_retval in kernel/trace/trace_functions_graph.c, Linux 6.12.
fn push_return_value(value: i64, long_bytes: usize, output: &mut Vec<u8>) {
    let as_int = i64::from(value as i32);
    let is_int = value >> 32 == 0 || long_bytes == 4;
    let error = if is_int { as_int } else { value };
    let text = if (-4_095..0).contains(&error) { error.to_string() } else { format!("{value:#x}") };
    output.extend_from_slice(text.as_bytes());
}
