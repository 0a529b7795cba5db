//! Values by their rank among more than memory holds: counted in cells, which are narrowed pass by pass.

use std::collections::BTreeMap;

/// The first pass counts in cells of a 512th of their distance from the smallest value.
const LOG_BITS: u32 = 9;
/// Cells or values of one narrowed cell.
const MIN_ROOM: i64 = 16;
const MAX_ROOM: i64 = 4_096;

/// Looks for the values of some ranks. Every pass has to hand in the same values, in any order.
#[derive(Debug)]
pub struct RankSearch {
    /// From 0, ascending, each once.
    ranks: Vec<i64>,
    found: BTreeMap<i64, i64>,
    /// In the order of their values. None touches another one.
    cells: Vec<Cell>,
    /// What all cells of a pass may take.
    max_room: i64,
}

/// A stretch of values that holds some of the ranks.
#[derive(Debug)]
struct Cell {
    low: i64,
    last: i64,
    /// Values that are smaller than any of it.
    below: i64,
    tally: Tally,
}

#[derive(Debug)]
enum Tally {
    Counts(Scale, Vec<i64>),
    /// Each with how many there are of it.
    Values(Vec<(i64, i64)>),
}

/// How a cell is cut: by the distance from its low end.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// Into parts that grow with the distance.
    Log,
    /// Into parts of that many bits.
    Even(u32),
}

impl RankSearch {
    /// `max_room` bounds the numbers that are kept at once, beside those of the first pass.
    pub fn new(min: i64, max: i64, mut ranks: Vec<i64>, max_room: i64) -> Self {
        ranks.sort_unstable();
        ranks.dedup();
        let tally = Tally::counts(Scale::Log, max.abs_diff(min));
        let cells = vec![Cell { low: min, last: max, below: 0, tally }];
        Self { ranks, found: BTreeMap::new(), cells, max_room }
    }

    /// `weight` of the value at once.
    pub fn add(&mut self, value: i64, weight: i64) {
        let above = self.cells.partition_point(|cell| cell.low <= value);
        let cell = above.checked_sub(1).and_then(|at| self.cells.get_mut(at));
        if let Some(cell) = cell.filter(|cell| value <= cell.last) {
            cell.tally.add(value, weight, cell.low);
        }
    }

    /// Ends a pass; false where it takes another one.
    pub fn is_done(&mut self) -> bool {
        let mut narrowed = Vec::new();
        for cell in std::mem::take(&mut self.cells) {
            match cell.tally {
                Tally::Values(values) => self.take_values(cell.below, values),
                Tally::Counts(scale, counts) => {
                    self.narrow(cell.low, cell.last, cell.below, scale, &counts, &mut narrowed);
                }
            }
        }
        let count = i64::try_from(narrowed.len()).unwrap_or(i64::MAX).max(1);
        let room = self.max_room.div_euclid(count).clamp(MIN_ROOM, MAX_ROOM);
        self.cells = narrowed.into_iter().map(|part| part.cell(room)).collect();
        self.cells.is_empty()
    }

    /// The value of a rank that was looked for, once the search is done.
    pub fn value(&self, rank: i64) -> Option<i64> {
        self.found.get(&rank).copied()
    }

    fn ranks_between(&self, from: i64, until: i64) -> &[i64] {
        let first = self.ranks.partition_point(|rank| *rank < from);
        let end = self.ranks.partition_point(|rank| *rank < until);
        self.ranks.get(first..end).unwrap_or_default()
    }

    fn take_values(&mut self, below: i64, mut values: Vec<(i64, i64)>) {
        values.sort_unstable();
        let mut below = below;
        for (value, weight) in values {
            let next = below.saturating_add(weight);
            let found: Vec<(i64, i64)> =
                self.ranks_between(below, next).iter().map(|rank| (*rank, value)).collect();
            self.found.extend(found);
            below = next;
        }
    }

    /// Of the parts of a cell, those that hold ranks still to be found.
    fn narrow(
        &mut self,
        low: i64,
        last: i64,
        below: i64,
        scale: Scale,
        counts: &[i64],
        into: &mut Vec<Part>,
    ) {
        let mut below = below;
        for (part, count) in (0_u64..).zip(counts) {
            let next = below.saturating_add(*count);
            let (from, to) = scale.bounds(part);
            let (from, to) = (low.saturating_add_unsigned(from), low.saturating_add_unsigned(to).min(last));
            let wanted = self.ranks_between(below, next).to_vec();
            if from == to {
                self.found.extend(wanted.iter().map(|rank| (*rank, from)));
            } else if !wanted.is_empty() {
                into.push(Part { low: from, last: to, below, count: *count });
            }
            below = next;
        }
    }
}

/// A part of a cell, with how many values it holds.
struct Part {
    low: i64,
    last: i64,
    below: i64,
    count: i64,
}

impl Part {
    /// Where its values fit, they are kept as they are.
    fn cell(self, room: i64) -> Cell {
        let Self { low, last, below, count } = self;
        let length = last.abs_diff(low);
        let tally = if count <= room {
            Tally::Values(Vec::new())
        } else {
            let room = room.unsigned_abs();
            let shift = (0..u64::BITS).find(|shift| (length >> shift) < room).unwrap_or(u64::BITS - 1);
            Tally::counts(Scale::Even(shift), length)
        };
        Cell { low, last, below, tally }
    }
}

impl Tally {
    fn counts(scale: Scale, length: u64) -> Self {
        let parts = scale.part(length).saturating_add(1);
        Self::Counts(scale, vec![0; usize::try_from(parts).unwrap_or(0)])
    }

    fn add(&mut self, value: i64, weight: i64, low: i64) {
        match self {
            Self::Values(values) => values.push((value, weight)),
            Self::Counts(scale, counts) => {
                let part = usize::try_from(scale.part(value.abs_diff(low))).unwrap_or(usize::MAX);
                if let Some(count) = counts.get_mut(part) {
                    *count = count.saturating_add(weight);
                }
            }
        }
    }
}

impl Scale {
    fn part(self, distance: u64) -> u64 {
        match self {
            Self::Even(shift) => distance >> shift,
            Self::Log => match distance.checked_ilog2().and_then(|bits| bits.checked_sub(LOG_BITS)) {
                None => distance,
                Some(shift) => (u64::from(shift) << LOG_BITS) + (distance >> shift),
            },
        }
    }

    /// The first and the last distance of a part.
    fn bounds(self, part: u64) -> (u64, u64) {
        let (first, shift) = match self {
            Self::Even(shift) => (part << shift, shift),
            Self::Log => match u32::try_from(part >> LOG_BITS).unwrap_or(0).saturating_sub(1) {
                0 => (part, 0),
                shift => ((part - (u64::from(shift) << LOG_BITS)) << shift, shift),
            },
        };
        (first, first.saturating_add((1_u64 << shift) - 1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Finds the same as sorting does, and says in how many passes.
    fn check(values: &[i64], ranks: &[i64], max_room: i64) -> usize {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let mut search = RankSearch::new(sorted[0], sorted[sorted.len() - 1], ranks.to_vec(), max_room);
        let mut passes = 0;
        loop {
            values.iter().for_each(|value| search.add(*value, 1));
            passes += 1;
            if search.is_done() {
                break;
            }
        }
        for rank in ranks {
            let expected = usize::try_from(*rank).ok().and_then(|rank| sorted.get(rank)).copied();
            assert_eq!(search.value(*rank), expected, "rank {rank}");
        }
        passes
    }

    #[test]
    fn short_durations_take_one_pass_and_any_others_two() {
        let short: Vec<i64> = (0..3_000).map(|value| value % 1_000).collect();
        assert_eq!(check(&short, &[0, 1_500, 2_999], 4_096), 1);
        let long: Vec<i64> = (0..100_000).map(|value| value * value % 1_000_003 * 1_009).collect();
        assert_eq!(check(&long, &[0, 50_000, 90_000, 99_000, 99_999], 1 << 20), 2);
    }

    #[test]
    fn values_far_apart_are_found_in_little_room() {
        let values: Vec<i64> = (0..1_000).flat_map(|step| [i64::MIN + step, step, i64::MAX - step]).collect();
        let ranks: Vec<i64> = (0..3_000).collect();
        assert!(check(&values, &ranks, 64) < 20);
    }

    #[test]
    fn parts_meet() {
        for distance in (0..20_000).chain([u64::MAX - 1, u64::MAX, 1 << 63, 12_345_678_901]) {
            let (first, last) = Scale::Log.bounds(Scale::Log.part(distance));
            assert!(first <= distance && distance <= last, "{distance}: {first}..={last}");
            assert!(first == 0 || Scale::Log.part(first - 1) + 1 == Scale::Log.part(first));
        }
    }

    proptest! {
        #[test]
        fn agrees_with_sorting(
            values in prop_oneof![
                proptest::collection::vec(-50_i64..5_000, 1..400),
                proptest::collection::vec(any::<i64>(), 1..400),
            ],
            shares in proptest::collection::vec(0.0_f64..1.0, 1..30),
            max_room in 1_i64..5_000,
        ) {
            let ranks: Vec<i64> = shares.iter().map(|share| (values.len() as f64 * share) as i64).collect();
            check(&values, &ranks, max_room);
        }
    }
}
