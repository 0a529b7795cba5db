//! What stands on both sides exactly once: matched whatever stands in between.

use std::hash::Hash;

use hashbrown::HashMap;

use super::sequence::Item;

/// Positions on both sides, rising on both.
pub fn anchors(x: &[Item], y: &[Item]) -> Vec<(usize, usize)> {
    let by_shape = rising(&once_on_both(x, y, |item| item.shape));
    if by_shape.is_empty() {
        rising(&once_on_both(x, y, |item| (item.function, item.kind)))
    } else {
        by_shape
    }
}

/// In the order of the first side.
fn once_on_both<K: Eq + Hash>(x: &[Item], y: &[Item], key: impl Fn(&Item) -> K) -> Vec<(usize, usize)> {
    // Where each key stands, and whether it stands there alone.
    let mut in_y: HashMap<K, (usize, bool)> = HashMap::new();
    for (at, item) in y.iter().enumerate() {
        in_y.entry(key(item)).and_modify(|place| place.1 = false).or_insert((at, true));
    }
    let mut counts: HashMap<K, u32> = HashMap::new();
    for item in x {
        let count = counts.entry(key(item)).or_default();
        *count = count.saturating_add(1);
    }
    let place = |(at_x, item): (usize, &Item)| {
        let (at_y, is_alone) = in_y.get(&key(item))?;
        (*is_alone && counts.get(&key(item)) == Some(&1)).then_some((at_x, *at_y))
    };
    x.iter().enumerate().filter_map(place).collect()
}

/// The longest part of the pairs that rises on the second side, too.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of each length, the pair with the smallest end; and of each pair, the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let at_y = |idx: usize| pairs.get(idx).map(|pair| pair.1);
    for (idx, pair) in pairs.iter().enumerate() {
        let shorter = ends.partition_point(|end| at_y(*end) < Some(pair.1));
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
        assert_eq!(rising(pairs), expected);
    }

    #[test]
    fn anchors_rise_on_both_sides() {
        check(&[], &[]);
        check(&[(0, 3), (1, 0), (2, 1), (3, 2)], &[(1, 0), (2, 1), (3, 2)]);
        check(&[(0, 0), (1, 5), (2, 1), (3, 6)], &[(0, 0), (2, 1), (3, 6)]);
    }
}
