//! Finds the sections of a damaged version 7 file by what they look like.

use super::byte_account::ByteAccount;
use super::byte_order::ByteOrder;
use super::options::{BTF_FILE, BUFFER, BUFFER_TEXT, CMDLINES, DONE, HEADER_INFO, MODULES_FILE, STRINGS};
use crate::input::ReadAt;
use crate::model::ReadError;

/// id, flags, name, size.
pub const SECTION_HEADER_BYTES: u64 = 16;
pub const SECTION_COMPRESSED: u16 = 1;
/// Sizes of a block, packed and expanded.
pub const BLOCK_HEADER_BYTES: u64 = 8;

/// Names of sections are offsets into a table of some hundred bytes.
const MAX_NAME: u32 = 64 << 10;
/// Bytes that are looked at in one go.
const LOOK_BYTES: usize = 64 << 10;
/// Options are a few hundred bytes, but for the statistics of thousands of CPUs.
const MAX_OPTIONS_BYTES: u64 = 4 << 20;
/// What all looks after headers may read, so that a file of nothing but headers takes no longer than others.
const MAX_LOOKED_BYTES: u64 = 256 << 20;
/// What a look at one option counts among them.
const LOOKED_OPTION_BYTES: u64 = 256;
const MAX_SECTIONS: usize = 4_096;
/// Fewer options do not show that they are any, where the last one is missing.
const MIN_WHOLE_OPTIONS: u32 = 3;

/// The header of a section, and its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub id: u16,
    /// Of the header.
    pub place: u64,
    pub size: u64,
    pub is_compressed: bool,
}

impl Section {
    /// u16 id, u16 flags, u32 name (for people only), u64 size in the file; `None` at the end of the file.
    pub fn at(file: &ByteAccount<'_>, place: u64, order: ByteOrder) -> Result<Option<Self>, ReadError> {
        let mut header = [0; SECTION_HEADER_BYTES as usize];
        let count = file.peek(place, &mut header)?;
        Ok(Self::of_header(header.get(..count).unwrap_or_default(), place, order).map(|(section, _)| section))
    }

    /// The same of those bytes, and whether they look like what a recorder writes.
    fn of_header(bytes: &[u8], place: u64, order: ByteOrder) -> Option<(Self, bool)> {
        let (id, flags, name) = (order.u16(bytes, 0)?, order.u16(bytes, 2)?, order.u32(bytes, 4)?);
        let size = order.u64(bytes, 8)?;
        let is_known = matches!(id, DONE | BUFFER | HEADER_INFO..=BTF_FILE | MODULES_FILE | STRINGS);
        let is_plausible = is_known && flags <= SECTION_COMPRESSED && name < MAX_NAME && size > 0;
        Some((Self { id, place, size, is_compressed: flags & SECTION_COMPRESSED != 0 }, is_plausible))
    }

    /// The offset after the section's header.
    pub fn body(&self) -> u64 {
        self.place.saturating_add(SECTION_HEADER_BYTES)
    }

    /// The offset after the section.
    pub fn end(&self) -> u64 {
        self.body().saturating_add(self.size)
    }
}

/// The sections from `start` on, in the order of the file.
///
/// One follows the other; where none does, what follows is searched for the next one, which is believed for
/// its contents alone. The last one may reach past the end of the file.
pub fn find_sections(
    file: &ByteAccount<'_>,
    start: u64,
    order: ByteOrder,
) -> Result<Vec<Section>, ReadError> {
    let mut scan = Scan { file, order, looked_bytes: 0 };
    let mut sections: Vec<Section> = Vec::new();
    let mut at = start;
    while sections.len() < MAX_SECTIONS {
        let next = match scan.header_at(at)? {
            Some(section) if section.id != DONE && is_followed(file, &section, order)? => Some(section),
            Some(section) if scan.is_cut_buffer(&section) => Some(section),
            Some(section) if scan.is_coherent(&section)? => Some(section),
            _ => {
                // The section before may say more or less than it has.
                let behind = sections.last().map_or(start, Section::body);
                scan.search(behind)?
            }
        };
        let Some(section) = next else { break };
        sections.push(section);
        at = section.end();
    }
    Ok(sections)
}

/// Whether another section, or the end of the file, is where this one ends.
pub fn is_followed(file: &ByteAccount<'_>, section: &Section, order: ByteOrder) -> Result<bool, ReadError> {
    Ok(section.end() == file.len() || plausible_at(file, section.end(), order)?.is_some())
}

/// The header of a section at `at`, where there is what a recorder writes.
pub fn plausible_at(file: &ByteAccount<'_>, at: u64, order: ByteOrder) -> Result<Option<Section>, ReadError> {
    let mut header = [0; SECTION_HEADER_BYTES as usize];
    let count = file.peek(at, &mut header)?;
    let section = Section::of_header(header.get(..count).unwrap_or_default(), at, order);
    Ok(section.and_then(|(section, is_plausible)| is_plausible.then_some(section)))
}

struct Scan<'a> {
    file: &'a ByteAccount<'a>,
    order: ByteOrder,
    looked_bytes: u64,
}

impl Scan<'_> {
    fn header_at(&self, at: u64) -> Result<Option<Section>, ReadError> {
        plausible_at(self.file, at, self.order)
    }

    /// Whether these are pages that the file ends in.
    fn is_cut_buffer(&self, section: &Section) -> bool {
        section.id == BUFFER && section.end() > self.file.len()
    }

    /// The first section from `at` on that makes sense by itself.
    fn search(&mut self, mut at: u64) -> Result<Option<Section>, ReadError> {
        let mut buffer = vec![0; LOOK_BYTES];
        let header_bytes = SECTION_HEADER_BYTES as usize;
        while self.looked_bytes < MAX_LOOKED_BYTES {
            let count = self.file.peek(at, &mut buffer)?;
            let bytes = buffer.get(..count).unwrap_or_default();
            if count < header_bytes {
                return Ok(None);
            }
            for (offset, header) in bytes.windows(header_bytes).enumerate() {
                let place = at.saturating_add(offset as u64);
                if let Some((section, true)) = Section::of_header(header, place, self.order)
                    && self.is_coherent(&section)?
                {
                    return Ok(Some(section));
                }
            }
            let step = count.saturating_sub(header_bytes).saturating_add(1);
            at = at.saturating_add(step as u64);
        }
        Ok(None)
    }

    /// Whether the section holds what its header says.
    fn is_coherent(&mut self, section: &Section) -> Result<bool, ReadError> {
        let is_whole = section.end() <= self.file.len();
        if section.id == DONE && !section.is_compressed {
            return self.is_of_options(section);
        }
        let mut head = [0; 64];
        let count = self.file.peek(section.body(), &mut head)?;
        self.looked_bytes = self.looked_bytes.saturating_add(head.len() as u64);
        let head = head.get(..count).unwrap_or_default();
        let begins = |text: &[u8]| head.starts_with(text);
        let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
        if section.is_compressed && section.id != BUFFER && section.id != BUFFER_TEXT {
            let packed = self.order.u32(head, 0).map_or(0, u64::from);
            return Ok(is_whole && packed.saturating_add(BLOCK_HEADER_BYTES) == section.size);
        }
        let (short, long) = (self.order.u32(head, 0).map(u64::from), self.order.u64(head, 0));
        Ok(is_whole
            && match section.id {
                HEADER_INFO => begins(b"header_page\0"),
                17 | 18 => has(b"name: "),
                19 | 20 => short.is_some_and(|size| size.saturating_add(4) == section.size),
                CMDLINES => long.is_some_and(|size| size.saturating_add(8) == section.size),
                BTF_FILE => self.order.u16(head, 0) == Some(0xeb9f),
                // Pages have no recognisable form: the section after them shows where they end.
                BUFFER => self.header_at(section.end())?.is_some_and(|next| next.id == DONE),
                BUFFER_TEXT => has(b"# tracer:"),
                _ => false,
            })
    }

    /// Whether options fill the section, or what the file has of it.
    fn is_of_options(&mut self, section: &Section) -> Result<bool, ReadError> {
        let mut looks = MAX_LOOKED_BYTES.saturating_sub(self.looked_bytes) / LOOKED_OPTION_BYTES;
        let before = looks;
        let is_small = section.size <= MAX_OPTIONS_BYTES;
        let is_right =
            is_small && are_options(self.file, section.body(), section.end(), self.order, &mut looks)?;
        let looked = before.saturating_sub(looks).saturating_add(1).saturating_mul(LOOKED_OPTION_BYTES);
        self.looked_bytes = self.looked_bytes.saturating_add(looked);
        Ok(is_right)
    }
}

/// Whether options follow each other from `start` to `end`, where the last one is; or, of a cut file, some to its
/// end. At most `looks` options are looked at, which are taken off it.
pub fn are_options(
    file: &ByteAccount<'_>,
    start: u64,
    end: u64,
    order: ByteOrder,
    looks: &mut u64,
) -> Result<bool, ReadError> {
    let (mut at, mut whole) = (start, 0_u32);
    loop {
        let Some(left) = looks.checked_sub(1) else { return Ok(false) };
        *looks = left;
        let mut head = [0; 6];
        let count = file.peek(at, &mut head)?;
        if count < head.len() {
            return Ok(end > file.len() && whole >= MIN_WHOLE_OPTIONS);
        }
        let (id, size) = (order.u16(&head, 0).unwrap_or(DONE), order.u32(&head, 2).unwrap_or(0));
        at = at.saturating_add(head.len() as u64).saturating_add(u64::from(size));
        if id == DONE {
            return Ok(size == 8 && at == end);
        }
        if id > MODULES_FILE || at > end {
            return Ok(false);
        }
        whole = whole.saturating_add(u32::from(at <= file.len()));
    }
}
