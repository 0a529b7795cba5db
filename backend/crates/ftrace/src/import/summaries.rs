//! What all samples of a kind come to: what crosses traces reads these rows and no samples.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::analyses::{LatencyKind, Subject};
use crate::import::tasks::Tasks;
use crate::model::{Ns, ReadError};
use crate::store::sample_blocks::StoredSample;
use crate::store::tables::LATENCY_SUMMARY;
use crate::store::writer::TableWriter;

/// CPUs of a kind that are summed up apart, those that come first; as many tasks, keys, and so on.
const MAX_GROUPS: usize = 128;
/// Values of a group that are kept as they are; past as many, all are rounded down to cells.
const MAX_VALUES: usize = 2_048;
/// Values of all groups of a kind: 16 MB or so. Past as many, only the sum of all samples is left.
const MAX_VALUES_OF_KIND: usize = 1 << 19;
/// A cell is at most a 512th of its values wide.
const CELL_BITS: u32 = 10;

/// Which samples of a kind are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Of {
    All,
    Cpu(i16),
    Task(i32),
    Key(i32),
    /// Tasks that slept about as long, in nanoseconds with one significant digit.
    Sleep(i64),
    FrequencyKhz(i32),
    /// The idle state that the CPU had to leave; -1 where it was not idle.
    IdleState(i16),
}

impl Of {
    /// All that a sample is summed up under, beside all samples.
    fn groups(sample: &StoredSample) -> impl Iterator<Item = Self> {
        let StoredSample { cpu, task, symbol, sleep_ns, frequency_khz, idle_state, .. } = *sample;
        [
            Some(Self::Cpu(cpu)),
            task.map(Self::Task),
            symbol.map(Self::Key),
            sleep_ns.map(|slept| Self::Sleep(one_digit(slept.0))),
            frequency_khz.map(Self::FrequencyKhz),
            idle_state.map(Self::IdleState),
        ]
        .into_iter()
        .flatten()
    }

    /// Groups of one sort are counted together; `None` for all samples.
    fn sort(self) -> Option<usize> {
        match self {
            Self::All => None,
            Self::Cpu(_) => Some(0),
            Self::Task(_) => Some(1),
            Self::Key(_) => Some(2),
            Self::Sleep(_) => Some(3),
            Self::FrequencyKhz(_) => Some(4),
            Self::IdleState(_) => Some(5),
        }
    }

    /// `group_by` and `group_name` of its row; `None` for a task or key without a name.
    fn row_name(
        self,
        tasks: &Tasks,
        symbol: &dyn Fn(u32) -> Option<Vec<u8>>,
    ) -> Option<(&'static [u8], Vec<u8>)> {
        let index = |idx: i32| u32::try_from(idx).ok();
        Some(match self {
            Self::All => (b"all", Vec::new()),
            Self::Cpu(cpu) => (b"cpu", cpu.to_string().into_bytes()),
            Self::Task(task) => (b"task", tasks.comm(index(task)?)?.to_vec()),
            Self::Key(key) => (b"key", symbol(index(key)?)?),
            Self::Sleep(ns) => (b"sleep", in_whole_units(ns).into_bytes()),
            Self::FrequencyKhz(khz) => (b"frequency", format!("{} MHz", khz.div_euclid(1_000)).into_bytes()),
            Self::IdleState(state) if state < 0 => (b"idle_state", b"not idle".to_vec()),
            Self::IdleState(state) => (b"idle_state", format!("idle state {state}").into_bytes()),
        })
    }
}

/// A duration of one significant digit in its largest whole unit: `10 ms`.
fn in_whole_units(ns: i64) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")];
    let (size, unit) = units.into_iter().find(|(size, _)| ns >= *size).unwrap_or((1, "ns"));
    format!("{} {unit}", ns.div_euclid(size))
}

/// A duration with one significant digit: 9.6 ms and 10.4 ms are 10 ms.
fn one_digit(ns: i64) -> i64 {
    let ns = ns.max(0);
    let unit = 10_i64.saturating_pow(ns.checked_ilog10().unwrap_or(0));
    ns.saturating_add(unit.div_euclid(2)).div_euclid(unit).saturating_mul(unit)
}

/// The samples of one kind.
#[derive(Default)]
pub struct Summaries {
    groups: HashMap<Of, Summary>,
    group_counts: [usize; 6],
    value_count: usize,
    is_folded: bool,
}

#[derive(Clone, Debug)]
struct Summary {
    count: i64,
    total_ns: i128,
    /// `None` past 128 bits.
    squares: Option<i128>,
    min_ns: Ns,
    longest: StoredSample,
    values: HashMap<i64, i64>,
    is_exact: bool,
}

impl Summaries {
    /// Adds a sample to the sum of all, and to those of its groups while there is room.
    pub fn add(&mut self, sample: &StoredSample) {
        self.add_to(Of::All, sample);
        if self.is_folded {
            return;
        }
        for of in Of::groups(sample) {
            self.add_to(of, sample);
        }
        if self.value_count > MAX_VALUES_OF_KIND {
            self.is_folded = true;
            self.groups.retain(|of, _| *of == Of::All);
        }
    }

    fn add_to(&mut self, of: Of, sample: &StoredSample) {
        if let Some(summary) = self.groups.get_mut(&of) {
            let before = summary.values.len();
            summary.add(sample);
            self.value_count = self.value_count.saturating_add(summary.values.len()).saturating_sub(before);
            return;
        }
        if let Some(count) = of.sort().and_then(|sort| self.group_counts.get_mut(sort)) {
            if *count >= MAX_GROUPS {
                return;
            }
            *count = count.saturating_add(1);
        }
        self.value_count = self.value_count.saturating_add(1);
        self.groups.insert(of, Summary::new(sample));
    }

    /// Writes a row for all samples, and one for each name of a group.
    pub fn write(
        &self,
        kind: &'static LatencyKind,
        tasks: &Tasks,
        symbol: &dyn Fn(u32) -> Option<Vec<u8>>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let mut named: BTreeMap<(&'static [u8], Vec<u8>), Summary> = BTreeMap::new();
        for (of, summary) in &self.groups {
            let Some(name) = of.row_name(tasks, symbol) else { continue };
            named.entry(name).and_modify(|known| known.join(summary)).or_insert_with(|| summary.clone());
        }
        for ((by, name), summary) in &named {
            summary.write(kind, (by, name), tasks, symbol, writer)?;
        }
        Ok(())
    }
}

impl Summary {
    fn new(sample: &StoredSample) -> Self {
        let mut summary = Self {
            count: 0,
            total_ns: 0,
            squares: Some(0),
            min_ns: sample.duration_ns,
            longest: *sample,
            values: HashMap::new(),
            is_exact: true,
        };
        summary.add(sample);
        summary
    }

    fn add(&mut self, sample: &StoredSample) {
        let StoredSample { duration_ns, weight, .. } = *sample;
        let (value, times) = (i128::from(duration_ns.0), i128::from(weight));
        self.count = self.count.saturating_add(weight);
        self.total_ns = self.total_ns.saturating_add(value.saturating_mul(times));
        let square = value.checked_mul(value).and_then(|square| square.checked_mul(times));
        self.squares = self.squares.and_then(|squares| squares.checked_add(square?));
        self.min_ns = self.min_ns.min(duration_ns);
        self.take_longest(sample);
        self.count_value(duration_ns.0, weight);
    }

    fn join(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
        self.squares = self.squares.and_then(|squares| squares.checked_add(other.squares?));
        self.min_ns = self.min_ns.min(other.min_ns);
        self.take_longest(&other.longest);
        if !other.is_exact {
            self.round();
        }
        other.values.iter().for_each(|(value, count)| self.count_value(*value, *count));
    }

    /// Of equally long ones, the earliest.
    fn take_longest(&mut self, sample: &StoredSample) {
        let is_longer = sample.duration_ns > self.longest.duration_ns
            || sample.duration_ns == self.longest.duration_ns && sample.start_ns < self.longest.start_ns;
        if is_longer {
            self.longest = *sample;
        }
    }

    fn count_value(&mut self, value: i64, weight: i64) {
        let value = if self.is_exact { value } else { cell_start(value) };
        let count = self.values.entry(value).or_default();
        *count = count.saturating_add(weight);
        if self.is_exact && self.values.len() > MAX_VALUES {
            self.round();
        }
    }

    fn round(&mut self) {
        self.is_exact = false;
        for (value, count) in std::mem::take(&mut self.values) {
            let sum = self.values.entry(cell_start(value)).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    fn write(
        &self,
        kind: &'static LatencyKind,
        (by, name): (&[u8], &[u8]),
        tasks: &Tasks,
        symbol: &dyn Fn(u32) -> Option<Vec<u8>>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let StoredSample { duration_ns, start_ns, cpu, task, symbol: key, .. } = self.longest;
        let pid = task.and_then(|task| tasks.pid(u32::try_from(task).ok()?)).filter(|pid| *pid != 0);
        let owner = match pid.filter(|_| kind.subject == Subject::Task) {
            Some(pid) => pid.to_string(),
            None => format!("cpu{cpu}"),
        };
        let key = key.and_then(|key| symbol(u32::try_from(key).ok()?));
        let values: BTreeMap<i64, i64> = self.values.iter().map(|(value, count)| (*value, *count)).collect();
        writer.row(&LATENCY_SUMMARY, |row| {
            row.int(kind.code).text(by).text(name).int(self.count).text(self.total_ns.to_string().as_bytes());
            row.optional_text(self.squares.map(|squares| squares.to_string()).as_deref().map(str::as_bytes));
            row.int(self.min_ns).int(duration_ns).int(start_ns).text(owner.as_bytes());
            row.optional_text(key.as_deref()).int(i16::from(self.is_exact));
            row.ints(values.keys().copied()).ints(values.values().copied());
        })
    }
}

/// The smallest value of the cell that holds a value: of all its bits, the first ten are kept.
fn cell_start(value: i64) -> i64 {
    let bits = i64::BITS.saturating_sub(value.unsigned_abs().leading_zeros());
    let shift = bits.saturating_sub(CELL_BITS);
    value >> shift << shift
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;
    use crate::import::testing::import_lines;

    /// One line a row.
    fn check(lines: &str, expected: Expect) {
        let (written, _) = import_lines(lines);
        let rows = written.rows(&LATENCY_SUMMARY, |row| {
            let kind: i16 = row.int("kind").unwrap();
            let (by, name) = (row.text("group_by").unwrap().to_owned(), row.text("group_name").unwrap().to_owned());
            let count: i64 = row.int("count").unwrap();
            let total = row.text("total_ns").unwrap().to_owned();
            let squares = row.optional_text("squares").unwrap().unwrap_or("none").to_owned();
            let (min_ns, max_ns): (i64, i64) = (row.int("min_ns").unwrap(), row.int("max_ns").unwrap());
            let start_ns: i64 = row.int("max_start_ns").unwrap();
            let owner = row.text("max_owner").unwrap().to_owned();
            row.skip("max_key").unwrap();
            let is_exact: i16 = row.int("is_exact").unwrap();
            let values: Vec<i64> = row.ints("value_ns").unwrap();
            let counts: Vec<i64> = row.ints("value_count").unwrap();
            format!(
                "{kind} {by} {name}: {count} {total} {squares} {min_ns} {max_ns} {owner}@{start_ns} {is_exact} {values:?} {counts:?}\n"
            )
        });
        let of_wakeups = rows.into_iter().filter(|row| row.starts_with("3 "));
        expected.assert_eq(&of_wakeups.collect::<String>());
    }

    #[test]
    fn all_cpus_and_tasks_by_name() {
        check(
            "
            <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            <idle>-0 [0] 1.000030: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=9 next_prio=1
            rt-9     [0] 1.000040: sched_switch: prev_comm=rt prev_pid=9 prev_prio=1 prev_state=S ==> next_comm=x next_pid=0 next_prio=1
            <idle>-0 [1] 1.000100: sched_waking: comm=rt pid=8 prio=89 target_cpu=001
            <idle>-0 [1] 1.000150: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=8 next_prio=1
            ",
            expect![[r#"
                3 all : 2 80000 3400000000 30000 50000 8@100000 1 [30000, 50000] [1, 1]
                3 cpu 0: 1 30000 900000000 30000 30000 9@0 1 [30000] [1]
                3 cpu 1: 1 50000 2500000000 50000 50000 8@100000 1 [50000] [1]
                3 task rt: 2 80000 3400000000 30000 50000 8@100000 1 [30000, 50000] [1, 1]
            "#]],
        );
    }

    #[test]
    fn how_long_a_task_slept_and_what_its_cpu_had_to_leave() {
        check(
            "
            <idle>-0 [0] 0.000000: cpu_frequency: state=1200000 cpu_id=0
            rt-9     [0] 0.000100: sched_switch: prev_comm=rt prev_pid=9 prev_prio=1 prev_state=S ==> next_comm=x next_pid=0 next_prio=1
            <idle>-0 [0] 0.000110: cpu_idle: state=2 cpu_id=0
            <idle>-0 [1] 0.010000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            <idle>-0 [0] 0.010010: cpu_idle: state=4294967295 cpu_id=0
            <idle>-0 [0] 0.010030: sched_switch: prev_comm=x prev_pid=0 prev_prio=1 prev_state=R ==> next_comm=rt next_pid=9 next_prio=1
            ",
            expect![[r#"
                3 all : 1 30000 900000000 30000 30000 9@10000000 1 [30000] [1]
                3 cpu 0: 1 30000 900000000 30000 30000 9@10000000 1 [30000] [1]
                3 frequency 1200 MHz: 1 30000 900000000 30000 30000 9@10000000 1 [30000] [1]
                3 idle_state idle state 2: 1 30000 900000000 30000 30000 9@10000000 1 [30000] [1]
                3 sleep 10 ms: 1 30000 900000000 30000 30000 9@10000000 1 [30000] [1]
                3 task rt: 1 30000 900000000 30000 30000 9@10000000 1 [30000] [1]
            "#]],
        );
    }

    proptest! {
        #[test]
        fn a_rounded_duration_has_one_digit_and_is_near(ns in 1_i64..1_000_000_000_000) {
            let rounded = one_digit(ns);
            let digits = rounded.to_string();
            prop_assert_eq!(digits.trim_end_matches('0').len(), 1, "{}", digits);
            prop_assert!((rounded - ns).abs() * 2 <= ns.max(rounded), "{} for {}", rounded, ns);
        }

        #[test]
        fn a_cell_is_a_512th_of_its_values(value in 0_i64..i64::MAX) {
            let start = cell_start(value);
            prop_assert!(start <= value && value - start <= value / 512);
            prop_assert_eq!(cell_start(start), start);
        }

        /// However samples are split, their summaries add up to that of all.
        #[test]
        fn summaries_merge(
            samples in proptest::collection::vec((0_i64..1 << 40, 1_i64..5), 2..4_000), cut in 0.1_f64..0.9,
        ) {
            let sample = |(at, (duration_ns, weight)): (usize, &(i64, i64))| StoredSample {
                start_ns: Ns(i64::try_from(at).unwrap()),
                duration_ns: Ns(*duration_ns),
                cpu: 0,
                start_cpu: None,
                task: None,
                symbol: None,
                flags: 0,
                sleep_ns: None,
                frequency_khz: None,
                idle_state: None,
                weight: *weight,
            };
            let samples: Vec<StoredSample> = samples.iter().enumerate().map(sample).collect();
            let summary = |samples: &[StoredSample]| {
                let mut summary = Summary::new(&samples[0]);
                samples[1..].iter().for_each(|sample| summary.add(sample));
                summary
            };
            let cut = ((samples.len() as f64 * cut) as usize).max(1);
            let (mut merged, whole) = (summary(&samples[..cut]), summary(&samples));
            merged.join(&summary(&samples[cut..]));
            prop_assert_eq!(merged.count, whole.count);
            prop_assert_eq!(merged.total_ns, whole.total_ns);
            prop_assert_eq!(merged.squares, whole.squares);
            prop_assert_eq!(merged.longest, whole.longest);
            prop_assert_eq!(merged.is_exact, whole.is_exact);
            prop_assert_eq!(merged.values, whole.values);
        }
    }
}
