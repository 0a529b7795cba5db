//! Two trees, lifted and aligned.

use super::align::{Aligned, Shortcut, Side, align};
use super::lift::{Lifted, lift};
use super::limits::Limits;
use super::names::Names;
use super::order;
use super::shape::Shapes;
use super::shape_costs::ShapeCosts;
use super::sides::Sides;
use super::tree::Tree;

pub struct Compared {
    pub lifted: Sides<Lifted>,
    pub aligned: Vec<Aligned>,
    pub shortcuts: Vec<Shortcut>,
}

/// The sides may trade places while they are aligned, so that a comparison the other way round is the mirror image.
pub fn compare(names: &Names, trees: Sides<&Tree>, limits: &Limits) -> Compared {
    let lifted = trees.map(lift);
    let trees = lifted.as_ref().map(|lifted| &lifted.tree);
    let is_swapped = order::compare(names, trees).is_gt();
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
