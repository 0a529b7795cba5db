//! How many cases a load can afford to explain: a small part of what reading the recording took.

use std::collections::{BTreeMap, BTreeSet};

use super::case::interval;
use super::explaining::{Explaining, Unexplained};
use super::needs::{AT_LOAD, Needs};
use crate::explain::Case;
use crate::explore::headers::Headers;

/// Costs count records that are looked at. Of each case, whatever its length.
const COST_OF_CASE: i64 = 500;
/// Of a block that is fetched and decoded.
const COST_OF_BLOCK: i64 = 4_000;
/// Records of a load that pay for a cost of one: it spends less than a tenth of its own work.
const RECORDS_OF_COST: i64 = 2;

/// What explaining some cases is going to cost, judged by the headers of their blocks.
#[derive(Default)]
struct Estimate {
    cost: i64,
    slices: BTreeSet<(i16, i32)>,
    events: BTreeSet<i32>,
}

/// Which kinds, by their stored numbers, can be explained as a whole beside what is explained in any case: the cheapest
/// first, so that most lists are at hand. One case that is left makes its list nearly as slow as all of them. A short
/// recording affords none: its lists are fast without.
pub fn affordable(
    always: &[Unexplained],
    kinds: &BTreeMap<i16, Vec<Unexplained>>,
    explaining: &Explaining<'_, '_>,
    headers: &Headers,
) -> BTreeSet<i16> {
    let counts = headers.events.iter().map(|block| block.count);
    let counts = counts.chain(headers.slices.iter().map(|block| block.count));
    let budget = counts.fold(0, i64::saturating_add).div_euclid(RECORDS_OF_COST);
    let fetched = Estimate::of(always, explaining, headers);
    let estimates = kinds.iter().map(|(kind, cases)| (*kind, Estimate::of(cases, explaining, headers)));
    within(budget, fetched, estimates.collect())
}

/// Those that a budget pays for, the cheapest first; what is fetched for one is there for the next.
fn within(mut budget: i64, mut fetched: Estimate, mut estimates: Vec<(i16, Estimate)>) -> BTreeSet<i16> {
    let mut affordable = BTreeSet::new();
    estimates.sort_by_key(|(_, estimate)| estimate.beside(&fetched));
    for (kind, estimate) in estimates {
        let cost = estimate.beside(&fetched);
        if cost <= budget {
            budget = budget.saturating_sub(cost);
            affordable.insert(kind);
            fetched.slices.extend(estimate.slices);
            fetched.events.extend(estimate.events);
        }
    }
    affordable
}

impl Estimate {
    fn of(cases: &[Unexplained], explaining: &Explaining<'_, '_>, headers: &Headers) -> Self {
        let mut all = Self::default();
        for Unexplained { kind, sample } in cases.iter().filter(|case| !case.sample.is_number()) {
            let case = Case::new(*kind, &interval(sample), explaining.tasks, explaining.symbols);
            let mut needs = Needs::of(&case, headers, AT_LOAD);
            if needs.known_from_ns > 0 {
                continue;
            }
            if !case.needs_events() {
                needs.events.clear();
            }
            all.add(&needs, headers);
        }
        all
    }

    /// A case, with its share of the records of the blocks in its reach.
    fn add(&mut self, needs: &Needs, headers: &Headers) {
        let share = |t0: i64, t1: i64, count: i64| {
            let inside = t1.min(needs.end_ns).saturating_sub(t0.max(needs.start_ns)).saturating_add(1);
            let whole = t1.saturating_sub(t0).saturating_add(1).max(1);
            let records = i128::from(count).saturating_mul(i128::from(inside.max(0)));
            i64::try_from(records.div_euclid(i128::from(whole))).unwrap_or(i64::MAX)
        };
        let slices = headers.slices.iter().filter(|block| needs.slices.contains(&block.id()));
        let slices = slices.map(|block| share(block.t0, block.t1, block.count));
        let events = headers.events.iter().filter(|block| needs.events.contains(&block.block));
        let events = events.map(|block| share(block.t0, block.t1, block.count));
        let records = slices.chain(events).fold(0, i64::saturating_add);
        self.cost = self.cost.saturating_add(COST_OF_CASE).saturating_add(records);
        self.slices.extend(&needs.slices);
        self.events.extend(&needs.events);
    }

    /// Its cost where the blocks of others are fetched anyway.
    fn beside(&self, others: &Self) -> i64 {
        let slices = self.slices.difference(&others.slices).count();
        let more = slices.saturating_add(self.events.difference(&others.events).count());
        let more = i64::try_from(more).unwrap_or(i64::MAX);
        self.cost.saturating_add(more.saturating_mul(COST_OF_BLOCK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of cases that cost so much, with these blocks of events.
    fn estimate(cost: i64, events: &[i32]) -> Estimate {
        Estimate { cost, events: events.iter().copied().collect(), ..Estimate::default() }
    }

    fn check(budget: i64, estimates: &[(i16, i64, &[i32])], expected: &[i16]) {
        let estimates = estimates.iter().map(|(kind, cost, events)| (*kind, estimate(*cost, events)));
        let affordable = within(budget, estimate(0, &[1]), estimates.collect());
        assert_eq!(affordable.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_cheapest_kinds_are_explained_as_long_as_the_budget_lasts() {
        let kinds: [(i16, i64, &[i32]); 3] = [(1, 9_000, &[]), (2, 1_000, &[]), (3, 5_000, &[])];
        check(0, &kinds, &[]);
        check(999, &kinds, &[]);
        check(1_000, &kinds, &[2]);
        check(6_000, &kinds, &[2, 3]);
        check(15_000, &kinds, &[1, 2, 3]);
    }

    #[test]
    fn a_block_is_paid_for_once() {
        // Block 1 is fetched in any case, and block 2 for the first of the kinds that have it.
        check(100, &[(1, 100, &[1])], &[1]);
        check(4_099, &[(1, 100, &[2])], &[]);
        check(4_300, &[(1, 100, &[2]), (2, 200, &[2])], &[1, 2]);
    }
}
