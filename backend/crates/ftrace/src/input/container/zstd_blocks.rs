//! Where the blocks of a zstd frame stand, to tell what of it a damaged one costs.

use super::Source;
use super::salvage::{Resume, Start, Stop};
use super::zstd_frames::{MAGIC, MAX_HEADER_BYTES, WRAPPING, frame_header};
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, ReadError};

/// The blocks before the damaged one are kept, unless only the sum over the whole frame is wrong: then any
/// of them may be the damaged one.
pub fn resume(file: &dyn ReadAt, stop: &Stop<'_>) -> Result<Resume, ReadError> {
    let error_at = stop.error.place.byte_offset;
    let found = walk(file, stop.unit_start, error_at)?;
    let next = match found.frame_end {
        Some(end) if is_frame(Source::at(file, end).peek(MAX_HEADER_BYTES)?) => Some(end),
        // The file ends with the frame, or the chain of its blocks is broken.
        Some(end) if end >= file.len() => None,
        _ => {
            let from = found.block_start.max(stop.unit_start.saturating_add(1));
            Source::at(file, from).find(&MAGIC, MAX_HEADER_BYTES, is_frame)?
        }
    };
    if next.is_none() && stop.error.class == FailureClass::Truncated {
        return Ok(Resume::at_cut(file, stop));
    }
    let is_all_doubtful = stop.error.code == Code::ChecksumMismatch;
    let (kept_bytes, damage_start) = match is_all_doubtful {
        true => (stop.sound_bytes, stop.unit_start),
        false => (stop.produced_bytes, found.block_start),
    };
    let of_frame = kept_bytes.saturating_sub(stop.sound_bytes);
    let hole_bytes = found.content_bytes.map(|bytes| bytes.saturating_sub(of_frame));
    Ok(Resume { kept_bytes, damage_start, next: next.map(Start::at), hole_bytes })
}

fn is_frame(bytes: &[u8]) -> bool {
    (WRAPPING.is_of)(bytes) && frame_header(bytes).is_none_or(|header| header.is_possible)
}

struct Found {
    /// Of the block that ends at or behind the place that was asked for.
    block_start: u64,
    /// `None` where the headers of the blocks do not lead there.
    frame_end: Option<u64>,
    content_bytes: Option<u64>,
}

/// Follows the headers of the blocks: u24, of which bit 0 says that it is the last, bits 1 and 2 what it
/// holds, the others its size.
fn walk(file: &dyn ReadAt, frame_start: u64, wanted: u64) -> Result<Found, ReadError> {
    let mut source = Source::at(file, frame_start);
    let Some(header) = frame_header(source.peek(MAX_HEADER_BYTES)?) else {
        return Ok(Found { block_start: frame_start, frame_end: None, content_bytes: None });
    };
    let mut found = Found { block_start: frame_start, frame_end: None, content_bytes: header.content_bytes };
    let mut position = frame_start.saturating_add(header.header_bytes);
    loop {
        source.seek(position);
        let &[a, b, c, ..] = source.peek(3)? else { return Ok(found) };
        let block = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, kind, size) = (block & 1 == 1, block >> 1 & 3, u64::from(block >> 3));
        let end = position.saturating_add(3).saturating_add(if kind == RLE { 1 } else { size });
        if position < wanted {
            found.block_start = position;
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
