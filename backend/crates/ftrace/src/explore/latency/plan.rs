//! Which blocks hold the samples that a request is about.

use serde::{Deserialize, Serialize};

use super::order::Order;
use super::selection::Selection;
use crate::analyses::{LatencyKind, SampleSource};
use crate::explore::plan::MAX_RAW_SLICES;
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Records that the first step of a page reads; every later one reads some times as many.
const FIRST_STEP_RECORDS: i64 = 65_536;
const STEP_GROWTH: i64 = 4;

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

/// What to fetch before the next try at an answer.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    samples: BlockIds,
    slices: BlockIds,
    /// The smallest key of the order that is not fetched with this step; null after the last block.
    rest: Option<i64>,
}

#[derive(Clone, Copy)]
struct Block {
    is_slices: bool,
    id: (i16, i32),
    count: i64,
    best_key: i64,
}

/// JSON list of [`Step`]s: how to get at a page of the list, the first in the order first.
pub fn plan_latencies(request: &str, headers: &str) -> Result<String, ExploreError> {
    let params = Params::parse(request)?;
    let selection = Selection::from_params(&params)?;
    let order = Order::from_params(&params)?;
    let blocks = blocks(&selection, order, headers)?;
    text(&steps(&blocks))
}

/// JSON [`Step`] that fetches every sample of the selection.
///
/// Errors: `window_too_large` where there are more than one answer may read.
pub fn plan_samples(request: &str, headers: &str) -> Result<String, ExploreError> {
    let selection = Selection::from_params(&Params::parse(request)?)?;
    let blocks = blocks(&selection, Order::Earliest, headers)?;
    refuse_above(blocks.iter().map(|block| block.count).sum())?;
    text(&step(&blocks, &[]))
}

/// Errors: `window_too_large`.
pub fn refuse_above(count: i64) -> Result<(), ExploreError> {
    if count <= MAX_RAW_SLICES {
        return Ok(());
    }
    let message = format!(
        "this needs the blocks of {count} samples; the limit is {MAX_RAW_SLICES}. Choose one kind, a shorter \
         window, or a longer min (kind, start, end, min)"
    );
    Err(ExploreError::too_large("start", message))
}

fn text(answer: &impl Serialize) -> Result<String, ExploreError> {
    answer_json(answer).map(|json| String::from_utf8_lossy(&json).into_owned())
}

/// The blocks that can hold wanted samples, by the best that they can hold.
fn blocks(selection: &Selection, order: Order, headers: &str) -> Result<Vec<Block>, ExploreError> {
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

fn steps(blocks: &[Block]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = blocks;
    let (mut records, mut wanted) = (0_i64, FIRST_STEP_RECORDS);
    while !rest.is_empty() && records < MAX_RAW_SLICES {
        let mut taken = 0;
        while let Some(block) = rest.get(taken).filter(|_| records < wanted) {
            records = records.saturating_add(block.count);
            taken += 1;
        }
        let (now, later) = rest.split_at(taken);
        steps.push(step(now, later));
        rest = later;
        wanted = wanted.saturating_mul(STEP_GROWTH).min(MAX_RAW_SLICES);
    }
    steps
}

fn step(blocks: &[Block], later: &[Block]) -> Step {
    let ids = |is_slices: bool| {
        blocks.iter().filter(|block| block.is_slices == is_slices).map(|block| block.id).collect()
    };
    Step { samples: ids(false), slices: ids(true), rest: later.first().map(|block| block.best_key) }
}
