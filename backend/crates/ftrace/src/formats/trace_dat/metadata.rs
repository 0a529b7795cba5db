//! What a trace.dat says about its events, tasks and symbols, shared by versions 6 and 7.

use super::byte_order::ByteOrder;
use super::entry_header::EntryHeader;
use super::reader::{Reader, out_of_range};
use super::ring_page::PageLayout;
use crate::model::{Limits, Place, ReadError, grouped};

/// kallsyms of a large kernel with every module is about 20 MB.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;

/// One event format as the kernel's `format` file has it, not yet parsed.
#[derive(Debug, Default)]
pub struct FormatText {
    pub system: Vec<u8>,
    pub text: Vec<u8>,
    pub place: Place,
}

/// A text of lines, and where it is.
#[derive(Debug, Default)]
pub struct Table {
    pub text: Vec<u8>,
    pub place: Place,
}

/// The texts of a recording.
#[derive(Debug)]
pub struct Metadata {
    /// Bytes of the kernel's `long`, from the size of `commit` in a page header: 4 or 8.
    pub long_bytes: usize,
    pub entry_header: EntryHeader,
    pub formats: Vec<FormatText>,
    pub kallsyms: Table,
    pub printk_formats: Table,
    pub saved_cmdlines: Table,
    /// `/proc/modules`, which is kept beside an instance of the boot before.
    pub modules: Vec<u8>,
    /// The kernel's description of its own types; empty where it could not be read.
    pub btf: Option<Vec<u8>>,
}

impl Default for Metadata {
    fn default() -> Self {
        Self {
            long_bytes: 8,
            entry_header: EntryHeader::default(),
            formats: Vec::new(),
            kallsyms: Table::default(),
            printk_formats: Table::default(),
            saved_cmdlines: Table::default(),
            modules: Vec::new(),
            btf: None,
        }
    }
}

impl Metadata {
    /// How the pages of this file are laid out.
    pub fn page_layout(&self, order: ByteOrder) -> PageLayout {
        PageLayout { order, long_bytes: self.long_bytes, entry_header: self.entry_header }
    }

    /// The numbers of all events, in ascending order: `ID: 316`.
    pub fn event_ids(&self) -> Vec<u16> {
        let of_text = |format: &FormatText| {
            let start = memchr::memmem::find(&format.text, b"\nID: ")?.saturating_add(b"\nID: ".len());
            let line = format.text.get(start..)?.split(|byte| *byte == b'\n').next()?;
            std::str::from_utf8(line).ok()?.trim().parse().ok()
        };
        let mut ids: Vec<u16> = self.formats.iter().filter_map(of_text).collect();
        ids.sort_unstable();
        ids
    }

    /// `header_page` and `header_event`, each a name, a u64 length and a text.
    ///
    /// `user_long_bytes` counts where the kernel had no such files.
    pub fn read_header_info(
        &mut self,
        reader: &mut Reader<'_>,
        user_long_bytes: usize,
    ) -> Result<(), ReadError> {
        reader.text(16)?;
        let header_page = read_text(reader, LengthField::U64)?;
        reader.text(16)?;
        let header_event = read_text(reader, LengthField::U64)?;
        self.long_bytes =
            if header_page.is_empty() { user_long_bytes } else { commit_bytes(&header_page).unwrap_or(8) };
        self.entry_header = EntryHeader::of_texts(&header_page, &header_event);
        Ok(())
    }

    /// The formats of the `ftrace` system: a u32 count, then a u64 length and a text each.
    pub fn read_ftrace_formats(&mut self, reader: &mut Reader<'_>, limits: &Limits) -> Result<(), ReadError> {
        self.read_formats(reader, b"ftrace", limits)
    }

    /// The formats of all other systems: a u32 count of systems, then a name and its formats each.
    pub fn read_event_formats(&mut self, reader: &mut Reader<'_>, limits: &Limits) -> Result<(), ReadError> {
        for _ in 0..read_count(reader, limits)? {
            let system = reader.text(limits.max_line_bytes)?;
            self.read_formats(reader, &system, limits)?;
        }
        Ok(())
    }

    /// `/proc/kallsyms`: a u32 length, then the text.
    pub fn read_kallsyms(&mut self, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        self.kallsyms = read_table(reader, LengthField::U32)?;
        Ok(())
    }

    /// `printk_formats`: a u32 length, then the text.
    pub fn read_printk_formats(&mut self, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        self.printk_formats = read_table(reader, LengthField::U32)?;
        Ok(())
    }

    /// `saved_cmdlines`: a u64 length, then the text.
    pub fn read_saved_cmdlines(&mut self, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        self.saved_cmdlines = read_table(reader, LengthField::U64)?;
        Ok(())
    }

    /// The whole section is a text.
    pub fn read_modules(&mut self, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        self.modules = read_rest(reader)?;
        Ok(())
    }

    fn read_formats(
        &mut self,
        reader: &mut Reader<'_>,
        system: &[u8],
        limits: &Limits,
    ) -> Result<(), ReadError> {
        for _ in 0..read_count(reader, limits)? {
            let place = reader.place();
            let size = reader.u64()?;
            if size > limits.max_format_bytes as u64 {
                let (size, limit) = (grouped(size), grouped(limits.max_format_bytes));
                let sentence =
                    format!("An event format of {size} bytes; the limit is {limit} (max_format_bytes).");
                return Err(out_of_range(place, sentence));
            }
            let place = reader.place();
            let text = reader.take(usize::try_from(size).unwrap_or(usize::MAX))?;
            self.formats.push(FormatText { system: system.to_vec(), text, place });
        }
        Ok(())
    }
}

/// A count of systems or of formats; each takes at least some bytes, so a count can be judged at once.
fn read_count(reader: &mut Reader<'_>, limits: &Limits) -> Result<u32, ReadError> {
    let place = reader.place();
    let count = reader.u32()?;
    if count as usize > limits.max_event_formats {
        let (count, limit) = (grouped(count), grouped(limits.max_event_formats));
        let sentence =
            format!("The file claims {count} systems or events; the limit is {limit} (max_event_formats).");
        return Err(out_of_range(place, sentence));
    }
    Ok(count)
}

/// What is left of a section.
pub fn read_rest(reader: &mut Reader<'_>) -> Result<Vec<u8>, ReadError> {
    reader.take(usize::try_from(reader.remaining().min(MAX_TEXT_BYTES)).unwrap_or(0))
}

#[derive(Clone, Copy)]
enum LengthField {
    U32,
    U64,
}

fn read_table(reader: &mut Reader<'_>, length: LengthField) -> Result<Table, ReadError> {
    let place = reader.place();
    Ok(Table { text: read_text(reader, length)?, place })
}

fn read_text(reader: &mut Reader<'_>, length: LengthField) -> Result<Vec<u8>, ReadError> {
    let place = reader.place();
    let size = match length {
        LengthField::U32 => u64::from(reader.u32()?),
        LengthField::U64 => reader.u64()?,
    };
    if size > reader.remaining() {
        let sentence = format!("A text of {} bytes is longer than the rest of the file.", grouped(size));
        return Err(ReadError { place, sentence, ..reader.too_short() });
    }
    match usize::try_from(size) {
        Ok(count) if size <= MAX_TEXT_BYTES => reader.take(count),
        _ => {
            let (size, limit) = (grouped(size), grouped(MAX_TEXT_BYTES));
            Err(out_of_range(place, format!("A text of {size} bytes; the limit is {limit}.")))
        }
    }
}

/// `\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;`
fn commit_bytes(header_page: &[u8]) -> Option<usize> {
    let line = header_page.split(|byte| *byte == b'\n').find(|line| {
        let declared = line.split(|byte| *byte == b';').next().unwrap_or_default();
        declared.ends_with(b"commit")
    })?;
    let at = memchr::memmem::find(line, b"size:")?.checked_add(b"size:".len())?;
    match line.get(at)? {
        b'4' => Some(4),
        _ => Some(8),
    }
}
