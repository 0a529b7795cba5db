//! zstd (RFC 8878): frames one behind the other, skippable ones included.

use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, get_error_name};

use super::{Decode, Source, Wrapping, checksum_mismatch, corrupt, decoder_memory, truncated};
use crate::model::{Limits, ReadError};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Magic, descriptor, window, dictionary id and content size at their longest.
const MAX_HEADER_BYTES: usize = 18;

pub static WRAPPING: Wrapping = Wrapping {
    // A skippable frame may stand before the first real one.
    is_of: |head| head.starts_with(&MAGIC) || matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]),
    decoder: |source, limits| Ok(Box::new(Zstd::new(source, limits)?)),
};

struct Zstd<'a> {
    source: Source<'a>,
    context: DCtx<'static>,
    memory_limit: u64,
    is_in_frame: bool,
}

impl<'a> Zstd<'a> {
    fn new(source: Source<'a>, limits: &Limits) -> Result<Self, ReadError> {
        let memory_limit = limits.max_decoder_memory_bytes;
        let mut context = DCtx::create();
        let window_log = memory_limit.max(1 << 10).ilog2().min(31);
        context
            .set_parameter(DParameter::WindowLogMax(window_log))
            .map_err(|code| corrupt(0, get_error_name(code)))?;
        Ok(Self { source, context, memory_limit, is_in_frame: false })
    }

    /// Judges the next frame's header. False at the end of the file.
    fn open_frame(&mut self) -> Result<bool, ReadError> {
        let position = self.source.position();
        let header = self.source.peek(MAX_HEADER_BYTES)?;
        if header.is_empty() {
            return Ok(false);
        }
        if let Some((window, at)) = window_of(header)
            && window > self.memory_limit
        {
            return Err(decoder_memory(position.saturating_add(at), Some(window), self.memory_limit));
        }
        self.context
            .reset(ResetDirective::SessionOnly)
            .map_err(|code| corrupt(position, get_error_name(code)))?;
        self.is_in_frame = true;
        Ok(true)
    }
}

impl Decode for Zstd<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        loop {
            if !self.is_in_frame && !self.open_frame()? {
                return Ok(0);
            }
            let position = self.source.position();
            let chunk = self.source.peek(1)?;
            let is_input_over = chunk.is_empty();
            let mut input = InBuffer::around(chunk);
            let mut out = OutBuffer::around(&mut *output);
            let hint = self.context.decompress_stream(&mut out, &mut input);
            let (consumed, produced) = (input.pos(), out.pos());
            self.source.consume(consumed);
            let hint = hint.map_err(|code| {
                let name = get_error_name(code);
                let at = position.saturating_add(consumed as u64);
                if name.contains("checksum") { checksum_mismatch(at) } else { corrupt(at, name) }
            })?;
            self.is_in_frame = hint != 0;
            if produced > 0 {
                return Ok(produced);
            }
            if consumed == 0 && self.is_in_frame && is_input_over {
                return Err(truncated(position));
            }
        }
    }
}

/// Bytes that decoding a frame needs to look back, and where in the header that stands.
/// `None` for a skippable frame or a header that the decoder will refuse itself.
fn window_of(header: &[u8]) -> Option<(u64, u64)> {
    let rest = header.strip_prefix(&MAGIC)?;
    let (&descriptor, rest) = rest.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    if !is_single_segment {
        let window = u64::from(*rest.first()?);
        let base = 1_u64.checked_shl(u32::try_from(10 + (window >> 3)).ok()?)?;
        return Some((base.saturating_add((base / 8).saturating_mul(window & 7)), 5));
    }
    let dictionary_bytes = match descriptor & 3 {
        0 => 0,
        1 => 1,
        2 => 2,
        _ => 4,
    };
    let size = rest.get(dictionary_bytes..)?;
    let content = match (descriptor >> 6, size) {
        (0, [a, ..]) => u64::from(*a),
        (1, [a, b, ..]) => u64::from(u16::from_le_bytes([*a, *b])).saturating_add(256),
        (2, [a, b, c, d, ..]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        (3, [a, b, c, d, e, f, g, h, ..]) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        _ => return None,
    };
    Some((content, 5_u64.saturating_add(dictionary_bytes as u64)))
}
