//! What a program states of one of its threads: a histogram, or a summary.

use super::out::{Lane, Out};
use crate::events::Quantity;
use crate::model::{Code, Place, Stop, grouped};

/// Numbers in the unit of the file.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    pub bars: Vec<Bar>,
    /// How many are past the end of the histogram, which is at `overflow_from`.
    pub overflow_count: Option<i64>,
    pub overflow_from: Option<i64>,
    /// The last bar holds everything that is past it, too.
    pub has_open_end: bool,
    pub count: Option<i64>,
    pub min: Option<i64>,
    pub last: Option<i64>,
    pub max: Option<i64>,
    pub average: Option<String>,
}

/// A count of one value, and the line that states it.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    pub value: i64,
    pub count: i64,
    pub place: Place,
}

impl Thread {
    /// Hands everything on; `unit_ns` is that of the file. Of a summary, the extremes are values that were measured,
    /// and the rest is counted as not listed.
    pub fn emit(&mut self, lane: Lane, source: &str, unit_ns: i64, out: &mut Out<'_>) -> Result<(), Stop> {
        if let Some(average) = &self.average {
            out.fact(&format!("average of {source}"), average);
        }
        if self.bars.is_empty() && self.overflow_count.unwrap_or(0) == 0 {
            self.emit_summary(lane, source, unit_ns, out)
        } else {
            self.emit_histogram(lane, source, unit_ns, out)
        }
    }

    fn emit_histogram(
        &mut self,
        lane: Lane,
        source: &str,
        unit_ns: i64,
        out: &mut Out<'_>,
    ) -> Result<(), Stop> {
        self.bars.sort_by_key(|bar| bar.value);
        self.open_end();
        let mut listed = 0_i64;
        for bar in &self.bars {
            out.place = bar.place;
            let value_ns = bar.value.saturating_mul(unit_ns);
            out.measured(lane, None, Quantity::LatencyNs(value_ns), bar.count, source)?;
            listed = listed.saturating_add(bar.count);
        }
        self.check_total(listed, source, out)?;
        let unlisted = self.count.map_or(0, |count| count.saturating_sub(listed).max(0));
        let past = self.overflow_count.unwrap_or(unlisted);
        let from = self.overflow_from.or_else(|| Some(self.bars.last()?.value.saturating_add(1)));
        let from = from.unwrap_or(0);
        let longest = self.max.filter(|max| *max >= from && past > 0);
        let others = past.saturating_sub(i64::from(longest.is_some()));
        let at_least = Quantity::AtLeastNs(from.saturating_mul(unit_ns));
        out.measured(lane, None, at_least, others, source)?;
        match longest {
            Some(max) => {
                out.measured(lane, None, Quantity::LatencyNs(max.saturating_mul(unit_ns)), 1, source)
            }
            None => Ok(()),
        }
    }

    /// Holds the sum of the bars against the number of values that the program states.
    fn check_total(&self, listed: i64, source: &str, out: &mut Out<'_>) -> Result<(), Stop> {
        let Some((count, past)) = self.count.zip(self.overflow_count) else { return Ok(()) };
        let found = listed.saturating_add(past);
        let sample = format!("{source}: {} of {}", grouped(found), grouped(count));
        match count.checked_sub(found) {
            None | Some(0) => Ok(()),
            Some(missing) if missing > 0 => {
                out.report_many(Code::FewerThanStated, &sample, missing.unsigned_abs())
            }
            Some(_) => out.report(Code::DoubtfulValue, &sample),
        }
    }

    /// Takes from the last bar what is past it, where the maximum shows that there is something.
    fn open_end(&mut self) {
        let max = self.max;
        let last =
            self.bars.last().filter(|last| self.has_open_end && max.is_some_and(|max| max > last.value));
        if let Some(last) = last.copied() {
            self.overflow_from = Some(last.value);
            self.overflow_count = Some(last.count);
            self.bars.pop();
        }
    }

    fn emit_summary(&self, lane: Lane, source: &str, unit_ns: i64, out: &mut Out<'_>) -> Result<(), Stop> {
        let count = self.count.unwrap_or(i64::MAX);
        let mut values: Vec<i64> = [self.min, self.max, self.last].into_iter().flatten().collect();
        // Of a single value, the minimum, the last and the maximum are one.
        values.truncate(usize::try_from(count).unwrap_or(0));
        values.sort_unstable();
        values.dedup();
        for value in &values {
            let value_ns = value.saturating_mul(unit_ns);
            out.measured(lane, None, Quantity::LatencyNs(value_ns), 1, source)?;
        }
        let listed = i64::try_from(values.len()).unwrap_or(0);
        let rest = self.count.map_or(0, |count| count.saturating_sub(listed));
        out.measured(lane, None, Quantity::NotListed, rest, source)
    }
}
