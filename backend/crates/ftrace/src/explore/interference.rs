//! What takes the time of each CPU, and from which task: sums over the whole trace.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::protocol::{Answer, Stored};
use super::{answer_json, kind};
use crate::analyses::{Cause, SliceKind};
use crate::explain::is_listed;
use crate::rollup::{TICK, TIMER_INTERRUPT, UNSEEN_RUN};
use crate::store::decode::DecodeError;
use crate::store::read::dictionaries::{self, Dictionary, Symbol, Task};
use crate::store::read::read_rows;
use crate::store::tables;

/// Causes of one CPU or task, and tasks: the rest is left out where there are more.
const MAX_LISTED: usize = 100;

/// One stored row, its indices as they are stored.
struct Row {
    cpu: i16,
    victim: Option<i32>,
    cause: i16,
    symbol: Option<i32>,
    task: Option<i32>,
    sum: Sum,
}

impl Row {
    /// True for what a task did not get of the time that it was switched in for, whatever took it.
    fn is_taken_in_all(&self) -> bool {
        self.cause == SliceKind::Sched.code() && self.victim.is_some()
    }

    /// The task that was switched in for this time.
    fn switched_in(&self) -> Option<i32> {
        self.task.or(self.victim).filter(|_| self.cause == SliceKind::Sched.code())
    }
}

#[derive(Clone, Copy)]
struct Sum {
    count: i64,
    total_ns: i64,
    max_ns: i64,
    max_t: i64,
    first_t: i64,
    last_t: i64,
}

impl Sum {
    fn with(self, other: Self) -> Self {
        // Of equally long ones, the earlier wins.
        let (Reverse(max_ns), max_t) =
            (Reverse(self.max_ns), self.max_t).min((Reverse(other.max_ns), other.max_t));
        Self {
            count: self.count.saturating_add(other.count),
            total_ns: self.total_ns.saturating_add(other.total_ns),
            max_ns,
            max_t,
            first_t: self.first_t.min(other.first_t),
            last_t: self.last_t.max(other.last_t),
        }
    }

    /// From one to the next on average; `None` for a single one.
    fn period_ns(self) -> Option<i64> {
        let steps = self.count.checked_sub(1).filter(|steps| *steps > 0)?;
        self.last_t.saturating_sub(self.first_t).checked_div(steps)
    }
}

/// What took time: a kind of slices, and which: a symbol, or a task that ran.
type CauseKey = (i16, Option<i32>, Option<i32>);

type Causes = BTreeMap<CauseKey, Sum>;

#[derive(Serialize)]
struct Interference {
    cpus: Vec<CpuTime>,
    tasks: Vec<TaskTime>,
    ticks: Vec<Ticks>,
}

#[derive(Serialize)]
struct CpuTime {
    cpu: i16,
    is_isolated: bool,
    span_ns: i64,
    /// How long tasks ran that are not idle; `None` where no switches were recorded.
    busy_ns: Option<i64>,
    by: Vec<CauseTime>,
}

#[derive(Serialize)]
struct TaskTime {
    pid: Option<i32>,
    comm: String,
    /// `None` where no switch to it was recorded.
    ran_ns: Option<i64>,
    by: Vec<CauseTime>,
}

#[derive(Serialize)]
struct CauseTime {
    cause: &'static str,
    what: Option<String>,
    pid: Option<i32>,
    count: i64,
    total_ns: i64,
    /// Of the CPU's span, or of the time that the task ran, where that is known.
    share: Option<f64>,
    max_ns: i64,
    max_t: i64,
    period_ns: Option<i64>,
}

#[derive(Serialize)]
struct Ticks {
    cpu: i16,
    /// False where every interrupt of the CPU's own timer counts, because no handler shows which are ticks.
    is_handler_known: bool,
    count: i64,
    mean_ns: i64,
    max_ns: i64,
    period_ns: Option<i64>,
    /// Ticks in a thousand seconds.
    rate_hz_milli: Option<i64>,
    share: f64,
}

struct Names<'d, 'a> {
    tasks: &'d Dictionary<Task<'a>>,
    symbols: &'d Dictionary<Symbol<'a>>,
}

/// GET interference: what takes the time of CPUs and tasks.
pub async fn interference(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let [interference, task, symbol] =
        stored.whole([&tables::INTERFERENCE, &tables::TASK, &tables::SYMBOL]).await;
    let cpus: Vec<i16> = params.ints("cpu")?;
    let pids: Vec<i32> = params.ints("pid")?;
    let isolated = stored.isolated().await;
    let span_ns = params.window()?.length_ns().saturating_sub(1).max(1);
    let tasks = dictionaries::read_tasks(&task)?;
    let symbols = dictionaries::read_symbols(&symbol)?;
    let names = Names { tasks: &tasks, symbols: &symbols };
    let mut rows = read(&interference)?;
    rows.retain(|row| cpus.is_empty() || cpus.contains(&row.cpu));
    let ticks = ticks(&rows, span_ns);
    rows.retain(|row| ![TICK, TIMER_INTERRUPT].contains(&row.cause));
    let mut by_cpu: BTreeMap<i16, Causes> = BTreeMap::new();
    let mut busy: BTreeMap<i16, i64> = BTreeMap::new();
    for row in &rows {
        if row.cause == SliceKind::Sched.code() {
            let busy_ns = busy.entry(row.cpu).or_default();
            *busy_ns = busy_ns.saturating_add(row.sum.total_ns);
        }
        if !row.is_taken_in_all() {
            add(by_cpu.entry(row.cpu).or_default(), (row.cause, row.symbol, row.task), row.sum);
        }
    }
    let cpu_times = by_cpu.iter().map(|(cpu, causes)| CpuTime {
        cpu: *cpu,
        is_isolated: is_listed(*cpu, &isolated),
        span_ns,
        busy_ns: busy.get(cpu).copied(),
        by: names.list(causes, Some(span_ns)),
    });
    answer_json(&Interference { cpus: cpu_times.collect(), ticks, tasks: names.task_times(&rows, &pids) })
}

fn read(interference: &[u8]) -> Result<Vec<Row>, DecodeError> {
    read_rows(&tables::INTERFERENCE, interference, |row| {
        row.skip("trace_key")?;
        row.skip("idx")?;
        Ok(Row {
            cpu: row.int("cpu")?,
            victim: row.optional_int("victim")?,
            cause: row.int("cause")?,
            symbol: row.optional_int("symbol")?,
            task: row.optional_int("task")?,
            sum: Sum {
                count: row.int("count")?,
                total_ns: row.int("total_ns")?,
                max_ns: row.int("max_ns")?,
                max_t: row.int("max_start_ns")?,
                first_t: row.int("first_start_ns")?,
                last_t: row.int("last_start_ns")?,
            },
        })
    })
}

fn add(causes: &mut Causes, key: CauseKey, sum: Sum) {
    causes.entry(key).and_modify(|known| *known = known.with(sum)).or_insert(sum);
}

/// Public name of what took time.
fn cause_name(cause: i16) -> &'static str {
    match cause {
        UNSEEN_RUN => Cause::Unknown.name(),
        cause if cause == SliceKind::Sched.code() => Cause::Task.name(),
        cause => kind::name(cause),
    }
}

/// `total / whole` with nine digits, worked out from integers.
fn share(total_ns: i64, whole_ns: i64) -> f64 {
    let billionths = i128::from(total_ns).saturating_mul(1_000_000_000);
    let billionths = billionths.checked_div(i128::from(whole_ns)).and_then(|share| i32::try_from(share).ok());
    f64::from(billionths.unwrap_or(i32::MAX)) / 1e9
}

impl Names<'_, '_> {
    fn is_idle(&self, task: Option<i32>) -> bool {
        task.and_then(|idx| self.tasks.get(idx)).is_some_and(|task| task.pid == Some(0))
    }

    /// What took the most time first.
    fn list(&self, causes: &Causes, whole_ns: Option<i64>) -> Vec<CauseTime> {
        // A tracer's word of the idle task; that task has no slices of its own.
        let is_work = |key: &CauseKey| !self.is_idle(key.2);
        let mut sorted: Vec<(&CauseKey, &Sum)> = causes.iter().filter(|(key, _)| is_work(key)).collect();
        sorted.sort_by_key(|(key, sum)| (Reverse(sum.total_ns), **key));
        sorted.into_iter().take(MAX_LISTED).map(|(key, sum)| self.cause_time(*key, *sum, whole_ns)).collect()
    }

    fn cause_time(&self, (cause, symbol, task): CauseKey, sum: Sum, whole_ns: Option<i64>) -> CauseTime {
        let task = task.and_then(|idx| self.tasks.get(idx));
        let symbol = symbol.and_then(|idx| self.symbols.get(idx));
        CauseTime {
            cause: cause_name(cause),
            what: symbol.map(Symbol::display).or_else(|| task.map(|task| task.comm.to_owned())),
            pid: task.and_then(|task| task.pid),
            count: sum.count,
            total_ns: sum.total_ns,
            share: whole_ns.map(|whole_ns| share(sum.total_ns, whole_ns)),
            max_ns: sum.max_ns,
            max_t: sum.max_t,
            period_ns: sum.period_ns(),
        }
    }

    /// Tasks by how much was taken from them, and by what.
    fn task_times(&self, rows: &[Row], pids: &[i32]) -> Vec<TaskTime> {
        let mut ran: BTreeMap<i32, i64> = BTreeMap::new();
        let mut taken: BTreeMap<i32, Causes> = BTreeMap::new();
        for row in rows {
            if let Some(task) = row.switched_in() {
                let ran_ns = ran.entry(task).or_default();
                *ran_ns = ran_ns.saturating_add(row.sum.total_ns);
            }
            if let Some(victim) = row.victim.filter(|_| !row.is_taken_in_all()) {
                add(taken.entry(victim).or_default(), (row.cause, row.symbol, None), row.sum);
            }
        }
        let is_wanted = |task: &Task<'_>| {
            task.pid != Some(0) && (pids.is_empty() || task.pid.is_some_and(|pid| pids.contains(&pid)))
        };
        let taken_ns =
            |causes: &Causes| causes.values().fold(0_i64, |all, sum| all.saturating_add(sum.total_ns));
        let mut tasks: Vec<(i64, i32, &Task<'_>, Causes)> = taken
            .into_iter()
            .filter_map(|(idx, causes)| {
                let task = self.tasks.get(idx).filter(|task| is_wanted(task))?;
                Some((taken_ns(&causes), idx, task, causes))
            })
            .collect();
        tasks.sort_by_key(|(taken_ns, idx, ..)| (Reverse(*taken_ns), *idx));
        let time = |(_, idx, task, causes): (i64, i32, &Task<'_>, Causes)| {
            let ran_ns = ran.get(&idx).copied();
            // Where switches were lost, it was interrupted in time that it is not known to have run in.
            let by = self.list(&causes, ran_ns.map(|ran_ns| ran_ns.max(taken_ns(&causes)).max(1)));
            TaskTime { pid: task.pid, comm: task.comm.to_owned(), ran_ns, by }
        };
        tasks.into_iter().take(MAX_LISTED).map(time).collect()
    }
}

/// What the ticks of each CPU cost; its timer's interrupts, where none is known to be a tick.
fn ticks(rows: &[Row], span_ns: i64) -> Vec<Ticks> {
    let of = |cause: i16| rows.iter().filter(move |row| row.cause == cause);
    let unknown = of(TIMER_INTERRUPT).filter(|row| !of(TICK).any(|tick| tick.cpu == row.cpu));
    let mut ticks: Vec<Ticks> = of(TICK).chain(unknown).filter_map(|row| Ticks::of(row, span_ns)).collect();
    ticks.sort_by_key(|ticks| ticks.cpu);
    ticks
}

impl Ticks {
    fn of(row: &Row, span_ns: i64) -> Option<Self> {
        let sum = row.sum;
        let steps = sum.count.saturating_sub(1);
        let rate = i128::from(steps).saturating_mul(1_000_000_000_000);
        Some(Self {
            cpu: row.cpu,
            is_handler_known: row.cause == TICK,
            count: sum.count,
            mean_ns: sum.total_ns.checked_div(sum.count)?,
            max_ns: sum.max_ns,
            period_ns: sum.period_ns(),
            rate_hz_milli: rate
                .checked_div(i128::from(sum.last_t.saturating_sub(sum.first_t)))
                .and_then(|rate| i64::try_from(rate).ok()),
            share: share(sum.total_ns, span_ns),
        })
    }
}
