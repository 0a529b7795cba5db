//! What every fuzz target checks of any bytes at all: reading them never panics, every byte of a recording
//! that was read is accounted for as used or skipped, and what is handed on lies where it says it does.

#[cfg(test)]
mod mutated;
#[cfg(test)]
mod replay;

use std::io::Read;

use crate::formats::{Access, FORMATS, TraceFormat, detect, read_any, sniff};
use crate::import::{Extent, ImportRequest, import};
use crate::input::Input;
use crate::input::container::expand;
use crate::model::{
    CallRecord, Diagnostic, EventRecord, Facts, GraphPoint, Limits, LossRecord, NoteRecord, Place, ReadError,
    Sink, StackRecord, Stop,
};
use crate::store::frames::Output;

/// Something that reads bytes.
pub struct Target {
    /// That of its folders of seeds and findings.
    pub name: &'static str,
    pub check: Check,
}

pub type Check = Box<dyn Fn(&[u8]) + Send + Sync>;

/// Each format of the core, and what reads the bytes before and after one.
pub fn targets() -> Vec<Target> {
    let formats = FORMATS.iter().map(|format| -> Target {
        Target { name: format.name(), check: Box::new(|bytes| check_format(*format, bytes)) }
    });
    let other = |name, check: fn(&[u8])| Target { name, check: Box::new(check) };
    let others = [
        other("detect", check_detection),
        other("decompress", check_expansion),
        other("trace_dat_v6", |bytes| check_trace_dat(b'6', bytes)),
        other("trace_dat_v7", |bytes| check_trace_dat(b'7', bytes)),
        other("import", check_import),
    ];
    formats.chain(others).collect()
}

/// The target of that name, which must be there.
pub fn target(name: &str) -> Target {
    let found = targets().into_iter().find(|target| target.name == name);
    assert!(found.is_some(), "there is no target {name:?}");
    found.unwrap_or(Target { name: "", check: Box::new(|_| ()) })
}

/// Small enough that an input cannot be slow just by being large.
fn limits() -> Limits {
    Limits {
        max_expanded_bytes: 4 << 20,
        expansion_ratio_floor_bytes: 1 << 20,
        max_decoder_memory_bytes: 16 << 20,
        max_line_bytes: 4 << 10,
        max_cpus: 256,
        max_tasks: 256,
        max_names: 256,
        ..Limits::default()
    }
}

/// Finds the format of the bytes, both as a head and as the file of an upload.
fn check_detection(bytes: &[u8]) {
    let _ = detect(bytes);
    let _ = sniff(&bytes.to_vec(), &limits());
}

/// Takes the wrapping off.
fn check_expansion(bytes: &[u8]) {
    let (file, limits) = (bytes.to_vec(), limits());
    let Ok((_, mut expanded)) = expand(&file, &limits) else { return };
    let (mut buffer, mut produced) = ([0; 8_192], 0_u64);
    while let Ok(count @ 1..) = expanded.read(&mut buffer) {
        produced = produced.saturating_add(count as u64);
        assert!(produced <= limits.max_expanded_bytes, "expands past the limit");
    }
}

/// Reads the bytes as that format, whatever they look like.
fn check_format(format: &dyn TraceFormat, bytes: &[u8]) {
    let file = bytes.to_vec();
    let mut sink = Checker::new(file.len() as u64);
    let input = match format.access() {
        Access::Random => Input::Random(&file),
        Access::Stream => Input::Stream(&mut &*bytes),
    };
    if format.read(input, &limits(), &mut sink).is_ok() {
        sink.check_account();
    }
}

/// Reads the bytes as a trace.dat of that version; nothing else is of interest, so its magic is not left to
/// chance.
fn check_trace_dat(version: u8, bytes: &[u8]) {
    let rest = bytes.get(12..).unwrap_or_default();
    let file = [b"\x17\x08\x44tracing", [version, 0].as_slice(), rest].concat();
    if let Ok(format) = detect(&file) {
        check_format(format, &file);
    }
}

/// Imports the bytes as an upload: any wrapping, any format, every analysis, every table.
fn check_import(bytes: &[u8]) {
    let (file, limits) = (bytes.to_vec(), limits());
    let request = ImportRequest {
        file: &file,
        scratch: &mut Vec::new(),
        limits: &limits,
        trace_key: 1,
        extent: Extent::Whole,
    };
    let written = import(request, &mut Discard);
    assert!(written.is_ok(), "an import ends with a summary or with its error, both written");
    let mut sink = Checker::new(u64::MAX);
    let _ = read_any(&file, &mut Vec::new(), &limits, &mut sink);
}

struct Discard;

impl Output for Discard {
    fn write(&mut self, _bytes: &[u8]) -> Result<(), ReadError> {
        Ok(())
    }
}

/// Holds what it gets against the size of the input.
struct Checker {
    file_bytes: u64,
    account: (u64, u64),
}

impl Checker {
    fn new(file_bytes: u64) -> Self {
        Self { file_bytes, account: (0, 0) }
    }

    fn check_account(&self) {
        let (used, skipped) = self.account;
        assert_eq!(used.checked_add(skipped), Some(self.file_bytes), "used {used}, skipped {skipped}");
    }

    fn check_place(&self, place: Place) -> Result<(), Stop> {
        assert!(place.byte_offset <= self.file_bytes, "{place:?} of {} bytes", self.file_bytes);
        Ok(())
    }
}

impl Sink for Checker {
    fn facts(&mut self, _facts: Facts) -> Result<(), Stop> {
        Ok(())
    }

    fn buffer(&mut self, name: &[u8]) -> Result<(), Stop> {
        assert!(!name.is_empty(), "an instance without a name");
        Ok(())
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        assert!(!event.name.is_empty(), "an event without a name");
        self.check_place(event.place)
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        match call {
            CallRecord::Enter { at, .. }
            | CallRecord::Exit { at, .. }
            | CallRecord::Leaf { at, .. }
            | CallRecord::Irq { at, .. }
            | CallRecord::Switch { at, .. }
            | CallRecord::Elided { at } => {
                let GraphPoint { place, .. } = at;
                self.check_place(*place)
            }
        }
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        self.check_place(stack.place)
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        self.check_place(loss.place)
    }

    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop> {
        self.check_place(note.place)
    }

    fn task_name(&mut self, _pid: i32, _comm: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        assert!(diagnostic.count > 0, "{} of nothing", diagnostic.code.name());
        self.check_place(diagnostic.place)
    }

    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        self.account = (used_bytes, skipped_bytes);
        Ok(())
    }
}
