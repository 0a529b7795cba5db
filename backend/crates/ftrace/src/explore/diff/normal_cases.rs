//! Groups of cases: which of one kind a case is compared with, or those that are compared with others.

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::block_budget::within_budget;
use super::group::BlockChoice;
use super::instances::Spread;
use crate::analyses::{LatencyKind, SliceKind};
use crate::diff::evenly;
use crate::explain::{Case, Likeness, alike, median_of};
use crate::explore::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::explore::latency::case_id::CaseNames;
use crate::explore::latency::samples::{StoredLatency, read_samples};
use crate::explore::latency::{
    AT_LOAD, FieldSeries, Headers, Located, Needs, ON_DEMAND, SampleBlocks, Selection, comm_of, interval,
};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Samples among which a group is looked for.
const MAX_SAMPLES: i64 = 1_000_000;
/// Cases of a group that are aligned.
const MAX_MEMBERS: usize = 2_000;
/// Events in the blocks that they lie in.
const MAX_EVENTS: i64 = 400_000;

/// Cases of one kind, by the filters of lists of latencies.
struct CaseGroup {
    kind: &'static LatencyKind,
    selection: Selection,
}

impl CaseGroup {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let (selection, kind) = Selection::of_one_kind(params)?;
        if FieldSeries::of_events(params).is_some() {
            let detail = "cases that are read from a field of events stand for themselves; name one of them";
            return Err(ExploreError::bad("kind", detail));
        }
        Ok(Self { kind, selection })
    }

    /// The samples that are meant, and last some time.
    fn of<'s>(
        &self,
        samples: &'s [StoredLatency],
        (tasks, symbols): (&Dictionary<Task<'_>>, &Dictionary<Symbol<'_>>),
    ) -> impl Iterator<Item = usize> + use<'s> {
        let matcher = self.selection.matcher(tasks, symbols);
        let all = samples.iter().enumerate();
        all.filter(move |(_, sample)| !sample.is_number() && matcher.matches(sample)).map(|(at, _)| at)
    }
}

/// What is read of a trace to find the cases of a group.
#[derive(Debug, Serialize, Deserialize)]
struct CasePlan {
    samples: Vec<(i16, i32)>,
    slices: Vec<(i16, i32)>,
    choice: BlockChoice,
}

/// JSON `{"samples": [[kind, block], ...], "slices": [...], "choice"}`: where the cases of the group are that the
/// request names; where they are very many, blocks evenly over the trace.
pub fn plan_cases(request: &str, headers: &str) -> Result<String, ExploreError> {
    let params = Params::parse(request)?;
    let group = CaseGroup::from_params(&params)?;
    let headers = Headers::parse(headers, "[]")?;
    let (blocks, code) = match group.kind.source.slice_kind() {
        Some(slices) => (&headers.slices, slices.code()),
        None => (&headers.samples, group.kind.code),
    };
    let least_ns = group.selection.min_ns.unwrap_or(i64::MIN);
    let window = group.selection.window;
    let is_of_group = |t0: i64, t1: i64, max_ns: Option<i64>| {
        t0 < window.end_ns && t1 >= window.start_ns && max_ns.is_none_or(|max_ns| max_ns >= least_ns)
    };
    let touching =
        blocks.iter().filter(|(kind, _, t0, t1, _, max_ns)| *kind == code && is_of_group(*t0, *t1, *max_ns));
    let choice = BlockChoice::evenly(
        touching.map(|(kind, block, _, _, count, _)| ((*kind, *block), *count)),
        MAX_SAMPLES,
    );
    let chosen = choice.blocks.clone();
    let (samples, slices) = match group.kind.source.slice_kind() {
        Some(_) => (Vec::new(), chosen),
        None => (chosen, Vec::new()),
    };
    to_text(&CasePlan { samples, slices, choice })
}

/// What the cases are for: the one that is compared with them, or the group that is.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Abnormal {
    /// What `locate_case` said of it.
    located: Option<Located>,
    /// The request that named the group.
    group: Option<String>,
}

/// JSON: the cases to compare, and what to fetch for them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChosenCases {
    /// The one of median length.
    pub median: Located,
    /// Where a set is wanted: its members, the median one among them, evenly over time where they are many.
    pub members: Vec<Located>,
    pub spread: Option<Spread>,
    pub likeness: Option<Likeness>,
    pub notes: Vec<String>,
    slices: Vec<(i16, i32)>,
    events: Vec<i32>,
    start_ns: i64,
    end_ns: i64,
}

/// JSON of the cases of the group that the request names, or `null` where it has none.
///
/// `pick` is `one` or `all`; `abnormal` is JSON of [`Abnormal`], if that is of the same trace: it is left out, and
/// what is like it comes first. `plan` is what `plan_cases` said of the blocks.
pub fn choose_cases(
    request: &str,
    (pick, abnormal, plan): (&str, &str, &str),
    (headers, event_headers): (&str, &str),
    blocks: SampleBlocks<'_>,
    (task, symbol): (&[u8], &[u8]),
) -> Result<String, ExploreError> {
    let bad = |name: &'static str| move |error: serde_json::Error| ExploreError::bad(name, error.to_string());
    let params = Params::parse(request)?;
    let group = CaseGroup::from_params(&params)?;
    let abnormal: Abnormal = serde_json::from_str(abnormal).map_err(bad("abnormal"))?;
    let plan: CasePlan = serde_json::from_str(plan).map_err(bad("plan"))?;
    let headers = Headers::parse(headers, event_headers)?;
    let (tasks, symbols) = (read_tasks(task)?, read_symbols(symbol)?);
    let samples = read_samples(group.kind, &[blocks.sample_block], &[blocks.slice_block])?;
    let names = CaseNames {
        kind: group.kind,
        origin_ns: params.origin_ns(),
        tasks: &tasks,
        symbols: &symbols,
        series: None,
    };
    let choosing = Choosing { names, samples: &samples, headers: &headers };
    let (likeness, found) = choosing.found(&group, &abnormal)?;
    let cpu = abnormal.located.as_ref().filter(|_| pick == "one").map(|located| located.sample.cpu);
    let Some(chosen) = choosing.chosen(found, pick == "all", cpu) else { return Ok("null".to_owned()) };
    let notes = plan.choice.note(group.kind.title).into_iter().collect();
    to_text(&ChosenCases { likeness, notes, ..chosen })
}

struct Choosing<'s> {
    names: CaseNames<'s, 's>,
    samples: &'s [StoredLatency],
    headers: &'s Headers,
}

impl Choosing<'_> {
    /// The group without the abnormal one, or without its group.
    fn found(
        &self,
        group: &CaseGroup,
        abnormal: &Abnormal,
    ) -> Result<(Option<Likeness>, Vec<usize>), ExploreError> {
        let names = (self.names.tasks, self.names.symbols);
        let mut found: Vec<usize> = group.of(self.samples, names).collect();
        if let Some(located) = &abnormal.located {
            let subject = self.names.kind.subject;
            let comm = |idx| comm_of(self.names.tasks, idx);
            let (likeness, alike) = alike(subject, self.samples, &located.sample, comm).unzip();
            let alike: HashSet<usize> = alike.unwrap_or_default().into_iter().collect();
            found.retain(|at| alike.contains(at));
            return Ok((likeness, found));
        }
        if let Some(request) = &abnormal.group {
            let params = Params::parse(request)?;
            let own = CaseGroup::from_params(&params)?;
            let own: HashSet<usize> = own.of(self.samples, names).collect();
            let is_same_kind = params.names("kind")?.iter().any(|kind| kind == self.names.kind.name);
            found.retain(|at| !is_same_kind || !own.contains(at));
        }
        Ok((None, found))
    }

    fn chosen(&self, mut found: Vec<usize>, is_set: bool, cpu: Option<i16>) -> Option<ChosenCases> {
        let sample = |at: &usize| self.samples.get(*at);
        let middle = median_of(self.samples, cpu, found.clone())?;
        let spread = Spread::of(found.iter().filter_map(sample).map(|sample| sample.duration_ns));
        found.sort_by_key(|at| (sample(at).map(|sample| sample.start_ns), *at));
        let median = self.located(&[middle], true).pop()?;
        let mut chosen = ChosenCases {
            spread: spread.filter(|_| is_set),
            likeness: None,
            notes: Vec::new(),
            slices: median.needs.slices.clone(),
            events: median.needs.events.clone(),
            start_ns: median.needs.start_ns,
            end_ns: median.needs.end_ns,
            members: Vec::new(),
            median,
        };
        if is_set {
            let mut wanted: Vec<usize> = evenly(found.len(), MAX_MEMBERS)
                .into_iter()
                .filter_map(|at| found.get(at).copied())
                .collect();
            wanted.retain(|at| *at != middle);
            wanted.insert(0, middle);
            self.add_members(&mut chosen, self.located(&wanted, false));
        }
        Some(chosen)
    }

    /// As many as lie in the blocks that may be read, the first of them for sure.
    fn add_members(&self, chosen: &mut ChosenCases, wanted: Vec<Located>) {
        let count = |block: &i32| {
            let header = self.headers.events.iter().find(|(known, ..)| known == block);
            header.map_or(0, |(_, _, _, count)| *count)
        };
        let needs: Vec<Vec<i32>> = wanted.iter().map(|located| located.needs.events.clone()).collect();
        let (kept, events) = within_budget(&needs, count, MAX_EVENTS);
        chosen.events.extend(events);
        let is_kept: HashSet<usize> = kept.into_iter().collect();
        let kept = wanted.into_iter().enumerate().filter(|(at, _)| is_kept.contains(at));
        chosen.members = kept.map(|(_, located)| located).collect();
        for located in &chosen.members {
            // Where a task ran tells where it waited.
            let sched = SliceKind::Sched.code();
            chosen.slices.extend(located.needs.slices.iter().filter(|(kind, _)| *kind == sched));
        }
        chosen.events.sort_unstable();
        chosen.events.dedup();
        chosen.slices.sort_unstable();
        chosen.slices.dedup();
    }

    fn located(&self, wanted: &[usize], is_explained: bool) -> Vec<Located> {
        let depth = if is_explained { ON_DEMAND } else { AT_LOAD };
        let named =
            wanted.iter().filter_map(|at| self.samples.get(*at)).zip(self.names.ids(self.samples, wanted));
        let located = named.map(|(sample, id)| {
            let (kind, tasks, symbols) = (self.names.kind, self.names.tasks, self.names.symbols);
            let case = Case::new(kind, &interval(sample), tasks, symbols);
            Located::new(id, kind, *sample, Needs::of(&case, self.headers, depth))
        });
        located.collect()
    }
}

fn to_text(answer: &impl Serialize) -> Result<String, ExploreError> {
    answer_json(answer).map(|json| String::from_utf8_lossy(&json).into_owned())
}
