//! Whether the other side makes a call, too, that has no counterpart there.

use hashbrown::{HashMap, HashSet};

use super::names::{NameId, Names};
use super::row::{Row, Status};
use super::sides::Sides;
use super::tree::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// The other side does not make it there.
    New,
    /// The other side makes it there, fewer times.
    More,
    /// The other side makes it there as often, in another order.
    Moved,
}

type Place = (u32, NameId, Kind);

/// How often each call is made by each side under one caller, where the sides differ in that.
pub struct Repeats<'n> {
    names: &'n Names,
    counts: HashMap<Place, Sides<u32>>,
}

impl<'n> Repeats<'n> {
    /// Counts the calls of `rows` below callers of which one side makes calls that the other does not.
    pub fn of(names: &'n Names, rows: &[Row]) -> Self {
        let is_one_sided = |row: &&Row| matches!(row.status, Status::Added | Status::Removed);
        let differing: HashSet<u32> = rows.iter().filter(is_one_sided).filter_map(|row| row.parent).collect();
        let mut repeats = Self { names, counts: HashMap::new() };
        for row in rows.iter().filter(|row| row.parent.is_some_and(|parent| differing.contains(&parent))) {
            let Some(place) = repeats.place(row) else { continue };
            let counts = repeats.counts.entry(place).or_default();
            let more = row.places.map(|place| u32::from(place.is_some()));
            *counts = counts.zip(more).map(|(count, more)| count.saturating_add(more));
        }
        repeats
    }

    /// Of a row that one side only has.
    pub fn of_row(&self, row: &Row) -> Repeat {
        let counts = self.place(row).and_then(|place| self.counts.get(&place)).copied().unwrap_or_default();
        let counts = if row.status == Status::Added { counts } else { counts.swapped() };
        match counts.normal {
            0 => Repeat::New,
            _ if counts.abnormal > counts.normal => Repeat::More,
            _ => Repeat::Moved,
        }
    }

    fn place(&self, row: &Row) -> Option<Place> {
        Some((row.parent?, self.names.function(row.name), row.kind))
    }
}
