//! Columns of durations with a header that names their unit, as programs that sleep and look at the clock write them.

use super::columns_header::{Header, Row, Unit, in_words};
use super::decimal::decimal;
use super::out::Out;
use super::row_numbers::RowNumbers;
use super::{Likeness, MeasurementFormat, Program, number_after};
use crate::events::Quantity;
use crate::model::{About, Code, Stop};

pub static COLUMNS: MeasurementFormat = MeasurementFormat {
    name: "duration_columns",
    title: "columns of durations (TSV, CSV)",
    about: About {
        recognised_by: "a header with a column of durations and its unit, such as `#i<tab>wake_ns<tab>late_ns`, `latency_us` or `latency (us)`; or a comment `# unit=us`",
        reads: "late, latency, duration, delay, jitter, overshoot or elapsed, or got less asked, in ns, us, ms or s; the time of each in a column `wake`, `t`, `time` or `timestamp`; the CPU in a column `cpu` or in a comment (`cpu=1`); pairs `name=value` of comments as facts. Below `# unit=us` also one number a line, or asked and got",
        leaves_out: "other columns",
    },
    likeness: |lines| {
        let unit = lines.iter().filter(|line| is_comment(line)).find_map(|line| stated_unit(line));
        let head = lines.iter().find(|line| !is_comment(line));
        let is_table = head.is_some_and(|line| {
            let cells: Vec<&str> = cells(line.trim_start_matches('#')).collect();
            let bare = unit.and_then(|unit| Header::without_names(&cells, unit));
            bare.or_else(|| Header::of(cells.into_iter(), unit)).is_some()
        });
        if is_table { Likeness::Maybe } else { Likeness::No }
    },
    start: || Box::new(Columns::default()),
};

/// A comment is not the header, which may begin with the same sign.
fn is_comment(line: &str) -> bool {
    line.starts_with('#') && Header::of(cells(line.trim_start_matches('#')), None).is_none()
}

// # unit=us
fn stated_unit(comment: &str) -> Option<Unit> {
    comment.split_ascii_whitespace().find_map(|word| Unit::parse(word.strip_prefix("unit=")?))
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    let separator = ['\t', ';', ','].into_iter().find(|sign| line.contains(*sign)).unwrap_or(' ');
    // `latency (us)` is one cell.
    let is_one = separator == ' ' && line.trim_end().ends_with([')', ']']);
    let separator = if is_one { '\t' } else { separator };
    line.split(separator).map(str::trim).filter(move |cell| separator != ' ' || !cell.is_empty())
}

#[derive(Default)]
struct Columns {
    header: Option<Header>,
    unit: Option<Unit>,
    cpu: Option<i64>,
    numbers: RowNumbers,
    /// Rows that a comment announces.
    stated_count: Option<i64>,
}

impl Program for Columns {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        if self.header.is_none()
            && let Some(header) = Header::of(cells(text.trim_start_matches('#')), self.unit)
        {
            // A row stands behind the names: the end of their line is gone.
            if cells(text).any(|cell| decimal(cell, 1).is_some()) {
                out.report(Code::DoubtfulValue, text)?;
            }
            if header.is_monotonic {
                out.facts.clock = Some("mono".to_owned());
            }
            self.header = Some(header);
            return Ok(true);
        }
        if let Some(comment) = text.strip_prefix('#') {
            self.comment(comment, out)?;
            return Ok(true);
        }
        let cells: Vec<&str> = cells(text).collect();
        if let (None, Some(unit)) = (&self.header, self.unit) {
            self.header = Header::without_names(&cells, unit);
        }
        let Some(row) = self.header.as_ref().and_then(|header| header.row(&cells)) else { return Ok(false) };
        if self.header.as_ref().is_some_and(Header::has_time) && row.end_ns.is_none() {
            out.report(Code::DoubtfulValue, text)?;
        }
        if let Some(number) = row.number {
            self.numbers.see(number, out)?;
            if self.stated_count.is_some_and(|count| self.numbers.passes(count)) {
                out.report(Code::DoubtfulValue, text)?;
            }
        }
        emit(row, self.cpu, out)
    }

    fn is_whole(&self) -> bool {
        self.stated_count.is_none_or(|count| !self.numbers.ends_before(count))
    }
}

/// Hands a row on; `cpu` where it says none itself. False where that is no CPU.
pub fn emit(row: Row, cpu: Option<i64>, out: &mut Out<'_>) -> Result<bool, Stop> {
    let Some(lane) = out.cpu_or_thread(row.cpu.or(cpu), 0)? else { return Ok(false) };
    let at_ns = match row.quantity {
        // A time is that of the end.
        Quantity::LatencyNs(value_ns) => row.end_ns.and_then(|end_ns| end_ns.checked_sub(value_ns)),
        _ => row.end_ns,
    };
    // Sleeps of different lengths are not one distribution.
    let source = row.asked_ns.map(|asked_ns| format!("sleeper {}", in_words(asked_ns)));
    out.measured(lane, at_ns, row.quantity, 1, source.as_deref().unwrap_or("sleeper"))?;
    Ok(true)
}

impl Columns {
    // # jitter cpu=1 period_ns=10000000 n=150 prio=0 mode=absolute
    fn comment(&mut self, comment: &str, out: &mut Out<'_>) -> Result<(), Stop> {
        self.cpu = number_after(comment, " cpu=").or(self.cpu);
        self.unit = stated_unit(comment).or(self.unit);
        self.stated_count = self.stated_count.or(number_after(comment, " n="));
        for (name, value) in comment.split_ascii_whitespace().filter_map(|pair| pair.split_once('=')) {
            out.fact(name, value);
        }
        out.check_pairs(comment)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{check_measurements as check, measurement_lines};

    #[test]
    fn late_wakeups_end_at_their_time() {
        check(
            "\
# jitter cpu=1 period_ns=10000000 n=2 prio=0 mode=absolute
#i\twake_ns(CLOCK_MONOTONIC)\tlate_ns
0\t45061929888\t75938
1\t45071931946\t77996
2\t45081931947
3\t4509)931947\t7
4\t45091931947\t7\t9
# max_late_ns=77996 at i=1 mean_late_ns=76967
",
            expect![[r#"
                measured cpu 1 sleeper start 0 duration 75938 reported
                measured cpu 1 sleeper start 10000000 duration 77996 reported
                unparsed_lines: 3 from line 5
                cpu: 1
                i: 1
                max_late_ns: 77996
                mean_late_ns: 76967
                mode: absolute
                n: 2
                period_ns: 10000000
                prio: 0
            "#]],
        );
    }

    #[test]
    fn a_row_with_names_or_past_the_stated_count_is_doubtful() {
        let is_doubtful = |text: &str| measurement_lines(text).contains("doubtful_value");
        assert!(!is_doubtful("# jitter n=2\n#i\tlate_ns\n0\t7\n1\t8\n"));
        assert!(is_doubtful("#i\tlate_ns\t0\t7\n1\t8\n"));
        assert!(is_doubtful("# jitter n=2\n#i\tlate_ns\n4990\t7\n4991\t8\n"));
    }

    #[test]
    fn a_row_without_its_time_is_doubtful() {
        let text = |time: &str| format!("#i\twake_ns\tlate_ns\n0\t{time}\t7\n1\t45071931946\t8\n");
        assert!(!measurement_lines(&text("45061929888")).contains("doubtful_value"));
        assert!(measurement_lines(&text("")).contains("doubtful_value"));
    }

    #[test]
    fn units_and_pairs_are_read() {
        check(
            "latency_us\n12.5\n7\n-3\n0.0009\n",
            expect![[r#"
            measured cpu 0 sleeper start 0 duration 12500 reported
            measured cpu 0 sleeper start 1 duration 7000 reported
            measured cpu 0 sleeper start 2 duration 0 reported
            unparsed_lines: 1 from line 4
        "#]],
        );
        check(
            "late (ms)\n1.5\n7.7e-02\n",
            expect![[r#"
            measured cpu 0 sleeper start 0 duration 1500000 reported
            measured cpu 0 sleeper start 1 duration 77000 reported
        "#]],
        );
        check(
            "asked_ms,got_ms,cpu\n10,10.25,3\n10,9,3\n1000,1000.5,3\n",
            expect![[r#"
            measured cpu 3 sleeper 10 ms start 0 duration 250000 reported
            measured cpu 3 sleeper 1 s start 1 duration 500000 reported
            unparsed_lines: 1 from line 3
        "#]],
        );
    }

    #[test]
    fn a_stated_unit_is_that_of_numbers_without_a_header() {
        check(
            "# unit=us\n12.5\n7\n1 2\n",
            expect![[r#"
            measured cpu 0 sleeper start 0 duration 12500 reported
            measured cpu 0 sleeper start 1 duration 7000 reported
            measured cpu 0 sleeper start 2 duration 1000 reported
            unit: us
        "#]],
        );
        check(
            "# unit=ms\n10 10.25\n0.1 0.15\n12\n",
            expect![[r#"
            measured cpu 0 sleeper 10 ms start 0 duration 250000 reported
            measured cpu 0 sleeper 100 us start 1 duration 50000 reported
            unparsed_lines: 1 from line 4
            unit: ms
        "#]],
        );
        check(
            "# unit=none\n1003\n1042\n",
            expect![[r#"
            measured cpu 0 sleeper start 0 duration 1003 reported number
            measured cpu 0 sleeper start 1 duration 1042 reported number
            unit: none
        "#]],
        );
        check(
            "# unit=us\nlatency,cpu\n12,1\n",
            expect![[r#"
            measured cpu 1 sleeper start 0 duration 12000 reported
            unit: us
        "#]],
        );
    }
}
