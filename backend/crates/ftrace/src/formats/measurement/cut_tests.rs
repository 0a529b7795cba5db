//! Cuts the fuzz seeds of every format at every byte. A missing or changed value is reported, unless the cut falls
//! between two lines of a program that does not state how many lines there are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use expect_test::expect;

use super::super::{Access, FORMATS, Likeness, TraceFormat};
use crate::input::Input;
use crate::model::{
    CallRecord, Diagnostic, EventRecord, Facts, Limits, LossRecord, NoteRecord, Sink, StackRecord, Stop,
};

/// How often each value was measured on each lane, and whether anything was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Values {
    counts: BTreeMap<(u16, String), i128>,
    is_told: bool,
}

impl Values {
    fn of(format: &dyn TraceFormat, bytes: &[u8]) -> Self {
        let mut values = Self::default();
        let mut stream = bytes;
        let end = format.read(Input::Stream(&mut stream), &Limits::default(), &mut values);
        values.is_told |= end.is_err();
        values
    }
}

impl Sink for Values {
    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop> {
        let text = String::from_utf8_lossy(event.args);
        let Some((value, rest)) = text.split_once(" count=") else { return Ok(()) };
        let (count, source) = rest.split_once(' ').unwrap();
        let count: i128 = count.parse().unwrap();
        *self.counts.entry((event.cpu, format!("{value} {source}"))).or_default() += count;
        Ok(())
    }

    fn diagnostic(&mut self, _: Diagnostic<'_>) -> Result<(), Stop> {
        self.is_told = true;
        Ok(())
    }

    fn facts(&mut self, _: Facts) -> Result<(), Stop> {
        Ok(())
    }

    fn buffer(&mut self, _: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn call(&mut self, _: &CallRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn stack(&mut self, _: &StackRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn loss(&mut self, _: &LossRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn note(&mut self, _: &NoteRecord<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn task_name(&mut self, _: i32, _: &[u8]) -> Result<(), Stop> {
        Ok(())
    }

    fn progress(&mut self, _: u64, _: u64) -> Result<(), Stop> {
        Ok(())
    }
}

/// The seeds of this format that are text and read without a word.
fn whole_files(format: &dyn TraceFormat) -> Vec<(String, Vec<u8>, Values)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(format.name());
    let paths = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let files = paths.filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        Some((path.display().to_string(), text.into_bytes()))
    });
    let read = files.map(|(name, bytes)| {
        let values = Values::of(format, &bytes);
        (name, bytes, values)
    });
    read.filter(|(_, _, values)| !values.is_told && !values.counts.is_empty()).collect()
}

/// True where so little is left of a file that it is no longer recognised.
fn is_refused(format: &dyn TraceFormat, bytes: &[u8], end: usize) -> bool {
    let is_like = |bytes: &[u8]| format.likeness(bytes) != Likeness::No;
    is_like(bytes) && !is_like(&bytes[..end])
}

#[test]
fn a_cut_within_a_line_never_changes_values_silently() {
    let mut silent = String::new();
    let mut formats = Vec::new();
    for format in FORMATS.iter().filter(|format| format.access() == Access::Stream) {
        let files = whole_files(*format);
        formats.extend(files.first().map(|_| format.name()));
        for (name, bytes, whole) in files {
            let within = (1..bytes.len()).filter(|end| bytes[end - 1] != b'\n' && bytes[*end] != b'\n');
            for end in within {
                if is_refused(*format, &bytes, end) {
                    continue;
                }
                let cut = Values::of(*format, &bytes[..end]);
                if !cut.is_told && cut != whole {
                    silent += &format!("{name} cut at {end}: {:?}\n", cut.counts);
                }
            }
        }
    }
    assert_eq!(silent, "");
    expect!["cyclictest_text rt_tests_json rtla_text oslat_text ptsematest_text hackbench_text hwlatdetect_text perf_sched_timehist perf_sched_latency schbench_text schbench_json stress_ng_cyclic ftq_counts fwq_times duration_columns duration_lines bare_numbers"].assert_eq(&formats.join(" "));
}

#[test]
fn a_cut_between_lines_is_told_wherever_a_file_says_what_belongs_to_it() {
    let is_silent = |format: &dyn TraceFormat| {
        whole_files(format).iter().any(|(_, bytes, whole)| {
            let ends = (1..bytes.len()).filter(|end| bytes[end - 1] == b'\n');
            ends.map(|end| Values::of(format, &bytes[..end]))
                .any(|cut| !cut.is_told && !cut.counts.is_empty() && cut.counts != whole.counts)
        })
    };
    let streams = FORMATS.iter().filter(|format| format.access() == Access::Stream);
    let names: BTreeSet<&str> =
        streams.filter(|format| is_silent(**format)).map(|format| format.name()).collect();
    expect![[r#"
        bare_numbers
        duration_columns
        duration_lines
        ftq_counts
        fwq_times
        hackbench_text
        perf_sched_timehist
        stress_ng_cyclic
    "#]]
    .assert_eq(&names.into_iter().map(|name| format!("{name}\n")).collect::<String>());
}

/// Of the formats, those of which a file changes its values without a word where `change` is made to one of its lines.
fn silent_with(change: fn(&mut Vec<&[u8]>, usize)) -> BTreeSet<&'static str> {
    let is_silent = |format: &dyn TraceFormat| {
        whole_files(format).iter().any(|(_, bytes, whole)| {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            (0..lines.len()).any(|at| {
                let mut changed = lines.clone();
                change(&mut changed, at);
                let changed = changed.concat();
                let is_read = format.likeness(&changed) != Likeness::No;
                let values = Values::of(format, &changed);
                is_read && !values.is_told && !values.counts.is_empty() && values.counts != whole.counts
            })
        })
    };
    let streams = FORMATS.iter().filter(|format| format.access() == Access::Stream);
    streams.filter(|format| is_silent(**format)).map(|format| format.name()).collect()
}

#[test]
fn a_row_that_has_become_a_comment_is_told() {
    let silent = silent_with(|lines, at| lines.insert(at, b"#"));
    expect![[r#""#]].assert_eq(&silent.into_iter().map(|name| format!("{name}\n")).collect::<String>());
}

#[test]
fn a_row_that_is_gone_is_told_where_rows_are_numbered_or_summed_up() {
    let silent = silent_with(|lines, at| {
        lines.remove(at);
    });
    expect![[r#"
        bare_numbers
        duration_columns
        duration_lines
        ftq_counts
        fwq_times
        hackbench_text
        oslat_text
        perf_sched_latency
        perf_sched_timehist
        ptsematest_text
        rt_tests_json
        schbench_text
        stress_ng_cyclic
    "#]]
    .assert_eq(&silent.into_iter().map(|name| format!("{name}\n")).collect::<String>());
}
