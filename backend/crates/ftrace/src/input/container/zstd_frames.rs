//! zstd (RFC 8878): frames one after the other, skippable ones included.

use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, get_error_name};

use super::{Decode, Source, Wrapping, checksum_mismatch, corrupt, decoder_memory, truncated, zstd_blocks};
use crate::model::{Limits, ReadError};

pub const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Magic, descriptor, window, dictionary id and content size at their longest.
pub const MAX_HEADER_BYTES: usize = 18;

pub static WRAPPING: Wrapping = Wrapping {
    // Skippable frames may precede the first real one.
    is_of: |head| head.starts_with(&MAGIC) || matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]),
    decoder: |source, limits| Ok(Box::new(Zstd::new(source, limits)?)),
    resume: zstd_blocks::resume,
};

struct Zstd<'a> {
    source: Source<'a>,
    context: DCtx<'static>,
    memory_limit: u64,
    frame_start: u64,
    /// How much input the decoder asks for next; 0 between frames. It gets no more, so that it decodes one block
    /// at a time and what precedes a cut comes out in full.
    wanted_bytes: usize,
}

impl<'a> Zstd<'a> {
    fn new(source: Source<'a>, limits: &Limits) -> Result<Self, ReadError> {
        let memory_limit = limits.max_decoder_memory_bytes;
        let mut context = DCtx::create();
        let window_log = memory_limit.max(1 << 10).ilog2().min(31);
        context
            .set_parameter(DParameter::WindowLogMax(window_log))
            .map_err(|code| corrupt(0, get_error_name(code)))?;
        let frame_start = source.position();
        Ok(Self { source, context, memory_limit, frame_start, wanted_bytes: 0 })
    }

    /// Checks the next frame's header. False at the end of the file.
    fn open_frame(&mut self) -> Result<bool, ReadError> {
        let position = self.source.position();
        self.frame_start = position;
        let header = self.source.peek(MAX_HEADER_BYTES)?;
        if header.is_empty() {
            return Ok(false);
        }
        if let Some(FrameHeader { window_bytes, window_at, .. }) = frame_header(header)
            && window_bytes > self.memory_limit
        {
            return Err(decoder_memory(
                position.saturating_add(window_at),
                Some(window_bytes),
                self.memory_limit,
            ));
        }
        self.context
            .reset(ResetDirective::SessionOnly)
            .map_err(|code| corrupt(position, get_error_name(code)))?;
        self.wanted_bytes = MAGIC.len();
        Ok(true)
    }
}

impl Decode for Zstd<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        loop {
            if self.wanted_bytes == 0 && !self.open_frame()? {
                return Ok(0);
            }
            let position = self.source.position();
            let chunk = self.source.peek(1)?;
            let is_input_over = chunk.is_empty();
            let mut input = InBuffer::around(chunk.get(..self.wanted_bytes).unwrap_or(chunk));
            let mut out = OutBuffer::around(&mut *output);
            let hint = self.context.decompress_stream(&mut out, &mut input);
            let (consumed, produced) = (input.pos(), out.pos());
            self.source.consume(consumed);
            let hint = hint.map_err(|code| {
                let name = get_error_name(code);
                let at = position.saturating_add(consumed as u64);
                if name.contains("checksum") { checksum_mismatch(at) } else { corrupt(at, name) }
            })?;
            self.wanted_bytes = hint;
            if produced > 0 {
                return Ok(produced);
            }
            if consumed == 0 && hint != 0 && is_input_over {
                return Err(truncated(position));
            }
        }
    }

    fn unit_start(&self) -> u64 {
        self.frame_start
    }

    fn position(&self) -> u64 {
        self.source.position()
    }
}

/// The header of a frame.
pub struct FrameHeader {
    pub header_bytes: u64,
    /// How far back decoding looks, and where in the header that is stated.
    window_bytes: u64,
    window_at: u64,
    pub content_bytes: Option<u64>,
    pub has_checksum: bool,
    /// False where a reserved bit is set.
    pub is_possible: bool,
}

/// `None` for a skippable frame, for anything that is not a frame, and where the file ends inside the header.
pub fn frame_header(header: &[u8]) -> Option<FrameHeader> {
    let rest = header.strip_prefix(&MAGIC)?;
    let (&descriptor, rest) = rest.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    let (window_size, dictionary_size) = (usize::from(!is_single_segment), [0, 1, 2, 4]);
    let dictionary_size: usize = *dictionary_size.get(usize::from(descriptor & 3))?;
    let content_at = window_size.checked_add(dictionary_size)?;
    let content_size = match (descriptor >> 6, is_single_segment) {
        (0, false) => 0,
        (0, true) => 1,
        (1, _) => 2,
        (2, _) => 4,
        _ => 8,
    };
    let content = match rest.get(content_at..content_at.checked_add(content_size)?)? {
        [] => None,
        [a] => Some(u64::from(*a)),
        [a, b] => Some(u64::from(u16::from_le_bytes([*a, *b])).saturating_add(256)),
        bytes => Some(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))),
    };
    let window = match rest.first() {
        Some(byte) if !is_single_segment => {
            let base = 1_u64.checked_shl(u32::try_from(10 + (u64::from(*byte) >> 3)).ok()?)?;
            base.saturating_add((base / 8).saturating_mul(u64::from(*byte) & 7))
        }
        _ => content?,
    };
    let in_header = |at: usize| 5_u64.saturating_add(at as u64);
    Some(FrameHeader {
        header_bytes: in_header(content_at.checked_add(content_size)?),
        window_bytes: window,
        window_at: in_header(if is_single_segment { content_at } else { 0 }),
        content_bytes: content,
        has_checksum: descriptor & 4 != 0,
        is_possible: descriptor & 8 == 0,
    })
}
