//! stress-ng's stressor cyclic: percentiles and the distribution of the latencies of sleeps.
//!
//! Source: stress-cyclic.c of stress-ng 0.15.

use std::collections::BTreeMap;

use super::decimal::decimal;
use super::out::{Lane, Out};
use super::ranks::Ranks;
use super::{MeasurementFormat, Program, number_after, sure_if, whole_number};
use crate::events::Quantity;
use crate::model::{About, Stop};

pub static STRESS_NG: MeasurementFormat = MeasurementFormat {
    name: "stress_ng_cyclic",
    title: "stress-ng --cyclic (text)",
    about: About {
        recognised_by: "`stress-ng: info:  [23087] cyclic: sched SCHED_RR: 100000 ns delay, 2000 samples`",
        reads: "the extremes and percentiles at their ranks, and bounds of all others, from the distribution (--cyclic-dist) where it is printed; samples past --cyclic-samples as not listed",
        leaves_out: "mean, mode and deviation; they and the percentiles are kept as facts, too; other stressors",
    },
    likeness: |lines| {
        sure_if(lines.iter().any(|line| {
            of_cyclic(line)
                .is_some_and(|(_, text)| text.starts_with("sched SCHED_") || text.starts_with("mean:"))
        }))
    },
    start: || Box::new(StressNg::default()),
};

const MAX_RUNS: usize = 1_024;
const MAX_BARS: usize = 1 << 16;
/// The last one that it prints, in thousandths of a per cent.
const LAST_PERCENTILE: i64 = 99_990;

#[derive(Default)]
struct StressNg {
    /// By pid: with several instances, one of them reports; several runs may be in one log.
    runs: BTreeMap<i64, Run>,
}

#[derive(Default)]
struct Run {
    policy: String,
    count: i64,
    needed: i64,
    min: Option<i64>,
    max: Option<i64>,
    percentiles: Vec<(i64, i64)>,
    bar_ns: Option<i64>,
    /// How many bars are announced.
    bar_count: usize,
    bars: Vec<(i64, i64)>,
}

/// `stress-ng: info:  [23087] cyclic:   50.00%:      24315 ns`: the pid, and what is said.
fn of_cyclic(line: &str) -> Option<(i64, &str)> {
    let (_, rest) = line.split_once("stress-ng: ")?;
    let (pid, text) = rest.split_once('[')?.1.split_once(']')?;
    let text = text.trim_start().strip_prefix("cyclic:")?;
    Some((whole_number(pid)?, text.trim()))
}

impl Program for StressNg {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let Some((pid, text)) = of_cyclic(text) else { return Ok(text.contains("stress-ng: ")) };
        if self.runs.len() >= MAX_RUNS && !self.runs.contains_key(&pid) {
            return Ok(false);
        }
        let run = self.runs.entry(pid).or_default();
        if text.starts_with("mean:") || text.starts_with("min:") {
            for pair in text.split(", ") {
                let (name, value) = pair.split_once(['.', ':']).unwrap_or_default();
                // `std.dev. 39694.24`
                let value = value.trim_start_matches("dev.").trim_start_matches(':');
                out.fact(
                    &format!("cyclic {}", if name == "std" { "standard deviation" } else { name }),
                    value,
                );
            }
        }
        if let Some((share, value)) = text.split_once("%:") {
            out.fact(&format!("cyclic {share} %"), value);
        }
        Ok(run.line(text).is_some())
    }

    fn is_whole(&self) -> bool {
        self.runs.values().all(Run::is_whole)
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        for run in self.runs.values() {
            run.emit(out)?;
        }
        Ok(())
    }
}

impl Run {
    /// `None` where the line is none of cyclic's.
    fn line(&mut self, text: &str) -> Option<()> {
        if let Some(policy) = text.strip_prefix("sched ") {
            self.policy = policy.split(':').next()?.to_owned();
            self.count = whole_number(text.strip_suffix(" samples")?.rsplit(' ').next()?)?;
        } else if let Some(extremes) = text.strip_prefix("min:") {
            self.min = Some(number_after(extremes, "")?);
            self.max = Some(number_after(extremes, "max:")?);
        } else if let Some(needed) = text.strip_prefix("Note: --cyclic-samples needed to be ") {
            self.needed = number_after(needed, "")?;
        } else if let Some((share, value)) = text.split_once("%:") {
            let value = whole_number(value.trim().strip_suffix(" ns")?)?;
            (self.percentiles.len() < MAX_BARS).then_some(())?;
            self.percentiles.push((decimal(share, 1_000)?, value));
        } else if let Some(width) = text.strip_prefix("latency distribution (") {
            self.bar_ns = Some(number_after(width, "")?);
        } else if self.bar_ns.is_some() && text.starts_with(|sign: char| sign.is_ascii_digit()) {
            let (value, count) = text.split_once(' ')?;
            (self.bars.len() < MAX_BARS).then_some(())?;
            self.bars.push((whole_number(value)?, whole_number(count.trim())?));
        } else if let Some(shown) = text.strip_prefix("(for the first ") {
            self.bar_count = usize::try_from(number_after(shown, "")?).ok()?;
        } else {
            let headings = ["mean:", "latency percentiles:", "latency (ns)"];
            headings.iter().any(|start| text.starts_with(start)).then_some(())?;
        }
        Some(())
    }

    /// All percentiles are printed, and after them as many bars as were announced.
    fn is_whole(&self) -> bool {
        let is_last = |(thousandths, _): &(i64, i64)| *thousandths >= LAST_PERCENTILE;
        let has_bars = self.bar_ns.is_none() || (self.bar_count > 0 && self.bars.len() >= self.bar_count);
        self.max.is_some() && self.percentiles.last().is_some_and(is_last) && has_bars
    }

    fn emit(&self, out: &mut Out<'_>) -> Result<(), Stop> {
        let source = format!("stress-ng cyclic {}", self.policy);
        let mut ranks = Ranks::new(self.count);
        let mut below = 0_i64;
        for (value, count) in &self.bars {
            ranks.floor(below, *value);
            below = below.saturating_add(*count);
        }
        if let Some(((last, _), width)) = self.bars.last().zip(self.bar_ns) {
            ranks.floor(below, last.saturating_add(width));
        }
        for (thousandths, value) in &self.percentiles {
            // Its index is cut off, not rounded up: often one after the nearest rank, at which statistics look.
            let above = i128::from(self.count).saturating_mul(i128::from(*thousandths));
            ranks.know(i64::try_from(above.div_euclid(100_000)).unwrap_or(i64::MAX), *value);
        }
        self.min.map(|min| ranks.know(0, min));
        self.max.map(|max| ranks.know(self.count.saturating_sub(1), max));
        ranks.emit(Lane::ONLY, &source, 1, out)?;
        out.measured(Lane::ONLY, None, Quantity::NotListed, self.needed.saturating_sub(self.count), &source)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn percentiles_are_at_their_ranks_and_bars_bound_the_others() {
        check(
            "\
stress-ng: info:  [23086] dispatching hogs: 1 cyclic
stress-ng: info:  [23087] cyclic: sched SCHED_RR: 100000 ns delay, 100 samples
stress-ng: info:  [23087] cyclic:   mean: 28679.09 ns, mode: 16864 ns
stress-ng: info:  [23087] cyclic:   min: 12868 ns, max: 157436 ns, std.dev. 39694.24
stress-ng: info:  [23087] cyclic: latency percentiles:
stress-ng: info:  [23087] cyclic:   50.00%:      24315 ns
stress-ng: info:  [23087] cyclic:   98.00%:      90073 ns
stress-ng: info:  [23087] cyclic:   99.90%:      x ns
stress-ng: info:  [23087] cyclic: latency distribution (50000 ns intervals):
stress-ng: info:  [23087] cyclic: (for the first 2 buckets of 2)
stress-ng: info:  [23087] cyclic: latency (ns)  frequency
stress-ng: info:  [23087] cyclic:            0         95
stress-ng: info:  [23087] cyclic:        50000          4
stress-ng: info:  [23087] cyclic: Note: --cyclic-samples needed to be 120 to capture all the data for this run
stress-ng: info:  [23086] successful run completed in 3.00s
",
            expect![[r#"
                measured cpu 0 stress-ng cyclic SCHED_RR start 0 duration 12868 reported
                measured cpu 0 stress-ng cyclic SCHED_RR start 1 duration 12868 reported at_least × 49
                measured cpu 0 stress-ng cyclic SCHED_RR start 50 duration 24315 reported
                measured cpu 0 stress-ng cyclic SCHED_RR start 51 duration 24315 reported at_least × 44
                measured cpu 0 stress-ng cyclic SCHED_RR start 95 duration 50000 reported at_least × 3
                measured cpu 0 stress-ng cyclic SCHED_RR start 98 duration 90073 reported
                measured cpu 0 stress-ng cyclic SCHED_RR start 99 duration 157436 reported
                measured incomplete: 20 not_listed
                ends_early: 1 from line 15
                unparsed_lines: 1 from line 8
                cyclic 50.00 %: 24315 ns
                cyclic 98.00 %: 90073 ns
                cyclic 99.90 %: x ns
                cyclic max: 157436 ns
                cyclic mean: 28679.09 ns
                cyclic min: 12868 ns
                cyclic mode: 16864 ns
                cyclic standard deviation: 39694.24
            "#]],
        );
    }
}
