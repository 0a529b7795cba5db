//! A zlib stream (RFC 1950) behind a fixed prefix; its Adler-32 is checked by the decoder.

use flate2::Decompress;

use super::gzip::inflate_step;
use super::{Decode, Source};
use crate::model::ReadError;

pub struct Zlib<'a> {
    source: Source<'a>,
    inflate: Decompress,
    is_over: bool,
}

impl<'a> Zlib<'a> {
    pub fn new(mut source: Source<'a>, prefix_bytes: usize) -> Self {
        source.consume(prefix_bytes);
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
