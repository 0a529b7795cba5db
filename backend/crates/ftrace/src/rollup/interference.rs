//! What takes the time of each CPU: sums over the whole trace, one for each source.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::claims::{Claimant, Claims};
use crate::analyses::{Cause, Slice, SliceFlags, SliceKind};
use crate::model::{Ns, ReadError};
use crate::store::tables::INTERFERENCE;
use crate::store::writer::TableWriter;

/// Past this many sources, the others are one for each CPU and kind.
const MAX_SOURCES: usize = 1 << 16;
/// The number of slices, on all CPUs together, that may wait for what might still hide them.
const MAX_UNSETTLED: usize = 1 << 14;
/// A CPU has room for some, however many CPUs there are.
const MIN_UNSETTLED: usize = 16;

/// What stands for a cause in the rows of ticks, which are interrupts, and so among their causes, too.
pub const TICK: i16 = 0;
/// The same for the interrupts of a CPU's own timer where no handler shows which of them are ticks.
pub const TIMER_INTERRUPT: i16 = -1;
/// The same for time in which a task ran that nobody knows: switches are missing.
pub const UNSEEN_RUN: i16 = -2;

/// Sums of slices by source. Every nanosecond of a CPU counts once.
#[derive(Default)]
pub struct Interference {
    sums: Sums,
    cpus: HashMap<u16, Claims>,
    ticks: BTreeMap<(u16, i16), Sum>,
}

#[derive(Default)]
struct Sums {
    places: HashMap<Source, usize>,
    sums: Vec<(Source, Sum)>,
}

/// What took the time, and whose it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Source {
    cpu: u16,
    /// The stored number of the kind of slices, or [`UNSEEN_RUN`].
    code: i16,
    symbol: Option<u32>,
    /// The task that ran.
    task: Option<u32>,
    /// The task that was interrupted.
    victim: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    count: i64,
    /// Without what is nested in them.
    total_ns: Ns,
    max_ns: Ns,
    max_start_ns: Ns,
    first_start_ns: Ns,
    last_start_ns: Ns,
}

impl Interference {
    /// Adds a slice. Where a CPU has many that are not settled yet, the older half is.
    pub fn add(&mut self, slice: &Slice<'_>) {
        let Some(cause) = Cause::of_slice(slice.kind, slice.depth, slice.flags) else { return };
        let sum = self.sums.place(Source::of(slice, cause));
        // What a tracer states may have begun before the trace did.
        let (start_ns, end_ns) = (slice.start_ns.max(Ns::ZERO), slice.end_ns().max(Ns::ZERO));
        let claimant = Claimant::new(sum, cause, start_ns, end_ns);
        let claimant = match slice.kind {
            SliceKind::Noise => claimant.stated(slice.self_ns),
            SliceKind::Sched => claimant.run_by(slice.task),
            _ if slice.flags.has(SliceFlags::SUSPENDED) => claimant.suspended(slice.task, slice.self_ns),
            _ => claimant,
        };
        let claims = self.cpus.entry(slice.cpu).or_default();
        claims.add(claimant);
        let count = claims.count();
        let most = MAX_UNSETTLED.checked_div(self.cpus.len()).unwrap_or(0).max(MIN_UNSETTLED);
        if count > most {
            self.settle(slice.cpu, most.div_euclid(2));
        }
    }

    /// A tick, or with `is_known` false an interrupt that may be one.
    pub fn add_tick(&mut self, cpu: u16, start_ns: Ns, duration_ns: Ns, is_known: bool) {
        let cause = if is_known { TICK } else { TIMER_INTERRUPT };
        self.ticks.entry((cpu, cause)).or_default().add(start_ns, duration_ns);
    }

    /// One row for each cause and what it took the time from.
    pub fn write(mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for cpu in self.cpus.keys().copied().collect::<Vec<_>>() {
            self.settle(cpu, 0);
        }
        let mut sums = self.sums.sums;
        sums.retain(|(_, sum)| sum.count > 0);
        sums.sort_unstable_by_key(|(source, _)| *source);
        let index = |index: Option<u32>| index.and_then(|index| i32::try_from(index).ok());
        let sources = sums.into_iter().map(|(source, sum)| {
            let Source { cpu, code, symbol, task, victim } = source;
            (cpu, code, [victim, symbol, task].map(index), sum)
        });
        let ticks = self.ticks.into_iter().map(|((cpu, cause), sum)| (cpu, cause, [None; 3], sum));
        for (idx, (cpu, cause, [victim, symbol, task], sum)) in (0_i32..).zip(sources.chain(ticks)) {
            writer.row(&INTERFERENCE, |row| {
                row.int(idx).int(i16::try_from(cpu).unwrap_or(i16::MAX)).optional_int(victim);
                row.int(cause).optional_int(symbol).optional_int(task);
                row.int(sum.count).int(sum.total_ns).int(sum.max_ns).int(sum.max_start_ns);
                row.int(sum.first_start_ns).int(sum.last_start_ns);
            })?;
        }
        Ok(())
    }

    /// Adds up all of a CPU but the last `most`.
    fn settle(&mut self, cpu: u16, most: usize) {
        let Self { sums, cpus, .. } = self;
        if let Some(claims) = cpus.get_mut(&cpu) {
            claims.settle(most, |claimant| sums.add(claimant));
        }
    }
}

impl Sums {
    fn place(&mut self, source: Source) -> usize {
        if let Some(place) = self.places.get(&source) {
            return *place;
        }
        let source = if self.places.len() < MAX_SOURCES { source } else { source.of_all() };
        *self.places.entry(source).or_insert_with(|| {
            self.sums.push((source, Sum::default()));
            self.sums.len().saturating_sub(1)
        })
    }

    fn add(&mut self, claimant: &Claimant) {
        let Some((source, sum)) = self.sums.get_mut(claimant.sum) else { return };
        sum.add(claimant.start_ns, claimant.net_ns.min(claimant.most_ns));
        let taken_ns = claimant.end_ns - claimant.start_ns - claimant.net_ns;
        if source.code == SliceKind::Sched.code() && source.task.is_some() && taken_ns > Ns::ZERO {
            let taken = Source { task: None, victim: source.task, ..*source };
            let place = self.place(taken);
            if let Some((_, sum)) = self.sums.get_mut(place) {
                sum.add(claimant.start_ns, taken_ns);
            }
        }
    }
}

impl Source {
    /// What identifies a cause: the task that ran, or the one that was interrupted.
    fn of(slice: &Slice<'_>, cause: Cause) -> Self {
        let code = if cause == Cause::Unknown { UNSEEN_RUN } else { slice.kind.code() };
        let source = Self { cpu: slice.cpu, code, symbol: None, task: None, victim: None };
        let named = Self { symbol: slice.symbol, ..source };
        match cause {
            Cause::Task if slice.kind == SliceKind::Sched => Self { task: slice.task, ..source },
            Cause::Task => Self { task: slice.task, ..named },
            Cause::Nmi | Cause::Irq | Cause::Softirq => Self { victim: slice.task, ..named },
            Cause::Gap | Cause::Irqsoff | Cause::Preemptoff => named,
            Cause::Idle | Cause::Itself | Cause::Unknown => source,
        }
    }

    fn of_all(self) -> Self {
        Self { symbol: None, task: None, victim: None, ..self }
    }
}

impl Sum {
    fn add(&mut self, start_ns: Ns, net_ns: Ns) {
        if self.count == 0 {
            (self.max_ns, self.max_start_ns) = (net_ns, start_ns);
            (self.first_start_ns, self.last_start_ns) = (start_ns, start_ns);
        }
        self.count = self.count.saturating_add(1);
        self.total_ns += net_ns;
        // They come in the order of their ends; of equally long ones, the earlier wins.
        if (net_ns, self.max_start_ns) > (self.max_ns, start_ns) {
            (self.max_ns, self.max_start_ns) = (net_ns, start_ns);
        }
        self.first_start_ns = self.first_start_ns.min(start_ns);
        self.last_start_ns = self.last_start_ns.max(start_ns);
    }
}
