//! Every kind of latency, with what the whole trace has of it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::groups::GroupBy;
use super::item::{CaseItem, CaseItems, headlines};
use super::scan::ScanTables;
use super::sentences::tell;
use super::task_filter::TaskFilter;
use super::worst::{self, KindTotals, OfTask};
use crate::analyses::{IncompleteReason, LatencyKind, Lateness};
use crate::explore::answer_json;
use crate::explore::protocol::{Answer, Stored};
use crate::kinds;
use crate::store::read::dictionaries;
use crate::store::read::dictionaries::{Dictionary, EventType};
use crate::store::read::samples::StoredLatency;
use crate::store::tables;

#[derive(Serialize)]
struct Kinds {
    items: Vec<Kind>,
}

#[derive(Serialize)]
struct Kind {
    kind: &'static str,
    title: &'static str,
    definition: &'static str,
    key_name: Option<&'static str>,
    lateness: Lateness,
    groups: Vec<&'static str>,
    has_tail: bool,
    count: i64,
    min_ns: Option<i64>,
    mean_ns: Option<i64>,
    max_ns: Option<i64>,
    log2_histogram: Vec<Bin>,
    incomplete: Vec<Incomplete>,
    worst: Option<CaseItem>,
    missing: Option<Vec<Vec<&'static str>>>,
}

/// What fell into `[low, high)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    pub low_ns: i64,
    pub high_ns: i64,
    pub count: i64,
}

/// How often something began or ended that gives no number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incomplete {
    pub reason: String,
    pub count: i64,
    sentence: &'static str,
}

impl Incomplete {
    pub fn new((reason, count): &(String, i64)) -> Self {
        let known = IncompleteReason::ALL.iter().find(|known| known.name() == reason);
        Self { reason: reason.clone(), count: *count, sentence: known.map_or("", |known| known.sentence()) }
    }
}

/// What a kind comes to, of all samples or of those of some tasks.
#[derive(Default)]
struct KindSums {
    count: i64,
    min_ns: Option<i64>,
    mean_ns: Option<i64>,
    max_ns: Option<i64>,
    log2_histogram: Vec<Bin>,
    worst: Option<CaseItem>,
}

/// GET latencies/kinds: all kinds in the order of the registry; nothing is read but sums.
///
/// With a filter on tasks, the kinds that are about tasks have what those tasks have of them, and the others
/// nothing.
pub async fn latency_kinds(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let filter = TaskFilter::from_params(&params)?;
    let tables = ScanTables::fetch(&stored).await;
    let tasks = dictionaries::read_tasks(&tables.task)?;
    let symbols = dictionaries::read_symbols(&tables.symbol)?;
    let types = dictionaries::read_event_types(&tables.event_type)?;
    let cases = CaseItems::new(&params, headlines(&tables.explanation)?, &tasks, &symbols);
    let totals = worst::read_totals(&tables.latency_kind)?;
    let incomplete = worst::read_incomplete(&tables.latency_incomplete)?;
    let mut sums = if filter.is_empty() {
        let [latency_case] = stored.whole([&tables::LATENCY_CASE]).await;
        of_all(&totals, &worst::read_worst(&latency_case)?, &cases)
    } else {
        let [latency_task] = stored.whole([&tables::LATENCY_TASK]).await;
        of_tasks(&worst::read_by_task(&latency_task)?, &filter, &cases)
    };
    let items = kinds::KINDS.iter().map(|known| {
        let kind = known.latency();
        let KindSums { count, min_ns, mean_ns, max_ns, log2_histogram, worst } =
            sums.remove(&kind.code).unwrap_or_default();
        let is_recorded = totals.contains_key(&kind.code);
        let incomplete = incomplete.get(&kind.code).filter(|_| filter.is_empty());
        Kind {
            kind: kind.name,
            title: kind.title,
            definition: kind.definition,
            key_name: kind.key_name,
            lateness: kind.lateness,
            groups: GroupBy::names(kind),
            has_tail: known.why_unprofiled().is_none(),
            count,
            min_ns,
            mean_ns,
            max_ns,
            log2_histogram,
            incomplete: incomplete.into_iter().flatten().map(Incomplete::new).collect(),
            worst,
            missing: if is_recorded { None } else { missing_events(kind, &types) },
        }
    });
    let mut items: Vec<Kind> = items.collect();
    tell(&stored, &params, items.iter_mut().filter_map(|kind| kind.worst.as_mut())).await?;
    answer_json(&Kinds { items })
}

/// By stored number of the kind.
fn of_all(
    totals: &BTreeMap<i16, KindTotals>,
    kept: &BTreeMap<i16, Vec<StoredLatency>>,
    cases: &CaseItems<'_, '_>,
) -> BTreeMap<i16, KindSums> {
    let of_kind = |kind: &'static LatencyKind| {
        let sums = totals.get(&kind.code)?;
        let sums = KindSums {
            count: sums.count,
            min_ns: Some(sums.min_ns),
            mean_ns: sums.sums().mean(),
            max_ns: Some(sums.max_ns),
            log2_histogram: log2_bins(&sums.log2_counts),
            worst: kept.get(&kind.code).and_then(|worst| cases.items(kind, worst, &[0]).pop()),
        };
        Some((kind.code, sums))
    };
    kinds::latency_kinds().filter_map(of_kind).collect()
}

/// By stored number of the kind: those of the tasks that are meant.
fn of_tasks(
    by_task: &BTreeMap<i16, Vec<OfTask>>,
    filter: &TaskFilter,
    cases: &CaseItems<'_, '_>,
) -> BTreeMap<i16, KindSums> {
    let of_kind = |kind: &'static LatencyKind| {
        let is_meant =
            |one: &&OfTask| cases.tasks.get(one.worst.task_idx).is_some_and(|task| filter.matches(task));
        let meant: Vec<&OfTask> = by_task.get(&kind.code)?.iter().filter(is_meant).collect();
        let worst = meant.iter().min_by_key(|one| (one.worst.is_starting(), one.worst.severity()))?.worst;
        let sums = KindSums {
            count: meant.iter().map(|one| one.count).sum(),
            max_ns: Some(worst.duration_ns),
            worst: Some(cases.worst_of_task(kind, &worst)),
            ..KindSums::default()
        };
        Some((kind.code, sums))
    };
    kinds::latency_kinds().filter_map(of_kind).collect()
}

/// By alternative of what to record for a kind, the events that were not recorded; `None` where all of
/// one were, and it did not happen.
pub fn missing_events(
    kind: &LatencyKind,
    types: &Dictionary<EventType<'_>>,
) -> Option<Vec<Vec<&'static str>>> {
    let is_recorded = |event: &str| types.iter().any(|(_, known)| known.name == event);
    let lacking = |events: &&[&'static str]| -> Vec<&'static str> {
        events.iter().copied().filter(|event| !is_recorded(event)).collect()
    };
    let alternatives: Vec<_> = kind.analysis.needs.iter().map(lacking).collect();
    (!alternatives.is_empty() && !alternatives.iter().any(Vec::is_empty)).then_some(alternatives)
}

/// The bins from the first to the last that has anything.
fn log2_bins(counts: &[i64]) -> Vec<Bin> {
    let bins = (0_u32..).zip(counts).map(|(bits, count)| {
        let (low_ns, high_ns) = log2_bounds(bits);
        Bin { low_ns, high_ns, count: *count }
    });
    trim(bins.collect())
}

/// `[low, high)` of the durations of that many bits; zero has none.
pub fn log2_bounds(bits: u32) -> (i64, i64) {
    let power = |exponent: u32| 1_i64.checked_shl(exponent).filter(|power| *power > 0).unwrap_or(i64::MAX);
    match bits.checked_sub(1) {
        None => (0, 1),
        Some(exponent) => (power(exponent), power(bits)),
    }
}

/// Without the empty bins at both ends.
pub fn trim(bins: Vec<Bin>) -> Vec<Bin> {
    let is_filled = |bin: &Bin| bin.count > 0;
    let first = bins.iter().position(is_filled).unwrap_or(bins.len());
    let end = bins.iter().rposition(is_filled).map_or(first, |last| last.saturating_add(1));
    bins.into_iter().take(end).skip(first).collect()
}
