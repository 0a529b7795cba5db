//! Items that each side has exactly once: matched whatever lies between them.

use std::hash::Hash;

use hashbrown::HashMap;

use super::sequence::{Item, Sequence};
use super::sides::Sides;

/// Positions on both sides, rising on both.
pub fn anchors(sides: Sides<Sequence<'_>>) -> Vec<Sides<usize>> {
    let by_shape = rising(&once_on_both(sides, |item| item.shape));
    if by_shape.is_empty() {
        rising(&once_on_both(sides, |item| (item.function, item.kind)))
    } else {
        by_shape
    }
}

/// In the order of the abnormal side.
fn once_on_both<K: Eq + Hash>(sides: Sides<Sequence<'_>>, key: impl Fn(&Item) -> K) -> Vec<Sides<usize>> {
    // The position of each key, and whether it is the only one.
    let mut in_normal: HashMap<K, (usize, bool)> = HashMap::new();
    for (at, item) in sides.normal.items.iter().enumerate() {
        in_normal.entry(key(item)).and_modify(|place| place.1 = false).or_insert((at, true));
    }
    let mut counts: HashMap<K, u32> = HashMap::new();
    for item in sides.abnormal.items {
        let count = counts.entry(key(item)).or_default();
        *count = count.saturating_add(1);
    }
    let place = |(abnormal, item): (usize, &Item)| {
        let (normal, is_alone) = *in_normal.get(&key(item))?;
        (is_alone && counts.get(&key(item)) == Some(&1)).then_some(Sides { abnormal, normal })
    };
    sides.abnormal.items.iter().enumerate().filter_map(place).collect()
}

/// The longest part of the pairs that also rises on the normal side.
fn rising(pairs: &[Sides<usize>]) -> Vec<Sides<usize>> {
    // Of each length, the pair with the smallest end; and of each pair, the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let in_normal = |idx: usize| pairs.get(idx).map(|pair| pair.normal);
    for (idx, pair) in pairs.iter().enumerate() {
        let shorter = ends.partition_point(|end| in_normal(*end) < Some(pair.normal));
        before.push(shorter.checked_sub(1).and_then(|last| ends.get(last)).copied());
        match ends.get_mut(shorter) {
            Some(end) => *end = idx,
            None => ends.push(idx),
        }
    }
    let mut rising = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(idx) = next {
        rising.extend(pairs.get(idx));
        next = before.get(idx).copied().flatten();
    }
    rising.reverse();
    rising
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(usize, usize)], expected: &[(usize, usize)]) {
        let pairs: Vec<_> = pairs.iter().map(|&(abnormal, normal)| Sides { abnormal, normal }).collect();
        let rising = rising(&pairs).into_iter().map(|pair| (pair.abnormal, pair.normal));
        assert_eq!(rising.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn anchors_rise_on_both_sides() {
        check(&[], &[]);
        check(&[(0, 3), (1, 0), (2, 1), (3, 2)], &[(1, 0), (2, 1), (3, 2)]);
        check(&[(0, 0), (1, 5), (2, 1), (3, 6)], &[(0, 0), (2, 1), (3, 6)]);
    }
}
