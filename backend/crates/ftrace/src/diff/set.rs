//! Many instances of one function: how often each call of a comparison is made in them, and how long it takes.

use super::compare::compare;
use super::limits::Limits;
use super::names::Names;
use super::row::Row;
use super::tree::Tree;

/// Nodes that are aligned for one set: about a second's worth, and at most 16 MB of durations.
const MOST_ALIGNED: usize = 4_000_000;

/// A call in the normal instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// In how many instances it has a counterpart.
    pub seen: u32,
    /// Of so many that were looked at.
    pub of: u32,
    /// The lower median and the median distance from it, where it was seen; of folded calls, the sums.
    pub median_ns: Option<i64>,
    pub mad_ns: Option<i64>,
}

/// Normal instances, each aligned with the two that are compared.
pub struct InstanceSet {
    on_abnormal: Presence,
    on_normal: Presence,
}

impl InstanceSet {
    pub fn new(abnormal: &Tree, normal: &Tree) -> Self {
        Self { on_abnormal: Presence::new(abnormal), on_normal: Presence::new(normal) }
    }

    /// So many instances, of about the size of the two, may be added.
    pub fn most_instances(abnormal: &Tree, normal: &Tree) -> usize {
        let node_count = abnormal.nodes().len().saturating_add(normal.nodes().len());
        (MOST_ALIGNED / node_count.saturating_mul(2).max(1)).max(1)
    }

    /// `abnormal` and `normal` are those of [`new`](Self::new); the normal one belongs to the set like any other.
    pub fn add(&mut self, names: &Names, abnormal: &Tree, normal: &Tree, instance: &Tree, limits: &Limits) {
        self.on_abnormal.add(names, abnormal, instance, limits);
        self.on_normal.add(names, normal, instance, limits);
    }

    /// At the normal side's call of the row, else at the abnormal one's.
    pub(super) fn spread(&self, row: &Row) -> Spread {
        let on_normal = row.b.map(|place| self.on_normal.spread(place.node));
        let found = on_normal.or_else(|| row.a.map(|place| self.on_abnormal.spread(place.node)));
        found.unwrap_or(Spread { seen: 0, of: self.on_normal.count, median_ns: None, mad_ns: None })
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
    durations_ns: Vec<Vec<i64>>,
}

impl Presence {
    fn new(reference: &Tree) -> Self {
        Self { count: 0, durations_ns: vec![Vec::new(); reference.nodes().len()] }
    }

    fn add(&mut self, names: &Names, reference: &Tree, instance: &Tree, limits: &Limits) {
        self.count = self.count.saturating_add(1);
        let compared = compare(names, reference, instance, limits);
        for aligned in &compared.aligned {
            let (Some(of_reference), Some(of_instance)) = (aligned.x, aligned.y) else { continue };
            let node = compared.a.recorded(of_reference).and_then(|node| usize::try_from(node).ok());
            let durations_ns = node.and_then(|node| self.durations_ns.get_mut(node));
            if let Some((durations_ns, instance)) = durations_ns.zip(compared.b.tree.node(of_instance)) {
                durations_ns.push(instance.duration_ns);
            }
        }
    }

    fn spread(&self, node: u32) -> Spread {
        let durations_ns = usize::try_from(node).ok().and_then(|node| self.durations_ns.get(node));
        let durations_ns = durations_ns.map(Vec::as_slice).unwrap_or_default();
        let median_ns = median(durations_ns.to_vec());
        let distance =
            |median_ns: i64| durations_ns.iter().map(move |ns| ns.saturating_sub(median_ns).saturating_abs());
        let mad_ns = median_ns.and_then(|median_ns| median(distance(median_ns).collect()));
        Spread {
            seen: u32::try_from(durations_ns.len()).unwrap_or(u32::MAX),
            of: self.count,
            median_ns,
            mad_ns,
        }
    }
}

fn median(mut values: Vec<i64>) -> Option<i64> {
    let middle = values.len().checked_sub(1)? / 2;
    let (_, median, _) = values.select_nth_unstable(middle);
    Some(*median)
}

#[cfg(test)]
mod tests {
    use super::super::diff_among;
    use super::super::testing::tree;
    use super::*;

    /// The first of the normal ones is what is compared; of each call, how often and how long it is in all of them.
    fn check(abnormal: &str, normal: &[&str], expected: &[&str]) -> String {
        let mut names = Names::default();
        let limits = Limits::default();
        let a = tree(&mut names, abnormal);
        let all: Vec<Tree> = normal.iter().map(|normal| tree(&mut names, normal)).collect();
        let mut set = InstanceSet::new(&a, &all[0]);
        all.iter().for_each(|one| set.add(&names, &a, &all[0], one, &limits));
        let diff = diff_among(&names, &a, &all[0], Some(&set), &limits);
        let rows = diff.rows.iter().map(|row| {
            let Spread { seen, of, median_ns, mad_ns } = row.normal_set.unwrap();
            let of_time = |ns: Option<i64>| ns.map_or("-".to_owned(), |ns| ns.to_string());
            format!("{} {seen}/{of} {} {}", names.text(row.name), of_time(median_ns), of_time(mad_ns))
        });
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        diff.summary
    }

    #[test]
    fn each_call_is_counted_in_all_instances() {
        let summary = check(
            "f 20\n g 1\n h 9\n k 2",
            &["f 10\n g 1\n k 3", "f 12\n g 2\n k 3\n l 1", "f 13\n h 5\n k 7", "f 9\n k 1\n g 1"],
            &["f 4/4 10000 1000", "g 3/4 1000 0", "h 1/4 5000 0", "k 3/4 3000 0"],
        );
        assert!(summary.contains("(h under f, in 1 of 4 normal ones)"), "{summary}");
        check(
            "f 4\n g 1",
            &["f 5\n g 1\n m 1", "f 5\n m 3"],
            &["f 2/2 5000 0", "g 1/2 1000 0", "m 2/2 1000 0"],
        );
    }

    #[test]
    fn instances_are_taken_evenly() {
        assert_eq!(evenly(10, 4), [0, 2, 5, 7]);
        assert_eq!(evenly(3, 4), [0, 1, 2]);
        assert_eq!(evenly(0, 4), Vec::<usize>::new());
    }
}
