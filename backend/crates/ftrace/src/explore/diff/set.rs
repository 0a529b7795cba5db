//! What is normal for every place of a comparison, from many normal trees.

use hashbrown::HashMap;

use super::instances::Spread;
use crate::diff::{Diff, Limits, Names, Status, Tree, diff};

/// Nodes of all trees that are aligned for one answer.
const MAX_ALIGNED_NODES: usize = 2_000_000;

/// How often a row is among the normal ones, and how long it takes there.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowStats {
    pub seen: usize,
    pub spread: Option<Spread>,
}

impl RowStats {
    /// How many times the usual distance it is from the median; `None` where there is no usual one.
    pub fn distance_mad(&self, duration_ns: i64) -> Option<f64> {
        let Spread { median_ns, mad_ns, .. } = self.spread?;
        let tenths =
            i128::from(duration_ns.abs_diff(median_ns)).saturating_mul(10).checked_div(i128::from(mad_ns))?;
        Some(f64::from(i32::try_from(tenths).unwrap_or(i32::MAX)) / 10.0)
    }
}

/// By row of the comparison with the median one.
#[derive(Clone, Debug, Default)]
pub struct SetStats {
    rows: Vec<RowStats>,
    /// How many were aligned.
    pub used: usize,
}

impl SetStats {
    pub fn of_row(&self, row: u32) -> RowStats {
        usize::try_from(row).ok().and_then(|row| self.rows.get(row)).copied().unwrap_or_default()
    }
}

/// Durations of each node of one tree in those that it was compared with.
#[derive(Default)]
struct Counterparts {
    durations_ns: HashMap<u32, Vec<i64>>,
}

impl Counterparts {
    /// `of` is the abnormal side of `diff`.
    fn add(&mut self, diff: &Diff) {
        for row in diff.rows.iter().filter(|row| row.status == Status::Matched) {
            if let Some((a, b)) = row.a.zip(row.b) {
                self.durations_ns.entry(a.node).or_default().push(b.duration_ns);
            }
        }
    }

    fn of_node(&self, node: u32) -> RowStats {
        let durations = self.durations_ns.get(&node).map(Vec::as_slice).unwrap_or_default();
        RowStats { seen: durations.len(), spread: Spread::of(durations.iter().copied()) }
    }
}

/// How many of `members` trees of this size can be aligned.
pub fn affordable(members: usize, nodes: usize) -> usize {
    // Each is aligned with the abnormal and with the median one.
    let each = nodes.saturating_mul(4).max(1);
    members.min(MAX_ALIGNED_NODES.div_euclid(each).max(1))
}

/// Statistics for the rows of `compared`, which is `abnormal` with `median`.
pub fn set_stats(
    names: &Names,
    compared: &Diff,
    (abnormal, median): (&Tree, &Tree),
    members: &[Tree],
) -> SetStats {
    // Folded rows would hide which call is which.
    let limits = Limits { fold_from: 0, ..Limits::default() };
    let is_removed = compared.rows.iter().any(|row| row.status == Status::Removed);
    let (mut of_abnormal, mut of_median) = (Counterparts::default(), Counterparts::default());
    for member in members {
        of_abnormal.add(&diff(names, abnormal, member, &limits));
        if is_removed {
            of_median.add(&diff(names, median, member, &limits));
        }
    }
    let stats = compared.rows.iter().map(|row| match (row.a, row.b) {
        (Some(a), _) => of_abnormal.of_node(a.node),
        (None, Some(b)) => of_median.of_node(b.node),
        (None, None) => RowStats::default(),
    });
    SetStats { rows: stats.collect(), used: members.len() }
}
