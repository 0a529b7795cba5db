//! Which values samples have within some ranges: quantiles of many traces, which are known to a cell of a histogram,
//! become exact by the values in those cells.

use std::ops::Range;

use hashbrown::HashMap;
use serde::Serialize;

use super::field_series::params_with_series;
use super::item::CaseItems;
use super::placed_sample::PlacedSample;
use super::scan::{About, Names, Purpose, ScanTables, Work, scan};
use super::selection::Selection;
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// A few quantiles of one answer.
const MAX_RANGES: usize = 16;
/// Some 20 MB while they are counted. A cell is narrow, so that its distinct values are few.
const MAX_VALUES: usize = 1 << 20;

#[derive(Serialize)]
struct Values {
    /// Each once, in ascending order.
    values: Vec<i64>,
    /// How many samples have the value of the same place.
    counts: Vec<i64>,
}

/// The values of a kind's samples in `ranges`, of those that the filters of statistics let through.
pub async fn latency_values(stored: Stored) -> Answer {
    let params = params_with_series(&stored).await?;
    let tables = ScanTables::fetch(&stored).await;
    scan(&stored, params, Purpose::Values, tables).await
}

/// The values in the making.
pub struct ValuesWork {
    ranges: Vec<Range<i64>>,
    counts: HashMap<i64, i64>,
}

impl ValuesWork {
    /// Errors: no kind or several, or ranges that are none.
    pub fn new(params: &Params) -> Result<Self, ExploreError> {
        Selection::of_one_kind(params)?;
        let ranges: Option<Vec<Range<i64>>> =
            params.names("ranges")?.iter().map(|text| range(text)).collect();
        match ranges {
            Some(ranges) if (1..=MAX_RANGES).contains(&ranges.len()) => {
                Ok(Self { ranges, counts: HashMap::new() })
            }
            _ => Err(ExploreError::bad("ranges", format!("expected 1 to {MAX_RANGES} of `first..end`"))),
        }
    }
}

/// `first..end`, without the end.
fn range(text: &str) -> Option<Range<i64>> {
    let (first, end) = text.split_once("..")?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

impl Work for ValuesWork {
    fn add(&mut self, samples: &mut dyn Iterator<Item = PlacedSample>, _: &Names<'_>) {
        for PlacedSample { sample, .. } in samples {
            let is_wanted = self.ranges.iter().any(|range| range.contains(&sample.duration_ns));
            if is_wanted && self.counts.len() <= MAX_VALUES {
                let count = self.counts.entry(sample.duration_ns).or_default();
                *count = count.saturating_add(sample.weight);
            }
        }
    }

    fn shown(&mut self) -> Vec<&mut PlacedSample> {
        Vec::new()
    }

    fn answer(&mut self, _: &CaseItems<'_, '_>, _: &About<'_>) -> Result<Vec<u8>, ExploreError> {
        if self.counts.len() > MAX_VALUES {
            let detail = format!("they hold more than {MAX_VALUES} different values; ask for narrower ones");
            return Err(ExploreError::bad("ranges", detail));
        }
        let mut found: Vec<(i64, i64)> = self.counts.drain().collect();
        found.sort_unstable();
        let (values, counts) = found.into_iter().unzip();
        answer_json(&Values { values, counts })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LINES, request, scanned};
    use super::*;
    use crate::import::testing::import_lines;

    fn check(parameters: &str, expected: &str) {
        let (written, _) = import_lines(LINES);
        let json = scanned(Purpose::Values, &request(parameters), &written);
        let answer = json.map_or_else(|error| error.to_string(), |json| String::from_utf8(json).unwrap());
        assert_eq!(answer, expected, "{parameters}");
    }

    #[test]
    fn values_lie_within_their_ranges() {
        check(
            r#""kind":"wakeup","ranges":"0..100000""#,
            r#"{"values":[10000,30000,50000],"counts":[1,1,1]}"#,
        );
        check(
            r#""kind":"wakeup","ranges":"10000..30000,50000..50001""#,
            r#"{"values":[10000,50000],"counts":[1,1]}"#,
        );
        check(r#""kind":"wakeup","comm":"sh","ranges":"0..100000""#, r#"{"values":[30000],"counts":[1]}"#);
        check(r#""kind":"wakeup","ranges":"1..2""#, r#"{"values":[],"counts":[]}"#);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        let many = ["0..1"; MAX_RANGES + 1].join(",");
        for ranges in ["", "5", "a..b", "1..2,3", &many] {
            check(
                &format!(r#""kind":"wakeup","ranges":"{ranges}""#),
                "ranges: expected 1 to 16 of `first..end`",
            );
        }
    }
}
