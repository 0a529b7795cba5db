//! Instances of a function, or cases of a kind, by what happens in them: a tick is no plain wakeup.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use hashbrown::HashMap;

/// Two of one shape have this part of all their names in common, in percent.
const ALIKE_PCT: usize = 80;
/// More shapes than this are too many to choose from; the rarer ones join the nearest.
const MOST_SHAPES: usize = 8;
/// How finely it counts from how many others a name distinguishes a shape.
const TITLE_STEPS: usize = 20;
/// Names that distinguish a shape from others.
const MOST_TITLES: usize = 3;

/// What happens in an instance, by name, sorted and each once.
pub type NameSet = Vec<i32>;

/// Instances that are alike.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    /// What happens in the most of them.
    pub names: NameSet,
    /// Which of the instances, in their order.
    pub members: Vec<usize>,
}

/// The shapes of some instances, the most common first.
pub fn shapes(instances: &[NameSet]) -> Vec<Shape> {
    let mut equal: HashMap<&NameSet, Vec<usize>> = HashMap::new();
    for (at, names) in instances.iter().enumerate() {
        equal.entry(names).or_default().push(at);
    }
    let mut equal: Vec<(&NameSet, Vec<usize>)> = equal.into_iter().collect();
    equal.sort_by_key(|(_, members)| (Reverse(members.len()), members.first().copied()));
    let mut found: Vec<Shape> = Vec::new();
    for (names, members) in equal {
        let near = nearest(&found, names, 0);
        let near = near.filter(|(_, pct)| *pct >= ALIKE_PCT || found.len() >= MOST_SHAPES);
        match near.and_then(|(at, _)| found.get_mut(at)) {
            Some(shape) => shape.members.extend(members),
            None => found.push(Shape { names: names.clone(), members }),
        }
    }
    found.iter_mut().for_each(|shape| shape.members.sort_unstable());
    found.sort_by_key(|shape| Reverse(shape.members.len()));
    found
}

/// The shape that has most in common with some names, and how much in percent, of those with enough members; the more
/// common one of equals.
pub fn nearest(shapes: &[Shape], names: &[i32], enough: usize) -> Option<(usize, usize)> {
    let with_enough = shapes.iter().enumerate().filter(|(_, shape)| shape.members.len() >= enough);
    let near = with_enough.map(|(at, shape)| (at, alike_pct(&shape.names, names)));
    near.max_by_key(|(at, pct)| (*pct, Reverse(*at)))
}

/// The names that both have, of all that either has; both are sorted.
fn alike_pct(one: &[i32], other: &[i32]) -> usize {
    let common = one.iter().filter(|name| other.binary_search(name).is_ok()).count();
    let all = one.len().saturating_add(other.len()).saturating_sub(common);
    common.saturating_mul(100).checked_div(all).unwrap_or(100)
}

/// What distinguishes a shape from the others: names that it has and they have not, and vice versa.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Title {
    pub with: Vec<i32>,
    pub without: Vec<i32>,
}

/// The fewest names that tell the shape at `at` from the others; of those that tell as much, the one that takes the
/// most time.
pub fn title(shapes: &[Shape], at: usize, time_ns: impl Fn(i32) -> i64) -> Title {
    let mut title = Title::default();
    let Some(own) = shapes.get(at) else { return title };
    let others = shapes.iter().enumerate().filter(|(other, _)| *other != at);
    let mut others: Vec<&Shape> = others.map(|(_, shape)| shape).collect();
    let known: BTreeSet<i32> = shapes.iter().flat_map(|shape| shape.names.iter().copied()).collect();
    let has = |shape: &Shape, name: i32| shape.names.binary_search(&name).is_ok();
    let count = |others: &[&Shape]| others.iter().map(|shape| shape.members.len()).sum::<usize>();
    // A rare shape more or less does not decide on a name.
    let step = count(&others).div_ceil(TITLE_STEPS).max(1);
    while title.with.len() + title.without.len() < MOST_TITLES {
        let weight = |name: i32| {
            let differs: Vec<&Shape> =
                others.iter().copied().filter(|shape| has(shape, name) != has(own, name)).collect();
            count(&differs) / step
        };
        // That something happens says more than that something does not.
        let best = known
            .iter()
            .copied()
            .max_by_key(|name| (weight(*name), has(own, *name), time_ns(*name), Reverse(*name)));
        let Some(name) = best.filter(|name| weight(*name) > 0) else { break };
        let is_own = has(own, name);
        if is_own {
            title.with.push(name)
        } else {
            title.without.push(name)
        }
        others.retain(|shape| has(shape, name) == is_own);
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: [i32; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const WAKEUP: [i32; 4] = [1, 2, 20, 21];

    fn instances(sets: &[(&[i32], usize)]) -> Vec<NameSet> {
        sets.iter().flat_map(|(names, count)| vec![names.to_vec(); *count]).collect()
    }

    fn check(sets: &[(&[i32], usize)], expected: &[(usize, &[i32], &[i32])]) {
        let found = shapes(&instances(sets));
        let titles: Vec<(usize, Title)> =
            (0..found.len()).map(|at| (found[at].members.len(), title(&found, at, |_| 0))).collect();
        let expected: Vec<(usize, Title)> = expected
            .iter()
            .map(|(count, with, without)| (*count, Title { with: with.to_vec(), without: without.to_vec() }))
            .collect();
        assert_eq!(titles, expected);
    }

    #[test]
    fn a_tick_is_no_plain_wakeup() {
        check(&[(&TICK, 5), (&WAKEUP, 7)], &[(7, &[20], &[]), (5, &[3], &[])]);
    }

    #[test]
    fn a_call_more_makes_no_other_shape() {
        let mut more = TICK.to_vec();
        more.push(11);
        check(&[(&TICK, 5), (&more, 1)], &[(6, &[], &[])]);
    }

    #[test]
    fn a_shape_that_others_contain_is_told_by_what_it_lacks() {
        let both: Vec<i32> = TICK.iter().copied().chain(20..25).collect();
        check(&[(&TICK, 5), (&both, 3)], &[(5, &[], &[20]), (3, &[20], &[])]);
    }

    #[test]
    fn the_nearest_shape_has_most_in_common() {
        let found = shapes(&instances(&[(&TICK, 5), (&WAKEUP, 7), (&[1, 2, 20, 22, 23, 24], 1)]));
        assert_eq!(nearest(&found, &TICK[..9], 1), Some((1, 90)));
        assert_eq!(nearest(&found, &[1, 2, 20, 22, 23, 24], 3).map(|(at, _)| at), Some(0));
        assert_eq!(nearest(&[], &TICK, 1), None);
        assert_eq!(nearest(&shapes(&instances(&[(&[], 2)])), &[], 1), Some((0, 100)));
    }

    #[test]
    fn rare_shapes_join_the_nearest() {
        let sets: Vec<Vec<i32>> = (0..40).map(|number| vec![number * 2, number * 2 + 1]).collect();
        let found = shapes(&sets);
        assert_eq!(found.len(), MOST_SHAPES);
        assert_eq!(found.iter().map(|shape| shape.members.len()).sum::<usize>(), 40);
    }
}
