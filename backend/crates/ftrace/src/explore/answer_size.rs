//! Answers of lanes that stay below a size, whatever the trace, the window and the number of lanes.

use super::grid::Grid;
use super::protocol::Answer;

/// What a screen's lanes may take as JSON: more could not be seen on it, and would be read for longer than a frame.
pub const MAX_ANSWER_BYTES: usize = 1_000_000;

/// What a row of each kind takes at about, and a lane without rows. Only where the search begins depends on them.
const SLICE_BYTES: usize = 21;
const BUCKET_BYTES: usize = 30;
/// A bucket of a task's states says how long it waited, too.
const STATES_BYTES: usize = 43;
const LANE_BYTES: usize = 160;

/// What one lane adds to an answer.
#[derive(Clone, Copy, Debug)]
pub struct LaneSize {
    rows: usize,
    grid: Grid,
    /// Slices, which turn into buckets where they are more than those; the others never do.
    may_turn: bool,
    /// Rows that one cell can hold.
    rows_a_cell: usize,
    bucket_bytes: usize,
}

impl LaneSize {
    pub fn of_slices(rows: usize, grid: Grid) -> Self {
        Self { rows, grid, may_turn: true, rows_a_cell: 1, bucket_bytes: BUCKET_BYTES }
    }

    pub fn of_buckets(rows: usize, grid: Grid) -> Self {
        Self { rows, grid, may_turn: false, rows_a_cell: 1, bucket_bytes: BUCKET_BYTES }
    }

    /// Points of a step function, of which a cell holds up to `rows_a_cell`.
    pub fn of_points(rows: usize, grid: Grid, rows_a_cell: usize) -> Self {
        Self { rows, grid, may_turn: false, rows_a_cell, bucket_bytes: BUCKET_BYTES }
    }

    /// The same of the states of a task.
    pub fn with_states(self) -> Self {
        Self { bucket_bytes: STATES_BYTES, ..self }
    }

    fn bytes(&self, pixels: i64) -> usize {
        let most = self.grid.of_pixels(pixels).cell_count.saturating_mul(self.rows_a_cell);
        let rows = match self.may_turn && self.rows <= most {
            true => self.rows.saturating_mul(SLICE_BYTES),
            false => self.rows.min(most).saturating_mul(self.bucket_bytes),
        };
        rows.saturating_add(LANE_BYTES)
    }
}

/// How an answer is made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Cells are at least so many pixels wide.
    pub pixels: i64,
    /// Lanes of the answer; the last ones are left out.
    pub most_lanes: usize,
}

/// What `json` writes with as little reduction as keeps it within `limit` bytes: wider cells for all lanes alike, and
/// only where a cell for each lane is too much, fewer lanes.
pub fn within(
    limit: usize,
    width_px: i64,
    lanes: &[LaneSize],
    mut json: impl FnMut(Reduction) -> Answer,
) -> Answer {
    let coarsest = coarsest(width_px);
    let mut pixels = expected_pixels(limit, width_px, lanes);
    let mut most_lanes = usize::MAX;
    loop {
        let answer = json(Reduction { pixels, most_lanes })?;
        if answer.len() <= limit || most_lanes == 0 {
            return Ok(answer);
        }
        if pixels < coarsest {
            pixels = next(pixels).max(scaled(pixels, answer.len(), limit)).min(coarsest);
        } else {
            most_lanes = most_lanes.min(lanes.len()).div_euclid(2);
        }
    }
}

/// How many pixels wide the cells of these lanes have to be for `limit` bytes, at about.
pub fn expected_pixels(limit: usize, width_px: i64, lanes: &[LaneSize]) -> i64 {
    let bytes = |pixels| lanes.iter().map(|lane| lane.bytes(pixels)).fold(0, usize::saturating_add);
    let mut pixels = 1;
    while pixels < coarsest(width_px) && bytes(pixels) > limit {
        pixels = next(pixels);
    }
    pixels
}

/// Cells that are one for the whole window, wherever they begin.
fn coarsest(width_px: i64) -> i64 {
    width_px.saturating_mul(2)
}

/// A quarter more, which leaves little of the limit unused.
fn next(pixels: i64) -> i64 {
    pixels.saturating_add(pixels.div_euclid(4).max(1))
}

/// The width that makes up for an answer of `bytes` being larger than `limit`, or nearly: it costs another try at most.
fn scaled(pixels: i64, bytes: usize, limit: usize) -> i64 {
    let tenths = bytes.saturating_mul(9).div_euclid(limit.max(1));
    pixels.saturating_mul(i64::try_from(tenths).unwrap_or(i64::MAX)).div_euclid(10)
}

#[cfg(test)]
mod tests {
    use super::super::request::Window;
    use super::*;

    fn check(lanes: usize, rows: usize, bytes: impl Fn(Reduction) -> usize, expected: (i64, usize, usize)) {
        let grid = Grid::new(Window { start_ns: 0, end_ns: 1_000_000 }, 1_000, 1);
        let sizes = vec![LaneSize::of_slices(rows, grid); lanes];
        let mut tries = 0;
        let mut last = Reduction { pixels: 0, most_lanes: 0 };
        let answer = within(10_000, 1_000, &sizes, |reduction| {
            tries += 1;
            last = reduction;
            Ok(vec![b' '; bytes(reduction)])
        });
        assert!(answer.is_ok_and(|answer| answer.len() <= 10_000));
        assert_eq!((last.pixels, last.most_lanes.min(lanes), tries), expected);
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        check(2, 100, |_| 9_000, (1, 2, 1));
    }

    #[test]
    fn lanes_share_the_room_that_there_is() {
        check(10, 900, |_| 9_000, (41, 10, 1));
    }

    #[test]
    fn a_poor_estimate_costs_another_try() {
        check(2, 10, |Reduction { pixels, .. }| 30_000 / usize::try_from(pixels).unwrap(), (3, 2, 3));
    }

    #[test]
    fn lanes_are_left_out_where_a_cell_for_each_is_too_much() {
        check(100, 1, |Reduction { most_lanes, .. }| 300 * most_lanes.min(100), (2_172, 25, 3));
    }
}
