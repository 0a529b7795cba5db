//! Slices on their way into `slice_block`.

use super::copy::TextColumn;
use super::event_blocks::{BLOCK_RECORDS, BLOCK_TEXT_BYTES};
use super::tables::SLICE_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::ReadError;

/// A slice with its names as indices into the trace's dictionaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredSlice {
    pub start_ns: i64,
    pub duration_ns: i64,
    pub self_ns: i64,
    pub cpu: i16,
    pub task: Option<i32>,
    pub symbol: Option<i32>,
    pub depth: i16,
    pub id: Option<i32>,
    pub parent: Option<i32>,
    pub flags: i16,
}

/// The slices of one kind that are being collected for the next block.
pub struct SliceBlocks {
    kind: i16,
    block: i32,
    slices: Vec<(StoredSlice, Texts)>,
    texts: Vec<u8>,
}

/// Where a slice's arguments and return value lie, one behind the other, in `SliceBlocks::texts`.
#[derive(Clone, Copy)]
struct Texts {
    at: usize,
    args_bytes: usize,
    retval_bytes: usize,
}

impl SliceBlocks {
    pub fn new(kind: i16) -> Self {
        Self { kind, block: 0, slices: Vec::new(), texts: Vec::new() }
    }

    pub fn push(
        &mut self,
        slice: StoredSlice,
        args: &[u8],
        retval: &[u8],
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        if self.slices.len() >= BLOCK_RECORDS || self.texts.len() >= BLOCK_TEXT_BYTES {
            self.flush(writer)?;
        }
        let texts = Texts { at: self.texts.len(), args_bytes: args.len(), retval_bytes: retval.len() };
        self.texts.extend_from_slice(args);
        self.texts.extend_from_slice(retval);
        self.slices.push((slice, texts));
        Ok(())
    }

    /// Writes what is collected: one block, or more where `dt` cannot hold a distance.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let mut slices = std::mem::take(&mut self.slices);
        // Nested slices come in the order of their ends. Sorted by start, the outer first, distances
        // are small and never negative.
        slices.sort_by_key(|(slice, _)| (slice.start_ns, slice.depth, slice.id));
        let mut rest = slices.as_slice();
        while !rest.is_empty() {
            let mut times = TimeAxis::default();
            let fits = |(slice, _): &&(StoredSlice, Texts)| {
                times.push(slice.start_ns, slice.start_ns.saturating_add(slice.duration_ns))
            };
            let count = rest.iter().take_while(fits).count();
            let (block, after) = rest.split_at(count);
            self.write(block, &times, writer)?;
            rest = after;
        }
        slices.clear();
        self.slices = slices;
        self.texts.clear();
        Ok(())
    }

    fn write(
        &mut self,
        block: &[(StoredSlice, Texts)],
        times: &TimeAxis,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let count = i32::try_from(block.len()).unwrap_or(i32::MAX);
        let slices = || block.iter().map(|(slice, _)| slice);
        // What an empty array stands for is said in `tables`.
        let any = |holds: fn(&StoredSlice) -> bool| if slices().any(holds) { block } else { &[] };
        let self_times = any(|slice| slice.self_ns != slice.duration_ns);
        let symbols = any(|slice| slice.symbol.is_some());
        let depths = any(|slice| slice.depth != 0);
        let ids = any(|slice| slice.id.is_some());
        let parents = any(|slice| slice.parent.is_some());
        let flags = any(|slice| slice.flags != 0);
        let args = self.text_column(block, |texts| (texts.at, texts.args_bytes));
        let retvals =
            self.text_column(block, |texts| (texts.at.saturating_add(texts.args_bytes), texts.retval_bytes));
        writer.row(&SLICE_BLOCK, |row| {
            row.int(self.kind).int(self.block).int(times.t0()).int(times.t1()).int(count).ints(times.dt());
            row.ints(slices().map(|slice| slice.duration_ns));
            row.ints(self_times.iter().map(|(slice, _)| slice.self_ns));
            row.ints(slices().map(|slice| slice.cpu)).optional_ints(slices().map(|slice| slice.task));
            row.optional_ints(symbols.iter().map(|(slice, _)| slice.symbol));
            row.ints(depths.iter().map(|(slice, _)| slice.depth));
            row.optional_ints(ids.iter().map(|(slice, _)| slice.id));
            row.optional_ints(parents.iter().map(|(slice, _)| slice.parent));
            row.ints(flags.iter().map(|(slice, _)| slice.flags)).texts(&args).texts(&retvals);
        })?;
        self.block = self.block.saturating_add(1);
        Ok(())
    }

    /// The texts that `range` picks, in the order of the block; an empty column where none is given.
    fn text_column(&self, block: &[(StoredSlice, Texts)], range: fn(Texts) -> (usize, usize)) -> TextColumn {
        let mut column = TextColumn::default();
        if block.iter().any(|(_, texts)| range(*texts).1 > 0) {
            for (_, texts) in block {
                let (at, bytes) = range(*texts);
                let text = self.texts.get(at..at.saturating_add(bytes));
                column.push(text.unwrap_or_default());
            }
        }
        column
    }
}
