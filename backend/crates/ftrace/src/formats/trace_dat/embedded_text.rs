//! A trace.dat of a latency tracer: the text of the `trace` file in place of pages.

use std::io::{self, Read};

use super::recording::EmbeddedText;
use crate::formats::{Access, HEAD_BYTES, detect};
use crate::input::{Input, ReadAt};
use crate::model::{
    CallRecord, Code, Diagnostic, EventRecord, Facts, FailureClass, Limits, LossRecord, NoteRecord, Place,
    ReadError, Sink, StackRecord, Stop,
};

/// Reads the text as any text format would. Answers how many bytes of the file were skipped by now, of which
/// `skipped_bytes` were before.
pub fn read(
    file: &dyn ReadAt,
    text: &EmbeddedText,
    skipped_bytes: u64,
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<u64, Stop> {
    let mut stream: Box<dyn Read + '_> = match text {
        EmbeddedText::InFile { offset, size } => Box::new(FileText { file, at: *offset, left: *size }),
        EmbeddedText::Expanded { text } => Box::new(text.as_slice()),
    };
    let mut head = Vec::new();
    let taken = stream.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head);
    taken.map_err(crate::input::container::read_error)?;
    let format = detect(&head)?;
    if format.access() != Access::Stream {
        let code = Code::UnknownFormat;
        return Err(ReadError::new(FailureClass::Corrupt, code, Place::default(), code.sentence()).into());
    }
    let mut stream = head.as_slice().chain(stream);
    let mut sink = WholeFile { sink, file_bytes: file.len(), skipped_before: skipped_bytes, skipped_bytes };
    format.read(Input::Stream(&mut stream), limits, &mut sink)?;
    Ok(sink.skipped_bytes)
}

/// Passes everything on; what the text counts as skipped is skipped of the whole file.
struct WholeFile<'s> {
    sink: &'s mut dyn Sink,
    file_bytes: u64,
    skipped_before: u64,
    skipped_bytes: u64,
}

impl Sink for WholeFile<'_> {
    fn facts(&mut self, facts: Facts) -> Result<(), Stop> {
        self.sink.facts(facts)
    }

    fn buffer(&mut self, name: &[u8]) -> Result<(), Stop> {
        self.sink.buffer(name)
    }

    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        self.sink.event(event)
    }

    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop> {
        self.sink.call(call)
    }

    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop> {
        self.sink.stack(stack)
    }

    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop> {
        self.sink.loss(loss)
    }

    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop> {
        self.sink.note(note)
    }

    fn task_name(&mut self, pid: i32, comm: &[u8]) -> Result<(), Stop> {
        self.sink.task_name(pid, comm)
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop> {
        self.sink.diagnostic(diagnostic)
    }

    fn progress(&mut self, _used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop> {
        self.skipped_bytes = self.skipped_before.saturating_add(skipped_bytes).min(self.file_bytes);
        self.sink.progress(self.file_bytes.saturating_sub(self.skipped_bytes), self.skipped_bytes)
    }
}

/// A stretch of a file, from front to back.
struct FileText<'a> {
    file: &'a dyn ReadAt,
    at: u64,
    left: u64,
}

impl Read for FileText<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = buffer.get_mut(..wanted).unwrap_or_default();
        let count = self.file.read_at(self.at, buffer).map_err(io::Error::other)?;
        self.at = self.at.saturating_add(count as u64);
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}
