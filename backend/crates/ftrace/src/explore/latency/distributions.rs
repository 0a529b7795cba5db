//! Exact statistics of any number of durations, group by group, in a few passes over them.
//!
//! The first pass sums up. Where all durations fit into memory, the others are made there; else the caller that reads
//! them has to hand them in again. Percentiles and shelves are looked for by rank.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::distribution::{Distribution, Spread, Sums, percentile_ranks};
use super::groups::GroupKey;
use super::histogram::{self, Bucketing};
use super::kinds::Bin;
use super::placed_sample::PlacedSample;
use super::rank_search::RankSearch;
use super::shelves::{Shelves, shelf_ranks};

/// Groups of one answer; the rest is folded into one.
pub const MAX_GROUPS: usize = 100;
/// Points of the shelves of all groups together, and of one.
const MAX_POINTS: usize = 40_000;
const MAX_GROUP_POINTS: usize = 2_000;
/// Durations that are kept: 24 MB of them.
const MAX_KEPT: usize = 2_000_000;
/// Numbers that the searches of all groups may keep: 16 MB.
const MAX_ROOM: i64 = 2_000_000;

/// What is wanted of each group.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// `None` where neither a histogram nor shelves are.
    pub bucketing: Option<Bucketing>,
    /// Groups that are not folded follow each other by their key; else the worst comes first.
    pub is_by_key: bool,
}

/// A group in the making.
struct Surveyed {
    key: GroupKey,
    sums: Sums,
    worst: PlacedSample,
}

/// A group of the answer in the making.
struct Searched {
    key: GroupKey,
    folded: Option<usize>,
    sums: Sums,
    worst: PlacedSample,
    spread: Spread,
    bins: Vec<Bin>,
    shelf_ranks: Vec<i64>,
    search: RankSearch,
    is_first_pass: bool,
}

/// A group of the answer.
pub struct Grouped {
    pub key: GroupKey,
    /// Where this is the rest of the groups: how many.
    pub folded: Option<usize>,
    pub worst: PlacedSample,
    pub sums: Sums,
    pub distribution: Distribution,
    pub bins: Vec<Bin>,
    pub shelves: Shelves,
}

/// What is kept of the samples of a pass, column by column.
#[derive(Default)]
struct Kept {
    numbers: Vec<u32>,
    values: Vec<i64>,
    /// As long as the others where any is not 1, else empty.
    weights: Vec<i64>,
}

pub struct Distributions {
    wanted: Wanted,
    max_kept: usize,
    numbers: HashMap<GroupKey, u32>,
    surveyed: Vec<Surveyed>,
    /// Numbers of groups, durations and their weights; `None` where there were too many.
    kept: Option<Kept>,
    /// By number of a surveyed group, its group of the answer.
    places: Vec<usize>,
    searched: Vec<Searched>,
}

impl Distributions {
    pub fn new(wanted: Wanted) -> Self {
        Self::with_memory(wanted, MAX_KEPT)
    }

    fn with_memory(wanted: Wanted, max_kept: usize) -> Self {
        Self {
            wanted,
            max_kept,
            numbers: HashMap::new(),
            surveyed: Vec::new(),
            kept: Some(Kept::default()),
            places: Vec::new(),
            searched: Vec::new(),
        }
    }

    /// Takes a sample: in the first pass to sum it up, in later ones to find ranks. Every pass takes the same samples.
    pub fn add(&mut self, key: GroupKey, found: PlacedSample) {
        let (value, weight) = (found.sample.duration_ns, found.sample.weight);
        if !self.searched.is_empty() {
            if let Some(number) = self.numbers.get(&key).copied() {
                self.search(number, value, weight);
            }
            return;
        }
        let next = u32::try_from(self.surveyed.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(key).or_insert(next);
        match usize::try_from(number).ok().and_then(|at| self.surveyed.get_mut(at)) {
            Some(group) => {
                group.sums.add(value, weight);
                if found.rank() < group.worst.rank() {
                    group.worst = found;
                }
            }
            None => {
                let mut sums = Sums::default();
                sums.add(value, weight);
                self.surveyed.push(Surveyed { key, sums, worst: found });
            }
        }
        self.keep(number, value, weight);
    }

    fn keep(&mut self, number: u32, value: i64, weight: i64) {
        if self.kept.as_ref().is_some_and(|kept| kept.values.len() >= self.max_kept) {
            self.kept = None;
        }
        if let Some(kept) = &mut self.kept {
            kept.push(number, value, weight);
        }
    }

    fn search(&mut self, number: u32, value: i64, weight: i64) {
        let place = usize::try_from(number).ok().and_then(|number| self.places.get(number));
        if let Some(group) = place.and_then(|place| self.searched.get_mut(*place)) {
            group.add(value, weight);
        }
    }

    /// Ends a pass; true where all durations have to be handed in once more.
    pub fn needs_pass(&mut self) -> bool {
        if self.searched.is_empty() {
            self.arrange();
        } else if self.is_done() {
            return false;
        }
        let Some(kept) = self.kept.take() else { return !self.searched.is_empty() };
        loop {
            kept.each(|number, value, weight| self.search(number, value, weight));
            if self.is_done() {
                return false;
            }
        }
    }

    fn is_done(&mut self) -> bool {
        // Every one of them has to hear that the pass is over.
        self.searched.iter_mut().map(Searched::is_done).filter(|is_done| !is_done).count() == 0
    }

    /// Makes groups of the answer of what was surveyed.
    fn arrange(&mut self) {
        let mut order: Vec<(usize, Surveyed)> =
            std::mem::take(&mut self.surveyed).into_iter().enumerate().collect();
        order.sort_by_key(|(_, group)| (Reverse(group.sums.max), group.key));
        let rest = order.split_off(order.len().min(MAX_GROUPS));
        if self.wanted.is_by_key {
            // What is not known comes last.
            order.sort_by_key(|(_, group)| (group.key.is_none(), group.key));
        }
        let mut groups: Vec<(Option<usize>, Surveyed)> = Vec::new();
        self.places = vec![0; order.len().saturating_add(rest.len())];
        for (number, group) in order {
            self.place(number, groups.len());
            groups.push((None, group));
        }
        let (folded, last) = (rest.len(), groups.len());
        for (number, group) in rest {
            self.place(number, last);
            match groups.get_mut(last) {
                Some((_, joined)) => {
                    joined.sums.join(&group.sums);
                    if group.worst.rank() < joined.worst.rank() {
                        joined.worst = group.worst;
                    }
                }
                None => groups.push((Some(folded), group)),
            }
        }
        let count = groups.len();
        let all = groups.iter().fold(Sums::default(), |mut all, (_, group)| {
            all.join(&group.sums);
            all
        });
        // All groups are counted in the same buckets, so that they can be laid over each other.
        let bins = self.wanted.bucketing.map(|by| by.buckets(all.min, all.max)).unwrap_or_default();
        let max_points = match self.wanted.bucketing {
            Some(_) => MAX_POINTS.checked_div(count).unwrap_or(MAX_POINTS).min(MAX_GROUP_POINTS),
            None => 0,
        };
        let room = MAX_ROOM.div_euclid(i64::try_from(count).unwrap_or(i64::MAX).max(1));
        let search = |(folded, group)| Searched::new(folded, group, bins.clone(), max_points, room);
        self.searched = groups.into_iter().map(search).collect();
    }

    fn place(&mut self, number: usize, place: usize) {
        if let Some(known) = self.places.get_mut(number) {
            *known = place;
        }
    }

    /// The worst samples, which are named in the answer.
    pub fn worst(&mut self) -> impl Iterator<Item = &mut PlacedSample> {
        let surveyed = self.surveyed.iter_mut().map(|group| &mut group.worst);
        surveyed.chain(self.searched.iter_mut().map(|group| &mut group.worst))
    }

    /// The groups, once no more passes are needed.
    pub fn take_groups(&mut self) -> Vec<Grouped> {
        std::mem::take(&mut self.searched).into_iter().filter_map(Searched::grouped).collect()
    }
}

impl Kept {
    fn push(&mut self, number: u32, value: i64, weight: i64) {
        if weight != 1 && self.weights.is_empty() {
            self.weights.resize(self.values.len(), 1);
        }
        if weight != 1 || !self.weights.is_empty() {
            self.weights.push(weight);
        }
        self.numbers.push(number);
        self.values.push(value);
    }

    fn each(&self, mut take: impl FnMut(u32, i64, i64)) {
        let weights = self.weights.iter().copied().chain(std::iter::repeat(1));
        for ((number, value), weight) in self.numbers.iter().zip(&self.values).zip(weights) {
            take(*number, *value, weight);
        }
    }
}

impl Searched {
    fn new(folded: Option<usize>, group: Surveyed, bins: Vec<Bin>, max_points: usize, room: i64) -> Self {
        let Surveyed { key, sums, worst } = group;
        let shelf_ranks = if max_points == 0 { Vec::new() } else { shelf_ranks(sums.count, max_points) };
        let ranks = [percentile_ranks(sums.count), shelf_ranks.clone()].concat();
        Self {
            key,
            folded,
            spread: Spread::around(sums.mean().unwrap_or(0)),
            search: RankSearch::new(sums.min, sums.max, ranks, room),
            sums,
            worst,
            bins,
            shelf_ranks,
            is_first_pass: true,
        }
    }

    fn add(&mut self, value: i64, weight: i64) {
        if self.is_first_pass {
            self.spread.add(value, weight);
            histogram::count(&mut self.bins, value, weight);
        }
        self.search.add(value, weight);
    }

    fn is_done(&mut self) -> bool {
        self.is_first_pass = false;
        self.search.is_done()
    }

    fn grouped(self) -> Option<Grouped> {
        let Self { key, folded, sums, worst, spread, bins, shelf_ranks, search, .. } = self;
        let value = |rank| search.value(rank);
        let distribution = Distribution::new(&sums, &spread, value)?;
        Some(Grouped {
            key,
            folded,
            worst,
            sums,
            distribution,
            bins,
            shelves: Shelves::new(shelf_ranks, value),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::selection::known_kind;
    use super::*;
    use crate::explore::request::Params;
    use crate::store::read::samples::StoredLatency;

    fn found(number: usize, duration_ns: i64) -> PlacedSample {
        let sample = StoredLatency { symbol_idx: 0, ..StoredLatency::new(0, 0, duration_ns) };
        PlacedSample { kind: known_kind("wakeup").unwrap().latency(), sample, at: (0, number), number: 0 }
    }

    /// The groups as text, with as much memory, and how often the durations were handed in.
    fn told(durations: &[(GroupKey, i64)], max_kept: usize) -> (Vec<String>, usize) {
        let bucketing = Some(Bucketing::from_params(&Params::parse("{}").unwrap()).unwrap());
        let wanted = Wanted { bucketing, is_by_key: false };
        let mut distributions = Distributions::with_memory(wanted, max_kept);
        let mut passes = 0;
        loop {
            for (number, (key, duration_ns)) in durations.iter().enumerate() {
                distributions.add(*key, found(number, *duration_ns));
            }
            passes += 1;
            if !distributions.needs_pass() {
                break;
            }
        }
        let groups = distributions.take_groups().into_iter().map(|group| {
            let Grouped { key, folded, worst, distribution, bins, shelves, .. } = group;
            format!("{key:?} {folded:?} {:?} {distribution:?} {bins:?} {shelves:?}", worst.at)
        });
        (groups.collect(), passes)
    }

    #[test]
    fn what_fits_into_memory_is_read_once() {
        let durations: Vec<(GroupKey, i64)> =
            (0..9_000).map(|number| (Some(number % 3), number * 7_919)).collect();
        let (groups, passes) = told(&durations, 9_000);
        assert_eq!((groups.len(), passes), (3, 1));
        assert_eq!(told(&durations, 8_999), (groups, 3));
    }

    proptest! {
        /// However often the durations are read, and into however many groups they fall.
        #[test]
        fn memory_makes_no_difference(
            durations in proptest::collection::vec(
                (proptest::option::of(0_i64..120), prop_oneof![0_i64..500, 0_i64..1 << 40]), 0..600,
            ),
        ) {
            prop_assert_eq!(told(&durations, 0).0, told(&durations, 600).0);
        }
    }
}
