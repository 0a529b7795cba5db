//! Merged call trees from what is stored: the whole trace's tree, or single calls.

use hashbrown::{HashMap, HashSet};

use super::ExploreError;
use super::call_filter::{CallFilter, read_calls};
use super::merged_tree::MergedTree;
use super::request::Window;
use super::time_away::{Span, clipped_ns};
use crate::store::read::blocks::{ABSENT, CallTreeBlock};
use crate::store::read::dictionaries::{Dictionary, Task};
use crate::store::read::read_rows;

/// Where a call or stored node went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placed {
    /// Its node, unless the request does not want it.
    pub node: Option<usize>,
    /// Whether it is under a root that the tree is cut to.
    is_under_root: bool,
}

/// Puts a call under its caller's node. A caller that is not wanted is as good as none.
pub fn place(
    tree: &mut MergedTree,
    parent: Placed,
    symbol_idx: i32,
    is_wanted: bool,
    cut_to: Option<&HashSet<i32>>,
) -> Placed {
    let is_under_root = parent.is_under_root || cut_to.is_none_or(|roots| roots.contains(&symbol_idx));
    let node = (is_wanted && is_under_root).then(|| tree.child(parent.node, symbol_idx));
    Placed { node, is_under_root }
}

/// The stored tree of the whole trace, merged over the CPUs and tasks that `filter` wants. With
/// `cut_to`, the outermost calls of those functions are the roots.
pub fn stored_tree(
    calltree_block: &[u8],
    filter: &CallFilter,
    cut_to: Option<&HashSet<i32>>,
    tasks: &Dictionary<Task<'_>>,
) -> Result<MergedTree, ExploreError> {
    let mut tree = MergedTree::default();
    let mut placed: Vec<Placed> = Vec::new();
    read_rows(CallTreeBlock::TABLE, calltree_block, |row| {
        let block = CallTreeBlock::read(row)?;
        let names = block.parent.iter().zip(&block.symbol_idx).zip(block.cpu.iter().zip(&block.task_idx));
        let sums = block.calls.iter().zip(&block.total_ns).zip(&block.self_ns);
        let spreads = block.min_ns.iter().zip(&block.p50_ns).zip(&block.max_ns);
        for ((((parent, symbol_idx), (cpu, task_idx)), ((calls, total_ns), self_ns)), spread) in
            names.zip(sums).zip(spreads)
        {
            let above = usize::try_from(*parent).ok().and_then(|parent| placed.get(parent));
            let is_wanted = filter.has_cpu(*cpu) && filter.has_task(tasks.get(*task_idx));
            let place = place(&mut tree, above.copied().unwrap_or_default(), *symbol_idx, is_wanted, cut_to);
            placed.push(place);
            if let Some(node) = place.node.and_then(|number| tree.node_mut(number)) {
                let ((min_ns, p50_ns), max_ns) = spread;
                node.count = node.count.saturating_add(*calls);
                node.total_ns = node.total_ns.saturating_add(*total_ns);
                node.self_ns = node.self_ns.saturating_add(*self_ns);
                node.spread.merge(*min_ns, *p50_ns, *max_ns);
            }
        }
        Ok(())
    })?;
    Ok(tree)
}

/// One call. They are ordered by depth first, because only that puts callers before what they call: an
/// interrupt between reading the clock and writing the record starts before the call that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SingleCall {
    depth: i16,
    start_ns: i64,
    pub id: i32,
    pub parent: i32,
    pub symbol_idx: i32,
    task_idx: i32,
    pub duration_ns: i64,
    self_ns: i64,
    pub is_wanted: bool,
}

/// The tree of single calls, clipped to `window`, with the same choices as the stored one.
pub fn tree_of_calls(
    slice_block: &[u8],
    window: Option<Window>,
    filter: &CallFilter,
    cut_to: Option<&HashSet<i32>>,
    tasks: &Dictionary<Task<'_>>,
) -> Result<MergedTree, ExploreError> {
    let mut calls = single_calls(slice_block, window, filter, tasks)?;
    calls.sort_unstable();
    let mut tree = MergedTree::default();
    let mut placed: HashMap<i32, Placed> = HashMap::with_capacity(calls.len());
    // Time inside the window that calls reaching out of it spend in what they call.
    let mut callee_ns: HashMap<i32, i64> = HashMap::new();
    for call in &calls {
        let above = placed.get(&call.parent).filter(|_| call.parent != ABSENT);
        let place =
            place(&mut tree, above.copied().unwrap_or_default(), call.symbol_idx, call.is_wanted, cut_to);
        placed.insert(call.id, place);
        let inside_ns = overlap_ns(window, call);
        if let Some(callees) = callee_ns.get_mut(&call.parent) {
            *callees = callees.saturating_add(inside_ns);
        }
        let is_cut = inside_ns != call.duration_ns;
        if is_cut {
            callee_ns.insert(call.id, 0);
        }
        if let Some(node) = place.node.and_then(|number| tree.node_mut(number)) {
            node.count = node.count.saturating_add(1);
            node.total_ns = node.total_ns.saturating_add(inside_ns);
            node.self_ns = node.self_ns.saturating_add(if is_cut { inside_ns } else { call.self_ns });
            node.spread.add(call.duration_ns);
        }
    }
    for (id, callees) in callee_ns {
        let number = placed.get(&id).and_then(|place| place.node);
        if let Some(node) = number.and_then(|number| tree.node_mut(number)) {
            node.self_ns = node.self_ns.saturating_sub(callees).max(0);
        }
    }
    Ok(tree)
}

impl SingleCall {
    /// Its task, and from when to when it ran.
    pub fn of_task(&self) -> (i32, Span) {
        let end_ns = self.start_ns.saturating_add(self.duration_ns);
        (self.task_idx, Span { start_ns: self.start_ns, end_ns })
    }
}

/// The calls of a block that touch the window, those that the filter leaves out marked as such: they are callers of
/// others.
pub fn single_calls(
    slice_block: &[u8],
    window: Option<Window>,
    filter: &CallFilter,
    tasks: &Dictionary<Task<'_>>,
) -> Result<Vec<SingleCall>, ExploreError> {
    let mut calls = Vec::new();
    read_calls(slice_block, |block| {
        let times = block.start_ns.iter().zip(&block.duration_ns).zip(&block.self_ns);
        let places = block.depth.iter().zip(&block.id).zip(&block.parent);
        let names = block.symbol_idx.iter().zip(&block.cpu).zip(&block.task_idx);
        for ((((start_ns, duration_ns), self_ns), ((depth, id), parent)), ((symbol_idx, cpu), task_idx)) in
            times.zip(places).zip(names)
        {
            if window.is_some_and(|window| !window.touches(*start_ns, *duration_ns)) {
                continue;
            }
            calls.push(SingleCall {
                depth: *depth,
                start_ns: *start_ns,
                id: *id,
                parent: *parent,
                symbol_idx: *symbol_idx,
                task_idx: *task_idx,
                duration_ns: *duration_ns,
                self_ns: *self_ns,
                is_wanted: filter.has_cpu(*cpu) && filter.has_task(tasks.get(*task_idx)),
            });
        }
    })?;
    Ok(calls)
}

/// How much of a call lies in the window; all of it where there is no window.
pub fn overlap_ns(window: Option<Window>, call: &SingleCall) -> i64 {
    clipped_ns(window, call.start_ns, call.start_ns.saturating_add(call.duration_ns))
}
