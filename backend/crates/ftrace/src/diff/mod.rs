//! Says what an abnormal call has that a normal one has not: two trees of calls, in order, aligned with each
//! other, and every nanosecond of their difference given to a place.
//!
//! A pure function of two trees. How it works, and where it can mislead, is told in `docs/diff.md`.

mod align;
mod anchors;
mod band;
mod builder;
mod contribution;
mod cost;
mod fallback;
mod lift;
mod limits;
mod names;
mod order;
mod row;
mod sequence;
mod shape;
mod shape_costs;
mod summary;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tree;

pub use builder::{TreeBuilder, TreeError};
pub use contribution::{Contribution, Contributions};
pub use limits::Limits;
pub use names::{NameId, Names};
pub use row::{Place, Row, Status};
pub use tree::{Kind, Node, Tree};

use align::Side;
use shape::Shapes;
use shape_costs::ShapeCosts;

/// Everything that differs. Deltas are abnormal minus normal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    pub a_ns: i64,
    pub b_ns: i64,
    pub delta_ns: i64,
    /// Both trees in one, in preorder; interrupts stand at the end of the root's children.
    pub rows: Vec<Row>,
    pub contributions: Contributions,
    /// One sentence. Its numbers add up to the difference.
    pub summary: String,
    /// What is to be known about how it was compared, in sentences.
    pub notes: Vec<String>,
}

/// Compares two trees whose names are in `names`.
pub fn diff(names: &Names, abnormal: &Tree, normal: &Tree, limits: &Limits) -> Diff {
    let (a, b) = (lift::lift(abnormal), lift::lift(normal));
    // Aligned in an order of their own, so that a comparison the other way round is its mirror image.
    let is_swapped = order::compare(names, &a.tree, &b.tree).is_gt();
    let (x, y) = if is_swapped { (&b, &a) } else { (&a, &b) };
    let mut shapes = Shapes::new(names);
    let (shapes_x, shapes_y) = (shapes.of_tree(&x.tree), shapes.of_tree(&y.tree));
    let mut costs = ShapeCosts::new(&shapes, limits, shapes_x.len().saturating_add(shapes_y.len()));
    let side_x = Side { tree: &x.tree, shapes: &shapes_x };
    let side_y = Side { tree: &y.tree, shapes: &shapes_y };
    let (mut aligned, _shortcuts) = align::align(side_x, side_y, &mut costs);
    if is_swapped {
        aligned.iter_mut().for_each(|row| std::mem::swap(&mut row.x, &mut row.y));
    }
    let rows = row::rows(&aligned, &a, &b);
    let contributions = contribution::contributions(&rows);
    let (a_ns, b_ns) = (abnormal.duration_ns(), normal.duration_ns());
    let delta_ns = a_ns.saturating_sub(b_ns);
    let summary = summary::summary(names, delta_ns, &rows, &contributions);
    Diff { a_ns, b_ns, delta_ns, rows, contributions, summary, notes: Vec::new() }
}
