//! What a timeline is asked for, and the rows that it is made from.

use super::ExploreError;
use super::lane_filter::LaneFilter;
use super::plan::{BlockPlan, Headers};
use super::protocol::{Need, Stored};
use super::request::{Params, Window};
use crate::store::read::blocks::CounterBlock;
use crate::store::tables;

pub struct TimelineRequest {
    pub window: Window,
    pub width_px: i64,
    pub lanes: LaneFilter,
    /// All CPUs of the trace, where they are known.
    pub cpus: Vec<i16>,
}

impl TimelineRequest {
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        Ok(Self {
            window: params.window()?,
            width_px: params.width()?,
            lanes: LaneFilter::from_params(params)?,
            cpus: params.trace_cpus().to_vec(),
        })
    }

    /// Errors: `window_too_large` where a kind has too many slices in the window and no rollup.
    pub fn needs(&self, stored: &Stored, headers: &Headers) -> Result<Vec<Need>, ExploreError> {
        let mut plan = BlockPlan::default();
        for kind in headers.kinds().into_iter().filter(|kind| self.lanes.has_kind(*kind)) {
            plan.add(headers, kind, headers.source(kind, self.width_px)?);
        }
        let mut needs = vec![plan.slices(stored), plan.rollups(stored)];
        if self.lanes.has_any_counters() {
            needs.push(stored.touching(CounterBlock::TABLE, self.window));
        }
        let small = [&tables::TASK, &tables::SYMBOL, &tables::COUNTER, &tables::LOSS, &tables::NOTE];
        needs.extend(small.map(|table| stored.all(table)));
        Ok(needs)
    }
}
