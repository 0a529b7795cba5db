//! Statistics over durations, exact: no sketch, no float.

use serde::Serialize;

/// What all durations of a group come to. Mean and deviation are rounded to whole nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Distribution {
    pub count: i64,
    pub min_ns: i64,
    pub mean_ns: i64,
    /// Of the sample (n - 1); `None` for a single duration, and for spreads past 128 bits.
    pub stdev_ns: Option<i64>,
    pub max_ns: i64,
    pub p50_ns: i64,
    pub p90_ns: i64,
    pub p99_ns: i64,
    pub p99_9_ns: i64,
    pub p99_99_ns: i64,
    pub p99_999_ns: i64,
}

/// The shares of all durations that percentiles do not exceed, per 100,000, in the order of the fields.
const SHARES: [i64; 6] = [50_000, 90_000, 99_000, 99_900, 99_990, 99_999];

impl Distribution {
    /// `None` where there are no durations. `value` knows those of [`percentile_ranks`].
    pub fn new(sums: &Sums, spread: &Spread, value: impl Fn(i64) -> Option<i64>) -> Option<Self> {
        let percentile = |share| value(rank(sums.count, share)?);
        let [p50, p90, p99, p99_9, p99_99, p99_999] = SHARES.map(percentile);
        Some(Self {
            count: sums.count,
            min_ns: sums.min,
            mean_ns: sums.mean()?,
            stdev_ns: spread.deviation(sums.count),
            max_ns: sums.max,
            p50_ns: p50?,
            p90_ns: p90?,
            p99_ns: p99?,
            p99_9_ns: p99_9?,
            p99_99_ns: p99_99?,
            p99_999_ns: p99_999?,
        })
    }
}

/// The ranks, from 0, of the percentiles among `count` durations.
pub fn percentile_ranks(count: i64) -> Vec<i64> {
    SHARES.iter().filter_map(|share| rank(count, *share)).collect()
}

/// The rank of the smallest duration that at least this share of all do not exceed (nearest rank).
fn rank(count: i64, share_per_100_000: i64) -> Option<i64> {
    let above = i128::from(count).checked_mul(i128::from(share_per_100_000))?;
    // Rounded up to the next whole number of durations; the first of them has the rank 0.
    let number = above.checked_add(99_999)?.div_euclid(100_000);
    i64::try_from(number).ok()?.checked_sub(1).filter(|rank| *rank >= 0)
}

/// What durations add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    pub count: i64,
    pub total: i128,
    pub min: i64,
    pub max: i64,
}

impl Default for Sums {
    fn default() -> Self {
        Self { count: 0, total: 0, min: i64::MAX, max: i64::MIN }
    }
}

impl Sums {
    /// `weight` of the value at once.
    pub fn add(&mut self, value: i64, weight: i64) {
        let total = i128::from(value).saturating_mul(i128::from(weight));
        self.join(&Self { count: weight, total, min: value, max: value });
    }

    /// The sums of both together.
    pub fn join(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.total = self.total.saturating_add(other.total);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Rounded; `None` where there are none.
    pub fn mean(&self) -> Option<i64> {
        if self.count == 0 { None } else { rounded_ratio(self.total, i128::from(self.count)) }
    }
}

/// How far durations lie from their mean.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    near_mean: i64,
    sum: i128,
    /// `None` past 128 bits: two million values would have to lie a hundred days apart.
    squares: Option<i128>,
}

impl Spread {
    /// Distances are counted from one value, best from the rounded mean, which keeps the sums small.
    pub fn around(near_mean: i64) -> Self {
        Self { near_mean, sum: 0, squares: Some(0) }
    }

    /// `weight` of the value at once.
    pub fn add(&mut self, value: i64, weight: i64) {
        let distance = i128::from(value) - i128::from(self.near_mean);
        let weight = i128::from(weight);
        self.sum = self.sum.saturating_add(distance.saturating_mul(weight));
        let squares = distance.checked_mul(distance).and_then(|square| square.checked_mul(weight));
        self.squares = self.squares.and_then(|sum| sum.checked_add(squares?));
    }

    /// The square root of `(n * sum(d * d) - sum(d) * sum(d)) / (n * (n - 1))` for the distances `d`. `None`
    /// for one value.
    fn deviation(&self, count: i64) -> Option<i64> {
        let count = i128::from(count);
        let others = count.checked_sub(1).filter(|others| *others > 0)?;
        let squares = self.squares?;
        let exact = || {
            let above = count.checked_mul(squares)?.checked_sub(self.sum.checked_mul(self.sum)?)?;
            Some((above, count.checked_mul(others)?))
        };
        // Where only the product is too large, the deviations are of hours, and the second term, at most a
        // quarter of a square nanosecond a value, is nothing beside them.
        let (above, below) = exact().unwrap_or((squares, others));
        rounded_root(above, below)
    }
}

fn rounded_ratio(number: i128, by: i128) -> Option<i64> {
    let doubled = number.checked_mul(2)?.checked_add(by)?;
    i64::try_from(doubled.div_euclid(by.checked_mul(2)?)).ok()
}

/// The integer nearest to the square root of `above / below`.
fn rounded_root(above: i128, below: i128) -> Option<i64> {
    let floor = above.checked_div(below)?.checked_isqrt()?;
    // Rounded up from floor + 1/2 on: where above - below * (floor^2 + floor) is at least below / 4.
    let over = floor.checked_mul(floor.checked_add(1)?)?.checked_mul(below)?;
    let is_up = above.checked_sub(over)?.checked_mul(4)? >= below;
    i64::try_from(floor.checked_add(i128::from(is_up))?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distribution(durations: &[i64]) -> Option<Distribution> {
        let mut sorted = durations.to_vec();
        sorted.sort_unstable();
        let mut sums = Sums::default();
        durations.iter().for_each(|duration| sums.add(*duration, 1));
        let mut spread = Spread::around(sums.mean()?);
        durations.iter().for_each(|duration| spread.add(*duration, 1));
        let ranks = percentile_ranks(sums.count);
        let value = |rank: i64| ranks.contains(&rank).then(|| sorted[usize::try_from(rank).unwrap()]);
        Distribution::new(&sums, &spread, value)
    }

    fn check(durations: &[i64], expected: &str) {
        let found = distribution(durations).map(|of| {
            let percentiles = [of.p50_ns, of.p90_ns, of.p99_ns, of.p99_9_ns, of.p99_99_ns, of.p99_999_ns];
            format!(
                "{} {} {} {:?} {} {percentiles:?}",
                of.count, of.min_ns, of.mean_ns, of.stdev_ns, of.max_ns
            )
        });
        assert_eq!(found.unwrap_or_default(), expected);
    }

    #[test]
    fn small_groups() {
        check(&[], "");
        check(&[7], "1 7 7 None 7 [7, 7, 7, 7, 7, 7]");
        // The mean is 2.5, the deviation 1.29.
        check(&[4, 1, 3, 2], "4 1 3 Some(1) 4 [2, 4, 4, 4, 4, 4]");
        check(&[2, 4, 4, 4, 5, 5, 7, 9], "8 2 5 Some(2) 9 [4, 9, 9, 9, 9, 9]");
        check(&[0, 1000], "2 0 500 Some(707) 1000 [0, 1000, 1000, 1000, 1000, 1000]");
    }

    #[test]
    fn ranks_are_nearest() {
        let hundred: Vec<i64> = (1..=100).collect();
        check(&hundred, "100 1 51 Some(29) 100 [50, 90, 99, 100, 100, 100]");
        let many: Vec<i64> = (1..=1_000_000).collect();
        check(
            &many,
            "1000000 1 500001 Some(288675) 1000000 [500000, 900000, 990000, 999000, 999900, 999990]",
        );
    }

    #[test]
    fn no_length_of_time_overflows() {
        let (low, high) = (0, i64::MAX);
        let durations: Vec<i64> = [low, high].into_iter().cycle().take(1_000).collect();
        let of = distribution(&durations).unwrap();
        assert_eq!((of.mean_ns, of.stdev_ns), (1 << 62, None));
        // Half a year apart: sqrt(1000 / 999) * 2^53.
        let durations = durations.iter().map(|one| if *one == 0 { 0 } else { 1 << 54 }).collect::<Vec<_>>();
        assert_eq!(distribution(&durations).unwrap().stdev_ns, Some(9_011_706_234_885_298));
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(durations in proptest::collection::vec(-1_000_000_i64..1_000_000, 2..200)) {
            let of = distribution(&durations).unwrap();
            let count = durations.len() as f64;
            let mean = durations.iter().sum::<i64>() as f64 / count;
            let squares: f64 = durations.iter().map(|one| (*one as f64 - mean).powi(2)).sum();
            prop_assert!((of.mean_ns as f64 - mean).abs() <= 0.5 + 1e-6);
            prop_assert!((of.stdev_ns.unwrap() as f64 - (squares / (count - 1.0)).sqrt()).abs() <= 0.5 + 1e-6);
            let at_most_p90 = durations.iter().filter(|one| **one <= of.p90_ns).count();
            let below_p90 = durations.iter().filter(|one| **one < of.p90_ns).count();
            prop_assert!(at_most_p90 as f64 >= 0.9 * count && (below_p90 as f64) < 0.9 * count);
        }
    }
}
