//! Which calls of two trees are the same: children under matched parents only, in order.

use super::band::Band;
use super::fallback;
use super::sequence::{Siblings, Step, StepKind};
use super::shape::ShapeId;
use super::shape_costs::{Exact, Exhausted, ShapeCosts};
use super::table;
use super::tree::Tree;

/// A node of both trees or of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    pub x: Option<u32>,
    pub y: Option<u32>,
    /// A row before this one.
    pub parent: Option<u32>,
    pub depth: u32,
    /// A `...` of the other side stands for it.
    pub is_elided: bool,
    pub is_ambiguous: bool,
}

/// Children of a node that were too many, or too deep, to look at every reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcut {
    pub row: u32,
    pub len_a: usize,
    pub len_b: usize,
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
pub fn align(x: Side<'_>, y: Side<'_>, costs: &mut ShapeCosts<'_, '_>) -> (Vec<Aligned>, Vec<Shortcut>) {
    let mut rows: Vec<Aligned> = Vec::with_capacity(x.tree.nodes().len().max(y.tree.nodes().len()));
    let mut shortcuts = Vec::new();
    let root =
        Aligned { x: Some(0), y: Some(0), parent: None, depth: 0, is_elided: false, is_ambiguous: false };
    let mut waiting = vec![root];
    while let Some(next) = waiting.pop() {
        let row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        match (next.x, next.y) {
            (Some(at_x), Some(at_y)) => {
                rows.push(next);
                let (of_x, of_y) = (x.siblings(at_x, costs), y.siblings(at_y, costs));
                let parents = (x.shape(at_x), y.shape(at_y));
                let steps = steps(parents, &of_x, &of_y, costs).unwrap_or_else(|Exhausted| {
                    shortcuts.push(Shortcut { row, len_a: of_x.all().len(), len_b: of_y.all().len() });
                    fallback::steps(of_x.all(), of_y.all(), costs)
                });
                let first = waiting.len();
                push_children(&steps, x.children(at_x), y.children(at_y), row, next.depth, &mut waiting);
                if let Some(children) = waiting.get_mut(first..) {
                    children.reverse();
                }
            }
            (Some(at_x), None) => push_subtree(x.tree, at_x, next, |row, idx| row.x = Some(idx), &mut rows),
            (None, Some(at_y)) => push_subtree(y.tree, at_y, next, |row, idx| row.y = Some(idx), &mut rows),
            (None, None) => (),
        }
    }
    (rows, shortcuts)
}

fn steps(
    parents: (Option<ShapeId>, Option<ShapeId>),
    of_x: &Siblings,
    of_y: &Siblings,
    costs: &mut ShapeCosts<'_, '_>,
) -> Result<Vec<Step>, Exhausted> {
    let (x, y) = (of_x.all(), of_y.all());
    let (Some(shape_x), Some(shape_y)) = parents else { return Ok(Vec::new()) };
    // Of equal siblings each is matched; so is an only child, whatever is inside.
    let is_only_child = matches!((x.items, y.items), ([of_x], [of_y]) if of_x.is_like(of_y));
    if shape_x == shape_y || is_only_child {
        return Ok(vec![Step { kind: StepKind::Match, is_ambiguous: false }; x.len()]);
    }
    costs.allow_half();
    let unmatched = costs.of(shape_x, shape_y)?.nodes();
    let band = Band::within(x.len(), y.len(), usize::try_from(unmatched).unwrap_or(usize::MAX));
    costs.take(band.cells())?;
    table::steps(x, y, band, &mut Exact(costs))
}

fn push_children(
    steps: &[Step],
    mut x: impl Iterator<Item = u32>,
    mut y: impl Iterator<Item = u32>,
    parent: u32,
    parent_depth: u32,
    waiting: &mut Vec<Aligned>,
) {
    for step in steps {
        let (x, y, is_elided) = match step.kind {
            StepKind::Match => (x.next(), y.next(), false),
            StepKind::SkipX { is_covered } => (x.next(), None, is_covered),
            StepKind::SkipY { is_covered } => (None, y.next(), is_covered),
        };
        let depth = parent_depth.saturating_add(1);
        waiting.push(Aligned {
            x,
            y,
            parent: Some(parent),
            depth,
            is_elided,
            is_ambiguous: step.is_ambiguous,
        });
    }
}

/// A subtree of one side, in order.
fn push_subtree(
    tree: &Tree,
    root: u32,
    as_root: Aligned,
    set: impl Fn(&mut Aligned, u32),
    rows: &mut Vec<Aligned>,
) {
    // What is open around a node: one past its last node, and its row.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let end = tree.node(root).map_or(root, |node| node.end);
    for idx in root..end {
        while open.pop_if(|(end, _)| *end <= idx).is_some() {}
        let mut row = as_root;
        if let Some((_, parent)) = open.last() {
            let below = u32::try_from(open.len()).unwrap_or(u32::MAX);
            row = Aligned { parent: Some(*parent), depth: as_root.depth.saturating_add(below), ..as_root };
            row.is_ambiguous = false;
        }
        set(&mut row, idx);
        open.push((
            tree.node(idx).map_or(end, |node| node.end),
            u32::try_from(rows.len()).unwrap_or(u32::MAX),
        ));
        rows.push(row);
    }
}
