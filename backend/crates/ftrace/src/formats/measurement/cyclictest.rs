//! cyclictest's histograms, cycles and summaries, and those of signaltest, which look the same.
//!
//! Source: src/cyclictest/cyclictest.c, rt-tests 1.0 to 2.8.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::out::Out;
use super::thread::{Bar, Thread};
use super::{MeasurementFormat, Program, number_after, sure_if, whole_number, whole_numbers};
use crate::events::Quantity;
use crate::model::{About, Code, Stop};

pub static CYCLICTEST: MeasurementFormat = MeasurementFormat {
    name: "cyclictest_text",
    title: "cyclictest (text)",
    about: About {
        recognised_by: "`T: 0 (  822) P:80 I:1000 C:    313 Min:     19 Act:   32 Avg:   20 Max:      44`, `# Histogram`, or `Thread 0 Interval: 1000`",
        reads: "histograms (-h, -H) with their overflows, each cycle (-v), the summary, the value that broke the run (-b); signaltest's summary. In microseconds; of -v, cycles lie their interval apart",
        leaves_out: "the cycles at which a histogram overflowed; the averages are kept as facts",
    },
    likeness: |lines| {
        let is_own = |line: &&str| summary(line).is_some() || is_own_header(line);
        sure_if(lines.iter().any(is_own) || is_histogram_without_head(lines))
    },
    start: || Box::new(Cyclictest::default()),
};

const NS_PER_US: i64 = 1_000;
/// Cells of histograms that are kept: cyclictest has at most a million of each thread.
const MAX_CELLS: usize = 1 << 20;
const MAX_THREADS: i64 = 8_192;
/// With this many rows, numbers are a histogram.
const LEAST_ROWS: usize = 8;

#[derive(Default)]
struct Cyclictest {
    intervals_us: BTreeMap<i64, i64>,
    /// The latest of each thread.
    summaries: BTreeMap<i64, Summary>,
    has_cycles: bool,
    /// Rows of the histogram: its value, and by column, what is not zero.
    cells: Vec<(usize, Bar)>,
    column_count: usize,
    /// The first value past the histogram.
    end: i64,
    /// Values or cycles between those that are listed are missing.
    has_gap: bool,
    /// The number of the next cycle, by thread.
    next_cycles: BTreeMap<i64, i64>,
    /// By name, the numbers of each column: `# Max Latencies: 00055`.
    columns: BTreeMap<&'static str, Vec<i64>>,
    thread_ids: Vec<i64>,
    broken: (Option<i64>, Option<i64>),
}

/// `T: 0 (  822) P:80 I:1000 C:    313 Min:     19 Act:   32 Avg:   20 Max:      44`
struct Summary {
    thread: i64,
    thread_id: Option<i64>,
    interval_us: Option<i64>,
    count: i64,
    min: i64,
    last: Option<i64>,
    average: Option<i64>,
    max: i64,
}

fn summary(text: &str) -> Option<Summary> {
    let rest = after_escape(text).trim_start().strip_prefix("T:")?;
    let thread = number_after(rest, "")?;
    let thread_id = rest.split_once('(').and_then(|(_, id)| number_after(id, ""));
    Some(Summary {
        thread: Some(thread).filter(|thread| (0..MAX_THREADS).contains(thread))?,
        thread_id,
        interval_us: number_after(rest, " I:"),
        count: number_after(rest, " C:")?,
        min: number_after(rest, "Min:")?,
        last: number_after(rest, "Act:"),
        average: number_after(rest, "Avg:"),
        max: number_after(rest, "Max:")?,
    })
}

/// Lines are written over those before them: `\x1b[3A`.
fn after_escape(text: &str) -> &str {
    text.strip_prefix("\x1b[").and_then(|rest| rest.split_once('A')).map_or(text, |(_, rest)| rest)
}

/// Tools that align columns, and people, put other blanks between the words of a comment: `# Break  value: 25`.
fn one_blank_each(text: &str) -> Cow<'_, str> {
    if !text.starts_with('#') || !text.contains("  ") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
}

/// True for rows as they are printed, of values that follow one another: `000019 000512 000003`.
fn is_histogram_without_head(lines: &[&str]) -> bool {
    let is_padded = |line: &&&str| {
        let mut words = line.split_ascii_whitespace();
        line.len() >= 13 && words.all(|word| word.len() >= 6 && whole_number(word).is_some())
    };
    let rows = lines.iter().take_while(is_padded);
    let values = rows.clone().filter_map(|line| whole_number(line.split_ascii_whitespace().next()?));
    let is_counting = values.clone().zip(values.skip(1)).all(|(one, next)| one.checked_add(1) == Some(next));
    is_counting && rows.count() >= LEAST_ROWS
}

fn is_own_header(line: &str) -> bool {
    line == "# Histogram" || interval(line).is_some()
}

/// `Thread 0 Interval: 1500`
fn interval(text: &str) -> Option<(i64, i64)> {
    let (thread, interval_us) = text.strip_prefix("Thread ")?.split_once(" Interval:")?;
    Some((whole_number(thread)?, whole_number(interval_us.trim())?))
}

/// `       0:     995:      20`
fn cycle(text: &str) -> Option<(i64, i64, i64)> {
    let mut words = text.split(':').map(|word| whole_number(word.trim()));
    let found = (words.next()??, words.next()??, words.next()??);
    words.next().is_none().then_some(found)
}

/// Numbers of all threads: `# Max Latencies: 00055`.
static COLUMNS: &[&str] =
    &["# Total:", "# Min Latencies:", "# Avg Latencies:", "# Max Latencies:", "# Histogram Overflows:"];

impl Program for Cyclictest {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let text = &one_blank_each(after_escape(text));
        if let Some(summary) = summary(text) {
            self.summaries.insert(summary.thread, summary);
            return Ok(true);
        }
        if let Some((thread, number, latency_us)) = cycle(text) {
            return self.cycle(thread, number, latency_us, out);
        }
        if let Some((thread, interval_us)) = interval(text) {
            let is_thread = thread < MAX_THREADS;
            is_thread.then(|| self.intervals_us.insert(thread, interval_us));
            return Ok(is_thread);
        }
        if let Some(comment) = text.strip_prefix('#') {
            // `# max_late_ns=75227 at i=1`: no comment of cyclictest has values like that.
            let is_of_other = comment.split_ascii_whitespace().next().is_some_and(|word| word.contains('='));
            let hides_values = is_of_other
                || whole_numbers(comment).is_some_and(|row| !row.is_empty())
                || summary(comment).is_some()
                || cycle(comment).is_some();
            self.comment(text, comment);
            return Ok(!hides_values);
        }
        if let Some(row) = whole_numbers(text) {
            return Ok(self.row(&row, out));
        }
        Ok(stated(text, out))
    }

    /// Rows and cycles follow one another; the totals, the extremes, and the count past the histogram follow the last
    /// row.
    fn is_whole(&self) -> bool {
        let is_there = |name: &str| self.columns.contains_key(name);
        let is_ended = is_there("# Max Latencies:") && is_there("# Histogram Overflows:");
        !self.has_gap && (self.column_count == 0 || is_ended)
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        let end = out.place;
        let program = self.program();
        for (number, mut thread) in self.histograms() {
            let Some(lane) = out.thread(number)? else { continue };
            thread.emit(lane, &format!("{program} thread {number}"), NS_PER_US, out)?;
        }
        out.place = end;
        if self.column_count == 0 && !self.has_cycles {
            self.emit_summaries(program, out)?;
        }
        self.emit_break(program, out)
    }
}

/// What is said about the run: `policy: fifo: loadavg: 0.34 0.08 0.03 2/56 822`
fn stated(text: &str, out: &mut Out<'_>) -> bool {
    if let Some(count) = text.strip_prefix("Online CPUs = ").and_then(whole_number) {
        out.facts.cpu_count = u32::try_from(count).ok();
        return true;
    }
    if let Some(policy) = text.strip_prefix("policy: ") {
        out.fact("policy", policy.split(':').next().unwrap_or_default());
        return true;
    }
    ["Max CPUs = ", "INFO:", "WARN:", "WARNING:", "defaulting"].iter().any(|start| text.starts_with(start))
}

impl Cyclictest {
    /// signaltest has no interval.
    fn program(&self) -> &'static str {
        let is_signaltest = self.column_count == 0
            && !self.has_cycles
            && self.summaries.values().all(|summary| summary.interval_us.is_none());
        if is_signaltest && !self.summaries.is_empty() { "signaltest" } else { "cyclictest" }
    }

    fn cycle(&mut self, thread: i64, number: i64, latency_us: i64, out: &mut Out<'_>) -> Result<bool, Stop> {
        let Some(latency_ns) = latency_us.checked_mul(NS_PER_US) else { return Ok(false) };
        let Some(lane) = out.thread(thread)? else { return Ok(false) };
        let interval_us = self.intervals_us.get(&thread).copied();
        let at_ns = interval_us.and_then(|us| us.checked_mul(NS_PER_US)?.checked_mul(number));
        self.has_cycles = true;
        let next = self.next_cycles.insert(thread, number.saturating_add(1));
        self.has_gap |= next.is_some_and(|next| number > next);
        if next.is_some_and(|next| number < next) {
            let cycle = format!("{thread}: {number}: {latency_us}");
            out.report(Code::SeveralRecordings, &cycle)?;
        }
        let source = format!("cyclictest thread {thread}");
        out.measured(lane, at_ns, Quantity::LatencyNs(latency_ns), 1, &source)?;
        // Laid out, not recorded.
        out.facts.time_origin = Some(crate::model::TimeOrigin::Derived);
        Ok(true)
    }

    /// `000019 000512 000003`: a value, and how often each thread met it.
    fn row(&mut self, row: &[i64], out: &Out<'_>) -> bool {
        let Some((value, counts)) = row.split_first() else { return false };
        let found = counts.iter().filter(|count| **count > 0).count();
        let is_histogram =
            !counts.is_empty() && (self.column_count == 0 || self.column_count == counts.len());
        // The rows of another histogram belong to another file.
        let is_behind = self.column_count == 0 || *value >= self.end;
        if !is_histogram || !is_behind || self.cells.len().saturating_add(found) > MAX_CELLS {
            return false;
        }
        self.has_gap |= self.column_count > 0 && *value > self.end;
        self.column_count = counts.len();
        self.end = self.end.max(value.saturating_add(1));
        let place = out.place;
        let bar = |(column, count): (usize, &i64)| (column, Bar { value: *value, count: *count, place });
        self.cells.extend(counts.iter().enumerate().filter(|(_, count)| **count > 0).map(bar));
        true
    }

    fn comment(&mut self, text: &str, comment: &str) {
        if let Some(name) = COLUMNS.iter().find(|name| text.starts_with(**name)) {
            let numbers = text.get(name.len()..).and_then(whole_numbers).unwrap_or_default();
            self.columns.insert(name, numbers);
        }
        let comment = comment.trim_start();
        if let Some(ids) = comment.strip_prefix("Thread Ids:") {
            self.thread_ids = whole_numbers(ids).unwrap_or_default();
        }
        let (thread_id, value) = &mut self.broken;
        *thread_id = thread_id.or(number_after(comment, "Break thread:"));
        *value = value.or(number_after(comment, "Break value:"));
    }

    /// By number of the thread. With -H, the last column is the sum of the others; it has no minimum.
    fn histograms(&mut self) -> BTreeMap<i64, Thread> {
        let minima = self.columns.get("# Min Latencies:").map_or(0, Vec::len);
        let count = if minima > 0 { minima } else { self.column_count }.min(self.column_count);
        let number = |name: &str, column: usize| self.columns.get(name)?.get(column).copied();
        let mut threads: BTreeMap<i64, Thread> = BTreeMap::new();
        for column in 0..count {
            let overflow_count = number("# Histogram Overflows:", column);
            let listed = number("# Total:", column);
            let thread = Thread {
                overflow_count,
                overflow_from: Some(self.end),
                count: listed.map(|listed| listed.saturating_add(overflow_count.unwrap_or(0))),
                min: number("# Min Latencies:", column),
                max: number("# Max Latencies:", column),
                average: number("# Avg Latencies:", column).map(|average| format!("{average} us")),
                ..Thread::default()
            };
            threads.insert(i64::try_from(column).unwrap_or(i64::MAX), thread);
        }
        for (column, bar) in std::mem::take(&mut self.cells) {
            let thread = i64::try_from(column).ok().and_then(|column| threads.get_mut(&column));
            thread.into_iter().for_each(|thread| thread.bars.push(bar));
        }
        threads
    }

    fn emit_summaries(&mut self, program: &str, out: &mut Out<'_>) -> Result<(), Stop> {
        for (number, summary) in &self.summaries {
            let Some(lane) = out.thread(*number)? else { continue };
            let mut thread = Thread {
                count: Some(summary.count),
                min: Some(summary.min),
                last: summary.last,
                max: Some(summary.max),
                average: summary.average.map(|average| format!("{average} us")),
                ..Thread::default()
            };
            thread.emit(lane, &format!("{program} thread {number}"), NS_PER_US, out)?;
        }
        Ok(())
    }

    /// The value that broke the run comes after the last summary, unless that has it already.
    fn emit_break(&self, program: &str, out: &mut Out<'_>) -> Result<(), Stop> {
        let (thread_id, Some(value_us)) = self.broken else { return Ok(()) };
        let by_summary = self.summaries.values().find(|summary| summary.thread_id == thread_id);
        if by_summary.is_some_and(|summary| summary.max == value_us) {
            return Ok(());
        }
        let listed = self.thread_ids.iter().position(|id| Some(*id) == thread_id);
        let number = listed.and_then(|at| i64::try_from(at).ok());
        let number = number.or(by_summary.map(|summary| summary.thread)).unwrap_or(0);
        let Some(lane) = out.thread(number)? else { return Ok(()) };
        let quantity = Quantity::LatencyNs(value_us.saturating_mul(NS_PER_US));
        out.fact("break_value_us", &value_us.to_string());
        out.measured(lane, None, quantity, 1, &format!("{program} thread {number}"))
    }
}
