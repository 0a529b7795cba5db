//! Slices on their way into `slice_block`.

use super::copy::TextColumn;
use super::distinct::Distinct;
use super::event_blocks::BLOCK_TEXT_BYTES;
use super::id_runs;
use super::long_times::{excess, within_limit};
use super::tables::SLICE_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::{Ns, ReadError};

/// Slices of a full block: fewer than a block of other records has, since a short window of a timeline reads a block or two
/// of each of half a dozen kinds.
const BLOCK_SLICES: usize = 4_096;

/// A slice with its names as indices into the trace's dictionaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredSlice {
    pub start_ns: Ns,
    pub duration_ns: Ns,
    pub self_ns: Ns,
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
    /// The number of the next block, and how far it is to the one after it.
    block: i32,
    step: i32,
    slices: Vec<(StoredSlice, Texts)>,
    texts: Vec<u8>,
}

/// Past each of these, slices go into blocks of their own where a kind is stored by length.
const LENGTHS: [Ns; 4] = [Ns(1 << 20), Ns(1 << 24), Ns(1 << 28), Ns(1 << 32)];

/// All slices of a kind. Where those that end one after the other may be of any length, so that a single long one
/// would stretch its block over the whole trace, long ones have blocks of their own: then a window touches few.
pub struct BlocksOfKind(Vec<SliceBlocks>);

impl BlocksOfKind {
    pub fn new(kind: i16) -> Self {
        Self(vec![SliceBlocks::new(kind)])
    }

    /// As `new`, with long slices in blocks of their own.
    pub fn by_length(kind: i16) -> Self {
        let step = i32::try_from(LENGTHS.len()).unwrap_or(0).saturating_add(1);
        Self((0..step).map(|block| SliceBlocks { block, step, ..SliceBlocks::new(kind) }).collect())
    }

    /// Adds a slice, and writes a block when one is full.
    pub fn push(
        &mut self,
        slice: StoredSlice,
        args: &[u8],
        retval: &[u8],
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let length = LENGTHS.partition_point(|length| *length <= slice.duration_ns);
        let last = self.0.len().saturating_sub(1);
        match self.0.get_mut(length.min(last)) {
            Some(blocks) => blocks.push(slice, args, retval, writer),
            None => Ok(()),
        }
    }

    /// Writes all blocks that are begun.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        self.0.iter_mut().try_for_each(|blocks| blocks.flush(writer))
    }
}

/// What slices of a block have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context {
    cpu: i16,
    task: Option<i32>,
    symbol: Option<i32>,
    depth: i16,
    flags: i16,
}

impl Context {
    fn of(slice: &StoredSlice) -> Self {
        let StoredSlice { cpu, task, symbol, depth, flags, .. } = *slice;
        Self { cpu, task, symbol, depth, flags }
    }
}

/// Where a slice's arguments and return value lie, one after the other, in `SliceBlocks::texts`.
#[derive(Clone, Copy)]
struct Texts {
    at: usize,
    args_bytes: usize,
    retval_bytes: usize,
}

impl SliceBlocks {
    pub fn new(kind: i16) -> Self {
        Self { kind, block: 0, step: 1, slices: Vec::new(), texts: Vec::new() }
    }

    /// Adds a slice, and writes a block when one is full.
    pub fn push(
        &mut self,
        slice: StoredSlice,
        args: &[u8],
        retval: &[u8],
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        if self.slices.len() >= BLOCK_SLICES || self.texts.len() >= BLOCK_TEXT_BYTES {
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
                times.push(slice.start_ns, slice.start_ns + slice.duration_ns)
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
        let max_ns = slices().map(|slice| slice.duration_ns).max().unwrap_or_default();
        // What an empty array stands for is said in `tables`.
        let any = |holds: fn(&StoredSlice) -> bool| if slices().any(holds) { block } else { &[] };
        let long = any(|slice| excess(slice.duration_ns) != Ns::ZERO);
        let self_times = any(|slice| slice.self_ns != slice.duration_ns);
        let long_self_times = match self_times {
            [] => self_times,
            _ => any(|slice| excess(slice.self_ns) != Ns::ZERO),
        };
        // The slices of a kind all have ids, or none has.
        let (id_at, id_steps) = id_runs::steps(slices().filter_map(|slice| slice.id));
        let parents = any(|slice| slice.parent.is_some());
        let mut contexts = Distinct::default();
        let context_idx: Vec<i16> =
            slices().map(|slice| contexts.index_of(Context::of(slice), b"")).collect();
        let args = self.text_column(block, |texts| (texts.at, texts.args_bytes));
        let retvals =
            self.text_column(block, |texts| (texts.at.saturating_add(texts.args_bytes), texts.retval_bytes));
        writer.row(&SLICE_BLOCK, |row| {
            row.int(self.kind).int(self.block).int(times.t0()).int(times.t1()).int(count).int(max_ns);
            row.ints(times.dt());
            row.ints(slices().map(|slice| within_limit(slice.duration_ns)));
            row.ints(long.iter().map(|(slice, _)| excess(slice.duration_ns)));
            row.ints(self_times.iter().map(|(slice, _)| within_limit(slice.self_ns)));
            row.ints(long_self_times.iter().map(|(slice, _)| excess(slice.self_ns)));
            row.ints(id_at.iter().copied()).ints(id_steps.iter().copied());
            row.optional_ints(parents.iter().map(|(slice, _)| slice.parent));
            row.ints(context_idx.iter().copied());
            row.ints(contexts.tags().map(|context| context.cpu));
            row.optional_ints(contexts.tags().map(|context| context.task));
            row.optional_ints(contexts.tags().map(|context| context.symbol));
            row.ints(contexts.tags().map(|context| context.depth));
            row.ints(contexts.tags().map(|context| context.flags)).texts(&args).texts(&retvals);
        })?;
        self.block = self.block.saturating_add(self.step);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::read::blocks::SliceBlock;
    use crate::store::read::read_rows;
    use crate::store::testing::{KEY, Written};

    fn stored(start_ns: i64, duration_ns: i64, self_ns: i64, depth: i16) -> StoredSlice {
        let (task, symbol) = ((depth > 0).then_some(3), Some(i32::from(depth)));
        let id = i32::try_from(start_ns).ok();
        StoredSlice {
            start_ns: Ns(start_ns),
            duration_ns: Ns(duration_ns),
            self_ns: Ns(self_ns),
            cpu: 1,
            task,
            symbol,
            depth,
            id,
            parent: None,
            flags: depth,
        }
    }

    /// What is written comes back; slices are given in the order of their start.
    fn check(slices: &[StoredSlice]) {
        let mut written = Written::default();
        let mut writer = TableWriter::new(&mut written, KEY);
        let mut blocks = SliceBlocks::new(5);
        for slice in slices {
            blocks.push(*slice, b"", b"", &mut writer).unwrap();
        }
        blocks.flush(&mut writer).unwrap();
        writer.finish().unwrap();
        let stream = written.streams(&SLICE_BLOCK).next().unwrap();
        let block = read_rows(&SLICE_BLOCK, stream, SliceBlock::read).unwrap().remove(0);
        let column = |of: fn(&StoredSlice) -> Ns| slices.iter().map(|slice| of(slice).0).collect::<Vec<_>>();
        assert_eq!(block.duration_ns, column(|slice| slice.duration_ns));
        assert_eq!(block.self_ns, column(|slice| slice.self_ns));
        assert_eq!(block.start_ns, column(|slice| slice.start_ns));
        for (at, slice) in slices.iter().enumerate() {
            let context = (block.cpu[at], block.depth[at], block.flags[at]);
            assert_eq!(context, (slice.cpu, slice.depth, slice.flags));
            let names = (block.task_idx[at], block.symbol_idx[at], block.id[at]);
            assert_eq!(names, (slice.task.unwrap_or(-1), slice.symbol.unwrap(), slice.id.unwrap()));
        }
    }

    #[test]
    fn slices_come_back_as_they_were() {
        check(&[stored(0, 9, 9, 0), stored(1, 5, 5, 1), stored(20, 3, 3, 0)]);
        check(&[stored(0, 9, 4, 0), stored(1, 5, 5, 1)]);
    }

    #[test]
    fn long_slices_keep_every_nanosecond() {
        let limit = i64::from(i32::MAX);
        check(&[stored(0, limit, limit, 0), stored(1, 1, 1, 1)]);
        check(&[stored(0, limit + 1, limit + 1, 0), stored(1, 1, 1, 1)]);
        check(&[stored(0, 86_400_000_000_000, limit + 7, 0), stored(1, 5, 5, 1)]);
        check(&[stored(0, limit + 2, 3, 0), stored(1, 5, 5, 1)]);
    }
}
