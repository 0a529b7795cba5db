//! Call trees upside down: functions at the top, their callers under them.

use std::cmp::Reverse;

use hashbrown::HashSet;

use super::merged_tree::{MergedTree, Node};

/// Steps from a node to a caller. The lightest nodes of a tree that needs more are left out: a tree of
/// a million nodes, each under hundreds of callers, is not made by any real workload.
const MAX_STEPS: usize = 20_000_000;

/// Every function with its own time, over the chains of its callers; with `roots`, only those
/// functions, with their total time (of outermost calls, so that recursion counts once).
///
/// A node's `total_ns` is the time that came through its chain, `self_ns` the part of it whose chain
/// ends there. Durations of single calls say nothing of a caller and are left out.
pub fn callers(tree: &MergedTree, roots: Option<&HashSet<i32>>) -> MergedTree {
    let nodes = tree.nodes();
    let mut starts: Vec<(&Node, i64)> = match roots {
        None => nodes.iter().map(|node| (node, node.self_ns)).collect(),
        Some(roots) => outermost(nodes, roots).map(|node| (node, node.total_ns)).collect(),
    };
    starts.sort_by_key(|(_, weight_ns)| Reverse(*weight_ns));
    let mut inverted = MergedTree::default();
    let mut steps = 0_usize;
    for (start, weight_ns) in starts {
        let mut below = None;
        let mut next = Some(start);
        while let Some(node) = next {
            let number = inverted.child(below, node.symbol_idx);
            next = node.parent.and_then(|parent| nodes.get(parent));
            if let Some(added) = inverted.node_mut(number) {
                added.count = added.count.saturating_add(start.count);
                added.total_ns = added.total_ns.saturating_add(weight_ns);
                added.self_ns = added.self_ns.saturating_add(if next.is_none() { weight_ns } else { 0 });
            }
            below = Some(number);
            steps = steps.saturating_add(1);
        }
        if steps > MAX_STEPS {
            break;
        }
    }
    inverted
}

/// Nodes of `roots` that have none of them above.
fn outermost<'t>(nodes: &'t [Node], roots: &HashSet<i32>) -> impl Iterator<Item = &'t Node> {
    let mut is_within = Vec::with_capacity(nodes.len());
    let mut found = Vec::new();
    for node in nodes {
        let above = node.parent.and_then(|parent| is_within.get(parent)).copied().unwrap_or(false);
        let is_root = roots.contains(&node.symbol_idx);
        if is_root && !above {
            found.push(node);
        }
        is_within.push(above || is_root);
    }
    found.into_iter()
}
