//! Rows of a comparison: every call of both sides, with what it adds to the difference.

use super::align::Aligned;
use super::compare::Compared;
use super::lift::Lifted;
use super::names::NameId;
use super::set::Spread;
use super::sides::Sides;
use super::tree::{Kind, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    Matched,
    /// Only in the abnormal tree.
    Added,
    /// Only in the normal tree.
    Removed,
    /// The other side has a `...` there: its time counts for its parent.
    Elided,
}

/// A call of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its node in the tree of its side; of folded calls, the first one's.
    pub node: u32,
    pub start_ns: i64,
    /// Without the interrupts that hit it, except for the root. Of folded calls, the sum.
    pub duration_ns: i64,
    /// Without what it calls.
    pub self_ns: i64,
    /// How many calls were folded into this row.
    pub count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// A row before this one.
    pub parent: Option<u32>,
    pub depth: u32,
    pub name: NameId,
    /// Its name in the normal tree, where it differs by a suffix (at the root: in any way).
    pub other_name: Option<NameId>,
    pub status: Status,
    pub kind: Kind,
    pub places: Sides<Option<Place>>,
    /// Abnormal minus normal, callees included; 0 if elided.
    pub delta_ns: i64,
    /// `delta_ns` without that of the rows below. Those of all rows add up to the difference of the roots.
    pub self_delta_ns: i64,
    /// The largest `self_delta_ns` of it and of all rows below, without its sign.
    pub largest_ns: u64,
    /// Another reading of both sides costs exactly the same.
    pub is_ambiguous: bool,
    /// The function that an interrupt hit, on the abnormal side if it is there.
    pub hit: Option<NameId>,
    /// The call in the instances of each side that is a set.
    pub spreads: Sides<Option<Spread>>,
}

impl Row {
    /// How far the abnormal call, or the median of its set, is from the median of the normal set, in thousandths of
    /// that set's median distance: by itself where both sides make it, else with all that it calls.
    /// None where it is not in the set, or the set has no spread.
    pub fn distance_milli_mad(&self) -> Option<i64> {
        let place = self.places.abnormal?;
        let (own_ns, centers) = match self.status {
            Status::Matched => (place.self_ns, self.spreads.map(|spread| spread?.own)),
            _ => (place.duration_ns, self.spreads.map(|spread| spread?.whole)),
        };
        let usual = centers.normal?;
        let abnormal_ns = centers.abnormal.map_or(own_ns, |center| center.median_ns);
        abnormal_ns.saturating_sub(usual.median_ns).saturating_mul(1_000).checked_div(usual.mad_ns)
    }
}

/// One row for each aligned node.
pub fn rows(compared: &Compared) -> Vec<Row> {
    let of = |aligned: &Aligned| row(aligned, compared.lifted.as_ref());
    let mut rows: Vec<Row> = compared.aligned.iter().filter_map(of).collect();
    settle(&mut rows);
    rows
}

fn row(aligned: &Aligned, lifted: Sides<&Lifted>) -> Option<Row> {
    let sides = lifted.zip(aligned.nodes);
    let nodes = sides.map(|(side, idx)| side.tree.node(idx?));
    let node = nodes.either()?;
    let status = match nodes {
        _ if aligned.is_elided => Status::Elided,
        Sides { abnormal: Some(_), normal: Some(_) } => Status::Matched,
        Sides { abnormal: Some(_), normal: None } => Status::Added,
        _ => Status::Removed,
    };
    let durations_ns = nodes.map(|node| node.map_or(0, |node| node.duration_ns));
    let delta_ns = if aligned.is_elided { 0 } else { durations_ns.delta() };
    Some(Row {
        parent: aligned.parent,
        depth: aligned.depth,
        name: node.name,
        other_name: nodes.normal.map(|node| node.name).filter(|name| *name != node.name),
        status,
        kind: node.kind,
        places: sides.zip(nodes).map(|((side, idx), node)| Some(place(side, idx?, node?))),
        delta_ns,
        self_delta_ns: delta_ns,
        largest_ns: 0,
        is_ambiguous: aligned.is_ambiguous,
        hit: sides.map(|(side, idx)| side.hit(idx?)).either(),
        spreads: Sides::default(),
    })
}

fn place(side: &Lifted, idx: u32, node: &Node) -> Place {
    let node_idx = side.recorded(idx).unwrap_or(idx);
    let (start_ns, duration_ns) = (node.start_ns, node.duration_ns);
    Place { node: node_idx, start_ns, duration_ns, self_ns: side.tree.self_ns(idx), count: 1 }
}

/// Takes each row's delta off its parent's own, and hands the largest upwards. Children come after their parents.
pub fn settle(rows: &mut [Row]) {
    for row in rows.iter_mut() {
        row.self_delta_ns = row.delta_ns;
        row.largest_ns = 0;
    }
    for idx in (0..rows.len()).rev() {
        let Some((before, [row, ..])) = rows.split_at_mut_checked(idx) else { continue };
        row.largest_ns = row.largest_ns.max(row.self_delta_ns.unsigned_abs());
        let parent = row.parent.and_then(|parent| before.get_mut(usize::try_from(parent).ok()?));
        if let Some(parent) = parent {
            parent.self_delta_ns = parent.self_delta_ns.saturating_sub(row.delta_ns);
            parent.largest_ns = parent.largest_ns.max(row.largest_ns);
        }
    }
}

/// The element at the number of a row.
pub fn at<T>(all: &[T], idx: u32) -> Option<&T> {
    all.get(usize::try_from(idx).ok()?)
}
