//! perf sched latency: the longest delay of each task from its wakeup to its run.
//!
//! Source: `output_lat_thread` in tools/perf/builtin-sched.c, Linux 4.9 to 7.0.

use super::decimal::decimal;
use super::out::{Lane, Out};
use super::{MeasurementFormat, Program, sure_if, whole_number};
use crate::events::Quantity;
use crate::model::{About, Place, Stop, parse_seconds};

pub static PERF_LATENCY: MeasurementFormat = MeasurementFormat {
    name: "perf_sched_latency",
    title: "perf sched latency (text)",
    about: About {
        recognised_by: "a header with `Task`, `Runtime ms`, `Switches` and `delay ms`",
        reads: "the longest delay of each task, at its time; how many others there were",
        leaves_out: "the average delays, which are kept as facts; run times. All delays one by one are in perf sched timehist",
    },
    likeness: |lines| {
        sure_if(lines.iter().any(|line| line.contains("|   Runtime ms  |") && line.contains(" delay ms")))
    },
    start: || Box::new(PerfLatency::default()),
};

const NS_PER_MS: i64 = 1_000_000;
const MAX_TASKS: usize = 1 << 16;

#[derive(Default)]
struct PerfLatency {
    rows: Vec<Row>,
    has_total: bool,
}

struct Row {
    task: String,
    count: i64,
    /// When the longest delay began, and how long it was.
    longest: Option<(i64, i64)>,
    place: Place,
}

/// `avg:   1.976 ms`
fn milliseconds(cell: &str, name: &str) -> Option<i64> {
    let (_, value) = cell.split_once(name)?;
    decimal(value.trim().strip_suffix("ms")?.trim_end(), NS_PER_MS)
}

/// `max start:  2755.659640 s`
fn seconds(cell: &str, name: &str) -> Option<i64> {
    let (_, value) = cell.split_once(name)?;
    parse_seconds(value.trim().strip_suffix('s')?.trim_end().as_bytes()).map(|ts| ts.0)
}

impl Program for PerfLatency {
    fn has_comments(&self) -> bool {
        false
    }

    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        match *cells.as_slice() {
            [task, _, switches, average, max, ref when @ ..] if max.starts_with("max:") => {
                Ok(self.row([task, switches, average, max], when, out).is_some())
            }
            [task, ..] if task.starts_with("TOTAL:") => {
                self.has_total = true;
                Ok(true)
            }
            ["Task", ..] => Ok(true),
            _ => Ok(text.bytes().all(|byte| matches!(byte, b'-' | b' ')) || text.trim().starts_with("INFO:")),
        }
    }

    /// The total follows the last task.
    fn is_whole(&self) -> bool {
        self.has_total || self.rows.is_empty()
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        // The table is sorted by size.
        self.rows.sort_by_key(|row| row.longest.map(|(start_ns, _)| start_ns));
        let first_ns = self.rows.iter().find_map(|row| row.longest).map(|(start_ns, _)| start_ns);
        for row in &self.rows {
            out.place = row.place;
            let source = format!("perf delay {}", row.task);
            if let Some((start_ns, max_ns)) = row.longest {
                out.measured(Lane::ONLY, Some(start_ns), Quantity::LatencyNs(max_ns), 1, &source)?;
            }
            let at_ns = row.longest.map(|(start_ns, _)| start_ns).or(first_ns);
            let others = row.count.saturating_sub(i64::from(row.longest.is_some()));
            out.measured(Lane::ONLY, at_ns, Quantity::NotListed, others, &source)?;
        }
        Ok(())
    }
}

impl PerfLatency {
    // sleep:23141 | 1.660 ms | 2 | avg: 1.976 ms | max: 3.951 ms | max start: 2755.659640 s | max end: 2755.663591 s
    fn row(&mut self, row: [&str; 4], when: &[&str], out: &mut Out<'_>) -> Option<()> {
        let [task, switches, average, max] = row;
        let (count, max_ns) = (whole_number(switches)?, milliseconds(max, "max:")?);
        milliseconds(average, "avg:")?;
        let start_ns = when.iter().find_map(|cell| seconds(cell, "max start:"));
        // Before Linux 5.13: `max at: 2755.663591 s`, where it ends.
        let end_ns = when.iter().find_map(|cell| seconds(cell, "max at:"));
        let start_ns = start_ns.or_else(|| end_ns?.checked_sub(max_ns).filter(|start_ns| *start_ns >= 0))?;
        (self.rows.len() < MAX_TASKS).then_some(())?;
        out.fact(&format!("average of perf delay {task}"), average.trim_start_matches("avg:"));
        // 0.000: no delay of this task was seen, and the time is 0, too.
        let longest = Some((start_ns, max_ns)).filter(|_| max_ns > 0 && count > 0);
        self.rows.push(Row { task: task.to_owned(), count, longest, place: out.place });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn the_longest_delay_is_a_sample_and_the_rest_is_counted() {
        check(
            "
 -------------------------------------------------------------------------------------------------------
  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start           | Max delay end          |
 -------------------------------------------------------------------------------------------------------
  sleep:23141           |      1.660 ms |        2 | avg:   1.976 ms | max:   3.951 ms | max start:  2755.659640 s | max end:  2755.663591 s
  node:(16)             |    173.357 ms |      120 | avg:   0.792 ms | max:   5.792 ms | max start:  2755.667779 s | max end:  2755.673570 s
  postgres:(3)          |      2.807 ms |        3 | avg:   0.000 ms | max:   0.000 ms | max start:     0.000000 s | max end:     0.000000 s
  old:7                 |      2.807 ms |        3 | avg:   0.500 ms | max:   1.000 ms | max at:  2755.700000 s
  cut:8                 |      2.807 ms |        3 | avg:   0.500 ms | max:   1.0
 -------------------------------------------------------------------------------------------------------
  TOTAL:                |    185.415 ms |      168 |
 ---------------------------------------------------
",
            expect![[r#"
                measured cpu 0 perf delay sleep:23141 start 0 duration 3951000 reported
                measured cpu 0 perf delay node:(16) start 8139000 duration 5792000 reported
                measured cpu 0 perf delay old:7 start 39360000 duration 1000000 reported
                measured incomplete: 125 not_listed
                unparsed_lines: 1 from line 9
                average of perf delay node:(16): 0.792 ms
                average of perf delay old:7: 0.500 ms
                average of perf delay postgres:(3): 0.000 ms
                average of perf delay sleep:23141: 1.976 ms
            "#]],
        );
    }

    #[test]
    fn a_cut_is_told() {
        check(
            "  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay start |
  sleep:23141           |      1.660 ms |        2 | avg:   1.976 ms | max:   3.951 ms | max start:  2755.659640 s | max end:  2755.663591 s
",
            expect![[r#"
                measured cpu 0 perf delay sleep:23141 start 0 duration 3951000 reported
                measured incomplete: 1 not_listed
                ends_early: 1 from line 2
                average of perf delay sleep:23141: 1.976 ms
            "#]],
        );
    }
}
