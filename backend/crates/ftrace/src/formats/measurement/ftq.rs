//! FTQ: how much work was done in each quantum of time.
//!
//! Sources: the `# ftq` header of our own recordings; ftq.c of <https://github.com/rminnich/ftq>, whose text has the
//! start of each quantum and its count in a line, behind comments.

use super::out::Out;
use super::{MeasurementFormat, Program, number_after, sure_if, whole_numbers};
use crate::events::Quantity;
use crate::model::{About, ReadError};

pub static FTQ: MeasurementFormat = MeasurementFormat {
    name: "ftq_counts",
    title: "FTQ counts (text)",
    about: About {
        recognised_by: "`# ftq cpu=1 quantum_ns=1000000`, or `# Frequency` with `# Ticks per ns`",
        reads: "the count of work of every quantum, as a number without a unit, at the time at which it began",
        leaves_out: "the number of the quantum",
    },
    likeness: |lines| {
        sure_if(lines.iter().take_while(|line| line.starts_with(['#', '%'])).any(|line| is_header(line)))
    },
    start: || Box::new(Ftq::default()),
};

fn is_header(line: &str) -> bool {
    line.starts_with("# ftq ") || line.starts_with("# Ticks per ns:")
}

#[derive(Default)]
struct Ftq {
    cpu: i64,
    /// Of the first line; a line with fewer is cut.
    column_count: Option<usize>,
}

impl Program for Ftq {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, ReadError> {
        if let Some(comment) = text.strip_prefix(['#', '%']) {
            self.comment(comment, out);
            return Ok(true);
        }
        // Octave's own words around the numbers.
        if text.ends_with('[') || text.starts_with(']') {
            return Ok(true);
        }
        let Some(numbers) = whole_numbers(text) else { return Ok(false) };
        if *self.column_count.get_or_insert(numbers.len()) != numbers.len() {
            return Ok(false);
        }
        let (at_ns, count) = match *numbers.as_slice() {
            [_, at_ns, count] | [at_ns, count] => (at_ns, count),
            _ => return Ok(false),
        };
        let Some(lane) = out.lane(self.cpu)? else { return Ok(false) };
        let source = format!("ftq CPU {}", self.cpu);
        out.measured(lane, Some(at_ns), Quantity::Number(count), 1, &source)?;
        Ok(true)
    }
}

impl Ftq {
    // # ftq cpu=1 quantum_ns=1000000 n=2000 work=64 start_ns=549181811520 end_ns=551181811935 clock=CLOCK_MONOTONIC
    fn comment(&mut self, comment: &str, out: &mut Out<'_>) {
        if let Some(pairs) = comment.strip_prefix(" ftq ") {
            self.cpu = number_after(pairs, "cpu=").unwrap_or(0);
            if pairs.contains("clock=CLOCK_MONOTONIC") {
                out.facts.clock = Some("mono".to_owned());
            }
            for (name, value) in pairs.split_ascii_whitespace().filter_map(|pair| pair.split_once('=')) {
                out.fact(name, value);
            }
        } else if let Some((name, value)) = comment.split_once(':') {
            out.fact(name.trim(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn counts_stay_counts() {
        check(
            "\
# ftq cpu=1 quantum_ns=1000000 n=2 work=64 start_ns=549181811520 clock=CLOCK_MONOTONIC
#quantum\tstart_ns\tcount
0\t549181811672\t1003
1\t549182812357\t1042
2\t549183812212
",
            expect![[r#"
                measured cpu 1 ftq CPU 1 start 0 duration 1003 reported number
                measured cpu 1 ftq CPU 1 start 1000685 duration 1042 reported number
                unparsed_lines: 1 from line 5
                clock: CLOCK_MONOTONIC
                cpu: 1
                n: 2
                quantum_ns: 1000000
                start_ns: 549181811520
                work: 64
            "#]],
        );
    }

    #[test]
    fn pairs_of_time_and_count_are_read() {
        check(
            "# Frequency 2597000000\n# Ticks per ns: 2.597000\n# octave = 1\n1000 77\n2000 78\n3000 x\n",
            expect![[r#"
                measured cpu 0 ftq CPU 0 start 0 duration 77 reported number
                measured cpu 0 ftq CPU 0 start 1000 duration 78 reported number
                unparsed_lines: 1 from line 6
                Ticks per ns: 2.597000
            "#]],
        );
    }
}
