//! Answers from any number of samples, of which a few blocks are in memory at a time.

use std::collections::BTreeMap;

use super::case_id::{CaseNames, named_ns};
use super::check::CheckWork;
use super::field_series::{FieldSeries, FieldSummary, symbols_with};
use super::item::{CaseItem, CaseItems, headlines};
use super::kinds::Incomplete;
use super::list::ListWork;
use super::order::Order;
use super::placed_sample::{PlacedSample, count_rivals};
use super::plan::{Block, Step, blocks, steps};
use super::selection::{Matcher, Selection};
use super::sentences::tell;
use super::series::SeriesWork;
use super::stats::StatsWork;
use super::values::ValuesWork;
use super::worst;
use crate::analyses::{IncompleteReason, LatencyKind};
use crate::explore::ExploreError;
use crate::explore::headers::Headers;
use crate::explore::protocol::{Answer, Part, Stored};
use crate::explore::request::Params;
use crate::explore::wanted::Wanted;
use crate::store::read::dictionaries::{
    Dictionary, Symbol, Task, read_event_types, read_symbols, read_tasks,
};
use crate::store::read::samples::{SampleBlocks, StoredLatency};
use crate::store::tables;
use crate::store::tables::projections::EXPLANATION;

/// The small tables that an answer takes besides the samples.
pub struct ScanTables {
    pub task: Part,
    pub symbol: Part,
    pub explanation: Part,
    pub latency_kind: Part,
    pub latency_incomplete: Part,
    pub event_type: Part,
}

impl ScanTables {
    /// Fetches all of them at once.
    pub async fn fetch(stored: &Stored) -> Self {
        let [task, symbol, explanation, latency_kind, latency_incomplete, event_type] = stored
            .whole([
                &tables::TASK,
                &tables::SYMBOL,
                &EXPLANATION,
                &tables::LATENCY_KIND,
                &tables::LATENCY_INCOMPLETE,
                &tables::EVENT_TYPE,
            ])
            .await;
        Self { task, symbol, explanation, latency_kind, latency_incomplete, event_type }
    }
}

/// The answer from the samples themselves, a step at a time: memory does not grow with their number.
pub async fn scan(stored: &Stored, params: Params, purpose: Purpose, tables: ScanTables) -> Answer {
    let headers = match FieldSeries::of_events(&params) {
        Some(series) => Headers::of_types(stored, &series.types).await?,
        None => {
            let (tasks, types) = (read_tasks(&tables.task)?, read_event_types(&tables.event_type)?);
            Headers::of_samples(stored, &Wanted::from_params(&params, &tasks, &types)?).await?
        }
    };
    let mut scan = LatencyScan::new(purpose, params, &headers, tables)?;
    while let Some(steps) = scan.next_pass() {
        for (at, step) in steps.iter().enumerate() {
            stored.expect(steps.get(at.saturating_add(1)).into_iter().flat_map(|next| next.needs(stored)));
            let [sample_block, slice_block, event_block] = stored.parts(step.needs(stored)).await;
            let blocks = SampleBlocks {
                sample_block: &sample_block,
                slice_block: &slice_block,
                event_block: &event_block,
            };
            if scan.add(step, blocks)? {
                break;
            }
        }
    }
    let mut items = scan.explained_items()?;
    tell(stored, &scan.params, items.iter_mut()).await?;
    scan.answer(items)
}

/// What an answer makes of the samples. They come in passes, each in the same order; in each, a block at a
/// time.
pub trait Work: Send {
    /// Takes the wanted samples of a block.
    fn add(&mut self, samples: &mut dyn Iterator<Item = PlacedSample>, names: &Names<'_>);

    /// True where no samples are needed that come at this key of the order or later.
    fn is_enough(&self, _rest: i64) -> bool {
        false
    }

    /// Ends a pass; true where all samples are needed once more.
    fn needs_pass(&mut self) -> bool {
        false
    }

    /// The samples that the answer names, judged by what was read until now.
    fn shown(&mut self) -> Vec<&mut PlacedSample>;

    /// The samples that the answer explains.
    fn explained(&mut self) -> Vec<PlacedSample> {
        Vec::new()
    }

    /// JSON of the answer.
    fn answer(&mut self, items: &CaseItems<'_, '_>, about: &About<'_>) -> Result<Vec<u8>, ExploreError>;
}

/// What is known of all samples of the kind, or of the field that is asked for.
pub struct About<'s> {
    pub tables: &'s ScanTables,
    /// By reason, how many gave no number.
    pub incomplete: Vec<Incomplete>,
    pub field: Option<FieldSummary>,
    /// The samples are bare numbers.
    pub is_number: bool,
}

impl About<'_> {
    /// That of the values.
    pub fn unit(&self) -> &'static str {
        if self.is_number || self.field.as_ref().is_some_and(FieldSummary::is_number) { "none" } else { "ns" }
    }
}

/// What indices of samples stand for.
pub struct Names<'a> {
    pub tasks: Dictionary<Task<'a>>,
    pub symbols: Dictionary<Symbol<'a>>,
}

impl<'a> Names<'a> {
    fn new(tables: &'a ScanTables, series: Option<&'a FieldSeries>) -> Result<Self, ExploreError> {
        let symbols = symbols_with(read_symbols(&tables.symbol)?, series);
        Ok(Self { tasks: read_tasks(&tables.task)?, symbols })
    }
}

/// Which answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    List,
    Stats,
    Series,
    Check,
    Values,
}

/// An answer in the making.
struct LatencyScan {
    params: Params,
    kinds: Vec<&'static LatencyKind>,
    tables: ScanTables,
    matcher: Matcher,
    /// Where the samples are read from events: of which field, and how many of its values are no durations.
    series: Option<FieldSeries>,
    incomplete: BTreeMap<IncompleteReason, i64>,
    work: Box<dyn Work>,
    /// All that can hold wanted samples.
    blocks: Vec<Block>,
    is_list: bool,
    stage: Stage,
    pass_count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Samples,
    /// The blocks that can hold samples of the same names as those that are shown.
    Rivals,
}

impl LatencyScan {
    /// `headers` are of all blocks; where a field is read from events, of those that hold some.
    fn new(
        purpose: Purpose,
        params: Params,
        headers: &Headers,
        tables: ScanTables,
    ) -> Result<Self, ExploreError> {
        let selection = Selection::from_params(&params)?;
        let order = match purpose {
            Purpose::List => Order::from_params(&params)?,
            _ => Order::Earliest,
        };
        let work: Box<dyn Work> = match purpose {
            Purpose::List => Box::new(ListWork::new(&params)?),
            Purpose::Stats => Box::new(StatsWork::new(&params)?),
            Purpose::Series => Box::new(SeriesWork::new(&params)?),
            Purpose::Check => Box::new(CheckWork::new(&params)?),
            Purpose::Values => Box::new(ValuesWork::new(&params)?),
        };
        let matcher = selection.matcher(&read_tasks(&tables.task)?, &read_symbols(&tables.symbol)?);
        let blocks = blocks(&selection, order, headers);
        Ok(Self {
            params,
            kinds: selection.kinds,
            tables,
            matcher,
            series: selection.series,
            incomplete: BTreeMap::new(),
            work,
            blocks,
            is_list: purpose == Purpose::List,
            stage: Stage::New,
            pass_count: 0,
        })
    }

    /// What to fetch for the next look at the samples; `None` when the answer can be given.
    fn next_pass(&mut self) -> Option<Vec<Step>> {
        self.pass_count = self.pass_count.saturating_add(1);
        let needs_samples = match self.stage {
            Stage::New => true,
            Stage::Samples => self.work.needs_pass(),
            Stage::Rivals => return None,
        };
        Some(if needs_samples {
            self.stage = Stage::Samples;
            steps(&self.blocks, self.is_list)
        } else {
            self.stage = Stage::Rivals;
            steps(&self.rival_blocks(), false)
        })
    }

    /// Takes the blocks of a step; true where the rest of the pass is not needed.
    fn add(&mut self, step: &Step, fetched: SampleBlocks<'_>) -> Result<bool, ExploreError> {
        let Self { params, kinds, tables, matcher, series, incomplete, work, stage, pass_count, .. } = self;
        let names = Names::new(tables, series.as_ref())?;
        let takes_samples = *stage == Stage::Samples;
        let origin_ns = params.origin_ns();
        let mut take = |kind, block: i32, samples: &[StoredLatency]| {
            if takes_samples {
                work.add(&mut wanted(kind, block, samples, matcher), &names);
            }
            let mut shown = work.shown();
            shown.retain(|found| found.kind.code == kind.code && (found.at.0 == block) == takes_samples);
            if takes_samples {
                // Those that come to be shown with this block, or that are counted again.
                shown.iter_mut().for_each(|found| found.number = 0);
            }
            let Names { tasks, symbols } = &names;
            let names = CaseNames { kind, origin_ns, tasks, symbols, series: series.as_ref() };
            count_rivals(&names, block, samples, &mut shown);
        };
        match (&*series, kinds.first()) {
            (Some(series), Some(kind)) => {
                let mut met = BTreeMap::new();
                series.each(fetched.event_block, params.clock(), &mut met, |block, samples| {
                    take(kind, block, samples);
                })?;
                // Every later pass meets the same.
                if *pass_count == 1 {
                    met.into_iter()
                        .for_each(|(reason, count)| *incomplete.entry(reason).or_default() += count);
                }
            }
            _ => fetched.each(kinds, take)?,
        }
        Ok(takes_samples && step.rest.is_some_and(|rest| self.work.is_enough(rest)))
    }

    /// The items that need a sentence.
    fn explained_items(&mut self) -> Result<Vec<CaseItem>, ExploreError> {
        let Self { params, tables, series, work, .. } = self;
        let names = Names::new(tables, series.as_ref())?;
        let items = CaseItems::new(params, headlines(&tables.explanation)?, &names.tasks, &names.symbols);
        let items = items.of_series(series.as_ref());
        Ok(work.explained().iter().map(|found| items.placed(found)).collect())
    }

    /// `with_sentences` are the items that are shown.
    fn answer(&mut self, with_sentences: Vec<CaseItem>) -> Answer {
        let Self { params, kinds, tables, series, incomplete, work, .. } = self;
        let names = Names::new(tables, series.as_ref())?;
        let mut headlines = headlines(&tables.explanation)?;
        headlines.extend(with_sentences.into_iter().filter_map(CaseItem::into_sentence));
        let items = CaseItems::new(params, headlines, &names.tasks, &names.symbols);
        let items = items.of_series(series.as_ref());
        let incomplete = match (&series, kinds.as_slice()) {
            (Some(_), _) => {
                incomplete.iter().map(|(reason, count)| (reason.name().to_owned(), *count)).collect()
            }
            (None, [kind]) => {
                worst::read_incomplete(&tables.latency_incomplete)?.remove(&kind.code).unwrap_or_default()
            }
            (None, _) => Vec::new(),
        };
        let incomplete = incomplete.iter().map(Incomplete::new).collect();
        let field = params.series().map(FieldSeries::told);
        let is_number = work.shown().iter().any(|found| found.sample.is_number());
        work.answer(&items, &About { tables, incomplete, field, is_number })
    }

    /// Those that were not looked at for all of the samples that are shown.
    fn rival_blocks(&mut self) -> Vec<Block> {
        let Self { work, blocks, series, .. } = self;
        let shown = work.shown();
        let is_needed = |block: &&Block| {
            shown.iter().any(|found| {
                let named_ns = named_ns(series.as_ref(), &found.sample);
                block.holds(found.kind)
                    && block.number() != found.at.0
                    && block.t0 <= named_ns
                    && named_ns <= block.t1
            })
        };
        blocks.iter().filter(is_needed).copied().collect()
    }
}

/// The samples of a block that the request is about.
fn wanted<'s>(
    kind: &'static LatencyKind,
    block: i32,
    samples: &'s [StoredLatency],
    matcher: &'s Matcher,
) -> impl Iterator<Item = PlacedSample> + 's {
    let matching = samples.iter().enumerate().filter(|(_, sample)| matcher.matches(sample));
    matching.map(move |(number, sample)| PlacedSample {
        kind,
        sample: *sample,
        at: (block, number),
        number: 0,
    })
}
