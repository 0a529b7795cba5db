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

impl Distribution {
    /// `None` where there are no durations; they must be sorted ascending.
    pub fn of(sorted: &[i64]) -> Option<Self> {
        let (min_ns, max_ns) = (*sorted.first()?, *sorted.last()?);
        let count = i64::try_from(sorted.len()).ok()?;
        let total: i128 = sorted.iter().map(|duration_ns| i128::from(*duration_ns)).sum();
        let mean_ns = rounded_ratio(total, i128::from(count))?;
        let percentile = |share_per_100_000| percentile(sorted, share_per_100_000);
        Some(Self {
            count,
            min_ns,
            mean_ns,
            stdev_ns: deviation(sorted, mean_ns),
            max_ns,
            p50_ns: percentile(50_000)?,
            p90_ns: percentile(90_000)?,
            p99_ns: percentile(99_000)?,
            p99_9_ns: percentile(99_900)?,
            p99_99_ns: percentile(99_990)?,
            p99_999_ns: percentile(99_999)?,
        })
    }
}

/// The smallest duration that at least this share of all do not exceed (nearest rank).
fn percentile(sorted: &[i64], share_per_100_000: u128) -> Option<i64> {
    let count = u128::try_from(sorted.len()).ok()?;
    let rank = count.checked_mul(share_per_100_000)?.div_ceil(100_000);
    sorted.get(usize::try_from(rank).ok()?.checked_sub(1)?).copied()
}

fn rounded_ratio(number: i128, by: i128) -> Option<i64> {
    let doubled = number.checked_mul(2)?.checked_add(by)?;
    i64::try_from(doubled.div_euclid(by.checked_mul(2)?)).ok()
}

/// The square root of `(n * sum(d * d) - sum(d) * sum(d)) / (n * (n - 1))` for distances `d` from any one
/// value, here from the rounded mean, which keeps the sums small. `None` for one value, and where 128 bits
/// do not hold the squares: two million values would have to lie a hundred days apart.
fn deviation(values: &[i64], near_mean: i64) -> Option<i64> {
    let (mut sum, mut squares) = (0_i128, 0_i128);
    for value in values {
        let distance = i128::from(*value).checked_sub(i128::from(near_mean))?;
        sum = sum.checked_add(distance)?;
        squares = squares.checked_add(distance.checked_mul(distance)?)?;
    }
    let count = i128::try_from(values.len()).ok()?;
    let others = count.checked_sub(1).filter(|others| *others > 0)?;
    let exact = || {
        let above = count.checked_mul(squares)?.checked_sub(sum.checked_mul(sum)?)?;
        Some((above, count.checked_mul(others)?))
    };
    // Where only the product is too large, the deviations are of hours, and the second term, at most a
    // quarter of a square nanosecond a value, is nothing beside them.
    let (above, below) = exact().unwrap_or((squares, others));
    rounded_root(above, below)
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

    fn check(durations: &[i64], expected: &str) {
        let mut sorted = durations.to_vec();
        sorted.sort_unstable();
        let found = Distribution::of(&sorted).map(|of| {
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
        let mut sorted = durations;
        sorted.sort_unstable();
        let of = Distribution::of(&sorted).unwrap();
        assert_eq!((of.mean_ns, of.stdev_ns), (1 << 62, None));
        // Half a year apart: sqrt(1000 / 999) * 2^53.
        let sorted = sorted.iter().map(|one| if *one == 0 { 0 } else { 1 << 54 }).collect::<Vec<_>>();
        assert_eq!(Distribution::of(&sorted).unwrap().stdev_ns, Some(9_011_706_234_885_298));
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(mut durations in proptest::collection::vec(0_i64..1_000_000, 2..200)) {
            durations.sort_unstable();
            let of = Distribution::of(&durations).unwrap();
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
