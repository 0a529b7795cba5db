//! Version 7: sections in any order, found through a chain of options sections.
//!
//! Source: Documentation/trace-cmd/trace-cmd.dat.v7.5.txt and what trace-cmd 3.1 and 3.4 write.

use super::codec::Codec;
use super::header::{Header, page_size};
use super::metadata::{MAX_TEXT_BYTES, Metadata, read_rest};
use super::options::{BTF_FILE, DONE, Options, RawOption, read_option};
use super::reader::Reader;
use super::recording::{Buffer, CpuData, EmbeddedText, Recording, cpu_number, read_cpu_count};
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Limits, Place, ReadError};

/// id, flags, name, size.
const SECTION_HEADER_BYTES: u64 = 16;
const SECTION_COMPRESSED: u16 = 1;

/// Everything of a version 7 file but its pages; `reader` stands behind the page size.
pub fn read(
    file: &dyn ReadAt,
    header: Header,
    mut reader: Reader<'_>,
    limits: &Limits,
) -> Result<Recording, ReadError> {
    let name = reader.text(32)?;
    let _codec_version = reader.text(64)?;
    let file = Sections { file, header, codec: Codec::of_name(&name), limits };
    let mut options = file.read_options(reader.u64()?)?;
    options.add_fact("compression", String::from_utf8_lossy(&name));
    let metadata = file.read_metadata(&options)?;
    let mut recording = Recording { header, metadata, options, buffers: Vec::new(), texts: Vec::new() };
    for option in std::mem::take(&mut recording.options.buffers) {
        let buffer = file.read_buffer(&option, &mut recording.options)?;
        recording.buffers.push(buffer);
    }
    for option in std::mem::take(&mut recording.options.text_buffers) {
        let text = file.read_text_buffer(&option, &mut recording.options)?;
        recording.texts.push(text);
    }
    Ok(recording)
}

/// A file of sections.
struct Sections<'a> {
    file: &'a dyn ReadAt,
    header: Header,
    codec: Option<Codec>,
    limits: &'a Limits,
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
            return read(&mut Reader::of_section(&body, section.place, self.header.order));
        }
        let end = section.body.saturating_add(section.size);
        if end > self.file.len() {
            return Err(past_eof(&section));
        }
        read(&mut Reader::new(self.file, section.body, self.header.order).until(end))
    }

    /// A compressed body: one block.
    fn expand(&self, section: &Section) -> Result<Vec<u8>, ReadError> {
        let mut reader = Reader::new(self.file, section.body, self.header.order);
        self.expand_block(section, &mut reader, 0)
    }

    /// The compressed body of a text: u32 count of blocks, then the blocks.
    fn expand_chunks(&self, section: &Section) -> Result<Vec<u8>, ReadError> {
        let mut reader = Reader::new(self.file, section.body, self.header.order);
        let mut text = Vec::new();
        for _ in 0..reader.u32()? {
            let block = self.expand_block(section, &mut reader, text.len() as u64)?;
            text.extend_from_slice(&block);
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
            offset = self.with_section(offset, |reader| {
                loop {
                    let option = read_option(reader)?;
                    if option.id == DONE {
                        return Ok(self.reader_of(&option).u64().unwrap_or(0));
                    }
                    options.add(option, reader)?;
                }
            })?;
        }
        Ok(options)
    }

    fn read_metadata(&self, options: &Options) -> Result<Metadata, ReadError> {
        let mut metadata = Metadata::default();
        for (id, offset) in &options.sections {
            if *id == BTF_FILE {
                // It explains arguments alone: where it is damaged, everything else still counts.
                metadata.btf = Some(self.with_section(*offset, read_rest).unwrap_or_default());
                continue;
            }
            self.with_section(*offset, |reader| match id {
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
            })?;
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
            Ok(CpuData { cpu, offset, size, entry_place: place.byte_offset })
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
