//! Groups of cases: which of one kind a case is compared with, or those that are compared with others.

use hashbrown::HashSet;

use super::block_budget::within_budget;
use super::group::BlockChoice;
use super::instances::Spread;
use super::normal_calls::Pick;
use crate::analyses::{SampleSource, SliceKind, Subject};
use crate::diff::evenly;
use crate::explain::{Case, Kind, Likeness, alike, median_of};
use crate::explore::ExploreError;
use crate::explore::headers::Headers;
use crate::explore::latency::case_id::CaseNames;
use crate::explore::latency::{
    AT_LOAD, FieldSeries, Located, Needs, ON_DEMAND, Selection, comm_of, interval, known_kind,
};
use crate::explore::protocol::{Need, Stored};
use crate::explore::request::Params;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::store::read::samples::{StoredLatency, read_samples};
use crate::store::tables;

/// Samples among which a group is looked for.
const MAX_SAMPLES: i64 = 1_000_000;
/// Cases of a group that are aligned.
const MAX_MEMBERS: usize = 2_000;
/// Events in the blocks that they lie in.
const MAX_EVENTS: i64 = 400_000;

/// Cases of one kind, by the filters of lists of latencies.
struct CaseGroup {
    kind: &'static dyn Kind,
    selection: Selection,
}

impl CaseGroup {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let (selection, kind) = Selection::of_one_kind(params)?;
        if FieldSeries::of_events(params).is_some() {
            let detail = "cases that are read from a field of events cannot form a group; name one of them";
            return Err(ExploreError::bad("kind", detail));
        }
        if kind.source == SampleSource::RootCalls {
            let detail = "its cases are calls, which are grouped by function: calls:<function>";
            return Err(ExploreError::bad("kind", detail));
        }
        Ok(Self { kind: known_kind(kind.name)?, selection })
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

/// The blocks that hold the cases of a group; where they are very many, some of them evenly over the trace.
fn choose_blocks(group: &CaseGroup, headers: &Headers) -> BlockChoice {
    let (blocks, code) = match group.kind.latency().source.slice_kind() {
        Some(slices) => (&headers.slices, slices.code()),
        None => (&headers.samples, group.kind.latency().code),
    };
    let least_ns = group.selection.min_ns.unwrap_or(i64::MIN);
    let window = group.selection.window;
    let touching = blocks.iter().filter(|header| {
        header.kind == code
            && header.t0 < window.end_ns
            && header.t1 >= window.start_ns
            && header.max_ns >= least_ns
    });
    BlockChoice::evenly(touching.map(|header| (header.id(), header.count)), MAX_SAMPLES)
}

/// What normal cases are for.
pub enum AbnormalCases<'s> {
    /// For nothing that they are to be like.
    None,
    /// One case of the same trace, which is left out.
    One(&'s Located),
    /// The group of the same trace that these parameters name, which is left out.
    Group(&'s Params),
    /// A case of another trace: normal ones have its key, and if there are any, a task of its name.
    Elsewhere { key: Option<String>, comm: Option<String> },
}

/// The cases to compare, and what to fetch for them.
#[derive(Debug)]
pub struct ChosenCases {
    /// The one of median length.
    pub median: Located,
    /// Where a set is wanted: its members, the median one among them, evenly over time where they are many.
    pub members: Vec<Located>,
    pub spread: Option<Spread>,
    /// Of all of the set, in no order.
    pub durations_ns: Vec<i64>,
    pub likeness: Option<Likeness>,
    pub notes: Vec<String>,
    /// Of all of them.
    pub needs: Needs,
}

/// The cases of the group that the parameters name; `None` where there is none besides the abnormal ones.
pub async fn choose_cases(
    stored: &Stored,
    params: &Params,
    pick: Pick,
    abnormal: &AbnormalCases<'_>,
) -> Result<Option<ChosenCases>, ExploreError> {
    let group = CaseGroup::from_params(params)?;
    let headers = Headers::fetch(stored).await?;
    let choice = choose_blocks(&group, &headers);
    let is_of_slices = group.kind.latency().source.slice_kind().is_some();
    let table = if is_of_slices { &tables::SLICE_BLOCK } else { &tables::SAMPLE_BLOCK };
    let blocks = Need { is_for_samples: is_of_slices, ..stored.blocks(table, &choice.blocks) };
    let [blocks, task, symbol] =
        stored.parts([blocks, stored.all(&tables::TASK), stored.all(&tables::SYMBOL)]).await;
    let (tasks, symbols) = (read_tasks(&task)?, read_symbols(&symbol)?);
    let nothing: &[u8] = &[];
    let (sample_block, slice_block) = if is_of_slices { (nothing, &*blocks) } else { (&*blocks, nothing) };
    let samples = read_samples(group.kind.latency(), &[sample_block], &[slice_block])?;
    let names = CaseNames {
        kind: group.kind.latency(),
        origin_ns: params.origin_ns(),
        tasks: &tasks,
        symbols: &symbols,
        series: None,
    };
    let choosing = Choosing { kind: group.kind, names, samples: &samples, headers: &headers };
    let (likeness, found) = choosing.found(&group, abnormal)?;
    let cpu = match abnormal {
        AbnormalCases::One(located) if pick == Pick::One => Some(located.sample.cpu),
        _ => None,
    };
    let Some(chosen) = choosing.chosen(found, pick == Pick::All, cpu) else { return Ok(None) };
    let notes = choice.note(group.kind.latency().title).into_iter().collect();
    Ok(Some(ChosenCases { likeness, notes, ..chosen }))
}

struct Choosing<'s> {
    kind: &'static dyn Kind,
    names: CaseNames<'s, 's>,
    samples: &'s [StoredLatency],
    headers: &'s Headers,
}

impl Choosing<'_> {
    /// The group without the abnormal one, or without its group.
    fn found(
        &self,
        group: &CaseGroup,
        abnormal: &AbnormalCases<'_>,
    ) -> Result<(Option<Likeness>, Vec<usize>), ExploreError> {
        let names = (self.names.tasks, self.names.symbols);
        let mut found: Vec<usize> = group.of(self.samples, names).collect();
        match abnormal {
            AbnormalCases::None => {}
            AbnormalCases::One(located) => {
                let subject = self.names.kind.subject;
                let comm = |idx| comm_of(self.names.tasks, idx);
                let (likeness, alike) = alike(subject, self.samples, &located.sample, comm).unzip();
                let alike: HashSet<usize> = alike.unwrap_or_default().into_iter().collect();
                found.retain(|at| alike.contains(at));
                return Ok((likeness, found));
            }
            AbnormalCases::Group(params) => {
                let own = CaseGroup::from_params(params)?;
                let own: HashSet<usize> = own.of(self.samples, names).collect();
                let is_same_kind = params.names("kind")?.iter().any(|kind| kind == self.names.kind.name);
                found.retain(|at| !is_same_kind || !own.contains(at));
            }
            AbnormalCases::Elsewhere { key, comm } => {
                return Ok(self.like_elsewhere(found, key.as_deref(), comm.as_deref()));
            }
        }
        Ok((None, found))
    }

    /// Those with a key, and of them those of tasks of a name, if there are any.
    fn like_elsewhere(
        &self,
        mut found: Vec<usize>,
        key: Option<&str>,
        comm: Option<&str>,
    ) -> (Option<Likeness>, Vec<usize>) {
        let CaseNames { kind, tasks, symbols, .. } = &self.names;
        let sample = |at: &usize| self.samples.get(*at);
        let key_of = |at: &usize| Some(symbols.get(sample(at)?.symbol_idx)?.name);
        let comm_of = |at: &usize| comm_of(tasks, sample(at)?.task_idx);
        found.retain(|at| key_of(at) == key);
        if kind.subject == Subject::Cpu {
            return (Some(Likeness::Task), found);
        }
        let of_comm: Vec<usize> = found.iter().copied().filter(|at| comm_of(at) == comm).collect();
        if of_comm.is_empty() { (Some(Likeness::Kind), found) } else { (Some(Likeness::Comm), of_comm) }
    }

    fn chosen(&self, mut found: Vec<usize>, is_set: bool, cpu: Option<i16>) -> Option<ChosenCases> {
        let sample = |at: &usize| self.samples.get(*at);
        let middle = median_of(self.samples, cpu, found.clone())?;
        let durations_ns: Vec<i64> =
            found.iter().filter_map(sample).map(|sample| sample.duration_ns).collect();
        let spread = Spread::of(durations_ns.iter().copied());
        found.sort_by_key(|at| (sample(at).map(|sample| sample.start_ns), *at));
        let median = self.located(&[middle], true).pop()?;
        let mut chosen = ChosenCases {
            spread: spread.filter(|_| is_set),
            durations_ns,
            likeness: None,
            notes: Vec::new(),
            needs: median.needs.clone(),
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
            let header = self.headers.events.iter().find(|header| header.block == *block);
            header.map_or(0, |header| header.count)
        };
        let needs: Vec<Vec<i32>> = wanted.iter().map(|located| located.needs.events.clone()).collect();
        let (kept, events) = within_budget(&needs, count, MAX_EVENTS);
        chosen.needs.events.extend(events);
        let is_kept: HashSet<usize> = kept.into_iter().collect();
        let kept = wanted.into_iter().enumerate().filter(|(at, _)| is_kept.contains(at));
        chosen.members = kept.map(|(_, located)| located).collect();
        for located in &chosen.members {
            // The CPUs on which a task ran show where it waited.
            let sched = SliceKind::Sched.code();
            chosen.needs.slices.extend(located.needs.slices.iter().filter(|(kind, _)| *kind == sched));
        }
        chosen.needs.events.sort_unstable();
        chosen.needs.events.dedup();
        chosen.needs.slices.sort_unstable();
        chosen.needs.slices.dedup();
    }

    fn located(&self, wanted: &[usize], is_explained: bool) -> Vec<Located> {
        let depth = if is_explained { ON_DEMAND } else { AT_LOAD };
        let named =
            wanted.iter().filter_map(|at| self.samples.get(*at)).zip(self.names.ids(self.samples, wanted));
        let located = named.map(|(sample, id)| {
            let case = Case::new(self.kind, &interval(sample), self.names.tasks, self.names.symbols);
            Located::new(id, self.kind, *sample, Needs::of(&case, self.headers, depth))
        });
        located.collect()
    }
}
