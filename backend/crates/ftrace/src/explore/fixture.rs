//! Small tables for tests, written by the encoder that writes the real ones.

use crate::store::copy::{CopyEncoder, TextColumn};
use crate::store::id_runs;
use crate::store::tables::projections::EXPLANATION;
use crate::store::tables::{self, Table};

const TRACE_KEY: i64 = 1;

/// One slice; `self_ns` is the duration where absent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slice {
    pub kind: i16,
    pub start: i64,
    pub duration: i64,
    pub self_ns: Option<i64>,
    pub cpu: i16,
    pub task: Option<i32>,
    pub symbol: Option<i32>,
    pub depth: i16,
    pub id: i32,
    pub parent: Option<i32>,
}

/// One row for each run of slices of the same kind.
pub fn slice_block(slices: &[Slice]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::SLICE_BLOCK);
    for (block, run) in (0_i32..).zip(slices.chunk_by(|a, b| a.kind == b.kind)) {
        let mut sorted = run.to_vec();
        sorted.sort_by_key(|slice| slice.start);
        let starts: Vec<i64> = sorted.iter().map(|slice| slice.start).collect();
        let t1 = sorted.iter().map(|slice| slice.start + slice.duration).max().unwrap();
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(run[0].kind).int(block).int(starts[0]).int(t1).int(count(run));
        encoder.int(run.iter().map(|slice| slice.duration).max().unwrap());
        encoder.ints(distances(&starts).into_iter());
        encoder.ints(sorted.iter().map(|slice| i32::try_from(slice.duration).unwrap()));
        encoder.ints([0_i64; 0].into_iter());
        let self_times = sorted.iter().map(|slice| slice.self_ns.unwrap_or(slice.duration));
        encoder.ints(self_times.map(|self_ns| i32::try_from(self_ns).unwrap()));
        encoder.ints([0_i64; 0].into_iter());
        let (id_at, id_steps) = id_runs::steps(sorted.iter().map(|slice| slice.id));
        encoder.ints(id_at.into_iter()).ints(id_steps.into_iter());
        encoder.optional_ints(sorted.iter().map(|slice| slice.parent));
        // Nothing is shared here: the context of the first slice comes last.
        encoder.ints((0..small_count(run)).rev());
        encoder.ints(sorted.iter().rev().map(|slice| slice.cpu));
        encoder.optional_ints(sorted.iter().rev().map(|slice| slice.task));
        encoder.optional_ints(sorted.iter().rev().map(|slice| slice.symbol));
        encoder.ints(sorted.iter().rev().map(|slice| slice.depth));
        encoder
            .ints(sorted.iter().map(|_| 0_i16))
            .texts(&TextColumn::default())
            .texts(&TextColumn::default());
    }
    encoder.take().unwrap_or_default()
}

/// `(kind, block, t0, t1, count, max)` each.
pub fn block_headers(table: &'static Table, rows: &[(i16, i32, i64, i64, i32, i64)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(table);
    for (kind, block, t0, t1, count, max_ns) in rows {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(*kind).int(*block).int(*t0).int(*t1).int(*count).int(*max_ns);
    }
    encoder.take().unwrap_or_default()
}

/// `(id, headline)` each.
pub fn explanations(rows: &[(&str, &str)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&EXPLANATION);
    for (rank, (id, headline)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(0_i16).int(rank).text(id.as_bytes()).text(headline.as_bytes());
    }
    encoder.take().unwrap_or_default()
}

/// One cell of a rollup of CPU 0, depth 0.
#[derive(Clone, Copy, Debug)]
pub struct Rollup {
    pub bucket: i32,
    pub slices: i32,
    pub busy_ns: i64,
    pub max_ns: i64,
    pub max_start_ns: i64,
}

pub fn rollup_block(kind: i16, level: i16, width_ns: i64, cells: &[Rollup]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::ROLLUP_BLOCK);
    encoder.begin_row();
    encoder.int(TRACE_KEY).int(kind).int(level).int(0_i16).int(0_i16).int(0_i32).int(width_ns);
    encoder.int(i64::from(cells[0].bucket)).int(i64::from(cells[cells.len() - 1].bucket)).int(count(cells));
    encoder.ints(cells.iter().map(|cell| cell.bucket - cells[0].bucket));
    encoder.ints(cells.iter().map(|cell| cell.slices));
    encoder.ints(cells.iter().map(|cell| cell.busy_ns));
    encoder.ints(cells.iter().map(|cell| cell.max_ns));
    encoder.ints(cells.iter().map(|cell| cell.max_start_ns));
    encoder.optional_ints(cells.iter().map(|_| None::<i32>));
    encoder.ints(cells.iter().map(|_| 0_i32));
    encoder.take().unwrap()
}

/// `(t, counter, cpu, value)` each.
pub fn counter_block(readings: &[(i64, i16, Option<i16>, i64)]) -> Vec<u8> {
    let times: Vec<i64> = readings.iter().map(|reading| reading.0).collect();
    let mut encoder = CopyEncoder::new(&tables::COUNTER_BLOCK);
    encoder.begin_row();
    encoder.int(TRACE_KEY).int(0_i32).int(times[0]).int(times[0]).int(count(readings));
    encoder.ints(distances(&times).into_iter());
    encoder.ints(readings.iter().map(|reading| reading.1));
    encoder.optional_ints(readings.iter().map(|reading| reading.2));
    encoder.ints(readings.iter().map(|reading| reading.3));
    encoder.take().unwrap()
}

/// `(pid, cpu, comm)` each.
pub fn tasks(rows: &[(Option<i32>, Option<i16>, &str)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::TASK);
    for (idx, (pid, cpu, comm)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(idx).optional_int(*pid).optional_int(*cpu).optional_int::<i32>(None);
        encoder.text(comm.as_bytes()).int(0_i64).optional_int::<i16>(None);
    }
    encoder.take().unwrap()
}

/// `(name, module)` each.
pub fn symbols(rows: &[(&str, Option<&str>)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::SYMBOL);
    for (idx, (name, module)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(idx).text(name.as_bytes()).optional_text(module.map(str::as_bytes));
    }
    encoder.take().unwrap()
}

/// `(name, unit)` each.
pub fn counters(rows: &[(&str, Option<&str>)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::COUNTER);
    for (idx, (name, unit)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(idx).text(name.as_bytes()).optional_text(unit.map(str::as_bytes));
    }
    encoder.take().unwrap()
}

/// `(cpu, start, end, lost)` each.
pub fn losses(rows: &[(Option<i16>, i64, i64, Option<i64>)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::LOSS);
    for (idx, (cpu, start, end, lost)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(idx).optional_int(*cpu).int(*start).int(*end).optional_int(*lost);
    }
    encoder.take().unwrap()
}

/// `(t, cpu, text)` each.
pub fn notes(rows: &[(i64, Option<i16>, &str)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::NOTE);
    for (idx, (t, cpu, text)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(idx).int(*t).optional_int(*cpu).text(text.as_bytes());
    }
    encoder.take().unwrap()
}

/// `(symbol, count, total)` each; the slowest call is the first task's.
pub fn function_stats(rows: &[(i32, i64, i64)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::FUNCTION_STAT);
    for (symbol, calls, total_ns) in rows {
        encoder.begin_row();
        encoder.int(TRACE_KEY).int(*symbol).int(*calls).int(*total_ns).int(*total_ns);
        encoder.int(1_i64).int(2_i64).int(3_i64).int(4_i64);
        encoder.int(0_i32).int(10_i64).int(0_i16).optional_int(Some(0_i32)).int(0_i16);
    }
    encoder.take().unwrap()
}

/// One node of the whole trace's tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeNode {
    pub parent: Option<i32>,
    pub symbol: i32,
    pub cpu: i16,
    pub task: i32,
    pub calls: i64,
    pub total_ns: i64,
    pub self_ns: i64,
}

pub fn calltree_block(nodes: &[TreeNode]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::CALLTREE_BLOCK);
    encoder.begin_row();
    encoder.int(TRACE_KEY).int(0_i32).int(0_i32).int(count(nodes));
    encoder.optional_ints(nodes.iter().map(|node| node.parent));
    encoder.ints(nodes.iter().map(|node| node.symbol));
    encoder.ints(nodes.iter().map(|node| node.cpu));
    encoder.optional_ints(nodes.iter().map(|node| Some(node.task)));
    encoder.ints(nodes.iter().map(|node| node.calls));
    encoder.ints(nodes.iter().map(|node| node.total_ns));
    encoder.ints(nodes.iter().map(|node| node.self_ns));
    encoder.ints(nodes.iter().map(|_| 1_i64));
    encoder.optional_ints(nodes.iter().map(|_| Some(2_i64)));
    encoder.ints(nodes.iter().map(|_| 3_i64));
    encoder.take().unwrap()
}

/// One event.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    pub t: i64,
    pub cpu: i16,
    pub task: Option<i32>,
    pub event_type: i16,
    pub flags: i32,
    pub buffer: i16,
    pub text: &'a str,
}

pub fn event_block(block: i32, first_seq: i64, events: &[Event<'_>]) -> Vec<u8> {
    let times: Vec<i64> = events.iter().map(|event| event.t).collect();
    let mut args = TextColumn::default();
    events.iter().rev().for_each(|event| args.push(event.text.as_bytes()));
    let mut encoder = CopyEncoder::new(&tables::EVENT_BLOCK);
    encoder.begin_row();
    encoder
        .int(TRACE_KEY)
        .int(block)
        .int(times[0])
        .int(times[times.len() - 1])
        .int(count(events))
        .int(first_seq);
    encoder.ints(distances(&times).into_iter());
    // Nothing is shared here: the context and message of the first event come last.
    encoder.ints((0..small_count(events)).rev()).ints((0..small_count(events)).rev());
    encoder.ints(events.iter().rev().map(|event| event.cpu));
    encoder.optional_ints(events.iter().rev().map(|event| event.task));
    encoder.ints(events.iter().rev().map(|event| event.flags));
    encoder.ints(events.iter().rev().map(|event| event.event_type));
    encoder.texts(&args);
    encoder.ints(events.iter().rev().map(|event| event.buffer));
    encoder.take().unwrap()
}

/// `(name, kind)` each.
pub fn event_types(rows: &[(&str, &str)]) -> Vec<u8> {
    let mut encoder = CopyEncoder::new(&tables::EVENT_TYPE);
    for (idx, (name, kind)) in (0_i32..).zip(rows) {
        encoder.begin_row();
        encoder
            .int(TRACE_KEY)
            .int(idx)
            .text(name.as_bytes())
            .text(kind.as_bytes())
            .optional_text(None)
            .int(0_i64);
    }
    encoder.take().unwrap()
}

/// JSON with every object of a list on a line of its own.
pub fn readable(json: &[u8]) -> String {
    let text = String::from_utf8(json.to_vec()).unwrap();
    text.replace("[{", "[\n  {").replace("},{", "},\n  {").replace("}]", "}\n]").replace("],\"", "],\n\"")
}

fn distances(times: &[i64]) -> Vec<i32> {
    let before = times.iter().take(1).chain(times);
    times.iter().zip(before).map(|(t, before)| i32::try_from(t - before).unwrap()).collect()
}

fn small_count<T>(rows: &[T]) -> i16 {
    i16::try_from(rows.len()).unwrap()
}

fn count<T>(rows: &[T]) -> i32 {
    i32::try_from(rows.len()).unwrap()
}
