//! Counters as step functions, thinned to the pixels without losing an extreme.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer_size::LaneSize;
use super::grid::Grid;
use crate::store::read::blocks::{ABSENT_SMALL, CounterBlock};
use crate::store::read::dictionaries::{Counter, Dictionary};

/// One counter on one CPU. Every value holds from its `t` until the next.
#[derive(Debug, Serialize)]
pub struct CounterLane {
    pub name: String,
    pub unit: Option<String>,
    /// `None` for a counter of the whole machine.
    pub cpu: Option<i16>,
    /// The first may lie before the window: it is the value that the window begins with.
    pub t: Vec<i64>,
    pub value: Vec<i64>,
}

/// Readings of one cell that are kept: its lowest, highest and last.
const POINTS_A_CELL: usize = 3;

impl CounterLane {
    /// What it adds to an answer.
    pub fn size(&self, grid: Grid) -> LaneSize {
        LaneSize::of_points(self.t.len(), grid, POINTS_A_CELL)
    }

    /// The same with no more points than the wider cells of `grid` keep.
    pub fn widened(&self, grid: &Grid) -> Self {
        let points = self.t.iter().copied().zip(self.value.iter().copied()).collect();
        let (t, value) = thin(points, grid).into_iter().unzip();
        Self { name: self.name.clone(), unit: self.unit.clone(), cpu: self.cpu, t, value }
    }
}

type Point = (i64, i64);

/// The lowest, the highest and the last reading of one cell.
#[derive(Clone, Copy)]
struct Extremes {
    cell: usize,
    low: Point,
    high: Point,
    last: Point,
}

/// Lanes in the order of counter and CPU, each with at most three points a cell.
pub fn counter_lanes(
    blocks: &[CounterBlock],
    counters: &Dictionary<Counter<'_>>,
    grid: &Grid,
) -> Vec<CounterLane> {
    let mut series: BTreeMap<(i16, i16), Vec<Point>> = BTreeMap::new();
    for block in blocks {
        let keys = block.counter_idx.iter().zip(&block.cpu);
        let points = block.t_ns.iter().zip(&block.value);
        for ((counter_idx, cpu), (t_ns, value)) in keys.zip(points) {
            if *t_ns < grid.clip.end_ns {
                series.entry((*counter_idx, *cpu)).or_default().push((*t_ns, *value));
            }
        }
    }
    let lanes = series.into_iter().filter_map(|((counter_idx, cpu), points)| {
        let counter = counters.get(i32::from(counter_idx))?;
        let (t, value): (Vec<i64>, Vec<i64>) = thin(points, grid).into_iter().unzip();
        Some(CounterLane {
            name: counter.name.to_owned(),
            unit: counter.unit.map(str::to_owned),
            cpu: (cpu != ABSENT_SMALL).then_some(cpu),
            t,
            value,
        })
    });
    lanes.filter(|lane| !lane.t.is_empty()).collect()
}

fn thin(mut points: Vec<Point>, grid: &Grid) -> Vec<Point> {
    // Readings are stored in file order, which is the order of time but for CPUs whose clocks disagree.
    points.sort_by_key(|(t_ns, _)| *t_ns);
    let before = points.partition_point(|(t_ns, _)| *t_ns < grid.clip.start_ns);
    let (earlier, inside) = points.split_at(before);
    let mut thinned: Vec<Point> = earlier.last().copied().into_iter().collect();
    let mut open: Option<Extremes> = None;
    for point in inside {
        let cell = grid.cell_of(point.0);
        match &mut open {
            Some(extremes) if extremes.cell == cell => {
                extremes.last = *point;
                if point.1 < extremes.low.1 {
                    extremes.low = *point;
                }
                if point.1 > extremes.high.1 {
                    extremes.high = *point;
                }
            }
            _ => {
                push_extremes(&mut thinned, open);
                open = Some(Extremes { cell, low: *point, high: *point, last: *point });
            }
        }
    }
    push_extremes(&mut thinned, open);
    thinned
}

fn push_extremes(points: &mut Vec<Point>, extremes: Option<Extremes>) {
    let Some(Extremes { low, high, last, .. }) = extremes else { return };
    let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
    let mut cell = vec![first, second, last];
    // One reading may be lowest, highest and last at once.
    cell.dedup();
    points.extend(cell);
}

#[cfg(test)]
mod tests {
    use super::super::request::Window;
    use super::*;

    fn check(points: &[Point], window: (i64, i64), width_px: i64, expected: &[Point]) {
        let grid = Grid::new(Window { start_ns: window.0, end_ns: window.1 }, width_px, 1);
        assert_eq!(thin(points.to_vec(), &grid), expected);
    }

    #[test]
    fn few_readings_are_all_kept() {
        check(&[(1, 10), (5, 20), (9, 10)], (0, 10), 100, &[(1, 10), (5, 20), (9, 10)]);
    }

    #[test]
    fn a_cell_keeps_lowest_highest_and_last() {
        check(&[(1, 5), (2, 9), (3, 1), (4, 6), (5, 7)], (0, 100), 3, &[(2, 9), (3, 1), (5, 7)]);
        check(&[(1, 5), (2, 5), (3, 5)], (0, 100), 3, &[(1, 5), (3, 5)]);
    }

    #[test]
    fn the_value_before_the_window_is_kept() {
        check(&[(1, 5), (2, 6), (30, 7)], (20, 40), 100, &[(2, 6), (30, 7)]);
    }
}
