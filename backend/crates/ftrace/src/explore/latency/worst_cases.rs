//! The worst cases of a trace that was just loaded, explained in one sentence each.

use std::collections::BTreeSet;

use serde::Serialize;

use super::case_id::CaseNames;
use super::case_parts::CaseParts;
use super::needs::{AT_LOAD, Needs};
use super::worst::read_worst;
use crate::explain::{Case, Kind, headline};
use crate::explore::headers::Headers;
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};
use crate::kinds::KINDS;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::store::read::samples::StoredLatency;
use crate::store::tables;

/// Cases of each kind; what more there is of a kind is explained when somebody asks.
const CASES_OF_KIND: usize = 5;
/// Blocks that are fetched and decoded at once.
const BLOCKS_AT_ONCE: usize = 48;

/// Cases that lie beside each other, and what explains them.
struct Batch {
    cases: Vec<WorstCase>,
    needs: Needs,
}

struct WorstCase {
    kind: &'static dyn Kind,
    rank: i32,
    id: String,
    sample: StoredLatency,
    /// Events of other cases of the batch that are none of its own.
    unseen: Option<(i64, i64)>,
}

/// What is written beside the blocks of a trace that is being loaded: the sentences of its worst cases.
///
/// They are worked on in the order of time, so that each block is fetched once, or twice where it lies between two
/// batches.
pub async fn worst_cases(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let headers = Headers::fetch(&stored).await?;
    let [latency_case, task, symbol] =
        stored.whole([&tables::LATENCY_CASE, &tables::TASK, &tables::SYMBOL]).await;
    let names = (read_tasks(&task)?, read_symbols(&symbol)?);
    let mut sentences = Vec::new();
    for batch in batches(chosen(&params, &headers, &latency_case, (&names.0, &names.1))?) {
        let parts = CaseParts::fetch(&stored, &batch.needs, false).await;
        let trace = parts.trace_facts(&params, batch.needs.known_from_ns)?;
        let recorded = parts.recorded(trace)?;
        for WorstCase { kind, rank, id, sample, unseen } in batch.cases {
            let case = Case::new(kind, &sample, &recorded.tasks, &recorded.symbols);
            let headline = headline(&case, &recorded.around(&case, unseen));
            sentences.push(Sentence { kind: kind.latency().code, rank, id, headline });
        }
    }
    answer_json(&sentences)
}

/// The worst cases of each kind with what each needs, in the order of time.
fn chosen(
    params: &Params,
    headers: &Headers,
    latency_case: &[u8],
    (tasks, symbols): (&Dictionary<Task<'_>>, &Dictionary<Symbol<'_>>),
) -> Result<Vec<(WorstCase, Needs)>, ExploreError> {
    let worst = read_worst(latency_case)?;
    let mut cases: Vec<(WorstCase, Needs)> = Vec::new();
    for kind in KINDS.iter().copied() {
        let Some(samples) = worst.get(&kind.latency().code) else { continue };
        let names =
            CaseNames { kind: kind.latency(), origin_ns: params.origin_ns(), tasks, symbols, series: None };
        let wanted: Vec<usize> = (0..samples.len().min(CASES_OF_KIND)).collect();
        for ((rank, sample), id) in (0_i32..).zip(samples).zip(names.ids(samples, &wanted)) {
            let case = Case::new(kind, sample, tasks, symbols);
            let mut needs = Needs::of(&case, headers, AT_LOAD);
            if needs.known_from_ns > 0 {
                // So long that it is left to who opens it.
                continue;
            }
            let id = id.to_string();
            let unseen = if case.needs_events() {
                needs.unseen
            } else {
                needs.events.clear();
                Some((i64::MIN, i64::MAX))
            };
            cases.push((WorstCase { kind, rank, id, sample: *sample, unseen }, needs));
        }
    }
    cases.sort_by_key(|(case, _)| (case.sample.start_ns, case.kind.latency().code, case.rank));
    Ok(cases)
}

fn batches(cases: Vec<(WorstCase, Needs)>) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (case, needs) in cases {
        match batches.last_mut().map(|batch| (joined(&batch.needs, &needs), batch)) {
            Some((joined, batch))
                if joined.slices.len().saturating_add(joined.events.len()) <= BLOCKS_AT_ONCE =>
            {
                batch.cases.push(case);
                batch.needs = joined;
            }
            _ => batches.push(Batch { cases: vec![case], needs }),
        }
    }
    batches
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

#[derive(Serialize)]
struct Sentence {
    kind: i16,
    rank: i32,
    id: String,
    headline: String,
}
