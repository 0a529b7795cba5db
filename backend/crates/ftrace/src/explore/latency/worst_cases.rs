//! The worst cases of a trace that was just loaded, explained in one sentence each.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::case_id::{CaseId, CaseNames};
use super::case_parts::CaseParts;
use super::measured::measures;
use super::needs::{AT_LOAD, Needs};
use super::worst::{OfTask, read_by_task, read_worst};
use crate::explain::{Case, Kind, headline};
use crate::explore::headers::Headers;
use crate::explore::priority_class::PriorityClass;
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};
use crate::kinds::KINDS;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::store::read::samples::StoredLatency;
use crate::store::tables;

/// Tasks that the recording is about, whose worst cases are explained besides.
const TASKS_OF_KIND: usize = 5;
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
    let [latency_case, latency_task, task, symbol] =
        stored.whole([&tables::LATENCY_CASE, &tables::LATENCY_TASK, &tables::TASK, &tables::SYMBOL]).await;
    let names = (read_tasks(&task)?, read_symbols(&symbol)?);
    let mut sentences = Vec::new();
    let worst = Worst::read(&latency_case, &latency_task)?;
    for batch in batches(chosen(&params, &headers, &worst, (&names.0, &names.1))) {
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

/// What was kept of each kind, by its stored number: the worst samples, and what each task has.
struct Worst {
    of_all: BTreeMap<i16, Vec<StoredLatency>>,
    by_task: BTreeMap<i16, Vec<OfTask>>,
}

impl Worst {
    fn read(latency_case: &[u8], latency_task: &[u8]) -> Result<Self, ExploreError> {
        Ok(Self { of_all: read_worst(latency_case)?, by_task: read_by_task(latency_task)? })
    }

    /// Rank, sample and number in its name: the worst of the kind from rank 0, and the worst of each task that
    /// the recording is about, whose ranks are below zero.
    fn ranked(&self, names: &CaseNames<'_, '_>) -> Vec<(i32, StoredLatency, CaseId)> {
        let kind = names.kind;
        let all: &[StoredLatency] = self.of_all.get(&kind.code).map_or(&[], Vec::as_slice);
        let wanted: Vec<usize> = (0..all.len().min(CASES_OF_KIND)).collect();
        let of_kind =
            (0_i32..).zip(all).zip(names.ids(all, &wanted)).map(|((rank, one), id)| (rank, *one, id));
        let tasks = self.by_task.get(&kind.code).into_iter().flatten();
        let mut about: Vec<StoredLatency> = tasks
            .filter(|one| {
                let task = names.tasks.get(one.worst.task_idx);
                task.is_some_and(|task| measures(task, kind, one.count))
            })
            .map(|one| one.worst)
            .collect();
        // The main thread of a program that measures sleeps, too, without a promise that it could break.
        let class = |one: &StoredLatency| {
            let prio = names.tasks.get(one.task_idx).and_then(|task| task.prio);
            (prio.is_none(), prio.map(PriorityClass::of))
        };
        about.sort_unstable_by_key(|one| (class(one), one.severity()));
        about.truncate(TASKS_OF_KIND);
        let of_tasks = about.into_iter().map(|one| (rank_of_task(one.task_idx), one, names.id(&one, 0)));
        of_kind.chain(of_tasks).collect()
    }
}

/// The rank of the worst case of a task, below that of any other: the catalog finds the task by it.
fn rank_of_task(task_idx: i32) -> i32 {
    (-1_i32).saturating_sub(task_idx)
}

/// The worst cases of each kind with what each needs, in the order of time.
fn chosen(
    params: &Params,
    headers: &Headers,
    worst: &Worst,
    (tasks, symbols): (&Dictionary<Task<'_>>, &Dictionary<Symbol<'_>>),
) -> Vec<(WorstCase, Needs)> {
    let mut cases: Vec<(WorstCase, Needs)> = Vec::new();
    for kind in KINDS.iter().copied() {
        let names =
            CaseNames { kind: kind.latency(), origin_ns: params.origin_ns(), tasks, symbols, series: None };
        for (rank, sample, id) in worst.ranked(&names) {
            let case = Case::new(kind, &sample, tasks, symbols);
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
            cases.push((WorstCase { kind, rank, id, sample, unseen }, needs));
        }
    }
    cases.sort_by_key(|(case, _)| (case.sample.start_ns, case.kind.latency().code, case.rank));
    cases
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
