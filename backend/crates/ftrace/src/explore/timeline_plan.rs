//! What a timeline is asked for, and the rows that it is made from.

use super::ExploreError;
use super::answer_size::{LaneSize, MAX_ANSWER_BYTES, expected_pixels};
use super::grid::Grid;
use super::kind;
use super::lane_filter::LaneFilter;
use super::plan::{BlockPlan, Headers, Room, Source};
use super::protocol::{Need, Stored};
use super::request::{Params, Window};
use super::task_lanes::WantedTask;
use crate::model::grouped;
use crate::store::read::blocks::CounterBlock;
use crate::store::tables;

/// More lanes of tasks than any screen shows.
const MAX_TASKS: usize = 64;

pub struct TimelineRequest {
    pub window: Window,
    pub width_px: i64,
    pub lanes: LaneFilter,
    /// Tasks that have a lane of their own, by pid.
    pub pids: Vec<i32>,
    /// All CPUs of the trace, where they are known.
    pub cpus: Vec<i16>,
}

/// The rows that a timeline needs.
pub struct TimelinePlan {
    pub needs: Vec<Need>,
    /// Kinds whose lanes of CPUs come from single slices; others may be read for the lanes of tasks.
    pub kinds_by_slices: Vec<i16>,
}

impl TimelineRequest {
    /// Errors: more tasks than a timeline has lanes for, or a parameter that is malformed or out of its range.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let pids: Vec<i32> = params.ints("tasks")?;
        if pids.len() > MAX_TASKS {
            let message = format!("{} tasks; the limit is {MAX_TASKS}. Ask for fewer", grouped(pids.len()));
            return Err(ExploreError::bad("tasks", message));
        }
        Ok(Self {
            window: params.window()?,
            width_px: params.width()?,
            lanes: LaneFilter::from_params(params)?,
            pids,
            cpus: params.trace_cpus().to_vec(),
        })
    }

    /// Errors: `window_too_large` where a kind has too many slices in the window and no rollup.
    pub fn plan(
        &self,
        stored: &Stored,
        headers: &Headers,
        tasks: &[WantedTask],
    ) -> Result<TimelinePlan, ExploreError> {
        let mut plan = BlockPlan::default();
        let mut kinds_by_slices = Vec::new();
        let cell_px = self.cell_px(headers, tasks.len());
        for kind in headers.kinds().into_iter().filter(|kind| self.lanes.has_kind(*kind)) {
            let source = headers.source_in(kind, self.room(headers, kind, cell_px))?;
            plan.add_of_cpus(headers, kind, source, |cpu| self.lanes.has_lane(cpu, kind));
            if source == Source::Slices {
                kinds_by_slices.push(kind);
            }
        }
        if !tasks.is_empty() {
            self.add_tasks(&mut plan, headers, tasks, cell_px)?;
        }
        let mut needs = vec![plan.slices(stored), plan.rollups(stored)];
        if self.lanes.has_any_counters() {
            needs.push(stored.touching(CounterBlock::TABLE, self.window));
        }
        let small = [&tables::TASK, &tables::SYMBOL, &tables::COUNTER, &tables::LOSS, &tables::NOTE];
        needs.extend(small.map(|table| stored.all(table)));
        Ok(TimelinePlan { needs, kinds_by_slices })
    }

    /// How many pixels wide the cells of the answer will be at about. Headers do not say whose slices a block holds, so
    /// all of them are counted for each task.
    fn cell_px(&self, headers: &Headers, task_count: usize) -> i64 {
        let grid = Grid::new(self.window, self.width_px, 1);
        let size = |slices: i64| LaneSize::of_slices(usize::try_from(slices).unwrap_or(0), grid);
        let kinds = headers.kinds().into_iter().filter(|kind| self.lanes.has_kind(*kind));
        let lanes = kinds.flat_map(|kind| headers.lanes(kind).into_iter().map(move |lane| (kind, lane)));
        let wanted = lanes.filter(|(kind, (cpu, _))| self.lanes.has_lane(*cpu, *kind));
        let mut sizes: Vec<LaneSize> = wanted.map(|(_, (_, slices))| size(slices)).collect();
        let states = size(headers.slice_count(kind::TASK)).with_states();
        let by_slices = |kind: &i16| headers.source(*kind, self.width_px) == Ok(Source::Slices);
        let interrupts = [kind::IRQ, kind::SOFTIRQ].into_iter().filter(by_slices);
        let interrupts: Vec<_> = interrupts.map(|kind| size(headers.slice_count(kind))).collect();
        for _ in 0..task_count {
            sizes.push(states);
            sizes.extend(&interrupts);
        }
        expected_pixels(MAX_ANSWER_BYTES, self.width_px, &sizes)
    }

    fn room(&self, headers: &Headers, kind: i16, cell_px: i64) -> Room {
        Room { width_px: self.width_px, cell_px, lane_count: headers.lanes(kind).len() }
    }

    /// What tasks did is read as CPU lanes are: slices while there are few, else a level that is fine enough.
    fn add_tasks(
        &self,
        plan: &mut BlockPlan,
        headers: &Headers,
        tasks: &[WantedTask],
        cell_px: i64,
    ) -> Result<(), ExploreError> {
        // A picture of more events shows nothing, so none is drawn then.
        if headers.source(kind::BOOST, self.width_px)? == Source::Slices {
            plan.add_slices(headers, kind::BOOST);
        }
        let room = Room { width_px: self.width_px, cell_px, lane_count: tasks.len() };
        if let Source::Rollup { level } = headers.source_in(kind::TASK, room)? {
            let tasks: Vec<i32> = tasks.iter().map(|task| task.idx).collect();
            plan.add_task_rollups(headers, level, &tasks);
            return Ok(());
        }
        plan.add_slices(headers, kind::TASK);
        plan.add_slices(headers, kind::SCHED);
        for kind in [kind::IRQ, kind::SOFTIRQ] {
            if headers.source_in(kind, self.room(headers, kind, cell_px))? == Source::Slices {
                plan.add_slices(headers, kind);
            }
        }
        Ok(())
    }
}
