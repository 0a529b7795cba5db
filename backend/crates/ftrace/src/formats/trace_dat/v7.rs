//! Version 7: sections in any order, found through a chain of options sections.
//!
//! Source: Documentation/trace-cmd/trace-cmd.dat.v7.5.txt and what trace-cmd 3.1 and 3.4 write.

use super::byte_account::ByteAccount;
use super::codec::Codec;
use super::cpu_recovery;
use super::header::{Header, page_size};
use super::metadata::{Metadata, read_rest};
use super::option_chain::{Chain, read_options};
use super::options::{BTF_FILE, BUFFER, BUFFER_TEXT, CMDLINES, HEADER_INFO, Options, RawOption, STRINGS};
use super::reader::Reader;
use super::recording::{Buffer, CpuData, EmbeddedText, Recording, cpu_number, read_cpu_count};
use super::section_scan::{BLOCK_HEADER_BYTES, SECTION_COMPRESSED, SECTION_HEADER_BYTES, Section};
use super::sections::Sections;
use crate::input::ReadAt;
use crate::model::{Code, FailureClass, Limits, Place, ReadError};

const MAX_STRINGS_BYTES: usize = 64 << 10;

/// Everything of a version 7 file but its pages; `reader` is past the page size.
///
/// A damaged section costs only what it describes, and where the chain of options breaks, the sections
/// are looked for. Errors: no buffer of any, no format of any event, or a limit is reached.
pub fn read(
    file: &ByteAccount<'_>,
    header: Header,
    mut reader: Reader<'_>,
    limits: &Limits,
) -> Result<Recording, ReadError> {
    let name = reader.text(32)?;
    let _codec_version = reader.text(64)?;
    let codec = Codec::of_name(&name);
    let first = reader.u64()?;
    let file = Sections::new(file, header, codec, limits, reader.position());
    let Chain { mut options, is_broken, has_end } = read_options(&file, first)?;
    options.add_fact("compression", String::from_utf8_lossy(&name));
    let metadata = file.read_metadata(&options, is_broken)?;
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
    if is_broken || first_error.is_some() {
        cpu_recovery::recover(&file, &metadata, &options, &mut buffers)?;
        for section in file.unused(BUFFER_TEXT)? {
            file.claim(section)?;
            match file.text_of(&section) {
                Ok(text) => texts.push(text),
                Err(error) => {
                    first_error = first_error.or(Some(file.keep_going(BUFFER_TEXT, None, error)?))
                }
            }
        }
    }
    let is_cut = is_broken && !has_end;
    if buffers.is_empty() && texts.is_empty() && is_broken {
        return Err(first_error.unwrap_or_else(|| nothing_left(&file, has_end)));
    }
    if let Some(error) = first_error.filter(|_| buffers.is_empty() && texts.is_empty()) {
        return Err(error);
    }
    if !buffers.is_empty() && metadata.formats.is_empty() {
        return Err(no_formats(&file));
    }
    let damages = file.into_damages();
    Ok(Recording { header, metadata, options, buffers, texts, damages, is_cut })
}

fn nothing_left(file: &Sections<'_>, has_end: bool) -> ReadError {
    let len = file.file.len();
    let has_pages = file.found().is_ok_and(|found| found.iter().any(|section| section.id == BUFFER));
    let what = if has_pages {
        "Pages are there, but without the table of CPUs it cannot be known which CPU they are of."
    } else {
        "No pages of any CPU are there, only descriptions."
    };
    let (class, code, sentence) = if has_end {
        (FailureClass::Corrupt, Code::BadSection, what.to_owned())
    } else {
        let sentence = format!("The file ends at byte {len}, before its last section. {what}");
        (FailureClass::Truncated, Code::SizePastEof, sentence)
    };
    ReadError::new(class, code, Place::byte(len), sentence)
}

fn no_formats(file: &Sections<'_>) -> ReadError {
    let sentence = "The pages are there, but no event format is (sections 17 and 18), without which no record \
                    can be decoded.";
    ReadError::new(FailureClass::Corrupt, Code::BadSection, Place::byte(file.file.len()), sentence)
}

/// Reads the names of the sections, which no option points to and nothing needs: they are where nothing else
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

impl Sections<'_> {
    fn read_metadata(&self, options: &Options, is_broken: bool) -> Result<Metadata, ReadError> {
        let mut metadata = Metadata::default();
        for (id, offset) in &options.sections {
            match self.section(*id, *offset) {
                Ok(section) => self.read_description(&section, &mut metadata)?,
                Err(error) => _ = self.keep_going(*id, None, error)?,
            }
        }
        if is_broken {
            for id in HEADER_INFO..=CMDLINES {
                let is_missing = options.sections.iter().all(|(known, _)| *known != id);
                if let Some(section) = self.unused(id)?.first().filter(|_| is_missing) {
                    self.note(section.place, section.place, format!("section {id}, which no option names"));
                    let section = self.claim(*section)?;
                    self.read_description(&section, &mut metadata)?;
                }
            }
        }
        Ok(metadata)
    }

    fn read_description(&self, section: &Section, metadata: &mut Metadata) -> Result<(), ReadError> {
        if section.id == BTF_FILE {
            // It explains only arguments: where it is damaged, everything else still counts.
            let types = self.with_section(section, read_rest);
            let kept =
                types.or_else(|error| self.keep_going(BTF_FILE, Some(section), error).map(|_| Vec::new()));
            metadata.btf = Some(kept?);
            return Ok(());
        }
        let read = self.with_section(section, |reader| match section.id {
            HEADER_INFO => metadata.read_header_info(reader, self.header.long_bytes),
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
            CMDLINES => metadata.read_saved_cmdlines(reader),
            25 => metadata.read_modules(reader),
            _ => Ok(()),
        });
        if let Err(error) = read {
            self.keep_going(section.id, Some(section), error)?;
        }
        Ok(())
    }

    /// u64 offset of the section, name, clock, u32 page size, u32 CPUs; each: u32 cpu, u64 offset, u64 size.
    fn read_buffer(&self, option: &RawOption, options: &mut Options) -> Result<Buffer, ReadError> {
        let mut data = self.reader_of(option);
        let stated = data.u64()?;
        let section = self.section(BUFFER, stated)?;
        let name = data.text(256)?;
        let clock = data.text(256)?;
        if name.is_empty() || options.facts.clock.is_none() {
            options.set_clock_of_list(&clock);
        }
        let page_bytes = page_size(data.u32()?, data.place())?;
        let cpu_count = read_cpu_count(&mut data, self.limits)?;
        // Bytes that were put in or are missing before the section moved its pages, too.
        let shift = section.place.cast_signed().saturating_sub(stated.cast_signed());
        let is_moved = shift != 0 && self.is_near(stated, &data, page_bytes);
        let cpus = (0..cpu_count).map(|_| {
            let place = data.place();
            let cpu = cpu_number(data.u32()?, place, self.limits)?;
            let (stated, size) = (data.u64()?, data.u64()?);
            let offset = if is_moved { stated.saturating_add_signed(shift) } else { stated };
            Ok(CpuData { cpu, offset, size, entry_place: place.byte_offset, is_cut: false })
        });
        let cpus = cpus.collect::<Result<_, ReadError>>()?;
        let codec = self.codec.filter(|_| section.is_compressed);
        Ok(Buffer { name, page_bytes, codec, cpus })
    }

    /// Whether the first CPU's pages, which the table at `table` is about, are said to begin after the header of
    /// a section at `place`.
    fn is_near(&self, place: u64, table: &Reader<'_>, page_bytes: usize) -> bool {
        let mut table = table.clone();
        let (body, first) =
            (place.saturating_add(SECTION_HEADER_BYTES), table.u32().and_then(|_| table.u64()));
        first.is_ok_and(|first| first >= body && first.abs_diff(body) <= page_bytes as u64)
    }

    /// u64 offset of the section, name, clock.
    fn read_text_buffer(&self, option: &RawOption, options: &mut Options) -> Result<EmbeddedText, ReadError> {
        let mut data = self.reader_of(option);
        let section = self.section(BUFFER_TEXT, data.u64()?)?;
        let _name = data.text(256)?;
        options.set_clock_of_list(&data.text(256)?);
        self.text_of(&section)
    }

    fn text_of(&self, section: &Section) -> Result<EmbeddedText, ReadError> {
        if section.is_compressed {
            return Ok(EmbeddedText::Expanded { text: self.expand_chunks(section)? });
        }
        Ok(EmbeddedText::InFile { offset: section.body(), size: section.size })
    }

    fn reader_of<'o>(&self, option: &'o RawOption) -> Reader<'o> {
        Reader::of_section(&option.data, option.place, self.header.order)
    }
}
