//! Many instances of one function: how often each call of a comparison is made in them, and how long it takes.

use super::compare::compare;
use super::limits::Limits;
use super::names::Names;
use super::row::{Place, at};
use super::sides::Sides;
use super::tree::Tree;

/// What an instance may cost of what the two that are compared may: a set has many.
const CELLS_DIVISOR: u64 = 8;

/// A call in the instances of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// In how many instances it has a counterpart.
    pub seen: u32,
    /// Instances that were aligned.
    pub of: u32,
    /// How long it takes where it was seen; of folded calls, the sums.
    pub whole: Option<Center>,
    /// The same without what it calls.
    pub own: Option<Center>,
}

/// The lower median, and the median distance from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Center {
    pub median_ns: i64,
    pub mad_ns: i64,
}

/// How common the call at `places` is in the instances of each side that is a set.
pub(super) fn spreads(
    sets: Sides<Option<&InstanceSet>>,
    places: Sides<Option<Place>>,
) -> Sides<Option<Spread>> {
    // Found at the call of the set's own side, else at the other's.
    Sides {
        abnormal: sets.abnormal.map(|set| set.spread(places.zip(set.on.as_ref()))),
        normal: sets.normal.map(|set| set.spread(places.zip(set.on.as_ref()).swapped())),
    }
}

/// Instances of one side, each aligned with the two that are compared.
pub struct InstanceSet {
    on: Sides<Presence>,
}

impl InstanceSet {
    /// An empty set, whose instances are to be aligned with the two sides of a comparison.
    pub fn new(compared: Sides<&Tree>) -> Self {
        Self { on: compared.map(Presence::new) }
    }

    /// `compared` are those of [`new`](Self::new); each belongs to the set of its side like any other.
    pub fn add(&mut self, names: &Names, compared: Sides<&Tree>, instance: &Tree, limits: &Limits) {
        let limits = &Limits { cells_per_node: limits.cells_per_node / CELLS_DIVISOR, ..*limits };
        self.on.abnormal.add(names, compared.abnormal, instance, limits);
        self.on.normal.add(names, compared.normal, instance, limits);
    }

    /// At the first of the two that is there.
    fn spread(&self, places: Sides<(Option<Place>, &Presence)>) -> Spread {
        let found = places.map(|(place, presence)| Some(presence.spread(place?.node))).either();
        found.unwrap_or(Spread { seen: 0, of: self.on.normal.count, whole: None, own: None })
    }
}

/// At most `most` of `count` instances, at equal distances.
pub fn evenly(count: usize, most: usize) -> Vec<usize> {
    let used = count.min(most.max(1));
    (0..used).map(|number| number.saturating_mul(count) / used).collect()
}

/// How long the calls of one tree take in the instances.
struct Presence {
    count: u32,
    /// Of each call, in each instance that makes it: in all, and without what it calls.
    durations_ns: Vec<Vec<(i64, i64)>>,
}

impl Presence {
    fn new(reference: &Tree) -> Self {
        Self { count: 0, durations_ns: vec![Vec::new(); reference.nodes().len()] }
    }

    fn add(&mut self, names: &Names, reference: &Tree, instance: &Tree, limits: &Limits) {
        self.count = self.count.saturating_add(1);
        let compared = compare(names, Sides { abnormal: reference, normal: instance }, limits);
        for matched in compared.aligned.iter().filter_map(|aligned| aligned.nodes.both()) {
            let node = compared.lifted.abnormal.recorded(matched.abnormal);
            let durations_ns = node.and_then(|node| self.durations_ns.get_mut(usize::try_from(node).ok()?));
            let instance = &compared.lifted.normal.tree;
            if let Some((durations_ns, node)) = durations_ns.zip(instance.node(matched.normal)) {
                durations_ns.push((node.duration_ns, instance.self_ns(matched.normal)));
            }
        }
    }

    fn spread(&self, node: u32) -> Spread {
        let durations_ns = at(&self.durations_ns, node).map(Vec::as_slice).unwrap_or_default();
        Spread {
            seen: u32::try_from(durations_ns.len()).unwrap_or(u32::MAX),
            of: self.count,
            whole: Center::of(durations_ns.iter().map(|(whole_ns, _)| *whole_ns)),
            own: Center::of(durations_ns.iter().map(|(_, own_ns)| *own_ns)),
        }
    }
}

impl Center {
    fn of(durations_ns: impl Iterator<Item = i64>) -> Option<Self> {
        let mut durations_ns: Vec<i64> = durations_ns.collect();
        let median_ns = median(&mut durations_ns)?;
        for ns in &mut durations_ns {
            *ns = ns.saturating_sub(median_ns).saturating_abs();
        }
        Some(Self { median_ns, mad_ns: median(&mut durations_ns)? })
    }
}

fn median(values: &mut [i64]) -> Option<i64> {
    let middle = values.len().checked_sub(1)? / 2;
    let (_, median, _) = values.select_nth_unstable(middle);
    Some(*median)
}

#[cfg(test)]
mod tests {
    use super::super::diff_among;
    use super::super::testing::tree;
    use super::*;

    /// The first of each side is what is compared. Of each call and both sets: in how many it is, how long, how
    /// long by itself.
    fn check(abnormal: &[&str], normal: &[&str], expected: &[&str]) -> String {
        let mut names = Names::default();
        let limits = Limits::default();
        let mut trees =
            |side: &[&str]| -> Vec<Tree> { side.iter().map(|one| tree(&mut names, one)).collect() };
        let trees = Sides { abnormal, normal }.map(&mut trees);
        let compared = trees.as_ref().map(|trees| &trees[0]);
        let sets = trees.as_ref().map(|trees| {
            let mut set = InstanceSet::new(compared);
            trees.iter().for_each(|one| set.add(&names, compared, one, &limits));
            set
        });
        let sets =
            Sides { abnormal: (abnormal.len() > 1).then_some(&sets.abnormal), normal: Some(&sets.normal) };
        let diff = diff_among(&names, compared, sets, &limits);
        let rows = diff.rows.iter().map(|row| {
            let of_set = |set: Spread| {
                let of_time = |center: Option<Center>| {
                    center.map_or("-".to_owned(), |center| format!("{}±{}", center.median_ns, center.mad_ns))
                };
                format!("{}/{} {} {}", set.seen, set.of, of_time(set.whole), of_time(set.own))
            };
            let sets: Vec<String> = row.spreads.into_iter().flatten().map(of_set).collect();
            format!("{} {}", names.text(row.name), sets.join(" | "))
        });
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        diff.summary
    }

    #[test]
    fn each_call_is_counted_in_all_instances() {
        let summary = check(
            &["f 20\n g 1\n h 9\n k 2"],
            &["f 10\n g 1\n k 3", "f 12\n g 2\n k 3\n l 1", "f 13\n h 5\n k 7", "f 9\n k 1\n g 1"],
            &["f 4/4 10000±1000 6000±0", "g 3/4 1000±0 1000±0", "h 1/4 5000±0 5000±0", "k 3/4 3000±0 3000±0"],
        );
        assert!(summary.contains("(h under f, in 1 of 4 normal instances)"), "{summary}");
        check(
            &["f 4\n g 1"],
            &["f 5\n g 1\n m 1", "f 5\n m 3"],
            &["f 2/2 5000±0 2000±0", "g 1/2 1000±0 1000±0", "m 2/2 1000±0 1000±0"],
        );
    }

    #[test]
    fn both_sides_may_be_sets() {
        let summary = check(
            &["f 20\n g 1\n h 9", "f 30\n g 1\n h 19", "f 11\n g 1"],
            &["f 10\n g 1", "f 12\n g 2", "f 19\n g 1\n h 8"],
            &[
                "f 3/3 20000±9000 10000±0 | 3/3 12000±2000 10000±0",
                "g 3/3 1000±0 1000±0 | 3/3 1000±0 1000±0",
                "h 2/3 9000±0 9000±0 | 1/3 8000±0 8000±0",
            ],
        );
        assert!(summary.contains("(h under f, in 2 of 3 abnormal and 1 of 3 normal instances)"), "{summary}");
    }

    #[test]
    fn a_matched_call_is_judged_by_its_self_time() {
        let mut names = Names::default();
        let limits = Limits::default();
        let abnormal = tree(&mut names, "f 30\n g 10");
        let normal = ["f 20\n g 10", "f 40\n g 28", "f 60\n g 51"].map(|one| tree(&mut names, one));
        let compared = Sides { abnormal: &abnormal, normal: &normal[0] };
        let mut set = InstanceSet::new(compared);
        normal.iter().for_each(|one| set.add(&names, compared, one, &limits));
        let diff = diff_among(&names, compared, Sides { abnormal: None, normal: Some(&set) }, &limits);
        // By itself 20 µs where others take 10, 12 and 9; with g, 30 µs where they take 20, 40 and 60.
        let slower = &diff.contributions.slower[0];
        assert_eq!((slower.delta_ns, slower.distance_milli_mad), (10_000, Some(10_000)));
    }

    #[test]
    fn instances_are_taken_evenly() {
        assert_eq!(evenly(10, 4), [0, 2, 5, 7]);
        assert_eq!(evenly(3, 4), [0, 1, 2]);
        assert_eq!(evenly(0, 4), Vec::<usize>::new());
    }
}
