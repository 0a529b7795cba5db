//! All durations, sorted, against their rank: a quiet machine shows long shelves, a noisy one a slope.

use serde::Serialize;

/// Some of the sorted durations, each with its rank from 0; the shortest and the longest are always there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shelves {
    rank: Vec<i64>,
    duration_ns: Vec<i64>,
}

impl Shelves {
    /// At most `max_points`. The ends are kept rank by rank and are thinned out towards the middle, since
    /// the longest durations are the ones that matter; the middle is even.
    pub fn of(sorted: &[i64], max_points: usize) -> Self {
        let mut shelves = Self::default();
        for rank in ranks(sorted.len(), max_points) {
            if let (Some(duration_ns), Ok(rank)) = (sorted.get(rank), i64::try_from(rank)) {
                shelves.rank.push(rank);
                shelves.duration_ns.push(*duration_ns);
            }
        }
        shelves
    }
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
        assert_eq!(Shelves::of(&[], 9), Shelves::default());
        let all = Shelves { rank: vec![0, 1, 2], duration_ns: vec![5, 5, 9] };
        assert_eq!(Shelves::of(&[5, 5, 9], 3), all);
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
