//! perf sched timehist: how long each run of a task had waited before.
//!
//! Source: `timehist_print_sample` in tools/perf/builtin-sched.c, Linux 6.1 and 7.0.

use super::decimal::decimal;
use super::out::Out;
use super::{MeasurementFormat, Program, sure_if, whole_number};
use crate::events::{Measured, Quantity};
use crate::model::{About, Stop, TaskRef, parse_seconds};

pub static PERF_TIMEHIST: MeasurementFormat = MeasurementFormat {
    name: "perf_sched_timehist",
    title: "perf sched timehist (text)",
    about: About {
        recognised_by: "a header with `task name`, `wait time`, `sch delay` and `run time`",
        reads: "of each run its task, its CPU, how long the task had waited off the CPU, and the part of it that it was runnable after its wakeup, both at the time at which it came on the CPU",
        leaves_out: "waits of 0.000, which say that there was none or none was seen; run times; wakeups and migrations (-w, -M); call chains; the summary (-s, -S)",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| columns(line).is_some())),
    start: || Box::new(Timehist::default()),
};

/// Milliseconds with three decimals.
const NS_PER_MS: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Wait,
    Delay,
    Run,
    Other,
}

#[derive(Default)]
struct Timehist {
    /// In their order after the task.
    columns: Vec<Column>,
    /// With -V, a sign for each CPU comes before the task.
    has_signs: bool,
    is_summary: bool,
}

/// `time    cpu  task name                       wait time  sch delay   run time`
fn columns(text: &str) -> Option<Vec<Column>> {
    let (_, names) = text.split_once("task name")?;
    let known = [
        ("wait time", Column::Wait),
        ("sch delay", Column::Delay),
        ("run time", Column::Run),
        ("pre-mig time", Column::Other),
        ("prio", Column::Other),
    ];
    let mut found: Vec<(usize, Column)> =
        known.iter().filter_map(|(name, column)| Some((names.find(name)?, *column))).collect();
    found.sort_unstable_by_key(|(at, _)| *at);
    let columns: Vec<Column> = found.into_iter().map(|(_, column)| column).collect();
    [Column::Wait, Column::Delay, Column::Run].iter().all(|one| columns.contains(one)).then_some(columns)
}

/// `2755.657453 [0001]  perf-exec[23141]   0.000      0.006      0.202`: the end of the run, the CPU, and what follows.
fn run_end(text: &str) -> Option<(i64, i64, &str)> {
    let (time, rest) = text.trim_start().split_once(' ')?;
    let (cpu, rest) = rest.trim_start().strip_prefix('[')?.split_once(']')?;
    Some((parse_seconds(time.as_bytes())?.0, whole_number(cpu)?, rest))
}

/// `node[23125/23115]`: name, pid and tgid.
fn task(text: &str) -> Option<TaskRef<'_>> {
    let (comm, ids) = text.trim().strip_suffix(']')?.rsplit_once('[')?;
    let (pid, tgid) = ids.split_once('/').map_or((ids, None), |(pid, tgid)| (pid, Some(tgid)));
    let number = |text: &str| whole_number(text).and_then(|number| i32::try_from(number).ok());
    Some(TaskRef { pid: Some(number(pid)?), comm: comm.as_bytes(), tgid: tgid.and_then(number) })
}

impl Program for Timehist {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if let Some(columns) = columns(text) {
            self.columns = columns;
            self.has_signs = text.split("task name").next().is_some_and(|before| {
                before.split_ascii_whitespace().last().is_some_and(|last| whole_number(last).is_some())
            });
            return Ok(true);
        }
        if let Some((end_ns, cpu, rest)) = run_end(text) {
            return self.run(end_ns, cpu, rest, out);
        }
        self.is_summary |= matches!(
            text.trim(),
            "Runtime summary" | "Wait-time summary" | "Idle stats:" | "Terminated tasks:"
        );
        let is_rule = text.bytes().all(|byte| matches!(byte, b'-' | b' '));
        Ok(is_rule || text.trim_start().starts_with("[tid/pid]") || self.is_summary && is_of_summary(text))
    }
}

/// Headings, rows that end in numbers, and totals.
fn is_of_summary(text: &str) -> bool {
    let last = text.split_ascii_whitespace().last().unwrap_or_default();
    let is_number = decimal(last.trim_end_matches(['%', ')']), 1).is_some();
    let is_heading = ["run-time", "(msec)", "comm", "Runtime", "Idle stats:", "Terminated tasks:", "<no "]
        .iter()
        .any(|word| text.contains(word));
    is_number || is_heading || text.contains(" idle for ") || text.trim_start().starts_with("Total ")
}

impl Timehist {
    fn run(&self, end_ns: i64, cpu: i64, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if text.contains(" awakened: ") || text.contains(" migrated: ") {
            return Ok(true);
        }
        let Some((name, numbers)) = self.numbers(text) else { return Ok(false) };
        let number = |wanted: Column| {
            let at = self.columns.iter().position(|column| *column == wanted)?;
            decimal(numbers.get(at)?, NS_PER_MS)
        };
        let (Some(wait_ns), Some(delay_ns), Some(run_ns)) =
            (number(Column::Wait), number(Column::Delay), number(Column::Run))
        else {
            return Ok(false);
        };
        let name = name.trim();
        let name = if self.has_signs { name.split_once(' ').map_or(name, |(_, name)| name) } else { name };
        if name.trim() == "<idle>" {
            return Ok(true);
        }
        let Some(lane) = out.cpu(cpu)? else { return Ok(false) };
        let task = task(name).unwrap_or(TaskRef { comm: name.trim().as_bytes(), ..TaskRef::default() });
        let begin_ns = end_ns.saturating_sub(run_ns);
        for (source, value_ns) in [("perf wait time", wait_ns), ("perf sch delay", delay_ns)] {
            let quantity = Quantity::LatencyNs(value_ns);
            let measured = Measured { quantity, count: i64::from(value_ns > 0), source: source.as_bytes() };
            out.measured_of(task, lane, Some(begin_ns.saturating_sub(value_ns).max(0)), measured)?;
        }
        Ok(true)
    }

    /// The name of the task, and as many numbers after it as there are columns: the first place where they fit.
    fn numbers<'t>(&self, text: &'t str) -> Option<(&'t str, Vec<&'t str>)> {
        let mut words: Vec<(usize, &str)> = Vec::new();
        let mut at = 0;
        for word in text.split(' ') {
            if !word.is_empty() {
                words.push((at, word));
            }
            at = at.saturating_add(word.len()).saturating_add(1);
        }
        let is_fit = |run: &&[(usize, &str)]| {
            let last = run.last().map(|(_, word)| *word).unwrap_or_default();
            last.contains('.') && run.iter().all(|(_, word)| decimal(word, 1).is_some())
        };
        let run = words.get(1..)?.windows(self.columns.len().max(1)).find(is_fit)?;
        let name = text.get(..run.first()?.0)?;
        Some((name, run.iter().map(|(_, word)| *word).collect()))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn waits_end_where_the_run_begins() {
        check(
            "\
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
    2755.657111 [0000]  perf[23133]                         0.000      0.000      0.000 
    2755.657120 [0001]  early[7]                          900.000      0.000      0.001 
    2755.657135 [0000]  migration/0[18]                     0.000      0.005      0.023 
    2755.657453 [0001]  my task[23141/23140]                0.010      0.006      0.202  S  next: migration/0[18]
    2755.657508 [0001]  perf[23133]                                                      migrated: node[23125/23115] cpu 0 => 1
    2755.657600 [0001]  <idle>                              0.000      0.000      0.147
    2755.657700 [0001]  cut[7]                              0.000      0.0
    2755.657800 [0001]  late 1.5 2.5 0.5[9]                 1.001      0.001      0.002  do_idle <- cpu_startup_entry
",
            expect![[r#"
                measured cpu 1 early-7 perf wait time start 0 duration 900000000 reported
                measured cpu 1 late 1.5 2.5 0.5-9 perf wait time start 899678000 duration 1001000 reported
                measured cpu 0 migration/0-18 perf sch delay start 899988000 duration 5000 reported
                measured cpu 1 my task-23141 perf wait time start 900122000 duration 10000 reported
                measured cpu 1 my task-23141 perf sch delay start 900126000 duration 6000 reported
                measured cpu 1 late 1.5 2.5 0.5-9 perf sch delay start 900678000 duration 1000 reported
                unparsed_lines: 1 from line 10
            "#]],
        );
    }

    #[test]
    fn signs_of_cpus_are_no_names_and_a_summary_is_left_out() {
        check(
            "\
           time    cpu  012  task name                       wait time  sch delay   run time
    2755.657135 [0000]  s    migration/0[18]                     0.000      0.005      0.023 

Runtime summary
                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  migrations
                                          (count)       (msec)     (msec)      (msec)      (msec)       %
---------------------------------------------------------------------------------------------------------------------
               rcu_preempt[15]       2         10        0.073      0.004       0.007       0.009    6.56       0
nothing of perf's
",
            expect![[r#"
                measured cpu 0 migration/0-18 perf sch delay start 0 duration 5000 reported
                unparsed_lines: 1 from line 9
            "#]],
        );
    }
}
