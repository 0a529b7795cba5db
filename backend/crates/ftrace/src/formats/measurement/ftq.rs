//! FTQ: how much work was done in each quantum of time.
//!
//! Sources: the `# ftq` header of our own recordings; ftq.c of <https://github.com/rminnich/ftq>, whose text, which
//! Octave loads, has the start of each quantum and its count in a line, after comments; its mpiftq.c, with a count of
//! each rank; and such a matrix as Octave's `save -text` writes it.

use super::decimal::decimal;
use super::out::Out;
use super::row_numbers::RowNumbers;
use super::{MeasurementFormat, Program, number_after, sure_if, whole_number};
use crate::events::Quantity;
use crate::model::{About, Stop};

pub static FTQ: MeasurementFormat = MeasurementFormat {
    name: "ftq_counts",
    title: "FTQ counts (text, Octave)",
    about: About {
        recognised_by: "`# ftq cpu=1 quantum_ns=1000000`, `# Ticks per ns: 2.597`, or `# type: matrix` with one or two columns",
        reads: "the count of work of every quantum, as a number without a unit, at the time at which it began; of each rank where there are several",
        leaves_out: "the number of the quantum",
    },
    likeness: |lines| {
        let mut comments = lines.iter().take_while(|line| line.starts_with(['#', '%']));
        sure_if(comments.any(|line| is_header(line)) || is_matrix(lines))
    },
    start: || Box::new(Ftq::default()),
};

/// Ranks of a line that are read.
const MAX_RANKS: usize = 8_192;

fn is_header(line: &str) -> bool {
    line.starts_with("# ftq ") || line.starts_with("# Ticks per ns:")
}

fn is_matrix(lines: &[&str]) -> bool {
    let columns = lines.iter().find_map(|line| line.strip_prefix("# columns: "));
    lines.contains(&"# type: matrix") && matches!(columns, Some("1" | "2"))
}

#[derive(Default)]
struct Ftq {
    cpu: Option<i64>,
    /// Of the first line; a line with fewer is cut.
    column_count: Option<usize>,
    /// Rows that the header announces, and those that came.
    stated_count: Option<i64>,
    row_count: i64,
    ticks_per_us: Option<i64>,
    numbers: RowNumbers,
}

impl Program for Ftq {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if let Some(comment) = text.strip_prefix(['#', '%']) {
            self.comment(comment, out)?;
            return Ok(true);
        }
        // Octave's own words around the numbers.
        if text.ends_with('[') || text.starts_with(']') {
            return Ok(true);
        }
        let words = text.trim_end_matches(';').split(|sign: char| sign == ',' || sign.is_ascii_whitespace());
        let numbers: Option<Vec<i64>> = words.filter(|word| !word.is_empty()).map(whole_number).collect();
        let Some(numbers) = numbers.filter(|numbers| numbers.len() <= MAX_RANKS) else { return Ok(false) };
        if *self.column_count.get_or_insert(numbers.len()) != numbers.len() {
            return Ok(false);
        }
        let is_taken = match *numbers.as_slice() {
            [ticks, ref counts @ ..] if text.contains(',') => self.ranks(ticks, counts, out)?,
            [number, at_ns, count] => {
                self.numbers.see(number, out)?;
                self.quantum(Some(at_ns), count, out)?
            }
            [at_ns, count] => self.quantum(Some(at_ns), count, out)?,
            [count] => self.quantum(None, count, out)?,
            _ => false,
        };
        self.row_count = self.row_count.saturating_add(i64::from(is_taken));
        Ok(is_taken)
    }

    fn is_whole(&self) -> bool {
        self.stated_count.is_none_or(|count| self.row_count >= count)
    }
}

impl Ftq {
    fn quantum(&self, at_ns: Option<i64>, count: i64, out: &mut Out<'_>) -> Result<bool, Stop> {
        let Some(lane) = out.cpu_or_thread(self.cpu, 0)? else { return Ok(false) };
        let source = self.cpu.map(|cpu| format!("ftq CPU {cpu}"));
        out.measured(lane, at_ns, Quantity::Number(count), 1, source.as_deref().unwrap_or("ftq"))?;
        Ok(true)
    }

    /// The count of each rank; their time is in ticks.
    fn ranks(&self, ticks: i64, counts: &[i64], out: &mut Out<'_>) -> Result<bool, Stop> {
        let at_ns = self.ticks_per_us.and_then(|per_us| ticks.checked_mul(1_000)?.checked_div(per_us));
        for (rank, count) in (0_i64..).zip(counts) {
            let Some(lane) = out.thread(rank)? else { return Ok(false) };
            out.measured(lane, at_ns, Quantity::Number(*count), 1, &format!("ftq rank {rank}"))?;
        }
        Ok(!counts.is_empty())
    }

    // # ftq cpu=1 quantum_ns=1000000 n=2000 work=64 start_ns=549181811520 end_ns=551181811935 clock=CLOCK_MONOTONIC
    fn comment(&mut self, comment: &str, out: &mut Out<'_>) -> Result<(), Stop> {
        if let Some(pairs) = comment.strip_prefix(" ftq ") {
            out.check_pairs(comment)?;
            self.cpu = number_after(pairs, "cpu=");
            self.stated_count = number_after(pairs, " n=");
            if pairs.contains("clock=CLOCK_MONOTONIC") {
                out.facts.clock = Some("mono".to_owned());
            }
            for (name, value) in pairs.split_ascii_whitespace().filter_map(|pair| pair.split_once('=')) {
                out.fact(name, value);
            }
        } else if comment.starts_with(" thread ") {
            // # thread 0, core 1
            self.cpu = number_after(comment, " core ").or(self.cpu);
        } else if let Some((name, value)) = comment.split_once(':') {
            match name.trim() {
                "rows" => self.stated_count = whole_number(value.trim()),
                "Ticks per ns" => {
                    self.ticks_per_us = decimal(value.trim(), 1_000).filter(|ticks| *ticks > 0);
                }
                _ => {}
            }
            out.fact(name.trim(), value);
        } else if let Some((name, value)) = comment.split_once(" is ") {
            // # Total count is 2000000
            out.fact(name.trim(), value);
        } else if let Some(value) = comment.strip_prefix(" Frequency ") {
            out.fact("frequency_hz", value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn a_pair_without_its_sign_is_doubtful() {
        let text = |cpu: &str| {
            format!(
                "# ftq {cpu} quantum_ns=1000000 n=1 work=64 start_ns=549181811520\n#quantum\tstart_ns\tcount\n0\t549181811672\t1003\n"
            )
        };
        let is_doubtful =
            |cpu: &str| crate::testing::measurement_lines(&text(cpu)).contains("doubtful_value");
        assert!(!is_doubtful("cpu=1"));
        assert!(is_doubtful("cpu1"));
    }

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
                measured cpu 0 ftq start 0 duration 77 reported number
                measured cpu 0 ftq start 1000 duration 78 reported number
                unparsed_lines: 1 from line 6
                Ticks per ns: 2.597000
                frequency_hz: 2597000000
            "#]],
        );
    }

    #[test]
    fn the_core_is_the_cpu_and_ranks_are_none() {
        check(
            "# Ticks per ns: 2.5\n# thread 0, core 3\n# Total count is 77\n0 77\n",
            expect![[r#"
            measured cpu 3 ftq CPU 3 start 0 duration 77 reported number
            Ticks per ns: 2.5
            Total count: 77
        "#]],
        );
        check(
            "# Ticks per ns: 2.5\n0,77,78\n2500,79,80\n5000,79\n",
            expect![[r#"
            measured cpu 0 ftq rank 0 start 0 duration 77 reported number
            measured cpu 1 ftq rank 1 start 0 duration 78 reported number
            measured cpu 0 ftq rank 0 start 1000 duration 79 reported number
            measured cpu 1 ftq rank 1 start 1000 duration 80 reported number
            unparsed_lines: 1 from line 4
            Ticks per ns: 2.5
        "#]],
        );
    }

    #[test]
    fn octaves_own_text_is_read_and_its_rows_are_counted() {
        check(
            "# Created by Octave 7.3.0\n# name: x\n# type: matrix\n# rows: 3\n# columns: 2\n 0 77\n 1000 78\n",
            expect![[r#"
                measured cpu 0 ftq start 0 duration 77 reported number
                measured cpu 0 ftq start 1000 duration 78 reported number
                ends_early: 1 from line 7
                columns: 2
                name: x
                rows: 3
                type: matrix
            "#]],
        );
    }
}
