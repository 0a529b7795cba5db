//! Latency samples on their way into `sample_block`.

use super::event_blocks::BLOCK_RECORDS;
use super::tables::SAMPLE_BLOCK;
use super::time_axis::TimeAxis;
use super::writer::TableWriter;
use crate::model::ReadError;

/// A sample with its names as indices into the trace's dictionaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredSample {
    pub start_ns: i64,
    pub duration_ns: i64,
    pub cpu: i16,
    pub start_cpu: Option<i16>,
    pub task: Option<i32>,
    pub symbol: Option<i32>,
    pub flags: i16,
    pub sleep_ns: Option<i64>,
    pub frequency_khz: Option<i32>,
    pub idle_state: Option<i16>,
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
            let fits = |sample: &&StoredSample| {
                times.push(sample.start_ns, sample.start_ns.saturating_add(sample.duration_ns))
            };
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
        let max_ns = block.iter().map(|sample| sample.duration_ns).max().unwrap_or(0);
        // What an empty array stands for is said in `tables`.
        let any = |holds: fn(&StoredSample) -> bool| if block.iter().any(holds) { block } else { &[] };
        let start_cpus = any(|sample| sample.start_cpu.is_some());
        let tasks = any(|sample| sample.task.is_some());
        let symbols = any(|sample| sample.symbol.is_some());
        let flags = any(|sample| sample.flags != 0);
        let sleeps = any(|sample| sample.sleep_ns.is_some());
        let frequencies = any(|sample| sample.frequency_khz.is_some());
        let idle_states = any(|sample| sample.idle_state.is_some());
        writer.row(&SAMPLE_BLOCK, |row| {
            row.int(self.kind).int(self.block).int(times.t0()).int(times.t1()).int(count).int(max_ns);
            row.ints(times.dt()).ints(block.iter().map(|sample| sample.duration_ns));
            row.ints(block.iter().map(|sample| sample.cpu));
            row.optional_ints(start_cpus.iter().map(|sample| sample.start_cpu));
            row.optional_ints(tasks.iter().map(|sample| sample.task));
            row.optional_ints(symbols.iter().map(|sample| sample.symbol));
            row.ints(flags.iter().map(|sample| sample.flags));
            row.optional_ints(sleeps.iter().map(|sample| sample.sleep_ns));
            row.optional_ints(frequencies.iter().map(|sample| sample.frequency_khz));
            row.optional_ints(idle_states.iter().map(|sample| sample.idle_state));
        })?;
        self.block = self.block.saturating_add(1);
        Ok(())
    }
}
