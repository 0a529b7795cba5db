//! Which stored blocks answer a window at a cost that the screen bounds, not the trace.

use std::collections::BTreeMap;

use super::headers::touching;
use super::protocol::{Need, RowId, Stored};
use super::request::Window;
use super::{ExploreError, kind};
use crate::model::grouped;
use crate::store::read::blocks::{RollupBlock, SliceBlock};
use crate::store::read::headers::{BlockHeader, read_blocks};
use crate::store::read::read_rows;
use crate::store::tables::projections::{ROLLUP_HEADER, SLICE_HEADER};

/// Single slices of one kind that are read at most where a rollup would do: fifteen blocks or so.
const RAW_SLICES: i64 = 60_000;
/// So few are read in any case: four blocks.
const FEW_SLICES: i64 = 16_384;
/// Where a lane has more single slices for each pixel, its cells show as much.
const SLICES_PER_PIXEL: i64 = 3;
/// How many pixels wide the cells of a rollup may be. Levels within one pixel have up to four cells for each.
const CELL_PX: i64 = 2;
/// Single slices that are still read where the cells of the finest rollup are more than twice as wide as that.
const RAW_SLICES_FOR_DETAIL: i64 = 500_000;
/// Single slices that are read where nothing else can answer: a quarter of a second of decoding.
pub const MAX_RAW_SLICES: i64 = 2_000_000;

/// What is stored in a window.
#[derive(Debug, Default)]
pub struct Headers {
    /// Of the blocks of slices that touch the window.
    slices: Vec<BlockHeader>,
    /// Of the rollups of the whole trace.
    rollups: Vec<RollupHeader>,
    window: Window,
}

/// A block of a rollup: one zoom level of one lane.
#[derive(Clone, Debug)]
struct RollupHeader {
    kind: i16,
    level: i16,
    cpu: i16,
    depth: i32,
    /// Its primary key.
    id: RowId,
    width_ns: i64,
    first_bucket: i64,
    last_bucket: i64,
    /// Its cells.
    count: i64,
}

impl RollupHeader {
    /// Its cells within a window, as if they were spread evenly.
    fn cells_in(&self, window: Window) -> i64 {
        let bucket_count = self.last_bucket.saturating_sub(self.first_bucket).saturating_add(1);
        let first = window.start_ns.div_euclid(self.width_ns).max(self.first_bucket);
        let last = window.end_ns.div_euclid(self.width_ns).min(self.last_bucket);
        let seen = last.saturating_sub(first).saturating_add(1).max(0);
        share_of(self.count, seen, bucket_count)
    }

    fn touches(&self, window: Window) -> bool {
        let end_ns = self.last_bucket.saturating_add(1).saturating_mul(self.width_ns);
        self.first_bucket.saturating_mul(self.width_ns) < window.end_ns && end_ns > window.start_ns
    }
}

/// Where the slices of one kind come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Slices,
    Rollup { level: i16 },
}

/// What to fetch for lanes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BlockPlan {
    slices: Vec<(i16, i32)>,
    rollups: Vec<RowId>,
}

impl BlockPlan {
    /// Adds the blocks of a kind that touch the window: of single slices, or of one level of the rollup.
    pub fn add(&mut self, headers: &Headers, kind: i16, source: Source) {
        self.add_of_cpus(headers, kind, source, |_| true);
    }

    /// The same without rollups of other CPUs. A block of single slices holds those of all CPUs.
    pub fn add_of_cpus(
        &mut self,
        headers: &Headers,
        kind: i16,
        source: Source,
        is_wanted: impl Fn(i16) -> bool,
    ) {
        match source {
            Source::Slices => self.slices.extend(touching(&headers.slices, kind, headers.window)),
            Source::Rollup { level } => {
                let of_level = headers.rollups.iter().filter(|one| one.kind == kind && one.level == level);
                let touching = of_level.filter(|one| is_wanted(one.cpu) && one.touches(headers.window));
                self.rollups.extend(touching.map(|one| one.id.clone()));
            }
        }
    }

    /// Single slices of a kind, unless they are read already.
    pub fn add_slices(&mut self, headers: &Headers, kind: i16) {
        if self.slices.iter().all(|(known, _)| *known != kind) {
            self.add(headers, kind, Source::Slices);
        }
    }

    /// A level of the lanes of these tasks.
    pub fn add_task_rollups(&mut self, headers: &Headers, level: i16, tasks: &[i32]) {
        let is_wanted =
            |one: &&RollupHeader| one.kind == kind::TASK && one.level == level && tasks.contains(&one.depth);
        let touching = headers.rollups.iter().filter(is_wanted).filter(|one| one.touches(headers.window));
        self.rollups.extend(touching.map(|one| one.id.clone()));
    }

    /// The single slices that the plan reads.
    pub fn slices(&self, stored: &Stored) -> Need {
        stored.blocks(SliceBlock::TABLE, &self.slices)
    }

    /// The rollups that the plan reads.
    pub fn rollups(&self, stored: &Stored) -> Need {
        stored.rows(RollupBlock::TABLE, self.rollups.clone())
    }
}

impl Headers {
    /// The headers of slices in the window, and of all rollups.
    pub async fn fetch(stored: &Stored, window: Window) -> Result<Self, ExploreError> {
        let [slices, rollups] = stored.whole([&SLICE_HEADER, &ROLLUP_HEADER]).await;
        let mut slices = read_blocks(&SLICE_HEADER, &slices)?;
        slices.retain(|block| block.t1 >= window.start_ns && block.t0 < window.end_ns);
        let rollups = read_rows(&ROLLUP_HEADER, &rollups, |row| {
            row.skip("trace_key")?;
            let (kind, level) = (row.int("kind")?, row.int("level")?);
            let (cpu, depth): (i16, i16) = (row.int("cpu")?, row.int("depth")?);
            let block = row.int("block")?;
            Ok(RollupHeader {
                kind,
                level,
                cpu,
                depth: depth.into(),
                id: vec![i32::from(kind), i32::from(level), i32::from(cpu), i32::from(depth), block],
                width_ns: row.int("width_ns")?,
                first_bucket: row.int("first_bucket")?,
                last_bucket: row.int("last_bucket")?,
                count: i64::from(row.int::<i32>("count")?),
            })
        })?;
        Ok(Self { slices, rollups, window })
    }

    /// How many slices of a kind lie in the blocks that touch the window.
    pub fn slice_count(&self, kind: i16) -> i64 {
        self.slices.iter().filter(|block| block.kind == kind).map(|block| block.count).sum()
    }

    /// Kinds with anything in the window, once each.
    pub fn kinds(&self) -> Vec<i16> {
        let mut kinds: Vec<i16> =
            self.slices.iter().filter(|block| block.count > 0).map(|block| block.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The lanes of a kind with zoom levels: the CPU of each, and about how many slices it has in the window.
    pub fn lanes(&self, kind: i16) -> Vec<(i16, i64)> {
        let of_kind = || self.rollups.iter().filter(|one| one.kind == kind);
        let finest = of_kind().map(|one| one.level).min();
        let mut cells: BTreeMap<(i16, i32), i64> = BTreeMap::new();
        for block in of_kind().filter(|one| Some(one.level) == finest && one.touches(self.window)) {
            let lane = cells.entry((block.cpu, block.depth)).or_default();
            *lane = lane.saturating_add(block.cells_in(self.window));
        }
        let all = cells.values().fold(0_i64, |sum, count| sum.saturating_add(*count));
        let slices = self.slice_count(kind);
        cells.into_iter().map(|((cpu, _), count)| (cpu, share_of(slices, count, all))).collect()
    }

    /// Single slices while there are few; else the coarsest level that is fine enough for the pixels.
    /// Where none is, single slices up to a second bound, then the finest level.
    pub fn source(&self, kind: i16, width_px: i64) -> Result<Source, ExploreError> {
        self.source_in(kind, Room { width_px, cell_px: 1, lane_count: self.lanes(kind).len() })
    }

    /// The same for the room that an answer has.
    pub fn source_in(&self, kind: i16, room: Room) -> Result<Source, ExploreError> {
        let count = self.slice_count(kind);
        if count <= room.slices_worth_reading() {
            return Ok(Source::Slices);
        }
        let pixel_ns = self.window.length_ns().div_euclid(room.width_px.max(1));
        let cell_ns = pixel_ns.saturating_mul(room.cell_px.max(CELL_PX));
        let levels = || self.rollups.iter().filter(|one| one.kind == kind);
        let fitting = levels().filter(|one| one.width_ns <= cell_ns).max_by_key(|one| one.width_ns);
        let finest = levels().min_by_key(|one| one.width_ns);
        let enough_ns = cell_ns.saturating_mul(2);
        match (fitting, finest) {
            (Some(fitting), _) => Ok(Source::Rollup { level: fitting.level }),
            (None, Some(finest)) if count > RAW_SLICES_FOR_DETAIL || finest.width_ns <= enough_ns => {
                Ok(Source::Rollup { level: finest.level })
            }
            (None, _) => refuse_above(count, "start").map(|()| Source::Slices),
        }
    }
}

/// What an answer can show of a kind.
#[derive(Clone, Copy)]
pub struct Room {
    pub width_px: i64,
    /// How many pixels wide the answer's cells are: where they are wide, it has no room for many single slices.
    pub cell_px: i64,
    pub lane_count: usize,
}

impl Room {
    fn slices_worth_reading(&self) -> i64 {
        let pixels = self.width_px.saturating_mul(i64::try_from(self.lane_count).unwrap_or(i64::MAX));
        let seen = pixels.saturating_mul(SLICES_PER_PIXEL).clamp(FEW_SLICES, RAW_SLICES);
        seen.div_euclid(self.cell_px.max(1))
    }
}

/// `part / whole` of a number.
fn share_of(number: i64, part: i64, whole: i64) -> i64 {
    let share = i128::from(number) * i128::from(part) / i128::from(whole.max(1));
    i64::try_from(share).unwrap_or(i64::MAX)
}

/// Errors: `window_too_large` where `count` single slices are more than one answer may read.
pub fn refuse_above(count: i64, parameter: &'static str) -> Result<(), ExploreError> {
    if count <= MAX_RAW_SLICES {
        return Ok(());
    }
    let message = format!(
        "the window touches blocks of {} calls; the limit is {}. Choose a shorter window, or leave out what needs \
         every single call (start, end, pid, root, min, by=task, time=net)",
        grouped(count),
        grouped(MAX_RAW_SLICES)
    );
    Err(ExploreError::too_large(parameter, message))
}

#[cfg(test)]
impl Headers {
    /// A block of each `(kind, count)`, and zoom levels of kind 1 and of calls with these widths.
    pub fn of(window: Window, slices: &[(i16, i64)], widths: &[i64]) -> Self {
        let block = |(kind, count): &(i16, i64)| BlockHeader {
            kind: *kind,
            block: 0,
            t0: window.start_ns,
            t1: window.end_ns,
            count: *count,
            max_ns: 1,
        };
        let level = |kind: i16| {
            (0..).zip(widths).map(move |(level, width_ns)| RollupHeader {
                kind,
                level,
                cpu: 0,
                depth: 0,
                id: vec![i32::from(kind), i32::from(level), 0, 0, 0],
                width_ns: *width_ns,
                first_bucket: 0,
                last_bucket: i64::MAX,
                count: 1,
            })
        };
        let rollups = level(1).chain(level(super::kind::CALL)).collect();
        Self { slices: slices.iter().map(block).collect(), rollups, window }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a window of `pixel_ns` for each of 1,000 pixels.
    fn check(count: i64, widths: &[i64], pixel_ns: i64, expected: Source) {
        check_in(1, 100, count, widths, pixel_ns, expected);
    }

    fn check_in(
        cell_px: i64,
        lane_count: usize,
        count: i64,
        widths: &[i64],
        pixel_ns: i64,
        expected: Source,
    ) {
        let window = Window { start_ns: 0, end_ns: 1_000 * pixel_ns };
        let headers = Headers::of(window, &[(1, count), (2, 9)], widths);
        let room = Room { width_px: 1_000, cell_px, lane_count };
        assert_eq!(headers.source_in(1, room).unwrap(), expected);
    }

    #[test]
    fn few_slices_are_read_one_by_one() {
        check(60_000, &[10], 1_000, Source::Slices);
    }

    #[test]
    fn many_come_from_the_coarsest_level_within_two_pixels() {
        check(60_001, &[100, 400, 1_600], 799, Source::Rollup { level: 1 });
        check(60_001, &[100, 400, 1_600], 800, Source::Rollup { level: 2 });
        check(60_001, &[100, 400, 1_600], 9_000, Source::Rollup { level: 2 });
    }

    #[test]
    fn the_finest_level_will_do_up_to_four_pixels() {
        check(60_001, &[100, 400], 25, Source::Rollup { level: 0 });
        check(60_001, &[100, 400], 24, Source::Slices);
        check(500_000, &[100, 400], 24, Source::Slices);
        check(500_001, &[100, 400], 24, Source::Rollup { level: 0 });
        check(500_001, &[], 24, Source::Slices);
    }

    #[test]
    fn few_lanes_show_few_single_slices() {
        check_in(1, 10, 30_000, &[100], 100, Source::Slices);
        check_in(1, 10, 30_001, &[100], 100, Source::Rollup { level: 0 });
        check_in(1, 1, 16_384, &[100], 100, Source::Slices);
        check_in(1, 1, 16_385, &[100], 100, Source::Rollup { level: 0 });
    }

    #[test]
    fn an_answer_with_room_for_wider_cells_comes_from_a_coarser_level() {
        check_in(4, 100, 60_001, &[100, 400, 1_600], 100, Source::Rollup { level: 1 });
        // The finest level is up to twice as wide as the cells that there is room for.
        check_in(4, 100, 60_001, &[800, 3_200], 100, Source::Rollup { level: 0 });
        check_in(4, 100, 60_001, &[801, 3_204], 100, Source::Slices);
        check_in(4, 100, 15_000, &[100], 100, Source::Slices);
        check_in(4, 100, 15_001, &[100], 100, Source::Rollup { level: 0 });
    }

    #[test]
    fn slices_of_a_lane_are_told_from_its_cells_in_the_window() {
        let window = Window { start_ns: 500, end_ns: 1_000 };
        let block = |cpu: i16, level: i16, count: i64| RollupHeader {
            kind: 1,
            level,
            cpu,
            depth: 0,
            id: RowId::default(),
            width_ns: 10,
            first_bucket: 0,
            last_bucket: 99,
            count,
        };
        let mut headers = Headers::of(window, &[(1, 1_000)], &[]);
        headers.rollups = vec![block(0, 0, 60), block(0, 0, 20), block(3, 0, 20), block(3, 1, 90)];
        headers.rollups.push(RollupHeader { first_bucket: 0, last_bucket: 49, ..block(7, 0, 50) });
        assert_eq!(headers.lanes(1), [(0, 800), (3, 200)]);
    }

    #[test]
    fn too_many_without_a_rollup_are_refused() {
        let headers = Headers::of(Window { start_ns: 0, end_ns: 9 }, &[(1, MAX_RAW_SLICES + 1)], &[]);
        let error = headers.source(1, 1_000).unwrap_err();
        assert!(error.to_string().contains("2,000,001 calls; the limit is 2,000,000"), "{error}");
    }
}
