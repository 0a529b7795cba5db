//! rtla: the histograms and tables of timerlat and osnoise.
//!
//! Source: tools/tracing/rtla/src/{timerlat,osnoise}_{hist,top}.c, Linux 6.12.

use super::out::Out;
use super::rtla_top::Top;
use super::thread::{Bar, Thread};
use super::{MeasurementFormat, Program, sure_if, whole_number};
use crate::model::{About, NoteRecord, Stop};

pub static RTLA: MeasurementFormat = MeasurementFormat {
    name: "rtla_text",
    title: "rtla timerlat and osnoise (text)",
    about: About {
        recognised_by: "`# RTLA timerlat histogram`, `Timer Latency`, `Operating System Noise`",
        reads: "timerlat hist and osnoise hist: the histogram of each column, and its maximum; timerlat top and osnoise top: the last table; the analysis after them as notes",
        leaves_out: "tables before the last one; sums over all CPUs; averages",
    },
    likeness: |lines| sure_if(lines.iter().any(|line| is_header(line))),
    start: || Box::new(Rtla::default()),
};

const NS_PER_US: i64 = 1_000;
const MAX_COLUMNS: usize = 3 * 8_192;
const MAX_CELLS: usize = 1 << 20;

fn is_header(line: &str) -> bool {
    let title = without_escape(line).trim();
    line.starts_with("# RTLA ") || matches!(title, "Timer Latency" | "Operating System Noise")
}

/// A table begins with a reset of the terminal: `\x1bc`.
fn without_escape(text: &str) -> &str {
    text.trim_start().trim_start_matches("\x1bc")
}

#[derive(Default)]
struct Rtla {
    tool: Option<&'static str>,
    unit_ns: Option<i64>,
    columns: Vec<Column>,
    cell_count: usize,
    /// The sums under the columns are there.
    has_sums: bool,
    /// What follows sums up all CPUs.
    is_total: bool,
    top: Top,
    /// What follows is rtla's own analysis of why it stopped.
    is_analysis: bool,
}

/// `IRQ-000`
struct Column {
    cpu: i64,
    context: String,
    thread: Thread,
}

impl Program for Rtla {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let text = without_escape(text).trim();
        if self.is_analysis && !text.starts_with('#') {
            let (place, text) = (out.place, text.as_bytes());
            out.sink.note(&NoteRecord { ts: None, cpu: None, text, place })?;
            return Ok(true);
        }
        match text {
            "Timer Latency" => self.tool = Some("timerlat"),
            "Operating System Noise" => self.tool = Some("osnoise"),
            _ if text.starts_with('#') => self.comment(text, out),
            _ if text.ends_with("hit stop tracing") => {
                self.is_analysis = true;
                out.fact("stopped", text);
            }
            _ => {
                let is_known = self.row(text, out) || self.top.line(text, out);
                return Ok(is_known);
            }
        }
        Ok(true)
    }

    fn is_whole(&self) -> bool {
        self.columns.is_empty() || self.has_sums
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        let (tool, unit_ns) = (self.tool.unwrap_or("timerlat"), self.unit_ns.unwrap_or(NS_PER_US));
        for column in &mut self.columns {
            if let Some(lane) = out.cpu(column.cpu)? {
                column.thread.emit(lane, &format!("rtla {tool} {}", column.context), unit_ns, out)?;
            }
        }
        self.top.emit(tool, out)
    }
}

impl Rtla {
    fn comment(&mut self, text: &str, out: &mut Out<'_>) {
        self.is_analysis |= text.ends_with("hit stop tracing, analyzing it ##");
        match text {
            "# RTLA timerlat histogram" => self.tool = Some("timerlat"),
            "# RTLA osnoise histogram" => self.tool = Some("osnoise"),
            "# Time unit is nanoseconds (ns)" => self.unit_ns = Some(1),
            _ => {
                if let Some((name, value)) = text.trim_start_matches(['#', ' ']).split_once(':') {
                    out.fact(name, value);
                }
            }
        }
    }

    /// A line of a histogram; false where it is none.
    fn row(&mut self, text: &str, out: &Out<'_>) -> bool {
        let mut words = text.split_ascii_whitespace();
        let Some(name) = words.next() else { return false };
        if name == "Index" {
            return self.header(words);
        }
        self.has_sums |= name == "max:";
        let is_name = matches!(name, "over:" | "count:" | "min:" | "avg:" | "max:" | "ALL:");
        if self.columns.is_empty() || !(is_name || whole_number(name).is_some()) {
            return false;
        }
        if name == "ALL:" {
            self.is_total = true;
        }
        if self.is_total {
            return is_name;
        }
        let words: Vec<&str> = words.collect();
        // What a column has none of is a dash.
        if name != "avg:" && words.iter().any(|word| *word != "-" && whole_number(word).is_none()) {
            return false;
        }
        let cells: Vec<Option<i64>> = words.into_iter().map(whole_number).collect();
        if cells.len() != self.columns.len() {
            return name == "avg:";
        }
        match whole_number(name) {
            Some(value) => self.bars(value, &cells, out),
            None => {
                for (column, number) in self.columns.iter_mut().zip(cells) {
                    let thread = &mut column.thread;
                    match name {
                        "over:" => thread.overflow_count = number,
                        "count:" => thread.count = number,
                        "min:" => thread.min = number,
                        "max:" => thread.max = number,
                        _ => {}
                    }
                }
                true
            }
        }
    }

    // Index   IRQ-000   Thr-000   Usr-000   IRQ-001
    fn header<'t>(&mut self, words: impl Iterator<Item = &'t str>) -> bool {
        let column = |word: &str| {
            let (context, cpu) = word.rsplit_once('-')?;
            let context = match context {
                "IRQ" => "irq",
                "Thr" => "thread",
                "Usr" => "user",
                "CPU" => "noise",
                _ => return None,
            };
            let context = context.to_owned();
            Some(Column { cpu: whole_number(cpu)?, context, thread: Thread::default() })
        };
        let columns: Option<Vec<Column>> = words.map(column).collect();
        let columns = columns.filter(|columns| self.columns.is_empty() && columns.len() <= MAX_COLUMNS);
        columns.map(|columns| self.columns = columns).is_some()
    }

    fn bars(&mut self, value: i64, cells: &[Option<i64>], out: &Out<'_>) -> bool {
        self.cell_count = self.cell_count.saturating_add(cells.len());
        if self.cell_count > MAX_CELLS {
            return false;
        }
        let place = out.place;
        for (column, count) in self.columns.iter_mut().zip(cells) {
            if let Some(count) = count.filter(|count| *count > 0) {
                column.thread.bars.push(Bar { value, count, place });
            }
            // rtla leaves out rows that are zero: this is the least that is past the histogram.
            column.thread.overflow_from = Some(value.saturating_add(1));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn each_column_of_a_histogram_has_its_context() {
        check(
            "\
# RTLA timerlat histogram
# Time unit is microseconds (us)
# Duration:   0 00:00:03
Index   IRQ-000   Thr-000   IRQ-001   Thr-001
1          1988         0      1992         0
8             0      1988         0      1752
over:         0         0         3         0
count:     1988      1988      1995      1752
min:          1         8         1         8
avg:          1         8         1         8
max:          1         8       671         8
ALL:        IRQ       Thr       Usr
count:     3986      3986      3986
# exit status 0
",
            expect![[r#"
                measured cpu 0 rtla timerlat irq start 0 duration 1000 reported × 1988
                measured cpu 1 rtla timerlat irq start 0 duration 1000 reported × 1992
                measured cpu 0 rtla timerlat thread start 1988 duration 8000 reported × 1988
                measured cpu 1 rtla timerlat irq start 1992 duration 9000 reported at_least × 2
                measured cpu 1 rtla timerlat irq start 1994 duration 671000 reported
                measured cpu 1 rtla timerlat thread start 1995 duration 8000 reported × 1752
                Duration: 0 00:00:03
            "#]],
        );
    }

    #[test]
    fn the_last_table_counts_and_the_analysis_is_kept() {
        check(
            "\
\x1bc                                     Timer Latency
  0 00:00:01   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max
  0 #12        |        1         1         1         1 |       34        32        32        34
\x1bc                                     Timer Latency
  0 00:00:02   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max
  0 #39        |        1         1         1         1 |       34        32        32        36
  1 #40        |      179         1         5       179 |        -         -         -         -
---------------|----------------------------------------|---------------------------------------
ALL #79     e0 |                  1         3       179 |                 27        30        34
rtla timerlat hit stop tracing
## CPU 1 hit stop tracing, analyzing it ##
  IRQ handler delay:                                         1.76 us (0.98 %)
",
            expect![[r#"
                measured cpu 0 rtla timerlat irq start 0 duration 1000 reported
                measured cpu 1 rtla timerlat irq start 0 duration 1000 reported
                measured cpu 1 rtla timerlat irq start 1 duration 179000 reported
                measured cpu 0 rtla timerlat thread start 39 duration 32000 reported
                measured cpu 0 rtla timerlat thread start 40 duration 34000 reported
                measured cpu 0 rtla timerlat thread start 41 duration 36000 reported
                measured incomplete: 112 not_listed
                note_kept: 1 from line 14
                average of rtla timerlat irq: 5
                average of rtla timerlat thread: 32
                stopped: rtla timerlat hit stop tracing
            "#]],
        );
    }

    #[test]
    fn noise_by_period_and_alone() {
        check(
            "\
# RTLA osnoise histogram
# Time unit is microseconds (us)
# Duration:   0 00:00:02
Index   CPU-000
2        198586
over:        74
count:   198660
max:      21543
",
            expect![[r#"
                measured cpu 0 rtla osnoise noise start 0 duration 2000 reported × 198586
                measured cpu 0 rtla osnoise noise start 198586 duration 3000 reported at_least × 73
                measured cpu 0 rtla osnoise noise start 198659 duration 21543000 reported
                Duration: 0 00:00:02
            "#]],
        );
        check(
            "\
\x1bc                                          Operating System Noise
duration:   0 00:00:02 | time is in us
CPU Period       Runtime        Noise  % CPU Aval   Max Noise   Max Single          HW          NMI          IRQ      Softirq       Thread
  0 #2           2014291       466144    76.85816      461902        24048           0            0          506            0           47
",
            expect![[r#"
                measured cpu 0 rtla osnoise noise of a period start 0 duration 461902000 reported
                measured cpu 0 rtla osnoise single noise start 2 duration 24048000 reported
                measured incomplete: 1 not_listed
                duration: 0 00:00:02
            "#]],
        );
    }
}
