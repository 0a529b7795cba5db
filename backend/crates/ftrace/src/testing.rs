//! For tests of every floor: imports a few lines of ftrace text and prints what the analyses found in them.

pub mod explain;
mod floors;
mod kinds;

use std::fmt::Write;

use expect_test::Expect;

use crate::analyses::{ARROWS, LatencyKind, SampleFlags, SliceFlags, SliceKind};
use crate::formats::read_any;
use crate::import::testing::{import_lines, import_with};
use crate::kinds::latency_kinds;
use crate::model::Limits;
use crate::store::read::blocks::{ABSENT, CounterBlock, SliceBlock};
use crate::store::read::dictionaries::{Dictionary, Symbol, Task, read_counters, read_symbols, read_tasks};
use crate::store::read::read_rows;
use crate::store::read::samples::read_samples;
use crate::store::tables;
use crate::store::testing::Written;

/// The kind with this name, for floors below that of the kinds.
pub fn latency_kind(name: &str) -> &'static LatencyKind {
    crate::kinds::find(name).unwrap().latency()
}

/// Prints slices by kind and start, counters, and the problems with their counts, on one line each.
pub fn check(text: &str, expected: Expect) {
    let (written, _) = import_lines(text);
    let all = slices(&written, |kind| SliceKind::of_code(kind).is_some_and(SliceKind::is_of_cpu));
    expected.assert_eq(&(all + &counters(&written) + &problems(&written)));
}

/// Prints what tasks did without a CPU, by task and start.
pub fn check_task_states(text: &str, expected: Expect) {
    let (written, _) = import_lines(text);
    expected.assert_eq(&slices(&written, |kind| kind == SliceKind::Task.code()));
}

/// Prints arrows by kind and beginning: where and when they begin, and where and when they end.
pub fn check_arrows(text: &str, expected: Expect) {
    let (written, _) = import_lines(text);
    let (tasks, symbols) = (written.whole(&tables::TASK), written.whole(&tables::SYMBOL));
    let (tasks, symbols) = (read_tasks(&tasks).unwrap(), read_symbols(&symbols).unwrap());
    let pid =
        |task: i32| tasks.get(task).and_then(|task| task.pid).map_or("-".to_owned(), |pid| pid.to_string());
    let blocks =
        read_rows(&tables::SLICE_BLOCK, &written.whole(&tables::SLICE_BLOCK), SliceBlock::read).unwrap();
    let mut lines = String::new();
    for kind in ARROWS {
        for block in blocks.iter().filter(|block| block.kind == kind.slices.code()) {
            for at in 0..block.start_ns.len() {
                let (from_t, duration) = (block.start_ns[at], block.duration_ns[at]);
                let (from, to) =
                    ((block.depth[at], pid(block.parent[at])), (block.cpu[at], pid(block.task_idx[at])));
                let what = symbols.get(block.symbol_idx[at]).map_or("", |symbol| symbol.name);
                let (name, to_t) = (kind.name, from_t + duration);
                writeln!(
                    lines,
                    "{name} {from_t} cpu {} pid {} -> {to_t} cpu {} pid {} {what}",
                    from.0, from.1, to.0, to.1
                )
                .unwrap();
            }
        }
    }
    expected.assert_eq(&lines.replace(" \n", "\n"));
}

/// Prints the priorities that tasks were lent.
pub fn check_boosts(text: &str, expected: Expect) {
    let (written, _) = import_lines(text);
    expected.assert_eq(&slices(&written, |kind| kind == SliceKind::Boost.code()));
}

/// Prints the samples of these kinds by their stored order, and what gave none.
pub fn check_latencies(kinds: &[&str], text: &str, expected: Expect) {
    expected.assert_eq(&measured(kinds, text));
}

/// The samples of these kinds, and what gave none, a line each.
pub fn measured(kinds: &[&str], text: &str) -> String {
    let (written, _) = import_lines(text);
    let kinds = latency_kinds().filter(|kind| kinds.contains(&kind.name));
    kinds.map(|kind| samples(&written, kind) + &incomplete(&written, kind)).collect()
}

/// Prints the format of a file of measurements, its samples, what gave none, problems and facts.
pub fn check_measurements(text: &str, expected: Expect) {
    expected.assert_eq(&measurement_lines(text));
}

/// The same as text.
pub fn measurement_lines(text: &str) -> String {
    let (file, limits) = (text.as_bytes().to_vec(), Limits::default());
    let (written, summary) = import_with(&limits, |importer| {
        read_any(&file, &mut Vec::new(), &limits, importer).unwrap();
    });
    let kind = latency_kind("measured");
    let facts: String = summary.facts.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    samples(&written, kind) + &incomplete(&written, kind) + &problems(&written) + &facts
}

/// What was found in a recording, however it was written down: slices, counters, and the samples of all kinds.
pub fn everything(written: &Written) -> String {
    let mut text = slices(written, |_| true) + &counters(written);
    for kind in latency_kinds() {
        text += &(samples(written, kind) + &incomplete(written, kind));
    }
    text
}

fn kind_name(code: i16) -> &'static str {
    SliceKind::ALL.iter().find(|kind| kind.code() == code).map_or("other", |kind| kind.name())
}

fn samples(written: &Written, kind: &'static LatencyKind) -> String {
    let tasks = read_tasks(written.streams(&tables::TASK).next().unwrap_or_default()).unwrap();
    let symbols = read_symbols(written.streams(&tables::SYMBOL).next().unwrap_or_default()).unwrap();
    let sample_blocks: Vec<&[u8]> = written.streams(&tables::SAMPLE_BLOCK).collect();
    let slice_blocks: Vec<&[u8]> = written.streams(&tables::SLICE_BLOCK).collect();
    let mut text = String::new();
    for sample in read_samples(kind, &sample_blocks, &slice_blocks).unwrap() {
        write!(text, "{} cpu {}", kind.name, sample.cpu).unwrap();
        if let Some(task) = tasks.get(sample.task_idx) {
            let pid = task.pid.filter(|pid| *pid > 0).map(|pid| format!("-{pid}")).unwrap_or_default();
            write!(text, " {}{pid}", task.comm).unwrap();
        }
        if let Some(symbol) = symbols.get(sample.symbol_idx) {
            write!(text, " {}", symbol.name).unwrap();
        }
        write!(text, " start {} duration {}", sample.start_ns, sample.duration_ns).unwrap();
        if sample.start_cpu != sample.cpu {
            write!(text, " from cpu {}", sample.start_cpu).unwrap();
        }
        let flags = SampleFlags::NAMES.iter().filter(|(flag, _)| sample.flags.has(*flag));
        text.extend(flags.map(|(_, name)| format!(" {name}")));
        text.extend(sample.sleep_ns.map(|sleep_ns| format!(" slept {sleep_ns}")));
        text.extend(sample.frequency_khz.map(|khz| format!(" at {khz} kHz")));
        text.extend(sample.idle_state.map(|state| format!(" idle state {state}")));
        if sample.weight != 1 {
            write!(text, " × {}", sample.weight).unwrap();
        }
        text.push('\n');
    }
    text
}

fn incomplete(written: &Written, kind: &LatencyKind) -> String {
    let rows = written.rows(&tables::LATENCY_INCOMPLETE, |row| {
        let code = row.int::<i16>("kind").unwrap();
        let reason = row.text("reason").unwrap().to_owned();
        (code, reason, row.int::<i64>("count").unwrap())
    });
    let of_kind = rows.into_iter().filter(|(code, ..)| *code == kind.code);
    of_kind.map(|(_, reason, count)| format!("{} incomplete: {count} {reason}\n", kind.name)).collect()
}

fn slices(written: &Written, is_wanted: fn(i16) -> bool) -> String {
    let tasks = read_tasks(written.streams(&tables::TASK).next().unwrap()).unwrap();
    let symbols = read_symbols(written.streams(&tables::SYMBOL).next().unwrap_or_default()).unwrap();
    let blocks = written
        .streams(&tables::SLICE_BLOCK)
        .flat_map(|stream| read_rows(&tables::SLICE_BLOCK, stream, SliceBlock::read).unwrap());
    let wanted = blocks.filter(|block| is_wanted(block.kind));
    wanted.map(|block| slice_lines(&block, &tasks, &symbols)).collect()
}

fn slice_lines(block: &SliceBlock, tasks: &Dictionary<Task<'_>>, symbols: &Dictionary<Symbol<'_>>) -> String {
    let mut text = String::new();
    for at in 0..block.start_ns.len() {
        write!(text, "{} cpu {}", kind_name(block.kind), block.cpu[at]).unwrap();
        if let Some(task) = tasks.get(block.task_idx[at]) {
            let pid = task.pid.filter(|pid| *pid > 0).map(|pid| format!("-{pid}")).unwrap_or_default();
            write!(text, " {}{pid}", task.comm).unwrap();
        }
        if block.symbol_idx[at] != ABSENT {
            write!(text, " {}", symbols.get(block.symbol_idx[at]).unwrap().name).unwrap();
        }
        if block.depth[at] > 0 {
            write!(text, " depth {}", block.depth[at]).unwrap();
        }
        write!(text, " start {} duration {}", block.start_ns[at], block.duration_ns[at]).unwrap();
        if block.self_ns[at] != block.duration_ns[at] {
            write!(text, " self {}", block.self_ns[at]).unwrap();
        }
        let flags = SliceFlags(block.flags[at].cast_unsigned());
        for (flag, name) in [
            (SliceFlags::STARTED_BEFORE, "started-before"),
            (SliceFlags::CUT_AT_END, "cut-at-end"),
            (SliceFlags::HAS_GAP, "gap"),
            (SliceFlags::REPORTED, "reported"),
        ] {
            if flags.has(flag) {
                write!(text, " {name}").unwrap();
            }
        }
        text.push('\n');
    }
    text
}

fn counters(written: &Written) -> String {
    let mut text = String::new();
    let Some(names) = written.streams(&tables::COUNTER).next() else { return text };
    let names = read_counters(names).unwrap();
    for stream in written.streams(&tables::COUNTER_BLOCK) {
        for block in read_rows(&tables::COUNTER_BLOCK, stream, CounterBlock::read).unwrap() {
            for at in 0..block.t_ns.len() {
                let counter = names.get(i32::from(block.counter_idx[at])).unwrap();
                let unit = counter.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
                let (cpu, t_ns, value) = (block.cpu[at], block.t_ns[at], block.value[at]);
                writeln!(text, "counter {} cpu {cpu} at {t_ns}: {value}{unit}", counter.name).unwrap();
            }
        }
    }
    text
}

fn problems(written: &Written) -> String {
    let rows = written.rows(&tables::DIAGNOSTIC, |row| {
        let code = row.text("code").unwrap().to_owned();
        row.skip("severity").unwrap();
        let count = row.int::<i64>("count").unwrap();
        let line = row.optional_int::<i64>("first_line").unwrap().unwrap_or(0);
        format!("{code}: {count} from line {line}\n")
    });
    rows.concat()
}
