//! The event types of a recording, parsed when their first record comes.

use super::byte_order::ByteOrder;
use super::event_format::{EventFormat, Field, Storage, name_and_id};
use super::metadata::FormatText;
use super::print_fmt::{self, Failure, Program};
use super::symbols::Symbols;
use crate::model::{Code, Limits, Place};

/// Event ids are 16 bits in the record.
const MAX_ID: u32 = u16::MAX as u32;

/// What is done with the records of a type.
#[derive(Clone, Debug)]
pub enum Handler {
    /// The print format, compiled; a tracepoint.
    Program(Program),
    /// `name=value` of every field, where the format is not followed.
    RawFields,
    /// `sys_enter_openat`: the arguments as the kernel prints them in its brackets.
    SyscallEnter,
    SyscallExit,
    /// An entry of ftrace itself.
    Own(OwnEntry),
    /// Not to be read: the description does not fit any record.
    Bad,
}

/// Entries of the `ftrace` system that are more than their print format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnEntry {
    Function,
    FunctionRepeats,
    GraphEntry,
    GraphExit,
    KernelStack,
    UserStack,
    Print,
    Bprint,
    Bputs,
    ContextSwitch,
    Wakeup,
    Hwlat,
    Osnoise,
    Timerlat,
}

/// A type whose format was looked at.
#[derive(Clone, Debug)]
pub struct EventType {
    pub format: EventFormat,
    pub system: Vec<u8>,
    pub place: Place,
    pub handler: Handler,
    /// The layout of the records, to find those that are longer.
    extent: Extent,
    /// Records that were left out because the description is bad.
    pub dropped: u64,
}

/// How far the fields of a record reach.
#[derive(Clone, Debug, Default)]
struct Extent {
    /// End of the fields that are always at one place.
    fixed_bytes: usize,
    /// Indices of the fields that point elsewhere in the record.
    dynamic: Vec<usize>,
    tail: Tail,
    /// Bytes after the fields that every record so far has. The kernel's own entries may be longer than their
    /// formats say (`funcgraph_exit` of Linux 6.12 by 16 bytes); tracepoints are not.
    spare_bytes: Option<usize>,
}

/// What may follow the last field.
#[derive(Clone, Copy, Debug, Default)]
enum Tail {
    #[default]
    None,
    /// A text up to its NUL.
    Text { start: usize },
    /// As many addresses as a field of the record says.
    Stack { start: usize },
    /// The registers that hold a function's arguments.
    Registers { start: usize },
    /// Anything.
    Unknown,
}

/// The kernel keeps this many registers (FTRACE_REGS_MAX_ARGS).
const MAX_REGISTERS: usize = 6;
/// A record is aligned, its structure too, and markers have some bytes to spare (FAULTED_SIZE); a record that
/// another one hides takes more.
const SPARE_BYTES: usize = 15;

impl Extent {
    fn of(format: &EventFormat, handler: &Handler) -> Self {
        let is_rest = |field: &&Field| field.storage == Storage::Rest;
        let rest = format.fields.iter().find(is_rest);
        let is_stack = matches!(handler, Handler::Own(OwnEntry::KernelStack));
        let start = match rest {
            Some(rest) => Some(rest.offset),
            None if is_stack => format.field(b"caller").map(|field| field.offset),
            None => None,
        };
        let tail = match (start, handler) {
            (None, _) => Tail::None,
            (Some(start), Handler::Own(OwnEntry::Print)) => Tail::Text { start },
            (Some(start), Handler::Own(OwnEntry::KernelStack)) if format.field(b"size").is_some() => {
                Tail::Stack { start }
            }
            (Some(start), Handler::Own(OwnEntry::Function | OwnEntry::GraphEntry)) => {
                Tail::Registers { start }
            }
            _ => Tail::Unknown,
        };
        let is_fixed = |field: &&Field| !is_rest(field) && Some(field.offset) != start;
        let end_of = |field: &Field| field.offset.saturating_add(field.size);
        let fixed_bytes =
            format.fields.iter().chain(&format.common).filter(is_fixed).map(end_of).max().unwrap_or(0);
        let is_dynamic = |field: &Field| matches!(field.storage, Storage::DataLoc | Storage::RelLoc);
        let dynamic = (0..).zip(&format.fields).filter(|(_, field)| is_dynamic(field)).map(|(at, _)| at);
        let is_exact = !matches!(handler, Handler::Own(_)) || !matches!(tail, Tail::None);
        let spare_bytes = is_exact.then_some(0);
        Self { fixed_bytes, dynamic: dynamic.collect(), tail, spare_bytes }
    }
}

impl EventType {
    /// Bytes of a record after everything that its format describes, where they are enough to hide another
    /// record: its length is damaged then, or that of all records of the type before.
    pub fn hidden_bytes(&mut self, record: &[u8], order: ByteOrder, long_bytes: usize) -> Option<usize> {
        let behind = self.bytes_behind_fields(record, order, long_bytes)?;
        let spare = *self.extent.spare_bytes.get_or_insert(behind);
        self.extent.spare_bytes = Some(spare.min(behind));
        Some(behind.abs_diff(spare)).filter(|bytes| *bytes > SPARE_BYTES)
    }

    fn bytes_behind_fields(&self, record: &[u8], order: ByteOrder, long_bytes: usize) -> Option<usize> {
        let Extent { fixed_bytes, dynamic, tail, .. } = &self.extent;
        let tail_end = match *tail {
            Tail::None => 0,
            Tail::Text { start } => {
                let text = record.get(start..)?;
                start.saturating_add(memchr::memchr(0, text)?).saturating_add(1)
            }
            Tail::Stack { start } => {
                let frames = usize::try_from(number(&self.format, b"size", record, order)?).ok()?;
                start.saturating_add(frames.saturating_mul(long_bytes))
            }
            Tail::Registers { start } => start.saturating_add(long_bytes.saturating_mul(MAX_REGISTERS)),
            Tail::Unknown => return None,
        };
        let fields = dynamic.iter().filter_map(|at| self.format.fields.get(*at)?.range(record, order));
        let end = fields.map(|range| range.end).fold(tail_end.max(*fixed_bytes), usize::max);
        record.len().checked_sub(end)
    }
}

/// All types by id.
pub struct EventTypes {
    texts: Vec<FormatText>,
    /// Index into `texts` plus one, by id.
    by_id: Vec<u32>,
    /// Types that were asked for, by index into `texts`.
    known: Vec<Option<Box<EventType>>>,
}

/// A problem with a type's description, to be reported once.
pub struct TypeProblem {
    pub code: Code,
    pub place: Place,
    pub sample: Vec<u8>,
}

/// What formats are parsed with.
#[derive(Clone, Copy)]
pub struct ParseContext<'c> {
    pub symbols: &'c Symbols,
    pub long_bytes: usize,
    pub max_record_bytes: usize,
    pub limits: &'c Limits,
}

impl EventTypes {
    /// Of two formats with one id the first counts.
    pub fn new(texts: Vec<FormatText>) -> Self {
        let mut by_id = Vec::new();
        for (index, format) in texts.iter().enumerate() {
            let Some((_, id)) = name_and_id(&format.text).filter(|(_, id)| *id <= MAX_ID) else { continue };
            let id = id as usize;
            if by_id.len() <= id {
                by_id.resize(id.saturating_add(1), 0);
            }
            if let (Some(slot @ 0), Ok(index)) = (by_id.get_mut(id), u32::try_from(index)) {
                *slot = index.saturating_add(1);
            }
        }
        let known = texts.iter().map(|_| None).collect();
        Self { texts, by_id, known }
    }

    /// A format to take the common fields from.
    pub fn any_format(&self, context: ParseContext<'_>) -> Option<EventFormat> {
        self.texts.iter().find_map(|format| {
            let parsed = parse(&format.text, context)?;
            (!parsed.common.is_empty()).then_some(parsed)
        })
    }

    /// The type of that id, and what is wrong with its description when it is met for the first time.
    pub fn get(
        &mut self,
        id: u32,
        context: ParseContext<'_>,
    ) -> Option<(&mut EventType, Option<TypeProblem>)> {
        let index = (*self.by_id.get(id as usize)? as usize).checked_sub(1)?;
        let known = self.known.get_mut(index)?;
        let mut problem = None;
        if known.is_none() {
            let (parsed, found) = describe(self.texts.get(index)?, context);
            problem = found;
            *known = Some(Box::new(parsed));
        }
        Some((known.as_mut()?, problem))
    }

    /// The type of that id, if a record of it came already.
    pub fn known(&mut self, id: u32) -> Option<&mut EventType> {
        let index = (*self.by_id.get(id as usize)? as usize).checked_sub(1)?;
        self.known.get_mut(index)?.as_deref_mut()
    }

    /// Types of which records were left out.
    pub fn dropped(&self) -> impl Iterator<Item = &EventType> {
        self.known.iter().flatten().map(AsRef::as_ref).filter(|known| known.dropped > 0)
    }
}

fn parse(text: &[u8], context: ParseContext<'_>) -> Option<EventFormat> {
    EventFormat::parse(text, context.long_bytes, context.max_record_bytes, context.limits)
}

fn describe(text: &FormatText, context: ParseContext<'_>) -> (EventType, Option<TypeProblem>) {
    let problem = |code, name: &[u8]| Some(TypeProblem { code, place: text.place, sample: name.to_vec() });
    let (system, place) = (text.system.clone(), text.place);
    let Some(format) = parse(&text.text, context) else {
        let name = name_and_id(&text.text).map_or(&b""[..], |(name, _)| name);
        let format = EventFormat { name: name.to_vec(), ..EventFormat::default() };
        let found = problem(Code::BadFormat, &format.name);
        let extent = Extent { tail: Tail::Unknown, ..Extent::default() };
        return (EventType { format, system, place, handler: Handler::Bad, extent, dropped: 0 }, found);
    };
    let (handler, code) = match special(&format, &system) {
        Some(handler) => (handler, None),
        None if system == b"ftrace" && !OTHER_OWN_ENTRIES.contains(&format.name.as_slice()) => {
            (Handler::RawFields, Some(Code::UnknownOwnEntry))
        }
        None => match print_fmt::compile(&format, context.symbols, context.long_bytes, context.limits) {
            Ok(program) => {
                let code = program.code.has_unknown_names.then_some(Code::PrintFmtUnknown);
                (Handler::Program(program), code)
            }
            Err(Failure::TooDeep) => (Handler::RawFields, Some(Code::PrintFmtTooDeep)),
            Err(Failure::Unknown) => (Handler::RawFields, Some(Code::PrintFmtUnknown)),
        },
    };
    let code = code.or_else(|| is_damaged(&text.text).then_some(Code::BadSection));
    let found = code.and_then(|code| problem(code, &format.name));
    let extent = Extent::of(&format, &handler);
    (EventType { format, system, place, handler, extent, dropped: 0 }, found)
}

/// Whether a description holds what the kernel prints in none.
fn is_damaged(text: &[u8]) -> bool {
    let is_odd = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t');
    text.iter().any(is_odd) || std::str::from_utf8(text).is_err()
}

fn special(format: &EventFormat, system: &[u8]) -> Option<Handler> {
    match system {
        b"ftrace" => own_entry(&format.name).map(Handler::Own),
        b"syscalls" if format.name.starts_with(b"sys_enter_") => Some(Handler::SyscallEnter),
        b"syscalls" if format.name.starts_with(b"sys_exit_") => Some(Handler::SyscallExit),
        _ => None,
    }
}

/// Entries of ftrace that are shown by their print formats.
/// Source: kernel/trace/trace_entries.h and trace.h, Linux 2.6.30 to 6.18.
const OTHER_OWN_ENTRIES: &[&[u8]] = &[
    b"boot_call",
    b"boot_ret",
    b"branch",
    b"hw_branch",
    b"hw_branches",
    b"kmem_alloc",
    b"kmem_free",
    b"kmemtrace_alloc",
    b"kmemtrace_free",
    b"ksym_trace",
    b"ksym",
    b"mmiotrace_map",
    b"mmiotrace_rw",
    b"power",
    b"raw_data",
    b"special",
    b"syscall_enter",
    b"syscall_exit",
    b"sysprof",
    b"user",
];

fn own_entry(name: &[u8]) -> Option<OwnEntry> {
    Some(match name {
        b"function" => OwnEntry::Function,
        b"func_repeats" => OwnEntry::FunctionRepeats,
        b"funcgraph_entry" | b"fgraph_retaddr_entry" => OwnEntry::GraphEntry,
        b"funcgraph_exit" => OwnEntry::GraphExit,
        b"kernel_stack" => OwnEntry::KernelStack,
        b"user_stack" => OwnEntry::UserStack,
        b"print" => OwnEntry::Print,
        b"bprint" => OwnEntry::Bprint,
        b"bputs" => OwnEntry::Bputs,
        b"context_switch" => OwnEntry::ContextSwitch,
        b"wakeup" => OwnEntry::Wakeup,
        b"hwlat" => OwnEntry::Hwlat,
        b"osnoise" => OwnEntry::Osnoise,
        b"timerlat" => OwnEntry::Timerlat,
        _ => return None,
    })
}

/// The number in the field of that name; `None` where the event has none, or the record ends before it.
pub fn number(format: &EventFormat, name: &[u8], record: &[u8], order: ByteOrder) -> Option<i64> {
    format.field(name).and_then(|field: &Field| field.number(record, order))
}
