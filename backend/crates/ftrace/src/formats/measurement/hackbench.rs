//! hackbench: how long a run of it took.

use super::out::{Lane, Out};
use super::{MeasurementFormat, Program, sure_if};
use crate::events::Quantity;
use crate::model::{About, Stop, parse_seconds};

pub static HACKBENCH: MeasurementFormat = MeasurementFormat {
    name: "hackbench_text",
    title: "hackbench (text)",
    about: About {
        recognised_by: "`Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)`",
        reads: "the time that each run took",
        leaves_out: "nothing",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| is_header(line))),
    start: || Box::new(Hackbench::default()),
};

#[derive(Default)]
struct Hackbench {
    /// A run was announced, and its time was not printed yet.
    is_running: bool,
}

fn is_header(line: &str) -> bool {
    line.starts_with("Running in ") && line.contains(" mode with ") && line.contains(" file descriptors each")
}

impl Program for Hackbench {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        // Time: 0.281
        if let Some(time) = text.strip_prefix("Time:") {
            let Some(taken) = parse_seconds(time.trim().as_bytes()) else { return Ok(false) };
            self.is_running = false;
            out.measured(Lane::ONLY, None, Quantity::LatencyNs(taken.0), 1, "hackbench")?;
            return Ok(true);
        }
        if is_header(text) {
            self.is_running = true;
            out.fact("run", text);
            return Ok(true);
        }
        Ok(text.starts_with("Each sender will pass "))
    }

    fn is_whole(&self) -> bool {
        !self.is_running
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn each_run_is_a_time() {
        check(
            "\
Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
Each sender will pass 50 messages of 100 bytes
Time: 0.281
Time: soon
Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
",
            expect![[r#"
                measured cpu 0 hackbench start 0 duration 281000000 reported
                ends_early: 1 from line 5
                unparsed_lines: 1 from line 4
                run: Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
            "#]],
        );
    }
}
