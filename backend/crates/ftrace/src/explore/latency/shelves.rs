//! All durations, sorted, against their rank: a quiet machine shows long shelves, a noisy one a slope.

use serde::Serialize;

/// Some of the sorted durations, each with its rank from 0; the shortest and the longest are always there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shelves {
    rank: Vec<i64>,
    duration_ns: Vec<i64>,
}

impl Shelves {
    /// `value` returns the duration of each of [`shelf_ranks`].
    pub fn new(ranks: Vec<i64>, value: impl Fn(i64) -> Option<i64>) -> Self {
        let known = ranks.into_iter().filter_map(|rank| Some((rank, value(rank)?)));
        let (rank, duration_ns) = known.unzip();
        Self { rank, duration_ns }
    }
}

/// At most `max_points` of so many ranks. The ends are kept rank by rank and are thinned out towards the
/// middle, since the longest durations are the ones that matter; the middle is even.
pub fn shelf_ranks(count: i64, max_points: usize) -> Vec<i64> {
    let ranks = ranks(usize::try_from(count).unwrap_or(0), max_points);
    ranks.into_iter().filter_map(|rank| i64::try_from(rank).ok()).collect()
}

fn ranks(count: usize, max_points: usize) -> Vec<usize> {
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    if count <= max_points {
        return (0..count).collect();
    }
    let mut ranks: Vec<usize> =
        distances(last, max_points / 3).map(|distance| last.saturating_sub(distance)).collect();
    ranks.extend(distances(last, max_points / 6));
    let even = max_points.saturating_sub(ranks.len()).max(1);
    ranks.extend((0..even).map(|number| last.saturating_mul(number) / even));
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// Distances from an end of `0..=last`, at most `max_count`: single steps at first, then growing ones.
fn distances(last: usize, max_count: usize) -> impl Iterator<Item = usize> {
    // A step is the distance divided by this, so single steps reach so far, and e times as far takes as
    // many steps again: 2^64 is less than e^45.
    let slowness = (max_count / 16).max(1);
    std::iter::successors(Some(0_usize), move |distance| {
        Some(distance.saturating_add((distance / slowness).max(1)))
    })
    .take_while(move |distance| *distance <= last)
    .take(max_count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_are_all_there() {
        let shelves = |sorted: &[i64]| {
            let value = |rank: i64| sorted.get(usize::try_from(rank).unwrap()).copied();
            Shelves::new(shelf_ranks(i64::try_from(sorted.len()).unwrap(), 3), value)
        };
        assert_eq!(shelves(&[]), Shelves::default());
        assert_eq!(shelves(&[5, 5, 9]), Shelves { rank: vec![0, 1, 2], duration_ns: vec![5, 5, 9] });
    }

    proptest! {
        #[test]
        fn many_keep_both_ends_within_the_bound(count in 1_usize..3_000_000, max_points in 60_usize..2_500) {
            let ranks = ranks(count, max_points);
            prop_assert!(ranks.len() <= max_points.max(3));
            prop_assert!(ranks.is_sorted());
            prop_assert_eq!(ranks.first(), Some(&0));
            prop_assert_eq!(ranks.last(), Some(&(count - 1)));
            // The longest five are never thinned out.
            prop_assert!((count.saturating_sub(3)..count).all(|rank| ranks.contains(&rank)));
        }
    }
}
