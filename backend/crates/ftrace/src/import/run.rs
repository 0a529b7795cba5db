//! A whole import: file in, frames out.

use std::cell::Cell;

use super::importer::{FileProgress, Importer};
use crate::formats;
use crate::input::{ReadAt, Scratch};
use crate::model::{Limits, ReadError};
use crate::store::frames::{Frames, Output};

/// What to import, and under which key its rows are stored.
pub struct ImportRequest<'a> {
    pub file: &'a dyn ReadAt,
    pub scratch: &'a mut dyn Scratch,
    pub limits: &'a Limits,
    pub trace_key: i64,
}

/// Reads the file and writes its frames, the last of which is the summary, or the error for which the
/// file was not read.
///
/// Errors: only where `output` cannot be written to.
pub fn import(request: ImportRequest<'_>, output: &mut dyn Output) -> Result<(), ReadError> {
    match read(request, output) {
        Err(error) => Frames::new(output).error(&error),
        Ok(()) => Ok(()),
    }
}

fn read(request: ImportRequest<'_>, output: &mut dyn Output) -> Result<(), ReadError> {
    let ImportRequest { file, scratch, limits, trace_key } = request;
    let read_bytes = Cell::new(0);
    let counted = CountedFile { file, read_bytes: &read_bytes };
    let scratch_bytes = Cell::new(0);
    let mut scratch = CountedScratch { scratch, written_bytes: &scratch_bytes };
    let progress =
        FileProgress { size_bytes: file.len(), read_bytes: &read_bytes, scratch_bytes: &scratch_bytes };
    let mut importer = Importer::new(output, trace_key, limits, progress);
    let format = formats::read_any(&counted, &mut scratch, limits, &mut importer)?;
    let (mut frames, summary) = importer.finish(format)?;
    frames.summary(&summary)
}

/// Notes how far a file was read.
struct CountedFile<'a> {
    file: &'a dyn ReadAt,
    read_bytes: &'a Cell<u64>,
}

impl ReadAt for CountedFile<'_> {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let count = self.file.read_at(offset, buffer)?;
        let end = offset.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        self.read_bytes.set(self.read_bytes.get().max(end));
        Ok(count)
    }
}

/// Notes how much a file was expanded to before it is read.
struct CountedScratch<'a> {
    scratch: &'a mut dyn Scratch,
    written_bytes: &'a Cell<u64>,
}

impl Scratch for CountedScratch<'_> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let written = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.written_bytes.set(self.written_bytes.get().saturating_add(written));
        self.scratch.append(bytes)
    }
}

impl ReadAt for CountedScratch<'_> {
    fn len(&self) -> u64 {
        self.scratch.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        self.scratch.read_at(offset, buffer)
    }
}
