//! Many cases explained at once.

use std::collections::BTreeSet;

use super::case::interval;
use super::case_parts::CaseParts;
use super::field_series::{FieldSeries, symbols_with};
use super::needs::{AT_LOAD, Needs};
use super::side_by_side::side_by_side;
use crate::analyses::SampleFlags;
use crate::explain::{Case, Explanation, Kind, Surroundings, explain_briefly};
use crate::explore::ExploreError;
use crate::explore::headers::Headers;
use crate::explore::protocol::Stored;
use crate::explore::request::Params;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task};
use crate::store::read::samples::StoredLatency;

/// Blocks that are fetched and decoded at once.
const BLOCKS_AT_ONCE: usize = 48;
/// Cases that are put in the order of time together: where the work is limited, those of later portions go without.
const PORTION: usize = 250;

/// Records of a block that are fetched and decoded in the time that it takes to explain one of them.
const RECORDS_OF_COST: usize = 16;

/// A case that is to be explained.
#[derive(Clone, Copy)]
pub struct Unexplained {
    pub kind: &'static dyn Kind,
    pub sample: StoredLatency,
}

/// What cases are looked up in.
pub struct Explaining<'s, 'a> {
    pub stored: &'s Stored,
    pub params: &'s Params,
    pub tasks: &'s Dictionary<Task<'a>>,
    pub symbols: &'s Dictionary<Symbol<'a>>,
}

/// Cases that lie beside each other, and what explains them.
struct Batch {
    cases: Vec<InBatch>,
    needs: Needs,
}

struct InBatch {
    /// Its place among all that are to be explained.
    at: usize,
    wanted: Unexplained,
    /// Events of other cases of the batch that are none of its own.
    unseen: Option<(i64, i64)>,
}

impl Batch {
    /// The stacks of a tracer's report say what ran where nothing else does; other cases are explained without them.
    fn has_stacks(&self) -> bool {
        self.cases.iter().any(|case| case.wanted.sample.flags.has(SampleFlags::REPORTED))
    }
}

impl Explaining<'_, '_> {
    /// What `tell` says of each of the cases, which come in the order of their importance; `None` for one that has no
    /// length, is so long that it is left to who opens it, or comes when the others have cost `max_cost`: one for each
    /// slice and event around a case, and for [`RECORDS_OF_COST`] of the blocks. Without a limit, all are explained.
    ///
    /// They are worked on in the order of time, so that each block is fetched once, or twice where it lies between two
    /// batches.
    pub async fn told<T: Send>(
        &self,
        cases: &[Unexplained],
        headers: &Headers,
        max_cost: Option<usize>,
        tell: impl Fn(Explanation<'_>, &Surroundings<'_, '_>) -> T + Sync,
    ) -> Result<Vec<Option<T>>, ExploreError> {
        let mut all: Vec<Option<T>> = cases.iter().map(|_| None).collect();
        let mut cost = 0_usize;
        // Where all are explained, each block is fetched once.
        let at_once = max_cost.map_or(cases.len().max(1), |_| PORTION);
        let max_cost = max_cost.unwrap_or(usize::MAX);
        for (number, portion) in cases.chunks(at_once).enumerate() {
            let first = number.saturating_mul(at_once);
            let batches = batches(self.in_order(portion, first, headers));
            for (at, batch) in batches.iter().enumerate() {
                if cost >= max_cost {
                    return Ok(all);
                }
                let next = batches.get(at.saturating_add(1));
                self.stored.expect(
                    next.into_iter()
                        .flat_map(|next| CaseParts::needs(self.stored, &next.needs, next.has_stacks())),
                );
                cost = cost.saturating_add(cost_of_blocks(&batch.needs, headers));
                let parts = CaseParts::fetch(self.stored, &batch.needs, batch.has_stacks()).await;
                let told = self.of_batch(batch, &parts, max_cost.saturating_sub(cost), &tell)?;
                for (InBatch { at, .. }, (cost_of_case, said)) in batch.cases.iter().zip(told) {
                    cost = cost.saturating_add(cost_of_case);
                    if let Some(place) = all.get_mut(*at) {
                        *place = Some(said);
                    }
                }
            }
        }
        Ok(all)
    }

    /// Of each case what it costs, and what `tell` says; of the first ones where all would cost more than they may.
    fn of_batch<T: Send>(
        &self,
        batch: &Batch,
        parts: &CaseParts,
        max_cost: usize,
        tell: impl Fn(Explanation<'_>, &Surroundings<'_, '_>) -> T + Sync,
    ) -> Result<Vec<(usize, T)>, ExploreError> {
        let trace = parts.trace_facts(self.params, batch.needs.known_from_ns)?;
        let recorded = parts.recorded(trace)?;
        let series = FieldSeries::of_events(self.params);
        let with_series = series.is_some().then(|| symbols_with(recorded.symbols.clone(), series.as_ref()));
        let symbols = with_series.as_ref().unwrap_or(&recorded.symbols);
        let explain = |InBatch { wanted, unseen, .. }: &InBatch| {
            let case = Case::new(wanted.kind, &interval(&wanted.sample), &recorded.tasks, symbols);
            let around = recorded.around(&case, *unseen);
            (around.record_count(), tell(explain_briefly(&case, &around), &around))
        };
        Ok(side_by_side(&batch.cases, max_cost, explain))
    }

    /// The cases of a portion that can be explained with what each needs, in the order of time.
    fn in_order(&self, portion: &[Unexplained], first: usize, headers: &Headers) -> Vec<(InBatch, Needs)> {
        let mut cases: Vec<(InBatch, Needs)> = Vec::new();
        for (at, wanted) in (first..).zip(portion).filter(|(_, wanted)| !wanted.sample.is_number()) {
            let case = Case::new(wanted.kind, &interval(&wanted.sample), self.tasks, self.symbols);
            let mut needs = Needs::of(&case, headers, AT_LOAD);
            if needs.known_from_ns > 0 {
                continue;
            }
            let unseen = if case.needs_events() {
                needs.unseen
            } else {
                needs.events.clear();
                Some((i64::MIN, i64::MAX))
            };
            cases.push((InBatch { at, wanted: *wanted, unseen }, needs));
        }
        cases.sort_by_key(|(case, _)| (case.wanted.sample.start_ns, case.at));
        cases
    }
}

fn batches(cases: Vec<(InBatch, Needs)>) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (case, needs) in cases {
        match batches.last_mut().map(|batch| (joined(&batch.needs, &needs), batch)) {
            Some((joined, batch))
                if joined.slices.len().saturating_add(joined.events.len()) <= BLOCKS_AT_ONCE =>
            {
                batch.cases.push(case);
                batch.needs = joined;
            }
            _ => batches.push(Batch { cases: vec![case], needs: joined(&needs, &needs) }),
        }
    }
    batches
}

/// Of what is fetched.
fn cost_of_blocks(needs: &Needs, headers: &Headers) -> usize {
    let slices = headers.slices.iter().filter(|header| needs.slices.binary_search(&header.id()).is_ok());
    let events = headers.events.iter().filter(|header| needs.events.binary_search(&header.block).is_ok());
    let counts = slices.map(|header| header.count).chain(events.map(|header| header.count));
    let records = counts.fold(0_i64, i64::saturating_add);
    usize::try_from(records).unwrap_or(usize::MAX).div_euclid(RECORDS_OF_COST)
}

fn joined(one: &Needs, other: &Needs) -> Needs {
    let slices: BTreeSet<_> = one.slices.iter().chain(&other.slices).copied().collect();
    let events: BTreeSet<_> = one.events.iter().chain(&other.events).copied().collect();
    Needs {
        slices: slices.into_iter().collect(),
        events: events.into_iter().collect(),
        start_ns: one.start_ns.min(other.start_ns),
        end_ns: one.end_ns.max(other.end_ns),
        known_from_ns: one.known_from_ns.max(other.known_from_ns),
        unseen: None,
    }
}
