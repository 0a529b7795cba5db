//! Numbers without any word: counts or times of FTQ, times of FWQ, and whatever else counts something.
//!
//! Sources: ftq_omp.c of <https://github.com/rminnich/ftq>, which writes counts and times to files of their own, or
//! both a line; fwq.c of LLNL's FTQ/FWQ suite.

use std::collections::VecDeque;

use super::out::{Lane, Out};
use super::{HEAD_LINES, Likeness, MeasurementFormat, Program, whole_numbers};
use crate::events::Quantity;
use crate::model::{About, Place, Stop};

pub static BARE_NUMBERS: MeasurementFormat = MeasurementFormat {
    name: "bare_numbers",
    title: "FTQ and FWQ counts and times (bare numbers)",
    about: About {
        recognised_by: "16 lines or more of one whole number each, or of two of which the first increases",
        reads: "each count, or the ticks that each quantum took, as a number without a unit; of times, which increase, the difference to the one before. Behind a comment `# unit=us` they are durations: see columns",
        leaves_out: "of two numbers the first, a time in ticks",
    },
    likeness: |lines| {
        let rows = lines.iter().map(|line| whole_numbers(line)).collect::<Option<Vec<_>>>();
        match rows
            .filter(|rows| rows.len() >= LEAST_ROWS)
            .and_then(|rows| Shape::of(rows.iter().map(Vec::as_slice)))
        {
            Some(_) => Likeness::Maybe,
            None => Likeness::No,
        }
    },
    start: || Box::new(BareNumbers::default()),
};

/// Fewer numbers than this might be anything; the programs write thousands.
const LEAST_ROWS: usize = 16;

/// What the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Counts,
    Times,
    TimesAndCounts,
}

impl Shape {
    /// Judged by the first lines; `None` where they are not of one kind, or too few.
    fn of<'r>(rows: impl Iterator<Item = &'r [i64]> + Clone) -> Option<Self> {
        let columns = rows.clone().next()?.len();
        let firsts = rows.clone().filter_map(|row| row.first());
        let is_increasing = firsts.clone().zip(firsts.skip(1)).all(|(one, next)| one < next);
        let is_even = rows.clone().all(|row| row.len() == columns);
        let count = rows.count();
        match columns {
            1 if is_even && is_increasing && count > 2 => Some(Shape::Times),
            1 if is_even && count > 1 => Some(Shape::Counts),
            2 if is_even && is_increasing && count > 2 => Some(Shape::TimesAndCounts),
            _ => None,
        }
    }
}

#[derive(Default)]
struct BareNumbers {
    shape: Option<Shape>,
    /// Lines by which the shape is judged.
    waiting: VecDeque<(Place, Vec<i64>)>,
    last: Option<i64>,
}

impl Program for BareNumbers {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let Some(row) = whole_numbers(text) else { return Ok(false) };
        if self.shape.is_none() {
            let columns = self.waiting.front().map_or(row.len(), |(_, first)| first.len());
            if row.len() != columns || !(1..=2).contains(&columns) {
                return Ok(false);
            }
            self.waiting.push_back((out.place, row));
            if self.waiting.len() >= HEAD_LINES {
                self.settle(out)?;
            }
            return Ok(true);
        }
        self.row(&row, out)
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        self.settle(out)
    }
}

impl BareNumbers {
    /// Decides what the lines are, and hands on those that have waited for it.
    fn settle(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        if self.shape.is_some() {
            return Ok(());
        }
        let shape = Shape::of(self.waiting.iter().map(|(_, row)| row.as_slice()));
        self.shape = shape.or(Some(Shape::Counts));
        let end = out.place;
        for (place, row) in std::mem::take(&mut self.waiting) {
            out.place = place;
            self.row(&row, out)?;
        }
        out.place = end;
        Ok(())
    }

    fn row(&mut self, row: &[i64], out: &mut Out<'_>) -> Result<bool, Stop> {
        let (source, number) = match (self.shape, row) {
            (Some(Shape::Counts), [count]) => ("quanta", Some(*count)),
            (Some(Shape::TimesAndCounts), [_, count]) => ("ftq", Some(*count)),
            (Some(Shape::Times), [time]) => {
                let Some(last) = self.last else {
                    self.last = Some(*time);
                    return Ok(true);
                };
                let taken = time.checked_sub(last).filter(|taken| *taken > 0);
                self.last = taken.map(|_| *time).or(self.last);
                ("quanta", taken)
            }
            _ => return Ok(false),
        };
        let Some(number) = number else { return Ok(false) };
        out.measured(Lane::ONLY, None, Quantity::Number(number), 1, source)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::LEAST_ROWS;
    use crate::testing::check_measurements as check;

    #[test]
    fn counts_are_numbers() {
        check(
            &("1003\n".repeat(LEAST_ROWS) + "1042\n10"),
            expect![[r#"
                measured cpu 0 quanta start 0 duration 1003 reported number
                measured cpu 0 quanta start 1 duration 1003 reported number
                measured cpu 0 quanta start 2 duration 1003 reported number
                measured cpu 0 quanta start 3 duration 1003 reported number
                measured cpu 0 quanta start 4 duration 1003 reported number
                measured cpu 0 quanta start 5 duration 1003 reported number
                measured cpu 0 quanta start 6 duration 1003 reported number
                measured cpu 0 quanta start 7 duration 1003 reported number
                measured cpu 0 quanta start 8 duration 1003 reported number
                measured cpu 0 quanta start 9 duration 1003 reported number
                measured cpu 0 quanta start 10 duration 1003 reported number
                measured cpu 0 quanta start 11 duration 1003 reported number
                measured cpu 0 quanta start 12 duration 1003 reported number
                measured cpu 0 quanta start 13 duration 1003 reported number
                measured cpu 0 quanta start 14 duration 1003 reported number
                measured cpu 0 quanta start 15 duration 1003 reported number
                measured cpu 0 quanta start 16 duration 1042 reported number
                truncated_last_line: 1 from line 18
            "#]],
        );
    }

    #[test]
    fn of_times_the_differences_count() {
        check(
            &((1..=LEAST_ROWS).map(|number| format!("{number}000\n")).collect::<String>() + "17010\n"),
            expect![[r#"
                measured cpu 0 quanta start 0 duration 1000 reported number
                measured cpu 0 quanta start 1 duration 1000 reported number
                measured cpu 0 quanta start 2 duration 1000 reported number
                measured cpu 0 quanta start 3 duration 1000 reported number
                measured cpu 0 quanta start 4 duration 1000 reported number
                measured cpu 0 quanta start 5 duration 1000 reported number
                measured cpu 0 quanta start 6 duration 1000 reported number
                measured cpu 0 quanta start 7 duration 1000 reported number
                measured cpu 0 quanta start 8 duration 1000 reported number
                measured cpu 0 quanta start 9 duration 1000 reported number
                measured cpu 0 quanta start 10 duration 1000 reported number
                measured cpu 0 quanta start 11 duration 1000 reported number
                measured cpu 0 quanta start 12 duration 1000 reported number
                measured cpu 0 quanta start 13 duration 1000 reported number
                measured cpu 0 quanta start 14 duration 1000 reported number
                measured cpu 0 quanta start 15 duration 1010 reported number
            "#]],
        );
    }

    #[test]
    fn pairs_are_times_and_counts() {
        check(
            &(1..=LEAST_ROWS).map(|number| format!("{number}000 7{}\n", number % 8)).collect::<String>(),
            expect![[r#"
                measured cpu 0 ftq start 0 duration 71 reported number
                measured cpu 0 ftq start 1 duration 72 reported number
                measured cpu 0 ftq start 2 duration 73 reported number
                measured cpu 0 ftq start 3 duration 74 reported number
                measured cpu 0 ftq start 4 duration 75 reported number
                measured cpu 0 ftq start 5 duration 76 reported number
                measured cpu 0 ftq start 6 duration 77 reported number
                measured cpu 0 ftq start 7 duration 70 reported number
                measured cpu 0 ftq start 8 duration 71 reported number
                measured cpu 0 ftq start 9 duration 72 reported number
                measured cpu 0 ftq start 10 duration 73 reported number
                measured cpu 0 ftq start 11 duration 74 reported number
                measured cpu 0 ftq start 12 duration 75 reported number
                measured cpu 0 ftq start 13 duration 76 reported number
                measured cpu 0 ftq start 14 duration 77 reported number
                measured cpu 0 ftq start 15 duration 70 reported number
            "#]],
        );
    }

    #[test]
    fn times_that_step_back_are_told() {
        let text: String = (0..40).map(|number| format!("{number}\n")).collect();
        check(
            &(text + "5\n500\n"),
            expect![[r#"
            measured cpu 0 quanta start 0 duration 1 reported number
            measured cpu 0 quanta start 1 duration 1 reported number
            measured cpu 0 quanta start 2 duration 1 reported number
            measured cpu 0 quanta start 3 duration 1 reported number
            measured cpu 0 quanta start 4 duration 1 reported number
            measured cpu 0 quanta start 5 duration 1 reported number
            measured cpu 0 quanta start 6 duration 1 reported number
            measured cpu 0 quanta start 7 duration 1 reported number
            measured cpu 0 quanta start 8 duration 1 reported number
            measured cpu 0 quanta start 9 duration 1 reported number
            measured cpu 0 quanta start 10 duration 1 reported number
            measured cpu 0 quanta start 11 duration 1 reported number
            measured cpu 0 quanta start 12 duration 1 reported number
            measured cpu 0 quanta start 13 duration 1 reported number
            measured cpu 0 quanta start 14 duration 1 reported number
            measured cpu 0 quanta start 15 duration 1 reported number
            measured cpu 0 quanta start 16 duration 1 reported number
            measured cpu 0 quanta start 17 duration 1 reported number
            measured cpu 0 quanta start 18 duration 1 reported number
            measured cpu 0 quanta start 19 duration 1 reported number
            measured cpu 0 quanta start 20 duration 1 reported number
            measured cpu 0 quanta start 21 duration 1 reported number
            measured cpu 0 quanta start 22 duration 1 reported number
            measured cpu 0 quanta start 23 duration 1 reported number
            measured cpu 0 quanta start 24 duration 1 reported number
            measured cpu 0 quanta start 25 duration 1 reported number
            measured cpu 0 quanta start 26 duration 1 reported number
            measured cpu 0 quanta start 27 duration 1 reported number
            measured cpu 0 quanta start 28 duration 1 reported number
            measured cpu 0 quanta start 29 duration 1 reported number
            measured cpu 0 quanta start 30 duration 1 reported number
            measured cpu 0 quanta start 31 duration 1 reported number
            measured cpu 0 quanta start 32 duration 1 reported number
            measured cpu 0 quanta start 33 duration 1 reported number
            measured cpu 0 quanta start 34 duration 1 reported number
            measured cpu 0 quanta start 35 duration 1 reported number
            measured cpu 0 quanta start 36 duration 1 reported number
            measured cpu 0 quanta start 37 duration 1 reported number
            measured cpu 0 quanta start 38 duration 1 reported number
            measured cpu 0 quanta start 39 duration 461 reported number
            unparsed_lines: 1 from line 41
        "#]],
        );
    }
}
