//! Which of two trees comes first, whatever side it is on.

use std::cmp::Ordering;

use super::names::Names;
use super::tree::{Node, Tree};

pub fn compare(names: &Names, a: &Tree, b: &Tree) -> Ordering {
    let (of_a, of_b) = (a.nodes(), b.nodes());
    let times = |node: &Node| (node.duration_ns, node.start_ns);
    let rest = |node: &Node| (node.end, node.kind, node.has_dots_before, node.has_dots_at_end);
    let differing = of_a.iter().zip(of_b).map(|(a, b)| {
        let text = |node: &Node| names.text(node.name);
        times(a).cmp(&times(b)).then_with(|| rest(a).cmp(&rest(b))).then_with(|| text(a).cmp(text(b)))
    });
    let by_nodes = differing.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
    of_a.len().cmp(&of_b.len()).then(by_nodes)
}
