//! Version 7: sections in any order, found through a chain of options sections.
//!
//! Source: Documentation/trace-cmd/trace-cmd.dat.v7.5.txt and what trace-cmd 3.1 and 3.4 write.

use std::cell::RefCell;

use super::byte_account::ByteAccount;
use super::codec::Codec;
use super::header::{Header, page_size};
use super::metadata::{MAX_TEXT_BYTES, Metadata, read_rest};
use super::options::{BTF_FILE, BUFFER_TEXT, DONE, Options, RawOption, read_option};
use super::reader::Reader;
use super::recording::{Buffer, CpuData, Damage, EmbeddedText, Recording, cpu_number, read_cpu_count};
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Limits, Place, ReadError};

/// id, flags, name, size.
const SECTION_HEADER_BYTES: u64 = 16;
const SECTION_COMPRESSED: u16 = 1;
/// Sizes of a block, packed and expanded.
const BLOCK_HEADER_BYTES: u64 = 8;
/// The names of the sections.
const STRINGS: u16 = 15;
const MAX_STRINGS_BYTES: usize = 64 << 10;

/// Everything of a version 7 file but its pages; `reader` stands behind the page size.
///
/// A section that is damaged costs what it describes alone. Errors: nothing of the options can be read, no
/// buffer of several, or a limit is reached.
pub fn read(
    file: &ByteAccount<'_>,
    header: Header,
    mut reader: Reader<'_>,
    limits: &Limits,
) -> Result<Recording, ReadError> {
    let name = reader.text(32)?;
    let _codec_version = reader.text(64)?;
    let codec = Codec::of_name(&name);
    let file = Sections { file, header, codec, limits, damages: RefCell::default() };
    let mut options = file.read_options(reader.u64()?)?;
    options.add_fact("compression", String::from_utf8_lossy(&name));
    let metadata = file.read_metadata(&options)?;
    let (mut buffers, mut texts) = (Vec::new(), Vec::new());
    let mut first_error = None;
    for option in std::mem::take(&mut options.buffers) {
        match file.read_buffer(&option, &mut options) {
            Ok(buffer) => buffers.push(buffer),
            Err(error) => first_error = first_error.or(Some(file.keep_going(option.id, None, error)?)),
        }
    }
    for option in std::mem::take(&mut options.text_buffers) {
        match file.read_text_buffer(&option, &mut options) {
            Ok(text) => texts.push(text),
            Err(error) => first_error = first_error.or(Some(file.keep_going(option.id, None, error)?)),
        }
    }
    let damages = file.damages.into_inner();
    match first_error {
        Some(error) if buffers.is_empty() && texts.is_empty() => Err(error),
        _ => Ok(Recording { header, metadata, options, buffers, texts, damages }),
    }
}

/// Reads the names of the sections, which no option points to and nobody needs: they stand where nothing else
/// was read.
pub fn read_strings(file: &ByteAccount<'_>, header: Header) -> Result<(), ReadError> {
    let order = header.order;
    for (start, end) in file.unread() {
        let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(usize::MAX).min(MAX_STRINGS_BYTES)];
        let count = file.peek(start, &mut bytes)?;
        bytes.truncate(count);
        let (Some(STRINGS), Some(flags), Some(size)) =
            (order.u16(&bytes, 0), order.u16(&bytes, 2), order.u64(&bytes, 8))
        else {
            continue;
        };
        let body_end = usize::try_from(SECTION_HEADER_BYTES.saturating_add(size)).unwrap_or(usize::MAX);
        let Some(body) = bytes.get(SECTION_HEADER_BYTES as usize..body_end) else { continue };
        let is_names = match flags & SECTION_COMPRESSED {
            0 => body.iter().all(|byte| *byte == 0 || byte.is_ascii_graphic() || *byte == b' '),
            _ => order.u32(body, 0).is_some_and(|packed| u64::from(packed) + BLOCK_HEADER_BYTES == size),
        };
        if is_names {
            Reader::new(file, start, order).take(body_end)?;
        }
    }
    Ok(())
}

/// A file of sections.
struct Sections<'a> {
    file: &'a ByteAccount<'a>,
    header: Header,
    codec: Option<Codec>,
    limits: &'a Limits,
    damages: RefCell<Vec<Damage>>,
}

/// Where a section's body stands, and how.
#[derive(Clone, Copy)]
struct Section {
    /// Of the section's header.
    place: u64,
    body: u64,
    size: u64,
    is_compressed: bool,
}

impl Sections<'_> {
    /// u16 id, u16 flags, u32 name (for people only), u64 size in the file.
    fn section(&self, offset: u64) -> Result<Section, ReadError> {
        let mut reader = Reader::new(self.file, offset, self.header.order);
        let (_id, flags, _name) = (reader.u16()?, reader.u16()?, reader.u32()?);
        let size = reader.u64()?;
        let body = offset.saturating_add(SECTION_HEADER_BYTES);
        Ok(Section { place: offset, body, size, is_compressed: flags & SECTION_COMPRESSED != 0 })
    }

    /// Calls `read` with a reader over the body of the section at `offset`, expanded.
    fn with_section<T>(
        &self,
        offset: u64,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let section = self.section(offset)?;
        if section.is_compressed {
            let body = self.expand(&section)?;
            let order = self.header.order;
            let mut reader = Reader::of_section(&body, section.place, order).packed_as(section.size);
            let read = read(&mut reader)?;
            if reader.remaining() > 0 {
                let what = format!("{} bytes at the end of a section were not read", reader.remaining());
                let end = section.body.saturating_add(section.size).min(self.file.len());
                let start = end.saturating_sub(reader.file_bytes(reader.remaining()));
                self.damages.borrow_mut().push(Damage { start, end, what });
            }
            return Ok(read);
        }
        let end = section.body.saturating_add(section.size);
        if end > self.file.len() {
            return Err(past_eof(&section));
        }
        read(&mut Reader::new(self.file, section.body, self.header.order).until(end))
    }

    /// Takes note of damage that the rest of the file does not suffer from: to the section at `offset`, if it
    /// has its own. Answers the error.
    ///
    /// Errors: those of reading itself, and of limits.
    fn keep_going(&self, id: u16, offset: Option<u64>, error: ReadError) -> Result<ReadError, ReadError> {
        if matches!(error.class, FailureClass::Limit | FailureClass::Io) || error.code == Code::OptionLoop {
            return Err(error);
        }
        let section = offset.and_then(|offset| self.section(offset).ok());
        let start = section.map_or(error.place.byte_offset, |section| section.place);
        let end = section.map_or(start, |section| {
            let end = section.body.saturating_add(section.size);
            if end > self.file.len() { section.body } else { end }
        });
        let what = format!("section {id}: {}", error.sentence);
        self.damages.borrow_mut().push(Damage { start, end, what });
        Ok(error)
    }

    /// A compressed body: one block.
    fn expand(&self, section: &Section) -> Result<Vec<u8>, ReadError> {
        let mut reader = Reader::new(self.file, section.body, self.header.order);
        self.expand_block(section, &mut reader, 0)
    }

    /// The compressed body of a text: u32 count of blocks, then the blocks. Of a damaged one the lines around
    /// it are cut, too, so that no half of a line is taken for one.
    fn expand_chunks(&self, section: &Section) -> Result<Vec<u8>, ReadError> {
        let mut reader = Reader::new(self.file, section.body, self.header.order);
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
            let sentence = format!("A section claims to expand to {expanded} bytes; the limit is {limit}.");
            return Err(ReadError::new(FailureClass::Limit, Code::ExpandedTooLarge, place, sentence));
        }
        let block = reader.take(usize::try_from(packed).unwrap_or(usize::MAX))?;
        let mut body = Vec::new();
        let size = usize::try_from(expanded).unwrap_or(usize::MAX);
        if self.codec.is_some_and(|codec| codec.expand(&block, size, &mut body)) {
            return Ok(body);
        }
        let sentence = match self.codec {
            Some(_) => format!("The compressed section at byte {} is damaged.", section.place),
            None => "Sections are compressed in a way that is not read (zlib and zstd are).".to_owned(),
        };
        Err(ReadError::new(FailureClass::Corrupt, Code::CompressedCorrupt, place, sentence))
    }

    /// All options, following the chain of their sections.
    fn read_options(&self, first: u64) -> Result<Options, ReadError> {
        let mut options = Options::default();
        let mut seen = Vec::new();
        let mut offset = first;
        while offset != 0 {
            if seen.contains(&offset) || seen.len() > 1_024 {
                let code = Code::OptionLoop;
                let place = Place::byte(offset);
                return Err(ReadError::new(FailureClass::Corrupt, code, place, code.sentence()));
            }
            seen.push(offset);
            let next = self.with_section(offset, |reader| {
                loop {
                    let option = read_option(reader)?;
                    if option.id == DONE {
                        return Ok(self.reader_of(&option).u64().unwrap_or(0));
                    }
                    options.add(option, reader)?;
                }
            });
            offset = match next {
                Ok(next) => next,
                Err(error) => {
                    let error = self.keep_going(DONE, Some(offset), error)?;
                    if options.buffers.is_empty() && options.text_buffers.is_empty() {
                        return Err(error);
                    }
                    0
                }
            };
        }
        Ok(options)
    }

    fn read_metadata(&self, options: &Options) -> Result<Metadata, ReadError> {
        let mut metadata = Metadata::default();
        for (id, offset) in &options.sections {
            if *id == BTF_FILE {
                // It explains arguments alone: where it is damaged, everything else still counts.
                let types = self.with_section(*offset, read_rest);
                let kept =
                    types.or_else(|error| self.keep_going(*id, Some(*offset), error).map(|_| Vec::new()));
                metadata.btf = Some(kept?);
                continue;
            }
            let read = self.with_section(*offset, |reader| match id {
                16 => metadata.read_header_info(reader, self.header.long_bytes),
                17 => {
                    reader.short_code = Code::TruncatedFormats;
                    metadata.read_ftrace_formats(reader, self.limits)
                }
                18 => {
                    reader.short_code = Code::TruncatedFormats;
                    metadata.read_event_formats(reader, self.limits)
                }
                19 => metadata.read_kallsyms(reader),
                20 => metadata.read_printk_formats(reader),
                21 => metadata.read_saved_cmdlines(reader),
                25 => metadata.read_modules(reader),
                _ => Ok(()),
            });
            if let Err(error) = read {
                self.keep_going(*id, Some(*offset), error)?;
            }
        }
        Ok(metadata)
    }

    /// u64 offset of the section, name, clock, u32 page size, u32 CPUs; each: u32 cpu, u64 offset, u64 size.
    fn read_buffer(&self, option: &RawOption, options: &mut Options) -> Result<Buffer, ReadError> {
        let mut data = self.reader_of(option);
        let section = self.section(data.u64()?)?;
        let name = data.text(256)?;
        let clock = data.text(256)?;
        if name.is_empty() || options.facts.clock.is_none() {
            options.set_clock_of_list(&clock);
        }
        let page_bytes = page_size(data.u32()?, data.place())?;
        let cpu_count = read_cpu_count(&mut data, self.limits)?;
        let cpus = (0..cpu_count).map(|_| {
            let place = data.place();
            let cpu = cpu_number(data.u32()?, place, self.limits)?;
            let (offset, size) = (data.u64()?, data.u64()?);
            Ok(CpuData { cpu, offset, size, entry_place: place.byte_offset, is_cut: false })
        });
        let cpus = cpus.collect::<Result<_, ReadError>>()?;
        let codec = self.codec.filter(|_| section.is_compressed);
        Ok(Buffer { name, page_bytes, codec, cpus })
    }

    /// u64 offset of the section, name, clock.
    fn read_text_buffer(&self, option: &RawOption, options: &mut Options) -> Result<EmbeddedText, ReadError> {
        let mut data = self.reader_of(option);
        let section = self.section(data.u64()?)?;
        let _name = data.text(256)?;
        options.set_clock_of_list(&data.text(256)?);
        if section.is_compressed {
            return Ok(EmbeddedText::Expanded { text: self.expand_chunks(&section)? });
        }
        Ok(EmbeddedText::InFile { offset: section.body, size: section.size })
    }

    fn reader_of<'o>(&self, option: &'o RawOption) -> Reader<'o> {
        Reader::of_section(&option.data, option.place, self.header.order)
    }
}

fn past_eof(section: &Section) -> ReadError {
    let code = Code::SizePastEof;
    ReadError::new(FailureClass::Truncated, code, Place::byte(section.place), code.sentence())
}
