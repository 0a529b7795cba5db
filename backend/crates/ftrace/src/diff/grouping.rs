//! Groups the rows of a comparison by their place in the tree.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::contribution::{Contribution, Contributions, Inside};
use super::names::{NameId, Names};
use super::novel::novel;
use super::repeat::{Repeat, Repeats};
use super::row::{Row, Status, at};
use super::run::Run;
use super::sides::Sides;
use super::tree::{Kind, Tree};

/// Callers that are named.
const MOST_CALLERS: usize = 64;

/// What is grouped: calls of one place, that is of callers with the same names.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    callers: u32,
    names: Vec<NameId>,
    status: Status,
    kind: Kind,
    repeat: Repeat,
}

/// `trees` are the two sides as recorded.
pub fn contributions(names: &Names, rows: &[Row], trees: Sides<&Tree>) -> Contributions {
    let repeats = Repeats::of(names, rows);
    let novel = novel(names, rows);
    let mut groups = Groups { callers: callers(rows), index: HashMap::new(), runs: Vec::new() };
    let mut run: Option<Run> = None;
    for ((idx, row), is_novel) in (0_u32..).zip(rows).zip(&novel) {
        match row.status {
            Status::Added | Status::Removed => {
                let parent = row.parent.and_then(|parent| at(rows, parent));
                if parent.is_some_and(|parent| parent.status == row.status) {
                    let inside = is_novel.then_some(Inside { name: row.name, delta_ns: row.delta_ns });
                    run.iter_mut().zip(inside).for_each(|(run, inside)| run.add_inside(inside));
                    continue;
                }
                let repeat = repeats.of_row(row);
                if !run.as_ref().is_some_and(|run| run.goes_on_with(row, repeat)) {
                    groups.add(run.replace(Run::new(row, repeat)));
                }
                run.iter_mut().for_each(|run| run.add(idx, row, row.delta_ns));
            }
            Status::Matched | Status::Elided => {
                groups.add(run.take());
                if row.status == Status::Matched && row.self_delta_ns != 0 {
                    let mut own = Run::new(row, Repeat::New);
                    own.add(idx, row, row.self_delta_ns);
                    groups.add(Some(own));
                }
            }
        }
    }
    groups.add(run);
    groups.ranked(rows, trees)
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
        let (names, status, kind, repeat) = (run.names().collect(), run.status, run.kind, run.repeat);
        let idx = *self.index.entry(Key { callers, names, status, kind, repeat }).or_insert(self.runs.len());
        match self.runs.get_mut(idx) {
            Some(known) => known.join(run),
            None => self.runs.push(run),
        }
    }

    fn ranked(self, rows: &[Row], trees: Sides<&Tree>) -> Contributions {
        let mut contributions = Contributions::default();
        for run in self.runs {
            let list = match run.status {
                Status::Matched if run.delta_ns == 0 => continue,
                Status::Matched => &mut contributions.slower,
                _ => &mut contributions.only_one_side,
            };
            list.push(contribution(run, rows, trees));
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

fn contribution(run: Run, rows: &[Row], trees: Sides<&Tree>) -> Contribution {
    let row = at(rows, run.row);
    Contribution {
        names: run.names().collect(),
        main_names: run.main_names(),
        status: run.status,
        kind: run.kind,
        repeat: run.repeat,
        path: path(rows, run.parent),
        row: run.row,
        delta_ns: run.delta_ns,
        count: run.count,
        passes: run.passes,
        until: row.and_then(|row| until(row, trees)),
        inside: run.main_inside(),
        spreads: row.map(|row| row.spreads).unwrap_or_default(),
        distance_milli_mad: row.and_then(Row::distance_milli_mad),
        hit: run.hit,
    }
}

/// The event that comes next, for one in which nothing else happens.
fn until(row: &Row, trees: Sides<&Tree>) -> Option<NameId> {
    let (place, tree) = row.places.zip(trees).map(|(place, tree)| Some((place?, tree))).either()?;
    let node = tree.node(place.node)?;
    let is_wait = node.kind == Kind::Event && node.end == place.node.saturating_add(1);
    tree.node(node.end).filter(|_| is_wait).map(|next| next.name)
}

fn path(rows: &[Row], nearest: Option<u32>) -> Vec<NameId> {
    let nearest = nearest.and_then(|row| at(rows, row));
    let callers = std::iter::successors(nearest, |row| at(rows, row.parent?));
    let mut path: Vec<NameId> = callers.take(MOST_CALLERS).map(|row| row.name).collect();
    path.reverse();
    path
}
