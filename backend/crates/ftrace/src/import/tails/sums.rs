//! Sums of shares of samples: by kind, task, cell of their duration, cause and mechanism.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use super::super::stored;
use super::holder::{Name, Named};
use super::mechanism::Mechanism;
use super::stages::Stage;
use crate::analyses::{Cause, LatencyKind};
use crate::explain::FIRST_FAIR_PRIO;
use crate::explain::stages::Mark;
use crate::import::tasks::Tasks;
use crate::model::{Ns, ReadError};
use crate::rollup::quantiles::cell_of;
use crate::store::tables::{LATENCY_TAIL, LATENCY_TAIL_PART};
use crate::store::writer::TableWriter;

/// Tasks of a kind that are summed up apart while samples come in; the others are one for each class.
const MAX_TASKS: usize = 128;
/// Tasks of a kind that are written apart; the others are one for each class of priorities.
const TASKS_WRITTEN: usize = 32;
/// Sums of a kind in memory. Past this many, tasks are summed up by class; past as many again, new causes are one.
const MAX_SUMS: usize = 1 << 19;
/// Causes of a kind and a task that are written apart, those with the most time; the others are one.
const CAUSES_WRITTEN: usize = 40;

/// What one cause has of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    key: Key,
    pub duration_ns: i64,
}

/// What shares are added up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    /// `None` for what is too much to be kept apart.
    cause: Option<Cause>,
    name: Name,
    mechanism: Mechanism,
}

impl Share {
    /// In a case with an own task, and a cause of what is not recorded; `waits` is the priority of the task that
    /// waited for a CPU meanwhile.
    pub fn of(
        Named { holder, name }: Named,
        duration_ns: i64,
        (own_task, unrecorded): (Option<u32>, Cause),
        waits: Option<Option<i16>>,
    ) -> Self {
        let is_own = holder.cause == Cause::Task && own_task.is_some() && holder.task == own_task;
        let (cause, name) = match holder.cause {
            _ if is_own => (Cause::Itself, Name::None),
            Cause::Unknown => (unrecorded, Name::None),
            cause => (cause, name),
        };
        let mechanism = Mechanism::of(cause, holder.prio, waits);
        Self { key: Key { cause: Some(cause), name, mechanism }, duration_ns }
    }

    /// Time of which nothing was recorded.
    pub fn unknown(duration_ns: i64) -> Self {
        let key = Key { cause: Some(Cause::Unknown), name: Name::None, mechanism: Mechanism::Unknown };
        Self { key, duration_ns }
    }

    /// Of a task beyond the number that is counted separately.
    pub fn other(duration_ns: i64) -> Self {
        let key = Key { cause: None, name: Name::None, mechanism: Mechanism::Unknown };
        Self { key, duration_ns }
    }
}

/// Makes one of all shares of the same cause.
pub fn merge(shares: &mut Vec<Share>) {
    shares.sort_unstable_by_key(|share| share.key);
    shares.dedup_by(|later, first| {
        let is_same = later.key == first.key;
        if is_same {
            first.duration_ns = first.duration_ns.saturating_add(later.duration_ns);
        }
        is_same
    });
}

/// Whose samples are added up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Of {
    Task(u32),
    /// Tasks whose priorities have this first number of their class.
    Class(i16),
    /// No task is known, or none is asked for.
    All,
}

/// The samples of one cell.
#[derive(Clone, Copy, Debug)]
struct Count {
    count: i64,
    total_ns: i64,
    min_ns: i64,
    max_ns: i64,
}

type Cells<T> = BTreeMap<u16, T>;

/// What is written as one row of counts and some rows of shares.
#[derive(Default)]
struct Profile {
    counts: Cells<Count>,
    shares: BTreeMap<Key, Cells<i64>>,
    stages: BTreeMap<(Mark, Mark), Cells<i64>>,
}

#[derive(Default)]
struct OfKind {
    /// Those that are summed up apart.
    tasks: HashSet<u32>,
    is_by_class: bool,
    counts: HashMap<(Of, u16), Count>,
    shares: HashMap<(Of, u16, Key), i64>,
    stages: HashMap<(Of, u16, (Mark, Mark)), i64>,
}

#[derive(Default)]
pub struct Sums {
    kinds: BTreeMap<i16, OfKind>,
}

impl Sums {
    /// Adds a sample; `task` is whose it is, where a kind is about tasks.
    pub fn add(
        &mut self,
        (kind, task): (&'static LatencyKind, Option<u32>),
        duration_ns: i64,
        shares: &[Share],
        stages: &[Stage],
        tasks: &Tasks,
    ) {
        let of_kind = self.kinds.entry(kind.code).or_default();
        let of = task.map_or(Of::All, |task| of_kind.of_task(task, tasks));
        of_kind.add((of, cell_of(Ns(duration_ns))), duration_ns, shares, stages);
        if !of_kind.is_by_class && of_kind.size() >= MAX_SUMS {
            of_kind.sum_up_by_class(tasks);
        }
    }

    /// Writes the profiles of all kinds: of all samples, and of each task or, where these are too many, each
    /// priority class.
    pub fn write(
        self,
        tasks: &Tasks,
        symbol: impl Fn(u32) -> Option<Vec<u8>>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        for (kind, of_kind) in self.kinds {
            for (number, (of, profile)) in (0_i32..).zip(of_kind.profiles(tasks)) {
                let (task, prio) = match of {
                    Of::Task(task) => (Some(stored(task)), tasks.usual_prio(task)),
                    Of::Class(prio) => (None, Some(prio)),
                    Of::All => (None, None),
                };
                profile.write((kind, number), (task, prio), tasks, &symbol, writer)?;
            }
        }
        Ok(())
    }
}

impl OfKind {
    fn of_task(&mut self, task: u32, tasks: &Tasks) -> Of {
        let is_apart = !self.is_by_class && (self.tasks.len() < MAX_TASKS || self.tasks.contains(&task));
        if is_apart {
            self.tasks.insert(task);
            return Of::Task(task);
        }
        of_class(task, tasks)
    }

    fn add(&mut self, (of, cell): (Of, u16), duration_ns: i64, shares: &[Share], stages: &[Stage]) {
        let one = Count { count: 1, total_ns: duration_ns, min_ns: duration_ns, max_ns: duration_ns };
        self.counts.entry((of, cell)).and_modify(|known| known.add(&one)).or_insert(one);
        let is_full = self.shares.len() >= MAX_SUMS;
        for share in shares {
            let key = (of, cell, share.key);
            let is_known = !is_full || self.shares.contains_key(&key);
            let key = if is_known { key } else { (of, cell, share.key.rest()) };
            add_to(self.shares.entry(key).or_default(), share.duration_ns);
        }
        for (from, to, stage_ns) in stages {
            add_to(self.stages.entry((of, cell, (*from, *to))).or_default(), *stage_ns);
        }
    }

    fn size(&self) -> usize {
        self.counts.len().saturating_add(self.shares.len()).saturating_add(self.stages.len())
    }

    /// No task is apart any more.
    fn sum_up_by_class(&mut self, tasks: &Tasks) {
        self.is_by_class = true;
        self.tasks.clear();
        let class = |of: Of| match of {
            Of::Task(task) => of_class(task, tasks),
            of => of,
        };
        for ((of, cell), count) in std::mem::take(&mut self.counts) {
            self.counts.entry((class(of), cell)).and_modify(|known| known.add(&count)).or_insert(count);
        }
        for ((of, cell, key), duration_ns) in std::mem::take(&mut self.shares) {
            add_to(self.shares.entry((class(of), cell, key)).or_default(), duration_ns);
        }
        for ((of, cell, stage), duration_ns) in std::mem::take(&mut self.stages) {
            add_to(self.stages.entry((class(of), cell, stage)).or_default(), duration_ns);
        }
    }

    /// The tasks with the highest class and then the most samples apart, and the others by class.
    fn profiles(self, tasks: &Tasks) -> BTreeMap<Of, Profile> {
        let mut counts: HashMap<u32, i64> = HashMap::new();
        for ((of, _), count) in &self.counts {
            if let Of::Task(task) = of {
                add_to(counts.entry(*task).or_default(), count.count);
            }
        }
        let mut apart: Vec<(u32, i64)> = counts.into_iter().collect();
        apart.sort_unstable_by_key(|(task, count)| {
            (tasks.usual_prio(*task).map_or(i16::MAX, first_of_class), Reverse(*count), *task)
        });
        apart.truncate(TASKS_WRITTEN);
        let written = |of: Of| match of {
            Of::Task(task) if !apart.iter().any(|(kept, _)| *kept == task) => of_class(task, tasks),
            of => of,
        };
        let mut profiles: BTreeMap<Of, Profile> = BTreeMap::new();
        for ((of, cell), count) in self.counts {
            let counts = &mut profiles.entry(written(of)).or_default().counts;
            counts.entry(cell).and_modify(|known| known.add(&count)).or_insert(count);
        }
        for ((of, cell, key), duration_ns) in self.shares {
            let shares = &mut profiles.entry(written(of)).or_default().shares;
            add_to(shares.entry(key).or_default().entry(cell).or_default(), duration_ns);
        }
        for ((of, cell, key), duration_ns) in self.stages {
            let stages = &mut profiles.entry(written(of)).or_default().stages;
            add_to(stages.entry(key).or_default().entry(cell).or_default(), duration_ns);
        }
        profiles.values_mut().for_each(Profile::fold);
        profiles
    }
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }
}

impl Key {
    /// What it is when there are too many.
    fn rest(self) -> Self {
        Self { cause: None, name: Name::None, ..self }
    }
}

impl Profile {
    /// Leaves the causes with the most time, and one for the rest of each mechanism.
    fn fold(&mut self) {
        let total_ns = |cells: &Cells<i64>| cells.values().fold(0_i64, |sum, ns| sum.saturating_add(*ns));
        let mut keys: Vec<(i64, Key)> =
            self.shares.iter().map(|(key, cells)| (total_ns(cells), *key)).collect();
        keys.sort_unstable_by_key(|(total_ns, key)| (Reverse(*total_ns), *key));
        for (_, key) in keys.into_iter().skip(CAUSES_WRITTEN) {
            let Some(cells) = self.shares.remove(&key) else { continue };
            let rest = self.shares.entry(key.rest()).or_default();
            for (cell, duration_ns) in cells {
                add_to(rest.entry(cell).or_default(), duration_ns);
            }
        }
    }

    fn write(
        &self,
        (kind, number): (i16, i32),
        (task, prio): (Option<i32>, Option<i16>),
        tasks: &Tasks,
        symbol: impl Fn(u32) -> Option<Vec<u8>>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let counts = || self.counts.values();
        writer.row(&LATENCY_TAIL, |row| {
            row.int(kind).int(number).optional_int(task).optional_int(prio);
            row.ints(self.counts.keys().map(|cell| cell.cast_signed()));
            row.ints(counts().map(|count| count.count)).ints(counts().map(|count| count.total_ns));
            row.ints(counts().map(|count| count.min_ns)).ints(counts().map(|count| count.max_ns));
        })?;
        for (part, (key, cells)) in (0_i32..).zip(&self.shares) {
            let name = match key.name {
                Name::Task(task) => tasks.comm(task).map(<[u8]>::to_vec),
                Name::Symbol(idx) => symbol(idx).map(|name| without_noise_prefix(key.cause, &name).to_vec()),
                Name::None => None,
            };
            writer.row(&LATENCY_TAIL_PART, |row| {
                row.int(kind).int(number).int(part);
                row.optional_text(Some(key.cause.map_or("other", Cause::name).as_bytes()));
                row.optional_text(name.as_deref()).optional_text(Some(key.mechanism.name().as_bytes()));
                row.optional_text(None).optional_text(None);
                row.ints(cells.keys().map(|cell| cell.cast_signed())).ints(cells.values().copied());
            })?;
        }
        let first_stage = i32::try_from(self.shares.len()).unwrap_or(i32::MAX);
        for (part, ((from, to), cells)) in (first_stage..).zip(&self.stages) {
            writer.row(&LATENCY_TAIL_PART, |row| {
                row.int(kind).int(number).int(part);
                row.optional_text(None).optional_text(None).optional_text(None);
                row.optional_text(Some(from.name().as_bytes())).optional_text(Some(to.name().as_bytes()));
                row.ints(cells.keys().map(|cell| cell.cast_signed())).ints(cells.values().copied());
            })?;
        }
        Ok(())
    }
}

fn add_to(sum: &mut i64, more: i64) {
    *sum = sum.saturating_add(more);
}

fn of_class(task: u32, tasks: &Tasks) -> Of {
    tasks.usual_prio(task).map_or(Of::All, |prio| Of::Class(first_of_class(prio)))
}

/// The first number of the class of a priority: deadline, real-time, fair.
fn first_of_class(prio: i16) -> i16 {
    match prio {
        ..0 => -1,
        _ if i32::from(prio) < FIRST_FAIR_PRIO => 0,
        _ => i16::try_from(FIRST_FAIR_PRIO).unwrap_or(i16::MAX),
    }
}

// A tracer's noise `irq local_timer:236` names the interrupt `local_timer:236`.
fn without_noise_prefix(cause: Option<Cause>, name: &[u8]) -> &[u8] {
    let prefix: &[u8] = match cause {
        Some(Cause::Irq) => b"irq ",
        Some(Cause::Softirq) => b"softirq ",
        _ => b"",
    };
    name.strip_prefix(prefix).unwrap_or(name)
}
