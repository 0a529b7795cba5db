//! Percentiles of durations: exact for few samples, within 1/128 for any number.

use crate::model::Ns;

/// Up to this many samples are kept as they are.
const EXACT_SAMPLES: usize = 1_024;
/// Values below this have a cell of their own, so that only larger ones are rounded.
const EXACT_VALUES: u64 = 128;
/// Cells per power of two. The middle of a cell is at most half a 64th, 1/128, off its values.
const CELLS_BITS: u32 = 6;

/// Half of a 64th of a value, rounded up.
const CELL_ERROR_PPM: i64 = 7_813;

/// How far percentiles may lie from the exact ones, in parts per million of them.
pub fn error_ppm(count: i64) -> i64 {
    let is_exact = usize::try_from(count).is_ok_and(|count| count <= EXACT_SAMPLES);
    if is_exact { 0 } else { CELL_ERROR_PPM }
}

/// Samples as they come, or a histogram of cells whose width grows with the value.
#[derive(Clone, Debug)]
pub enum Quantiles {
    Exact(Vec<Ns>),
    /// Cell and count, sorted by cell; only cells that hold anything.
    Cells(Vec<(u16, u64)>),
}

impl Default for Quantiles {
    fn default() -> Self {
        Self::Exact(Vec::new())
    }
}

impl Quantiles {
    /// Adds a sample; past `EXACT_SAMPLES` of them, only cells are counted.
    pub fn add(&mut self, sample_ns: Ns) {
        match self {
            Self::Exact(samples) if samples.len() < EXACT_SAMPLES => samples.push(sample_ns),
            Self::Exact(_) => {
                self.coarsen();
                self.add(sample_ns);
            }
            Self::Cells(cells) => count(cells, cell_of(sample_ns), 1),
        }
    }

    /// Adds the samples of another one, which is exact only if both are and the sum is small enough.
    pub fn merge(&mut self, other: Quantiles) {
        match other {
            Self::Exact(samples) => samples.into_iter().for_each(|sample_ns| self.add(sample_ns)),
            Self::Cells(theirs) => {
                self.coarsen();
                if let Self::Cells(cells) = self {
                    theirs.into_iter().for_each(|(cell, samples)| count(cells, cell, samples));
                }
            }
        }
    }

    /// How many values are held in memory.
    pub fn size(&self) -> usize {
        match self {
            Self::Exact(samples) => samples.len(),
            Self::Cells(cells) => cells.len(),
        }
    }

    /// The nearest-rank percentiles `percents`, which ascend; `None` without samples.
    pub fn percentiles<const N: usize>(self, percents: [u64; N]) -> Option<[Ns; N]> {
        match self {
            Self::Exact(mut samples) => {
                samples.sort_unstable();
                let count = u64::try_from(samples.len()).ok().filter(|count| *count > 0)?;
                let at = |percent| usize::try_from(rank(count, percent).saturating_sub(1)).ok();
                let of = |percent| at(percent).and_then(|at| samples.get(at)).copied();
                Some(percents.map(|percent| of(percent).unwrap_or_default()))
            }
            Self::Cells(cells) => {
                let total = cells.iter().fold(0_u64, |total, (_, count)| total.saturating_add(*count));
                Some(percents.map(|percent| middle_of(cell_at(&cells, rank(total, percent)))))
            }
        }
    }

    fn coarsen(&mut self) {
        if let Self::Exact(samples) = self {
            let mut cells = Vec::new();
            for sample_ns in samples.drain(..) {
                count(&mut cells, cell_of(sample_ns), 1);
            }
            *self = Self::Cells(cells);
        }
    }
}

fn count(cells: &mut Vec<(u16, u64)>, cell: u16, samples: u64) {
    match cells.binary_search_by_key(&cell, |(cell, _)| *cell) {
        Ok(at) => {
            if let Some((_, count)) = cells.get_mut(at) {
                *count = count.saturating_add(samples);
            }
        }
        Err(at) => cells.insert(at, (cell, samples)),
    }
}

/// The smallest rank, from 1, that at least `percent` of `count` samples do not pass.
fn rank(count: u64, percent: u64) -> u64 {
    count.saturating_mul(percent).div_ceil(100).max(1)
}

fn cell_at(cells: &[(u16, u64)], rank: u64) -> u16 {
    let mut passed = 0_u64;
    let found = cells.iter().find(|(_, count)| {
        passed = passed.saturating_add(*count);
        passed >= rank
    });
    found.or(cells.last()).map_or(0, |(cell, _)| *cell)
}

/// The cell of a value; negative ones count as 0.
pub fn cell_of(value: Ns) -> u16 {
    let value = u64::try_from(value.0).unwrap_or(0);
    if value < EXACT_VALUES {
        return u16::try_from(value).unwrap_or_default();
    }
    // 2^exponent <= value, exponent 7..=62: the cell's number is made of the exponent and the next six bits.
    let exponent = value.ilog2();
    let within = value >> (exponent - CELLS_BITS) & 63;
    let cell = EXACT_VALUES + (u64::from(exponent - 7) << CELLS_BITS) + within;
    u16::try_from(cell).unwrap_or(u16::MAX)
}

fn middle_of(cell: u16) -> Ns {
    let cell = u64::from(cell);
    let Some(above) = cell.checked_sub(EXACT_VALUES) else {
        return Ns(i64::try_from(cell).unwrap_or_default());
    };
    let exponent = (above >> CELLS_BITS) + 7;
    let low = (64 + (above & 63)) << (exponent - u64::from(CELLS_BITS));
    let half_width = 1 << (exponent - 7);
    Ns(i64::try_from(low + half_width).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(samples: &[i64]) -> Quantiles {
        let mut quantiles = Quantiles::default();
        samples.iter().for_each(|sample| quantiles.add(Ns(*sample)));
        quantiles
    }

    fn percentiles<const N: usize>(of: Quantiles, percents: [u64; N]) -> Option<[i64; N]> {
        of.percentiles(percents).map(|durations| durations.map(|duration| duration.0))
    }

    #[test]
    fn few_samples_are_exact() {
        assert_eq!(percentiles(of(&[]), [50]), None);
        assert_eq!(percentiles(of(&[7]), [50, 99]), Some([7, 7]));
        assert_eq!(percentiles(of(&[40, 10, 30, 20]), [50, 99]), Some([20, 40]));
        let hundred: Vec<i64> = (1..=100).collect();
        assert_eq!(percentiles(of(&hundred), [50, 99]), Some([50, 99]));
    }

    #[test]
    fn the_error_is_told_from_where_samples_are_not_kept() {
        for count in [1_024_i64, 1_025] {
            let samples: Vec<i64> = (0..count).map(|at| at * 1_001 + 129).collect();
            let [p99_ns] = percentiles(of(&samples), [99]).unwrap();
            let exact = samples[rank(samples.len() as u64, 99) as usize - 1];
            assert_eq!(p99_ns == exact, error_ppm(count) == 0);
            assert!((p99_ns - exact).abs() * 1_000_000 <= exact * error_ppm(count));
        }
    }

    #[test]
    fn cells_hold_every_duration() {
        for value in [0, 1, 127, 128, 129, 1_000, 123_456_789, i64::MAX] {
            let middle = middle_of(cell_of(Ns(value))).0;
            assert!(middle.abs_diff(value) <= value.unsigned_abs() / 128, "{value} {middle}");
        }
        assert!(cell_of(Ns::MAX) < 4_000);
    }

    proptest! {
        #[test]
        fn many_samples_are_within_a_128th(
            samples in proptest::collection::vec(0_i64..=10_000_000_000, 1_025..3_000), split in 0_usize..1_025
        ) {
            let (left, right) = samples.split_at(split);
            let mut merged = of(left);
            merged.merge(of(right));
            let mut sorted = samples.clone();
            sorted.sort_unstable();
            let actual = percentiles(merged, [50, 99]).unwrap();
            for (percent, actual) in [50, 99].into_iter().zip(actual) {
                let exact = sorted[rank(sorted.len() as u64, percent) as usize - 1];
                prop_assert!(actual.abs_diff(exact) <= exact.unsigned_abs() / 128, "{percent}: {actual} {exact}");
            }
        }
    }
}
