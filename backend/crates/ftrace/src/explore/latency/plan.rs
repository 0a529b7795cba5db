//! Which blocks hold the samples that a request is about, and in what portions they are read.

use serde::{Deserialize, Serialize};

use super::order::Order;
use super::selection::Selection;
use crate::analyses::{LatencyKind, SampleSource};
use crate::explore::ExploreError;

/// Records that are in memory at a time: fetched, and as columns.
const STEP_RECORDS: i64 = 262_144;
/// Where few blocks may be enough, the first step is as small as this, and every later one twice as large.
const FIRST_STEP_RECORDS: i64 = 32_768;

/// Headers of all blocks of samples and of slices: `(kind, block, t0, t1, count, max_ns)`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Headers {
    samples: Vec<Header>,
    slices: Vec<Header>,
}

type Header = (i16, i32, i64, i64, i64, i64);

/// Blocks by kind and number.
type BlockIds = Vec<(i16, i32)>;

/// What to fetch at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    samples: BlockIds,
    slices: BlockIds,
    /// The smallest key of the order in later steps; `None` for the last one.
    #[serde(skip)]
    pub rest: Option<i64>,
}

/// A block that can hold wanted samples.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    is_slices: bool,
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
    let window = selection.window;
    let min_ns = selection.min_ns.unwrap_or(0);
    let tables = [(false, headers.samples), (true, headers.slices)];
    let all =
        tables.into_iter().flat_map(|(is_slices, rows)| rows.into_iter().map(move |row| (is_slices, row)));
    let mut blocks: Vec<Block> = all
        .filter(|(is_slices, (kind, ..))| selection.kinds.iter().any(|one| is_held(one, *is_slices, *kind)))
        .filter(|(_, (_, _, t0, t1, _, max_ns))| {
            *t1 >= window.start_ns && *t0 < window.end_ns && *max_ns >= min_ns
        })
        .map(|(is_slices, (kind, block, t0, t1, count, max_ns))| Block {
            is_slices,
            id: (kind, block),
            t0,
            t1,
            count,
            best_key: order.best_key(t0, t1, max_ns),
        })
        .collect();
    blocks.sort_by_key(|block| block.best_key);
    Ok(blocks)
}

/// True where blocks of this table with this number of a kind hold samples of `kind`.
fn is_held(kind: &LatencyKind, is_slices: bool, code: i16) -> bool {
    match kind.source {
        SampleSource::Samples => !is_slices && kind.code == code,
        source => is_slices && source.slice_kind().is_some_and(|kind| kind.code() == code),
    }
}

impl Block {
    /// True where it holds samples of the kind.
    pub fn holds(&self, kind: &LatencyKind) -> bool {
        is_held(kind, self.is_slices, self.id.0)
    }

    pub fn number(&self) -> i32 {
        self.id.1
    }
}

/// The blocks in portions; with `is_growing`, in small ones at first.
pub fn steps(blocks: &[Block], is_growing: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = blocks;
    let mut wanted = if is_growing { FIRST_STEP_RECORDS } else { STEP_RECORDS };
    while !rest.is_empty() {
        let (mut taken, mut records) = (0, 0_i64);
        while let Some(block) = rest.get(taken).filter(|_| records < wanted) {
            records = records.saturating_add(block.count);
            taken += 1;
        }
        let (now, later) = rest.split_at(taken);
        steps.push(step(now, later));
        rest = later;
        wanted = wanted.saturating_mul(2).min(STEP_RECORDS);
    }
    steps
}

fn step(blocks: &[Block], later: &[Block]) -> Step {
    let ids = |is_slices: bool| {
        blocks.iter().filter(|block| block.is_slices == is_slices).map(|block| block.id).collect()
    };
    Step { samples: ids(false), slices: ids(true), rest: later.first().map(|block| block.best_key) }
}
