//! ptsematest and its like: how long after one thread released the semaphore the other continued.
//!
//! Source: src/ptsematest/ptsematest.c, rt-tests 2.4; pmqtest and svsematest print the same lines.

use std::collections::BTreeMap;

use super::out::Out;
use super::thread::Thread;
use super::{MeasurementFormat, Program, number_after, sure_if, whole_number};
use crate::model::{About, Stop};

pub static PTSEMATEST: MeasurementFormat = MeasurementFormat {
    name: "ptsematest_text",
    title: "ptsematest, pmqtest, svsematest (text)",
    about: About {
        recognised_by: "`#1 -> #0, Min    1, Cur    1, Avg    2, Max    9`",
        reads: "the shortest, the latest and the longest time of each pair of threads, in microseconds, and how many there were",
        leaves_out: "the average, which is kept as a fact",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| pair(line).is_some())),
    start: || Box::new(Ptsematest::default()),
};

const NS_PER_US: i64 = 1_000;
const MAX_PAIRS: usize = 8_192;

#[derive(Default)]
struct Ptsematest {
    cycles: Option<i64>,
    /// By its text, the latest summary of a pair.
    pairs: BTreeMap<String, Thread>,
}

/// The names of the threads, and what is said of them.
fn pair(text: &str) -> Option<(&str, Thread)> {
    let (names, numbers) = text.split_once(',')?;
    let is_pair = thread_number(names).is_some() && names.contains(" -> #");
    let thread = Thread {
        min: number_after(numbers, "Min"),
        last: number_after(numbers, "Cur"),
        max: number_after(numbers, "Max"),
        average: number_after(numbers, "Avg").map(|average| format!("{average} us")),
        ..Thread::default()
    };
    (is_pair && thread.min.is_some() && thread.max.is_some()).then_some((names, thread))
}

/// `#1 -> #0`
fn thread_number(names: &str) -> Option<i64> {
    whole_number(names.strip_prefix('#')?.split_once(' ')?.0)
}

impl Program for Ptsematest {
    fn line(&mut self, text: &str, _out: &mut Out<'_>) -> Result<bool, Stop> {
        if let Some((names, thread)) = pair(text) {
            let has_room = self.pairs.len() < MAX_PAIRS || self.pairs.contains_key(names);
            has_room.then(|| self.pairs.insert(names.to_owned(), thread));
            return Ok(has_room);
        }
        // #0: ID27004, P0, CPU0, I1000; #1: ID27005, P0, CPU0, Cycles 200
        let is_threads = text.starts_with('#') && text.contains(": ID");
        if is_threads {
            self.cycles = number_after(text, "Cycles").or(self.cycles);
        }
        Ok(is_threads)
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        for (number, (names, mut thread)) in (0_i64..).zip(std::mem::take(&mut self.pairs)) {
            thread.count = self.cycles;
            if let Some(lane) = out.thread(number)? {
                thread.emit(lane, &format!("ptsematest {names}"), NS_PER_US, out)?;
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
    fn the_latest_summary_of_a_pair_counts() {
        check(
            "\
#0: ID27004, P0, CPU0, I1000; #1: ID27005, P0, CPU0, Cycles 200
#1 -> #0, Min    1, Cur    1, Avg    2, Max    5
#1 -> #0, Min    1, Cur    1, Avg    2, Max    9
",
            expect![[r#"
                measured cpu 0 ptsematest #1 -> #0 start 0 duration 1000 reported
                measured cpu 0 ptsematest #1 -> #0 start 1 duration 9000 reported
                measured incomplete: 198 not_listed
                average of ptsematest #1 -> #0: 2 us
            "#]],
        );
    }
}
