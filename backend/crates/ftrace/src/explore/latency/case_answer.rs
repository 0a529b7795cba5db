//! A case and its explanation in the shape of the API.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::ser::Serializer;

use super::advice_answer::{AdviceItem, RecordNextItem};
use super::item::CaseItem;
use super::why_answer::{LinkItem, why_items};
use crate::analyses::SampleFlags;
use crate::explain::share_ppm;
use crate::explain::{Blame, Case, Evidence, Explanation, Part, PartValue, Seen, Stage, Surroundings};
use crate::explore::event_item::EventItem;
use crate::explore::filter::EventParts;
use crate::explore::ids::CallId;
use crate::model::Flags;

/// Events of one answer.
const MAX_EVENTS: usize = 400;
const MAX_STACKS: usize = 50;

#[derive(Serialize)]
pub struct CaseAnswer<'a> {
    #[serde(flatten)]
    item: CaseItem,
    definition: &'static str,
    /// The number that a tracer's report states.
    reported_ns: Option<i64>,
    stages: Vec<StageItem>,
    blame: Vec<BlameItem>,
    evidence: Vec<EvidenceItem>,
    why: Vec<LinkItem<'a>>,
    pub advice: Vec<AdviceItem>,
    pub record_next: Option<RecordNextItem>,
    parts: Vec<PartItem>,
    stack: Option<StackItem<'a>>,
    stacks: Vec<StackItem<'a>>,
    events: Vec<CaseEvent<'a>>,
    events_truncated: bool,
    window: WindowItem,
    pub normal: Option<String>,
    /// The call that the case is, where it is one.
    pub call: Option<CallId>,
}

#[derive(Serialize)]
struct WindowItem {
    start: i64,
    end: i64,
}

#[derive(Serialize)]
pub struct StageItem {
    name: String,
    from: &'static str,
    to: &'static str,
    start_ns: i64,
    duration_ns: i64,
}

#[derive(Serialize)]
struct BlameItem {
    cause: &'static str,
    what: String,
    #[serde(rename = "where")]
    place: Option<String>,
    cpu: Option<i16>,
    duration_ns: i64,
    share: Ratio,
    pid: Option<i32>,
    prio: Option<i32>,
    first_t: i64,
    longest_ns: i64,
}

#[derive(Serialize)]
struct EvidenceItem {
    cause: &'static str,
    what: String,
    #[serde(rename = "where")]
    place: Option<String>,
    cpu: i16,
    t: i64,
    end: i64,
    duration_ns: i64,
    sentence: String,
}

#[derive(Serialize)]
struct PartItem {
    name: String,
    value: PartNumber,
    unit: Option<&'static str>,
    what: Option<String>,
    share: Option<Ratio>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PartNumber {
    Integer(i64),
    Ratio(Ratio),
    Text(String),
}

#[derive(Clone, Copy)]
struct Ratio {
    ppm: u32,
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.ppm) / 1e6)
    }
}

#[derive(Clone, Serialize)]
struct StackItem<'a> {
    t: i64,
    cpu: Option<i16>,
    kind: &'a str,
    frames: Vec<&'a str>,
}

/// An event, and what it has to do with the case.
#[derive(Serialize)]
struct CaseEvent<'a> {
    #[serde(flatten)]
    event: EventItem<'a>,
    is_relevant: bool,
    /// It ends a stage.
    is_key: bool,
}

impl<'a> CaseAnswer<'a> {
    /// A case as JSON. `is_cut` says that there was more around the case than could be read.
    pub fn new(
        item: CaseItem,
        case: &Case<'a>,
        explanation: &Explanation<'a>,
        around: &Surroundings<'a, 'a>,
        is_cut: bool,
    ) -> Self {
        let (start, end) = case.reach();
        let chosen = chosen_events(case, explanation, around);
        let stacks: Vec<StackItem<'a>> = around
            .stacks
            .iter()
            .take(MAX_STACKS)
            .map(|stack| StackItem {
                t: stack.t_ns,
                cpu: stack.cpu,
                kind: stack.kind,
                frames: stack.frames.clone(),
            })
            .collect();
        let is_reported = case.flags.has(SampleFlags::REPORTED);
        Self {
            item,
            definition: case.latency().definition,
            reported_ns: is_reported.then_some(case.duration_ns),
            stages: explanation.stages.iter().map(StageItem::new).collect(),
            blame: explanation.blame.iter().map(|blame| BlameItem::new(case, blame)).collect(),
            evidence: explanation.evidence.iter().map(EvidenceItem::new).collect(),
            why: why_items(&explanation.why, around),
            parts: explanation.parts.items.iter().map(PartItem::new).collect(),
            stack: own_stack(case, explanation, &stacks),
            stacks,
            events_truncated: is_cut || chosen.len() < around.events.len(),
            events: chosen,
            window: WindowItem { start, end },
            advice: Vec::new(),
            record_next: None,
            normal: None,
            call: None,
        }
    }
}

/// The stack that shows where the case was: the one that its tracer recorded for it, else the last kernel
/// stack of its CPU before its end, else the first after it.
fn own_stack<'a>(
    case: &Case<'_>,
    explanation: &Explanation<'_>,
    stacks: &[StackItem<'a>],
) -> Option<StackItem<'a>> {
    if let Some(at) = explanation.parts.stack {
        return stacks.get(at).cloned();
    }
    let is_own = |stack: &&StackItem<'_>| {
        stack.kind == "kernel" && stack.cpu.is_none_or(|cpu| cpu == case.cpu) && stack.t >= case.start_ns
    };
    let inside = stacks.iter().filter(is_own).rfind(|stack| stack.t <= case.end_ns());
    inside.or_else(|| stacks.iter().find(is_own)).cloned()
}

/// The events to show, in the order of the trace: all, or else first those that end stages, then those of
/// its CPUs and task, the nearest to its two ends first.
fn chosen_events<'r>(
    case: &Case<'_>,
    explanation: &Explanation<'_>,
    around: &Surroundings<'r, '_>,
) -> Vec<CaseEvent<'r>> {
    let keys: BTreeSet<i64> = explanation.stages.iter().filter_map(|stage| stage.seq).collect();
    let cpus: BTreeSet<i16> = explanation.legs.iter().map(|leg| leg.cpu).chain([case.cpu]).collect();
    let is_relevant = |event: &Seen<'_>| cpus.contains(&event.cpu) || is_about(case, event, around);
    let distance_ns = |event: &Seen<'_>| {
        let to = |t_ns: i64| event.t_ns.saturating_sub(t_ns).saturating_abs();
        to(case.start_ns).min(to(case.end_ns()))
    };
    let mut ranked: Vec<(bool, bool, i64, usize)> = around
        .events
        .iter()
        .enumerate()
        .map(|(at, event)| (!keys.contains(&event.seq), !is_relevant(event), distance_ns(event), at))
        .collect();
    ranked.sort_unstable();
    ranked.truncate(MAX_EVENTS);
    ranked.sort_unstable_by_key(|(.., at)| *at);
    let shown = ranked.into_iter().filter_map(|(is_other, is_foreign, _, at)| {
        let event = around.events.get(at)?;
        let item = EventItem::new(event.seq, parts_of(event, around));
        Some(CaseEvent { event: item, is_relevant: !is_foreign, is_key: !is_other })
    });
    shown.collect()
}

/// True for events of the task of the case, and for those that name it.
fn is_about(case: &Case<'_>, event: &Seen<'_>, around: &Surroundings<'_, '_>) -> bool {
    let Some(pid) = case.pid else { return false };
    around.pid(event.task_idx) == Some(pid)
        || match event.switch() {
            Some(switch) => switch.prev.pid == pid || switch.next.pid == pid,
            None => event.waking().or_else(|| event.wakeup()).is_some_and(|task| task.pid == pid),
        }
}

fn parts_of<'r>(event: &Seen<'r>, around: &Surroundings<'r, '_>) -> EventParts<'r> {
    let task = around.task(event.task_idx);
    EventParts {
        t_ns: event.t_ns,
        cpu: event.cpu,
        buffer: around.buffer_name(event),
        pid: task.and_then(|task| task.pid),
        comm: around.comm_at(event.task_idx, event.t_ns),
        event: around.event_name(event),
        kind: around.event_kind(event),
        flags: Flags(event.flags.cast_unsigned()),
        text: event.args,
    }
}

impl StageItem {
    pub fn new(stage: &Stage) -> Self {
        let (from, to) = (stage.from.name(), stage.to.name());
        let name = format!("{from} → {to}");
        Self { name, from, to, start_ns: stage.start_ns, duration_ns: stage.duration_ns }
    }
}

impl BlameItem {
    fn new(case: &Case<'_>, blame: &Blame<'_>) -> Self {
        Self {
            cause: blame.cause.name(),
            what: blame.what.clone(),
            place: blame.place.clone(),
            cpu: blame.cpu,
            duration_ns: blame.duration_ns,
            share: Ratio { ppm: share_ppm(blame.duration_ns, case.duration_ns) },
            pid: blame.pid,
            prio: blame.prio,
            first_t: blame.first_ns,
            longest_ns: blame.longest_ns,
        }
    }
}

impl EvidenceItem {
    fn new(evidence: &Evidence<'_>) -> Self {
        Self {
            cause: evidence.cause.name(),
            what: evidence.what.clone(),
            place: evidence.place.clone(),
            cpu: evidence.span.cpu,
            t: evidence.span.start_ns,
            end: evidence.span.end_ns,
            duration_ns: evidence.span.duration_ns(),
            sentence: evidence.sentence.clone(),
        }
    }
}

impl PartItem {
    fn new(part: &Part) -> Self {
        let (value, unit) = match &part.value {
            PartValue::Nanoseconds(ns) => (PartNumber::Integer(*ns), Some("ns")),
            PartValue::Count(count) => (PartNumber::Integer(*count), None),
            PartValue::Ratio(ppm) => (PartNumber::Ratio(Ratio { ppm: *ppm }), None),
            PartValue::Text(text) => (PartNumber::Text(text.clone()), None),
        };
        let share = part.share_ppm.map(|ppm| Ratio { ppm });
        Self { name: part.name.clone(), value, unit, what: part.what.clone(), share }
    }
}
