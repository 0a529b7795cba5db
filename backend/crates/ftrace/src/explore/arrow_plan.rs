//! Which blocks of arrows a window needs, so that its longest arrows are found and all others are counted without
//! reading more than a few.

use super::ExploreError;
use super::protocol::Stored;
use super::request::{Params, Window};
use crate::analyses::{ARROWS, ArrowKind};
use crate::store::read::headers::{BlockHeader, read_blocks};
use crate::store::tables::projections::SLICE_HEADER;

/// Blocks that one answer reads: 200,000 arrows.
const MAX_BLOCKS: usize = 24;
const DEFAULT_LIMIT: i64 = 300;
const MAX_LIMIT: i64 = 5_000;

pub struct ArrowRequest {
    pub window: Window,
    pub kinds: Vec<&'static ArrowKind>,
    /// One of the ends is in the context of one of these tasks; of any, where none is given.
    pub pids: Vec<i32>,
    /// One of the ends is on one of these CPUs.
    pub cpus: Vec<i16>,
    pub limit: usize,
}

impl ArrowRequest {
    /// Errors: a parameter that is malformed or out of its range.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        Ok(Self {
            window: params.window()?,
            kinds: kinds(params)?,
            pids: params.ints("pid")?,
            cpus: params.ints("cpu")?,
            limit: usize::try_from(params.int("limit", 1..=MAX_LIMIT, DEFAULT_LIMIT)?).unwrap_or(usize::MAX),
        })
    }

    /// True where all arrows of a block are wanted if both its ends are in the window.
    fn wants_whole_blocks(&self) -> bool {
        self.pids.is_empty() && self.cpus.is_empty()
    }

    /// The wanted kind whose arrows are stored as slices with this code.
    pub fn kind_of(&self, code: i16) -> Option<&'static ArrowKind> {
        self.kinds.iter().copied().find(|kind| kind.slices.code() == code)
    }
}

fn kinds(params: &Params) -> Result<Vec<&'static ArrowKind>, ExploreError> {
    let names = params.names("kinds")?;
    if names.is_empty() {
        return Ok(ARROWS.to_vec());
    }
    let refuse = |name: &str| {
        let known: Vec<&str> = ARROWS.iter().map(|kind| kind.name).collect();
        ExploreError::bad("kinds", format!("{name:?} is no kind of arrow; expected {}", known.join(", ")))
    };
    let wanted =
        |name: &String| ARROWS.iter().copied().find(|kind| kind.name == name).ok_or_else(|| refuse(name));
    names.iter().map(wanted).collect()
}

/// The blocks to read, and those that are only counted.
#[derive(Debug, Default)]
pub struct ArrowPlan {
    /// Must be read: some of what they hold may be outside.
    pub read: Vec<BlockHeader>,
    /// All that they hold is wanted. Those with the longest arrows come first.
    pub whole: Vec<BlockHeader>,
    /// Blocks that are too many to be read, and not all of what they hold may be wanted.
    pub left_out: usize,
    /// Kinds of which the trace has any arrow.
    pub recorded: Vec<&'static ArrowKind>,
}

impl ArrowPlan {
    /// Which blocks to read for the request, by the headers of all blocks of slices.
    pub async fn fetch(stored: &Stored, request: &ArrowRequest) -> Result<Self, ExploreError> {
        let [headers] = stored.whole([&SLICE_HEADER]).await;
        Ok(Self::new(request, &read_blocks(&SLICE_HEADER, &headers)?))
    }

    fn new(request: &ArrowRequest, headers: &[BlockHeader]) -> Self {
        let has_any = |kind: &&ArrowKind| headers.iter().any(|block| block.kind == kind.slices.code());
        let recorded = ARROWS.iter().copied().filter(has_any).collect();
        let window = request.window;
        let touches = |block: &&BlockHeader| {
            request.kind_of(block.kind).is_some() && block.t1 >= window.start_ns && block.t0 < window.end_ns
        };
        let mut blocks: Vec<BlockHeader> = headers.iter().filter(touches).copied().collect();
        blocks.sort_by_key(|block| (-block.max_ns, block.kind, block.block));
        let is_whole = |block: &BlockHeader| {
            request.wants_whole_blocks() && window.start_ns <= block.t0 && block.t1 <= window.end_ns
        };
        let (whole, mut read): (Vec<_>, Vec<_>) = blocks.into_iter().partition(is_whole);
        let left_out = read.len().saturating_sub(MAX_BLOCKS);
        read.truncate(MAX_BLOCKS);
        Self { read, whole, left_out, recorded }
    }

    /// The next of the blocks that are wanted whole, moved to those to read, while they may hold arrows longer than
    /// the shortest of `limit` found ones, and not too many are read.
    pub fn take_longest(&mut self, read_count: usize, shortest_ns: Option<i64>) -> Vec<BlockHeader> {
        let room = MAX_BLOCKS.saturating_sub(read_count);
        let is_longer =
            |block: &&BlockHeader| shortest_ns.is_none_or(|shortest_ns| block.max_ns > shortest_ns);
        let count = self.whole.iter().take_while(is_longer).count().min(room);
        // Few at a time: what the first hold often makes the others needless.
        let few = if shortest_ns.is_none() { count.min(2) } else { count.min(4) };
        self.whole.drain(..few).collect()
    }
}
