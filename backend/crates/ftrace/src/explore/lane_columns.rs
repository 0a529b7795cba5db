//! Lanes as columns of an answer, which leave out what a reader can tell from the rest.

use serde::Serialize;

use super::grid::Grid;
use super::ids::CallId;
use super::lanes::{Cell, Item};
use super::names::LocalNames;
use crate::store::read::dictionaries::{Symbol, Task};

/// Equally long columns; those that a lane of its detail does not have are left out.
#[derive(Debug, Default, Serialize)]
pub struct LaneColumns {
    #[serde(skip)]
    pub row_count: usize,
    pub detail: &'static str,
    /// Of buckets: how long each is. They lie at whole multiples of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bucket_ns: Option<i64>,
    /// Of buckets: how many buckets lie from the start of the one before to the start of this one. The first counts
    /// from time zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bucket_step: Option<Vec<i64>>,
    /// Of slices, as `duration_ns` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<Vec<i64>>,
    /// Where any row has a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_idx: Option<Vec<Option<u32>>>,
    /// Where any row has a symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_idx: Option<Vec<Option<u32>>>,
    /// Of slices, where any has others within it.
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
    /// From the start of the bucket to that of its longest slice, which may have begun before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_offset_ns: Option<Vec<i64>>,
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
            task_idx: unless_empty(items.iter().map(|item| names.tasks.number(item.task_idx)).collect()),
            symbol_idx: unless_empty(
                items.iter().map(|item| names.symbols.number(item.symbol_idx)).collect(),
            ),
            ..self
        }
    }
}

fn unless_empty(column: Vec<Option<u32>>) -> Option<Vec<Option<u32>>> {
    column.iter().any(Option::is_some).then_some(column)
}

/// One row a slice, in the order of their starts, and the slices in that order.
pub fn slice_columns(mut items: Vec<Item>) -> (LaneColumns, Vec<Item>) {
    // Blocks hold slices in the order of their ends, so a lane is nearly but not quite in order.
    items.sort_by_key(|item| item.start_ns);
    let columns = LaneColumns {
        row_count: items.len(),
        detail: "slices",
        t: Some(items.iter().map(|item| item.start_ns).collect()),
        duration_ns: Some(items.iter().map(|item| item.duration_ns).collect()),
        self_ns: items
            .iter()
            .any(|item| item.self_ns != item.duration_ns)
            .then(|| items.iter().map(|item| item.self_ns).collect()),
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
    let used = || (0..).zip(cells).filter_map(|(number, cell)| Some((number, cell, cell.longest()?)));
    let mut before = 0;
    let steps = used().map(|(number, ..)| {
        let index = grid.index_of(number);
        let step = index.saturating_sub(before);
        before = index;
        step
    });
    let longest: Vec<Item> = used().map(|(_, _, longest)| *longest).collect();
    let columns = LaneColumns {
        row_count: longest.len(),
        detail: "buckets",
        bucket_ns: Some(grid.cell_ns),
        bucket_step: Some(steps.collect()),
        count: Some(used().map(|(_, cell, _)| cell.count()).collect()),
        busy_ns: Some(used().map(|(_, cell, _)| cell.busy_ns()).collect()),
        max_ns: Some(longest.iter().map(|item| item.duration_ns).collect()),
        max_offset_ns: Some(
            used()
                .map(|(number, _, longest)| {
                    longest.start_ns.saturating_sub(grid.index_of(number).saturating_mul(grid.cell_ns))
                })
                .collect(),
        ),
        ..LaneColumns::default()
    };
    (columns, longest)
}
