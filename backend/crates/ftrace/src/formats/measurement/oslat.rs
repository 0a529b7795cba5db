//! oslat: time that a busy loop did not get, by CPU.
//!
//! Source: src/oslat/oslat.c, rt-tests 2.4.

use super::out::Out;
use super::thread::{Bar, Thread};
use super::{MeasurementFormat, Program, sure_if, whole_number, whole_numbers};
use crate::model::{About, Stop};

pub static OSLAT: MeasurementFormat = MeasurementFormat {
    name: "oslat_text",
    title: "oslat (text)",
    about: About {
        recognised_by: "`oslat V 2.40`, or `Counter Freq:` with `001 (us):`",
        reads: "the histogram of each CPU, in microseconds; of the last bar, which takes what is past it, the maximum",
        leaves_out: "the averages, which are kept as facts",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| line.starts_with("oslat V ") || bar(line).is_some())),
    start: || Box::new(Oslat::default()),
};

const NS_PER_US: i64 = 1_000;
const MAX_CPUS: usize = 8_192;
/// oslat has at most 1,024 bars of each CPU.
const MAX_CELLS: usize = 1 << 20;

#[derive(Default)]
struct Oslat {
    cpus: Vec<i64>,
    threads: Vec<Thread>,
    cell_count: usize,
}

/// `    032 (us): 375 350 (including overflows)`
fn bar(text: &str) -> Option<(i64, Vec<i64>)> {
    let (value, counts) = text.split_once(" (us):")?;
    let counts = counts.split('(').next().unwrap_or_default();
    Some((whole_number(value.trim())?, whole_numbers(counts)?))
}

impl Program for Oslat {
    fn has_comments(&self) -> bool {
        false
    }

    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if let Some((value, counts)) = bar(text) {
            self.cell_count = self.cell_count.saturating_add(counts.len());
            if counts.len() != self.cpus.len() || self.cell_count > MAX_CELLS {
                return Ok(false);
            }
            let place = out.place;
            for (thread, count) in self.threads.iter_mut().zip(&counts).filter(|(_, count)| **count > 0) {
                thread.bars.push(Bar { value, count: *count, place });
            }
            return Ok(true);
        }
        let Some((name, value)) = text.split_once(':') else {
            return Ok(matches!(text, "Test starts..." | "Test completed.")
                || text.starts_with("oslat V ")
                || text.starts_with("Pre-heat for "));
        };
        let numbers = whole_numbers(value.split('(').next().unwrap_or_default());
        match (name.trim(), numbers) {
            ("Core", Some(cpus)) if cpus.len() <= MAX_CPUS => {
                self.threads = vec![Thread { has_open_end: true, ..Thread::default() }; cpus.len()];
                self.cpus = cpus;
            }
            ("Minimum", Some(numbers)) => {
                self.threads.iter_mut().zip(numbers).for_each(|(thread, number)| thread.min = Some(number));
            }
            ("Maximum", Some(numbers)) => {
                self.threads.iter_mut().zip(numbers).for_each(|(thread, number)| thread.max = Some(number));
            }
            (name, _) => out.fact(name, value),
        }
        Ok(true)
    }

    /// The maxima follow the last bar.
    fn is_whole(&self) -> bool {
        self.cell_count == 0 || self.threads.iter().all(|thread| thread.max.is_some())
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        for (cpu, thread) in self.cpus.iter().zip(&mut self.threads) {
            if let Some(lane) = out.cpu(*cpu)? {
                thread.emit(lane, &format!("oslat CPU {cpu}"), NS_PER_US, out)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn the_last_bar_holds_what_is_past_it() {
        check(
            "\
oslat V 2.40
Total runtime: \t\t2 seconds
Test starts...
Test completed.

        Core:\t 0 3
Counter Freq:\t 2597 2597 (Mhz)
    001 (us):\t 48902446 48696977
    002 (us):\t 9 0
    032 (us):\t 375 1 (including overflows)
    033 (us):\t 375
     Minimum:\t 1 1 (us)
     Maximum:\t 8171 32 (us)
",
            expect![[r#"
                measured cpu 0 oslat CPU 0 start 0 duration 1000 reported × 48902446
                measured cpu 3 oslat CPU 3 start 0 duration 1000 reported × 48696977
                measured cpu 3 oslat CPU 3 start 48696977 duration 32000 reported
                measured cpu 0 oslat CPU 0 start 48902446 duration 2000 reported × 9
                measured cpu 0 oslat CPU 0 start 48902455 duration 32000 reported at_least × 374
                measured cpu 0 oslat CPU 0 start 48902829 duration 8171000 reported
                unparsed_lines: 1 from line 11
                Counter Freq: 2597 2597 (Mhz)
                Total runtime: 2 seconds
            "#]],
        );
    }
}
