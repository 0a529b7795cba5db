//! Durations counted in buckets: of one width, or of powers of two and equal parts of them.

use super::kinds::{Bin, log2_bounds, trim};
use crate::explore::ExploreError;
use crate::explore::duration::parse_duration;
use crate::explore::request::Params;

const DEFAULT_BUCKETS: i64 = 64;
const MAX_BUCKETS: i64 = 1_000;
const LOG2_BUCKETS: u32 = 64;
/// Parts of a power of two with `log2/4`: a bucket is at most a quarter of its durations wide.
const PARTS: i64 = 4;

/// How a request wants durations to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucketing {
    width: Width,
    /// The last one takes all that is longer.
    max_count: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// A round width with which everything fits.
    Fitting,
    Given(i64),
    /// Each power of two in so many equal parts, where it is that wide.
    Log2 {
        parts: i64,
    },
}

impl Bucketing {
    /// The parameter `bucket`, such as `50us`, `log2` or `log2/4`; without it, a width that fits.
    ///
    /// Errors: a text that is no width.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let width = match params.text("bucket", 32)?.as_deref() {
            None => Width::Fitting,
            Some("log2") => Width::Log2 { parts: 1 },
            Some("log2/4") => Width::Log2 { parts: PARTS },
            Some(text) => {
                let refuse = || {
                    ExploreError::bad(
                        "bucket",
                        format!("{text:?} is no width; expected 50us, log2 or log2/4"),
                    )
                };
                Width::Given(parse_duration(text).filter(|width| *width > 0).ok_or_else(refuse)?)
            }
        };
        Ok(Self { width, max_count: params.int("buckets", 1..=MAX_BUCKETS, DEFAULT_BUCKETS)? })
    }

    /// Empty buckets for durations from `min_ns` to `max_ns`, the same for all groups of an answer.
    pub fn buckets(self, min_ns: i64, max_ns: i64) -> Vec<Bin> {
        let width_ns = match self.width {
            Width::Log2 { parts } => {
                return log2_buckets(min_ns, max_ns, parts);
            }
            Width::Given(width_ns) => width_ns,
            Width::Fitting => self.fitting(min_ns, max_ns),
        };
        let first = min_ns.div_euclid(width_ns);
        let last = max_ns.div_euclid(width_ns);
        let count = last.saturating_sub(first).saturating_add(1).min(self.max_count);
        let edge = |number: i64| first.saturating_add(number).saturating_mul(width_ns);
        let end = last.saturating_add(1).saturating_mul(width_ns);
        (0..count)
            .map(|number| {
                let next = number.saturating_add(1);
                let high_ns = if next == count { end } else { edge(next) };
                Bin { low_ns: edge(number), high_ns, count: 0 }
            })
            .collect()
    }

    /// The smallest of 1, 2, 5, 10, 20 ... with which all buckets are enough.
    fn fitting(self, min_ns: i64, max_ns: i64) -> i64 {
        let mut powers = (0..19_u32).filter_map(|exponent| 10_i64.checked_pow(exponent));
        let fits = |width_ns: &i64| {
            max_ns.div_euclid(*width_ns).saturating_sub(min_ns.div_euclid(*width_ns)) < self.max_count
        };
        powers
            .find_map(|power| [1, 2, 5].into_iter().filter_map(|digit| power.checked_mul(digit)).find(fits))
            .unwrap_or(i64::MAX)
    }
}

/// Those of negative values mirror those of positive ones.
fn log2_buckets(min_ns: i64, max_ns: i64, parts: i64) -> Vec<Bin> {
    let upwards = |bits| parts_of(log2_bounds(bits), parts);
    let mirrored = (1..LOG2_BUCKETS).rev().flat_map(|bits| {
        let parts = upwards(bits).into_iter().rev();
        parts.map(|(low_ns, high_ns)| (1_i64.saturating_sub(high_ns), 1_i64.saturating_sub(low_ns)))
    });
    let bins = mirrored.chain((0..LOG2_BUCKETS).flat_map(upwards)).map(|(low_ns, high_ns)| {
        let is_needed = low_ns <= max_ns && (high_ns > min_ns || high_ns == i64::MAX);
        Bin { low_ns, high_ns, count: i64::from(is_needed) }
    });
    trim(bins.collect()).into_iter().map(|bin| Bin { count: 0, ..bin }).collect()
}

/// `[low, high)` in equal parts; whole where it is not as wide as there are parts.
fn parts_of((low_ns, high_ns): (i64, i64), parts: i64) -> Vec<(i64, i64)> {
    let span_ns = high_ns.saturating_sub(low_ns);
    if span_ns < parts {
        return vec![(low_ns, high_ns)];
    }
    // Rounded up, since the last power of two ends 1 ns early, at the largest number.
    let width_ns = span_ns.saturating_add(parts - 1).div_euclid(parts);
    let edge = |part: i64| {
        if part == parts { high_ns } else { low_ns.saturating_add(width_ns.saturating_mul(part)) }
    };
    (0..parts).map(|part| (edge(part), edge(part.saturating_add(1)))).collect()
}

/// Adds `weight` to the count of the bucket of `value`; the first one takes what is below, the last what is
/// above.
pub fn count(buckets: &mut [Bin], value: i64, weight: i64) {
    let below = buckets.partition_point(|bin| bin.high_ns <= value);
    let last = buckets.len().saturating_sub(1);
    if let Some(bin) = buckets.get_mut(below.min(last)) {
        bin.count = bin.count.saturating_add(weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parameters: &str, durations: &[i64], expected: &str) {
        let bucketing = Bucketing::from_params(&Params::parse(parameters).unwrap());
        let found = bucketing.map(|bucketing| {
            let (min, max) = (durations.iter().min().unwrap(), durations.iter().max().unwrap());
            let mut bins = bucketing.buckets(*min, *max);
            durations.iter().for_each(|duration| count(&mut bins, *duration, 1));
            assert_eq!(
                bins.iter().map(|bin| bin.count).sum::<i64>(),
                i64::try_from(durations.len()).unwrap()
            );
            let texts = bins.iter().map(|bin| format!("{}..{}: {}", bin.low_ns, bin.high_ns, bin.count));
            texts.collect::<Vec<_>>().join(", ")
        });
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected);
    }

    #[test]
    fn buckets_of_a_given_width_begin_at_its_multiples() {
        check(r#"{"bucket":"10"}"#, &[15, 19, 31], "10..20: 2, 20..30: 0, 30..40: 1");
        check(r#"{"bucket":"1us"}"#, &[999, 1_000], "0..1000: 1, 1000..2000: 1");
    }

    #[test]
    fn the_last_bucket_takes_the_rest() {
        check(r#"{"bucket":"10","buckets":2}"#, &[5, 15, 25, 99], "0..10: 1, 10..100: 3");
    }

    #[test]
    fn a_fitting_width_is_round() {
        check(r#"{"buckets":4}"#, &[0, 70, 71, 199], "0..50: 1, 50..100: 2, 100..150: 0, 150..200: 1");
        check("{}", &[7], "7..8: 1");
        check(r#"{"buckets":1}"#, &[0, i64::MAX], "0..9223372036854775807: 2");
    }

    #[test]
    fn powers_of_two() {
        check(r#"{"bucket":"log2"}"#, &[0, 3, 4], "0..1: 1, 1..2: 0, 2..4: 1, 4..8: 1");
        check(r#"{"bucket":"log2"}"#, &[-5, -1, 1], "-7..-3: 1, -3..-1: 0, -1..0: 1, 0..1: 0, 1..2: 1");
        check(r#"{"bucket":"log2"}"#, &[i64::MAX], "4611686018427387904..9223372036854775807: 1");
    }

    #[test]
    fn quarters_of_powers_of_two() {
        check(
            r#"{"bucket":"log2/4"}"#,
            &[3, 4, 7, 8, 9],
            "2..4: 1, 4..5: 1, 5..6: 0, 6..7: 0, 7..8: 1, 8..10: 2",
        );
        check(r#"{"bucket":"log2/4"}"#, &[-5, -4, -3], "-5..-4: 1, -4..-3: 1, -3..-1: 1");
        check(r#"{"bucket":"log2/4"}"#, &[i64::MAX], "8070450532247928832..9223372036854775807: 1");
    }

    #[test]
    fn bad_parameters_are_named() {
        check(r#"{"bucket":"0"}"#, &[1], "bucket: \"0\" is no width; expected 50us, log2 or log2/4");
        check(r#"{"buckets":1001}"#, &[1], "buckets: \"1001\" is no integer from 1 to 1000");
    }
}
