//! The worst cases of a trace that was just loaded, explained in one sentence each.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::case::{KnownOfTrace, text};
use super::case_id::CaseNames;
use super::needs::{AT_LOAD, Headers, Needs};
use super::samples::StoredLatency;
use super::worst::read_worst;
use crate::analyses::{LatencyKind, latency_kinds};
use crate::explain::{Case, ExplainTables, Recorded, headline};
use crate::explore::dictionaries::{read_symbols, read_tasks};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Cases of each kind; what more there is of a kind is explained when somebody asks.
const CASES_OF_KIND: usize = 5;
/// Blocks that are fetched and decoded at once.
const BLOCKS_AT_ONCE: usize = 48;

/// Cases that lie beside each other, and what explains them.
#[derive(Debug, Serialize, Deserialize)]
pub struct Batch {
    cases: Vec<WorstCase>,
    #[serde(flatten)]
    needs: Needs,
}

#[derive(Debug, Serialize, Deserialize)]
struct WorstCase {
    kind: i16,
    rank: i32,
    id: String,
    sample: StoredLatency,
    /// Events of other cases of the batch that are none of its own.
    unseen: Option<(i64, i64)>,
}

/// JSON list of [`Batch`]es in the order of time, so that each block is fetched once, or twice where it
/// lies between two of them.
pub fn plan_worst_cases(
    request: &str,
    headers: &str,
    event_headers: &str,
    latency_case: &[u8],
    (task, symbol): (&[u8], &[u8]),
) -> Result<String, ExploreError> {
    let params = Params::parse(request)?;
    let headers = Headers::parse(headers, event_headers)?;
    let (tasks, symbols) = (read_tasks(task)?, read_symbols(symbol)?);
    let worst = read_worst(latency_case)?;
    let mut cases: Vec<(WorstCase, Needs)> = Vec::new();
    for kind in latency_kinds() {
        let Some(samples) = worst.get(&kind.code) else { continue };
        let origin_ns = params.origin_ns();
        let names = CaseNames { kind, origin_ns, tasks: &tasks, symbols: &symbols, series: None };
        let wanted: Vec<usize> = (0..samples.len().min(CASES_OF_KIND)).collect();
        for ((rank, sample), id) in (0_i32..).zip(samples).zip(names.ids(samples, &wanted)) {
            let case = Case::new(kind, sample, &tasks, &symbols);
            let mut needs = Needs::of(&case, &headers, AT_LOAD);
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
            cases.push((WorstCase { kind: kind.code, rank, id, sample: *sample, unseen }, needs));
        }
    }
    cases.sort_by_key(|(case, _)| (case.sample.start_ns, case.kind, case.rank));
    text(&batches(cases))
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

/// JSON `[{"kind", "rank", "id", "headline"}, ...]` of a batch.
pub fn explain_worst_cases(
    request: &str,
    batch: &str,
    known: &str,
    tables: ExplainTables<'_>,
) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let batch: Batch =
        serde_json::from_str(batch).map_err(|error| ExploreError::bad("batch", error.to_string()))?;
    let trace = KnownOfTrace::parse(known)?.facts(params.origin_ns(), batch.needs.known_from_ns);
    let recorded = Recorded::read(tables, trace)?;
    let kind_of = |code: i16| latency_kinds().find(|kind: &&'static LatencyKind| kind.code == code);
    let sentences =
        batch.cases.into_iter().filter_map(|WorstCase { kind: code, rank, id, sample, unseen }| {
            let case = Case::new(kind_of(code)?, &sample, &recorded.tasks, &recorded.symbols);
            let headline = headline(&case, &recorded.around(&case, unseen));
            Some(Sentence { kind: code, rank, id, headline })
        });
    answer_json(&sentences.collect::<Vec<_>>())
}
