//! The compressed file, read a buffer at a time.

use super::Decode;
use crate::input::ReadAt;
use crate::model::ReadError;

const BUFFER_BYTES: usize = 64 << 10;

/// A window over the file that only moves forward.
pub struct Source<'a> {
    file: &'a dyn ReadAt,
    /// File offset of the first byte of `buffer`.
    base: u64,
    buffer: Vec<u8>,
    start: usize,
}

impl<'a> Source<'a> {
    pub fn new(file: &'a dyn ReadAt) -> Self {
        Self::at(file, 0)
    }

    /// The file, starting at `offset`.
    pub fn at(file: &'a dyn ReadAt, offset: u64) -> Self {
        Self { file, base: offset, buffer: Vec::new(), start: 0 }
    }

    /// Inserts `bytes` before the next byte. Positions remain those of the file.
    pub fn precede(&mut self, bytes: &[u8]) {
        self.base = self.position().saturating_sub(bytes.len() as u64);
        self.buffer.splice(..self.start, bytes.iter().copied());
        self.start = 0;
    }

    /// Moves forward to `offset`.
    pub fn seek(&mut self, offset: u64) {
        let ahead = usize::try_from(offset.saturating_sub(self.position())).unwrap_or(usize::MAX);
        if ahead <= self.buffer.len().saturating_sub(self.start) {
            self.consume(ahead);
        } else {
            (self.base, self.start) = (offset, 0);
            self.buffer.clear();
        }
    }

    /// Offset of the next `needle` at which `is_wanted` accepts the bytes that start with it; it sees at least
    /// `wanted` of them unless the file ends earlier.
    pub fn find(
        &mut self,
        needle: &[u8],
        wanted: usize,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Option<u64>, ReadError> {
        let finder = memchr::memmem::Finder::new(needle);
        loop {
            let bytes = self.peek(wanted.max(needle.len()))?;
            if bytes.len() < needle.len() {
                return Ok(None);
            }
            let Some(at) = finder.find(bytes) else {
                let searched = bytes.len().saturating_sub(needle.len().saturating_sub(1));
                self.consume(searched);
                continue;
            };
            self.consume(at);
            if is_wanted(self.peek(wanted)?) {
                return Ok(Some(self.position()));
            }
            self.consume(1);
        }
    }

    /// Offset in the file of the next byte.
    pub fn position(&self) -> u64 {
        self.base.saturating_add(self.start as u64)
    }

    /// The next bytes, without consuming them: at least `wanted` (at most 64 KiB) unless the file ends earlier.
    pub fn peek(&mut self, wanted: usize) -> Result<&[u8], ReadError> {
        if self.buffer.len().saturating_sub(self.start) < wanted {
            self.refill(wanted)?;
        }
        Ok(self.buffer.get(self.start..).unwrap_or_default())
    }

    /// Moves past bytes that [`peek`](Self::peek) has shown.
    pub fn consume(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.buffer.len());
    }

    /// Consumes the next byte; `None` at the end of the file.
    pub fn byte(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.peek(1)?.first().copied();
        self.consume(1);
        Ok(byte)
    }

    fn refill(&mut self, wanted: usize) -> Result<(), ReadError> {
        self.base = self.position();
        self.buffer.drain(..self.start);
        self.start = 0;
        while self.buffer.len() < wanted {
            let held = self.buffer.len();
            self.buffer.resize(BUFFER_BYTES.max(wanted), 0);
            let offset = self.base.saturating_add(held as u64);
            let read = self.file.read_at(offset, self.buffer.get_mut(held..).unwrap_or_default());
            self.buffer.truncate(held.saturating_add(*read.as_ref().unwrap_or(&0)));
            if read? == 0 {
                break;
            }
        }
        Ok(())
    }
}

impl Decode for Source<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        let bytes = self.peek(1)?;
        let taken = bytes.len().min(output.len());
        for (to, from) in output.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.consume(taken);
        Ok(taken)
    }

    fn unit_start(&self) -> u64 {
        0
    }

    fn position(&self) -> u64 {
        Source::position(self)
    }
}
