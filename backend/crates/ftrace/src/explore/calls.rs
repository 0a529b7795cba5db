//! Function calls as a flame chart: lanes of one depth each, by CPU or by task.

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::call_filter::{CallFilter, calls_within, read_calls};
use super::grid::Grid;
use super::ids::Owner;
use super::kind::CALL;
use super::lane_columns::{AnswerNames, LaneColumns};
use super::lanes::{Item, Lanes, items};
use super::names::{LocalNames, TaskName, symbol_names, task_names};
use super::plan::{BlockPlan, Headers, Source, refuse_above};
use super::protocol::{Answer, PartsByTable, Stored};
use super::request::{Params, Window};
use super::{ExploreError, answer_json};
use crate::store::read::blocks::{RollupBlock, SliceBlock};
use crate::store::read::dictionaries::{self, Dictionary, Symbol, Task};
use crate::store::read::read_rows;
use crate::store::tables;

/// Calls and cells of one answer, at some 75 bytes each. A screen with more is a texture, and zooming in shows all.
const MAX_DRAWN: usize = 6_400;

/// What the lanes of a chart stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneBy {
    Cpu,
    Task,
}

struct Request {
    window: Window,
    width_px: i64,
    by: LaneBy,
    filter: CallFilter,
}

impl Request {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        Ok(Self {
            window: params.window()?,
            width_px: params.width()?,
            by: params.choice("by", &[("cpu", LaneBy::Cpu), ("task", LaneBy::Task)], LaneBy::Cpu)?,
            filter: CallFilter::from_params(params)?,
        })
    }

    /// Rollups know CPU and depth only.
    fn needs_single_calls(&self) -> bool {
        let filter = &self.filter;
        self.by == LaneBy::Task || !filter.pids.is_empty() || filter.root.is_some() || filter.min_ns > 0
    }

    fn source(&self, headers: &Headers) -> Result<Source, ExploreError> {
        if self.needs_single_calls() {
            return refuse_above(headers.slice_count(CALL), "start").map(|()| Source::Slices);
        }
        headers.source(CALL, self.width_px)
    }
}

/// GET calls: the flame chart of a window.
///
/// Errors: `window_too_large` where only single calls can answer, and the window holds too many.
pub async fn calls(stored: Stored) -> Answer {
    let request = Request::from_params(&stored.params().await?)?;
    let headers = Headers::fetch(&stored, request.window).await?;
    let mut plan = BlockPlan::default();
    plan.add(&headers, CALL, request.source(&headers)?);
    let [task, symbol] = [&tables::TASK, &tables::SYMBOL].map(|table| stored.all(table));
    let needs = vec![plan.slices(&stored), plan.rollups(&stored), task, symbol];
    answer(&request, &stored.parts_by_table(needs).await)
}

#[derive(Serialize)]
struct Calls {
    start: i64,
    end: i64,
    width: i64,
    tasks: Vec<TaskName>,
    symbols: Vec<String>,
    lanes: Vec<Lane>,
}

#[derive(Serialize)]
struct Lane {
    /// `cpu0` or `task-1213`: the same for all depths. An idle or unknown task is its CPU's: `task-cpu0`.
    id: String,
    cpu: Option<i16>,
    /// The lane's task, where lanes are by task. The calls' own are in the column `task_idx`.
    lane_task_idx: Option<u32>,
    depth: i16,
    #[serde(flatten)]
    columns: LaneColumns,
}

type LaneKey = (Owner, i16);

/// JSON of the calls that touch a window.
fn answer(request: &Request, parts: &PartsByTable) -> Answer {
    let tasks = dictionaries::read_tasks(parts.of(&tables::TASK))?;
    let symbols = dictionaries::read_symbols(parts.of(&tables::SYMBOL))?;
    let mut names = AnswerNames { tasks: LocalNames::new(&tasks), symbols: LocalNames::new(&symbols) };
    let lanes = match parts.of(RollupBlock::TABLE).is_empty() {
        true => single_calls(request, parts, &tasks, &symbols)?,
        false => rolled_up(request, parts)?,
    };
    let mut answer = Vec::new();
    for ((owner, depth), contents) in lanes.held_to(MAX_DRAWN).finish() {
        let columns = contents.columns(&mut names, Some(depth));
        let (cpu, id) = match (request.by, owner) {
            (LaneBy::Cpu, Owner::Cpu(cpu)) => (Some(cpu), format!("cpu{cpu}")),
            (_, Owner::Cpu(cpu)) => (Some(cpu), format!("task-cpu{cpu}")),
            (_, Owner::Pid(pid)) => (None, format!("task-{pid}")),
        };
        let first_task = columns.task_idx.as_ref().and_then(|tasks| tasks.first().copied().flatten());
        let lane_task_idx = first_task.filter(|_| request.by == LaneBy::Task);
        answer.push(Lane { id, cpu, lane_task_idx, depth, columns });
    }
    answer_json(&Calls {
        start: request.window.start_ns,
        end: request.window.end_ns,
        width: request.width_px,
        tasks: task_names(&names.tasks),
        symbols: symbol_names(&names.symbols),
        lanes: answer,
    })
}

fn single_calls(
    request: &Request,
    parts: &PartsByTable,
    tasks: &Dictionary<Task<'_>>,
    symbols: &Dictionary<Symbol<'_>>,
) -> Result<Lanes<LaneKey>, ExploreError> {
    let filter = &request.filter;
    let within = match filter.root_symbols(symbols) {
        Some(roots) => Some(calls_within(parts.of(SliceBlock::TABLE), &roots)?),
        None => None,
    };
    let mut lanes = Lanes::new(Grid::new(request.window, request.width_px, 1));
    read_calls(parts.of(SliceBlock::TABLE), |block| {
        for ((item, depth), id) in items(block).zip(&block.depth).zip(&block.id) {
            let is_wanted = request.window.touches(item.start_ns, item.duration_ns)
                && item.duration_ns >= filter.min_ns
                && filter.has_cpu(item.cpu)
                && within.as_ref().is_none_or(|within| within.contains(id));
            if is_wanted && let Some(owner) = lane_owner(request, tasks, &item) {
                lanes.add((owner, *depth), item);
            }
        }
    })?;
    Ok(lanes)
}

/// `None` where the request wants other tasks than the call's.
fn lane_owner(request: &Request, tasks: &Dictionary<Task<'_>>, item: &Item) -> Option<Owner> {
    if request.by == LaneBy::Cpu && request.filter.pids.is_empty() {
        return Some(Owner::Cpu(item.cpu));
    }
    let task = tasks.get(item.task_idx);
    request.filter.has_task(task).then(|| match request.by {
        LaneBy::Cpu => Owner::Cpu(item.cpu),
        LaneBy::Task => Owner::new(task, item.cpu),
    })
}

fn rolled_up(request: &Request, parts: &PartsByTable) -> Result<Lanes<LaneKey>, ExploreError> {
    let rollups = read_rows(RollupBlock::TABLE, parts.of(RollupBlock::TABLE), RollupBlock::read)?;
    let unit_ns = rollups.iter().map(|rollup| rollup.width_ns).max().unwrap_or(1);
    let mut lanes = Lanes::new(Grid::new(request.window, request.width_px, unit_ns));
    for rollup in rollups.iter().filter(|rollup| request.filter.has_cpu(rollup.cpu)) {
        lanes.add_rollup((Owner::Cpu(rollup.cpu), rollup.depth), rollup);
    }
    Ok(lanes)
}
