//! Two trees, lifted and aligned.

use std::cmp::Ordering;

use super::align::{Aligned, Shortcut, Side, align};
use super::lift::{Lifted, lift};
use super::limits::Limits;
use super::names::Names;
use super::shape::Shapes;
use super::shape_costs::ShapeCosts;
use super::sides::Sides;
use super::tree::{Node, Tree};

pub struct Compared {
    pub lifted: Sides<Lifted>,
    pub aligned: Vec<Aligned>,
    pub shortcuts: Vec<Shortcut>,
}

/// The sides may trade places while they are aligned, so that a comparison the other way round is the mirror image.
pub fn compare(names: &Names, trees: Sides<&Tree>, limits: &Limits) -> Compared {
    let lifted = trees.map(lift);
    let trees = lifted.as_ref().map(|lifted| &lifted.tree);
    let is_swapped = order_of(names, trees).is_gt();
    let trees = if is_swapped { trees.swapped() } else { trees };
    let mut shapes = Shapes::new(names);
    let shapes_of = trees.map(|tree| shapes.of_tree(tree));
    let node_count = shapes_of.as_ref().into_iter().map(Vec::len).sum();
    let mut costs = ShapeCosts::new(&shapes, limits, node_count);
    let sides = trees.zip(shapes_of.as_ref()).map(|(tree, shapes)| Side { tree, shapes });
    let (mut aligned, mut shortcuts) = align(sides, &mut costs);
    if is_swapped {
        aligned.iter_mut().for_each(|row| row.nodes = row.nodes.swapped());
        shortcuts.iter_mut().for_each(|shortcut| shortcut.lens = shortcut.lens.swapped());
    }
    Compared { lifted, aligned, shortcuts }
}

/// The order of two trees by their contents only.
fn order_of(names: &Names, trees: Sides<&Tree>) -> Ordering {
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
