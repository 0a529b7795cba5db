//! Follows the blocks of a zstd frame, to find where reading continues after a damaged one.

use super::Source;
use super::salvage::{Resume, Start, Stop};
use super::zstd_frames::{MAGIC, MAX_HEADER_BYTES, WRAPPING, frame_header};
use crate::input::ReadAt;
use crate::model::{FailureClass, ReadError};

/// A block has no checksum of its own, and a damaged one often expands to something: of 836 flipped bits in a
/// text of ten blocks that the decoder noticed before the end of the frame, 125 had by then changed what earlier
/// blocks expanded to. So a frame is kept whole, or as far as it goes where the file ends inside it; otherwise
/// it is skipped.
pub fn resume(file: &dyn ReadAt, stop: &Stop<'_>) -> Result<Resume, ReadError> {
    let error_at = stop.error.place.byte_offset;
    let found = walk(file, stop.unit_start, error_at)?;
    let next = match found.frame_end {
        Some(end) if is_frame(Source::at(file, end).peek(MAX_HEADER_BYTES)?) => Some(end),
        // Nothing follows the frame.
        Some(end) if end >= file.len() => None,
        _ => {
            let from = found.last_block.max(stop.unit_start.saturating_add(1));
            Source::at(file, from).find(&MAGIC, MAX_HEADER_BYTES, is_frame)?
        }
    };
    if next.is_none() && stop.error.class == FailureClass::Truncated {
        return Ok(Resume::at_cut(file, stop));
    }
    Ok(Resume {
        kept_bytes: stop.sound_bytes,
        damage_start: stop.unit_start,
        next: next.map(Start::at),
        hole_bytes: found.content_bytes,
    })
}

fn is_frame(bytes: &[u8]) -> bool {
    (WRAPPING.is_of)(bytes) && frame_header(bytes).is_none_or(|header| header.is_possible)
}

struct Found {
    /// The start of the last block that begins before the error.
    last_block: u64,
    /// `None` where the headers of the blocks do not lead there.
    frame_end: Option<u64>,
    content_bytes: Option<u64>,
}

/// Follows the block headers, 24 bits each: bit 0 marks the last block, bits 1 and 2 its type, the rest its size.
fn walk(file: &dyn ReadAt, frame_start: u64, wanted: u64) -> Result<Found, ReadError> {
    let mut source = Source::at(file, frame_start);
    let Some(header) = frame_header(source.peek(MAX_HEADER_BYTES)?) else {
        return Ok(Found { last_block: frame_start, frame_end: None, content_bytes: None });
    };
    let mut found = Found { last_block: frame_start, frame_end: None, content_bytes: header.content_bytes };
    let mut position = frame_start.saturating_add(header.header_bytes);
    loop {
        source.seek(position);
        let &[a, b, c, ..] = source.peek(3)? else { return Ok(found) };
        let block = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, kind, size) = (block & 1 == 1, block >> 1 & 3, u64::from(block >> 3));
        let end = position.saturating_add(3).saturating_add(if kind == RLE { 1 } else { size });
        if position < wanted {
            found.last_block = position;
        }
        if kind == RESERVED || end > file.len() {
            return Ok(found);
        }
        position = end;
        if is_last {
            found.frame_end = Some(position.saturating_add(if header.has_checksum { 4 } else { 0 }));
            return Ok(found);
        }
    }
}

const RLE: u32 = 1;
const RESERVED: u32 = 3;
