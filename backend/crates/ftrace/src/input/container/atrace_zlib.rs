//! `atrace -z`: the line `TRACE:` and then a zlib stream (RFC 1950), whose Adler-32 the decoder checks.

use flate2::Decompress;

use super::gzip::inflate_step;
use super::{Decode, Source, Wrapping};
use crate::model::ReadError;

pub static WRAPPING: Wrapping = Wrapping {
    is_of: |head| {
        let stream = head.strip_prefix(PREFIX).unwrap_or_default();
        matches!(stream, [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..])
    },
    decoder: |source, _| Ok(Box::new(Zlib::new(source))),
};

const PREFIX: &[u8] = b"TRACE:\n";

struct Zlib<'a> {
    source: Source<'a>,
    inflate: Decompress,
    is_over: bool,
}

impl<'a> Zlib<'a> {
    fn new(mut source: Source<'a>) -> Self {
        source.consume(PREFIX.len());
        Self { source, inflate: Decompress::new(true), is_over: false }
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
}
