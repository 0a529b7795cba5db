//! schbench: percentiles of how long workers waited for the CPU, and of whole requests.
//!
//! Source: schbench.c of <https://github.com/masoncl/schbench>.

use std::collections::BTreeMap;

use super::decimal::decimal;
use super::out::{Lane, Out};
use super::ranks::Ranks;
use super::{MeasurementFormat, Program, number_after, sure_if, whole_number};
use crate::events::Quantity;
use crate::model::{About, Stop};

pub static SCHBENCH: MeasurementFormat = MeasurementFormat {
    name: "schbench_text",
    title: "schbench (text)",
    about: About {
        recognised_by: "`Wakeup Latencies percentiles (usec) runtime 30 (s) (1234 total samples)`",
        reads: "the last table of each name: its percentiles and extremes at their ranks, and bounds of all others, in microseconds",
        leaves_out: "tables before the last of a name; requests a second, which are kept as facts",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| heading(line).is_some())),
    start: || Box::new(Schbench::default()),
};

const NS_PER_US: i64 = 1_000;
const MAX_TABLES: usize = 64;
const MAX_PERCENTILES: usize = 1_024;

#[derive(Default)]
struct Schbench {
    tables: BTreeMap<String, Table>,
    latest: Option<String>,
}

#[derive(Default)]
struct Table {
    unit: String,
    count: Option<i64>,
    percentiles: Vec<(String, i64)>,
    min: Option<i64>,
    max: Option<i64>,
}

/// The name of a table, its unit, and how many there were where that is said.
fn heading(text: &str) -> Option<(String, &str, Option<i64>)> {
    let (name, rest) =
        text.trim().split_once(" percentiles (").or_else(|| text.split_once(" Percentiles ("))?;
    let (unit, rest) = rest.split_once(')')?;
    let total = rest.rsplit_once('(').and_then(|(_, total)| total.strip_suffix(" total samples)"));
    let is_own = matches!(unit, "usec" | "requests") && !name.is_empty();
    is_own.then(|| (name.to_lowercase(), unit, total.and_then(whole_number)))
}

impl Program for Schbench {
    fn has_comments(&self) -> bool {
        false
    }

    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if let Some((name, unit, count)) = heading(text) {
            let has_room = self.tables.len() < MAX_TABLES || self.tables.contains_key(&name);
            if has_room {
                let table = Table { unit: unit.to_owned(), count, ..Table::default() };
                self.tables.insert(name.clone(), table);
                self.latest = Some(name);
            }
            return Ok(has_room);
        }
        let text = text.trim();
        let table = self.latest.as_ref().and_then(|name| self.tables.get_mut(name));
        if let Some((share, value)) = text.trim_start_matches(['*', ' ']).split_once("th: ") {
            let value = value.split_ascii_whitespace().next().and_then(whole_number);
            let (Some(table), Some(value), Some(_)) = (table, value, decimal(share, 1_000)) else {
                return Ok(false);
            };
            let has_room = table.percentiles.len() < MAX_PERCENTILES;
            has_room.then(|| table.percentiles.push((share.to_owned(), value)));
            return Ok(has_room);
        }
        if let Some(extremes) = text.strip_prefix("min=") {
            let found = number_after(extremes, "").zip(number_after(extremes, "max="));
            if let (Some(table), Some((min, max))) = (table, found) {
                (table.min, table.max) = (Some(min), Some(max));
                return Ok(true);
            }
            return Ok(false);
        }
        // average rps: 3912.20
        if let Some((name, value)) = text.split_once(": ") {
            out.fact(name, value);
            return Ok(true);
        }
        let starts = ["setting worker threads to ", "warmup done", "final rps goal was ", "Pinning to "];
        Ok(starts.iter().any(|start| text.starts_with(start)))
    }

    /// The extremes follow the last percentile.
    fn is_whole(&self) -> bool {
        self.tables.values().all(|table| table.max.is_some())
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        for (name, table) in &self.tables {
            let source = format!("schbench {name}");
            if table.unit == "usec"
                && let Some(count) = table.count
            {
                table.emit(&source, count, out)?;
                continue;
            }
            for (share, value) in &table.percentiles {
                out.fact(&format!("{source} {share} % ({})", table.unit), &value.to_string());
            }
            if table.unit == "usec" {
                emit_extremes(&source, table.min, table.max, out)?;
            }
        }
        Ok(())
    }
}

impl Table {
    fn emit(&self, source: &str, count: i64, out: &mut Out<'_>) -> Result<(), Stop> {
        let mut ranks = Ranks::new(count);
        for (share, value) in &self.percentiles {
            ranks.percentile(decimal(share, 1_000).unwrap_or(0), *value);
        }
        self.min.map(|min| ranks.know(0, min));
        self.max.map(|max| ranks.know(count.saturating_sub(1), max));
        ranks.emit(Lane::ONLY, source, NS_PER_US, out)
    }
}

/// All that can be a sample where nothing says how many there were.
pub fn emit_extremes(
    source: &str,
    min: Option<i64>,
    max: Option<i64>,
    out: &mut Out<'_>,
) -> Result<(), Stop> {
    for value in [min, max].into_iter().flatten() {
        let value_ns = value.saturating_mul(NS_PER_US);
        out.measured(Lane::ONLY, None, Quantity::LatencyNs(value_ns), 1, source)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn the_last_table_of_each_name_counts() {
        check(
            "\
Wakeup Latencies percentiles (usec) runtime 10 (s) (50 total samples)
\t  50.0th: 8          (30 samples)
\t  min=1, max=20
Wakeup Latencies percentiles (usec) runtime 30 (s) (100 total samples)
\t  50.0th: 9          (55 samples)
\t* 99.0th: 12         (44 samples)
\t  99.9th: x          (1 samples)
\t  min=1, max=55
RPS percentiles (requests) runtime 30 (s) (31 total samples)
\t* 50.0th: 4001       (12 samples)
\t  min=3900, max=4100
average rps: 3912.20
and so on
",
            expect![[r#"
                measured cpu 0 schbench wakeup latencies start 0 duration 1000 reported
                measured cpu 0 schbench wakeup latencies start 1 duration 1000 reported at_least × 48
                measured cpu 0 schbench wakeup latencies start 49 duration 9000 reported
                measured cpu 0 schbench wakeup latencies start 50 duration 9000 reported at_least × 48
                measured cpu 0 schbench wakeup latencies start 98 duration 12000 reported
                measured cpu 0 schbench wakeup latencies start 99 duration 55000 reported
                unparsed_lines: 2 from line 7
                average rps: 3912.20
                schbench rps 50.0 % (requests): 4001
            "#]],
        );
    }

    #[test]
    fn without_a_count_the_extremes_are_all() {
        check(
            "Latency percentiles (usec)\n\t50.0000th: 63\n\t*99.0000th: 70\n\t min=0, max=12000\n",
            expect![[r#"
                measured cpu 0 schbench latency start 0 duration 0 reported
                measured cpu 0 schbench latency start 1 duration 12000000 reported
                schbench latency 50.0000 % (usec): 63
                schbench latency 99.0000 % (usec): 70
            "#]],
        );
    }
}
