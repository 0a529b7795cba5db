//! Gates for automation: whether a number of a trace's latencies keeps to a limit.

use std::cmp::Ordering;

use serde::Serialize;

use super::case_id::CaseId;
use super::distribution::{Distribution, Sums};
use super::distributions::{Distributions, Wanted};
use super::field_series::{FieldSeries, params_with_series};
use super::item::{CaseItem, CaseItems, headlines};
use super::kinds::missing_events;
use super::placed_sample::PlacedSample;
use super::scan::{About, Names, Purpose, ScanTables, Work, scan};
use super::selection::Selection;
use super::sentences::tell;
use super::worst;
use crate::analyses::{IncompleteReason, LatencyKind};
use crate::explore::duration::{clock_text, parse_duration};
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};
use crate::model::{TimeUnit, grouped};
use crate::store::read::dictionaries;
use crate::store::read::dictionaries::{read_symbols, read_tasks};
use crate::store::tables;

/// The number that is compared with the limit.
#[derive(Clone, Copy)]
enum Stat {
    Count,
    /// Of what durations add up to.
    Sum(fn(&Sums) -> Option<i64>),
    /// Of all of them, one by one.
    Rank(fn(&Distribution) -> i64),
}

static STATS: [(&str, Stat); 10] = [
    ("max", Stat::Sum(|of| Some(of.max))),
    ("min", Stat::Sum(|of| Some(of.min))),
    ("mean", Stat::Sum(Sums::mean)),
    ("p50", Stat::Rank(|of| of.p50_ns)),
    ("p90", Stat::Rank(|of| of.p90_ns)),
    ("p99", Stat::Rank(|of| of.p99_ns)),
    ("p99_9", Stat::Rank(|of| of.p99_9_ns)),
    ("p99_99", Stat::Rank(|of| of.p99_99_ns)),
    ("p99_999", Stat::Rank(|of| of.p99_999_ns)),
    ("count", Stat::Count),
];

/// How the number has to compare to the limit.
type Holds = fn(Ordering) -> bool;

static OPERATORS: [(&str, Holds); 5] = [
    ("<=", Ordering::is_le),
    ("<", Ordering::is_lt),
    (">=", Ordering::is_ge),
    (">", Ordering::is_gt),
    ("==", Ordering::is_eq),
];

struct Check {
    selection: Selection,
    kind: &'static LatencyKind,
    stat: Stat,
    holds: Holds,
    limit: i64,
    min_count: i64,
    /// More samples could not mend a broken limit: a maximum and a count only rise, a minimum only falls.
    is_final_when_broken: bool,
    /// It takes all values, and not just the extremes.
    needs_all: bool,
    /// The samples are bare numbers.
    is_number: bool,
    /// Of durations.
    unit: TimeUnit,
    /// A limit in units of time, where the clock only counts.
    time_limit: Option<String>,
    stat_name: &'static str,
    operator: &'static str,
}

impl Check {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let (selection, kind) = Selection::of_one_kind(params)?;
        let (stat_name, stat) = chosen(params, "stat", &STATS)?;
        let (operator, holds) = chosen(params, "op", &OPERATORS)?;
        let text = params.text("value", 64)?.unwrap_or_default();
        let is_number = selection.series.as_ref().is_some_and(FieldSeries::is_number);
        let (value, expected) = match stat {
            Stat::Count => (text.parse().ok(), "a number"),
            _ if is_number => (text.parse().ok(), "a number"),
            Stat::Sum(_) | Stat::Rank(_) => (parse_duration(&text), "a duration such as 50us"),
        };
        let refuse = || ExploreError::bad("value", format!("{text:?} is not {expected}"));
        let limit = value.filter(|limit| is_number || *limit >= 0).ok_or_else(refuse)?;
        let min_count = params.int("min_count", 0..=i64::from(u32::MAX), 1)?;
        let unit = params.trace().time_unit;
        let is_duration = !is_number && !matches!(stat, Stat::Count);
        let is_time = unit == TimeUnit::Ticks && is_duration && text.parse::<i64>().is_err();
        let is_final_when_broken =
            matches!((stat_name, operator), ("max" | "count", "<" | "<=") | ("min", ">" | ">="));
        let needs_all = !matches!(stat_name, "max" | "min");
        Ok(Self {
            selection,
            kind,
            stat,
            holds,
            limit,
            min_count,
            is_final_when_broken,
            needs_all,
            is_number,
            unit,
            time_limit: is_time.then_some(text),
            stat_name,
            operator,
        })
    }

    /// `p99.9`
    fn name(&self) -> String {
        self.stat_name.replace('_', ".")
    }
}

/// One of a list, which has to be given.
fn chosen<T: Copy>(
    params: &Params,
    name: &'static str,
    list: &'static [(&'static str, T)],
) -> Result<(&'static str, T), ExploreError> {
    let options: Vec<(&str, Option<usize>)> =
        (0..).zip(list).map(|(at, (name, _))| (*name, Some(at))).collect();
    let at = params.choice(name, &options, None)?;
    let found = at.and_then(|at| list.get(at)).copied();
    found.ok_or_else(|| ExploreError::bad(name, "has to be given"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Passed,
    Failed,
    Undecidable,
}

#[derive(Serialize)]
struct CheckResult {
    outcome: Outcome,
    passed: Option<bool>,
    reason: Option<String>,
    actual_ns: Option<i64>,
    count: i64,
    worst: Option<WorstCase>,
}

#[derive(Serialize)]
struct WorstCase {
    id: CaseId,
    url: String,
    headline: String,
}

/// A check in the making.
pub struct CheckWork {
    check: Check,
    distributions: Distributions,
}

impl CheckWork {
    pub fn new(params: &Params) -> Result<Self, ExploreError> {
        let distributions = Distributions::new(Wanted { bucketing: None, is_by_key: false });
        Ok(Self { check: Check::from_params(params)?, distributions })
    }
}

impl Work for CheckWork {
    fn add(&mut self, samples: &mut dyn Iterator<Item = PlacedSample>, _names: &Names<'_>) {
        samples.for_each(|found| self.distributions.add(None, found));
    }

    fn needs_pass(&mut self) -> bool {
        self.distributions.needs_pass()
    }

    fn shown(&mut self) -> Vec<&mut PlacedSample> {
        self.distributions.worst().collect()
    }

    fn explained(&mut self) -> Vec<PlacedSample> {
        self.distributions.worst().map(|found| *found).collect()
    }

    fn answer(&mut self, items: &CaseItems<'_, '_>, about: &About<'_>) -> Result<Vec<u8>, ExploreError> {
        let group = self.distributions.take_groups().pop();
        let worst = group.as_ref().map(|group| WorstCase::new(items.placed(&group.worst)));
        let doubt = doubt(&self.check, about.tables)?;
        let actual = group.as_ref().and_then(|group| match self.check.stat {
            Stat::Count => None,
            Stat::Sum(number) => number(&group.sums),
            Stat::Rank(number) => Some(number(&group.distribution)),
        });
        let count = group.map_or(0, |group| group.sums.count);
        answer_json(&CheckResult { worst, ..judge(&self.check, count, actual, doubt) })
    }
}

/// One of the checks of POST checks: `request` holds its kind, filters, stat, op, value and min_count.
pub async fn latency_check(stored: Stored) -> Answer {
    let params = params_with_series(&stored).await?;
    let tables = ScanTables::fetch(&stored).await;
    let [latency_case] = stored.whole([&tables::LATENCY_CASE]).await;
    match whole_check(&params, &latency_case, &tables)? {
        Some((result, mut worst)) => {
            tell(&stored, &params, worst.iter_mut()).await?;
            answer_json(&CheckResult { worst: worst.map(WorstCase::new), ..result })
        }
        None => scan(&stored, params, Purpose::Check, tables).await,
    }
}

/// The outcome and the worst case where the sums of the whole trace give it; `None` where it takes every sample.
fn whole_check(
    params: &Params,
    latency_case: &[u8],
    tables: &ScanTables,
) -> Result<Option<(CheckResult, Option<CaseItem>)>, ExploreError> {
    let check = Check::from_params(params)?;
    let totals = worst::read_totals(&tables.latency_kind)?.remove(&check.kind.code);
    let worst = worst::read_worst(latency_case)?.remove(&check.kind.code).unwrap_or_default();
    let sums = totals.filter(|_| check.selection.is_whole()).map(|totals| totals.sums());
    let (sums, actual) = match (sums, check.stat) {
        (Some(sums), Stat::Count) => (sums, None),
        (Some(sums), Stat::Sum(number)) => (sums, number(&sums)),
        _ => return Ok(None),
    };
    let (tasks, symbols) = (read_tasks(&tables.task)?, read_symbols(&tables.symbol)?);
    let items = CaseItems::new(params, headlines(&tables.explanation)?, &tasks, &symbols);
    // The longest may be the start of a task, which is not kept among the worst.
    let Some(longest) = worst.iter().position(|one| one.duration_ns == sums.max) else { return Ok(None) };
    let worst = items.items(check.kind, &worst, &[longest]).pop();
    let doubt = doubt(&check, tables)?;
    Ok(Some((judge(&check, sums.count, actual, doubt), worst)))
}

impl WorstCase {
    fn new(item: CaseItem) -> Self {
        let CaseItem { id, url, headline, .. } = item;
        Self { id, url, headline }
    }
}

/// Why a limit that is not broken is not known to be kept, either; `None` where it is.
fn doubt(check: &Check, tables: &ScanTables) -> Result<Option<String>, ExploreError> {
    let types = dictionaries::read_event_types(&tables.event_type)?;
    let has_samples = worst::read_totals(&tables.latency_kind)?.contains_key(&check.kind.code);
    let missing = missing_events(check.kind, &types).filter(|_| !has_samples);
    if let Some(events) = missing.and_then(|alternatives| alternatives.into_iter().next()) {
        return Ok(Some(format!("{} was not recorded: it needs {}", check.kind.name, events.join(" and "))));
    }
    let reasons =
        worst::read_incomplete(&tables.latency_incomplete)?.remove(&check.kind.code).unwrap_or_default();
    let count_of = |wanted: IncompleteReason| {
        reasons.iter().find(|(reason, _)| reason == wanted.name()).map(|(_, count)| *count)
    };
    if let Some(count) = count_of(IncompleteReason::NotListed).filter(|_| check.needs_all) {
        return Ok(Some(format!("the program did not print {} of its values", grouped(count))));
    }
    let lost = count_of(IncompleteReason::LostEvents);
    Ok(lost.map(|count| format!("events were lost within {} more, which may be worse", grouped(count))))
}

/// `p99 is 48.2 µs, above the limit of 40 µs`
fn broken(check: &Check, actual: i64) -> String {
    let is_duration = !check.is_number && !matches!(check.stat, Stat::Count);
    let text = |value: i64| if is_duration { clock_text(value, check.unit) } else { grouped(value) };
    let limit = text(check.limit);
    // What differs by less than is shown would be above itself.
    let actual_text = match text(actual) {
        same if same == limit && actual != check.limit => format!("{} ns", grouped(actual)),
        text => text,
    };
    let how = match actual.cmp(&check.limit) {
        _ if check.operator == "==" => return format!("{} is {actual_text}, not {limit}", check.name()),
        Ordering::Greater => "above",
        Ordering::Less => "below",
        Ordering::Equal if check.operator == "<" => "not below",
        Ordering::Equal => "not above",
    };
    format!("{} is {actual_text}, {how} the limit of {limit}", check.name())
}

/// A limit that is broken for good is broken, whatever is not known; anything else takes knowing all.
fn judge(check: &Check, count: i64, actual_ns: Option<i64>, doubt: Option<String>) -> CheckResult {
    let actual = match check.stat {
        Stat::Count => Some(count),
        Stat::Sum(_) | Stat::Rank(_) => actual_ns,
    };
    let is_kept = actual.map(|actual| (check.holds)(actual.cmp(&check.limit)));
    let unit = check.time_limit.as_ref().map(|limit| {
        format!(
            "the trace clock counts ticks of unknown length, so {limit} says nothing of them; give a limit in clock \
             ticks, as a whole number"
        )
    });
    let (outcome, reason) = match is_kept {
        _ if unit.is_some() => (Outcome::Undecidable, unit),
        _ if count < check.min_count => {
            let samples = if count == 1 { "sample" } else { "samples" };
            let few = || {
                format!("{} {samples}, fewer than the {} required", grouped(count), grouped(check.min_count))
            };
            (Outcome::Undecidable, Some(doubt.unwrap_or_else(few)))
        }
        Some(false) if check.is_final_when_broken || doubt.is_none() => {
            (Outcome::Failed, actual.map(|actual| broken(check, actual)))
        }
        Some(true) if doubt.is_none() => (Outcome::Passed, None),
        _ => (Outcome::Undecidable, Some(doubt.unwrap_or_else(|| "there are no samples".to_owned()))),
    };
    let passed = match outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed => Some(false),
        Outcome::Undecidable => None,
    };
    CheckResult { outcome, passed, reason, actual_ns, count, worst: None }
}
