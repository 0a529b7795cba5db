//! Which stored blocks answer a window at a cost that the screen bounds, not the trace.

use super::headers::touching;
use super::protocol::{Need, RowId, Stored};
use super::request::Window;
use super::{ExploreError, kind};
use crate::store::read::blocks::{RollupBlock, SliceBlock};
use crate::store::read::headers::{BlockHeader, read_blocks};
use crate::store::read::read_rows;
use crate::store::tables::projections::{ROLLUP_HEADER, SLICE_HEADER};

/// Single slices of one kind that are read without a second thought: seven blocks or so.
const RAW_SLICES: i64 = 60_000;
/// Single slices that are still read where the finest rollup is coarser than a pixel.
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
    depth: i32,
    /// Its primary key.
    id: RowId,
    width_ns: i64,
    first_bucket: i64,
    last_bucket: i64,
}

impl RollupHeader {
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
        match source {
            Source::Slices => self.slices.extend(touching(&headers.slices, kind, headers.window)),
            Source::Rollup { level } => {
                let of_level = headers.rollups.iter().filter(|one| one.kind == kind && one.level == level);
                let touching = of_level.filter(|one| one.touches(headers.window));
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
                depth: depth.into(),
                id: vec![i32::from(kind), i32::from(level), i32::from(cpu), i32::from(depth), block],
                width_ns: row.int("width_ns")?,
                first_bucket: row.int("first_bucket")?,
                last_bucket: row.int("last_bucket")?,
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

    /// Single slices while there are few; else the coarsest level that is no coarser than a pixel.
    /// Where all are coarser, single slices up to a second bound, then the finest level.
    pub fn source(&self, kind: i16, width_px: i64) -> Result<Source, ExploreError> {
        let count = self.slice_count(kind);
        if count <= RAW_SLICES {
            return Ok(Source::Slices);
        }
        let pixel_ns = self.window.length_ns().div_euclid(width_px.max(1));
        let levels = || self.rollups.iter().filter(|one| one.kind == kind);
        let fitting = levels().filter(|one| one.width_ns <= pixel_ns).max_by_key(|one| one.width_ns);
        let finest = levels().min_by_key(|one| one.width_ns);
        match (fitting, finest) {
            (Some(fitting), _) => Ok(Source::Rollup { level: fitting.level }),
            (None, _) if count <= RAW_SLICES_FOR_DETAIL => Ok(Source::Slices),
            (None, Some(finest)) => Ok(Source::Rollup { level: finest.level }),
            (None, None) => refuse_above(count, "start").map(|()| Source::Slices),
        }
    }
}

/// Errors: `window_too_large` where `count` single slices are more than one answer may read.
pub fn refuse_above(count: i64, parameter: &'static str) -> Result<(), ExploreError> {
    if count <= MAX_RAW_SLICES {
        return Ok(());
    }
    let message = format!(
        "the window touches blocks of {count} calls; the limit is {MAX_RAW_SLICES}. Choose a shorter window, \
         or leave out what needs every single call (start, end, pid, root, min, by=task, time=net)"
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
                depth: 0,
                id: vec![i32::from(kind), i32::from(level), 0, 0, 0],
                width_ns: *width_ns,
                first_bucket: 0,
                last_bucket: i64::MAX,
            })
        };
        let rollups = level(1).chain(level(super::kind::CALL)).collect();
        Self { slices: slices.iter().map(block).collect(), rollups, window }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: i64, widths: &[i64], length_ns: i64, expected: Source) {
        let window = Window { start_ns: 0, end_ns: length_ns };
        let headers = Headers::of(window, &[(1, count), (2, 9)], widths);
        assert_eq!(headers.source(1, 1_000).unwrap(), expected);
    }

    #[test]
    fn few_slices_are_read_one_by_one() {
        check(60_000, &[10], 1_000_000, Source::Slices);
    }

    #[test]
    fn many_come_from_the_coarsest_level_within_a_pixel() {
        check(60_001, &[100, 400, 1_600], 1_000_000, Source::Rollup { level: 1 });
        check(60_001, &[100, 400, 1_600], 9_000_000, Source::Rollup { level: 2 });
    }

    #[test]
    fn a_level_coarser_than_a_pixel_is_the_last_resort() {
        check(500_000, &[100, 400], 50_000, Source::Slices);
        check(500_001, &[100, 400], 50_000, Source::Rollup { level: 0 });
        check(500_001, &[], 50_000, Source::Slices);
    }

    #[test]
    fn too_many_without_a_rollup_are_refused() {
        let headers = Headers::of(Window { start_ns: 0, end_ns: 9 }, &[(1, MAX_RAW_SLICES + 1)], &[]);
        let error = headers.source(1, 1_000).unwrap_err();
        assert!(error.to_string().contains("2000001 calls; the limit is 2000000"), "{error}");
    }
}
