//! Whether the other side makes a call, too, that has no counterpart there.

use hashbrown::{HashMap, HashSet};

use super::names::{NameId, Names};
use super::row::{Row, Status};
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
    counts: HashMap<Place, [u32; 2]>,
}

impl<'n> Repeats<'n> {
    pub fn of(names: &'n Names, rows: &[Row]) -> Self {
        let is_one_sided = |row: &&Row| matches!(row.status, Status::Added | Status::Removed);
        let differing: HashSet<u32> = rows.iter().filter(is_one_sided).filter_map(|row| row.parent).collect();
        let mut repeats = Self { names, counts: HashMap::new() };
        for row in rows.iter().filter(|row| row.parent.is_some_and(|parent| differing.contains(&parent))) {
            let Some(place) = repeats.place(row) else { continue };
            let counts = repeats.counts.entry(place).or_default();
            for (count, side) in counts.iter_mut().zip([row.a, row.b]) {
                *count = count.saturating_add(u32::from(side.is_some()));
            }
        }
        repeats
    }

    /// Of a row that one side only has.
    pub fn of_row(&self, row: &Row) -> Repeat {
        let counts = self.place(row).and_then(|place| self.counts.get(&place)).copied().unwrap_or_default();
        let [of_a, of_b] = counts;
        let (own, other) = if row.status == Status::Added { (of_a, of_b) } else { (of_b, of_a) };
        match other {
            0 => Repeat::New,
            _ if own > other => Repeat::More,
            _ => Repeat::Moved,
        }
    }

    fn place(&self, row: &Row) -> Option<Place> {
        Some((row.parent?, self.names.function(row.name), row.kind))
    }
}
