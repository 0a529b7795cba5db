//! The instances of a side, aligned with the two that are compared.

use super::answer::SetOfSide;
use super::block_budget::by_halves;
use super::instances::Spread;
use crate::diff::{InstanceSet, Limits, Names, Sides, Tree};
use crate::explore::ExploreError;
use crate::model::grouped;

/// Nodes that are aligned for all sets of a comparison: about a second's worth, and at most 32 MB of durations.
pub const MOST_CALLS: usize = 4_000_000;
/// Events have few names and hardly any depth, so that each costs more.
pub const MOST_EVENTS: usize = 600_000;

/// The part of the nodes that each set may have, where one of the two sides is one, or both are.
pub fn most_of_each(most_nodes: usize, spreads: Sides<Option<Spread>>) -> usize {
    most_nodes.checked_div(spreads.into_iter().flatten().count()).unwrap_or(most_nodes)
}

/// Trees of the members, evenly over them and the same each time, as long as they can be aligned with the two that
/// are compared within `most_nodes`; at least one.
pub fn member_trees<M>(
    members: &[M],
    compared: Sides<&Tree>,
    most_nodes: usize,
    mut tree: impl FnMut(&M) -> Result<Tree, ExploreError>,
) -> Result<Vec<Tree>, ExploreError> {
    let node_count = |tree: &Tree| tree.nodes().len();
    let both_sides: usize = compared.into_iter().map(node_count).sum();
    let mut trees: Vec<Tree> = Vec::new();
    let mut aligned = 0_usize;
    for member in by_halves((0..members.len()).collect()).into_iter().filter_map(|at| members.get(at)) {
        let tree = tree(member)?;
        aligned = aligned.saturating_add(both_sides).saturating_add(node_count(&tree).saturating_mul(2));
        if aligned > most_nodes && !trees.is_empty() {
            break;
        }
        trees.push(tree);
    }
    Ok(trees)
}

/// `None` of a side that is no set.
pub fn set_of(names: &Names, compared: Sides<&Tree>, members: &[Tree]) -> Option<InstanceSet> {
    let mut set = InstanceSet::new(compared);
    members.iter().for_each(|member| set.add(names, compared, member, &Limits::default()));
    (!members.is_empty()).then_some(set)
}

/// Reservations about the sets, in sentences.
pub fn set_notes(sets: Sides<Option<&SetOfSide>>) -> impl Iterator<Item = String> {
    let group = sets.abnormal.map(|set| {
        let count = grouped(set.spread.count);
        format!("Of {count} abnormal instances, the one of median duration is compared.")
    });
    let parts = sets.zip(Sides { abnormal: "abnormal", normal: "normal" }).map(|(set, which)| {
        let SetOfSide { spread, used } = set.filter(|set| set.used < set.spread.count)?;
        Some(format!(
            "Only {} of the {} {which} instances, sampled evenly over the recording, are aligned and counted: \
             aligning all would take too long.",
            grouped(*used),
            grouped(spread.count)
        ))
    });
    [group].into_iter().chain(parts).flatten()
}
