//! Which members of a set can be read at a bounded cost.

use std::hash::Hash;

use hashbrown::HashSet;

/// How many members the blocks are chosen by; others are taken if they lie in the same ones.
const SEEDS: usize = 64;

/// The members, by their numbers, whose blocks hold no more than `most` records together, and these blocks.
///
/// `needs` are the blocks of each member in the order of time. The first member is kept for sure, the others evenly
/// over time.
pub fn within_budget<B: Copy + Eq + Hash>(
    needs: &[Vec<B>],
    count: impl Fn(&B) -> i64,
    most: i64,
) -> (Vec<usize>, Vec<B>) {
    let seeds = crate::diff::evenly(needs.len(), SEEDS);
    let mut blocks: Vec<B> = Vec::new();
    let mut known: HashSet<B> = HashSet::new();
    let mut cost = 0_i64;
    for seed in by_halves(seeds) {
        let new = needs.get(seed).into_iter().flatten().filter(|block| !known.contains(*block));
        let new: HashSet<B> = new.copied().collect();
        let more = new.iter().map(&count).fold(cost, i64::saturating_add);
        if more <= most || known.is_empty() {
            cost = more;
            blocks.extend(new.iter().copied());
            known.extend(new);
        }
    }
    let is_kept = |blocks: &[B]| blocks.iter().all(|block| known.contains(block));
    let kept = needs.iter().enumerate().filter(|(_, blocks)| is_kept(blocks)).map(|(at, _)| at).collect();
    (kept, blocks)
}

/// The first, then the one in the middle, then those in the middle of the halves, and so on: wherever one stops,
/// they are spread evenly.
pub fn by_halves(seeds: Vec<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(seeds.len());
    let mut step = seeds.len().next_power_of_two().max(1);
    while step > 0 {
        let at_step = seeds.iter().enumerate().filter(|(at, _)| at.is_multiple_of(step));
        let is_new = |(at, _): &(usize, &usize)| {
            *at == 0 && order.is_empty() || !at.is_multiple_of(step.saturating_mul(2))
        };
        let new: Vec<usize> = at_step.filter(is_new).map(|(_, seed)| *seed).collect();
        order.extend(new);
        step /= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(needs: &[&[u32]], most: i64, kept: &[usize], blocks: &[u32]) {
        let needs: Vec<Vec<u32>> = needs.iter().map(|blocks| blocks.to_vec()).collect();
        let (found, mut found_blocks) = within_budget(&needs, |_| 10, most);
        found_blocks.sort_unstable();
        assert_eq!((found.as_slice(), found_blocks.as_slice()), (kept, blocks));
    }

    #[test]
    fn members_in_the_chosen_blocks_are_kept() {
        check(&[&[1], &[1], &[1, 2], &[2], &[3]], 100, &[0, 1, 2, 3, 4], &[1, 2, 3]);
        // The first and the middle one decide.
        check(&[&[1], &[1], &[1, 2], &[2], &[3]], 20, &[0, 1, 4], &[1, 3]);
        check(&[&[1, 2, 3], &[4]], 5, &[0], &[1, 2, 3]);
        check(&[], 5, &[], &[]);
    }

    #[test]
    fn halves_are_halved() {
        assert_eq!(by_halves(vec![10, 11, 12, 13, 14, 15]), [10, 14, 12, 11, 13, 15]);
        assert_eq!(by_halves(vec![7]), [7]);
        assert_eq!(by_halves(Vec::new()), Vec::<usize>::new());
    }
}
