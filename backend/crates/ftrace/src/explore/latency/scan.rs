//! Answers from any number of samples, of which a few blocks are in memory at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use super::case_id::CaseNames;
use super::check::CheckWork;
use super::found::{Found, count_rivals};
use super::item::CaseItems;
use super::list::ListWork;
use super::order::Order;
use super::plan::{Block, Step, blocks, steps};
use super::samples::{SampleBlocks, StoredLatency};
use super::selection::{Matcher, Selection};
use super::series::SeriesWork;
use super::stats::StatsWork;
use crate::analyses::LatencyKind;
use crate::explore::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// Streams of the small tables that an answer takes besides the samples, and the sentences of cases.
#[derive(Clone, Debug, Default)]
pub struct ScanTables {
    pub task: Vec<u8>,
    pub symbol: Vec<u8>,
    /// JSON object: the first sentence of every case that was explained, by id.
    pub explained: String,
    pub latency_kind: Vec<u8>,
    pub latency_incomplete: Vec<u8>,
    pub event_type: Vec<u8>,
}

/// What an answer makes of the samples. They come in passes, each in the same order; in each, a block at a time.
pub trait Work: Send {
    /// Takes the wanted samples of a block.
    fn add(&mut self, samples: &mut dyn Iterator<Item = Found>, names: &Names<'_>);

    /// True where no samples are needed that come at this key of the order or later.
    fn is_enough(&self, _rest: i64) -> bool {
        false
    }

    /// Ends a pass; true where all samples are needed once more.
    fn needs_pass(&mut self) -> bool {
        false
    }

    /// The samples that the answer names, as far as one can tell by now.
    fn shown(&mut self) -> Vec<&mut Found>;

    /// JSON of the answer.
    fn answer(&mut self, items: &CaseItems<'_, '_>, tables: &ScanTables) -> Result<Vec<u8>, ExploreError>;
}

/// What indices of samples stand for.
pub struct Names<'a> {
    pub tasks: Dictionary<Task<'a>>,
    pub symbols: Dictionary<Symbol<'a>>,
}

/// Which answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    List,
    Stats,
    Series,
    Check,
}

/// An answer in the making. Fetch what `next_pass` says and hand it to `add`, until there is no next pass.
pub struct LatencyScan {
    params: Params,
    kinds: Vec<&'static LatencyKind>,
    tables: Arc<ScanTables>,
    matcher: Matcher,
    work: Box<dyn Work>,
    /// All that can hold wanted samples.
    blocks: Vec<Block>,
    is_list: bool,
    /// The steps of this pass that are still to come.
    steps: VecDeque<Step>,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Samples,
    /// The blocks that can hold samples of the same names as those that are shown.
    Rivals,
}

impl LatencyScan {
    /// `headers` is JSON `{"samples": [[kind, block, t0, t1, count, max_ns], ...], "slices": [...]}` of all blocks.
    pub fn new(
        purpose: Purpose,
        request: &str,
        headers: &str,
        tables: Arc<ScanTables>,
    ) -> Result<Self, ExploreError> {
        let params = Params::parse(request)?;
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
        };
        let matcher = selection.matcher(&read_tasks(&tables.task)?, &read_symbols(&tables.symbol)?);
        let blocks = blocks(&selection, order, headers)?;
        Ok(Self {
            params,
            kinds: selection.kinds,
            tables,
            matcher,
            work,
            blocks,
            is_list: purpose == Purpose::List,
            steps: VecDeque::new(),
            stage: Stage::New,
        })
    }

    /// JSON list of steps `{"samples": [[kind, block], ...], "slices": [...]}`; `None` when the answer can be given.
    pub fn next_pass(&mut self) -> Result<Option<String>, ExploreError> {
        let needs_samples = match self.stage {
            Stage::New => true,
            Stage::Samples => self.work.needs_pass(),
            Stage::Rivals => return Ok(None),
        };
        let steps = if needs_samples {
            self.stage = Stage::Samples;
            steps(&self.blocks, self.is_list)
        } else {
            self.stage = Stage::Rivals;
            steps(&self.rival_blocks(), false)
        };
        let json = answer_json(&steps)?;
        self.steps = steps.into();
        Ok(Some(String::from_utf8_lossy(&json).into_owned()))
    }

    /// Takes the blocks of the next step; true where the rest of the pass is not needed.
    pub fn add(&mut self, fetched: SampleBlocks<'_>) -> Result<bool, ExploreError> {
        let rest = self.steps.pop_front().and_then(|step| step.rest);
        let Self { params, kinds, tables, matcher, work, stage, .. } = self;
        let names = Names { tasks: read_tasks(&tables.task)?, symbols: read_symbols(&tables.symbol)? };
        let is_first = *stage == Stage::Samples;
        fetched.each(kinds, |kind, block, samples| {
            if is_first {
                work.add(&mut wanted(kind, block, samples, matcher), &names);
            }
            let is_looked_for =
                |found: &Found| found.kind.code == kind.code && (found.at.0 == block) == is_first;
            let mut shown: Vec<&mut Found> = work.shown();
            shown.retain(|found| is_looked_for(found));
            let case_names = CaseNames {
                kind,
                origin_ns: params.origin_ns(),
                tasks: &names.tasks,
                symbols: &names.symbols,
            };
            if is_first {
                // It was only now that it came to be shown, or it is counted again.
                shown.iter_mut().for_each(|found| found.number = 0);
            }
            count_rivals(&case_names, block, samples, &mut shown);
        })?;
        Ok(is_first && rest.is_some_and(|rest| self.work.is_enough(rest)))
    }

    pub fn answer(&mut self) -> Result<Vec<u8>, ExploreError> {
        let (tasks, symbols) = (read_tasks(&self.tables.task)?, read_symbols(&self.tables.symbol)?);
        let items = CaseItems::new(&self.params, &self.tables.explained, &tasks, &symbols)?;
        self.work.answer(&items, &self.tables)
    }

    /// Those that were not looked at for all of the samples that are shown.
    fn rival_blocks(&mut self) -> Vec<Block> {
        let shown: Vec<Found> = self.work.shown().into_iter().map(|found| *found).collect();
        let is_needed = |block: &&Block| {
            shown.iter().any(|found| {
                block.holds(found.kind)
                    && block.number() != found.at.0
                    && found.begins_within(block.t0, block.t1)
            })
        };
        self.blocks.iter().filter(is_needed).copied().collect()
    }
}

/// The samples of a block that the request is about.
fn wanted<'s>(
    kind: &'static LatencyKind,
    block: i32,
    samples: &'s [StoredLatency],
    matcher: &'s Matcher,
) -> impl Iterator<Item = Found> + 's {
    let matching = samples.iter().enumerate().filter(|(_, sample)| matcher.matches(sample));
    matching.map(move |(number, sample)| Found { kind, sample: *sample, at: (block, number), number: 0 })
}
