//! hwlatdetect: time that hardware or firmware took.
//!
//! Source: src/hwlatdetect/hwlatdetect.py, rt-tests 2.4.

use super::out::Out;
use super::{MeasurementFormat, Program, number_after, sure_if, whole_number};
use crate::events::Quantity;
use crate::model::{About, Stop, parse_seconds};

pub static HWLATDETECT: MeasurementFormat = MeasurementFormat {
    name: "hwlatdetect_text",
    title: "hwlatdetect (text)",
    about: About {
        recognised_by: "`hwlatdetect:  test duration 60 seconds`",
        reads: "each sample: the longer of inner and outer, in microseconds, at its time; the parameters as facts",
        leaves_out: "the shorter of inner and outer",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| line.starts_with("hwlatdetect:"))),
    start: || Box::new(Hwlatdetect::default()),
};

const NS_PER_US: i64 = 1_000;

#[derive(Default)]
struct Hwlatdetect {
    stated_count: i64,
    sample_count: i64,
}

impl Program for Hwlatdetect {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let text = text.trim_start();
        // ts: 1606244242.123456789, inner:17, outer:25
        if let Some(rest) = text.strip_prefix("ts:") {
            let time = rest.split(',').next().unwrap_or_default().trim();
            let at_ns = parse_seconds(time.as_bytes()).map(|ts| ts.0);
            let longest = number_after(rest, "inner:").max(number_after(rest, "outer:"));
            let latency_ns = longest.and_then(|us| us.checked_mul(NS_PER_US));
            let (Some(at_ns), Some(latency_ns)) = (at_ns, latency_ns) else { return Ok(false) };
            let Some(lane) = out.cpu_or_thread(number_after(rest, "cpu:"), 0)? else { return Ok(false) };
            self.sample_count = self.sample_count.saturating_add(1);
            out.measured(lane, Some(at_ns), Quantity::LatencyNs(latency_ns), 1, "hwlatdetect")?;
            return Ok(true);
        }
        if let Some((name, value)) = text.split_once(':') {
            if name == "Samples recorded" {
                self.stated_count = whole_number(value.trim()).unwrap_or(0);
            }
            out.fact(name.trim(), value);
            return Ok(true);
        }
        Ok(matches!(text, "Starting test" | "test finished"))
    }

    /// The samples follow their number.
    fn is_whole(&self) -> bool {
        self.sample_count >= self.stated_count
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn the_longer_of_inner_and_outer_counts() {
        check(
            "\
hwlatdetect:  test duration 60 seconds
   detector: tracer
   parameters:
        Latency threshold: 10us

Starting test
test finished
Max Latency: 25us
Samples recorded: 3
ts: 1606244242.123456789, inner:17, outer:25
ts: 1606244243.000000000, inner:0, outer:12
ts: later, inner:0, outer:12
",
            expect![[r#"
                measured cpu 0 hwlatdetect start 0 duration 25000 reported
                measured cpu 0 hwlatdetect start 876543211 duration 12000 reported
                ends_early: 1 from line 12
                unparsed_lines: 1 from line 12
                Latency threshold: 10us
                Max Latency: 25us
                Samples recorded: 3
                detector: tracer
                hwlatdetect: test duration 60 seconds
            "#]],
        );
    }
}
