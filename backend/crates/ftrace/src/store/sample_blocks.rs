//! Latency samples on their way into `sample_block`.

use super::distinct::Distinct;
use super::event_blocks::BLOCK_RECORDS;
use super::long_times::{excess, within_limit};
use super::tables::SAMPLE_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::{Ns, ReadError};

/// A sample with its names as indices into the trace's dictionaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredSample {
    pub start_ns: Ns,
    pub duration_ns: Ns,
    pub cpu: i16,
    pub start_cpu: Option<i16>,
    pub task: Option<i32>,
    pub symbol: Option<i32>,
    pub flags: i16,
    pub sleep_ns: Option<Ns>,
    pub frequency_khz: Option<i32>,
    pub idle_state: Option<i16>,
    /// How many equal measurements it stands for.
    pub weight: i64,
}

/// What samples of a block have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context {
    cpu: i16,
    start_cpu: Option<i16>,
    task: Option<i32>,
    symbol: Option<i32>,
    flags: i16,
    frequency_khz: Option<i32>,
    idle_state: Option<i16>,
}

impl Context {
    fn of(sample: &StoredSample) -> Self {
        let StoredSample { cpu, start_cpu, task, symbol, flags, frequency_khz, idle_state, .. } = *sample;
        Self { cpu, start_cpu, task, symbol, flags, frequency_khz, idle_state }
    }
}

/// The samples of one kind that are being collected for the next block.
pub struct SampleBlocks {
    kind: i16,
    block: i32,
    samples: Vec<StoredSample>,
}

impl SampleBlocks {
    pub fn new(kind: i16) -> Self {
        Self { kind, block: 0, samples: Vec::new() }
    }

    /// Adds a sample, and writes the block before it if that is full.
    pub fn push(&mut self, sample: StoredSample, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.samples.len() >= BLOCK_RECORDS {
            self.flush(writer)?;
        }
        self.samples.push(sample);
        Ok(())
    }

    /// Writes what is collected: one block, or more where `dt` cannot hold a distance.
    pub fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let mut samples = std::mem::take(&mut self.samples);
        // They come in the order of their ends; sorted by start, distances are never negative.
        samples.sort_by_key(|sample| sample.start_ns);
        let mut rest = samples.as_slice();
        while !rest.is_empty() {
            let mut times = TimeAxis::default();
            let fits =
                |sample: &&StoredSample| times.push(sample.start_ns, sample.start_ns + sample.duration_ns);
            let count = rest.iter().take_while(fits).count();
            let (block, after) = rest.split_at(count);
            self.write(block, &times, writer)?;
            rest = after;
        }
        samples.clear();
        self.samples = samples;
        Ok(())
    }

    fn write(
        &mut self,
        block: &[StoredSample],
        times: &TimeAxis,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let count = i32::try_from(block.len()).unwrap_or(i32::MAX);
        let max_ns = block.iter().map(|sample| sample.duration_ns).max().unwrap_or_default();
        let mut contexts = Distinct::default();
        let context_idx: Vec<i16> =
            block.iter().map(|sample| contexts.index_of(Context::of(sample), b"")).collect();
        let contexts: Vec<Context> = contexts.tags().collect();
        // What an empty array stands for is said in `tables`.
        let long = if excess(max_ns) == Ns::ZERO { &[] } else { block };
        let sleeps = if block.iter().any(|sample| sample.sleep_ns.is_some()) { block } else { &[] };
        let weights = if block.iter().any(|sample| sample.weight != 1) { block } else { &[] };
        let any = |holds: fn(&Context) -> bool| if contexts.iter().any(holds) { &*contexts } else { &[] };
        let start_cpus = any(|context| context.start_cpu.is_some());
        let tasks = any(|context| context.task.is_some());
        let symbols = any(|context| context.symbol.is_some());
        let flags = any(|context| context.flags != 0);
        let frequencies = any(|context| context.frequency_khz.is_some());
        let idle_states = any(|context| context.idle_state.is_some());
        writer.row(&SAMPLE_BLOCK, |row| {
            row.int(self.kind).int(self.block).int(times.t0()).int(times.t1()).int(count).int(max_ns);
            row.ints(times.dt());
            row.ints(block.iter().map(|sample| within_limit(sample.duration_ns)));
            row.ints(long.iter().map(|sample| excess(sample.duration_ns)));
            row.optional_ints(sleeps.iter().map(|sample| sample.sleep_ns));
            row.ints(context_idx.iter().copied());
            row.ints(contexts.iter().map(|context| context.cpu));
            row.optional_ints(start_cpus.iter().map(|context| context.start_cpu));
            row.optional_ints(tasks.iter().map(|context| context.task));
            row.optional_ints(symbols.iter().map(|context| context.symbol));
            row.ints(flags.iter().map(|context| context.flags));
            row.optional_ints(frequencies.iter().map(|context| context.frequency_khz));
            row.optional_ints(idle_states.iter().map(|context| context.idle_state));
            row.ints(weights.iter().map(|sample| sample.weight));
        })?;
        self.block = self.block.saturating_add(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyses::SampleFlags;
    use crate::store::read::samples::{StoredLatency, read_samples};
    use crate::store::testing::{KEY, Written};
    use crate::testing::latency_kind;

    /// A sample of which everything is known, or only what must be.
    fn sample(start_ns: i64, duration_ns: i64, is_known: bool) -> StoredSample {
        StoredSample {
            start_ns: Ns(start_ns),
            duration_ns: Ns(duration_ns),
            cpu: 1,
            start_cpu: is_known.then_some(2),
            task: is_known.then_some(3),
            symbol: is_known.then_some(4),
            flags: i16::from(is_known),
            sleep_ns: is_known.then_some(Ns(5)),
            frequency_khz: is_known.then_some(6),
            idle_state: is_known.then_some(7),
            weight: if is_known { 8 } else { 1 },
        }
    }

    /// What is written comes back; samples are given in the order of their start.
    fn check(samples: &[StoredSample]) {
        let kind = latency_kind("wakeup");
        let mut written = Written::default();
        let mut writer = TableWriter::new(&mut written, KEY);
        let mut blocks = SampleBlocks::new(kind.code);
        for sample in samples {
            blocks.push(*sample, &mut writer).unwrap();
        }
        blocks.flush(&mut writer).unwrap();
        writer.finish().unwrap();
        let streams: Vec<&[u8]> = written.streams(&SAMPLE_BLOCK).collect();
        let expected: Vec<StoredLatency> = samples
            .iter()
            .map(|sample| StoredLatency {
                start_ns: sample.start_ns.0,
                duration_ns: sample.duration_ns.0,
                cpu: sample.cpu,
                start_cpu: sample.start_cpu.unwrap_or(sample.cpu),
                task_idx: sample.task.unwrap_or(-1),
                symbol_idx: sample.symbol.unwrap_or(-1),
                flags: SampleFlags(sample.flags.cast_unsigned()),
                sleep_ns: sample.sleep_ns.map(|sleep| sleep.0),
                frequency_khz: sample.frequency_khz,
                idle_state: sample.idle_state,
                weight: sample.weight,
            })
            .collect();
        assert_eq!(read_samples(kind, &streams, &[]).unwrap(), expected);
    }

    #[test]
    fn samples_come_back_as_they_were() {
        check(&[sample(0, 9, true)]);
        check(&[sample(0, 9, false), sample(1, 0, false)]);
        check(&[sample(0, 9, true), sample(1, 5, false), sample(20, 3, true)]);
    }

    #[test]
    fn long_samples_keep_every_nanosecond() {
        let limit = i64::from(i32::MAX);
        check(&[sample(0, limit, true), sample(1, 1, false)]);
        check(&[sample(0, limit + 1, true), sample(1, 1, false)]);
        check(&[sample(0, 86_400_000_000_000, false), sample(1, 5, true)]);
    }
}
