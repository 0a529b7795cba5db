//! JSON lines of durations: an object a line, whose names are those of columns.

use super::columns::emit;
use super::columns_header::Header;
use super::json::flat_object;
use super::out::Out;
use super::{Likeness, MeasurementFormat, Program};
use crate::model::{About, Stop};

pub static DURATION_LINES: MeasurementFormat = MeasurementFormat {
    name: "duration_lines",
    title: "durations (JSON lines)",
    about: About {
        recognised_by: "an object a line with a duration and its unit, such as `{\"latency_us\": 12.5, \"cpu\": 1}`",
        reads: "what is read of columns of durations: their names are those of the members",
        leaves_out: "other members",
    },
    likeness: |lines| {
        let first = lines.first().and_then(|line| flat_object(line));
        match first.and_then(|members| header(&members)) {
            Some(_) => Likeness::Maybe,
            None => Likeness::No,
        }
    },
    start: || Box::new(DurationLines),
};

struct DurationLines;

fn header(members: &[(&str, &str)]) -> Option<Header> {
    Header::of(members.iter().map(|(name, _)| *name), None)
}

impl Program for DurationLines {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let Some(members) = flat_object(text) else { return Ok(false) };
        let values: Vec<&str> = members.iter().map(|(_, value)| *value).collect();
        match header(&members).and_then(|header| header.row(&values)) {
            Some(row) => emit(row, None, out),
            None => Ok(false),
        }
    }

    fn ends_with(&self, text: &str) -> bool {
        text.ends_with('}')
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn each_object_is_a_row() {
        check(
            r#"{"latency_us": 12.5, "cpu": 1}
{"cpu": "2", "late_ns": 7, "who": "a, b"}
{"asked_ms": 10, "got_ms": 10.25}
{"latency_us": -1}
{"latency_us": [1]}
{"latency_us": 12
{"latency_us": 13}"#,
            expect![[r#"
                measured cpu 1 sleeper start 0 duration 12500 reported
                measured cpu 2 sleeper start 0 duration 7 reported
                measured cpu 0 sleeper 10 ms start 0 duration 250000 reported
                measured cpu 0 sleeper start 1 duration 13000 reported
                unparsed_lines: 3 from line 4
            "#]],
        );
    }
}
