//! The pages of one CPU, one at a time, whether the file holds them as they are or in compressed chunks.

use super::budget::Budget;
use super::byte_account::ByteAccount;
use super::byte_order::ByteOrder;
use super::codec::Expander;
use super::page_plan::Part;
use super::recording::CpuData;
use crate::input::ReadAt;
use crate::model::{Code, Place, ReadError};

/// Chunks are ten pages as trace-cmd writes them; a hostile file may claim any size.
pub const MAX_CHUNK_BYTES: usize = 8 << 20;
/// Chunks that are expanded to find out whether they are any, after one that is damaged.
const MAX_TRIES: u32 = 64;
/// Bytes that are looked at in one go.
const LOOK_BYTES: usize = 64 << 10;

/// The header of a chunk: u32 size packed, u32 size expanded.
#[derive(Clone, Copy, Debug)]
pub struct ChunkHeader {
    pub packed_bytes: u32,
    pub expanded_bytes: u32,
}

impl ChunkHeader {
    pub const BYTES: u64 = 8;

    /// The header at `place`, which is not taken for read; `None` at the end of the file.
    pub fn peek(file: &ByteAccount<'_>, place: u64, order: ByteOrder) -> Result<Option<Self>, ReadError> {
        let mut sizes = [0; Self::BYTES as usize];
        let count = file.peek(place, &mut sizes)?;
        Ok(Self::of(sizes.get(..count).unwrap_or_default(), order))
    }

    fn of(sizes: &[u8], order: ByteOrder) -> Option<Self> {
        Some(Self { packed_bytes: order.u32(sizes, 0)?, expanded_bytes: order.u32(sizes, 4)? })
    }

    /// Whether it can be of whole pages.
    pub fn is_of_pages(self, page_bytes: usize) -> bool {
        let expanded = self.expanded_bytes as usize;
        let is_whole = expanded > 0 && expanded.is_multiple_of(page_bytes);
        is_whole && self.packed_bytes > 0 && !self.is_too_large()
    }

    fn is_too_large(self) -> bool {
        self.expanded_bytes.max(self.packed_bytes) as usize > MAX_CHUNK_BYTES
    }

    /// The offset of its compressed bytes, for a header at `place`.
    pub fn body(self, place: u64) -> u64 {
        place.saturating_add(Self::BYTES)
    }

    /// The offset after it, for a header at `place`.
    pub fn end(self, place: u64) -> u64 {
        self.body(place).saturating_add(u64::from(self.packed_bytes))
    }
}

/// Where a CPU's pages come from.
pub struct PageSource<'a> {
    file: &'a ByteAccount<'a>,
    budget: &'a Budget,
    order: ByteOrder,
    page_bytes: usize,
    place: u64,
    /// The page or, of packed pages, the expanded chunk.
    buffer: Vec<u8>,
    /// Start of the current page in `buffer`.
    start: usize,
    packing: Packing<'a>,
    /// A chunk was where it should be.
    has_chunk: bool,
    /// How many chunks follow is not known any more.
    has_lost_count: bool,
}

enum Packing<'a> {
    Plain { next: u64, end: u64 },
    Planned { parts: std::vec::IntoIter<Part>, end: u64 },
    Chunks { expander: &'a Expander, next: u64, end: u64, left: u32, packed: Vec<u8> },
}

/// What the next step over the pages came to.
pub enum Step {
    Page,
    /// The bytes from `start` to `end` are damaged, which the pages after them do not suffer from.
    Damaged {
        code: Code,
        start: u64,
        end: u64,
    },
    End,
}

impl<'a> PageSource<'a> {
    /// `plan` lists the pages of a damaged file; without one, they follow each other.
    ///
    /// Errors: the file cannot be read.
    pub fn new(
        file: &'a ByteAccount<'a>,
        budget: &'a Budget,
        data: &CpuData,
        page_bytes: usize,
        expander: Option<&'a Expander>,
        order: ByteOrder,
        plan: Option<Vec<Part>>,
    ) -> Result<Self, ReadError> {
        let end = data.offset.saturating_add(data.size);
        let packing = match (expander, plan) {
            _ if data.size == 0 => Packing::Plain { next: 0, end: 0 },
            (None, None) => Packing::Plain { next: data.offset, end },
            (None, Some(parts)) => Packing::Planned { parts: parts.into_iter(), end },
            (Some(expander), _) => {
                let mut count = [0; 4];
                file.read_at(data.offset, &mut count)?;
                let left = order.u32(&count, 0).unwrap_or(0);
                // The size that the file states is that of the chunks, without their count.
                let next = data.offset.saturating_add(4);
                let end = next.saturating_add(data.size).min(file.len());
                Packing::Chunks { expander, next, end, left, packed: Vec::new() }
            }
        };
        Ok(Self {
            file,
            budget,
            order,
            page_bytes,
            // A cut file may end before the first page, which is then missing from its end on.
            place: data.offset.min(file.len()),
            buffer: Vec::new(),
            start: 0,
            packing,
            has_chunk: false,
            has_lost_count: false,
        })
    }

    /// The current page; shorter than a page only where the file ends in it.
    pub fn page(&self) -> &[u8] {
        let rest = self.buffer.get(self.start..).unwrap_or_default();
        rest.get(..self.page_bytes).unwrap_or(rest)
    }

    /// True where the file ends inside the current page.
    pub fn is_cut(&self) -> bool {
        self.page().len() < self.page_bytes
    }

    /// The offset in the file of the current page; of packed pages, that of their chunk.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// The offset in the file of a byte of the current page.
    pub fn place_of(&self, offset: usize) -> Place {
        let within = match self.packing {
            Packing::Plain { .. } | Packing::Planned { .. } => offset as u64,
            Packing::Chunks { .. } => 0,
        };
        Place::byte(self.place.saturating_add(within))
    }

    /// What `bytes` of the current page take in the file: of packed pages, that share of their chunk.
    pub fn file_bytes(&self, bytes: u64) -> u64 {
        let Packing::Chunks { packed, .. } = &self.packing else { return bytes };
        let (packed, expanded) = (packed.len() as u128, self.buffer.len() as u128);
        let share = u128::from(bytes).saturating_mul(packed).checked_div(expanded);
        share.and_then(|share| u64::try_from(share).ok()).unwrap_or(0)
    }

    /// Goes to the next page.
    pub fn advance(&mut self) -> Result<Step, ReadError> {
        let next_start = self.start.saturating_add(self.page_bytes);
        match &mut self.packing {
            Packing::Plain { next, end } => {
                let (place, end) = (*next, *end);
                *next = next.saturating_add(self.page_bytes as u64);
                self.read_page(place, end)
            }
            Packing::Planned { parts, end } => match (parts.next(), *end) {
                (Some(Part::Page(place)), end) => self.read_page(place, end),
                (Some(Part::Damaged { code, start, end }), _) => {
                    self.buffer.clear();
                    Ok(Step::Damaged { code, start, end })
                }
                (None, _) => Ok(Step::End),
            },
            Packing::Chunks { .. } if next_start.saturating_add(self.page_bytes) <= self.buffer.len() => {
                self.start = next_start;
                Ok(Step::Page)
            }
            Packing::Chunks { next, .. } if next_start < self.buffer.len() => {
                let end = *next;
                let bytes = self.file_bytes(self.buffer.len().saturating_sub(next_start) as u64);
                self.buffer.clear();
                Ok(Step::Damaged { code: Code::BadPage, start: end.saturating_sub(bytes), end })
            }
            Packing::Chunks { .. } => self.next_chunk(),
        }
    }

    /// Reads the page at `place`, or what there is of it before `end`.
    fn read_page(&mut self, place: u64, end: u64) -> Result<Step, ReadError> {
        let left = usize::try_from(end.saturating_sub(place)).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(Step::End);
        }
        if self.buffer.capacity() == 0 {
            self.budget.hold(self.page_bytes as u64, place)?;
        }
        self.buffer.resize(left.min(self.page_bytes), 0);
        let count = read_fully(self.file, place, &mut self.buffer)?;
        self.buffer.truncate(count);
        self.place = place;
        Ok(if count == 0 { Step::End } else { Step::Page })
    }

    /// Expands the next chunk: u32 size packed, u32 size expanded, data.
    fn next_chunk(&mut self) -> Result<Step, ReadError> {
        self.buffer.clear();
        self.start = 0;
        let Packing::Chunks { expander, next, end, left, packed } = &mut self.packing else {
            return Ok(Step::End);
        };
        let Some(after) = left.checked_sub(1) else {
            // The size of a CPU's pages is that of their chunks: what is left of it held more of them.
            let (start, end) = (*next, *end);
            *next = end.max(start);
            return Ok(if start < end {
                Step::Damaged { code: Code::BadChunk, start, end }
            } else {
                Step::End
            });
        };
        *left = after;
        if *next >= *end && self.has_lost_count {
            return Ok(Step::End);
        }
        let (place, end, held) = (*next, *end, self.buffer.capacity().saturating_add(packed.capacity()));
        let header = ChunkHeader::peek(self.file, place, self.order)?;
        let Some(header) = header.filter(|header| header.end(place) <= end) else {
            return self.pass_damage(place, Code::CpuDataTruncated);
        };
        if header.is_too_large() {
            return self.pass_damage(place, Code::BadChunk);
        }
        self.budget.expand(u64::from(header.expanded_bytes), place)?;
        *next = header.end(place);
        packed.resize(header.packed_bytes as usize, 0);
        read_fully(self.file, header.body(place), packed)?;
        self.place = place;
        let is_whole = expander.expand(packed, header.expanded_bytes as usize, &mut self.buffer);
        let grown = self.buffer.capacity().saturating_add(packed.capacity()).saturating_sub(held);
        self.budget.hold(grown as u64, place)?;
        if !is_whole || self.buffer.len() < self.page_bytes {
            self.buffer.clear();
            return self.pass_damage(place, Code::BadChunk);
        }
        self.has_chunk = true;
        read_fully(self.file, place, &mut [0; ChunkHeader::BYTES as usize])?;
        Ok(Step::Page)
    }

    /// Goes past a damaged chunk at `place`: to where it says that it ends, if a chunk or the end is there; to
    /// the next chunk that can be expanded; or to the end.
    fn pass_damage(&mut self, place: u64, code: Code) -> Result<Step, ReadError> {
        let Packing::Chunks { next, end, .. } = &mut self.packing else {
            return Ok(Step::End);
        };
        let is_chunk = |at: u64| -> Result<Option<ChunkHeader>, ReadError> {
            let header = ChunkHeader::peek(self.file, at, self.order)?;
            let is_inside =
                |header: &ChunkHeader| header.end(at) <= *end && header.is_of_pages(self.page_bytes);
            Ok(header.filter(is_inside))
        };
        let stated =
            ChunkHeader::peek(self.file, place, self.order)?.map_or(*end, |header| header.end(place));
        if code == Code::BadChunk && (stated == *end || stated < *end && is_chunk(stated)?.is_some()) {
            *next = stated;
            return Ok(Step::Damaged { code, start: place, end: stated });
        }
        // Where even the first chunk is none, the table may point at another CPU's.
        let found = if self.has_chunk { self.find_chunk(place.saturating_add(1))? } else { None };
        if let Some(found) = found {
            let Packing::Chunks { next, left, .. } = &mut self.packing else { return Ok(Step::End) };
            // Another one may have been in what is passed, or none.
            self.has_lost_count = true;
            (*next, *left) = (found, left.saturating_add(1));
            return Ok(Step::Damaged { code: Code::BadChunk, start: place, end: found });
        }
        let Packing::Chunks { left, end, .. } = &mut self.packing else { return Ok(Step::End) };
        *left = 0;
        Ok(Step::Damaged { code, start: place, end: *end })
    }

    /// The first place from `at` on, in the range of this CPU, of a chunk that can be expanded.
    fn find_chunk(&self, mut at: u64) -> Result<Option<u64>, ReadError> {
        let Packing::Chunks { expander, end, .. } = &self.packing else { return Ok(None) };
        let (mut tries, mut buffer) = (0, vec![0; LOOK_BYTES]);
        while at.saturating_add(ChunkHeader::BYTES) < *end && tries < MAX_TRIES {
            let count = self.file.peek(at, &mut buffer)?;
            let heads = buffer.get(..count).unwrap_or_default().windows(ChunkHeader::BYTES as usize);
            let step = heads.len().max(1) as u64;
            for (place, head) in (at..).zip(heads) {
                let header = ChunkHeader::of(head, self.order);
                let header =
                    header.filter(|header| header.end(place) <= *end && header.is_of_pages(self.page_bytes));
                let Some(header) = header else { continue };
                tries = tries.saturating_add(1);
                let (mut packed, mut pages) = (vec![0; header.packed_bytes as usize], Vec::new());
                self.file.peek(header.body(place), &mut packed)?;
                if expander.expand(&packed, header.expanded_bytes as usize, &mut pages) {
                    return Ok(Some(place));
                }
            }
            at = at.saturating_add(step);
        }
        Ok(None)
    }
}

fn read_fully(file: &dyn ReadAt, mut offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
    let mut filled = 0_usize;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let count = file.read_at(offset, rest)?;
        if count == 0 {
            break;
        }
        filled = filled.saturating_add(count);
        offset = offset.saturating_add(count as u64);
    }
    Ok(filled)
}
