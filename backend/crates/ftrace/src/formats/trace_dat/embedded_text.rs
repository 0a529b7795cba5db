//! A trace.dat of a latency tracer: the text of the `trace` file in place of pages.

use std::io::{self, Read};

use super::recording::EmbeddedText;
use crate::formats::{Access, HEAD_BYTES, detect};
use crate::input::{Input, ReadAt};
use crate::model::{Code, FailureClass, Limits, Place, ReadError, Sink};

/// Reads the text as any text format would.
pub fn read(
    file: &dyn ReadAt,
    text: &EmbeddedText,
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
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
        return Err(ReadError::new(FailureClass::Corrupt, code, Place::default(), code.sentence()));
    }
    let mut stream = head.as_slice().chain(stream);
    format.read(Input::Stream(&mut stream), limits, sink)
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
