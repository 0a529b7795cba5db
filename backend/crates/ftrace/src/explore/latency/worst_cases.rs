//! The worst cases of a trace that was just loaded, explained in one sentence each, with rulers for the catalog.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::affordable::affordable;
use super::case_id::{CaseId, CaseNames};
use super::explaining::{Explaining, Unexplained};
use super::measured::measures;
use super::ruler_item::RulerItem;
use super::worst::{OfTask, read_by_task, read_worst};
use crate::explain::Kind;
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
/// Cases of each kind that are always explained; of the others that are kept, what is affordable, and the rest when
/// somebody asks.
const CASES_OF_KIND: usize = 5;

struct WorstCase {
    rank: i32,
    id: String,
    unexplained: Unexplained,
}

impl WorstCase {
    /// The catalog shows the worst of a kind, or the worst of a task.
    fn is_for_catalog(&self) -> bool {
        self.rank <= 0
    }

    /// Its stored number.
    fn kind(&self) -> i16 {
        self.unexplained.kind.latency().code
    }

    fn is_always_explained(&self) -> bool {
        usize::try_from(self.rank).is_ok_and(|rank| rank < CASES_OF_KIND) || self.rank < 0
    }
}

/// What is written beside the blocks of a trace that is being loaded: the sentences of its worst cases, and their rulers.
pub async fn worst_cases(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let [latency_case, latency_task, task, symbol] =
        stored.whole([&tables::LATENCY_CASE, &tables::LATENCY_TASK, &tables::TASK, &tables::SYMBOL]).await;
    let (tasks, symbols) = (read_tasks(&task)?, read_symbols(&symbol)?);
    let worst = chosen(&params, &Worst::read(&latency_case, &latency_task)?, (&tasks, &symbols));
    let headers = Headers::fetch(&stored).await?;
    let explaining = Explaining { stored: &stored, params: &params, tasks: &tasks, symbols: &symbols };
    let affordable = affordable_kinds(&explaining, &worst, &headers);
    let is_explained = |case: &WorstCase| case.is_always_explained() || affordable.contains(&case.kind());
    let worst: Vec<WorstCase> = worst.into_iter().filter(is_explained).collect();
    let cases: Vec<Unexplained> = worst.iter().map(|worst| worst.unexplained).collect();
    let told = explaining.told(&cases, &headers, None, |explanation, around| {
        let ruler = RulerItem::new(&explanation, around);
        (explanation.headline, ruler)
    });
    let said = worst.into_iter().zip(told.await?).filter_map(|(worst, told)| {
        let (headline, ruler) = told?;
        let ruler = ruler.filter(|_| worst.is_for_catalog());
        Some(Sentence { kind: worst.kind(), rank: worst.rank, id: worst.id, headline, ruler })
    });
    answer_json(&said.collect::<Vec<_>>())
}

/// The kinds whose cases can all be explained while the trace is loaded.
fn affordable_kinds(
    explaining: &Explaining<'_, '_>,
    worst: &[WorstCase],
    headers: &Headers,
) -> BTreeSet<i16> {
    let (always, others): (Vec<&WorstCase>, Vec<&WorstCase>) =
        worst.iter().partition(|case| case.is_always_explained());
    let always: Vec<Unexplained> = always.into_iter().map(|case| case.unexplained).collect();
    let mut kinds: BTreeMap<i16, Vec<Unexplained>> = BTreeMap::new();
    for case in others {
        kinds.entry(case.kind()).or_default().push(case.unexplained);
    }
    affordable(&always, &kinds, explaining, headers)
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
        let wanted: Vec<usize> = (0..all.len()).collect();
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
        about.sort_unstable_by_key(|one| (class(one), one.is_starting(), one.severity()));
        about.truncate(TASKS_OF_KIND);
        let of_tasks = about.into_iter().map(|one| (rank_of_task(one.task_idx), one, names.id(&one, 0)));
        of_kind.chain(of_tasks).collect()
    }
}

/// The rank of the worst case of a task, below that of any other: the catalog finds the task by it.
fn rank_of_task(task_idx: i32) -> i32 {
    (-1_i32).saturating_sub(task_idx)
}

/// The worst cases of each kind.
fn chosen(
    params: &Params,
    worst: &Worst,
    (tasks, symbols): (&Dictionary<Task<'_>>, &Dictionary<Symbol<'_>>),
) -> Vec<WorstCase> {
    let of_kind = |kind: &'static dyn Kind| {
        let names =
            CaseNames { kind: kind.latency(), origin_ns: params.origin_ns(), tasks, symbols, series: None };
        let ranked = worst.ranked(&names).into_iter();
        ranked.map(move |(rank, sample, id)| WorstCase {
            rank,
            id: id.to_string(),
            unexplained: Unexplained { kind, sample },
        })
    };
    KINDS.iter().copied().flat_map(of_kind).collect()
}

#[derive(Serialize)]
struct Sentence {
    kind: i16,
    rank: i32,
    id: String,
    headline: String,
    ruler: Option<RulerItem>,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::testing::{LINES, request};
    use crate::explore::protocol::{Shelf, ask};
    use crate::import::testing::import_lines;

    #[test]
    fn what_the_catalog_may_show_has_a_ruler() {
        let (written, _) = import_lines(LINES);
        let answer = ask("worst_cases", &request(""), &Shelf::of(&written)).unwrap();
        let said: Vec<Value> = serde_json::from_slice(&answer).unwrap();
        let wakeups: Vec<_> = said
            .iter()
            .filter(|one| one["id"].as_str().unwrap().starts_with("wakeup"))
            .map(|one| (one["rank"].as_i64().unwrap(), one["ruler"].is_object()))
            .collect();
        // Those of lower ranks are only in lists, which show none.
        assert_eq!(wakeups, [(0, true), (1, false), (2, false)]);
    }
}
