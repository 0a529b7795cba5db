//! Compares an abnormal call with a normal one: aligns the two trees of calls and gives every nanosecond of their
//! difference a place.
//!
//! A pure function of two trees. `docs/diff.md` says how it works and where it can mislead.

mod align;
mod amounts;
mod anchors;
mod band;
mod builder;
mod compare;
mod contribution;
mod cost;
mod event_summary;
mod fallback;
mod fold;
mod grouping;
#[cfg(test)]
mod large;
mod lift;
mod limits;
mod names;
mod note;
mod novel;
mod phrase;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod properties;
mod repeat;
mod row;
mod run;
mod sequence;
mod set;
mod shape;
mod shape_costs;
mod sides;
mod summary;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tree;
#[cfg(test)]
mod worked;

pub use amounts::{amount, print as amounts};
pub use builder::{TreeBuilder, TreeError};
pub use contribution::{Contribution, Contributions, Inside};
pub use limits::Limits;
pub use names::{NameId, Names};
pub use phrase::{instances, shown_of};
pub use repeat::Repeat;
pub use row::{Place, Row, Status};
pub use set::{Center, InstanceSet, Spread, evenly};
pub use sides::Sides;
pub use tree::{Kind, Node, Tree};

/// Everything that differs. Deltas are abnormal minus normal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    pub delta_ns: i64,
    /// Both trees in one, in preorder; interrupts are the root's last children.
    pub rows: Vec<Row>,
    pub contributions: Contributions,
    /// One sentence. Its numbers add up to the difference.
    pub summary: String,
    /// Reservations about the comparison, in sentences.
    pub notes: Vec<String>,
}

/// Compares two trees whose names are in `names`.
pub fn diff(names: &Names, trees: Sides<&Tree>, limits: &Limits) -> Diff {
    diff_among(names, trees, Sides::default(), limits)
}

/// Compares the two and says of each call how common it is in the instances of each side.
pub fn diff_among(
    names: &Names,
    trees: Sides<&Tree>,
    sets: Sides<Option<&InstanceSet>>,
    limits: &Limits,
) -> Diff {
    let compared = compare::compare(names, trees, limits);
    let mut rows = row::rows(&compared);
    rows.iter_mut().for_each(|row| row.spreads = set::spreads(sets, row.places));
    let notes = note::notes(names, &rows, &compared.shortcuts);
    let mut contributions = grouping::contributions(names, &rows, trees);
    let delta_ns = trees.map(Tree::duration_ns).delta();
    let summary = summary::summary(names, delta_ns, &rows, &contributions);
    let (rows, row_now) = fold::fold(&rows, limits.fold_from);
    contributions.move_rows(&row_now);
    Diff { delta_ns, rows, contributions, summary, notes }
}
