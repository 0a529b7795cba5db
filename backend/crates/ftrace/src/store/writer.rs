//! Collects rows of every table and hands them on as frames of a bounded size.

use super::copy::CopyEncoder;
use super::frames::{Frames, Output, Progress};
use super::tables::{self, Table};
use crate::model::ReadError;

/// A table's rows leave as soon as they are this many bytes; one row may be larger.
const FRAME_BYTES: usize = 1 << 20;

/// The rows of one trace on their way out.
pub struct TableWriter<'o> {
    frames: Frames<'o>,
    trace_key: i64,
    encoders: Vec<CopyEncoder>,
}

impl<'o> TableWriter<'o> {
    pub fn new(output: &'o mut dyn Output, trace_key: i64) -> Self {
        let encoders = tables::ALL.iter().map(|table| CopyEncoder::new(table)).collect();
        Self { frames: Frames::new(output), trace_key, encoders }
    }

    /// Writes one row of `table`: the trace's key here, every other column in `fields`.
    pub fn row(&mut self, table: &Table, fields: impl FnOnce(&mut CopyEncoder)) -> Result<(), ReadError> {
        let Some(encoder) = self.encoders.iter_mut().find(|encoder| encoder.table().name == table.name)
        else {
            return Ok(());
        };
        encoder.begin_row();
        encoder.int(self.trace_key);
        fields(encoder);
        if encoder.size_bytes() >= FRAME_BYTES { flush(encoder, &mut self.frames) } else { Ok(()) }
    }

    pub fn progress(&mut self, progress: &Progress) -> Result<(), ReadError> {
        self.frames.progress(progress)
    }

    /// Sends what is left of every table; what remains to be written is the last frame.
    pub fn finish(mut self) -> Result<Frames<'o>, ReadError> {
        for encoder in &mut self.encoders {
            flush(encoder, &mut self.frames)?;
        }
        Ok(self.frames)
    }
}

fn flush(encoder: &mut CopyEncoder, frames: &mut Frames<'_>) -> Result<(), ReadError> {
    let name = encoder.table().name;
    match encoder.take() {
        Some(stream) => frames.table(name, &stream),
        None => Ok(()),
    }
}
