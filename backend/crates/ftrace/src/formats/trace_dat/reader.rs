//! Reads the metadata of a trace.dat from front to back, with an error that names the byte.

use super::byte_order::ByteOrder;
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Place, ReadError};

/// A cursor over a file, or over the expanded body of one of its sections.
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a dyn ReadAt,
    position: u64,
    end: u64,
    pub order: ByteOrder,
    /// The offset in the file of a compressed section's body: all its errors are placed there.
    section_place: Option<u64>,
    /// What that section takes in the file, and expanded.
    sizes: (u64, u64),
    /// What it is called when the bytes end too early.
    pub short_code: Code,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a dyn ReadAt, position: u64, order: ByteOrder) -> Self {
        let (end, short_code) = (bytes.len(), Code::SizePastEof);
        Self { bytes, position, end, order, section_place: None, sizes: (1, 1), short_code }
    }

    /// A reader over an expanded section, whose compressed body is at `section_place` of the file.
    pub fn of_section(body: &'a dyn ReadAt, section_place: u64, order: ByteOrder) -> Self {
        Self { section_place: Some(section_place), ..Self::new(body, 0, order) }
    }

    /// The same, of a section that takes `packed` bytes in the file.
    pub fn packed_as(self, packed: u64) -> Self {
        Self { sizes: (packed, self.bytes.len()), ..self }
    }

    /// What `bytes` of what is read take in the file: of a packed section, that share of it.
    pub fn file_bytes(&self, bytes: u64) -> u64 {
        let (packed, expanded) = (u128::from(self.sizes.0), u128::from(self.sizes.1));
        let share = u128::from(bytes).saturating_mul(packed).checked_div(expanded);
        share.and_then(|share| u64::try_from(share).ok()).unwrap_or(0)
    }

    /// The same, without what lies after `end`.
    pub fn until(self, end: u64) -> Self {
        Self { end: end.min(self.end), ..self }
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn seek(&mut self, position: u64) {
        self.position = position;
    }

    /// Bytes up to the end of the file or section.
    pub fn remaining(&self) -> u64 {
        self.end.saturating_sub(self.position)
    }

    /// The offset in the file of the next byte.
    pub fn place(&self) -> Place {
        Place::byte(self.section_place.unwrap_or(self.position))
    }

    /// The next `count` bytes.
    ///
    /// Errors: the section ends before them; nothing is allocated then.
    pub fn take(&mut self, count: usize) -> Result<Vec<u8>, ReadError> {
        if self.remaining() < count as u64 {
            return Err(self.too_short());
        }
        let mut bytes = vec![0; count];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub fn u8(&mut self) -> Result<u8, ReadError> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub fn u16(&mut self) -> Result<u16, ReadError> {
        let raw = self.array::<2>()?;
        Ok(self.order.u16(&raw, 0).unwrap_or_default())
    }

    pub fn u32(&mut self) -> Result<u32, ReadError> {
        let raw = self.array::<4>()?;
        Ok(self.order.u32(&raw, 0).unwrap_or_default())
    }

    pub fn u64(&mut self) -> Result<u64, ReadError> {
        let raw = self.array::<8>()?;
        Ok(self.order.u64(&raw, 0).unwrap_or_default())
    }

    /// The bytes up to a NUL, which is taken too; an error where none follows within `limit`.
    pub fn text(&mut self, limit: usize) -> Result<Vec<u8>, ReadError> {
        let start = self.place();
        let mut text = Vec::new();
        while text.len() <= limit {
            match self.u8()? {
                0 => return Ok(text),
                byte => text.push(byte),
            }
        }
        Err(out_of_range(start, "A name in the metadata does not end."))
    }

    /// The error of a file that ends inside what is being read.
    pub fn too_short(&self) -> ReadError {
        let end = self.section_place.unwrap_or(self.end);
        let sentence = format!("{} (byte {end})", self.short_code.sentence());
        ReadError::new(FailureClass::Truncated, self.short_code, Place::byte(end), sentence)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let mut raw = [0; N];
        self.fill(&mut raw)?;
        Ok(raw)
    }

    fn fill(&mut self, mut buffer: &mut [u8]) -> Result<(), ReadError> {
        if self.remaining() < buffer.len() as u64 {
            return Err(self.too_short());
        }
        while !buffer.is_empty() {
            let count = self.bytes.read_at(self.position, buffer)?;
            if count == 0 {
                return Err(self.too_short());
            }
            self.position = self.position.saturating_add(count as u64);
            buffer = buffer.get_mut(count..).unwrap_or_default();
        }
        Ok(())
    }
}

/// The error of a size or count that cannot be right.
pub fn out_of_range(place: Place, sentence: impl Into<String>) -> ReadError {
    ReadError::new(FailureClass::Corrupt, Code::SizeOutOfRange, place, sentence)
}
