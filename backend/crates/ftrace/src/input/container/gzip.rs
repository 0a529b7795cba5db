//! gzip (RFC 1952): any number of members, each with its own length and CRC-32.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::salvage::{Resume, Start, Stop};
use super::{Decode, Source, Wrapping, checksum_mismatch, corrupt, truncated};
use crate::input::ReadAt;
use crate::model::{FailureClass, ReadError};

const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// Without the optional fields.
const MEMBER_HEADER_BYTES: u64 = 10;

/// Of a member's data, before its length.
const CHECKSUM_BYTES: u64 = 4;

/// About what the last block of deflate expands to, which is where an end goes missing.
const BLOCK_BYTES: u32 = 256 << 10;

const FLAG_HEADER_CRC: u8 = 1 << 1;
const FLAG_EXTRA: u8 = 1 << 2;
const FLAG_NAME: u8 = 1 << 3;
const FLAG_COMMENT: u8 = 1 << 4;

pub static WRAPPING: Wrapping = Wrapping {
    is_of: |head| head.starts_with(&[0x1f, 0x8b]),
    decoder: |source, _| Ok(Box::new(Gzip::new(source))),
    resume: |file, stop| resume(file, stop),
};

struct Gzip<'a> {
    source: Source<'a>,
    inflate: Decompress,
    crc: Crc,
    member_start: u64,
    state: State,
}

/// What the decoder expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Header,
    Data,
    Trailer,
}

impl<'a> Gzip<'a> {
    fn new(source: Source<'a>) -> Self {
        let (inflate, crc, state) = (Decompress::new(false), Crc::new(), State::Header);
        Self { member_start: source.position(), source, inflate, crc, state }
    }

    /// Reads a member's header. False at the end of the file, or if only zero padding is left.
    fn open_member(&mut self) -> Result<bool, ReadError> {
        let position = self.source.position();
        self.member_start = position;
        match self.source.peek(10)? {
            [] => return Ok(false),
            [0x1f, 0x8b, 8, ..] => {}
            // Tapes and some archivers pad the last block with zeros.
            [0, ..] if position > 0 => return self.only_padding_follows(position),
            _ => return Err(corrupt(position, "no gzip member begins here")),
        }
        let flags = self.header_bytes(10)?;
        if flags & FLAG_EXTRA != 0 {
            let low = self.header_byte()?;
            let high = self.header_byte()?;
            for _ in 0..u16::from_le_bytes([low, high]) {
                self.header_byte()?;
            }
        }
        for text in [FLAG_NAME, FLAG_COMMENT] {
            while flags & text != 0 && self.header_byte()? != 0 {}
        }
        if flags & FLAG_HEADER_CRC != 0 {
            self.header_byte()?;
            self.header_byte()?;
        }
        self.inflate.reset(false);
        self.crc.reset();
        self.state = State::Data;
        Ok(true)
    }

    /// Reads the fixed part of the header and returns its flags byte.
    fn header_bytes(&mut self, count: usize) -> Result<u8, ReadError> {
        let mut flags = 0;
        for index in 0..count {
            let byte = self.header_byte()?;
            if index == 3 {
                flags = byte;
            }
        }
        Ok(flags)
    }

    fn header_byte(&mut self) -> Result<u8, ReadError> {
        let byte = self.source.byte()?;
        byte.ok_or_else(|| truncated(self.source.position()))
    }

    fn only_padding_follows(&mut self, position: u64) -> Result<bool, ReadError> {
        loop {
            match self.source.byte()? {
                None => return Ok(false),
                Some(0) => {}
                Some(_) => return Err(corrupt(position, "something other than gzip follows the data")),
            }
        }
    }

    fn close_member(&mut self) -> Result<(), ReadError> {
        let position = self.source.position();
        let expected = [self.crc.sum().to_le_bytes(), self.crc.amount().to_le_bytes()].concat();
        let found = self.source.peek(8)?;
        let found = found.get(..8).unwrap_or(found);
        if !expected.starts_with(found) {
            return Err(checksum_mismatch(position));
        }
        if found.len() < 8 {
            return Err(truncated(position.saturating_add(found.len() as u64)));
        }
        self.source.consume(8);
        self.state = State::Header;
        Ok(())
    }
}

impl Decode for Gzip<'_> {
    fn decode(&mut self, output: &mut [u8]) -> Result<usize, ReadError> {
        loop {
            match self.state {
                State::Header => {
                    if !self.open_member()? {
                        return Ok(0);
                    }
                }
                State::Trailer => self.close_member()?,
                State::Data => {
                    let step = inflate_step(&mut self.inflate, &mut self.source, output)?;
                    self.crc.update(output.get(..step.produced).unwrap_or_default());
                    if step.is_end {
                        self.state = State::Trailer;
                    }
                    if step.produced > 0 {
                        return Ok(step.produced);
                    }
                }
            }
        }
    }

    fn unit_start(&self) -> u64 {
        self.member_start
    }

    fn position(&self) -> u64 {
        self.source.position()
    }
}

/// Deflate has no checks of its own: of 200 flipped bits in a member of 6 MB, 199 were noticed only by the
/// checksum at its end, after a median of 1,563 changed lines. So a member is kept whole, or as far as it goes
/// where the file ends inside it; otherwise it is skipped.
fn resume(file: &dyn ReadAt, stop: &Stop<'_>) -> Result<Resume, ReadError> {
    let behind_header = stop.unit_start.saturating_add(MEMBER_HEADER_BYTES);
    let from = if stop.is_inside_unit() { behind_header } else { stop.unit_start.saturating_add(1) };
    let next = Source::at(file, from).find(&MAGIC, 10, is_member_header)?;
    if next.is_none() && stop.error.class == FailureClass::Truncated && !ends_with_length(file, stop)? {
        return Ok(Resume::at_cut(file, stop));
    }
    let hole_bytes = match next {
        // A member ends with its length, which therefore precedes the next member.
        Some(next) => match Source::at(file, next.saturating_sub(4)).peek(4)? {
            &[a, b, c, d, ..] => Some(u64::from(u32::from_le_bytes([a, b, c, d]))),
            _ => None,
        },
        None => None,
    };
    let next = next.map(Start::at);
    Ok(Resume { kept_bytes: stop.sound_bytes, damage_start: stop.unit_start, next, hole_bytes })
}

/// Whether the data seems to run out only because a changed byte hid its end: then the member's length is still
/// the last thing in the file, and about what came out. In a file that was cut, one of 8,192 looks like that.
fn ends_with_length(file: &dyn ReadAt, stop: &Stop<'_>) -> Result<bool, ReadError> {
    let &[a, b, c, d] = Source::at(file, file.len().saturating_sub(4)).peek(4)? else { return Ok(false) };
    // Lengths are given modulo 4 GiB.
    let produced = (stop.produced_bytes.saturating_sub(stop.sound_bytes) & u64::from(u32::MAX)) as u32;
    let apart = u32::from_le_bytes([a, b, c, d]).wrapping_sub(produced);
    let is_checked = file.len().saturating_sub(stop.position) >= CHECKSUM_BYTES;
    Ok(!is_checked && apart.min(apart.wrapping_neg()) <= BLOCK_BYTES)
}

/// Stricter than the decoder: `1f 8b 08` turns up by chance in a few MiB of compressed data.
fn is_member_header(bytes: &[u8]) -> bool {
    matches!(bytes, [_, _, _, flags, _, _, _, _, 0 | 2 | 4, 0..=13 | 255, ..] if flags & 0xe0 == 0)
}

pub struct InflateStep {
    pub produced: usize,
    pub is_end: bool,
}

/// Runs a deflate decoder once over the buffered input.
pub fn inflate_step(
    inflate: &mut Decompress,
    source: &mut Source<'_>,
    output: &mut [u8],
) -> Result<InflateStep, ReadError> {
    let position = source.position();
    let input = source.peek(1)?;
    let is_input_over = input.is_empty();
    let (in_before, out_before) = (inflate.total_in(), inflate.total_out());
    let status = inflate.decompress(input, output, FlushDecompress::None);
    let consumed = inflate.total_in().saturating_sub(in_before);
    let produced = inflate.total_out().saturating_sub(out_before);
    source.consume(usize::try_from(consumed).unwrap_or(usize::MAX));
    let status = status.map_err(|error| corrupt(position.saturating_add(consumed), &error.to_string()))?;
    let is_end = status == Status::StreamEnd;
    if produced == 0 && consumed == 0 && !is_end {
        return Err(if is_input_over {
            truncated(position)
        } else {
            corrupt(position, "it does not continue")
        });
    }
    Ok(InflateStep { produced: usize::try_from(produced).unwrap_or(usize::MAX), is_end })
}
