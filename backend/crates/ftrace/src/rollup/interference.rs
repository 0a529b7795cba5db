//! What takes the time of each CPU: sums over the whole trace, one for each source.

use hashbrown::HashMap;

use super::claims::{Claimant, Claims};
use crate::analyses::{Cause, Slice, SliceKind};
use crate::model::ReadError;
use crate::store::tables::INTERFERENCE;
use crate::store::writer::TableWriter;

/// Past this many sources, the others are one for each CPU and kind.
const MAX_SOURCES: usize = 1 << 16;
/// So many slices wait for what might still hide them, on all CPUs together.
const MAX_UNSETTLED: usize = 1 << 14;
/// A CPU has room for some, however many CPUs there are.
const MIN_UNSETTLED: usize = 16;

/// Sums of slices by source. Every nanosecond of a CPU counts once.
#[derive(Default)]
pub struct Interference {
    sums: Sums,
    cpus: HashMap<u16, Claims>,
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
    kind: SliceKind,
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
    total_ns: i64,
    max_ns: i64,
    max_start_ns: i64,
    first_start_ns: i64,
    last_start_ns: i64,
}

impl Interference {
    pub fn add(&mut self, slice: &Slice<'_>) {
        let Some(cause) = Cause::of_slice(slice.kind, slice.depth) else { return };
        let sum = self.sums.place(Source::of(slice, cause));
        // What a tracer states may have begun before the trace did.
        let (start_ns, end_ns) = (slice.start_ns, slice.start_ns.saturating_add(slice.duration_ns));
        let claimant = Claimant::new(sum, cause, start_ns.max(0), end_ns.max(0));
        let is_noise = slice.kind == SliceKind::Noise;
        let claimant = if is_noise { claimant.stated(slice.self_ns) } else { claimant };
        let claims = self.cpus.entry(slice.cpu).or_default();
        claims.add(claimant);
        let count = claims.count();
        let most = MAX_UNSETTLED.checked_div(self.cpus.len()).unwrap_or(0).max(MIN_UNSETTLED);
        if count > most {
            self.settle(slice.cpu, most.div_euclid(2));
        }
    }

    pub fn write(mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for cpu in self.cpus.keys().copied().collect::<Vec<_>>() {
            self.settle(cpu, 0);
        }
        let mut sums = self.sums.sums;
        sums.retain(|(_, sum)| sum.count > 0);
        sums.sort_unstable_by_key(|(source, _)| *source);
        let index = |index: Option<u32>| index.and_then(|index| i32::try_from(index).ok());
        for (idx, (source, sum)) in (0_i32..).zip(sums) {
            writer.row(&INTERFERENCE, |row| {
                row.int(idx)
                    .int(i16::try_from(source.cpu).unwrap_or(i16::MAX))
                    .optional_int(index(source.victim));
                row.int(source.kind.code())
                    .optional_int(index(source.symbol))
                    .optional_int(index(source.task));
                row.int(sum.count).int(sum.total_ns).int(sum.max_ns).int(sum.max_start_ns);
                row.int(sum.first_start_ns).int(sum.last_start_ns);
            })?;
        }
        Ok(())
    }

    /// Adds up all of a CPU but the last `most`.
    fn settle(&mut self, cpu: u16, most: usize) {
        let Self { sums, cpus } = self;
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
        let taken_ns = claimant.end_ns.saturating_sub(claimant.start_ns).saturating_sub(claimant.net_ns);
        if source.kind == SliceKind::Sched && source.task.is_some() && taken_ns > 0 {
            let taken = Source { task: None, victim: source.task, ..*source };
            let place = self.place(taken);
            if let Some((_, sum)) = self.sums.get_mut(place) {
                sum.add(claimant.start_ns, taken_ns);
            }
        }
    }
}

impl Source {
    /// What a cause is told by: the task that ran, or the one that was interrupted.
    fn of(slice: &Slice<'_>, cause: Cause) -> Self {
        let source = Self { cpu: slice.cpu, kind: slice.kind, symbol: None, task: None, victim: None };
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
    fn add(&mut self, start_ns: i64, net_ns: i64) {
        if self.count == 0 {
            (self.max_ns, self.max_start_ns) = (net_ns, start_ns);
            (self.first_start_ns, self.last_start_ns) = (start_ns, start_ns);
        }
        self.count = self.count.saturating_add(1);
        self.total_ns = self.total_ns.saturating_add(net_ns);
        // They come in the order of their ends; of equally long ones, the earlier is told.
        if (net_ns, self.max_start_ns) > (self.max_ns, start_ns) {
            (self.max_ns, self.max_start_ns) = (net_ns, start_ns);
        }
        self.first_start_ns = self.first_start_ns.min(start_ns);
        self.last_start_ns = self.last_start_ns.max(start_ns);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use crate::explore::dictionaries::{read_symbols, read_tasks};
    use crate::import::testing::import_lines;
    use crate::store::tables;

    fn check(text: &str, expected: Expect) {
        let (written, _) = import_lines(text);
        let tasks = read_tasks(written.streams(&tables::TASK).next().unwrap()).unwrap();
        let symbols = read_symbols(written.streams(&tables::SYMBOL).next().unwrap()).unwrap();
        let task = |idx: Option<i32>| idx.map_or("-", |idx| tasks.get(idx).unwrap().comm);
        let rows = written.rows(&tables::INTERFERENCE, |row| {
            let mut line = String::new();
            row.skip("idx").unwrap();
            let cpu = row.int::<i16>("cpu").unwrap();
            let victim = row.optional_int::<i32>("victim").unwrap();
            let cause = row.int::<i16>("cause").unwrap();
            let symbol = row.optional_int::<i32>("symbol").unwrap();
            let symbol = symbol.map_or("-", |idx| symbols.get(idx).unwrap().name);
            let ran = task(row.optional_int::<i32>("task").unwrap());
            write!(line, "cpu {cpu} cause {cause} {symbol} of {ran} to {}:", task(victim)).unwrap();
            for name in ["count", "total_ns", "max_ns", "max_start_ns", "first_start_ns", "last_start_ns"] {
                write!(line, " {}", row.int::<i64>(name).unwrap()).unwrap();
            }
            line + "\n"
        });
        expected.assert_eq(&rows.concat());
    }

    #[test]
    fn time_is_summed_by_what_took_it_and_from_whom() {
        check(
            "
            sh-7     [0] 1.000010: local_timer_entry: vector=236
            sh-7     [0] 1.000012: irq_handler_entry: irq=34 name=eth0
            sh-7     [0] 1.000015: irq_handler_exit: irq=34 ret=handled
            sh-7     [0] 1.000020: local_timer_exit: vector=236
            sh-7     [0] 1.000030: local_timer_entry: vector=236
            sh-7     [0] 1.000039: local_timer_exit: vector=236
            sh-7     [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [0] 1.000041: local_timer_entry: vector=236
            rt-9     [0] 1.000043: local_timer_exit: vector=236
            rt-9     [0] 1.000045: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] 1.000046: cpu_idle: state=1 cpu_id=0
            <idle>-0 [0] 1.000060: cpu_idle: state=4294967295 cpu_id=0
            <idle>-0 [0] 1.000061: cpu_idle: state=2 cpu_id=0
            <idle>-0 [0] 1.000071: cpu_idle: state=4294967295 cpu_id=0
            ",
            expect![[r#"
                cpu 0 cause 1 - of - to sh: 1 19000 19000 0 0 0
                cpu 0 cause 1 - of - to rt: 1 2000 2000 30000 30000 30000
                cpu 0 cause 1 - of sh to -: 1 11000 11000 0 0 0
                cpu 0 cause 1 - of rt to -: 1 3000 3000 30000 30000 30000
                cpu 0 cause 2 local_timer of - to sh: 2 16000 9000 20000 0 20000
                cpu 0 cause 2 local_timer of - to rt: 1 2000 2000 31000 31000 31000
                cpu 0 cause 2 eth0 [34] of - to sh: 1 3000 3000 2000 2000 2000
                cpu 0 cause 4 - of - to -: 2 24000 14000 36000 36000 51000
            "#]],
        );
    }

    #[test]
    fn what_a_tracer_states_of_a_recorded_interrupt_is_no_second_one() {
        check(
            "
            sh-7 [0] 1.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            sh-7 [0] 1.000010: local_timer_entry: vector=236
            sh-7 [0] 1.000019: irq_noise: local_timer:236 start 1.000009500 duration 9000 ns
            sh-7 [0] 1.000020: local_timer_exit: vector=236
            sh-7 [0] 1.000030: local_timer_entry: vector=236
            sh-7 [0] 1.000040: local_timer_exit: vector=236
            sh-7 [0] 1.000041: irq_noise: local_timer:236 start 1.000029500 duration 11000 ns
            sh-7 [0] 1.000060: irq_noise: eth0:34 start 1.000055000 duration 4000 ns
            sh-7 [0] 1.000100: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            sh-7 [0] 1.000100: thread_noise: sh:7 start 1.000000200 duration 75000 ns
            ",
            expect![[r#"
                cpu 0 cause 1 - of - to sh: 1 25000 25000 0 0 0
                cpu 0 cause 1 - of sh to -: 1 75000 75000 0 0 0
                cpu 0 cause 2 local_timer of - to sh: 2 20000 10000 10000 10000 30000
                cpu 0 cause 9 irq eth0:34 of - to sh: 1 4000 4000 55000 55000 55000
            "#]],
        );
    }

    #[test]
    fn noise_that_only_a_tracer_tells_is_without_what_is_nested() {
        check(
            "
            sh-7 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] 1.000050: irq_noise: local_timer:236 start 1.000040000 duration 9000 ns
            sh-7 [0] 1.000070: softirq_noise: RCU:9 start 1.000030000 duration 28000 ns
            rt-9 [0] 1.000100: thread_noise: sh:7 start 1.000010000 duration 48000 ns
            ",
            expect![[r#"
                cpu 0 cause 9 irq local_timer:236 of - to sh: 1 9000 9000 40000 40000 40000
                cpu 0 cause 9 softirq RCU:9 of - to sh: 1 28000 28000 30000 30000 30000
                cpu 0 cause 9 thread sh-7 of sh to -: 1 48000 48000 10000 10000 10000
            "#]],
        );
    }
}
