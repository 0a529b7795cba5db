//! Follows the blocks of an xz file, so that a damaged one costs only itself.
//!
//! A block ends with a check over all of it. Inside, LZMA2 divides the data into chunks of at most 64 KiB, each
//! preceded by its sizes; following those leads to the end of a damaged block.
//! Source: The .xz File Format 1.2.1; `doc/lzma2` and `lzma2_decoder.c` of XZ Utils 5.6.

use super::Source;
use super::salvage::{Resume, Start, Stop, StreamHeader};
use crate::input::ReadAt;
use crate::model::{FailureClass, ReadError};

const MAGIC: &[u8] = b"\xfd7zXZ\0";
const STREAM_HEADER_BYTES: usize = 12;
const STREAM_FOOTER_BYTES: u64 = 12;
/// Size of a check, by its id.
const CHECK_BYTES: [u64; 16] = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];

/// The blocks before the damaged one are kept.
pub fn resume(file: &dyn ReadAt, stop: &Stop<'_>) -> Result<Resume, ReadError> {
    if stop.error.class == FailureClass::Truncated {
        return Ok(Resume::at_cut(file, stop));
    }
    let mut walk = Walk { source: Source::at(file, stop.start.offset), stop, expanded_bytes: 0 };
    let found = walk.find()?;
    let kept_bytes = found.kept_bytes.min(stop.produced_bytes);
    let next = match found.next {
        Some(next) => Some(next).filter(|next| next.offset < file.len()),
        None => {
            let from = found.damage_start.saturating_add(1);
            Source::at(file, from).find(MAGIC, STREAM_HEADER_BYTES, |_| true)?.map(Start::at)
        }
    };
    let hole_bytes = found.hole_bytes;
    Ok(Resume { kept_bytes, damage_start: found.damage_start, next, hole_bytes })
}

struct Walk<'a, 's> {
    source: Source<'a>,
    stop: &'a Stop<'s>,
    /// Of the blocks passed so far.
    expanded_bytes: u64,
}

struct Found {
    /// Expanded bytes before the damage.
    kept_bytes: u64,
    damage_start: u64,
    next: Option<Start>,
    hole_bytes: Option<u64>,
}

impl Walk<'_, '_> {
    fn find(&mut self) -> Result<Found, ReadError> {
        let mut begun = self.stop.start.header;
        loop {
            let header_before = begun.take();
            let header = match header_before {
                Some(header) => header,
                None => match self.stream_header()? {
                    Some(header) => header,
                    None => return Ok(self.lost_from_here(None)),
                },
            };
            while self.source.peek(1)?.first().is_some_and(|byte| *byte != 0) {
                if let Some(found) = self.block(header)? {
                    return Ok(found);
                }
            }
            let index_start = self.source.position();
            let is_whole = self.pass_index()?;
            if is_whole && header_before.is_some() {
                // A decoder that starts in the middle of a stream always finds more blocks in the index than it saw.
                let (kept_bytes, damage_start) = (self.expanded_bytes, self.source.position());
                let next = Some(Start::at(damage_start));
                return Ok(Found { kept_bytes, damage_start, next, hole_bytes: Some(0) });
            }
            if !is_whole || self.stop.error.place.byte_offset < self.source.position() {
                // The data is complete; only the index or footer is damaged.
                let next = (self.source.position() > index_start).then(|| Start::at(self.source.position()));
                let next = next.filter(|_| self.source.peek(6).is_ok_and(|bytes| bytes.starts_with(MAGIC)));
                let (kept_bytes, damage_start) = (self.expanded_bytes, index_start);
                return Ok(Found { kept_bytes, damage_start, next, hole_bytes: Some(0) });
            }
        }
    }

    fn lost_from_here(&self, hole_bytes: Option<u64>) -> Found {
        let (kept_bytes, damage_start) = (self.expanded_bytes, self.source.position());
        Found { kept_bytes, damage_start, next: None, hole_bytes }
    }

    fn stream_header(&mut self) -> Result<Option<StreamHeader>, ReadError> {
        let bytes = self.source.peek(STREAM_HEADER_BYTES)?;
        let header = bytes.first_chunk().copied().filter(|header: &StreamHeader| header.starts_with(MAGIC));
        if header.is_some() {
            self.source.consume(STREAM_HEADER_BYTES);
        }
        Ok(header)
    }

    /// Passes a block. Returns what was found if the error is inside it.
    fn block(&mut self, header: StreamHeader) -> Result<Option<Found>, ReadError> {
        let error_at = self.stop.error.place.byte_offset;
        let (block_start, expanded_before) = (self.source.position(), self.expanded_bytes);
        let block_end = self.pass_chunks(header)?;
        if let Some(end) = block_end
            && error_at > end
        {
            self.source.seek(end);
            return Ok(None);
        }
        let hole_bytes = block_end.map(|_| self.expanded_bytes.saturating_sub(expanded_before));
        let next = match block_end {
            Some(end) => self.block_or_stream_at(Start { offset: end, header: Some(header) })?,
            None => None,
        };
        // Without its check nothing in the block can be trusted: the decoder may notice damage only after it
        // has produced wrong bytes.
        Ok(Some(Found { kept_bytes: expanded_before, damage_start: block_start, next, hole_bytes }))
    }

    /// Where reading resumes after a block: at the next one, or after the index that follows the last.
    fn block_or_stream_at(&mut self, next: Start) -> Result<Option<Start>, ReadError> {
        self.source.seek(next.offset);
        if self.source.peek(1)?.first() != Some(&0) {
            return Ok(Some(next));
        }
        let is_passed = self.pass_index()?;
        Ok(is_passed.then(|| Start::at(self.source.position())))
    }

    /// Follows the chunks of the block that starts here (control, sizes less one, data) to the end of its check;
    /// `None` if the sizes do not lead there.
    fn pass_chunks(&mut self, header: StreamHeader) -> Result<Option<u64>, ReadError> {
        let start = self.source.position();
        let header_bytes =
            self.source.peek(1)?.first().map_or(0, |size| u64::from(*size).saturating_add(1) << 2);
        let mut at = start.saturating_add(header_bytes);
        loop {
            self.source.seek(at);
            let (head_bytes, packed, expanded) = match self.source.peek(6)? {
                [0, ..] => break,
                &[1 | 2, a, b, ..] => {
                    let size = u64::from(u16::from_be_bytes([a, b])).saturating_add(1);
                    (3, size, size)
                }
                &[control, a, b, c, d, ..] if control >= 0x80 => {
                    let expanded = u32::from_be_bytes([0, control & 0x1f, a, b]);
                    let packed = u64::from(u16::from_be_bytes([c, d])).saturating_add(1);
                    // Preceded by a byte of properties if they are set anew.
                    (if control >= 0xc0 { 6 } else { 5 }, packed, u64::from(expanded).saturating_add(1))
                }
                _ => return Ok(None),
            };
            at = at.saturating_add(head_bytes).saturating_add(packed);
            self.expanded_bytes = self.expanded_bytes.saturating_add(expanded);
        }
        let padded = at.saturating_add(1).next_multiple_of(4);
        let check = header.get(7).and_then(|flags| CHECK_BYTES.get(usize::from(flags & 15)));
        Ok(Some(padded.saturating_add(check.copied().unwrap_or(0))))
    }

    /// Passes the index (a zero, the number of records, two numbers each, padding, CRC), the footer, and the
    /// padding after the stream. False if any of it is malformed.
    fn pass_index(&mut self) -> Result<bool, ReadError> {
        let start = self.source.position();
        self.source.consume(1);
        let Some(records) = self.number()? else { return Ok(false) };
        for _ in 0..records.saturating_mul(2) {
            if self.number()?.is_none() {
                return Ok(false);
            }
        }
        let index_bytes = self.source.position().saturating_sub(start).next_multiple_of(4);
        let end = start.saturating_add(index_bytes).saturating_add(4).saturating_add(STREAM_FOOTER_BYTES);
        self.source.seek(end);
        while self.source.peek(4)?.starts_with(&[0; 4]) {
            self.source.consume(4);
        }
        Ok(true)
    }

    /// A number with seven bits a byte, lowest first.
    fn number(&mut self) -> Result<Option<u64>, ReadError> {
        let mut value = 0_u64;
        for shift in (0..63).step_by(7) {
            let Some(byte) = self.source.byte()? else { return Ok(None) };
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
