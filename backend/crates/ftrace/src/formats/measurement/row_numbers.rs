//! The numbers that programs give their rows: one that is missing, or out of its place, shows that rows are.

use super::out::Out;
use crate::model::{Code, Stop};

/// Follows the numbers of the rows of one table, which count up from one row to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowNumbers {
    last: Option<i64>,
    /// Rows that counted up by one; without any, the numbers may be something else.
    steps: u64,
}

impl RowNumbers {
    /// The next row has this `number`.
    pub fn see(&mut self, number: i64, out: &mut Out<'_>) -> Result<(), Stop> {
        let Some(last) = self.last.replace(number) else { return Ok(()) };
        let next = last.saturating_add(1);
        if number == next {
            self.steps = self.steps.saturating_add(1);
            return Ok(());
        }
        if self.steps == 0 {
            return Ok(());
        }
        let sample = format!("{number} after {last}");
        if number > next {
            let missing = number.saturating_sub(next).unsigned_abs();
            return out.report_many(Code::MissingSamples, &sample, missing);
        }
        out.report(Code::DoubtfulValue, &sample)
    }

    /// True for a row past the last one of a table of so many.
    pub fn passes(&self, row_count: i64) -> bool {
        self.steps > 0 && self.last.is_some_and(|last| last > row_count)
    }

    /// True where rows are missing at the end of a table of that many.
    pub fn ends_before(&self, row_count: i64) -> bool {
        let is_first = self.last == Some(0);
        (self.steps > 0 || is_first) && self.last.is_some_and(|last| last.saturating_add(1) < row_count)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements;

    #[test]
    fn rows_that_are_missing_or_out_of_place_are_told() {
        let head = "# sleep n=5\n#i\tlate_ns\n";
        for (rows, expected) in [
            (
                "0\t7\n1\t7\n2\t7\n3\t7\n4\t7\n",
                expect![[r#"
                measured cpu 0 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper start 1 duration 7 reported
                measured cpu 0 sleeper start 2 duration 7 reported
                measured cpu 0 sleeper start 3 duration 7 reported
                measured cpu 0 sleeper start 4 duration 7 reported
                n: 5
            "#]],
            ),
            (
                "0\t7\n1\t7\n4\t7\n",
                expect![[r#"
                measured cpu 0 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper start 1 duration 7 reported
                measured cpu 0 sleeper start 2 duration 7 reported
                missing_samples: 2 from line 5
                n: 5
            "#]],
            ),
            (
                "0\t7\n1\t7\n1\t7\n2\t7\n3\t7\n4\t7\n",
                expect![[r#"
                measured cpu 0 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper start 1 duration 7 reported
                measured cpu 0 sleeper start 2 duration 7 reported
                measured cpu 0 sleeper start 3 duration 7 reported
                measured cpu 0 sleeper start 4 duration 7 reported
                measured cpu 0 sleeper start 5 duration 7 reported
                doubtful_value: 1 from line 5
                n: 5
            "#]],
            ),
            (
                "0\t7\n1\t7\n#2\t7\n3\t7\n4\t7\n",
                expect![[r#"
                measured cpu 0 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper start 1 duration 7 reported
                measured cpu 0 sleeper start 2 duration 7 reported
                measured cpu 0 sleeper start 3 duration 7 reported
                missing_samples: 1 from line 6
                unparsed_lines: 1 from line 5
                n: 5
            "#]],
            ),
            (
                "0\t7\n1\t7\n2\t7\n",
                expect![[r#"
                measured cpu 0 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper start 1 duration 7 reported
                measured cpu 0 sleeper start 2 duration 7 reported
                ends_early: 1 from line 5
                n: 5
            "#]],
            ),
            // Some other number.
            (
                "10\t7\n20\t7\n40\t7\n",
                expect![[r#"
                measured cpu 0 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper start 1 duration 7 reported
                measured cpu 0 sleeper start 2 duration 7 reported
                n: 5
            "#]],
            ),
        ] {
            check_measurements(&format!("{head}{rows}"), expected);
        }
    }
}
