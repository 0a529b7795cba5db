//! Zoom levels of every lane: what happened in each cell of time.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::{Slice, SliceKind};
use crate::model::{Ns, ReadError};
use crate::store::tables::ROLLUP_BLOCK;
use crate::store::writer::TableWriter;

use super::cell::{Cell, Lane, bucket_of};

/// The finest width of a cell, before it has to double.
const FIRST_WIDTH: Ns = Ns(1 << 10);
/// A cell of this width, 73 years, holds all of a lane.
const WHOLE_WIDTH: Ns = Ns(1 << 61);
/// Cells over all lanes: a quarter of the slices, within these bounds.
const MIN_CELLS: usize = 1 << 17;
const MAX_CELLS: usize = 2_000_000;
const MAX_LANE_CELLS: usize = 1 << 16;
/// Past this many lanes, more than anyone can look at, there are no levels at all.
const MAX_LANES: usize = 1 << 16;
/// Cells written to for each time that the width may double for being too fine for long slices.
const WORK_PER_WIDTH: usize = 1 << 26;
/// Kinds with fewer slices than this are quickly read as they are.
const MIN_SLICES: usize = 16_384;
/// Cells of a full block: about a screen of the finest level, since a window reads whole blocks of every lane.
const BLOCK_CELLS: usize = 2_048;
/// A level is stored if it has at most one cell for this many slices.
const SLICES_PER_CELL: usize = 4;
/// Levels end where the busiest lane has fewer cells than any screen has pixels.
const COARSEST_LANE_CELLS: usize = 512;
/// With more CPUs than these, a screen shows some of them, and an answer about all has little room for each. Single slices
/// would have to be read for all CPUs, so finer levels are worth it; and so are coarser ones, down to so many cells in all.
const MANY_CPUS: usize = 16;
const SLICES_PER_CELL_OF_MANY: usize = 2;
const COARSEST_CELLS_OF_MANY: usize = 1 << 15;
/// No lane needs a coarser level than that.
const FEWEST_LANE_CELLS: usize = 16;
/// From one level to the next the width doubles twice.
const DOUBLINGS_PER_LEVEL: usize = 2;

/// A lane by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LaneKey {
    kind: SliceKind,
    cpu: u16,
    depth: u16,
}

/// Levels of one kind in the making. The first is the finest with few enough cells, whichever doubling that is: a level
/// later, the screens whose pixels lie between the two would have to read single slices.
struct KindLevels {
    kind: SliceKind,
    slice_count: usize,
    /// Doublings of the width before the next level is due.
    doublings_left: usize,
}

/// The cells of every lane, all of one width, which doubles as the trace grows.
pub struct Lanes {
    width_ns: Ns,
    lanes: BTreeMap<LaneKey, Lane>,
    cell_count: usize,
    slice_count: usize,
    work: usize,
    is_given_up: bool,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            width_ns: FIRST_WIDTH,
            lanes: BTreeMap::new(),
            cell_count: 0,
            slice_count: 0,
            work: 0,
            is_given_up: false,
        }
    }
}

impl Lanes {
    /// Tells which lanes there are, and draws no picture of them: one cell each.
    pub fn without_levels() -> Self {
        Self { width_ns: WHOLE_WIDTH, ..Self::default() }
    }

    /// Adds a slice to its lane. The width of all cells doubles where there would be too many.
    pub fn add(&mut self, slice: &Slice<'_>) {
        if self.is_given_up {
            return;
        }
        self.slice_count = self.slice_count.saturating_add(1);
        while spanned_cells(slice, self.width_ns) > MAX_LANE_CELLS {
            self.widen();
        }
        let key = LaneKey { kind: slice.kind, cpu: slice.cpu, depth: slice.depth };
        let width_ns = self.width_ns;
        let lane = self.lanes.entry(key).or_default();
        let before = lane.cells.len();
        let work = lane.add(slice, width_ns);
        let lane_cells = lane.cells.len();
        self.work = self.work.saturating_add(work);
        self.cell_count = self.cell_count.saturating_sub(before).saturating_add(lane_cells);
        if lane_cells > MAX_LANE_CELLS || self.cell_count > self.budget() || self.work > WORK_PER_WIDTH {
            self.widen();
        }
        if self.lanes.len() > MAX_LANES {
            *self = Self { is_given_up: true, ..Self::default() };
        }
    }

    fn budget(&self) -> usize {
        self.slice_count.wrapping_div(4).clamp(MIN_CELLS, MAX_CELLS)
    }

    fn widen(&mut self) {
        self.width_ns = self.width_ns * 2;
        self.work = 0;
        self.cell_count = 0;
        for lane in self.lanes.values_mut() {
            lane.widen();
            self.cell_count = self.cell_count.saturating_add(lane.cells.len());
        }
    }

    /// Writes the levels of each kind, from the finest that is worth it to the coarsest that is useful.
    pub fn write(mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let slice_count =
            |kind: SliceKind| self.of(kind).map(|(_, lane)| lane.slice_count).fold(0, usize::saturating_add);
        let mut kinds: Vec<KindLevels> = SliceKind::ALL
            .iter()
            .map(|kind| KindLevels { kind: *kind, slice_count: slice_count(*kind), doublings_left: 0 })
            .filter(|levels| levels.slice_count >= MIN_SLICES)
            .collect();
        let (slices_per_cell, coarsest_lane_cells) = self.bounds();
        for level in 0..i16::MAX {
            for levels in kinds.iter_mut().filter(|levels| levels.doublings_left == 0) {
                let cells = self.of(levels.kind).map(|(_, lane)| lane.cells.len());
                if cells.sum::<usize>().saturating_mul(slices_per_cell) <= levels.slice_count {
                    self.write_level(levels.kind, level, writer)?;
                    levels.doublings_left = DOUBLINGS_PER_LEVEL;
                }
            }
            kinds.retain(|levels| {
                let longest = self.of(levels.kind).map(|(_, lane)| lane.cells.len()).max();
                longest.unwrap_or(0) > coarsest_lane_cells
            });
            if kinds.is_empty() {
                break;
            }
            self.widen();
            for levels in &mut kinds {
                levels.doublings_left = levels.doublings_left.saturating_sub(1);
            }
        }
        Ok(())
    }

    /// Slices for each cell of the finest level, and cells of the busiest lane of the coarsest one.
    fn bounds(&self) -> (usize, usize) {
        let cpus: BTreeSet<u16> = self.lanes.keys().map(|key| key.cpu).collect();
        if cpus.len() <= MANY_CPUS {
            return (SLICES_PER_CELL, COARSEST_LANE_CELLS);
        }
        let share = COARSEST_CELLS_OF_MANY.div_euclid(self.lanes.len().max(1));
        (SLICES_PER_CELL_OF_MANY, share.clamp(FEWEST_LANE_CELLS, COARSEST_LANE_CELLS))
    }

    fn of(&self, kind: SliceKind) -> impl Iterator<Item = (&LaneKey, &Lane)> {
        self.lanes.iter().filter(move |(key, _)| key.kind == kind)
    }

    fn write_level(
        &self,
        kind: SliceKind,
        level: i16,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        for (key, lane) in self.of(kind) {
            let mut rest = lane.cells.as_slice();
            let mut block = 0_i32;
            while let Some(first) = rest.first().map(|cell| cell.bucket) {
                let fits = |cell: &&Cell| offset(cell, first).is_some();
                let count = rest.iter().take(BLOCK_CELLS).take_while(fits).count();
                let (cells, after) = rest.split_at(count);
                self.write_block(*key, (level, block), (first, cells), writer)?;
                rest = after;
                block = block.saturating_add(1);
            }
        }
        Ok(())
    }

    fn write_block(
        &self,
        key: LaneKey,
        (level, block): (i16, i32),
        (first, cells): (i64, &[Cell]),
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let narrow = |value: u16| i16::try_from(value).unwrap_or(i16::MAX);
        let index = |index: Option<u32>| index.and_then(|index| i32::try_from(index).ok());
        writer.row(&ROLLUP_BLOCK, |row| {
            row.int(key.kind.code()).int(level).int(narrow(key.cpu)).int(narrow(key.depth)).int(block);
            let last = cells.last().map_or(first, |cell| cell.bucket);
            row.int(self.width_ns).int(first).int(last);
            row.int(i32::try_from(cells.len()).unwrap_or(i32::MAX));
            row.ints(cells.iter().map(|cell| offset(cell, first).unwrap_or(i32::MAX)));
            row.ints(cells.iter().map(|cell| i32::try_from(cell.slices).unwrap_or(i32::MAX)));
            row.ints(cells.iter().map(|cell| cell.busy_ns)).ints(cells.iter().map(|cell| cell.max_ns));
            row.ints(cells.iter().map(|cell| cell.max_start_ns));
            row.optional_ints(cells.iter().map(|cell| index(cell.task)));
            row.optional_ints(cells.iter().map(|cell| index(cell.symbol)));
        })
    }
}

fn offset(cell: &Cell, first: i64) -> Option<i32> {
    i32::try_from(cell.bucket.checked_sub(first)?).ok()
}

fn spanned_cells(slice: &Slice<'_>, width_ns: Ns) -> usize {
    let (first, last) = bucket_of(slice, width_ns);
    usize::try_from(last.saturating_sub(first)).unwrap_or(usize::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::read::blocks::RollupBlock;
    use crate::store::read::read_rows;
    use crate::store::testing::{KEY, Written};

    fn slice(start_ns: i64, duration_ns: i64) -> Slice<'static> {
        Slice::new(SliceKind::Irq, 0, Ns(start_ns), Ns(start_ns + duration_ns))
    }

    fn cells(lanes: &Lanes) -> &[Cell] {
        &lanes.lanes.values().next().unwrap().cells
    }

    fn check_sums(lanes: &Lanes, slices: &[Slice<'_>]) {
        let cells = cells(lanes);
        assert!(cells.is_sorted_by(|a, b| a.bucket < b.bucket));
        let busy_ns: Ns = cells.iter().map(|cell| cell.busy_ns).sum();
        assert_eq!(busy_ns, slices.iter().map(|slice| slice.duration_ns).sum());
        let count: u64 = cells.iter().map(|cell| u64::from(cell.slices)).sum();
        assert_eq!(count, slices.len() as u64);
        let longest = slices.iter().map(|slice| slice.duration_ns).max();
        assert_eq!(cells.iter().map(|cell| cell.max_ns).max(), longest);
    }

    #[test]
    fn a_slice_is_busy_in_each_cell_that_it_touches() {
        let mut lanes = Lanes::default();
        lanes.add(&slice(1_000, 100));
        lanes.add(&slice(2_047, 1));
        let sums: Vec<_> =
            cells(&lanes).iter().map(|cell| (cell.bucket, cell.slices, cell.busy_ns.0)).collect();
        assert_eq!(sums, [(0, 1, 24), (1, 1, 77)]);
        assert!(cells(&lanes).iter().all(|cell| (cell.max_ns, cell.max_start_ns) == (Ns(100), Ns(1_000))));
    }

    #[test]
    fn a_very_long_slice_widens_the_cells() {
        let mut lanes = Lanes::default();
        let slices = [slice(0, 10), slice(20, 1 << 40), slice(-5_000, 10)];
        slices.iter().for_each(|slice| lanes.add(slice));
        assert!(cells(&lanes).len() <= MAX_LANE_CELLS);
        check_sums(&lanes, &slices);
    }

    #[test]
    fn without_levels_a_lane_is_one_cell() {
        let mut lanes = Lanes::without_levels();
        let slices = [slice(0, 10), slice(1 << 30, 1 << 40), slice(1 << 50, 10)];
        slices.iter().for_each(|slice| lanes.add(slice));
        assert_eq!(cells(&lanes).len(), 1);
        check_sums(&lanes, &slices);
    }

    /// The widths of the levels of slices of 100 ns, one a microsecond, on each of so many CPUs.
    fn widths_ns(cpu_count: u16, slice_count: i64) -> Vec<i64> {
        let mut lanes = Lanes::default();
        for number in 0..slice_count {
            for cpu in 0..cpu_count {
                lanes.add(&Slice { cpu, ..slice(number * 1_000, 100) });
            }
        }
        let mut written = Written::default();
        let mut writer = TableWriter::new(&mut written, KEY);
        lanes.write(&mut writer).unwrap();
        writer.finish().unwrap();
        let blocks = read_rows(&ROLLUP_BLOCK, &written.whole(&ROLLUP_BLOCK), RollupBlock::read).unwrap();
        blocks.into_iter().map(|block| block.width_ns).collect::<BTreeSet<_>>().into_iter().collect()
    }

    #[test]
    fn the_first_level_is_the_finest_with_few_enough_cells() {
        // A cell for 4 slices is 4 us wide or more; each level is four times as wide as the one before.
        let expected = [1 << 12, 1 << 14, 1 << 16];
        assert_eq!(widths_ns(1, 60_000), expected);
        assert_eq!(widths_ns(4, 60_000), expected);
        assert!(widths_ns(1, 16_000).is_empty(), "few slices are quickly read as they are");
    }

    #[test]
    fn many_cpus_have_finer_and_coarser_levels() {
        // 60,000 slices in 60 ms: a cell for 2, and as few as all CPUs have room for.
        assert_eq!(widths_ns(16, 3_750), [1 << 12]);
        assert_eq!(widths_ns(60, 1_000), [1 << 11]);
        assert_eq!(widths_ns(60, 4_000), [1 << 11, 1 << 13]);
    }

    proptest! {
        #[test]
        fn cells_add_up_to_the_slices(
            spans in proptest::collection::vec((0_i64..200_000, 0_i64..50_000), 1..60), widenings in 0..4
        ) {
            // In the order of their ends, as nested slices of several tasks come on one lane.
            let mut slices: Vec<_> = spans.iter().map(|(start, duration)| slice(*start, *duration)).collect();
            slices.sort_by_key(Slice::end_ns);
            let mut lanes = Lanes::default();
            slices.iter().for_each(|slice| lanes.add(slice));
            check_sums(&lanes, &slices);
            for _ in 0..widenings {
                lanes.widen();
            }
            check_sums(&lanes, &slices);
        }
    }
}
