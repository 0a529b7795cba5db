//! The reports of latency tracers, from their headers and the first record after each.

use crate::analyses::{LatencyTracer, Report};
use crate::events::{Site, write_function};
use crate::model::{CallRecord, EventKind, EventRecord, Facts, Flags, Ns, Timestamp};

/// A file of more traces than this says nothing that is worth all of their reports.
const MAX_REPORTS: usize = 1_024;

/// The reports of a file.
#[derive(Default)]
pub struct Reports {
    /// The header that the next record belongs to.
    waiting: Option<Header>,
    last: Option<Header>,
    reports: Vec<Report>,
}

#[derive(Clone, PartialEq, Eq)]
struct Header {
    tracer: String,
    latency_ns: Ns,
    cpu: u16,
    /// `kworker/u16:4-8174`
    task: String,
    started_at: String,
    ended_at: String,
}

/// What the first record of a trace says of the place where it begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstRecord<'a> {
    pub function: Option<&'a [u8]>,
    /// The function that called it, where the record names it.
    pub parent: Option<&'a [u8]>,
    pub flags: Flags,
}

impl<'a> FirstRecord<'a> {
    /// Where the event of a report happened; only an event of a function says in which.
    pub fn of_event(event: &EventRecord<'a>) -> Self {
        // console_trylock_spinning <-vprintk_emit
        let place = Some(event).filter(|event| event.kind == EventKind::Function).and_then(|event| {
            let (function, rest) = event.args.split_at_checked(memchr::memmem::find(event.args, b" <-")?)?;
            Some((function, rest.strip_prefix(b" <-")?.trim_ascii()))
        });
        let (function, parent) = place.unzip();
        Self { function, parent, flags: event.flags }
    }

    /// Where the call of a report happened; only its entry says in which function.
    pub fn of_call(call: &CallRecord<'a>) -> Self {
        match call {
            CallRecord::Enter { at, symbol, .. } | CallRecord::Leaf { at, symbol, .. } => {
                Self { function: Some(symbol), parent: None, flags: at.flags }
            }
            _ => Self::default(),
        }
    }
}

/// The task that a report names, and the place of the report.
pub struct Reported {
    pub report: Report,
    pub pid: Option<i32>,
    pub comm: String,
}

impl Reports {
    /// Takes what a header says, if it is one of a latency tracer that met any latency.
    pub fn facts(&mut self, facts: &Facts) {
        let header = header_of(facts);
        if header.is_some() && header != self.last && self.reports.len() < MAX_REPORTS {
            self.waiting.clone_from(&header);
            self.last = header;
        }
    }

    /// True where the next record is the first after a header.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// True where `ts` counts from the beginning of the section that is reported, as the stamps of such
    /// a trace do.
    pub fn counts_from_section(&self, ts: Timestamp) -> bool {
        self.waiting.as_ref().is_some_and(|header| (Ns::ZERO..=header.latency_ns).contains(&Ns(ts.0)))
    }

    /// The report whose first record is stamped `ts`, which is `t_ns` of the trace.
    pub fn take(&mut self, ts: Timestamp, t_ns: Ns, first: &FirstRecord<'_>) -> Option<Reported> {
        let counts_from_section = self.counts_from_section(ts);
        let header = self.waiting.take()?;
        let begins_with_irqs_off = first.flags.has(Flags::IRQS_OFF);
        let start_ns = if counts_from_section { t_ns - Ns(ts.0) } else { t_ns };
        let report = Report {
            tracer: LatencyTracer::of(&header.tracer, begins_with_irqs_off)?,
            start_ns,
            duration_ns: header.latency_ns,
            cpu: header.cpu,
            task: None,
            place: place_of(&header.started_at, first),
            args: args_of(&header),
        };
        let (comm, pid) = header.task.rsplit_once('-').unwrap_or((&header.task, ""));
        Some(Reported { report, pid: pid.parse().ok(), comm: comm.to_owned() })
    }

    pub fn add(&mut self, report: Report) {
        self.reports.push(report);
    }

    pub fn into_reports(self) -> Vec<Report> {
        self.reports
    }
}

fn header_of(facts: &Facts) -> Option<Header> {
    let tracer = facts.tracer.clone()?;
    LatencyTracer::of(&tracer, false)?;
    let fact = |name: &str| facts.other.get(name);
    let latency_us: i64 = fact("reported_latency_us")?.parse().ok()?;
    let text = |name: &str| fact(name).cloned().unwrap_or_default();
    Some(Header {
        tracer,
        latency_ns: latency_us.checked_mul(1_000).map(Ns).filter(|latency_ns| *latency_ns > Ns::ZERO)?,
        cpu: fact("reported_cpu")?.parse().ok()?,
        task: text("reported_task"),
        started_at: text("started_at"),
        ended_at: text("ended_at"),
    })
}

/// `console_trylock_spinning ← vprintk_emit`. The header names only the second, as the more telling one;
/// the first record of a function tracer shows the first, too.
fn place_of(started_at: &str, first: &FirstRecord<'_>) -> Vec<u8> {
    let started_at = started_at.as_bytes();
    let is_start = first.parent.is_none_or(|parent| parent == started_at);
    let mut place = Vec::new();
    match first.function.filter(|function| is_start && *function != started_at) {
        Some(caller) if !started_at.is_empty() => Site { caller, parent: started_at }.write(&mut place),
        _ => write_function(started_at, &mut place),
    }
    place
}

fn args_of(header: &Header) -> Vec<u8> {
    if header.started_at.is_empty() {
        return Vec::new();
    }
    format!("started_at={} ended_at={}", header.started_at, header.ended_at).into_bytes()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::formats::read_any;
    use crate::import::testing::import_with;
    use crate::model::Limits;
    use crate::store::read::blocks::SliceBlock;
    use crate::store::read::dictionaries::{read_symbols, read_tasks};
    use crate::store::read::read_rows;
    use crate::store::tables;
    use crate::store::testing::Written;

    fn import(text: &str) -> (Written, crate::import::summary::Summary) {
        import_with(&Limits::default(), |importer| {
            let bytes = text.as_bytes().to_vec();
            read_any(&bytes, &mut Vec::new(), &Limits::default(), importer).unwrap();
        })
    }

    /// Prints the reported sections, and the wakeup samples.
    fn check(text: &str, expected: Expect) {
        let (written, summary) = import(text);
        let tasks = read_tasks(written.streams(&tables::TASK).next().unwrap()).unwrap();
        let symbols = read_symbols(written.streams(&tables::SYMBOL).next().unwrap_or_default()).unwrap();
        let mut lines = String::new();
        for stream in written.streams(&tables::SLICE_BLOCK) {
            for block in read_rows(&tables::SLICE_BLOCK, stream, SliceBlock::read).unwrap() {
                for at in 0..block.start_ns.len() {
                    let task = tasks.get(block.task_idx[at]).unwrap();
                    let symbol = symbols.get(block.symbol_idx[at]).unwrap();
                    lines += &format!(
                        "kind {} depth {} cpu {} {}-{} {} start {} duration {}\n",
                        block.kind,
                        block.depth[at],
                        block.cpu[at],
                        task.comm,
                        task.pid.unwrap(),
                        symbol.name,
                        block.start_ns[at],
                        block.duration_ns[at]
                    );
                }
            }
        }
        lines.extend(written.rows(&tables::LATENCY_CASE, |row| {
            let (kind, rank): (i16, i32) = (row.int("kind").unwrap(), row.int("rank").unwrap());
            let (start_ns, duration_ns): (i64, i64) =
                (row.int("start_ns").unwrap(), row.int("duration_ns").unwrap());
            format!("case {kind} rank {rank} start {start_ns} duration {duration_ns}\n")
        }));
        lines += &format!("origin {} duration {}\n", summary.origin_ns, summary.duration_ns);
        expected.assert_eq(&lines);
    }

    #[test]
    fn a_report_is_a_section_of_its_own_length() {
        check(
            "# tracer: irqsoff
#
# irqsoff latency trace v1.1.5 on 5.4.161-qgki-debug
# --------------------------------------------------------------------
# latency: 7038 us, #4/4, CPU#2 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:8)
#    -----------------
#    | task: kworker/u16:4-8174 (uid:0 nice:0 policy:0 rt_prio:0)
#    -----------------
#  => started at: vprintk_emit
#  => ended at:   vprintk_emit
#
kworker/-8174      2d..2    0us#: console_trylock_spinning <-vprintk_emit
kworker/-8174      2d..2 7038us : console_trylock_spinning <-vprintk_emit
kworker/-8174      2d..2 7039us : trace_hardirqs_on <-vprintk_emit
",
            expect![[r#"
                kind 6 depth 1 cpu 2 kworker/u16:4-8174 console_trylock_spinning ← vprintk_emit start 0 duration 7038000
                case 5 rank 0 start 0 duration 7038000
                origin 0 duration 7039000
            "#]],
        );
    }

    #[test]
    fn a_section_begins_before_its_first_record_and_each_trace_has_a_report() {
        check(
            "# tracer: preemptirqsoff
#
# preemptirqsoff latency trace v1.1.5 on 6.12.95-trace-preempt
# --------------------------------------------------------------------
# latency: 957 us, #4/4, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    | task: hackbench-733 (uid:0 nice:0 policy:0 rt_prio:0)
#  => started at: dput
#  => ended at:   dentry_unlink_inode
hackbenc-733       0...1.  956us : _raw_spin_lock <-dput
hackbenc-733       0.N.1.  957us : _raw_spin_unlock <-dentry_unlink_inode
# tracer: wakeup_rt
#
# wakeup_rt latency trace v1.1.5 on 6.12.95-trace-preempt
# --------------------------------------------------------------------
# latency: 38 us, #6/6, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    | task: cyclictest-1047 (uid:0 nice:0 policy:1 rt_prio:80)
hackbenc-1084      0dNh6.    0us+:     1084:120:R   + [000]    1047: 19:R cyclictest
hackbenc-1084      0d..3.   27us :     1084:120:R ==> [000]    1047: 19:R cyclictest
",
            expect![[r#"
                kind 7 depth 1 cpu 0 hackbench-733 _raw_spin_lock ← dput start 0 duration 957000
                case 6 rank 0 start 0 duration 957000
                case 3 rank 0 start 0 duration 38000
                origin 0 duration 957000
            "#]],
        );
    }

    #[test]
    fn a_graph_tells_the_place_as_well() {
        check(
            "# tracer: irqsoff
#
# irqsoff latency trace v1.1.5 on 6.12.95-trace-preempt
# --------------------------------------------------------------------
# latency: 6886 us, #3966/3966, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    | task: bash-52 (uid:0 nice:0 policy:0 rt_prio:0)
#  => started at: free_pcppages_bulk+0x1a/0x40
#  => ended at:   return_to_handler
#   REL TIME      CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS
#      |          |     |    |        ||||      |   |                     |   |   |   |
        0 us |   0)    bash-52     |  dNs3. |   0.000 us    |  _raw_spin_lock_irqsave();
        3 us |   0)    bash-52     |  dNs4. |   1.550 us    |        preempt_count_add();
     6888 us |   0)    bash-52     |  dNs4. |   0.000 us    |  tracer_hardirqs_on();
",
            expect![[r#"
                kind 6 depth 1 cpu 0 bash-52 _raw_spin_lock_irqsave ← free_pcppages_bulk start 0 duration 6886000
                kind 5 depth 0 cpu 0 bash-52 _raw_spin_lock_irqsave start 0 duration 0
                kind 5 depth 3 cpu 0 bash-52 preempt_count_add start 3000 duration 1550
                kind 5 depth 0 cpu 0 bash-52 tracer_hardirqs_on start 6888000 duration 0
                case 5 rank 0 start 0 duration 6886000
                case 12 rank 0 start 0 duration 0
                case 12 rank 1 start 6888000 duration 0
                origin 0 duration 6888000
            "#]],
        );
    }

    #[test]
    fn a_tracer_that_met_no_latency_reports_none() {
        check(
            "# tracer: irqsoff
#
# irqsoff latency trace v1.1.5 on 6.12.95-trace-preempt
# --------------------------------------------------------------------
# latency: 0 us, #1/1, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    | task: -0 (uid:0 nice:0 policy:0 rt_prio:0)
hackbenc-733       0...1.  956us : _raw_spin_lock <-dput
",
            expect![[r#"
                origin 956000 duration 0
            "#]],
        );
    }
}
