//! Slices put on lanes, one by one where the pixels can show them, in cells where they cannot.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hashbrown::HashMap;
use serde::Serialize;

use super::grid::Grid;
use super::ids::{CallId, Owner};
use super::names::LocalNames;
use crate::store::read::blocks::{RollupBlock, SliceBlock};
use crate::store::read::dictionaries::{Symbol, Task};

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

    /// From the cells of one grid to the wider ones of another, or from slices that are more than those.
    fn coarsen(&mut self, from: &Grid, to: &Grid) {
        let mut wider = vec![Cell::default(); to.cell_count];
        match self {
            Self::Slices(items) if items.len() <= to.cell_count => return,
            Self::Slices(items) => items.iter().for_each(|item| add_to_cells(to, &mut wider, item)),
            Self::Cells(cells) => {
                for (number, cell) in cells.iter().enumerate() {
                    let into = wider.get_mut(to.cell_of(from.bounds(number).0));
                    if let Some((longest, into)) = cell.longest.as_ref().zip(into) {
                        into.add(cell.count, cell.busy_ns, longest);
                    }
                }
            }
        }
        *self = Self::Cells(wider);
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
                let mut cells = vec![Cell::default(); grid.cell_count];
                items.iter().for_each(|earlier| add_to_cells(&grid, &mut cells, earlier));
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
        while self.contents.iter().map(Contents::len).sum::<usize>() > limit
            && let Some(grid) = self.grid.coarser()
        {
            for contents in &mut self.contents {
                contents.coarsen(&self.grid, &grid);
            }
            self.grid = grid;
        }
        self
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

/// What one lane holds, ready to be written down.
pub struct LaneContents {
    grid: Grid,
    contents: Contents,
}

/// Equally long columns; those that a lane of its detail does not have are left out.
#[derive(Debug, Default, Serialize)]
pub struct LaneColumns {
    pub detail: &'static str,
    pub t: Vec<i64>,
    pub duration_ns: Vec<i64>,
    pub task_idx: Vec<Option<u32>>,
    pub symbol_idx: Vec<Option<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_ns: Option<Vec<i64>>,
    /// Where any slice of the lane has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<i16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_ns: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_start: Option<Vec<i64>>,
    /// Of the lane of a task: the CPU where it runs, or where it waits to run; not of buckets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_cpu: Option<Vec<i16>>,
    /// Of the lane of a task: time in the bucket in which it wanted to run and did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_ns: Option<Vec<i64>>,
    /// Of the call itself, or of the longest one that touches the bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Vec<CallId>>,
}

/// The names that an answer's columns point at.
pub struct AnswerNames<'d, 'a> {
    pub tasks: LocalNames<'d, Task<'a>>,
    pub symbols: LocalNames<'d, Symbol<'a>>,
}

impl LaneColumns {
    /// With the names of `items`, one for each row.
    pub fn named(self, items: &[Item], names: &mut AnswerNames<'_, '_>) -> Self {
        Self {
            task_idx: items.iter().map(|item| names.tasks.number(item.task_idx)).collect(),
            symbol_idx: items.iter().map(|item| names.symbols.number(item.symbol_idx)).collect(),
            ..self
        }
    }
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

/// One row a slice, in the order of their starts, and the slices in that order.
pub fn slice_columns(mut items: Vec<Item>) -> (LaneColumns, Vec<Item>) {
    // Blocks hold slices in the order of their ends, so a lane is nearly but not quite in order.
    items.sort_by_key(|item| item.start_ns);
    let columns = LaneColumns {
        detail: "slices",
        t: items.iter().map(|item| item.start_ns).collect(),
        duration_ns: items.iter().map(|item| item.duration_ns).collect(),
        self_ns: Some(items.iter().map(|item| item.self_ns).collect()),
        flags: items
            .iter()
            .any(|item| item.flags != 0)
            .then(|| items.iter().map(|item| item.flags).collect()),
        ..LaneColumns::default()
    };
    (columns, items)
}

/// One row a cell that holds anything, and the longest slice of each in that order.
pub fn bucket_columns(grid: &Grid, cells: &[Cell]) -> (LaneColumns, Vec<Item>) {
    let used = || cells.iter().enumerate().filter(|(_, cell)| cell.is_used());
    let bounds: Vec<(i64, i64)> = used().map(|(number, _)| grid.bounds(number)).collect();
    let longest: Vec<Item> = cells.iter().filter_map(|cell| cell.longest).collect();
    let columns = LaneColumns {
        detail: "buckets",
        t: bounds.iter().map(|(start_ns, _)| *start_ns).collect(),
        duration_ns: bounds.iter().map(|(start_ns, end_ns)| end_ns.saturating_sub(*start_ns)).collect(),
        count: Some(used().map(|(_, cell)| cell.count).collect()),
        busy_ns: Some(used().map(|(_, cell)| cell.busy_ns).collect()),
        max_ns: Some(longest.iter().map(|item| item.duration_ns).collect()),
        max_start: Some(longest.iter().map(|item| item.start_ns).collect()),
        ..LaneColumns::default()
    };
    (columns, longest)
}
