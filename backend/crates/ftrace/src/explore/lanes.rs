//! Slices put on lanes, one by one where the pixels can show them, in cells where they cannot.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::answer_size::LaneSize;
use super::grid::Grid;
use super::ids::{CallId, Owner};
use super::lane_columns::{AnswerNames, LaneColumns, bucket_columns, slice_columns};
use crate::store::read::blocks::{RollupBlock, SliceBlock};

/// One slice on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub start_ns: i64,
    pub duration_ns: i64,
    pub self_ns: i64,
    pub cpu: i16,
    pub task_idx: i32,
    pub symbol_idx: i32,
    /// [`CallFlags`](crate::calls::CallFlags) of a call; zero for other slices.
    pub flags: i16,
}

/// What a lane holds within one cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// Slices that start in the cell.
    count: i64,
    /// Overlap of slices with the cell.
    busy_ns: i64,
    /// The longest slice that touches it, the earliest of equally long ones.
    longest: Option<Item>,
}

impl Cell {
    /// Adds slices, of which `longest` is the longest; of equally long ones, the earliest is kept.
    pub fn add(&mut self, count: i64, busy_ns: i64, longest: &Item) {
        self.count = self.count.saturating_add(count);
        self.busy_ns = self.busy_ns.saturating_add(busy_ns);
        let length = |item: &Item| (item.duration_ns, Reverse(item.start_ns));
        if self.longest.is_none_or(|known| length(longest) > length(&known)) {
            self.longest = Some(*longest);
        }
    }

    /// True where a slice touches the cell.
    pub fn is_used(&self) -> bool {
        self.longest.is_some()
    }

    pub fn busy_ns(&self) -> i64 {
        self.busy_ns
    }

    pub fn count(&self) -> i64 {
        self.count
    }

    pub fn longest(&self) -> Option<&Item> {
        self.longest.as_ref()
    }
}

enum Contents {
    Slices(Vec<Item>),
    Cells(Vec<Cell>),
}

impl Contents {
    /// What it adds to an answer.
    fn len(&self) -> usize {
        match self {
            Self::Slices(items) => items.len(),
            Self::Cells(cells) => cells.iter().filter(|cell| cell.is_used()).count(),
        }
    }

    /// The same in the wider cells of `to`, whose cells are made of whole ones of `from`: slices that are more than
    /// those become cells.
    fn widened(&self, from: &Grid, to: &Grid) -> Self {
        match self {
            Self::Slices(items) if items.len() <= to.cell_count => Self::Slices(items.clone()),
            Self::Slices(items) => Self::Cells(cells_of(to, items.iter())),
            Self::Cells(cells) => Self::Cells(widened_cells(cells, from, to)),
        }
    }
}

/// Lanes over one grid. A lane turns from slices to cells when it has more slices than there are cells,
/// so that an answer is bounded by lanes times pixels.
pub struct Lanes<K> {
    grid: Grid,
    numbers: HashMap<K, usize>,
    contents: Vec<Contents>,
    /// The lane of the slice before, which is often the lane of the next.
    last: Option<(K, usize)>,
}

impl<K: Copy + Ord + std::hash::Hash> Lanes<K> {
    pub fn new(grid: Grid) -> Self {
        Self { grid, numbers: HashMap::new(), contents: Vec::new(), last: None }
    }

    /// Puts a slice that touches the window on its lane.
    pub fn add(&mut self, key: K, item: Item) {
        let grid = self.grid;
        let Some(contents) = self.lane(key) else { return };
        match contents {
            Contents::Cells(cells) => add_to_cells(&grid, cells, &item),
            Contents::Slices(items) if items.len() < grid.cell_count => items.push(item),
            Contents::Slices(items) => {
                let mut cells = cells_of(&grid, items.iter());
                add_to_cells(&grid, &mut cells, &item);
                *contents = Contents::Cells(cells);
            }
        }
    }

    /// Merges the cells of a rollup, whose width divides the grid's, into the lane's.
    pub fn add_rollup(&mut self, key: K, rollup: &RollupBlock) {
        let grid = self.grid;
        let Some(contents) = self.lane(key) else { return };
        if matches!(contents, Contents::Slices(_)) {
            *contents = Contents::Cells(vec![Cell::default(); grid.cell_count]);
        }
        let Contents::Cells(cells) = contents else { return };
        for (start_ns, count, busy_ns, longest) in rollup_cells(rollup) {
            if grid.clip.contains(start_ns)
                && let Some(cell) = cells.get_mut(grid.cell_of(start_ns))
            {
                cell.add(count, busy_ns, &longest);
            }
        }
    }

    /// The same with no more than `limit` slices and cells in all, in wider cells where there are more.
    pub fn held_to(mut self, limit: usize) -> Self {
        while self.contents.iter().map(Contents::len).sum::<usize>() > limit && self.grid.can_be_wider() {
            self = self.on(self.grid.wider(2));
        }
        self
    }

    /// The same in cells of at least so many pixels.
    pub fn of_pixels(&self, pixels: i64) -> Self {
        self.on(self.grid.of_pixels(pixels))
    }

    /// The same in the cells of `grid`, which are made of whole ones of these.
    fn on(&self, grid: Grid) -> Self {
        let contents = self.contents.iter().map(|contents| contents.widened(&self.grid, &grid)).collect();
        Self { grid, numbers: self.numbers.clone(), contents, last: None }
    }

    /// What each lane adds to an answer.
    pub fn sizes(&self) -> impl Iterator<Item = LaneSize> {
        self.contents.iter().map(|contents| match contents {
            Contents::Slices(items) => LaneSize::of_slices(items.len(), self.grid),
            Contents::Cells(_) => LaneSize::of_buckets(contents.len(), self.grid),
        })
    }

    /// The lanes in the order of their keys.
    pub fn finish(self) -> impl Iterator<Item = (K, LaneContents)> {
        let Self { grid, numbers, contents, .. } = self;
        let keys: BTreeMap<usize, K> = numbers.into_iter().map(|(key, number)| (number, key)).collect();
        let mut lanes: Vec<(K, Contents)> = keys.into_values().zip(contents).collect();
        lanes.sort_by_key(|(key, _)| *key);
        lanes.into_iter().map(move |(key, contents)| (key, LaneContents { grid, contents }))
    }

    fn lane(&mut self, key: K) -> Option<&mut Contents> {
        let number = match self.last {
            Some((last, number)) if last == key => number,
            _ => {
                let next = self.contents.len();
                let number = *self.numbers.entry(key).or_insert(next);
                if number == next {
                    self.contents.push(Contents::Slices(Vec::new()));
                }
                number
            }
        };
        self.last = Some((key, number));
        self.contents.get_mut(number)
    }
}

/// The slices of a block, as lanes take them.
pub fn items(block: &SliceBlock) -> impl Iterator<Item = Item> {
    let times = block.start_ns.iter().zip(&block.duration_ns).zip(&block.self_ns);
    let names = block.cpu.iter().zip(&block.task_idx).zip(&block.symbol_idx).zip(&block.flags);
    times.zip(names).map(|(((start_ns, duration_ns), self_ns), (((cpu, task_idx), symbol_idx), flags))| {
        Item {
            start_ns: *start_ns,
            duration_ns: *duration_ns,
            self_ns: *self_ns,
            cpu: *cpu,
            task_idx: *task_idx,
            symbol_idx: *symbol_idx,
            flags: *flags,
        }
    })
}

/// `(cell start, slices, busy, longest slice)` of each cell of a rollup.
pub fn rollup_cells(rollup: &RollupBlock) -> impl Iterator<Item = (i64, i64, i64, Item)> {
    let sums = rollup.bucket_start_ns.iter().zip(&rollup.slices).zip(&rollup.busy_ns);
    let longest = rollup.max_ns.iter().zip(&rollup.max_start_ns);
    let names = rollup.task_idx.iter().zip(&rollup.symbol_idx);
    sums.zip(longest).zip(names).map(
        |((((start_ns, slices), busy_ns), (max_ns, max_start_ns)), (task_idx, symbol_idx))| {
            let longest = Item {
                start_ns: *max_start_ns,
                duration_ns: *max_ns,
                self_ns: *max_ns,
                cpu: rollup.cpu,
                task_idx: *task_idx,
                symbol_idx: *symbol_idx,
                flags: 0,
            };
            (*start_ns, i64::from(*slices), *busy_ns, longest)
        },
    )
}

/// Adds a slice to each cell that it touches: its start to one, to all of them its overlap.
pub fn add_to_cells(grid: &Grid, cells: &mut [Cell], item: &Item) {
    let end_ns = item.start_ns.saturating_add(item.duration_ns);
    let first = grid.cell_of(item.start_ns);
    let last = grid.cell_of(end_ns.saturating_sub(1).max(item.start_ns));
    let touched = cells.iter_mut().enumerate().take(last.saturating_add(1)).skip(first);
    for (number, cell) in touched {
        let (low, high) = grid.bounds(number);
        let busy_ns = end_ns.min(high).saturating_sub(item.start_ns.max(low)).max(0);
        let starts_here = low <= item.start_ns && item.start_ns < high;
        cell.add(i64::from(starts_here), busy_ns, item);
    }
}

/// The cells of a grid, each with what touches it.
pub fn cells_of<'a>(grid: &Grid, items: impl Iterator<Item = &'a Item>) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); grid.cell_count];
    items.for_each(|item| add_to_cells(grid, &mut cells, item));
    cells
}

/// The cells of `from` merged into those of `to`, which are made of whole ones.
pub fn widened_cells(cells: &[Cell], from: &Grid, to: &Grid) -> Vec<Cell> {
    let mut wider = vec![Cell::default(); to.cell_count];
    for (number, cell) in cells.iter().enumerate() {
        let into = wider.get_mut(to.cell_of(from.bounds(number).0));
        if let Some((longest, into)) = cell.longest.as_ref().zip(into) {
            into.add(cell.count, cell.busy_ns, longest);
        }
    }
    wider
}

/// What one lane holds, ready to be written down.
pub struct LaneContents {
    grid: Grid,
    contents: Contents,
}

impl LaneContents {
    /// Columns in the order of time; with public ids where the lane holds calls of a `call_depth`.
    pub fn columns(self, names: &mut AnswerNames<'_, '_>, call_depth: Option<i16>) -> LaneColumns {
        let (columns, longest) = match self.contents {
            Contents::Slices(items) => slice_columns(items),
            Contents::Cells(cells) => bucket_columns(&self.grid, &cells),
        };
        let mut columns = columns.named(&longest, names);
        columns.call_id = call_depth.map(|depth| {
            let owner = |item: &Item| Owner::new(names.tasks.entry(item.task_idx), item.cpu);
            longest.iter().map(|item| CallId { owner: owner(item), start_ns: item.start_ns, depth }).collect()
        });
        columns
    }
}
