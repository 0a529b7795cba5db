//! Which of two trees comes first, whatever side it is on.

use std::cmp::Ordering;

use super::names::Names;
use super::sides::Sides;
use super::tree::{Node, Tree};

/// The order of two trees by their contents only.
pub fn compare(names: &Names, trees: Sides<&Tree>) -> Ordering {
    let Sides { abnormal, normal } = trees.map(Tree::nodes);
    let times = |node: &Node| (node.duration_ns, node.start_ns);
    let rest = |node: &Node| (node.end, node.kind, node.has_dots_before, node.has_dots_at_end);
    let text = |node: &Node| names.text(node.name);
    let by_nodes = abnormal.iter().zip(normal).map(|(one, other)| {
        times(one)
            .cmp(&times(other))
            .then_with(|| rest(one).cmp(&rest(other)))
            .then_with(|| text(one).cmp(text(other)))
    });
    abnormal
        .len()
        .cmp(&normal.len())
        .then_with(|| by_nodes.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
}
