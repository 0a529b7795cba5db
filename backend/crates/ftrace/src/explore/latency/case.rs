//! One case with everything that explains it.

use serde::{Deserialize, Serialize};

use super::case_answer::CaseAnswer;
use super::case_id::{CaseId, CaseNames};
use super::field_series::{FieldSeries, symbols_with};
use super::item::CaseItems;
use super::needs::{Headers, Needs, ON_DEMAND, SampleHeader};
use super::samples::{SampleBlocks, StoredLatency, read_samples};
use crate::analyses::{LatencyKind, latency_kinds};
use crate::explain::{
    Case, ExplainTables, Explanation, Likeness, Recorded, TraceFacts, alike, explain, median_of,
};
use crate::explore::dictionaries::{Dictionary, Task, read_symbols, read_tasks};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Blocks of samples on each side of the case among which a normal one is looked for.
const NEIGHBOUR_BLOCKS: usize = 8;

/// JSON `{"samples": [[kind, block], ...], "slices": [...], "events": [block, ...]}`: where the case of the
/// request's `case` and others like it are; `null` where its name says that there is no such case.
pub fn plan_case(request: &str, headers: &str, series_headers: &str) -> Result<String, ExploreError> {
    let params = Params::parse(request)?;
    let headers = Headers::parse(headers, series_headers)?;
    let Some((id, kind)) = wanted(&params)? else { return Ok("null".to_owned()) };
    let start_ns = id.start_ns.saturating_sub(params.origin_ns());
    let near = |blocks: &[SampleHeader], code: i16| near(blocks, code, start_ns);
    let plan = match (FieldSeries::of_events(&params), kind.source.slice_kind()) {
        (Some(_), _) => {
            let events =
                headers.events.iter().map(|(block, t0, t1, count)| (0, *block, *t0, *t1, *count, None));
            let events = near(&events.collect::<Vec<_>>(), 0).into_iter().map(|(_, block)| block);
            SamplePlan { events: events.collect(), ..SamplePlan::default() }
        }
        (None, Some(slices)) => {
            SamplePlan { slices: near(&headers.slices, slices.code()), ..SamplePlan::default() }
        }
        (None, None) => SamplePlan { samples: near(&headers.samples, kind.code), ..SamplePlan::default() },
    };
    text(&plan)
}

#[derive(Default, Serialize)]
struct SamplePlan {
    samples: Vec<(i16, i32)>,
    slices: Vec<(i16, i32)>,
    events: Vec<i32>,
}

fn wanted(params: &Params) -> Result<Option<(CaseId, &'static LatencyKind)>, ExploreError> {
    let id = params.text("case", MAX_ID_CHARS)?.and_then(|text| CaseId::parse(&text));
    Ok(id.and_then(|id| {
        let kind = latency_kinds().find(|kind| kind.name == id.kind)?;
        Some((id, kind))
    }))
}

pub const MAX_ID_CHARS: usize = 1_000;

/// The blocks of a kind that touch a time, and their neighbours.
fn near(headers: &[SampleHeader], code: i16, t_ns: i64) -> Vec<(i16, i32)> {
    let of_kind: Vec<_> = headers.iter().filter(|(kind, ..)| *kind == code).collect();
    let touching = |header: &SampleHeader| header.2 <= t_ns && t_ns <= header.3;
    let first = of_kind.iter().position(|header| touching(header));
    let last = of_kind.iter().rposition(|header| touching(header));
    let Some((first, last)) = first.zip(last) else { return Vec::new() };
    let from = first.saturating_sub(NEIGHBOUR_BLOCKS);
    let to = last.saturating_add(NEIGHBOUR_BLOCKS).saturating_add(1).min(of_kind.len());
    // A long sample makes its block touch much; what lies far from the case is not needed.
    let range = of_kind.get(from..to).unwrap_or_default();
    let is_short = range.len() <= NEIGHBOUR_BLOCKS.saturating_mul(4);
    range
        .iter()
        .filter(|header| is_short || touching(header))
        .map(|(kind, block, ..)| (*kind, *block))
        .collect()
}

/// A case that was found, and what to fetch for it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Located {
    pub id: String,
    normal: Option<String>,
    /// How much the normal one is like it.
    pub likeness: Option<Likeness>,
    pub kind: i16,
    pub sample: StoredLatency,
    #[serde(flatten)]
    pub needs: Needs,
}

impl Located {
    /// A case that nobody compares with a normal one.
    pub fn new(id: CaseId, kind: &LatencyKind, sample: StoredLatency, needs: Needs) -> Self {
        Self { id: id.to_string(), normal: None, likeness: None, kind: kind.code, sample, needs }
    }
}

/// JSON of the case and of the blocks that explain it; `null` where there is no such case.
pub fn locate_case(
    request: &str,
    headers: &str,
    event_headers: &str,
    blocks: SampleBlocks<'_>,
    (task, symbol): (&[u8], &[u8]),
) -> Result<String, ExploreError> {
    let params = Params::parse(request)?;
    let headers = Headers::parse(headers, event_headers)?;
    let Some((id, kind)) = wanted(&params)? else { return Ok("null".to_owned()) };
    let series = FieldSeries::of_events(&params);
    let series = series.as_ref();
    let (tasks, symbols) = (read_tasks(task)?, symbols_with(read_symbols(symbol)?, series));
    let samples = match series {
        Some(series) => series.all(blocks.event_block, params.clock())?,
        None => read_samples(kind, &[blocks.sample_block], &[blocks.slice_block])?,
    };
    let names = CaseNames { kind, origin_ns: params.origin_ns(), tasks: &tasks, symbols: &symbols, series };
    let Some(at) = names.find(&id, &samples) else { return Ok("null".to_owned()) };
    let Some(sample) = samples.get(at).copied() else { return Ok("null".to_owned()) };
    let (likeness, found) = alike(kind.subject, &samples, &sample, |idx| comm_of(&tasks, idx)).unzip();
    let normal = found.and_then(|found| median_of(&samples, Some(sample.cpu), found));
    let normal = normal.and_then(|at| names.ids(&samples, &[at]).pop()).map(|id| id.to_string());
    let needs = Needs::of(&Case::new(kind, &interval(&sample), &tasks, &symbols), &headers, ON_DEMAND);
    text(&Located { id: id.to_string(), normal, likeness, kind: kind.code, sample, needs })
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

/// What the core has to know of the trace besides its blocks, as JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct KnownOfTrace {
    /// CPUs whose switches are recorded.
    switched_cpus: Vec<i16>,
    /// Names of the buffers that events come from, by number.
    buffers: Vec<Option<String>>,
}

impl KnownOfTrace {
    pub fn parse(json: &str) -> Result<Self, ExploreError> {
        serde_json::from_str(json).map_err(|error| ExploreError::bad("trace", error.to_string()))
    }

    pub fn facts(self, origin_ns: i64, known_from_ns: i64) -> TraceFacts {
        let Self { switched_cpus, buffers } = self;
        TraceFacts { origin_ns, known_from_ns, switched_cpus, buffers }
    }
}

/// A case with its names, out of what is recorded around it.
pub struct CaseRecord<'a> {
    pub id: CaseId,
    pub kind: &'static LatencyKind,
    pub sample: StoredLatency,
    pub recorded: Recorded<'a>,
    pub unseen: Option<(i64, i64)>,
    pub normal: Option<String>,
    pub likeness: Option<Likeness>,
}

impl<'a> CaseRecord<'a> {
    /// From what `locate_case` said, and from the blocks that it asked for.
    pub fn read(
        origin_ns: i64,
        located: &str,
        known: &str,
        tables: ExplainTables<'a>,
    ) -> Result<Self, ExploreError> {
        let located: Located =
            serde_json::from_str(located).map_err(|error| ExploreError::bad("located", error.to_string()))?;
        let Located { id, normal, likeness, kind, sample, needs } = located;
        let id = CaseId::parse(&id);
        let kind = latency_kinds().find(|known| known.code == kind);
        let Some((id, kind)) = id.zip(kind) else { return Err(ExploreError::bad("located", "is no case")) };
        let trace = KnownOfTrace::parse(known)?.facts(origin_ns, needs.known_from_ns);
        let recorded = Recorded::read(tables, trace)?;
        Ok(Self { id, kind, sample, recorded, unseen: needs.unseen, normal, likeness })
    }

    pub fn case(&self) -> Case<'a> {
        Case::new(self.kind, &interval(&self.sample), &self.recorded.tasks, &self.recorded.symbols)
    }
}

/// JSON answer of GET latencies/{case}, from what `locate_case` asked for.
pub fn case(
    request: &str,
    located: &str,
    known: &str,
    tables: ExplainTables<'_>,
) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let record = CaseRecord::read(params.origin_ns(), located, known, tables)?;
    let recorded = &record.recorded;
    let series = FieldSeries::of_events(&params);
    let symbols = symbols_with(recorded.symbols.clone(), series.as_ref());
    let case = Case::new(record.kind, &interval(&record.sample), &recorded.tasks, &symbols);
    let around = recorded.around(&case, record.unseen);
    let items = CaseItems::new(&params, "{}", &recorded.tasks, &symbols)?;
    let item = items.item(record.kind, record.id, &record.sample);
    let (item, explanation) = if record.sample.is_number() {
        // It took no time, so nothing of it can be explained.
        (item, Explanation::default())
    } else {
        let explanation = explain(&case, &around);
        (item.explained(explanation.headline.clone()), explanation)
    };
    answer_json(&CaseAnswer::new(item, &case, &explanation, &around, record.normal, record.unseen.is_some()))
}

pub fn text(answer: &impl Serialize) -> Result<String, ExploreError> {
    answer_json(answer).map(|json| String::from_utf8_lossy(&json).into_owned())
}
