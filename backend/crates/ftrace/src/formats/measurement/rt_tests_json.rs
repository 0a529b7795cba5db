//! What the programs of rt-tests write with --json: cyclictest, oslat, signaltest, ptsematest and others.
//!
//! Source: src/lib/rt-utils.c (`rt_write_json`), rt-tests 2.4. Strings and numbers do not go over the end of a line,
//! so that a damaged file is read line by line like any other.

use std::collections::BTreeMap;

use super::json::{Token, token};
use super::out::Out;
use super::thread::{Bar, Thread};
use super::{MeasurementFormat, Program, sure_if, whole_number};
use crate::model::{About, Stop};

pub static RT_TESTS_JSON: MeasurementFormat = MeasurementFormat {
    name: "rt_tests_json",
    title: "rt-tests --json (cyclictest, oslat and others)",
    about: About {
        recognised_by: "a JSON object with `\"rt_test_version:\"` or with `\"file_version\"` and `\"thread\"`",
        reads: "of each thread: histogram, how many cycles, minimum and maximum; the kernel, the command line and the rest of `sysinfo` as facts. In microseconds, or as `resolution_in_ns` says",
        leaves_out: "the averages, which are kept as facts",
    },
    likeness: |lines| {
        let head = lines.concat();
        sure_if(head.starts_with('{') && head.contains("\"file_version\"") && head.contains("\"cmdline"))
    },
    start: || Box::new(RtTestsJson::default()),
};

const NS_PER_US: i64 = 1_000;
const MAX_DEPTH: usize = 16;
const MAX_THREADS: i64 = 8_192;
const MAX_CELLS: usize = 1 << 20;

#[derive(Default)]
struct RtTestsJson {
    /// The keys of the objects that are open, the outermost first.
    path: Vec<String>,
    key: Option<String>,
    program: Option<String>,
    has_nanoseconds: bool,
    threads: BTreeMap<i64, OfThread>,
    cell_count: usize,
}

#[derive(Default)]
struct OfThread {
    cpu: Option<i64>,
    numbers: Thread,
}

impl Program for RtTestsJson {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let mut rest = text;
        loop {
            match token(rest) {
                Err(()) => return Ok(false),
                Ok(None) => return Ok(true),
                Ok(Some((token, after))) => {
                    if !self.token(&token, after, out) {
                        return Ok(false);
                    }
                    rest = after;
                }
            }
        }
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        let program = self.program.take().unwrap_or_else(|| "rt-tests".to_owned());
        let unit_ns = if self.has_nanoseconds { 1 } else { NS_PER_US };
        for (number, of_thread) in &mut self.threads {
            let Some(lane) = out.cpu_or_thread(of_thread.cpu, *number)? else { continue };
            of_thread.numbers.has_open_end = program == "oslat";
            of_thread.numbers.emit(lane, &format!("{program} thread {number}"), unit_ns, out)?;
        }
        Ok(())
    }

    fn ends_with(&self, text: &str) -> bool {
        text.ends_with(['}', ']'])
    }

    fn is_whole(&self) -> bool {
        self.path.is_empty()
    }
}

impl RtTestsJson {
    /// False where it cannot come here.
    fn token(&mut self, token: &Token<'_>, after: &str, out: &mut Out<'_>) -> bool {
        match token {
            Token::Open => {
                self.path.push(self.key.take().unwrap_or_default());
                self.path.len() <= MAX_DEPTH
            }
            Token::Close => {
                self.key = None;
                self.path.pop().is_some()
            }
            Token::Sign => true,
            Token::Text(text) if self.key.is_none() && after.trim_start().starts_with(':') => {
                // `"cmdline:"` has a colon of its own.
                self.key = Some(text.trim_end_matches(':').to_owned());
                true
            }
            Token::Text(value) | Token::Bare(value) => match self.key.take() {
                Some(key) => self.member(&key, value, out),
                None => true,
            },
        }
    }

    fn member(&mut self, key: &str, value: &str, out: &mut Out<'_>) -> bool {
        let path = std::mem::take(&mut self.path);
        let is_whole = self.member_of(&path, key, value, out);
        self.path = path;
        is_whole
    }

    /// `path` begins with the key of the outermost object, which has none.
    fn member_of(&mut self, path: &[String], key: &str, value: &str, out: &mut Out<'_>) -> bool {
        let path: Vec<&str> = path.iter().skip(1).map(String::as_str).collect();
        match path.as_slice() {
            ["thread", thread, rest @ ..] => {
                let Some(thread) = whole_number(thread).filter(|thread| *thread < MAX_THREADS) else {
                    return false;
                };
                return self.of_thread(thread, rest, key, value, out);
            }
            ["sysinfo"] if key == "release" => out.facts.kernel = Some(value.to_owned()),
            [] if key == "cmdline" => {
                let command = value.split_ascii_whitespace().next().unwrap_or_default();
                self.program = command.rsplit('/').next().map(str::to_owned).filter(|name| !name.is_empty());
                out.fact(key, value);
            }
            [] if key == "resolution_in_ns" => self.has_nanoseconds = value != "0",
            _ => out.fact(key, value),
        }
        true
    }

    /// A thread of ptsematest has a sender and a receiver, each with numbers.
    fn of_thread(&mut self, thread: i64, path: &[&str], key: &str, value: &str, out: &Out<'_>) -> bool {
        let of_thread = self.threads.entry(thread).or_default();
        let numbers = &mut of_thread.numbers;
        let number = whole_number(value);
        match (path, key) {
            (["histogram"], _) => {
                let (Some(value), Some(count)) = (whole_number(key), number) else { return false };
                self.cell_count = self.cell_count.saturating_add(1);
                if self.cell_count > MAX_CELLS {
                    return false;
                }
                if count > 0 {
                    numbers.bars.push(Bar { value, count, place: out.place });
                }
                true
            }
            (_, "cpu") => take(&mut of_thread.cpu, number),
            (_, "cycles" | "samples") => take(&mut numbers.count, number),
            (_, "min") => take(&mut numbers.min, number),
            (_, "max") => take(&mut numbers.max, number),
            (_, "avg") => {
                numbers.average = Some(value.to_owned());
                true
            }
            _ => true,
        }
    }
}

fn take(place: &mut Option<i64>, number: Option<i64>) -> bool {
    *place = number.or(*place);
    number.is_some()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn every_thread_has_its_histogram() {
        check(
            r#"{
  "file_version": 1,
  "cmdline:": "/usr/bin/cyclictest -h 3 --json=a.json \"x\"",
  "rt_test_version:": "2.40",
  "sysinfo": {
    "release": "6.12.95-rt",
    "realtime": 1
  },
  "num_threads": 2,
  "resolution_in_ns": 0,
  "thread": {
    "0": {
      "histogram": {
        "1": 512,
        "2": 7      },
      "cycles": 522,
      "min": 1,
      "max": 55,
      "avg": 1.12,
      "cpu": 1
    },
    "1": { "histogram": {      }, "cycles": 3, "min": 4, "max": 9, "avg": 5.00, "cpu": 0 }
  }
}"#,
            expect![[r#"
                measured cpu 1 cyclictest thread 0 start 0 duration 1000 reported × 512
                measured cpu 0 cyclictest thread 1 start 0 duration 4000 reported
                measured cpu 0 cyclictest thread 1 start 1 duration 9000 reported
                measured cpu 1 cyclictest thread 0 start 512 duration 2000 reported × 7
                measured cpu 1 cyclictest thread 0 start 519 duration 3000 reported at_least × 2
                measured cpu 1 cyclictest thread 0 start 521 duration 55000 reported
                measured incomplete: 1 not_listed
                average of cyclictest thread 0: 1.12
                average of cyclictest thread 1: 5.00
                cmdline: /usr/bin/cyclictest -h 3 --json=a.json \"x\"
                file_version: 1
                num_threads: 2
                realtime: 1
                rt_test_version: 2.40
            "#]],
        );
    }

    #[test]
    fn oslat_takes_what_is_past_its_last_bar_into_it() {
        check(
            r#"{ "file_version": 1, "cmdline:": "oslat -D 2", "thread": { "0": { "cpu": 3, "min": 1, "max": 99,
"histogram": { "1": 5, "32": 4 } } } }
"#,
            expect![[r#"
                measured cpu 3 oslat thread 0 start 0 duration 1000 reported × 5
                measured cpu 3 oslat thread 0 start 5 duration 32000 reported at_least × 3
                measured cpu 3 oslat thread 0 start 8 duration 99000 reported
                cmdline: oslat -D 2
                file_version: 1
            "#]],
        );
    }

    #[test]
    fn a_cut_or_damaged_file_is_read_line_by_line() {
        check(
            r#"{
  "file_version": 1,
  "cmdline:": "cyclictest -h 3",
  "thread": {
    "0": {
      "histogram": {
        "1": 512,
        "2": x,
        "3": 4
        "5"#,
            expect![[r#"
                measured cpu 0 cyclictest thread 0 start 0 duration 1000 reported × 512
                measured cpu 0 cyclictest thread 0 start 512 duration 3000 reported × 4
                truncated_last_line: 1 from line 10
                unparsed_lines: 1 from line 8
                cmdline: cyclictest -h 3
                file_version: 1
            "#]],
        );
    }
}
