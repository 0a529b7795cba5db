//! The samples of one kind, whether they are stored as samples or as slices.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::blocks::{ABSENT, ABSENT_SMALL, SliceBlock};
use super::columns::{Columns, Extent, Lengthen, read_rows};
use crate::analyses::{LatencyKind, SampleFlags, SampleSource, SliceFlags};
use crate::store::decode::{DecodeError, Row};
use crate::store::tables;

/// One latency. Indices are into the trace's dictionaries, or [`ABSENT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredLatency {
    /// From the trace's first record.
    pub start_ns: i64,
    /// Of a bare number of an event, the number.
    pub duration_ns: i64,
    pub cpu: i16,
    /// Where it began; mostly `cpu`.
    pub start_cpu: i16,
    pub task_idx: i32,
    pub symbol_idx: i32,
    pub flags: SampleFlags,
    pub sleep_ns: Option<i64>,
    pub frequency_khz: Option<i32>,
    pub idle_state: Option<i16>,
    /// How many equal measurements it stands for.
    pub weight: i64,
}

/// Duration, start, CPU, task and symbol.
pub type Severity = (Reverse<i64>, i64, i16, i32, i32);

impl StoredLatency {
    /// One measurement that began and ended on `cpu`, without a task, a name, flags or a sleep.
    pub fn new(cpu: i16, start_ns: i64, duration_ns: i64) -> Self {
        Self {
            start_ns,
            duration_ns,
            cpu,
            start_cpu: cpu,
            task_idx: ABSENT,
            symbol_idx: ABSENT,
            flags: SampleFlags::default(),
            sleep_ns: None,
            frequency_khz: None,
            idle_state: None,
            weight: 1,
        }
    }

    /// The order from the worst to the best, the earlier first among equal ones. What is equal in all of
    /// this looks the same wherever it is shown.
    pub fn severity(&self) -> Severity {
        (Reverse(self.duration_ns), self.start_ns, self.cpu, self.task_idx, self.symbol_idx)
    }

    /// True where it is only late because its task had just been made.
    pub fn is_starting(&self) -> bool {
        self.flags.has(SampleFlags::STARTING)
    }

    /// True where the sample is a bare number, not a duration.
    pub fn is_number(&self) -> bool {
        self.flags.has(SampleFlags::NUMBER)
    }

    /// A bare number lasts no time.
    pub fn end_ns(&self) -> i64 {
        if self.is_number() { self.start_ns } else { self.start_ns.saturating_add(self.duration_ns) }
    }
}

/// Streams of blocks that hold samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct SampleBlocks<'a> {
    pub sample_block: &'a [u8],
    pub slice_block: &'a [u8],
    /// Events of which a field is asked for.
    pub event_block: &'a [u8],
}

impl SampleBlocks<'_> {
    /// Hands out each block's samples of each of the kinds, with the number of the block. They are sorted by
    /// their start.
    pub fn each(
        &self,
        kinds: &[&'static LatencyKind],
        mut take: impl FnMut(&'static LatencyKind, i32, &[StoredLatency]),
    ) -> Result<(), DecodeError> {
        let mut found = Vec::new();
        read_rows(&tables::SAMPLE_BLOCK, self.sample_block, |row| {
            row.skip("trace_key")?;
            let (code, block): (i16, i32) = (row.int("kind")?, row.int("block")?);
            let is_held =
                |kind: &&&'static LatencyKind| kind.source == SampleSource::Samples && kind.code == code;
            let Some(kind) = kinds.iter().find(is_held) else { return Ok(()) };
            found.clear();
            read_sample_block(row, &mut found)?;
            take(kind, block, &found);
            Ok(())
        })?;
        read_rows(&tables::SLICE_BLOCK, self.slice_block, |row| {
            let block = SliceBlock::read(row)?;
            for kind in kinds.iter().filter(|kind| is_code(kind.source, block.kind)) {
                found.clear();
                add_slices(kind.source, &block, &mut found);
                take(kind, block.number, &found);
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Every sample of `kind` in the streams, which may hold other kinds, too; sorted by start in each block.
pub fn read_samples(
    kind: &'static LatencyKind,
    sample_blocks: &[&[u8]],
    slice_blocks: &[&[u8]],
) -> Result<Vec<StoredLatency>, DecodeError> {
    let mut found = Vec::new();
    let mut take = |_: &LatencyKind, _: i32, samples: &[StoredLatency]| found.extend_from_slice(samples);
    for sample_block in sample_blocks {
        SampleBlocks { sample_block, ..SampleBlocks::default() }.each(&[kind], &mut take)?;
    }
    for slice_block in slice_blocks {
        SampleBlocks { slice_block, ..SampleBlocks::default() }.each(&[kind], &mut take)?;
    }
    Ok(found)
}

/// True where slices of the kind with this number are samples.
fn is_code(source: SampleSource, code: i16) -> bool {
    source.slice_kind().is_some_and(|kind| kind.code() == code)
}

/// What follows the number of a block.
fn read_sample_block(row: &mut Row<'_>, found: &mut Vec<StoredLatency>) -> Result<(), DecodeError> {
    let header = Extent::read(row)?;
    row.skip("max_ns")?;
    let start_ns = header.times(row, &tables::SAMPLE_BLOCK)?;
    let columns = Columns { table: &tables::SAMPLE_BLOCK, count: start_ns.len() };
    let duration_ns = columns.times(row, "duration_ns", "duration_excess_ns")?;
    columns.check("duration_ns", duration_ns.len())?;
    let sleep_ns: Vec<Option<i64>> = columns.optional(row, "sleep_ns")?;
    let contexts = columns.shared(row, "context_idx")?;
    let cpu: Vec<i16> = contexts.exact(row, "cpu", ABSENT_SMALL)?;
    let start_cpu: Vec<Option<i16>> = contexts.optional(row, "start_cpu")?;
    let task: Vec<i32> = contexts.or_default(row, "task", ABSENT)?;
    let symbol: Vec<i32> = contexts.or_default(row, "symbol", ABSENT)?;
    let flags: Vec<i16> = contexts.or_default(row, "flags", 0)?;
    let frequency_khz: Vec<Option<i32>> = contexts.optional(row, "frequency_khz")?;
    let idle_state: Vec<Option<i16>> = contexts.optional(row, "idle_state")?;
    let weight: Vec<i64> = columns.or_default(row, "weight", 1)?;
    let places = start_ns.iter().zip(&duration_ns).zip(cpu.iter().zip(&start_cpu));
    let names = task.iter().zip(&symbol).zip(&flags);
    let sleeps = sleep_ns.iter().zip(&frequency_khz).zip(idle_state.iter().zip(&weight));
    for (((start_duration, cpus), ((task, symbol), flags)), ((sleep, khz), (idle, weight))) in
        places.zip(names).zip(sleeps)
    {
        let (cpu, start_cpu) = (*cpus.0, *cpus.1);
        found.push(StoredLatency {
            start_ns: *start_duration.0,
            duration_ns: *start_duration.1,
            cpu,
            start_cpu: start_cpu.unwrap_or(cpu),
            task_idx: *task,
            symbol_idx: *symbol,
            flags: SampleFlags(flags.cast_unsigned()),
            sleep_ns: *sleep,
            frequency_khz: *khz,
            idle_state: *idle,
            weight: *weight,
        });
    }
    Ok(())
}

fn add_slices(source: SampleSource, block: &SliceBlock, found: &mut Vec<StoredLatency>) {
    let times = block.start_ns.iter().zip(&block.duration_ns);
    let names = block.cpu.iter().zip(block.task_idx.iter().zip(&block.symbol_idx));
    let places = block.depth.iter().zip(&block.parent).zip(&block.flags);
    for (((start_ns, duration_ns), (cpu, (task_idx, symbol_idx))), ((depth, parent), flags)) in
        times.zip(names).zip(places)
    {
        let slice_flags = SliceFlags(flags.cast_unsigned());
        let is_root = *parent == ABSENT && slice_flags.is_outermost(*depth);
        let is_whole = !slice_flags.is_cut();
        if !is_whole || (source == SampleSource::RootCalls && !is_root) {
            continue;
        }
        found.push(StoredLatency {
            task_idx: *task_idx,
            symbol_idx: *symbol_idx,
            flags: SampleFlags::of(slice_flags),
            ..StoredLatency::new(*cpu, *start_ns, *duration_ns)
        });
    }
}
