//! The sections of a version 7 file: their headers, and their bodies as they were before they were packed.

use std::cell::{OnceCell, RefCell};

use super::byte_account::ByteAccount;
use super::codec::Codec;
use super::header::Header;
use super::metadata::MAX_TEXT_BYTES;
use super::options::{BUFFER_TEXT, DONE};
use super::reader::{Reader, out_of_range};
use super::recording::Damage;
use super::section_scan::{BLOCK_HEADER_BYTES, SECTION_HEADER_BYTES, Section, find_sections, is_followed};
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Limits, Place, ReadError, grouped};

/// A file of sections.
pub struct Sections<'a> {
    pub file: &'a ByteAccount<'a>,
    pub header: Header,
    pub codec: Option<Codec>,
    pub limits: &'a Limits,
    /// Where the first section should be.
    start: u64,
    found: OnceCell<Vec<Section>>,
    /// Places of the sections that were asked for.
    used: RefCell<Vec<u64>>,
    damages: RefCell<Vec<Damage>>,
}

impl<'a> Sections<'a> {
    /// The sections of a version 7 file from `start` on; none is read yet.
    pub fn new(
        file: &'a ByteAccount<'a>,
        header: Header,
        codec: Option<Codec>,
        limits: &'a Limits,
        start: u64,
    ) -> Self {
        let (found, used, damages) = (OnceCell::new(), RefCell::default(), RefCell::default());
        Self { file, header, codec, limits, start, found, used, damages }
    }

    /// What was damaged in the sections that were read.
    pub fn into_damages(self) -> Vec<Damage> {
        self.damages.into_inner()
    }

    /// The section `id` that an option puts at `offset`; where it is not, the nearest that was not asked for.
    pub fn section(&self, id: u16, offset: u64) -> Result<Section, ReadError> {
        let stated = Section::at(self.file, offset, self.header.order)?;
        if let Some(section) = stated.filter(|section| section.id == id) {
            return self.claim(section);
        }
        let nearest = self.unused(id)?.into_iter().min_by_key(|section| section.place.abs_diff(offset));
        if let Some(section) = nearest {
            let what = format!("section {id} is at byte {}, not at byte {offset}", section.place);
            self.note(section.place, section.place, what);
            return self.claim(section);
        }
        match stated.map(|section| Section { id, ..section }) {
            // Another section where this one ends shows that only its number is wrong.
            Some(section) if is_followed(self.file, &section, self.header.order)? => {
                self.note(section.place, section.place.saturating_add(2), format!("not numbered {id}"));
                self.claim(section)
            }
            _ => {
                let sentence = format!("Section {id} is not at byte {offset}, where an option puts it.");
                Err(out_of_range(Place::byte(offset.min(self.file.len())), sentence))
            }
        }
    }

    /// The sections `id` that were not asked for.
    pub fn unused(&self, id: u16) -> Result<Vec<Section>, ReadError> {
        let used = self.used.borrow();
        let is_unused = |section: &&Section| section.id == id && !used.contains(&section.place);
        Ok(self.found()?.iter().filter(is_unused).copied().collect())
    }

    /// Takes a section's header for read, and the section for asked for.
    pub fn claim(&self, section: Section) -> Result<Section, ReadError> {
        self.used.borrow_mut().push(section.place);
        Reader::new(self.file, section.place, self.header.order).take(SECTION_HEADER_BYTES as usize)?;
        Ok(section)
    }

    /// All sections, looked for from the beginning of the file on.
    pub fn found(&self) -> Result<&[Section], ReadError> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let found = find_sections(self.file, self.start, self.header.order)?;
        Ok(self.found.get_or_init(|| found))
    }

    /// Takes note of damage from `start` to `end`.
    pub fn note(&self, start: u64, end: u64, what: String) {
        self.damages.borrow_mut().push(Damage { start, end, what });
    }

    /// Calls `read` with a reader over the body of a section, expanded.
    pub fn with_section<T>(
        &self,
        section: &Section,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let order = self.header.order;
        if section.is_compressed {
            let body = self.expand(section)?;
            let mut reader = Reader::of_section(&body, section.place, order).packed_as(section.size);
            let read = read(&mut reader)?;
            if reader.remaining() > 0 {
                let what = format!("{} bytes at the end of a section were not read", reader.remaining());
                let end = section.end().min(self.file.len());
                self.note(end.saturating_sub(reader.file_bytes(reader.remaining())), end, what);
            }
            return Ok(read);
        }
        if section.end() > self.file.len() && section.id != DONE {
            return Err(past_eof(section));
        }
        read(&mut Reader::new(self.file, section.body(), order).until(section.end()))
    }

    /// Takes note of damage that the rest of the file does not suffer from: to that section, if it has its own.
    /// Returns the error.
    ///
    /// Errors: those of reading itself, and of limits.
    pub fn keep_going(
        &self,
        id: u16,
        section: Option<&Section>,
        error: ReadError,
    ) -> Result<ReadError, ReadError> {
        if matches!(error.class, FailureClass::Limit | FailureClass::Io) || error.code == Code::OptionLoop {
            return Err(error);
        }
        let start = section.map_or(error.place.byte_offset, |section| section.place);
        let end = section.map_or(start, |section| {
            if section.end() > self.file.len() { section.body() } else { section.end() }
        });
        self.note(start, end, format!("section {id}: {}", error.sentence));
        Ok(error)
    }

    /// A compressed body: one block.
    fn expand(&self, section: &Section) -> Result<Vec<u8>, ReadError> {
        let mut reader = Reader::new(self.file, section.body(), self.header.order);
        let packed = reader.clone().u32()?;
        if u64::from(packed).saturating_add(BLOCK_HEADER_BYTES) != section.size {
            return Err(self.corrupt(section));
        }
        self.expand_block(section, &mut reader, 0)
    }

    /// The compressed body of a text: u32 count of blocks, then the blocks. Of a damaged one the lines around
    /// it are cut, too, so that no half of a line is taken for one.
    pub fn expand_chunks(&self, section: &Section) -> Result<Vec<u8>, ReadError> {
        let mut reader = Reader::new(self.file, section.body(), self.header.order);
        let mut text = Vec::new();
        let mut is_behind_damage = false;
        for _ in 0..reader.u32()? {
            let start = reader.position();
            match self.expand_block(section, &mut reader, text.len() as u64) {
                Ok(block) => {
                    let line_end =
                        memchr::memchr(b'\n', &block).map_or(block.len(), |at| at.saturating_add(1));
                    let from = if is_behind_damage { line_end } else { 0 };
                    text.extend_from_slice(block.get(from..).unwrap_or_default());
                    is_behind_damage = false;
                }
                Err(error) => {
                    let is_passed = reader.position() > start.saturating_add(BLOCK_HEADER_BYTES);
                    let error = self.keep_going(BUFFER_TEXT, None, error)?;
                    if !is_passed {
                        return Err(error);
                    }
                    let whole = memchr::memrchr(b'\n', &text).map_or(0, |at| at.saturating_add(1));
                    text.truncate(whole);
                    is_behind_damage = true;
                    self.file.skip(reader.position().saturating_sub(start));
                }
            }
        }
        Ok(text)
    }

    /// u32 size packed, u32 size expanded, data; `before` bytes of the section were expanded already.
    fn expand_block(
        &self,
        section: &Section,
        reader: &mut Reader<'_>,
        before: u64,
    ) -> Result<Vec<u8>, ReadError> {
        let (packed, expanded) = (u64::from(reader.u32()?), u64::from(reader.u32()?));
        if packed > reader.remaining() {
            return Err(past_eof(section));
        }
        let limit = MAX_TEXT_BYTES.min(self.limits.max_expanded_bytes);
        let place = Place::byte(section.place);
        if before.saturating_add(expanded) > limit {
            let (expanded, limit) = (grouped(expanded), grouped(limit));
            let sentence = format!("A section claims to expand to {expanded} bytes; the limit is {limit}.");
            return Err(ReadError::new(FailureClass::Limit, Code::ExpandedTooLarge, place, sentence));
        }
        let block = reader.take(usize::try_from(packed).unwrap_or(usize::MAX))?;
        let mut body = Vec::new();
        let size = usize::try_from(expanded).unwrap_or(usize::MAX);
        if self.codec.is_some_and(|codec| codec.expand(&block, size, &mut body)) {
            return Ok(body);
        }
        Err(self.corrupt(section))
    }

    fn corrupt(&self, section: &Section) -> ReadError {
        let sentence = match self.codec {
            Some(_) => format!("The compressed section at byte {} is damaged.", section.place),
            None => "Sections are compressed in a way that is not read (zlib and zstd are).".to_owned(),
        };
        let place = Place::byte(section.place);
        ReadError::new(FailureClass::Corrupt, Code::CompressedCorrupt, place, sentence)
    }
}

fn past_eof(section: &Section) -> ReadError {
    let code = Code::SizePastEof;
    ReadError::new(FailureClass::Truncated, code, Place::byte(section.place), code.sentence())
}
