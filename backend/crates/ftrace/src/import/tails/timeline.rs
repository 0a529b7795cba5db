//! Who had one CPU over the time that is settled: stretches without a hole, and what each holder had up to here.

use std::collections::VecDeque;

use hashbrown::HashMap;

/// The number of stretches that are kept of all CPUs together, with their sums at most 24 MiB.
pub const MAX_STRETCHES: usize = 1 << 20;
/// The number that is kept of each CPU, however many CPUs there are.
const MIN_STRETCHES: usize = 64;
/// From one stretch with sums to the next.
const SUMMED_EVERY: u64 = 256;
/// Up to this many stretches of an interval are added up one by one; of more, sums are subtracted.
const WALKED: usize = 768;
/// Holders of a CPU that have sums of their own.
const MAX_HOLDERS: usize = 256;

/// Who had a CPU over a stretch, as timelines keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Occupant {
    /// By its number in [`Holders`](super::holder::Holders).
    Holder(u32),
    /// Any of those past the limits on holders.
    Others,
    Unknown,
}

/// A stretch, up to the start of the next one.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start_ns: i64,
    occupant: Occupant,
}

/// What one occupant had of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub occupant: Occupant,
    /// Where it begins; that of the interval for a sum over many stretches.
    pub start_ns: i64,
    pub duration_ns: i64,
}

/// What each occupant had before a stretch.
struct Sums {
    stretch: u64,
    start_ns: i64,
    by_place: Box<[i64]>,
}

#[derive(Default)]
pub struct Timeline {
    stretches: VecDeque<Stretch>,
    /// The number of the first stretch that is kept.
    first: u64,
    /// `None` before anything is settled.
    end_ns: Option<i64>,
    places: HashMap<Occupant, usize>,
    occupants: Vec<Occupant>,
    /// What each occupant had before the last stretch.
    now: Vec<i64>,
    sums: VecDeque<Sums>,
}

impl Timeline {
    /// Up to here it is settled.
    pub fn end_ns(&self) -> Option<i64> {
        self.end_ns
    }

    /// Adds a stretch, which begins where the last one ends.
    pub fn push(&mut self, start_ns: i64, end_ns: i64, occupant: Occupant) {
        self.end_ns = Some(end_ns);
        let last = self.stretches.back().copied();
        if last.is_some_and(|last| last.occupant == occupant) {
            return;
        }
        if let Some(last) = last {
            let place = self.place(last.occupant);
            if let Some(sum) = self.now.get_mut(place) {
                *sum = sum.saturating_add(start_ns.saturating_sub(last.start_ns));
            }
        }
        let stretch = self.number(self.stretches.len());
        if stretch.is_multiple_of(SUMMED_EVERY) {
            self.sums.push_back(Sums { stretch, start_ns, by_place: self.now.as_slice().into() });
        }
        self.stretches.push_back(Stretch { start_ns, occupant });
    }

    /// Forgets the oldest stretches past `most`.
    pub fn forget(&mut self, most: usize) {
        let past = self.stretches.len().saturating_sub(most.max(MIN_STRETCHES));
        self.stretches.drain(..past);
        self.first = self.number(past);
        let forgotten = self.sums.partition_point(|sums| sums.stretch < self.first);
        self.sums.drain(..forgotten);
    }

    /// The parts of [start, end): front to back without a hole if they are few, else their sums.
    pub fn between(&self, start_ns: i64, end_ns: i64, mut take: impl FnMut(Part)) {
        let first = self.at(start_ns);
        let is_long =
            self.stretches.get(first.saturating_add(WALKED)).is_some_and(|far| far.start_ns < end_ns);
        if !is_long {
            return self.walk(first, start_ns, end_ns, &mut take);
        }
        let behind = self.stretches.partition_point(|stretch| stretch.start_ns < end_ns);
        let after = self.sums.partition_point(|sums| sums.stretch <= self.number(first));
        let before = self.sums.partition_point(|sums| sums.stretch < self.number(behind)).checked_sub(1);
        let sums = self.sums.get(after).zip(before.and_then(|before| self.sums.get(before)));
        let Some((from, to)) = sums.filter(|(from, to)| from.stretch < to.stretch) else {
            return self.walk(first, start_ns, end_ns, &mut take);
        };
        self.walk(first, start_ns, from.start_ns, &mut take);
        for (place, sum) in to.by_place.iter().enumerate() {
            let duration_ns = sum.saturating_sub(from.by_place.get(place).copied().unwrap_or(0));
            if duration_ns > 0 {
                let occupant = self.occupants.get(place).copied().unwrap_or(Occupant::Others);
                take(Part { occupant, start_ns, duration_ns });
            }
        }
        self.walk(self.at(to.start_ns), to.start_ns, end_ns, &mut take);
    }

    /// The place of the stretch that holds a time, or else of the first one.
    fn at(&self, t_ns: i64) -> usize {
        self.stretches.partition_point(|stretch| stretch.start_ns <= t_ns).saturating_sub(1)
    }

    /// Front to back from the stretch at `first`, which holds the start.
    fn walk(&self, first: usize, start_ns: i64, end_ns: i64, take: &mut impl FnMut(Part)) {
        let mut part = |occupant, from_ns: i64, to_ns: i64| {
            if from_ns < to_ns {
                take(Part { occupant, start_ns: from_ns, duration_ns: to_ns.saturating_sub(from_ns) });
            }
        };
        let known_from_ns = self.stretches.get(first).map_or(end_ns, |stretch| stretch.start_ns);
        let known_to_ns = self.end_ns.unwrap_or(i64::MIN);
        part(Occupant::Unknown, start_ns, known_from_ns.min(end_ns));
        let mut stretches = self.stretches.range(first..).peekable();
        while let Some(stretch) = stretches.next().filter(|stretch| stretch.start_ns < end_ns) {
            let next_ns = stretches.peek().map_or(known_to_ns, |next| next.start_ns);
            part(stretch.occupant, stretch.start_ns.max(start_ns), next_ns.min(end_ns));
        }
        if known_from_ns < end_ns {
            part(Occupant::Unknown, start_ns.max(known_to_ns), end_ns);
        }
    }

    fn number(&self, at: usize) -> u64 {
        self.first.saturating_add(u64::try_from(at).unwrap_or(u64::MAX))
    }

    /// Where the sum of an occupant is kept.
    fn place(&mut self, occupant: Occupant) -> usize {
        if let Some(place) = self.places.get(&occupant) {
            return *place;
        }
        let place = self.occupants.len().min(MAX_HOLDERS);
        if place == MAX_HOLDERS {
            self.now.resize(MAX_HOLDERS.saturating_add(1), 0);
            return place;
        }
        self.places.insert(occupant, place);
        self.occupants.push(occupant);
        self.now.push(0);
        place
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Occupant::{Holder, Others, Unknown};
    use super::*;

    fn sums(timeline: &Timeline, start_ns: i64, end_ns: i64) -> BTreeMap<Occupant, i64> {
        let mut sums = BTreeMap::new();
        timeline
            .between(start_ns, end_ns, |part| *sums.entry(part.occupant).or_default() += part.duration_ns);
        sums
    }

    #[test]
    fn what_is_not_settled_is_not_known() {
        assert_eq!(sums(&Timeline::default(), 5, 9), BTreeMap::from([(Unknown, 4)]));
        let mut timeline = Timeline::default();
        timeline.push(10, 20, Holder(1));
        timeline.push(20, 30, Holder(2));
        assert_eq!(sums(&timeline, 5, 40), BTreeMap::from([(Holder(1), 10), (Holder(2), 10), (Unknown, 15)]));
        assert_eq!(sums(&timeline, 2, 7), BTreeMap::from([(Unknown, 5)]));
    }

    #[test]
    fn holders_past_the_limit_are_one() {
        let mut timeline = Timeline::default();
        for holder in 0..4_000_u32 {
            timeline.push(i64::from(holder), i64::from(holder) + 1, Holder(holder));
        }
        let sums = sums(&timeline, 0, 4_000);
        assert_eq!(sums.values().sum::<i64>(), 4_000);
        assert!(sums[&Others] > 2_000 && sums.len() < 1_000);
    }

    proptest! {
        #[test]
        fn sums_equal_a_walk(
            lengths in prop::collection::vec((1_i64..5, 0_u32..6), 3_000..6_000),
            cut in (0.0_f64..1.0, 0.0_f64..1.0),
            kept in 1_000_usize..6_000,
        ) {
            let mut timeline = Timeline::default();
            let mut at_ns = 0;
            for (length_ns, holder) in lengths {
                timeline.push(at_ns, at_ns + length_ns, Holder(holder));
                at_ns += length_ns;
            }
            timeline.forget(kept);
            #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
            let at = |share: f64| (at_ns as f64 * share) as i64;
            let (start_ns, end_ns) = (at(cut.0.min(cut.1)), at(cut.0.max(cut.1)));
            let mut walked = BTreeMap::new();
            timeline.walk(timeline.at(start_ns), start_ns, end_ns, &mut |part: Part| {
                *walked.entry(part.occupant).or_default() += part.duration_ns;
            });
            prop_assert_eq!(walked.values().sum::<i64>(), end_ns - start_ns);
            prop_assert_eq!(sums(&timeline, start_ns, end_ns), walked);
        }
    }
}
