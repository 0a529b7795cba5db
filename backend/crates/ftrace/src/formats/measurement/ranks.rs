//! What a table of percentiles says of a distribution: a few of its values exactly, and bounds of the others.

use std::collections::BTreeMap;

use super::out::{Lane, Out};
use crate::events::Quantity;
use crate::model::Stop;

/// Percentiles, bars and extremes that are kept of a table.
const MAX_KNOWN: usize = 1 << 16;

/// In the unit of the file.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    pub count: i64,
    /// By rank, from 0.
    exact: BTreeMap<i64, i64>,
    floors: BTreeMap<i64, i64>,
}

impl Ranks {
    /// The sorted values of `count` measurements, none of which is known yet.
    pub fn new(count: i64) -> Self {
        Self { count, ..Self::default() }
    }

    /// False where there is no such rank, or no room for it.
    pub fn know(&mut self, rank: i64, value: i64) -> bool {
        let is_kept = (0..self.count).contains(&rank) && self.exact.len() < MAX_KNOWN;
        is_kept.then(|| self.exact.insert(rank, value));
        is_kept
    }

    /// Sets the percentile of `thousandths` of a percent, at its nearest rank, where statistics look for it.
    pub fn percentile(&mut self, thousandths: i64, value: i64) -> bool {
        let above = i128::from(self.count).saturating_mul(i128::from(thousandths)).saturating_add(99_999);
        let rank = i64::try_from(above.div_euclid(100_000)).unwrap_or(i64::MAX).saturating_sub(1);
        self.know(rank, value)
    }

    /// From this rank on nothing is smaller.
    pub fn floor(&mut self, rank: i64, value: i64) -> bool {
        let is_kept = (0..self.count).contains(&rank) && self.floors.len() < MAX_KNOWN;
        is_kept.then(|| self.floors.insert(rank, value));
        is_kept
    }

    /// Emits the values that are known, and bounds for those between them.
    pub fn emit(&self, lane: Lane, source: &str, unit_ns: i64, out: &mut Out<'_>) -> Result<(), Stop> {
        let mut known: Vec<i64> = self.exact.keys().chain(self.floors.keys()).copied().collect();
        known.sort_unstable();
        known.dedup();
        let ends = known.iter().skip(1).copied().chain([self.count]);
        let before = known.first().copied().unwrap_or(self.count);
        out.measured(lane, None, Quantity::AtLeastNs(0), before, source)?;
        let mut floor = 0;
        for (rank, end) in known.iter().zip(ends) {
            floor = floor.max(self.floors.get(rank).copied().unwrap_or(0));
            let mut others = end.saturating_sub(*rank);
            if let Some(value) = self.exact.get(rank) {
                out.measured(lane, None, Quantity::LatencyNs(value.saturating_mul(unit_ns)), 1, source)?;
                others = others.saturating_sub(1);
                floor = floor.max(*value);
            }
            out.measured(lane, None, Quantity::AtLeastNs(floor.saturating_mul(unit_ns)), others, source)?;
        }
        Ok(())
    }
}
