//! FWQ: how long each quantum of the same work took.
//!
//! Source: fwq/fwq-th.c of <https://github.com/LLNL/system-noise>.

use std::collections::BTreeMap;

use super::decimal::decimal;
use super::out::Out;
use super::{MeasurementFormat, Program, sure_if, whole_number};
use crate::events::Quantity;
use crate::model::{About, Stop};

pub static FWQ: MeasurementFormat = MeasurementFormat {
    name: "fwq_times",
    title: "FWQ times (text)",
    about: About {
        recognised_by: "`Speed: thread 0, cycles 123, seconds 0.000062, GHz 1.98`, or `Thread 0 running on CPUs 0`",
        reads: "how long each quantum took: its ticks, by the speed that the file states of the thread; without a speed, ticks as numbers",
        leaves_out: "fractions of a nanosecond",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| speed(line).is_some() || thread(line).is_some())),
    start: || Box::new(Fwq::default()),
};

const MAX_THREADS: usize = 8_192;

#[derive(Default)]
struct Fwq {
    /// Of each thread: ticks, and nanoseconds that they took.
    speeds: BTreeMap<i64, (i64, i64)>,
    /// The thread whose quanta follow, and its CPU.
    current: Option<(i64, Option<i64>)>,
    counts: BTreeMap<i64, i64>,
    stated_count: Option<i64>,
}

/// `Speed: thread 0, cycles 123, seconds 0.000062, GHz 1.98`
fn speed(text: &str) -> Option<(i64, (i64, i64))> {
    let rest = text.strip_prefix("Speed: ")?;
    let (thread, rest) = rest.split_once(", cycles ")?;
    let (cycles, rest) = rest.split_once(", seconds ")?;
    let seconds = rest.split(',').next()?;
    let thread = whole_number(thread.rsplit(' ').next()?)?;
    Some((thread, (whole_number(cycles)?, decimal(seconds, 1_000_000_000)?)))
}

/// `Thread 0 running on CPUs 3`; of several CPUs none is the one.
fn thread(text: &str) -> Option<(i64, Option<i64>)> {
    let (thread, cpus) = text.split_once(" running on CPUs ")?;
    Some((whole_number(thread.rsplit(' ').next()?)?, whole_number(cpus.trim())))
}

impl Program for Fwq {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if let Some(ticks) = whole_number(text) {
            return self.quantum(ticks, out);
        }
        if let Some((thread, speed)) = speed(text) {
            let has_room = self.speeds.len() < MAX_THREADS;
            has_room.then(|| self.speeds.insert(thread, speed));
            return Ok(has_room);
        }
        if let Some((thread, cpu)) = thread(text) {
            let has_room = self.counts.len() < MAX_THREADS;
            has_room.then(|| self.counts.entry(thread).or_default());
            self.current = Some((thread, cpu)).filter(|_| has_room);
            return Ok(has_room);
        }
        let Some((name, value)) = text.split_once(": ") else { return Ok(false) };
        if name == "Number of samples per thread" {
            self.stated_count = whole_number(value);
        }
        out.fact(name, value);
        Ok(["Number of ", "Work per ", "Output file"].iter().any(|start| name.starts_with(start)))
    }

    /// Threads that have fewer quanta than stated, or than another one, are cut.
    fn is_whole(&self) -> bool {
        let expected = self.stated_count.or(self.counts.values().max().copied());
        self.counts.values().all(|count| Some(*count) >= expected)
    }
}

impl Fwq {
    fn quantum(&mut self, ticks: i64, out: &mut Out<'_>) -> Result<bool, Stop> {
        let (thread, cpu) = self.current.unwrap_or((0, None));
        let quantity = match self.speeds.get(&thread) {
            Some((cycles, taken_ns)) if *cycles > 0 && *taken_ns > 0 => {
                let product = i128::from(ticks).saturating_mul(i128::from(*taken_ns));
                let value_ns = product.checked_div(i128::from(*cycles));
                let Some(value_ns) = value_ns.and_then(|value_ns| i64::try_from(value_ns).ok()) else {
                    return Ok(false);
                };
                Quantity::LatencyNs(value_ns)
            }
            _ => Quantity::Number(ticks),
        };
        let Some(lane) = out.cpu_or_thread(cpu, thread)? else { return Ok(false) };
        let count = self.counts.entry(thread).or_default();
        *count = count.saturating_add(1);
        out.measured(lane, None, quantity, 1, &format!("fwq thread {thread}"))?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn ticks_are_times_by_the_stated_speed() {
        check(
            "\
Number of threads: 2
Work per thread: 1048576
Number of samples per thread: 2
Speed: thread 0, cycles 4000, seconds 0.000002, GHz 2.000000
Thread 0 running on CPUs 3
2000
2001
Thread 1 running on CPUs 0-7
1999
19x9
",
            expect![[r#"
                measured cpu 3 fwq thread 0 start 0 duration 1000 reported
                measured cpu 1 fwq thread 1 start 0 duration 1999 reported number
                measured cpu 3 fwq thread 0 start 1 duration 1000 reported
                ends_early: 1 from line 10
                unparsed_lines: 1 from line 10
                Number of samples per thread: 2
                Number of threads: 2
                Work per thread: 1048576
            "#]],
        );
    }
}
