//! Which blocks hold the samples that a request is about, and in what portions they are read.

use serde::{Deserialize, Serialize};

use super::field_series::FieldSeries;
use super::order::Order;
use super::selection::Selection;
use crate::analyses::{LatencyKind, SampleSource};
use crate::explore::ExploreError;
use crate::explore::request::Window;

/// Records that are in memory at a time: fetched, and as columns.
const STEP_RECORDS: i64 = 262_144;
/// Where few blocks may be enough, the first step is as small as this, and every later one twice as large.
const FIRST_STEP_RECORDS: i64 = 32_768;

/// Of events, whose text takes more than samples do.
const STEP_EVENTS: i64 = 131_072;

/// Headers of all blocks of samples and of slices: `(kind, block, t0, t1, count, max_ns)`, and of those of
/// events that hold the one whose field is asked for: `(block, t0, t1, count)`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Headers {
    samples: Vec<Header>,
    slices: Vec<Header>,
    events: Vec<(i32, i64, i64, i64)>,
}

type Header = (i16, i32, i64, i64, i64, i64);

/// Blocks by kind and number.
type BlockIds = Vec<(i16, i32)>;

/// What to fetch at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    samples: BlockIds,
    slices: BlockIds,
    events: Vec<i32>,
    /// The smallest key of the order in later steps; `None` for the last one.
    #[serde(skip)]
    pub rest: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockTable {
    Samples,
    Slices,
    Events,
}

/// A block that can hold wanted samples.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    table: BlockTable,
    id: (i16, i32),
    pub t0: i64,
    pub t1: i64,
    count: i64,
    best_key: i64,
}

/// The blocks that can hold wanted samples, by the best that they can hold.
pub fn blocks(selection: &Selection, order: Order, headers: &str) -> Result<Vec<Block>, ExploreError> {
    let headers: Headers =
        serde_json::from_str(headers).map_err(|error| ExploreError::bad("headers", error.to_string()))?;
    let mut blocks = match &selection.series {
        Some(series) => event_blocks(selection.window, series, order, headers.events),
        None => sample_blocks(selection, order, headers),
    };
    blocks.sort_by_key(|block| block.best_key);
    Ok(blocks)
}

fn sample_blocks(selection: &Selection, order: Order, headers: Headers) -> Vec<Block> {
    let window = selection.window;
    let min_ns = selection.min_ns.unwrap_or(0);
    let tables = [(BlockTable::Samples, headers.samples), (BlockTable::Slices, headers.slices)];
    let all = tables.into_iter().flat_map(|(table, rows)| rows.into_iter().map(move |row| (table, row)));
    all.filter(|(table, (kind, ..))| selection.kinds.iter().any(|one| is_held(one, *table, *kind)))
        .filter(|(_, (_, _, t0, t1, _, max_ns))| {
            *t1 >= window.start_ns && *t0 < window.end_ns && *max_ns >= min_ns
        })
        .map(|(table, (kind, block, t0, t1, count, max_ns))| Block {
            table,
            id: (kind, block),
            t0,
            t1,
            count,
            best_key: order.best_key(t0, t1, max_ns),
        })
        .collect()
}

/// A duration that ends at an event can have begun at any time before, and nobody knows how long it is.
fn event_blocks(
    window: Window,
    series: &FieldSeries,
    order: Order,
    headers: Vec<(i32, i64, i64, i64)>,
) -> Vec<Block> {
    let is_number = series.is_number();
    headers
        .into_iter()
        .filter(|(_, t0, t1, _)| *t1 >= window.start_ns && (!is_number || *t0 < window.end_ns))
        .map(|(block, t0, t1, count)| {
            let best_key = match order {
                Order::Earliest if is_number => t0,
                Order::Latest => t1.saturating_neg(),
                _ => i64::MIN,
            };
            Block { table: BlockTable::Events, id: (0, block), t0, t1, count, best_key }
        })
        .collect()
}

/// True where blocks of this table with this number of a kind hold samples of `kind`.
fn is_held(kind: &LatencyKind, table: BlockTable, code: i16) -> bool {
    match kind.source {
        SampleSource::Samples => table == BlockTable::Samples && kind.code == code,
        source => table == BlockTable::Slices && source.slice_kind().is_some_and(|kind| kind.code() == code),
    }
}

impl Block {
    /// True where it holds samples of the kind.
    pub fn holds(&self, kind: &LatencyKind) -> bool {
        self.table == BlockTable::Events || is_held(kind, self.table, self.id.0)
    }

    pub fn number(&self) -> i32 {
        self.id.1
    }
}

/// The blocks in portions; with `is_growing`, in small ones at first.
pub fn steps(blocks: &[Block], is_growing: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = blocks;
    let is_events = blocks.first().is_some_and(|block| block.table == BlockTable::Events);
    let most = if is_events { STEP_EVENTS } else { STEP_RECORDS };
    let mut wanted = if is_growing { FIRST_STEP_RECORDS } else { most };
    while !rest.is_empty() {
        let (mut taken, mut records) = (0, 0_i64);
        while let Some(block) = rest.get(taken).filter(|_| records < wanted) {
            records = records.saturating_add(block.count);
            taken += 1;
        }
        let (now, later) = rest.split_at(taken);
        steps.push(step(now, later));
        rest = later;
        wanted = wanted.saturating_mul(2).min(most);
    }
    steps
}

fn step(blocks: &[Block], later: &[Block]) -> Step {
    let of =
        |table: BlockTable| blocks.iter().filter(move |block| block.table == table).map(|block| block.id);
    Step {
        samples: of(BlockTable::Samples).collect(),
        slices: of(BlockTable::Slices).collect(),
        events: of(BlockTable::Events).map(|(_, block)| block).collect(),
        rest: later.first().map(|block| block.best_key),
    }
}
