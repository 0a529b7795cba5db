//! Lanes per CPU: running tasks, interrupts, idle states, counters, losses and notes of a window.

use std::collections::BTreeMap;

use super::ExploreError;
use super::answer_size::{MAX_ANSWER_BYTES, within};
use super::counters::{CounterLane, counter_lanes};
use super::grid::Grid;
use super::kind;
use super::lanes::{Lanes, items};
use super::plan::Headers;
use super::protocol::{Answer, Part, PartsByTable, Stored};
use super::task_lanes::{TaskLanes, WantedTask, wanted_tasks};
use super::timeline_answer::{LaneKey, TimelineContents};
use super::timeline_plan::{TimelinePlan, TimelineRequest};
use crate::store::read::blocks::{CounterBlock, RollupBlock, SliceBlock};
use crate::store::read::dictionaries;
use crate::store::read::read_rows;
use crate::store::tables;

/// GET timeline: what a screen of some width needs of a window, whatever the trace's size.
pub async fn timeline(stored: Stored) -> Answer {
    let request = TimelineRequest::from_params(&stored.params().await?)?;
    let headers = Headers::fetch(&stored, request.window).await?;
    let task =
        if request.pids.is_empty() { Part::empty() } else { stored.part(stored.all(&tables::TASK)).await };
    let wanted = wanted_tasks(&request.pids, &dictionaries::read_tasks(&task)?);
    let TimelinePlan { needs, kinds_by_slices } = request.plan(&stored, &headers, &wanted)?;
    let parts = stored.parts_by_table(needs).await;
    answer(&PlannedRequest { request, kinds_by_slices, wanted }, &parts, MAX_ANSWER_BYTES)
}

/// The request, and what its plan found that it needs.
pub struct PlannedRequest {
    pub request: TimelineRequest,
    pub kinds_by_slices: Vec<i16>,
    pub wanted: Vec<WantedTask>,
}

/// JSON of the lanes of a window, within `limit` bytes.
pub fn answer(planned: &PlannedRequest, parts: &PartsByTable, limit: usize) -> Answer {
    let request = &planned.request;
    let (kinds, tasks) = slice_lanes(planned, parts)?;
    let contents = TimelineContents {
        request,
        kinds,
        tasks,
        counters: counters(request, parts)?,
        losses: dictionaries::read_losses(parts.of(&tables::LOSS))?,
        notes: dictionaries::read_notes(parts.of(&tables::NOTE))?,
        task_names: dictionaries::read_tasks(parts.of(&tables::TASK))?,
        symbol_names: dictionaries::read_symbols(parts.of(&tables::SYMBOL))?,
    };
    within(limit, request.width_px, &contents.sizes(), |reduction| contents.json(reduction))
}

/// Lanes of CPUs by kind, and those of tasks.
type SliceLanes = (BTreeMap<i16, Lanes<LaneKey>>, TaskLanes);

fn slice_lanes(planned: &PlannedRequest, parts: &PartsByTable) -> Result<SliceLanes, ExploreError> {
    let request = &planned.request;
    let mut tasks = TaskLanes::new(&planned.wanted, request.window, request.width_px);
    let mut kinds: BTreeMap<i16, Lanes<LaneKey>> = BTreeMap::new();
    read_rows(SliceBlock::TABLE, parts.of(SliceBlock::TABLE), |row| {
        let block = SliceBlock::read(row)?;
        tasks.add_slices(&block);
        if !planned.kinds_by_slices.contains(&block.kind) {
            return Ok(());
        }
        let grid = || Grid::new(request.window, request.width_px, 1);
        let lanes = kinds.entry(block.kind).or_insert_with(|| Lanes::new(grid()));
        for (item, depth) in items(&block).zip(&block.depth) {
            let is_seen = request.window.touches(item.start_ns, item.duration_ns);
            if is_seen && request.lanes.has_lane(item.cpu, block.kind) {
                lanes.add((item.cpu, *depth), item);
            }
        }
        Ok(())
    })?;
    read_rows(RollupBlock::TABLE, parts.of(RollupBlock::TABLE), |row| {
        let rollup = RollupBlock::read(row)?;
        if rollup.kind == kind::TASK {
            tasks.add_rollup(&rollup);
            return Ok(());
        }
        let grid = || Grid::new(request.window, request.width_px, rollup.width_ns);
        let lanes = kinds.entry(rollup.kind).or_insert_with(|| Lanes::new(grid()));
        if request.lanes.has_lane(rollup.cpu, rollup.kind) {
            lanes.add_rollup((rollup.cpu, rollup.depth), &rollup);
        }
        Ok(())
    })?;
    Ok((kinds, tasks))
}

fn counters(request: &TimelineRequest, parts: &PartsByTable) -> Result<Vec<CounterLane>, ExploreError> {
    let dictionary = dictionaries::read_counters(parts.of(&tables::COUNTER))?;
    let blocks = read_rows(CounterBlock::TABLE, parts.of(CounterBlock::TABLE), CounterBlock::read)?;
    let grid = Grid::new(request.window, request.width_px, 1);
    let mut lanes = counter_lanes(&blocks, &dictionary, &grid);
    lanes.retain(|lane| request.lanes.has_counters(lane.cpu));
    Ok(lanes)
}
