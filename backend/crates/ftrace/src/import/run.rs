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
    let progress = FileProgress { size_bytes: file.len(), read_bytes: &read_bytes };
    let mut importer = Importer::new(output, trace_key, limits, progress);
    let format = formats::read_any(&counted, scratch, limits, &mut importer)?;
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
