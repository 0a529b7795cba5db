//! Neighbours that one side only makes, or one matched call, while they are summed.

use std::cmp::Reverse;

use super::contribution::Inside;
use super::names::NameId;
use super::repeat::Repeat;
use super::row::{Row, Status};
use super::tree::Kind;

/// Neighbours that are named.
const MOST_NAMES: usize = 16;
/// Of these, those that are named first, and how much of all they have to make to be enough.
const MOST_MAIN_NAMES: usize = 3;
const ENOUGH_PCT: u64 = 90;
/// Functions that an interrupt hit.
const MOST_HIT: usize = 8;

pub struct Run {
    pub parent: Option<u32>,
    pub status: Status,
    pub kind: Kind,
    pub repeat: Repeat,
    /// In order, with what each adds.
    parts: Vec<(NameId, i64)>,
    pub delta_ns: i64,
    pub count: u32,
    pub passes: u32,
    /// The row that adds most.
    pub row: u32,
    largest_ns: u64,
    pub hit: Vec<NameId>,
    inside: Vec<Inside>,
}

impl Run {
    /// A run that contains nothing yet, of neighbours like `row`.
    pub fn new(row: &Row, repeat: Repeat) -> Self {
        Self {
            parent: row.parent,
            status: row.status,
            kind: row.kind,
            repeat,
            parts: Vec::new(),
            delta_ns: 0,
            count: 0,
            passes: 1,
            row: 0,
            largest_ns: 0,
            hit: Vec::new(),
            inside: Vec::new(),
        }
    }

    /// True where the row is a neighbour that belongs to it. Only calls share a run with other names.
    pub fn goes_on_with(&self, row: &Row, repeat: Repeat) -> bool {
        let is_alike =
            (self.parent, self.status, self.kind, self.repeat) == (row.parent, row.status, row.kind, repeat);
        is_alike && (row.kind == Kind::Call || self.names().eq([row.name]))
    }

    /// Adds its own row, or that of the neighbour that continues it.
    pub fn add(&mut self, idx: u32, row: &Row, delta_ns: i64) {
        let has_room = self.parts.len() < MOST_NAMES;
        match self.parts.iter_mut().find(|(name, _)| *name == row.name) {
            Some((_, sum_ns)) => *sum_ns = sum_ns.saturating_add(delta_ns),
            None if has_room => self.parts.push((row.name, delta_ns)),
            None => (),
        }
        if self.count == 0 || delta_ns.unsigned_abs() > self.largest_ns {
            (self.row, self.largest_ns) = (idx, delta_ns.unsigned_abs());
        }
        self.delta_ns = self.delta_ns.saturating_add(delta_ns);
        self.count = self.count.saturating_add(1);
        self.add_hit(row.hit);
    }

    fn add_hit(&mut self, hit: impl IntoIterator<Item = NameId>) {
        for name in hit {
            if self.hit.len() < MOST_HIT && !self.hit.contains(&name) {
                self.hit.push(name);
            }
        }
    }

    /// Adds what a call inside of it takes, by the name of that call.
    pub fn add_inside(&mut self, found: Inside) {
        let has_room = self.inside.len() < MOST_NAMES;
        match self.inside.iter_mut().find(|known| known.name == found.name) {
            Some(known) => known.delta_ns = known.delta_ns.saturating_add(found.delta_ns),
            None if has_room => self.inside.push(found),
            None => (),
        }
    }

    /// Adds a run of the same names at the same place.
    pub fn join(&mut self, other: Self) {
        self.delta_ns = self.delta_ns.saturating_add(other.delta_ns);
        self.count = self.count.saturating_add(other.count);
        self.passes = self.passes.saturating_add(other.passes);
        if other.largest_ns > self.largest_ns {
            (self.row, self.largest_ns) = (other.row, other.largest_ns);
        }
        for ((_, sum_ns), (_, delta_ns)) in self.parts.iter_mut().zip(&other.parts) {
            *sum_ns = sum_ns.saturating_add(*delta_ns);
        }
        self.add_hit(other.hit);
        other.inside.into_iter().for_each(|found| self.add_inside(found));
    }

    /// The names of the neighbours, in the order of the recording.
    pub fn names(&self) -> impl Iterator<Item = NameId> {
        self.parts.iter().map(|(name, _)| *name)
    }

    /// All where they are few, else those that make most of it, in order.
    pub fn main_names(&self) -> Vec<NameId> {
        if self.parts.len() <= MOST_MAIN_NAMES {
            return self.names().collect();
        }
        let size = |ns: i64| ns.unsigned_abs();
        let mut ranked: Vec<(usize, u64)> = self.parts.iter().map(|(_, ns)| size(*ns)).enumerate().collect();
        ranked.sort_by_key(|(at, ns)| (Reverse(*ns), *at));
        let mut named_ns = 0_u64;
        let is_needed = |(_, ns): &(usize, u64)| {
            let is_enough = named_ns.saturating_mul(100) >= size(self.delta_ns).saturating_mul(ENOUGH_PCT);
            named_ns = named_ns.saturating_add(*ns);
            !is_enough
        };
        let first = ranked.into_iter().take(MOST_MAIN_NAMES).take_while(is_needed);
        let mut first: Vec<usize> = first.map(|(at, _)| at).collect();
        first.sort_unstable();
        first.iter().filter_map(|at| self.parts.get(*at)).map(|(name, _)| *name).collect()
    }

    /// What makes a further pass more than one like the others, where that is a good part of it.
    pub fn main_inside(&self) -> Option<Inside> {
        let largest = self.inside.iter().rev().max_by_key(|found| found.delta_ns.unsigned_abs())?;
        let is_much = largest.delta_ns.unsigned_abs().saturating_mul(4) >= self.delta_ns.unsigned_abs();
        (self.repeat != Repeat::New && is_much && largest.delta_ns != 0).then_some(*largest)
    }
}
