//! Which calls of two trees are the same: children under matched parents only, in order.

use super::band::Band;
use super::fallback;
use super::sequence::{Sequence, Siblings, Step, StepKind};
use super::shape::ShapeId;
use super::shape_costs::{Exact, Exhausted, ShapeCosts};
use super::sides::Sides;
use super::table;
use super::tree::Tree;

/// A node of both trees or of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    pub nodes: Sides<Option<u32>>,
    /// A row before this one.
    pub parent: Option<u32>,
    pub depth: u32,
    /// The other side has a `...` there.
    pub is_elided: bool,
    pub is_ambiguous: bool,
}

/// Children of a node that were too many, or too deep, to try every alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcut {
    pub row: u32,
    pub lens: Sides<usize>,
}

/// A side as it is aligned.
#[derive(Clone, Copy)]
pub struct Side<'t> {
    pub tree: &'t Tree,
    pub shapes: &'t [ShapeId],
}

impl<'t> Side<'t> {
    fn shape(&self, idx: u32) -> Option<ShapeId> {
        self.shapes.get(usize::try_from(idx).ok()?).copied()
    }

    fn siblings(&self, parent: u32, costs: &ShapeCosts<'_, '_>) -> Siblings {
        let mut siblings = Siblings::default();
        for (idx, node) in self.tree.children(parent) {
            if let Some((id, shape)) =
                self.shape(idx).and_then(|id| costs.shapes.get(id).map(|shape| (id, shape)))
            {
                siblings.push(id, shape, node.duration_ns);
            }
        }
        siblings.end(self.tree.node(parent).is_some_and(|node| node.has_dots_at_end));
        siblings
    }

    fn children(&self, parent: u32) -> impl Iterator<Item = u32> + use<'t> {
        self.tree.children(parent).map(|(idx, _)| idx)
    }
}

/// All nodes of both trees in the order of both. The roots are matched, whatever their names.
pub fn align(sides: Sides<Side<'_>>, costs: &mut ShapeCosts<'_, '_>) -> (Vec<Aligned>, Vec<Shortcut>) {
    let node_counts = sides.map(|side| side.tree.nodes().len());
    let mut rows: Vec<Aligned> = Vec::with_capacity(node_counts.abnormal.max(node_counts.normal));
    let mut shortcuts = Vec::new();
    let nodes = Sides { abnormal: Some(0), normal: Some(0) };
    let root = Aligned { nodes, parent: None, depth: 0, is_elided: false, is_ambiguous: false };
    let mut waiting = vec![root];
    while let Some(next) = waiting.pop() {
        let row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let Some(parents) = next.nodes.both() else {
            push_subtree(sides, next, &mut rows);
            continue;
        };
        rows.push(next);
        let siblings = sides.zip(parents).map(|(side, parent)| side.siblings(parent, costs));
        let of_parents = sides.zip(parents).map(|(side, parent)| side.shape(parent));
        let siblings = siblings.as_ref().map(Siblings::all);
        let steps = steps(of_parents.both(), siblings, costs).unwrap_or_else(|Exhausted| {
            shortcuts.push(Shortcut { row, lens: siblings.map(|siblings| siblings.len()) });
            fallback::steps(siblings, costs)
        });
        let first = waiting.len();
        let children = sides.zip(parents).map(|(side, parent)| side.children(parent));
        push_children(&steps, children, row, next.depth, &mut waiting);
        if let Some(children) = waiting.get_mut(first..) {
            children.reverse();
        }
    }
    (rows, shortcuts)
}

fn steps(
    parents: Option<Sides<ShapeId>>,
    siblings: Sides<Sequence<'_>>,
    costs: &mut ShapeCosts<'_, '_>,
) -> Result<Vec<Step>, Exhausted> {
    let Some(parents) = parents else { return Ok(Vec::new()) };
    let lens = siblings.map(|siblings| siblings.len());
    // Of equal siblings each is matched; so is an only child, whatever is inside.
    let is_only_child = matches!(
        (siblings.abnormal.items, siblings.normal.items),
        ([abnormal], [normal]) if abnormal.is_like(normal)
    );
    if parents.abnormal == parents.normal || is_only_child {
        return Ok(vec![Step { kind: StepKind::Match, is_ambiguous: false }; lens.abnormal]);
    }
    costs.allow_half();
    let unmatched = costs.of(parents)?.nodes();
    let band = Band::within(lens, usize::try_from(unmatched).unwrap_or(usize::MAX));
    costs.take(band.cells())?;
    table::steps(siblings, band, &mut Exact(costs))
}

fn push_children(
    steps: &[Step],
    mut children: Sides<impl Iterator<Item = u32>>,
    parent: u32,
    parent_depth: u32,
    waiting: &mut Vec<Aligned>,
) {
    for step in steps {
        let (abnormal, normal, is_elided) = match step.kind {
            StepKind::Match => (children.abnormal.next(), children.normal.next(), false),
            StepKind::SkipAbnormal { is_covered } => (children.abnormal.next(), None, is_covered),
            StepKind::SkipNormal { is_covered } => (None, children.normal.next(), is_covered),
        };
        waiting.push(Aligned {
            nodes: Sides { abnormal, normal },
            parent: Some(parent),
            depth: parent_depth.saturating_add(1),
            is_elided,
            is_ambiguous: step.is_ambiguous,
        });
    }
}

/// A subtree that one side only has, in order.
fn push_subtree(sides: Sides<Side<'_>>, as_root: Aligned, rows: &mut Vec<Aligned>) {
    let Some((tree, root)) = sides.zip(as_root.nodes).map(|(side, root)| Some((side.tree, root?))).either()
    else {
        return;
    };
    // What is open around a node: one past its last node, and its row.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let end = tree.node(root).map_or(root, |node| node.end);
    for idx in root..end {
        while open.pop_if(|(end, _)| *end <= idx).is_some() {}
        let mut row = Aligned { nodes: as_root.nodes.map(|node| node.map(|_| idx)), ..as_root };
        if let Some((_, parent)) = open.last() {
            let below = u32::try_from(open.len()).unwrap_or(u32::MAX);
            row.parent = Some(*parent);
            row.depth = as_root.depth.saturating_add(below);
            row.is_ambiguous = false;
        }
        open.push((
            tree.node(idx).map_or(end, |node| node.end),
            u32::try_from(rows.len()).unwrap_or(u32::MAX),
        ));
        rows.push(row);
    }
}
