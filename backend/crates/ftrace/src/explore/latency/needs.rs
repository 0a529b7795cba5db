//! Which blocks the explanation of cases takes.

use std::cmp::Reverse;

use crate::analyses::{SampleFlags, SampleSource, SliceKind};
use crate::explain::Case;
use crate::explore::headers::Headers;
use crate::store::read::headers::{BlockHeader, EventHeader};

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// Of a case with more slices, only the end.
    pub max_slices: i64,
    /// Also for cases that are neither calls nor reports of a tracer, whose sentences name what ran by its calls.
    pub with_calls: bool,
}

/// For the reader of a case.
pub const ON_DEMAND: Depth = Depth { max_slices: 2_000_000, with_calls: true };
/// For the sentences of many cases, while the trace is loaded.
pub const AT_LOAD: Depth = Depth { max_slices: 100_000, with_calls: false };

/// Event blocks at each end of a long case. The same wherever it is explained, so that the same is said.
const EVENT_BLOCKS_AT_END: usize = 2;

/// What to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    pub slices: Vec<(i16, i32)>,
    pub events: Vec<i32>,
    /// What the blocks touch; that of counters, too.
    pub start_ns: i64,
    pub end_ns: i64,
    /// Slices that end before this are not among the blocks.
    pub known_from_ns: i64,
    /// Events between these two times are left out, both excluded.
    pub unseen: Option<(i64, i64)>,
}

impl Needs {
    /// The blocks that touch what a case reaches.
    pub fn of(case: &Case<'_>, headers: &Headers, depth: Depth) -> Self {
        let (start_ns, end_ns) = case.reach();
        let is_told_by_calls =
            case.latency().source == SampleSource::RootCalls || case.flags.has(SampleFlags::REPORTED);
        let with_calls = depth.with_calls || is_told_by_calls;
        let touches = |t0: i64, t1: i64| t0 <= end_ns && t1 >= start_ns;
        let mut blocks: Vec<&BlockHeader> = headers
            .slices
            .iter()
            .filter(|header| {
                touches(header.t0, header.t1) && (with_calls || header.kind != SliceKind::Call.code())
            })
            .collect();
        blocks.sort_by_key(|header| Reverse(header.t1));
        let mut count = 0_i64;
        let kept = blocks.iter().take_while(|header| {
            count = count.saturating_add(header.count);
            count <= depth.max_slices
        });
        let kept = kept.count().max(1).min(blocks.len());
        let known_from_ns = blocks.get(kept).map_or(0, |header| header.t1);
        blocks.truncate(kept);
        let near: Vec<_> = headers.events.iter().filter(|header| touches(header.t0, header.t1)).collect();
        let head = near.get(..EVENT_BLOCKS_AT_END).unwrap_or_default();
        let tail =
            near.len().checked_sub(EVENT_BLOCKS_AT_END).and_then(|at| near.get(at..)).unwrap_or_default();
        let is_short = near.len() <= EVENT_BLOCKS_AT_END.saturating_mul(2);
        let last_seen_ns = head.iter().map(|header| header.t1).max();
        let seen_again_ns = tail.iter().map(|header| header.t0).min();
        let unseen = last_seen_ns.zip(seen_again_ns).filter(|(from, to)| !is_short && from < to);
        let numbers = |blocks: &[&EventHeader]| blocks.iter().map(|header| header.block).collect::<Vec<_>>();
        let events = if is_short { numbers(&near) } else { [numbers(head), numbers(tail)].concat() };
        let slices = blocks.iter().map(|header| header.id()).collect();
        Self { slices, events, start_ns, end_ns, known_from_ns, unseen }
    }
}
