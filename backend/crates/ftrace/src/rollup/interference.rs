//! What takes the time of each CPU: sums over the whole trace, one for each cause.

use hashbrown::HashMap;

use crate::analyses::{Slice, SliceKind};
use crate::model::ReadError;
use crate::store::tables::INTERFERENCE;
use crate::store::writer::TableWriter;

/// Past this many causes, the others are one for each CPU and kind.
const MAX_CAUSES: usize = 1 << 16;

/// Sums of slices by CPU and cause.
#[derive(Default)]
pub struct Interference {
    causes: HashMap<Cause, Sum>,
}

/// What took the time, and whose it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Cause {
    cpu: u16,
    kind: SliceKind,
    symbol: Option<u32>,
    /// The task that ran.
    task: Option<u32>,
    /// The task that was interrupted.
    victim: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
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
        let Some(cause) = Cause::of(slice) else { return };
        if let Some(sum) = self.causes.get_mut(&cause) {
            sum.add(slice);
            return;
        }
        let cause = if self.causes.len() < MAX_CAUSES { cause } else { cause.of_all() };
        self.causes.entry(cause).or_insert_with(|| Sum::new(slice)).add(slice);
    }

    pub fn write(self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        let mut causes: Vec<_> = self.causes.into_iter().collect();
        causes.sort_unstable_by_key(|(cause, _)| *cause);
        let index = |index: Option<u32>| index.and_then(|index| i32::try_from(index).ok());
        for (idx, (cause, sum)) in (0_i32..).zip(causes) {
            writer.row(&INTERFERENCE, |row| {
                row.int(idx)
                    .int(i16::try_from(cause.cpu).unwrap_or(i16::MAX))
                    .optional_int(index(cause.victim));
                row.int(cause.kind.code()).optional_int(index(cause.symbol)).optional_int(index(cause.task));
                row.int(sum.count).int(sum.total_ns).int(sum.max_ns).int(sum.max_start_ns);
                row.int(sum.first_start_ns).int(sum.last_start_ns);
            })?;
        }
        Ok(())
    }
}

impl Cause {
    /// `None` for calls, which are the work itself.
    fn of(slice: &Slice<'_>) -> Option<Self> {
        let cause = Self { cpu: slice.cpu, kind: slice.kind, symbol: None, task: None, victim: None };
        match slice.kind {
            SliceKind::Call => None,
            SliceKind::Sched => Some(Self { task: slice.task, ..cause }),
            SliceKind::Irq | SliceKind::Softirq => {
                Some(Self { symbol: slice.symbol, victim: slice.task, ..cause })
            }
            SliceKind::Idle => Some(cause),
            SliceKind::Irqsoff | SliceKind::Preemptoff | SliceKind::Noise => {
                Some(Self { symbol: slice.symbol, ..cause })
            }
        }
    }

    fn of_all(self) -> Self {
        Self { symbol: None, task: None, victim: None, ..self }
    }
}

impl Sum {
    fn new(first: &Slice<'_>) -> Self {
        let start_ns = first.start_ns;
        Self {
            count: 0,
            total_ns: 0,
            max_ns: first.self_ns,
            max_start_ns: start_ns,
            first_start_ns: start_ns,
            last_start_ns: start_ns,
        }
    }

    fn add(&mut self, slice: &Slice<'_>) {
        self.count = self.count.saturating_add(1);
        self.total_ns = self.total_ns.saturating_add(slice.self_ns);
        // Slices come in the order of their ends; of equally long ones, the earlier is told.
        if (slice.self_ns, self.max_start_ns) > (self.max_ns, slice.start_ns) {
            (self.max_ns, self.max_start_ns) = (slice.self_ns, slice.start_ns);
        }
        self.first_start_ns = self.first_start_ns.min(slice.start_ns);
        self.last_start_ns = self.last_start_ns.max(slice.start_ns);
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
                cpu 0 cause 1 - of sh to -: 1 30000 30000 0 0 0
                cpu 0 cause 1 - of rt to -: 1 5000 5000 30000 30000 30000
                cpu 0 cause 2 local_timer of - to sh: 2 16000 9000 20000 0 20000
                cpu 0 cause 2 local_timer of - to rt: 1 2000 2000 31000 31000 31000
                cpu 0 cause 2 eth0 [34] of - to sh: 1 3000 3000 2000 2000 2000
                cpu 0 cause 4 - of - to -: 2 24000 14000 36000 36000 51000
            "#]],
        );
    }
}
