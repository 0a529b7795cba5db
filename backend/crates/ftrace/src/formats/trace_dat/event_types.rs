//! The event types of a recording, parsed when their first record comes.

use super::event_format::{EventFormat, Field, name_and_id};
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
    /// Records that were left out because the description is bad.
    pub dropped: u64,
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
        return (EventType { format, system, place, handler: Handler::Bad, dropped: 0 }, found);
    };
    let (handler, code) = match special(&format, &system) {
        Some(handler) => (handler, None),
        None => match print_fmt::compile(&format, context.symbols, context.long_bytes, context.limits) {
            Ok(program) => {
                let code = program.code.has_unknown_names.then_some(Code::PrintFmtUnknown);
                (Handler::Program(program), code)
            }
            Err(Failure::TooDeep) => (Handler::RawFields, Some(Code::PrintFmtTooDeep)),
            Err(Failure::Unknown) => (Handler::RawFields, Some(Code::PrintFmtUnknown)),
        },
    };
    let found = code.and_then(|code| problem(code, &format.name));
    (EventType { format, system, place, handler, dropped: 0 }, found)
}

fn special(format: &EventFormat, system: &[u8]) -> Option<Handler> {
    match system {
        b"ftrace" => own_entry(&format.name).map(Handler::Own),
        b"syscalls" if format.name.starts_with(b"sys_enter_") => Some(Handler::SyscallEnter),
        b"syscalls" if format.name.starts_with(b"sys_exit_") => Some(Handler::SyscallExit),
        _ => None,
    }
}

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
pub fn number(
    format: &EventFormat,
    name: &[u8],
    record: &[u8],
    order: super::byte_order::ByteOrder,
) -> Option<i64> {
    format.field(name).and_then(|field: &Field| field.number(record, order))
}
