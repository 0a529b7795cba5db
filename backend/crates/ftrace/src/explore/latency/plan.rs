//! Which blocks hold the samples that a request is about, and in what portions they are read.

use super::field_series::FieldSeries;
use super::order::Order;
use super::selection::Selection;
use crate::analyses::{LatencyKind, SampleSource};
use crate::explore::headers::Headers;
use crate::explore::protocol::{Need, Stored};
use crate::explore::request::Window;
use crate::store::read::headers::EventHeader;
use crate::store::tables;

/// Records that are in memory at a time: fetched, and as columns.
const STEP_RECORDS: i64 = 262_144;
/// Where few blocks may be enough, the first step is as small as this, and every later one twice as large.
const FIRST_STEP_RECORDS: i64 = 32_768;

/// Of events, whose text takes more than samples do.
const STEP_EVENTS: i64 = 131_072;

/// Blocks by kind and number.
type BlockIds = Vec<(i16, i32)>;

/// What to fetch at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub samples: BlockIds,
    slices: BlockIds,
    events: Vec<i32>,
    /// The smallest key of the order in later steps; `None` for the last one.
    pub rest: Option<i64>,
}

impl Step {
    /// The blocks of samples, of slices and of events.
    pub fn needs(&self, stored: &Stored) -> [Need; 3] {
        let slices = stored.blocks(&tables::SLICE_BLOCK, &self.slices);
        [
            stored.blocks(&tables::SAMPLE_BLOCK, &self.samples),
            Need { is_for_samples: true, ..slices },
            stored.numbered(&tables::EVENT_BLOCK, &self.events),
        ]
    }
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
pub fn blocks(selection: &Selection, order: Order, headers: &Headers) -> Vec<Block> {
    let mut blocks = match &selection.series {
        Some(series) => event_blocks(selection.window, series, order, &headers.events),
        None => sample_blocks(selection, order, headers),
    };
    blocks.sort_by_key(|block| block.best_key);
    blocks
}

fn sample_blocks(selection: &Selection, order: Order, headers: &Headers) -> Vec<Block> {
    let window = selection.window;
    let min_ns = selection.min_ns.unwrap_or(0);
    let tables = [(BlockTable::Samples, &headers.samples), (BlockTable::Slices, &headers.slices)];
    let all = tables.into_iter().flat_map(|(table, rows)| rows.iter().map(move |header| (table, header)));
    all.filter(|(table, header)| selection.kinds.iter().any(|one| is_held(one, *table, header.kind)))
        .filter(|(_, header)| {
            header.t1 >= window.start_ns && header.t0 < window.end_ns && header.max_ns >= min_ns
        })
        .map(|(table, header)| Block {
            table,
            id: header.id(),
            t0: header.t0,
            t1: header.t1,
            count: header.count,
            best_key: order.best_key(header.t0, header.t1, header.max_ns),
        })
        .collect()
}

/// A duration that ends at an event can have begun at any time before, and its length is not known in advance.
fn event_blocks(window: Window, series: &FieldSeries, order: Order, headers: &[EventHeader]) -> Vec<Block> {
    let is_number = series.is_number();
    headers
        .iter()
        .filter(|header| header.t1 >= window.start_ns && (!is_number || header.t0 < window.end_ns))
        .map(|&EventHeader { block, t0, t1, count }| {
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

    /// The number of the block among those of its kind.
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
