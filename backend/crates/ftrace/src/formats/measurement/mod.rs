//! What programs that measure latency print. One file and one line in [`FORMATS`](super::FORMATS) for each layout.
//!
//! Every line is a value that was measured, something stated about the run, or a counted diagnostic.

mod bare_numbers;
mod columns;
mod columns_header;
#[cfg(test)]
mod cut_tests;
mod cyclictest;
#[cfg(test)]
mod cyclictest_tests;
mod decimal;
mod duration_lines;
mod ftq;
mod fwq;
mod hackbench;
mod hwlatdetect;
mod json;
mod lines;
mod oslat;
mod out;
mod perf_latency;
mod perf_timehist;
mod ptsematest;
mod ranks;
mod row_numbers;
mod rt_tests_json;
mod rtla;
mod rtla_top;
mod schbench;
mod schbench_json;
mod stress_ng;
mod surroundings;
mod thread;

pub use bare_numbers::BARE_NUMBERS;
pub use columns::COLUMNS;
pub use cyclictest::CYCLICTEST;
pub use duration_lines::DURATION_LINES;
pub use ftq::FTQ;
pub use fwq::FWQ;
pub use hackbench::HACKBENCH;
pub use hwlatdetect::HWLATDETECT;
pub use oslat::OSLAT;
pub use perf_latency::PERF_LATENCY;
pub use perf_timehist::PERF_TIMEHIST;
pub use ptsematest::PTSEMATEST;
pub use rt_tests_json::RT_TESTS_JSON;
pub use rtla::RTLA;
pub use schbench::SCHBENCH;
pub use schbench_json::SCHBENCH_JSON;
pub use stress_ng::STRESS_NG;

use self::out::Out;
use self::surroundings::Surroundings;
use super::{Access, Likeness, TraceFormat};
use crate::input::Input;
use crate::input::lines::LineReader;
use crate::model::{About, Limits, Sink, Stop};

/// Lines of a head that are looked at.
const HEAD_LINES: usize = 40;
/// No line of a head is longer.
const HEAD_LINE_BYTES: usize = 64 << 10;

/// What one program prints.
trait Program {
    /// Takes a line; false where it is none that the program prints.
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop>;

    /// Hands on what is known only after the whole file.
    fn finish(&mut self, _out: &mut Out<'_>) -> Result<(), Stop> {
        Ok(())
    }

    /// True where a last line without its end is whole all the same.
    fn ends_with(&self, _text: &str) -> bool {
        false
    }

    /// Whether the program prints lines that begin with `#`.
    fn has_comments(&self) -> bool {
        true
    }

    /// False at the end of a file from which something is missing by its own words.
    fn is_whole(&self) -> bool {
        true
    }
}

/// A layout of measurements.
pub struct MeasurementFormat {
    name: &'static str,
    title: &'static str,
    about: About,
    /// Judges the first lines of a file.
    likeness: fn(&[&str]) -> Likeness,
    start: fn() -> Box<dyn Program>,
}

impl TraceFormat for MeasurementFormat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn about(&self) -> About {
        self.about
    }

    fn access(&self) -> Access {
        Access::Stream
    }

    fn likeness(&self, head: &[u8]) -> Likeness {
        let mut stream = head;
        let Ok(lines) = LineReader::new(&mut stream, HEAD_LINE_BYTES) else { return Likeness::No };
        Surroundings::of(lines.head(), self.likeness).0
    }

    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), Stop> {
        lines::read(input, limits, sink, self)
    }
}

/// Sure where any of the lines is one that only this program prints.
fn sure_if(is_there: bool) -> Likeness {
    if is_there { Likeness::Sure } else { Likeness::No }
}

/// The whole numbers of a line; `None` where a word is none.
fn whole_numbers(text: &str) -> Option<Vec<i64>> {
    text.split_ascii_whitespace().map(whole_number).collect()
}

/// A number without a sign.
fn whole_number(word: &str) -> Option<i64> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().ok()).flatten()
}

/// The number after `name`, as in `Min:     19 Act:   23`.
fn number_after(text: &str, name: &str) -> Option<i64> {
    let (_, rest) = text.split_once(name)?;
    whole_number(rest.split_ascii_whitespace().next()?.trim_end_matches([',', ')', ';']))
}
