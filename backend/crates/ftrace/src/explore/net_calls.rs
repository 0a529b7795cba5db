//! The merged tree of calls in net time: that of their own task on a CPU.

use hashbrown::{HashMap, HashSet};

use super::ExploreError;
use super::call_filter::CallFilter;
use super::call_nodes::{Placed, SingleCall, overlap_ns, place, single_calls};
use super::merged_tree::MergedTree;
use super::request::Window;
use super::time_away::{Span, TimeAway};
use crate::store::read::blocks::ABSENT;
use crate::store::read::dictionaries::{Dictionary, Task};

/// The CPU time of a task's own calls.
#[derive(Debug)]
pub struct NetTree {
    pub tree: MergedTree,
    /// What interrupts and other tasks took from the roots that are not interrupts.
    pub taken_ns: i64,
    pub has_entries: bool,
}

/// The tree of single calls without what interrupted them and without time in which their task had no CPU.
///
/// The entry of an interrupt (`interrupt_entries`) is a root, as is any call that belongs to what interrupted its
/// caller. The spread is that of calls that lie in the window as a whole.
pub fn net_tree_of_calls(
    slice_block: &[u8],
    window: Option<Window>,
    filter: &CallFilter,
    cut_to: Option<&HashSet<i32>>,
    tasks: &Dictionary<Task<'_>>,
    interrupt_entries: &HashSet<i32>,
) -> Result<NetTree, ExploreError> {
    let mut calls = single_calls(slice_block, window, filter, tasks)?;
    calls.sort_unstable();
    let entries = calls.iter().filter(|call| interrupt_entries.contains(&call.symbol_idx));
    let away = TimeAway::read(slice_block, entries.map(SingleCall::of_task), window, tasks)?;
    let mut tree = MergedTree::default();
    let (mut taken_ns, mut has_entries) = (0_i64, false);
    let mut placed: HashMap<i32, (Placed, Span)> = HashMap::with_capacity(calls.len());
    for call in &calls {
        let is_entry = interrupt_entries.contains(&call.symbol_idx);
        has_entries |= is_entry;
        let caller = placed.get(&call.parent).filter(|_| call.parent != ABSENT);
        let (task_idx, span) = call.of_task();
        let is_apart = is_entry || caller.is_some_and(|(_, caller)| away.is_apart(task_idx, *caller, span));
        let above = caller.filter(|_| !is_apart).map(|(place, _)| *place).unwrap_or_default();
        let place = place(&mut tree, above, call.symbol_idx, call.is_wanted, cut_to);
        placed.insert(call.id, (place, span));
        let Some(node) = place.node.and_then(|number| tree.node_mut(number)) else { continue };
        let inside_ns = overlap_ns(window, call);
        let away_ns = away.during(task_idx, span).min(inside_ns);
        let net_ns = inside_ns.saturating_sub(away_ns);
        node.count = node.count.saturating_add(1);
        node.total_ns = node.total_ns.saturating_add(net_ns);
        node.self_ns = node.self_ns.saturating_add(net_ns);
        if inside_ns == call.duration_ns {
            node.spread.add(net_ns);
        }
        let caller = node.parent;
        if let Some(caller) = caller.and_then(|caller| tree.node_mut(caller)) {
            caller.self_ns = caller.self_ns.saturating_sub(net_ns);
        }
        if caller.is_none() && !is_apart {
            taken_ns = taken_ns.saturating_add(away_ns);
        }
    }
    // The recorder's clock readings let a call end after its caller.
    tree.nodes_mut().for_each(|node| node.self_ns = node.self_ns.max(0));
    Ok(NetTree { tree, taken_ns, has_entries })
}
