//! What the difference is made of, grouped where it stands.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::names::NameId;
use super::row::{Row, Status, at};
use super::set::Spread;
use super::tree::Kind;

/// Calls at one place of the tree that add to the difference together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// In order, each once, at most 16.
    pub names: Vec<NameId>,
    /// `Matched`, `Added` or `Removed`.
    pub status: Status,
    pub kind: Kind,
    /// Of the callers, the root first; at most 64, the nearest ones.
    pub path: Vec<NameId>,
    /// The row that adds most.
    pub row: u32,
    pub delta_ns: i64,
    /// Calls of the contribution; of what one side only makes, without what these call in turn.
    pub count: u32,
    /// Of `row`, before it was folded.
    pub normal_set: Option<Spread>,
    pub distance_milli_mad: Option<i64>,
}

/// Callers that are named.
const MOST_CALLERS: usize = 64;
/// Neighbours that are named.
const MOST_NAMES: usize = 16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contributions {
    /// Calls that only one side makes, with all that they call; the largest first.
    pub only_one_side: Vec<Contribution>,
    /// What matched calls take more or less by themselves; the largest first. With the others, all of the difference.
    pub slower: Vec<Contribution>,
}

impl Contributions {
    pub fn all(&self) -> impl Iterator<Item = &Contribution> {
        self.only_one_side.iter().chain(&self.slower)
    }

    /// After rows were folded.
    pub(super) fn move_rows(&mut self, row_now: &[u32]) {
        for one in self.only_one_side.iter_mut().chain(&mut self.slower) {
            one.row = at(row_now, one.row).copied().unwrap_or(one.row);
        }
    }
}

/// What is grouped: calls of one place, that is of callers with the same names.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    callers: u32,
    names: Vec<NameId>,
    status: Status,
    kind: Kind,
}

/// Neighbours that one side only makes, or one matched call.
struct Run {
    parent: Option<u32>,
    status: Status,
    kind: Kind,
    names: Vec<NameId>,
    delta_ns: i64,
    count: u32,
    row: u32,
    largest_ns: u64,
}

impl Run {
    fn new(row: &Row) -> Self {
        let (parent, status, kind) = (row.parent, row.status, row.kind);
        Self { parent, status, kind, names: Vec::new(), delta_ns: 0, count: 0, row: 0, largest_ns: 0 }
    }

    fn is_of(&self, row: &Row) -> bool {
        (self.parent, self.status, self.kind) == (row.parent, row.status, row.kind)
    }

    fn add(&mut self, idx: u32, name: NameId, delta_ns: i64) {
        if self.names.len() < MOST_NAMES && !self.names.contains(&name) {
            self.names.push(name);
        }
        if self.count == 0 || delta_ns.unsigned_abs() > self.largest_ns {
            (self.row, self.largest_ns) = (idx, delta_ns.unsigned_abs());
        }
        self.delta_ns = self.delta_ns.saturating_add(delta_ns);
        self.count = self.count.saturating_add(1);
    }
}

pub fn contributions(rows: &[Row]) -> Contributions {
    let mut groups = Groups { callers: callers(rows), index: HashMap::new(), runs: Vec::new() };
    let mut run: Option<Run> = None;
    for (idx, row) in (0_u32..).zip(rows) {
        match row.status {
            Status::Added | Status::Removed => {
                let is_inside = row
                    .parent
                    .and_then(|parent| at(rows, parent))
                    .is_some_and(|parent| parent.status == row.status);
                if is_inside {
                    continue;
                }
                if !run.as_ref().is_some_and(|run| run.is_of(row)) {
                    groups.add(run.replace(Run::new(row)));
                }
                if let Some(run) = &mut run {
                    run.add(idx, row.name, row.delta_ns);
                }
            }
            Status::Matched | Status::Elided => {
                groups.add(run.take());
                if row.status == Status::Matched && row.self_delta_ns != 0 {
                    let mut own = Run::new(row);
                    own.add(idx, row.name, row.self_delta_ns);
                    groups.add(Some(own));
                }
            }
        }
    }
    groups.add(run);
    groups.ranked(rows)
}

/// Of each row, a number for the names of its callers: equal where all of them are.
fn callers(rows: &[Row]) -> Vec<u32> {
    let mut index: HashMap<(u32, NameId), u32> = HashMap::new();
    let mut with_itself: Vec<u32> = Vec::with_capacity(rows.len());
    let mut callers = Vec::with_capacity(rows.len());
    for row in rows {
        let parent = row.parent.and_then(|parent| at(&with_itself, parent)).copied().unwrap_or(0);
        let next = u32::try_from(index.len()).unwrap_or(u32::MAX).saturating_add(1);
        with_itself.push(*index.entry((parent, row.name)).or_insert(next));
        callers.push(parent);
    }
    callers
}

struct Groups {
    callers: Vec<u32>,
    index: HashMap<Key, usize>,
    runs: Vec<Run>,
}

impl Groups {
    fn add(&mut self, run: Option<Run>) {
        let Some(run) = run else { return };
        let callers = at(&self.callers, run.row).copied().unwrap_or(0);
        let key = Key { callers, names: run.names.clone(), status: run.status, kind: run.kind };
        let idx = *self.index.entry(key).or_insert(self.runs.len());
        match self.runs.get_mut(idx) {
            Some(known) => {
                known.delta_ns = known.delta_ns.saturating_add(run.delta_ns);
                known.count = known.count.saturating_add(run.count);
                if run.largest_ns > known.largest_ns {
                    (known.row, known.largest_ns) = (run.row, run.largest_ns);
                }
            }
            None => self.runs.push(run),
        }
    }

    fn ranked(self, rows: &[Row]) -> Contributions {
        let mut contributions = Contributions::default();
        for run in self.runs {
            let list = match run.status {
                Status::Matched if run.delta_ns == 0 => continue,
                Status::Matched => &mut contributions.slower,
                _ => &mut contributions.only_one_side,
            };
            let row = at(rows, run.row);
            list.push(Contribution {
                normal_set: row.and_then(|row| row.normal_set),
                distance_milli_mad: row.and_then(Row::distance_milli_mad),
                path: path(rows, run.parent),
                names: run.names,
                status: run.status,
                kind: run.kind,
                row: run.row,
                delta_ns: run.delta_ns,
                count: run.count,
            });
        }
        let rank = |one: &Contribution| {
            let distance = one.distance_milli_mad.map(i64::unsigned_abs);
            (Reverse(one.delta_ns.unsigned_abs()), Reverse(distance), one.row)
        };
        contributions.only_one_side.sort_by_key(rank);
        contributions.slower.sort_by_key(rank);
        contributions
    }
}

fn path(rows: &[Row], nearest: Option<u32>) -> Vec<NameId> {
    let nearest = nearest.and_then(|row| at(rows, row));
    let callers = std::iter::successors(nearest, |row| at(rows, row.parent?));
    let mut path: Vec<NameId> = callers.take(MOST_CALLERS).map(|row| row.name).collect();
    path.reverse();
    path
}
