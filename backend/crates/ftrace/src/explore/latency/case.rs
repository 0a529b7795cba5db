//! One case with everything that explains it.

use std::collections::BTreeMap;

use super::advice_answer::advice_items;
use super::case_answer::CaseAnswer;
use super::case_id::{CaseId, CaseNames};
use super::case_parts::CaseParts;
use super::field_series::{FieldSeries, params_with_series, symbols_with};
use super::item::CaseItems;
use super::needs::{Needs, ON_DEMAND};
use crate::analyses::{LatencyKind, SampleSource};
use crate::explain::{Case, Explanation, Kind, Likeness, Recorded, Setting, alike, explain, median_of};
use crate::explore::headers::Headers;
use crate::explore::ids::CallId;
use crate::explore::protocol::{Answer, Need, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};
use crate::kinds;
use crate::store::read::dictionaries::{Dictionary, Task, read_symbols, read_tasks};
use crate::store::read::headers::{BlockHeader, EventHeader};
use crate::store::read::samples::{StoredLatency, read_samples};
use crate::store::tables;

/// Blocks of samples on each side of the case among which a normal one is looked for, and how many samples are enough.
const NEIGHBOUR_BLOCKS: usize = 4;
const ENOUGH_SAMPLES: i64 = 16_384;

/// GET latencies/{case}: one case with everything that explains it.
///
/// Errors: the trace has no such case.
pub async fn latency_case(stored: Stored) -> Answer {
    let params = params_with_series(&stored).await?;
    let located = located_case(&stored, &params).await?;
    let call = located.call_id();
    let isolated = stored.isolated().await;
    let parts = CaseParts::fetch(&stored, &located.needs, true).await;
    let record = CaseRecord::read(&params, located, &parts)?;
    let recorded = &record.recorded;
    let series = FieldSeries::of_events(&params);
    let symbols = symbols_with(recorded.symbols.clone(), series.as_ref());
    let case = Case::new(record.kind, &interval(&record.sample), &recorded.tasks, &symbols);
    let around = recorded.around(&case, record.unseen);
    let items = CaseItems::new(&params, BTreeMap::new(), &recorded.tasks, &symbols);
    let item = items.item(record.kind.latency(), record.id, &record.sample);
    let (item, explanation) = if record.sample.is_number() {
        // It took no time, so nothing of it can be explained.
        (item, Explanation::default())
    } else {
        let explanation = explain(&case, &around);
        (item.explained(explanation.headline.clone()), explanation)
    };
    let is_cut = record.unseen.is_some();
    let mut answer = CaseAnswer::new(item, &case, &explanation, &around, is_cut);
    (answer.normal, answer.call) = (record.normal, call);
    let setting = Setting {
        case: &case,
        around: &around,
        isolated: &isolated,
        preemption_model: params.trace().preemption_model.as_deref(),
    };
    (answer.advice, answer.record_next) = advice_items(&setting, &explanation.why, &params);
    answer_json(&answer)
}

/// The case that the parameter `case` names, and what to fetch for it.
///
/// Errors: the trace has no such case.
pub async fn located_case(stored: &Stored, params: &Params) -> Result<Located, ExploreError> {
    let missing = || {
        let id = params.text("case", MAX_ID_CHARS).ok().flatten().unwrap_or_default();
        ExploreError::no_case(&id, stored.trace_id())
    };
    let (id, kind) = wanted(params)?.ok_or_else(missing)?;
    let series = FieldSeries::of_events(params);
    let headers = Headers::fetch(stored).await?;
    let of_series = match &series {
        Some(series) => Headers::of_types(stored, &series.types).await?.events,
        None => Vec::new(),
    };
    let start_ns = id.start_ns.saturating_sub(params.origin_ns());
    let plan = SamplePlan::near(kind.latency(), &headers, series.is_some().then_some(&of_series), start_ns);
    let slices = stored.blocks(&tables::SLICE_BLOCK, &plan.slices);
    let [sample_block, slice_block, event_block, task, symbol] = stored
        .parts([
            stored.blocks(&tables::SAMPLE_BLOCK, &plan.samples),
            // What lists have at hand, too.
            Need { is_for_samples: true, ..slices },
            stored.numbered(&tables::EVENT_BLOCK, &plan.events),
            stored.all(&tables::TASK),
            stored.all(&tables::SYMBOL),
        ])
        .await;
    let (tasks, symbols) = (read_tasks(&task)?, symbols_with(read_symbols(&symbol)?, series.as_ref()));
    let samples = match &series {
        Some(series) => series.all(&event_block, params.clock())?,
        None => read_samples(kind.latency(), &[&sample_block], &[&slice_block])?,
    };
    let series = series.as_ref();
    let names = CaseNames {
        kind: kind.latency(),
        origin_ns: params.origin_ns(),
        tasks: &tasks,
        symbols: &symbols,
        series,
    };
    let at = names.find(&id, &samples).ok_or_else(missing)?;
    let sample = samples.get(at).copied().ok_or_else(missing)?;
    let (likeness, found) =
        alike(kind.latency().subject, &samples, &sample, |idx| comm_of(&tasks, idx)).unzip();
    let normal = found.and_then(|found| median_of(&samples, Some(sample.cpu), found));
    let normal = normal.and_then(|at| names.ids(&samples, &[at]).pop()).map(|id| id.to_string());
    let needs = Needs::of(&Case::new(kind, &interval(&sample), &tasks, &symbols), &headers, ON_DEMAND);
    Ok(Located { id, kind, normal, likeness, sample, needs })
}

/// Blocks in which a case is, and others like it.
#[derive(Default)]
struct SamplePlan {
    samples: Vec<(i16, i32)>,
    slices: Vec<(i16, i32)>,
    events: Vec<i32>,
}

impl SamplePlan {
    fn near(
        kind: &LatencyKind,
        headers: &Headers,
        of_series: Option<&Vec<EventHeader>>,
        start_ns: i64,
    ) -> Self {
        match (of_series, kind.source.slice_kind()) {
            (Some(events), _) => {
                let blocks = events.iter().map(|&EventHeader { block, t0, t1, count }| BlockHeader {
                    kind: 0,
                    block,
                    t0,
                    t1,
                    count,
                    max_ns: i64::MAX,
                });
                let near = near(&blocks.collect::<Vec<_>>(), 0, start_ns);
                Self { events: near.into_iter().map(|(_, block)| block).collect(), ..Self::default() }
            }
            (None, Some(slices)) => {
                Self { slices: near(&headers.slices, slices.code(), start_ns), ..Self::default() }
            }
            (None, None) => Self { samples: near(&headers.samples, kind.code, start_ns), ..Self::default() },
        }
    }
}

fn wanted(params: &Params) -> Result<Option<(CaseId, &'static dyn Kind)>, ExploreError> {
    let id = params.text("case", MAX_ID_CHARS)?.and_then(|text| CaseId::parse(&text));
    Ok(id.and_then(|id| {
        let kind = kinds::find(&id.kind)?;
        Some((id, kind))
    }))
}

pub const MAX_ID_CHARS: usize = 1_000;

/// The blocks of a kind that touch a time, and as many of their neighbours as give enough samples.
fn near(headers: &[BlockHeader], code: i16, t_ns: i64) -> Vec<(i16, i32)> {
    let of_kind: Vec<_> = headers.iter().filter(|header| header.kind == code).collect();
    let touching = |header: &BlockHeader| header.t0 <= t_ns && t_ns <= header.t1;
    let first = of_kind.iter().position(|header| touching(header));
    let last = of_kind.iter().rposition(|header| touching(header));
    let Some((first, last)) = first.zip(last) else { return Vec::new() };
    let around = |more: usize| {
        let to = last.saturating_add(more).saturating_add(1).min(of_kind.len());
        of_kind.get(first.saturating_sub(more)..to).unwrap_or_default()
    };
    let has_enough = |more: &usize| {
        let counts = around(*more).iter().map(|header| header.count);
        counts.fold(0, i64::saturating_add) >= ENOUGH_SAMPLES
    };
    // A long sample makes its block touch much; what lies far from the case is not needed.
    let range = around((0..NEIGHBOUR_BLOCKS).find(has_enough).unwrap_or(NEIGHBOUR_BLOCKS));
    let is_short = range.len() <= NEIGHBOUR_BLOCKS.saturating_mul(4);
    range.iter().filter(|header| is_short || touching(header)).map(|header| header.id()).collect()
}

/// A case that was found, and what to fetch for it.
#[derive(Clone, Debug)]
pub struct Located {
    pub id: CaseId,
    pub kind: &'static dyn Kind,
    /// The one that it is best compared with.
    pub normal: Option<String>,
    /// How much the normal one is like it.
    pub likeness: Option<Likeness>,
    pub sample: StoredLatency,
    pub needs: Needs,
}

impl Located {
    /// A case that is not compared with a normal one.
    pub fn new(id: CaseId, kind: &'static dyn Kind, sample: StoredLatency, needs: Needs) -> Self {
        Self { id, kind, normal: None, likeness: None, sample, needs }
    }

    /// The call that it is, of a kind whose cases are calls.
    pub fn call_id(&self) -> Option<CallId> {
        let is_call = self.kind.latency().source == SampleSource::RootCalls;
        is_call.then_some(CallId { owner: self.id.owner, start_ns: self.sample.start_ns, depth: 0 })
    }
}

/// The name of a task, where it says something.
pub fn comm_of<'d>(tasks: &'d Dictionary<Task<'_>>, idx: i32) -> Option<&'d str> {
    let task = tasks.get(idx).filter(|task| task.pid != Some(0))?;
    (!task.comm.is_empty() && task.comm != "<...>").then_some(task.comm)
}

/// What is looked at around a sample: a bare number is an instant.
pub fn interval(sample: &StoredLatency) -> StoredLatency {
    StoredLatency { duration_ns: sample.end_ns().saturating_sub(sample.start_ns), ..*sample }
}

/// A case with its names, out of what is recorded around it.
pub struct CaseRecord<'a> {
    pub id: CaseId,
    pub kind: &'static dyn Kind,
    pub sample: StoredLatency,
    pub recorded: Recorded<'a>,
    pub unseen: Option<(i64, i64)>,
    pub normal: Option<String>,
    pub likeness: Option<Likeness>,
}

impl<'a> CaseRecord<'a> {
    /// From a case that was found, and what was fetched for it.
    pub fn read(params: &Params, located: Located, parts: &'a CaseParts) -> Result<Self, ExploreError> {
        let Located { id, kind, normal, likeness, sample, needs } = located;
        let trace = parts.trace_facts(params, needs.known_from_ns)?;
        let recorded = parts.recorded(trace)?;
        Ok(Self { id, kind, sample, recorded, unseen: needs.unseen, normal, likeness })
    }

    /// The case as explanations take it.
    pub fn case(&self) -> Case<'a> {
        Case::new(self.kind, &interval(&self.sample), &self.recorded.tasks, &self.recorded.symbols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of a kind after each other, a hundred nanoseconds each.
    fn blocks(count: i32, samples: i64) -> Vec<BlockHeader> {
        let header = |block: i32| {
            let t0 = i64::from(block) * 100;
            BlockHeader { kind: 1, block, t0, t1: t0 + 99, count: samples, max_ns: 0 }
        };
        (0..count).map(header).collect()
    }

    fn check(headers: &[BlockHeader], t_ns: i64, expected: &[i32]) {
        let found: Vec<i32> = near(headers, 1, t_ns).into_iter().map(|(_, block)| block).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn full_blocks_need_few_neighbours_and_others_more() {
        check(&blocks(40, 8_192), 2_050, &[19, 20, 21]);
        check(&blocks(40, 2_000), 2_050, &[16, 17, 18, 19, 20, 21, 22, 23, 24]);
        check(&blocks(40, 20_000), 2_050, &[20]);
        check(&blocks(40, 8_192), 50, &[0, 1]);
        check(&blocks(40, 8_192), 4_050, &[]);
    }

    #[test]
    fn of_a_long_sample_only_the_blocks_that_touch_the_case_are_taken() {
        let mut headers = blocks(40, 10);
        headers[2].t1 = 3_050;
        check(&headers, 2_550, &[2, 25]);
    }
}
