//! What the difference is made of.

use super::names::NameId;
use super::repeat::Repeat;
use super::row::{Status, at};
use super::set::Spread;
use super::sides::Sides;
use super::tree::Kind;

/// Calls at one place of the tree that add to the difference together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// In order, each once, at most 16.
    pub names: Vec<NameId>,
    /// Of these, the few that make most of it.
    pub main_names: Vec<NameId>,
    /// `Matched`, `Added` or `Removed`.
    pub status: Status,
    pub kind: Kind,
    /// Of what one side only makes: whether the other one makes it at another time.
    pub repeat: Repeat,
    /// Of the callers, the root first; at most 64, the nearest ones.
    pub path: Vec<NameId>,
    /// The row that adds most.
    pub row: u32,
    pub delta_ns: i64,
    /// Calls of the contribution; of what one side only makes, without what these call in turn.
    pub count: u32,
    /// Runs of neighbours, or single calls, that were summed.
    pub passes: u32,
    /// Of interrupts: the functions that they hit, the first few.
    pub hit: Vec<NameId>,
    /// Of an event: the one that its time ends with, where there is one.
    pub until: Option<NameId>,
    /// Of a further pass of what both sides make: what takes longest in it of all that the other side makes nowhere.
    pub inside: Option<Inside>,
    /// Of `row`, before it was folded.
    pub spreads: Sides<Option<Spread>>,
    pub distance_milli_mad: Option<i64>,
}

/// A function that one side only makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    pub name: NameId,
    pub delta_ns: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contributions {
    /// Calls that only one side makes, with all that they call; the largest first.
    pub only_one_side: Vec<Contribution>,
    /// What matched calls take more or less by themselves; the largest first. With the others, all of the difference.
    pub slower: Vec<Contribution>,
}

impl Contributions {
    /// All contributions: first those that only one side has, then the slower ones.
    pub fn all(&self) -> impl Iterator<Item = &Contribution> {
        self.only_one_side.iter().chain(&self.slower)
    }

    /// What one side only makes, of one kind, the largest first.
    pub(super) fn one_sided(
        &self,
        status: Status,
        kind: Kind,
        is_wanted: impl Fn(Repeat) -> bool,
    ) -> Vec<&Contribution> {
        let is_it = |one: &&Contribution| one.status == status && one.kind == kind && is_wanted(one.repeat);
        self.only_one_side.iter().filter(is_it).collect()
    }

    /// After rows were folded.
    pub(super) fn move_rows(&mut self, row_now: &[u32]) {
        for one in self.only_one_side.iter_mut().chain(&mut self.slower) {
            one.row = at(row_now, one.row).copied().unwrap_or(one.row);
        }
    }
}
