//! The stages of two cases beside each other.

use serde::Serialize;

use super::causes::Times;
use crate::diff::{Sides, amounts};
use crate::explain::{Mark, Stage};

/// Marks of both sides that are aligned; of cases with more stages, only start and end are.
const MOST_CELLS: usize = 40_000;

/// A stretch between two moments that both sides have. Those of a comparison add up to its difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StagePair {
    from: &'static str,
    to: &'static str,
    #[serde(flatten)]
    times: Times,
}

/// The stages of both sides; where one has a moment that the other has not, its stages around that are one. None where
/// a side has no stages, or the two begin or end at different moments.
pub fn stage_pairs(stages: Sides<&[Stage]>) -> Vec<StagePair> {
    let Some((first, last)) = stages.map(<[Stage]>::first).both().zip(stages.map(<[Stage]>::last).both())
    else {
        return Vec::new();
    };
    if first.abnormal.from != first.normal.from || last.abnormal.to != last.normal.to {
        return Vec::new();
    }
    let marks = stages.map(|stages| stages.iter().map(|stage| stage.to).collect::<Vec<Mark>>());
    let mut pairs = Vec::new();
    let (mut from, mut taken) = (first.abnormal.from, Sides { abnormal: 0_usize, normal: 0_usize });
    for at in common(&marks.abnormal, &marks.normal) {
        let times = stages.zip(taken.zip(at)).map(|(stages, (from, to))| {
            stages
                .get(from..=to)
                .unwrap_or_default()
                .iter()
                .fold(0_i64, |sum, stage| sum.saturating_add(stage.duration_ns))
        });
        let Some(to) = marks.abnormal.get(at.abnormal).copied() else { break };
        pairs.push(StagePair { from: from.name(), to: to.name(), times: Times::of(times) });
        (from, taken) = (to, at.map(|at| at.saturating_add(1)));
    }
    pairs
}

/// ` Most of the difference, 2.950 ms, lies between wakeup and switch.`, where one stage makes most of the difference.
pub fn sentence(delta_ns: i64, pairs: &[StagePair]) -> String {
    let largest = pairs.iter().max_by_key(|pair| pair.times.delta_ns.unsigned_abs());
    let is_most = |pair: &&StagePair| {
        let own_ns = pair.times.delta_ns;
        pairs.len() > 1
            && own_ns.signum() == delta_ns.signum()
            && own_ns.unsigned_abs().saturating_mul(2) >= delta_ns.unsigned_abs()
    };
    largest.filter(is_most).map_or_else(String::new, |pair| {
        let StagePair { from, to, times } = pair;
        // Rounded like the whole, which was just said.
        let rest_ns = delta_ns.saturating_sub(times.delta_ns);
        let own = amounts(delta_ns, &[times.delta_ns, rest_ns]).parts.into_iter().next().flatten();
        own.map_or_else(String::new, |own| {
            format!(" Most of the difference, {own}, lies between {from} and {to}.")
        })
    })
}

/// Where in both lists the marks of a longest common subsequence are; the last ones always are.
fn common(abnormal: &[Mark], normal: &[Mark]) -> Vec<Sides<usize>> {
    let ends = abnormal.len().checked_sub(1).zip(normal.len().checked_sub(1));
    let Some((last_abnormal, last_normal)) = ends else { return Vec::new() };
    let last = Sides { abnormal: last_abnormal, normal: last_normal };
    let width = last_normal.saturating_add(1);
    if last_abnormal.saturating_add(1).saturating_mul(width) > MOST_CELLS {
        return vec![last];
    }
    let (abnormal, normal) =
        (abnormal.get(..last_abnormal).unwrap_or_default(), normal.get(..last_normal).unwrap_or_default());
    // How long the longest one of the rests is, by where the rests begin.
    let mut lengths = vec![vec![0_u32; width]; last_abnormal.saturating_add(1)];
    let length = |lengths: &[Vec<u32>], i: usize, j: usize| {
        lengths.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0)
    };
    for (i, one) in abnormal.iter().enumerate().rev() {
        for (j, other) in normal.iter().enumerate().rev() {
            let longest = if one == other {
                length(&lengths, i + 1, j + 1).saturating_add(1)
            } else {
                length(&lengths, i + 1, j).max(length(&lengths, i, j + 1))
            };
            if let Some(cell) = lengths.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = longest;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while let (Some(one), Some(other)) = (abnormal.get(i), normal.get(j)) {
        if one == other {
            found.push(Sides { abnormal: i, normal: j });
            (i, j) = (i + 1, j + 1);
        } else if length(&lengths, i + 1, j) >= length(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found.push(last);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(first: Mark, rest: &[(Mark, i64)]) -> Vec<Stage> {
        let mut from = first;
        let stage = |(to, duration_ns): &(Mark, i64)| {
            let stage = Stage { from, to: *to, start_ns: 0, duration_ns: *duration_ns, seq: None };
            from = *to;
            stage
        };
        rest.iter().map(stage).collect()
    }

    fn check(abnormal: &[(Mark, i64)], normal: &[(Mark, i64)], expected: &[&str]) {
        let both = Sides { abnormal, normal }.map(|rest| stages(Mark::Expiry, rest));
        let pairs = stage_pairs(both.as_ref().map(Vec::as_slice));
        let texts: Vec<String> = pairs
            .iter()
            .map(|StagePair { from, to, times }| format!("{from} → {to} {}", times.delta_ns))
            .collect();
        assert_eq!(texts, expected);
        let sum = |rest: &[(Mark, i64)]| rest.iter().map(|(_, ns)| ns).sum::<i64>();
        if !pairs.is_empty() {
            let deltas: i64 = pairs.iter().map(|pair| pair.times.delta_ns).sum();
            assert_eq!(deltas, sum(abnormal) - sum(normal));
        }
    }

    #[test]
    fn stages_that_both_have_are_compared_and_others_are_added_to_the_next() {
        use Mark::{Handler, IdleExit, InterruptEntry, Switch, Wakeup};
        check(
            &[(InterruptEntry, 5), (Handler, 2), (Wakeup, 3), (Switch, 90)],
            &[(InterruptEntry, 4), (Handler, 2), (Wakeup, 3), (IdleExit, 6), (Switch, 4)],
            &[
                "expected expiry → interrupt entry 1",
                "interrupt entry → timer handler 0",
                "timer handler → wakeup 0",
                "wakeup → switch 80",
            ],
        );
        check(&[(Switch, 9)], &[(Wakeup, 1), (Switch, 2)], &["expected expiry → switch 6"]);
    }

    #[test]
    fn cases_that_end_otherwise_have_no_stages_in_common() {
        check(&[(Mark::Switch, 9)], &[(Mark::Return, 2)], &[]);
        check(&[(Mark::Switch, 9)], &[], &[]);
    }

    #[test]
    fn the_stage_that_makes_most_of_it_is_named() {
        let pair = |delta_ns| StagePair {
            from: "wakeup",
            to: "switch",
            times: Times::of(Sides { abnormal: delta_ns, normal: 0 }),
        };
        assert_eq!(
            sentence(90_000, &[pair(10_000), pair(80_000)]),
            " Most of the difference, 80.00 µs, lies between wakeup and switch."
        );
        assert_eq!(
            sentence(1_789_004, &[pair(992_000), pair(797_004)]),
            " Most of the difference, 992 µs, lies between wakeup and switch."
        );
        assert_eq!(sentence(90_000, &[pair(90_000)]), "");
        assert_eq!(sentence(90_000, &[pair(30_000), pair(30_000), pair(30_000)]), "");
    }
}
