//! `atrace -z`: the line `TRACE:` and then a zlib stream (RFC 1950), whose Adler-32 the decoder checks.

use flate2::Decompress;

use super::gzip::inflate_step;
use super::salvage::Resume;
use super::{Decode, Source, Wrapping};
use crate::model::{FailureClass, ReadError};

pub static WRAPPING: Wrapping = Wrapping {
    is_of: |head| {
        let stream = head.strip_prefix(PREFIX).unwrap_or_default();
        matches!(stream, [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..])
    },
    decoder: |source, _| Ok(Box::new(Zlib::new(source)?)),
    // One stream with one checksum at its end: if the file is cut all of it is kept, otherwise nothing.
    resume: |file, stop| match stop.error.class {
        FailureClass::Truncated => Ok(Resume::at_cut(file, stop)),
        _ => Ok(Resume { kept_bytes: 0, damage_start: stop.unit_start, next: None, hole_bytes: None }),
    },
};

const PREFIX: &[u8] = b"TRACE:\n";

struct Zlib<'a> {
    source: Source<'a>,
    inflate: Decompress,
    is_over: bool,
}

impl<'a> Zlib<'a> {
    fn new(mut source: Source<'a>) -> Result<Self, ReadError> {
        source.peek(PREFIX.len())?;
        source.consume(PREFIX.len());
        Ok(Self { source, inflate: Decompress::new(true), is_over: false })
    }
}

impl Decode for Zlib<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        while !self.is_over {
            let step = inflate_step(&mut self.inflate, &mut self.source, output)?;
            self.is_over = step.is_end;
            if step.produced > 0 {
                return Ok(step.produced);
            }
        }
        Ok(0)
    }

    fn unit_start(&self) -> u64 {
        0
    }

    fn position(&self) -> u64 {
        self.source.position()
    }
}
