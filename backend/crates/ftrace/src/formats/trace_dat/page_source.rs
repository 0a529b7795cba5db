//! The pages of one CPU, one at a time, whether they stand in the file as they are or in chunks.

use super::budget::Budget;
use super::byte_account::ByteAccount;
use super::byte_order::ByteOrder;
use super::codec::Codec;
use super::recording::CpuData;
use crate::input::ReadAt;
use crate::model::{Code, Place, ReadError};

/// Chunks are ten pages as trace-cmd writes them; a hostile file may claim any size.
const MAX_CHUNK_BYTES: usize = 8 << 20;

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
    packing: Packing,
}

enum Packing {
    Plain { next: u64, end: u64 },
    Chunks { codec: Codec, next: u64, end: u64, left: u32, packed: Vec<u8> },
}

/// What the next step over the pages came to.
pub enum Step {
    Page,
    /// The bytes from `start` to `end` are damaged, which the pages behind them do not suffer from.
    Damaged {
        code: Code,
        start: u64,
        end: u64,
    },
    End,
}

impl<'a> PageSource<'a> {
    pub fn new(
        file: &'a ByteAccount<'a>,
        budget: &'a Budget,
        data: &CpuData,
        page_bytes: usize,
        codec: Option<Codec>,
        order: ByteOrder,
    ) -> Result<Self, ReadError> {
        let packing = match codec {
            _ if data.size == 0 => Packing::Plain { next: 0, end: 0 },
            None => Packing::Plain { next: data.offset, end: data.offset.saturating_add(data.size) },
            Some(codec) => {
                let mut count = [0; 4];
                file.read_at(data.offset, &mut count)?;
                let left = order.u32(&count, 0).unwrap_or(0);
                // The size that the file states is that of the chunks, without their count.
                let next = data.offset.saturating_add(4);
                let end = next.saturating_add(data.size).min(file.len());
                Packing::Chunks { codec, next, end, left, packed: Vec::new() }
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

    /// Where in the file the current page stands; of packed pages, their chunk.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Where in the file a byte of the current page stands.
    pub fn place_of(&self, offset: usize) -> Place {
        let within = match self.packing {
            Packing::Plain { .. } => offset as u64,
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
                let size =
                    usize::try_from(end.saturating_sub(*next)).unwrap_or(usize::MAX).min(self.page_bytes);
                if size == 0 {
                    return Ok(Step::End);
                }
                if self.buffer.capacity() == 0 {
                    self.budget.hold(self.page_bytes as u64, *next)?;
                }
                self.buffer.resize(size, 0);
                let count = read_fully(self.file, *next, &mut self.buffer)?;
                self.buffer.truncate(count);
                self.place = *next;
                *next = next.saturating_add(self.page_bytes as u64);
                Ok(if count == 0 { Step::End } else { Step::Page })
            }
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

    /// Expands the next chunk: u32 size packed, u32 size expanded, data.
    fn next_chunk(&mut self) -> Result<Step, ReadError> {
        let Packing::Chunks { codec, next, end, left, packed } = &mut self.packing else {
            return Ok(Step::End);
        };
        self.buffer.clear();
        self.start = 0;
        let Some(after) = left.checked_sub(1) else { return Ok(Step::End) };
        *left = after;
        let (place, held) = (*next, self.buffer.capacity().saturating_add(packed.capacity()));
        let mut sizes = [0; 8];
        let count = read_fully(self.file, place, &mut sizes)?;
        let body = place.saturating_add(8);
        let rest = end.saturating_sub(body);
        let packed_bytes = self.order.u32(&sizes, 0).unwrap_or(0);
        let expanded_bytes = self.order.u32(&sizes, 4).unwrap_or(0) as usize;
        if count < sizes.len() || u64::from(packed_bytes) > rest {
            *left = 0;
            return Ok(Step::Damaged { code: Code::CpuDataTruncated, start: place, end: *end });
        }
        *next = body.saturating_add(u64::from(packed_bytes));
        let damaged = Step::Damaged { code: Code::BadChunk, start: place, end: *next };
        if expanded_bytes > MAX_CHUNK_BYTES || packed_bytes as usize > MAX_CHUNK_BYTES {
            return Ok(damaged);
        }
        self.budget.expand(expanded_bytes as u64, place)?;
        packed.resize(packed_bytes as usize, 0);
        read_fully(self.file, body, packed)?;
        self.place = place;
        let is_whole = codec.expand(packed, expanded_bytes, &mut self.buffer);
        let grown = self.buffer.capacity().saturating_add(packed.capacity()).saturating_sub(held);
        self.budget.hold(grown as u64, place)?;
        if !is_whole || self.buffer.len() < self.page_bytes {
            self.buffer.clear();
            return Ok(damaged);
        }
        Ok(Step::Page)
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
