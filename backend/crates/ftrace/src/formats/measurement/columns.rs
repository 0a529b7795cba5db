//! Columns of durations with a header that names their unit, as programs that sleep and look at the clock write them.

use super::out::Out;
use super::{Likeness, MeasurementFormat, Program, number_after};
use crate::events::Quantity;
use crate::model::{About, ReadError};

pub static COLUMNS: MeasurementFormat = MeasurementFormat {
    name: "duration_columns",
    title: "columns of durations (TSV, CSV)",
    about: About {
        recognised_by: "a header with a column of durations and its unit, such as `#i<tab>wake_ns<tab>late_ns` or `latency_us`",
        reads: "late, latency, duration, delay, jitter, overshoot or elapsed, or got less asked, in ns, us, ms or s; the time of each in a column `wake`, `t`, `time` or `timestamp`; the CPU in a column `cpu` or in a comment (`cpu=1`); pairs `name=value` of comments as facts",
        leaves_out: "other columns",
    },
    likeness: |lines| {
        let head = lines.iter().find(|line| !is_comment(line));
        match head.and_then(|line| Header::parse(line)) {
            Some(_) => Likeness::Maybe,
            None => Likeness::No,
        }
    },
    start: || Box::new(Columns::default()),
};

/// What a column of durations is called without its unit.
static VALUES: &[&str] = &["late", "latency", "duration", "delay", "jitter", "overshoot", "elapsed"];
static TIMES: &[&str] = &["wake", "t", "time", "timestamp", "start"];
static UNITS: &[(&str, i64)] = &[("_ns", 1), ("_us", 1_000), ("_ms", 1_000_000), ("_s", 1_000_000_000)];

/// A comment is not the header, which may begin with the same sign.
fn is_comment(line: &str) -> bool {
    line.starts_with('#') && Header::parse(line).is_none()
}

/// Which columns there are, and the nanoseconds of one step of each.
#[derive(Clone, Debug, Default)]
struct Header {
    value: Option<(usize, i64)>,
    /// Instead of a value: what was asked for, and what came of it.
    asked: Option<(usize, i64)>,
    got: Option<(usize, i64)>,
    time: Option<(usize, i64)>,
    cpu: Option<usize>,
    is_monotonic: bool,
}

impl Header {
    // #i	wake_ns(CLOCK_MONOTONIC)	late_ns
    fn parse(line: &str) -> Option<Self> {
        let mut header = Header::default();
        for (at, column) in cells(line.trim_start_matches('#')).enumerate() {
            let (name, clock) = column.split_once('(').unwrap_or((column, ""));
            let name = name.trim().trim_matches('"');
            if name == "cpu" {
                header.cpu = header.cpu.or(Some(at));
            }
            let unit = UNITS.iter().find_map(|(unit, unit_ns)| Some((name.strip_suffix(unit)?, *unit_ns)));
            let Some((stem, unit_ns)) = unit else { continue };
            let place = Some((at, unit_ns));
            match stem {
                "asked" => header.asked = place,
                "got" => header.got = place,
                _ if VALUES.contains(&stem) => header.value = header.value.or(place),
                _ if TIMES.contains(&stem) => {
                    header.time = header.time.or(place);
                    header.is_monotonic |= clock.starts_with("CLOCK_MONOTONIC)");
                }
                _ => {}
            }
        }
        let has_values = header.value.is_some() || header.asked.and(header.got).is_some();
        has_values.then_some(header)
    }

    fn value_ns(&self, cells: &[&str]) -> Option<i64> {
        match (self.value, self.asked, self.got) {
            (Some(place), ..) => nanoseconds(cells, place),
            (None, Some(asked), Some(got)) => {
                nanoseconds(cells, got)?.checked_sub(nanoseconds(cells, asked)?)
            }
            _ => None,
        }
    }
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    let separator = ['\t', ';', ','].into_iter().find(|sign| line.contains(*sign)).unwrap_or(' ');
    line.split(separator).map(str::trim).filter(move |cell| separator != ' ' || !cell.is_empty())
}

fn nanoseconds(cells: &[&str], (at, unit_ns): (usize, i64)) -> Option<i64> {
    let cell = cells.get(at)?.trim_matches('"');
    let (whole, fraction) = cell.split_once('.').unwrap_or((cell, ""));
    let mut value_ns = super::whole_number(whole)?.checked_mul(unit_ns)?;
    let mut step_ns = unit_ns;
    for digit in fraction.bytes() {
        step_ns = step_ns.checked_div(10)?;
        let digit = char::from(digit).to_digit(10)?;
        value_ns = value_ns.checked_add(i64::from(digit).checked_mul(step_ns)?)?;
    }
    Some(value_ns)
}

#[derive(Default)]
struct Columns {
    header: Option<Header>,
    cpu: i64,
}

impl Program for Columns {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, ReadError> {
        if self.header.is_none()
            && let Some(header) = Header::parse(text)
        {
            if header.is_monotonic {
                out.facts.clock = Some("mono".to_owned());
            }
            self.header = Some(header);
            return Ok(true);
        }
        if let Some(comment) = text.strip_prefix('#') {
            self.comment(comment, out);
            return Ok(true);
        }
        let Some(header) = &self.header else { return Ok(false) };
        let cells: Vec<&str> = cells(text).collect();
        let Some(value_ns) = header.value_ns(&cells).filter(|value_ns| *value_ns >= 0) else {
            return Ok(false);
        };
        let stated = header.cpu.and_then(|at| super::whole_number(cells.get(at)?));
        let Some(lane) = out.lane(stated.unwrap_or(self.cpu))? else { return Ok(false) };
        // A time is that of the end.
        let at_ns = header.time.and_then(|place| nanoseconds(&cells, place)?.checked_sub(value_ns));
        out.measured(lane, at_ns, Quantity::LatencyNs(value_ns), 1, "sleeper")?;
        Ok(true)
    }
}

impl Columns {
    // # jitter cpu=1 period_ns=10000000 n=150 prio=0 mode=absolute
    fn comment(&mut self, comment: &str, out: &mut Out<'_>) {
        if let Some(cpu) = number_after(comment, " cpu=") {
            self.cpu = cpu;
        }
        for (name, value) in comment.split_ascii_whitespace().filter_map(|pair| pair.split_once('=')) {
            out.fact(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn late_wakeups_end_at_their_time() {
        check(
            "\
# jitter cpu=1 period_ns=10000000 n=150 prio=0 mode=absolute
#i\twake_ns(CLOCK_MONOTONIC)\tlate_ns
0\t45061929888\t75938
1\t45071931946\t77996
2\t45081931947
# max_late_ns=77996 at i=1 mean_late_ns=76967
",
            expect![[r#"
                measured cpu 1 sleeper start 0 duration 75938 reported
                measured cpu 1 sleeper start 10000000 duration 77996 reported
                unparsed_lines: 1 from line 5
                cpu: 1
                i: 1
                max_late_ns: 77996
                mean_late_ns: 76967
                mode: absolute
                n: 150
                period_ns: 10000000
                prio: 0
            "#]],
        );
    }

    #[test]
    fn units_and_pairs_are_read() {
        check(
            "latency_us\n12.5\n7\n-3\n0.0009\n",
            expect![[r#"
            measured cpu 0 sleeper start 0 duration 12500 reported
            measured cpu 0 sleeper start 1 duration 7000 reported
            measured cpu 0 sleeper start 2 duration 0 reported
            unparsed_lines: 1 from line 4
        "#]],
        );
        check(
            "asked_ms,got_ms,cpu\n10,10.25,3\n10,9,3\n",
            expect![[r#"
            measured cpu 3 sleeper start 0 duration 250000 reported
            unparsed_lines: 1 from line 3
        "#]],
        );
    }
}
