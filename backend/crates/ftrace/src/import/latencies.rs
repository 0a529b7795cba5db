//! Every kind's samples in the making: blocks, counts, the worst ones.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;

use super::summaries::Summaries;
use super::tasks::Tasks;
use super::{narrow, stored};
use crate::analyses::{
    IncompleteReason, LatencyKind, Sample, SampleFlags, SampleSource, Slice, SliceFlags, Subject,
};
use crate::model::{Ns, ReadError};
use crate::store::sample_blocks::{SampleBlocks, StoredSample};
use crate::store::tables::{LATENCY_CASE, LATENCY_INCOMPLETE, LATENCY_KIND, LATENCY_TASK};
use crate::store::writer::TableWriter;

/// Worst samples that are kept apart, to be listed without looking at all, and explained when the trace is loaded.
const WORST_KEPT: usize = 100;
/// Tasks whose worst sample of a kind is kept: a machine has thousands, a hostile file millions.
const TASKS_KEPT: usize = 4_096;
/// One for every length in bits of a duration, which is never negative.
const LOG2_BUCKETS: usize = 64;

/// The kinds of latency of one trace.
pub struct Latencies {
    kinds: Vec<KindState>,
    /// The file ends before the recording did.
    is_cut_off: bool,
    /// Something inside it could not be read.
    has_lost_some: bool,
}

struct KindState {
    kind: &'static LatencyKind,
    blocks: SampleBlocks,
    count: i64,
    min_ns: Ns,
    max_ns: Ns,
    total_ns: Ns,
    log2_counts: [i64; LOG2_BUCKETS],
    incomplete: BTreeMap<IncompleteReason, i64>,
    worst: BTreeSet<Worst>,
    /// Of kinds that are about tasks: how many samples each has, and its worst one.
    by_task: HashMap<i32, (i64, StoredSample)>,
    summaries: Option<Summaries>,
}

/// A sample in the order from the worst to the best, among equal ones the earlier first: what is only late because
/// its task had just been made comes last, the rest in the order of
/// [`StoredLatency::severity`](crate::store::read::samples::StoredLatency::severity).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worst(StoredSample, i64);

impl Worst {
    fn order(&self) -> (bool, Reverse<Ns>, Ns, i16, Option<i32>, Option<i32>, i64) {
        let StoredSample { start_ns, duration_ns, cpu, task, symbol, .. } = self.0;
        (is_starting(&self.0), Reverse(duration_ns), start_ns, cpu, task, symbol, self.1)
    }
}

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Latencies {
    /// Samples are summed up for comparisons where `has_summaries`.
    pub fn new(kinds: impl Iterator<Item = &'static LatencyKind>, has_summaries: bool) -> Self {
        let kinds = kinds.map(|kind| KindState::new(kind, has_summaries));
        Self { kinds: kinds.collect(), is_cut_off: false, has_lost_some: false }
    }

    /// Counts a sample for its kind, and writes it with the next full block.
    pub fn add(&mut self, sample: &Sample, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let Some(state) = self.kinds.iter_mut().find(|state| state.kind.code == sample.kind.code) else {
            return Ok(());
        };
        let row = row_of(sample);
        state.count(row);
        state.blocks.push(row, writer)
    }

    /// Takes note that the file ends before the recording did: what had not ended by then lost its end, and of
    /// every kind there may have been more.
    pub fn cut_off(&mut self) {
        self.is_cut_off = true;
    }

    /// Takes note that something inside the file could not be read: of every kind there may have been more.
    pub fn lose_some(&mut self) {
        self.has_lost_some = true;
    }

    /// Counts what began or ended and gives no number.
    pub fn incomplete(&mut self, kind: &LatencyKind, reason: IncompleteReason, count: i64) {
        if let Some(state) = self.kinds.iter_mut().find(|state| state.kind.code == kind.code) {
            state.tell_incomplete(reason, count);
        }
    }

    /// Counts a slice for the kinds whose samples are slices of its kind, and returns which by their numbers.
    pub fn add_slice(&mut self, slice: &Slice<'_>, mut counted: impl FnMut(i16)) {
        let wants = |state: &&mut KindState| match state.kind.source {
            SampleSource::Samples => false,
            SampleSource::Slices(kind) => kind == slice.kind,
            SampleSource::RootCalls => is_root_call(slice),
        };
        for state in self.kinds.iter_mut().filter(wants) {
            match incomplete_reason(slice.flags) {
                Some(reason) => state.tell_incomplete(reason, 1),
                None => {
                    state.count(row_of_slice(slice));
                    counted(state.kind.code);
                }
            }
        }
    }

    /// Writes what is still collected; no sample comes after this.
    pub fn write(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for state in &mut self.kinds {
            if self.is_cut_off {
                state.cut_off();
            } else if self.has_lost_some {
                state.lose_some();
            }
            state.write(writer)?;
        }
        Ok(())
    }
}

impl Latencies {
    /// Writes what all samples of each kind come to; `symbol` returns the name of a key.
    pub fn write_summaries(
        &self,
        tasks: &Tasks,
        symbol: &dyn Fn(u32) -> Option<Vec<u8>>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let mut kinds = self.kinds.iter().filter_map(|state| Some((state.kind, state.summaries.as_ref()?)));
        kinds.try_for_each(|(kind, summaries)| summaries.write(kind, tasks, symbol, writer))
    }
}

impl KindState {
    fn new(kind: &'static LatencyKind, has_summaries: bool) -> Self {
        Self {
            kind,
            blocks: SampleBlocks::new(kind.code),
            count: 0,
            min_ns: Ns::MAX,
            max_ns: Ns::ZERO,
            total_ns: Ns::ZERO,
            log2_counts: [0; LOG2_BUCKETS],
            incomplete: BTreeMap::new(),
            worst: BTreeSet::new(),
            by_task: HashMap::new(),
            summaries: has_summaries.then(Summaries::default),
        }
    }

    fn count(&mut self, sample: StoredSample) {
        let StoredSample { duration_ns, weight, .. } = sample;
        let number = self.count;
        self.count = self.count.saturating_add(weight);
        self.min_ns = self.min_ns.min(duration_ns);
        self.max_ns = self.max_ns.max(duration_ns);
        self.total_ns += duration_ns * weight;
        let bits = i64::BITS.saturating_sub(duration_ns.0.leading_zeros());
        if let Some(count) = self.log2_counts.get_mut(usize::try_from(bits).unwrap_or(usize::MAX)) {
            *count = count.saturating_add(weight);
        }
        self.count_of_task(sample);
        if let Some(summaries) = &mut self.summaries {
            summaries.add(&sample);
        }
        let worst = Worst(sample, number);
        if self.worst.len() >= WORST_KEPT && self.worst.last().is_some_and(|last| *last < worst) {
            return;
        }
        self.worst.insert(worst);
        if self.worst.len() > WORST_KEPT {
            self.worst.pop_last();
        }
    }

    fn count_of_task(&mut self, sample: StoredSample) {
        let Some(task) = sample.task.filter(|_| self.kind.subject == Subject::Task) else { return };
        let has_room = self.by_task.len() < TASKS_KEPT;
        match self.by_task.get_mut(&task) {
            Some((count, worst)) => {
                *count = count.saturating_add(sample.weight);
                // Samples come by their ends; the first one of equal length in the order of their starts counts.
                if Worst(sample, 0) < Worst(*worst, 0) {
                    *worst = sample;
                }
            }
            None if has_room => _ = self.by_task.insert(task, (sample.weight, sample)),
            None => {}
        }
    }

    fn tell_incomplete(&mut self, reason: IncompleteReason, more: i64) {
        let count = self.incomplete.entry(reason).or_default();
        *count = count.saturating_add(more);
    }

    /// What had not ended lost its end.
    fn cut_off(&mut self) {
        let without_end = self.incomplete.remove(&IncompleteReason::NoEnd).unwrap_or(0);
        if without_end > 0 {
            let lost = self.incomplete.entry(IncompleteReason::LostEvents).or_insert(0);
            *lost = lost.saturating_add(without_end);
        }
        self.lose_some();
    }

    /// Of a kind that occurs, at least one latency is lost.
    fn lose_some(&mut self) {
        if self.count > 0 {
            self.incomplete.entry(IncompleteReason::LostEvents).or_insert(1);
        }
    }

    fn write(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let code = self.kind.code;
        self.blocks.flush(writer)?;
        for (reason, count) in &self.incomplete {
            writer.row(&LATENCY_INCOMPLETE, |row| {
                row.int(code).text(reason.name().as_bytes()).int(*count);
            })?;
        }
        if self.count == 0 {
            return Ok(());
        }
        writer.row(&LATENCY_KIND, |row| {
            row.int(code).text(self.kind.name.as_bytes()).int(self.count);
            row.int(self.min_ns).int(self.max_ns).int(self.total_ns).ints(self.log2_counts.iter().copied());
        })?;
        for (rank, Worst(sample, _)) in (0_i32..).zip(&self.worst) {
            writer.row(&LATENCY_CASE, |row| {
                row.int(code).int(rank).int(sample.start_ns).int(sample.duration_ns).int(sample.cpu);
                row.optional_int(sample.start_cpu).optional_int(sample.task).optional_int(sample.symbol);
                row.int(sample.flags).optional_int(sample.sleep_ns);
                row.optional_int(sample.frequency_khz).optional_int(sample.idle_state).int(sample.weight);
            })?;
        }
        self.write_tasks(writer)
    }

    fn write_tasks(&self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let code = self.kind.code;
        let by_task: BTreeMap<_, _> = self.by_task.iter().collect();
        for (task, (count, sample)) in by_task {
            writer.row(&LATENCY_TASK, |row| {
                row.int(code).int(*task).int(*count).int(sample.start_ns).int(sample.duration_ns);
                row.int(sample.cpu).optional_int(sample.start_cpu).optional_int(sample.symbol);
                row.int(sample.flags).optional_int(sample.sleep_ns);
                row.optional_int(sample.frequency_khz).optional_int(sample.idle_state);
            })?;
        }
        Ok(())
    }
}

/// Why a slice is no sample; `None` where both of its ends are known.
fn incomplete_reason(flags: SliceFlags) -> Option<IncompleteReason> {
    [
        (SliceFlags::HAS_GAP, IncompleteReason::LostEvents),
        (SliceFlags::STARTED_BEFORE, IncompleteReason::NoStart),
        (SliceFlags::CUT_AT_END, IncompleteReason::NoEnd),
    ]
    .iter()
    .find(|(flag, _)| flags.has(*flag))
    .map(|(_, reason)| *reason)
}

fn is_root_call(slice: &Slice<'_>) -> bool {
    let is_call = SampleSource::RootCalls.slice_kind() == Some(slice.kind);
    is_call && slice.parent.is_none() && slice.flags.is_outermost(slice.depth)
}

fn row_of(sample: &Sample) -> StoredSample {
    StoredSample {
        start_ns: sample.start_ns,
        duration_ns: sample.duration_ns,
        cpu: narrow(sample.cpu),
        start_cpu: sample.start_cpu.filter(|cpu| *cpu != sample.cpu).map(narrow),
        task: sample.task.map(stored),
        symbol: sample.symbol.map(stored),
        flags: narrow(sample.flags.0),
        sleep_ns: sample.sleep_ns,
        frequency_khz: sample.frequency_khz.and_then(|khz| i32::try_from(khz).ok()),
        idle_state: sample.idle_state.and_then(|state| i16::try_from(state).ok()),
        weight: sample.weight,
    }
}

fn is_starting(sample: &StoredSample) -> bool {
    SampleFlags(sample.flags.cast_unsigned()).has(SampleFlags::STARTING)
}

fn row_of_slice(slice: &Slice<'_>) -> StoredSample {
    StoredSample {
        start_ns: slice.start_ns,
        duration_ns: slice.duration_ns,
        cpu: narrow(slice.cpu),
        start_cpu: None,
        task: slice.task.map(stored),
        symbol: slice.symbol.map(stored),
        flags: narrow(SampleFlags::of(slice.flags).0),
        sleep_ns: None,
        frequency_khz: None,
        idle_state: None,
        weight: 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::explain_file;

    /// A task is woken in one call and switched to in another one.
    fn count(time: [&str; 5]) -> usize {
        let lines = [
            "0)               |  vfs_read() {",
            "0)               |    /* sched_waking: comm=rt pid=9 prio=49 target_cpu=000 */",
            "0)   5.000 us    |  }",
            "0)               |  schedule() {",
            "0)               |    /* sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=49 */",
        ];
        let lines = time.iter().zip(lines).map(|(time, line)| format!("{time} {line}\n"));
        let text = format!("# tracer: function_graph\n#\n{}", lines.collect::<String>());
        let mut found = 0;
        explain_file(&text, "wakeup", |_, _, _| found += 1);
        found
    }

    #[test]
    fn durations_of_calls_do_not_say_how_long_it_is_from_one_to_another() {
        assert_eq!(count(["10.000001 |", "10.000003 |", "10.000006 |", "10.000020 |", "10.000021 |"]), 1);
        assert_eq!(count([""; 5]), 0);
    }
}
