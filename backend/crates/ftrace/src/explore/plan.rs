//! Which stored blocks answer a window at a cost that the screen bounds, not the trace.

use serde::{Deserialize, Serialize};

use super::ExploreError;
use super::request::Window;

/// Single slices of one kind that are read without a second thought: seven blocks or so.
const RAW_SLICES: i64 = 60_000;
/// Single slices that are still read where the finest rollup is coarser than a pixel.
const RAW_SLICES_FOR_DETAIL: i64 = 500_000;
/// Single slices that are read where nothing else can answer: a quarter of a second of decoding.
pub const MAX_RAW_SLICES: i64 = 2_000_000;

/// What is stored in a window, by sums over block headers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Headers {
    /// `(kind, slices)`: the counts of all slice blocks that touch the window.
    pub slices: Vec<(i16, i64)>,
    /// `(kind, level, width_ns)`: the zoom levels of the trace.
    pub rollups: Vec<(i16, i16, i64)>,
}

/// Where the slices of one kind come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Slices,
    Rollup { level: i16 },
}

/// What to fetch for lanes.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct BlockPlan {
    /// Kinds of slice_block.
    pub slices: Vec<i16>,
    /// Kind and level of rollup_block.
    pub rollups: Vec<(i16, i16)>,
    pub counters: bool,
}

impl BlockPlan {
    pub fn add(&mut self, kind: i16, source: Source) {
        match source {
            Source::Slices => self.slices.push(kind),
            Source::Rollup { level } => self.rollups.push((kind, level)),
        }
    }
}

impl Headers {
    pub fn parse(json: &str) -> Result<Self, ExploreError> {
        serde_json::from_str(json).map_err(|error| ExploreError::bad("headers", error.to_string()))
    }

    pub fn slice_count(&self, kind: i16) -> i64 {
        self.slices.iter().filter(|(found, _)| *found == kind).map(|(_, count)| count).sum()
    }

    /// Kinds with anything in the window, once each.
    pub fn kinds(&self) -> Vec<i16> {
        let mut kinds: Vec<i16> = self.slices.iter().filter(|(_, n)| *n > 0).map(|(kind, _)| *kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Single slices while there are few; else the coarsest level that is no coarser than a pixel.
    /// Where all are coarser, single slices up to a second bound, then the finest level.
    pub fn source(&self, kind: i16, window: Window, width_px: i64) -> Result<Source, ExploreError> {
        let count = self.slice_count(kind);
        if count <= RAW_SLICES {
            return Ok(Source::Slices);
        }
        let pixel_ns = window.length_ns().div_euclid(width_px.max(1));
        let levels = || self.rollups.iter().filter(|(found, ..)| *found == kind);
        let fitting =
            levels().filter(|(.., width_ns)| *width_ns <= pixel_ns).max_by_key(|(.., width)| *width);
        let finest = levels().min_by_key(|(.., width_ns)| *width_ns);
        match (fitting, finest) {
            (Some((_, level, _)), _) => Ok(Source::Rollup { level: *level }),
            (None, _) if count <= RAW_SLICES_FOR_DETAIL => Ok(Source::Slices),
            (None, Some((_, level, _))) => Ok(Source::Rollup { level: *level }),
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
         or leave out what needs every single call (start, end, pid, root, min, by=task)"
    );
    Err(ExploreError::too_large(parameter, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: i64, widths: &[i64], length_ns: i64, expected: Source) {
        let rollups = (0..).zip(widths).map(|(level, width_ns)| (1, level, *width_ns)).collect();
        let headers = Headers { slices: vec![(1, count), (2, 9)], rollups };
        let window = Window { start_ns: 0, end_ns: length_ns };
        assert_eq!(headers.source(1, window, 1_000).unwrap(), expected);
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
        let headers = Headers { slices: vec![(1, MAX_RAW_SLICES + 1)], rollups: Vec::new() };
        let error = headers.source(1, Window { start_ns: 0, end_ns: 9 }, 1_000).unwrap_err();
        assert!(error.to_string().contains("2000001 calls; the limit is 2000000"), "{error}");
    }
}
