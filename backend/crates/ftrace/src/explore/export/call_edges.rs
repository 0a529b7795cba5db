//! Calls in the order in which they begin and end.
//!
//! Blocks hold calls that *ended* one after the other, so that a long call is stored far after the calls in it. Of
//! those there are never more than lie open at the boundaries of blocks; they are looked up first and held.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::super::ExploreError;
use super::super::headers::slice_headers;
use super::super::ids::Owner;
use super::super::kind::CALL;
use super::super::protocol::{Part, Stored};
use super::super::request::Window;
use super::names::Names;
use super::scope::Scope;
use crate::analyses::SliceFlags;
use crate::store::read::blocks::SliceBlock;
use crate::store::read::headers::BlockHeader;
use crate::store::read::read_rows;

/// Calls that are held at once: about 200 MB.
const MAX_HELD: usize = 4 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub start_ns: i64,
    pub duration_ns: i64,
    pub self_ns: i64,
    pub cpu: i16,
    pub depth: i16,
    pub flags: SliceFlags,
    pub task_idx: i32,
    pub symbol_idx: i32,
    /// Its number in the order of opening.
    id: i32,
}

impl Call {
    pub fn end_ns(&self) -> i64 {
        self.start_ns.saturating_add(self.duration_ns)
    }

    /// True where the file has a record of its begin, or of its end, in the window.
    pub fn is_recorded(&self, is_enter: bool, window: Window) -> bool {
        let (t_ns, unseen) = match is_enter {
            true => (self.start_ns, SliceFlags::STARTED_BEFORE),
            false => (self.end_ns(), SliceFlags::CUT_AT_END),
        };
        window.contains(t_ns) && !self.flags.has(unseen)
    }

    /// The order of opening. What began before the trace is numbered when its end is seen.
    fn order(&self) -> (i64, bool, i16, u32) {
        let is_open = !self.flags.has(SliceFlags::STARTED_BEFORE);
        (self.start_ns, is_open, if is_open { 0 } else { self.depth }, self.id.cast_unsigned())
    }
}

/// A call begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub t_ns: i64,
    pub is_enter: bool,
    /// Whose stack it lies on.
    pub owner: Owner,
    pub call: Call,
}

/// Edges in the order of time; those of one stack are properly nested.
pub struct CallEdges {
    blocks: VecDeque<BlockHeader>,
    /// Up to here everything that is in no later block than the last one read has begun.
    horizon_ns: i64,
    /// Calls that began before the block in which they are stored, in their order.
    held: VecDeque<Call>,
    open: OpenCalls,
    /// How many begins and ends are recorded in the window.
    pub recorded_count: i64,
}

impl CallEdges {
    /// Reads all blocks once, for what has to be held.
    ///
    /// Errors: `window_too_large` where that is too much.
    pub async fn plan(stored: &Stored, scope: &Scope) -> Result<Self, ExploreError> {
        let mut blocks: VecDeque<BlockHeader> = slice_headers(stored).await?.into();
        let window = scope.window;
        blocks.retain(|block| block.kind == CALL && block.t0 < window.end_ns && block.t1 >= window.start_ns);
        let mut rest = blocks.clone();
        let mut horizon_ns = i64::MIN;
        let mut held = Vec::new();
        let mut recorded_count = 0_i64;
        while let Some((header, part)) = next_block(&mut rest, stored).await {
            let calls = calls(&part, scope)?;
            let recorded = |call: &Call| {
                [true, false].into_iter().filter(|is_enter| call.is_recorded(*is_enter, window)).count()
            };
            let lines: usize = calls.iter().map(recorded).sum();
            recorded_count = recorded_count.saturating_add(i64::try_from(lines).unwrap_or(i64::MAX));
            held.extend(calls.into_iter().filter(|call| call.start_ns < horizon_ns));
            horizon_ns = horizon_ns.max(header.t1);
            if held.len() > MAX_HELD {
                let detail = format!(
                    "more than {MAX_HELD} calls last longer than those stored beside them; ask for a smaller window"
                );
                return Err(ExploreError::too_large("start", detail));
            }
        }
        held.sort_unstable_by_key(Call::order);
        let (held, open) = (held.into(), OpenCalls::default());
        Ok(Self { blocks, horizon_ns: i64::MIN, held, open, recorded_count })
    }

    /// The edges that come next; `None` at the end.
    pub async fn next(
        &mut self,
        stored: &Stored,
        scope: &Scope,
        names: &Names<'_>,
    ) -> Result<Option<Vec<Edge>>, ExploreError> {
        let Some((header, part)) = next_block(&mut self.blocks, stored).await else {
            let edges = self.open.close_all();
            return Ok((!edges.is_empty()).then_some(edges));
        };
        let mut begun: Vec<Call> = calls(&part, scope)?;
        begun.retain(|call| call.start_ns >= self.horizon_ns);
        self.horizon_ns = self.horizon_ns.max(header.t1);
        let ready = self.held.partition_point(|call| call.start_ns < self.horizon_ns);
        begun.extend(self.held.drain(..ready));
        begun.sort_unstable_by_key(Call::order);
        let mut edges = Vec::with_capacity(begun.len().saturating_mul(2));
        for call in begun {
            let owner = Owner::new(names.tasks.get(call.task_idx), call.cpu);
            self.open.enter(owner, call, &mut edges);
        }
        Ok(Some(edges))
    }
}

async fn next_block(blocks: &mut VecDeque<BlockHeader>, stored: &Stored) -> Option<(BlockHeader, Part)> {
    let header = blocks.pop_front()?;
    let need = |header: &BlockHeader| stored.blocks(SliceBlock::TABLE, &[header.id()]);
    stored.expect(blocks.front().map(need));
    Some((header, stored.part(need(&header)).await))
}

/// The calls of a block that touch the window.
fn calls(part: &Part, scope: &Scope) -> Result<Vec<Call>, ExploreError> {
    let mut calls = Vec::new();
    for block in read_rows(SliceBlock::TABLE, part, SliceBlock::read)? {
        let columns = block
            .start_ns
            .iter()
            .zip(&block.duration_ns)
            .zip(&block.self_ns)
            .zip(&block.cpu)
            .zip(&block.depth);
        let more = block.task_idx.iter().zip(&block.symbol_idx).zip(&block.id).zip(&block.flags);
        for (columns, more) in columns.zip(more) {
            let ((((start_ns, duration_ns), self_ns), cpu), depth) = columns;
            let (((task_idx, symbol_idx), id), flags) = more;
            if scope.window.touches(*start_ns, *duration_ns) && scope.has_cpu(*cpu) {
                calls.push(Call {
                    start_ns: *start_ns,
                    duration_ns: *duration_ns,
                    self_ns: *self_ns,
                    cpu: *cpu,
                    depth: *depth,
                    flags: SliceFlags(flags.cast_unsigned()),
                    task_idx: *task_idx,
                    symbol_idx: *symbol_idx,
                    id: *id,
                });
            }
        }
    }
    Ok(calls)
}

/// The end of an open call, its depth, stack and number: the earliest comes first, of equal ones the deepest.
type End = Reverse<(i64, Reverse<i16>, Owner, u64)>;

/// What lies open at one time, by stack.
#[derive(Default)]
struct OpenCalls {
    stacks: BTreeMap<Owner, Vec<(u64, Call)>>,
    /// What its stack no longer has is over.
    ends: BinaryHeap<End>,
    entered: u64,
}

impl OpenCalls {
    fn enter(&mut self, owner: Owner, call: Call, edges: &mut Vec<Edge>) {
        while let Some(Reverse((end_ns, ..))) = self.ends.peek()
            && *end_ns < call.start_ns
        {
            self.close_first(edges);
        }
        let stack = self.stacks.entry(owner).or_default();
        while let Some((_, ended)) = stack.pop_if(|(_, open)| open.depth >= call.depth) {
            edges.push(exit(owner, ended));
        }
        self.entered = self.entered.saturating_add(1);
        stack.push((self.entered, call));
        self.ends.push(Reverse((call.end_ns(), Reverse(call.depth), owner, self.entered)));
        edges.push(Edge { t_ns: call.start_ns, is_enter: true, owner, call });
    }

    /// Closes the call that ends first, and whatever still lies open in it.
    fn close_first(&mut self, edges: &mut Vec<Edge>) {
        let Some(Reverse((.., owner, number))) = self.ends.pop() else { return };
        let Some(stack) = self.stacks.get_mut(&owner) else { return };
        if let Some(at) = stack.iter().position(|(other, _)| *other == number) {
            edges.extend(stack.drain(at..).rev().map(|(_, ended)| exit(owner, ended)));
        }
        if stack.is_empty() {
            self.stacks.remove(&owner);
        }
    }

    fn close_all(&mut self) -> Vec<Edge> {
        let mut edges = Vec::new();
        while !self.ends.is_empty() {
            self.close_first(&mut edges);
        }
        edges
    }
}

fn exit(owner: Owner, call: Call) -> Edge {
    Edge { t_ns: call.end_ns(), is_enter: false, owner, call }
}
