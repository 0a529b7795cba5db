//! xz: any number of streams, decoded by liblzma under its own memory limit.

use liblzma::stream::{Action, CONCATENATED, Error, Status, Stream};

use super::{Decode, Source, Wrapping, checksum_mismatch, corrupt, decoder_memory, truncated, xz_blocks};
use crate::model::{Limits, ReadError};

/// Offset of the first block header, which states the dictionary size: after the stream header.
const FIRST_BLOCK: u64 = 12;
const MAX_BLOCK_HEADER_BYTES: u64 = 1024;

pub static WRAPPING: Wrapping = Wrapping {
    is_of: |head| head.starts_with(b"\xfd7zXZ\0"),
    decoder: |source, limits| Ok(Box::new(Xz::new(source, limits)?)),
    resume: xz_blocks::resume,
};

struct Xz<'a> {
    source: Source<'a>,
    stream: Stream,
    memory_limit: u64,
    start: u64,
    failed: Option<ReadError>,
    is_over: bool,
}

impl<'a> Xz<'a> {
    fn new(source: Source<'a>, limits: &Limits) -> Result<Self, ReadError> {
        let memory_limit = limits.max_decoder_memory_bytes;
        let stream = Stream::new_stream_decoder(memory_limit, CONCATENATED)
            .map_err(|_| decoder_memory(0, None, memory_limit))?;
        Ok(Self { start: source.position(), source, stream, memory_limit, failed: None, is_over: false })
    }

    fn refusal(&self, error: Error, position: u64) -> ReadError {
        match error {
            Error::MemLimit | Error::Mem => {
                let is_first = position <= FIRST_BLOCK.saturating_add(MAX_BLOCK_HEADER_BYTES);
                decoder_memory(if is_first { FIRST_BLOCK } else { position }, None, self.memory_limit)
            }
            Error::NoCheck | Error::UnsupportedCheck => checksum_mismatch(position),
            Error::Format => corrupt(position, "no xz stream begins here"),
            _ => corrupt(position, "a block or its checksum is wrong"),
        }
    }
}

impl Decode for Xz<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        while !self.is_over {
            let position = self.source.position();
            let input = self.source.peek(1)?;
            let is_input_over = input.is_empty();
            let action = if is_input_over { Action::Finish } else { Action::Run };
            let (in_before, out_before) = (self.stream.total_in(), self.stream.total_out());
            let status = self.stream.process(input, output, action);
            let consumed = self.stream.total_in().saturating_sub(in_before);
            let produced = self.stream.total_out().saturating_sub(out_before);
            self.source.consume(usize::try_from(consumed).unwrap_or(usize::MAX));
            match status.map_err(|error| self.refusal(error, position.saturating_add(consumed))) {
                Ok(status) => self.is_over = status == Status::StreamEnd,
                // What was produced before the error goes out first.
                Err(error) if produced > 0 => self.failed = Some(error),
                Err(error) => return Err(error),
            }
            if produced > 0 {
                return Ok(usize::try_from(produced).unwrap_or(usize::MAX));
            }
            if consumed == 0 && !self.is_over && is_input_over {
                return Err(truncated(position));
            }
        }
        Ok(0)
    }

    /// liblzma does not say; the walk over the blocks finds out.
    fn unit_start(&self) -> u64 {
        self.start
    }

    fn position(&self) -> u64 {
        self.source.position()
    }
}
