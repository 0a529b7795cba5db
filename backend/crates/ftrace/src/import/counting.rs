//! Clocks that count events instead of time: between two of their stamps lies no duration.

use crate::model::{Facts, TimeUnit};

/// The one that does, as files name it. Source: Documentation/trace/ftrace.rst, trace_clock.
const COUNTER: &str = "counter";
/// After this many steps the clock of a file that does not name it is known, and with fewer than this nothing is.
const ENOUGH: u32 = 64;
const FEWEST: u32 = 8;

/// What the stamps of a file say of its clock.
#[derive(Default)]
pub struct Counting {
    last: Option<i64>,
    steps: u32,
    ones: u32,
    /// A stamp came twice, or time ran backwards.
    is_time: bool,
}

impl Counting {
    /// Takes note of a record's stamp. True once it is time to decide.
    pub fn see(&mut self, stamp: i64) -> bool {
        if self.steps >= ENOUGH {
            return false;
        }
        if let Some(step) = self.last.replace(stamp).map(|last| stamp.saturating_sub(last)) {
            self.steps = self.steps.saturating_add(1);
            self.ones = self.ones.saturating_add(u32::from(step == 1));
            self.is_time |= step <= 0;
        }
        self.steps == ENOUGH
    }

    /// The file says so. Or it names no clock, and its stamps are whole numbers, each used once, and mostly the next one.
    pub fn counts_events(&self, facts: &Facts) -> bool {
        match facts.clock.as_deref() {
            Some(clock) => clock == COUNTER,
            None => {
                let is_mostly_next = self.ones.saturating_mul(2) >= self.steps && self.steps >= FEWEST;
                facts.time_unit == Some(TimeUnit::Ticks) && !self.is_time && is_mostly_next
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::formats::read_any;
    use crate::import::testing::import_with;
    use crate::model::{Code, Limits};
    use crate::store::tables::{DIAGNOSTIC, LATENCY_KIND};

    /// Interrupts one after the other, their stamps as `step` says from the number of the record.
    fn recording(records: u32, stamp: impl Fn(u32) -> u32) -> String {
        let mut text = String::from("# tracer: nop\n#\n");
        for number in 0..records {
            let end = if number % 2 == 0 { "entry" } else { "exit" };
            let stamp = stamp(number);
            writeln!(text, "   <idle>-0     [000] d.h1. {stamp:12}: local_timer_{end}: vector=236").unwrap();
        }
        text
    }

    fn check(records: u32, stamp: impl Fn(u32) -> u32, is_time: bool) {
        let file = recording(records, stamp).into_bytes();
        let (written, summary) = import_with(&Limits::default(), |importer| {
            read_any(&file, &mut Vec::new(), &Limits::default(), importer).unwrap();
        });
        let codes = written.rows(&DIAGNOSTIC, |row| row.text("code").unwrap().to_owned());
        assert_eq!(written.whole(&LATENCY_KIND).is_empty(), !is_time, "{records}");
        assert_eq!(codes.iter().any(|code| *code == Code::ClockCountsEvents.name()), !is_time);
        assert_eq!(summary.event_count, i64::from(records));
    }

    #[test]
    fn a_clock_that_counts_events_measures_nothing() {
        for records in [10, 60, 66, 500] {
            check(records, |number| number + 7, false);
            // A few of its events are in another file.
            check(records, |number| number + number / 5 + 7, false);
        }
    }

    #[test]
    fn every_other_clock_measures() {
        for records in [10, 60, 66, 500] {
            check(records, |number| number / 3 + 7, true);
            check(records, |number| number * 2_345 + number % 7, true);
            check(records, |number| number + number / 40 * 9 - u32::from(number % 9 == 8), true);
        }
    }
}
