//! Who had the CPU where no switches were recorded, by the context of other records: of a latency tracer's
//! report, which also name the function, and of calls.

use super::case::Case;
use super::span::Span;
use super::surroundings::{Seen, Surroundings};
use crate::analyses::Cause;
use crate::analyses::{SampleFlags, SliceFlags, SliceKind};
use crate::model::Flags;

/// The tracer's own records: the waking with its function, and the switch with its function.
const OWN_RECORDS: usize = 4;

/// A moment of a report, from which on something is known.
#[derive(Clone, Copy)]
struct Record {
    t_ns: i64,
    cpu: i16,
    own: Own,
    needs_resched: bool,
    task_idx: i32,
    interrupted: Option<(Cause, SliceKind)>,
    /// The function that was entered, where a call does not name it.
    function_idx: Option<i32>,
}

/// What the tracer records of a wakeup itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Waking,
    Switch,
    No,
}

impl Own {
    /// `1124:120:R   + [000]    1119: 19:R cyclictest`, and `==>` for the switch.
    fn of(event: &Seen<'_>) -> Self {
        match event.args {
            args if args.contains(" + [") => Own::Waking,
            args if args.contains(" ==> [") => Own::Switch,
            _ => Own::No,
        }
    }
}

/// Slices from each record of a report to the next: of who had the CPU, where no switches say more, and of
/// the function that was entered.
///
/// A report holds functions and the tracer's own two lines, and no events that begin or end anything. But
/// every record says in which task it was written, and whether in an interrupt of it. An interrupt in which
/// the next record is not may have ended at any time: nothing but its task is certain to have gone on, and that only
/// if the next record is one of the same task, and functions are recorded. The task that enters a function next was
/// switched to at an unknown time.
pub fn spans<'a>(case: &Case<'_>, around: &Surroundings<'_, 'a>) -> Vec<(Option<Cause>, Span<'a>)> {
    if !case.flags.has(SampleFlags::REPORTED) {
        return case.kind.records(case, around);
    }
    let records = records(case, around);
    let mut cpus: Vec<i16> = records.iter().map(|record| record.cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let of_cpu = |cpu: i16| records.iter().filter(|record| record.cpu == cpu).copied().collect::<Vec<_>>();
    let each = cpus.into_iter().map(|cpu| with_functions_of_own(of_cpu(cpu)));
    each.flat_map(|records| spans_of_cpu(&records, case, around)).collect()
}

/// Slices from each record of one CPU to its next.
fn spans_of_cpu<'a>(
    records: &[Record],
    case: &Case<'_>,
    around: &Surroundings<'_, 'a>,
) -> Vec<(Option<Cause>, Span<'a>)> {
    let Some(cpu) = records.first().map(|record| record.cpu) else { return Vec::new() };
    let tells_tasks = tells_tasks(case, around);
    // Without the functions in between, nothing is known but the two ends.
    let tells_functions = records.len() > OWN_RECORDS;
    let next = records.iter().skip(1).map(Some).chain([None]);
    let losses = around.sorted_losses(cpu);
    let mut spans = Vec::new();
    for (record, next) in records.iter().zip(next) {
        let end_ns = next.map_or(case.end_ns(), |next| next.t_ns);
        let is_followed = match next {
            Some(next) => next.task_idx == record.task_idx && (tells_functions || record.own == next.own),
            None => record.own == Own::Switch,
        };
        let end_ns = if tells_tasks && !is_followed { record.t_ns } else { end_ns };
        // Between the last record before a loss and the first one after it anything may have run.
        let lost = losses.get(losses.partition_point(|loss| loss.start_ns < record.t_ns));
        let end_ns = lost.map_or(end_ns, |loss| end_ns.min(loss.start_ns));
        if tells_tasks {
            let (cause, kind) = record.holder(next, case, around);
            spans.push((Some(cause), record.span(kind, end_ns, record.task_idx, -1)));
        }
        if let Some(function_idx) = record.function_idx {
            spans.push((None, record.span(SliceKind::Call, end_ns, -1, function_idx)));
        }
    }
    spans
}

/// A task that begins or ends a call has the CPU until another one does. Nothing where no other task is known
/// to have had it.
pub fn by_calls<'a>(case: &Case<'_>, around: &Surroundings<'_, 'a>) -> Vec<(Option<Cause>, Span<'a>)> {
    let Some(own_idx) = case.own_task_idx().filter(|_| !around.is_switched(case.cpu)) else {
        return Vec::new();
    };
    let calls = around.spans.iter().filter(|span| span.kind == SliceKind::Call && span.cpu == case.cpu);
    let calls = calls.filter(|call| call.task_idx >= 0);
    // Of one time, what begins says what goes on.
    let ends =
        calls.flat_map(|call| [(call.start_ns, true, call.task_idx), (call.end_ns, false, call.task_idx)]);
    // What ended just when the call began had the CPU before it.
    let is_inside = |t_ns: i64, begins: bool| {
        t_ns < case.end_ns() && (case.start_ns < t_ns || begins && t_ns == case.start_ns)
    };
    let mut ends: Vec<_> = ends.filter(|(t_ns, begins, _)| is_inside(*t_ns, *begins)).collect();
    if ends.iter().all(|(.., task_idx)| *task_idx == own_idx) {
        return Vec::new();
    }
    ends.sort_unstable();
    ends.dedup_by_key(|(.., task_idx)| *task_idx);
    let records: Vec<Record> =
        ends.into_iter().map(|(t_ns, _, task_idx)| Record::of_task(t_ns, case.cpu, task_idx)).collect();
    let next = records.iter().skip(1).map(|record| record.t_ns).chain([case.end_ns()]);
    let spans = records.iter().zip(next).map(|(record, end_ns)| {
        let (cause, kind) = record.holder(None, case, around);
        (Some(cause), record.span(kind, end_ns, record.task_idx, -1))
    });
    spans.collect()
}

/// When the task of a reported wakeup came to other CPUs than its first. The tracer records the functions of the CPU
/// on which the task waits, and of no other; its first two records may be those of a waker elsewhere.
/// Source: kernel/trace/trace_sched_wakeup.c, Linux 6.12.
pub fn moves(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<(i64, i16)> {
    if !case.flags.has(SampleFlags::REPORTED) || !tells_tasks(case, around) {
        return Vec::new();
    }
    let records = records(case, around);
    let waker_cpu = records.first().map(|record| record.cpu).filter(|cpu| *cpu != case.start_cpu);
    let of_waker = records.iter().take(2).take_while(|record| Some(record.cpu) == waker_cpu).count();
    let mut cpu = case.start_cpu;
    let mut moves = Vec::new();
    for record in records.iter().skip(of_waker) {
        if record.cpu != cpu {
            cpu = record.cpu;
            moves.push((record.t_ns, cpu));
        }
    }
    moves
}

fn tells_tasks(case: &Case<'_>, around: &Surroundings<'_, '_>) -> bool {
    case.kind.waits_for_cpu() && !around.is_switched(case.cpu)
}

fn records(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<Record> {
    let is_inside = |t_ns: i64| (case.start_ns..=case.end_ns()).contains(&t_ns);
    let is_of_case = |cpu: i16| cpu == case.cpu || case.kind.waits_for_cpu();
    let events = around.events.iter().filter(|event| is_inside(event.t_ns) && is_of_case(event.cpu));
    let calls = around.spans.iter().filter(|span| span.kind == SliceKind::Call && is_of_case(span.cpu));
    // The mark of a stack says no more than the record before it.
    let events = events.filter(|event| event.args != "<stack trace>");
    let mut records: Vec<Record> = events.map(|event| Record::of_event(event, around)).collect();
    records.extend(calls.flat_map(Record::of_call).filter(|record| is_inside(record.t_ns)));
    records.sort_by_key(|record| record.t_ns);
    records
}

/// The function that goes with each of the tracer's own records: after a waking, and before a switch.
fn with_functions_of_own(mut records: Vec<Record>) -> Vec<Record> {
    let own: Vec<Own> = records.iter().map(|record| record.own).collect();
    for (at, record) in records.iter_mut().enumerate().filter(|(_, record)| record.own == Own::No) {
        if at.checked_sub(1).and_then(|at| own.get(at)) == Some(&Own::Waking) {
            record.own = Own::Waking;
        } else if own.get(at.saturating_add(1)) == Some(&Own::Switch) {
            record.own = Own::Switch;
        }
    }
    records
}

impl Record {
    fn of_event(event: &Seen<'_>, around: &Surroundings<'_, '_>) -> Self {
        let flags = Flags(event.flags.cast_unsigned());
        let interrupted = match flags {
            _ if flags.has(Flags::NMI) => Some((Cause::Nmi, SliceKind::Irq)),
            _ if flags.has(Flags::HARDIRQ) => Some((Cause::Irq, SliceKind::Irq)),
            _ if flags.has(Flags::SOFTIRQ) => Some((Cause::Softirq, SliceKind::Softirq)),
            _ => None,
        };
        Self {
            t_ns: event.t_ns,
            cpu: event.cpu,
            own: Own::of(event),
            needs_resched: flags.needs_resched(),
            task_idx: event.task_idx,
            interrupted,
            function_idx: around.function_idx(event),
        }
    }

    /// Its begin and its end.
    fn of_call(call: &Span<'_>) -> [Self; 2] {
        let is_interrupt = call.flags.has(SliceFlags::IN_INTERRUPT);
        let interrupted = is_interrupt.then_some((Cause::Irq, SliceKind::Irq));
        let at = |t_ns| Self { interrupted, ..Self::of_task(t_ns, call.cpu, call.task_idx) };
        [at(call.start_ns), at(call.end_ns)]
    }

    fn of_task(t_ns: i64, cpu: i16, task_idx: i32) -> Self {
        let (own, needs_resched) = (Own::No, false);
        Self { t_ns, cpu, own, needs_resched, task_idx, interrupted: None, function_idx: None }
    }

    /// The task is on the way to give the CPU to another one: the idle task is not idle then.
    fn is_leaving(&self) -> bool {
        self.needs_resched || self.own == Own::Switch
    }

    fn holder(
        &self,
        next: Option<&Self>,
        case: &Case<'_>,
        around: &Surroundings<'_, '_>,
    ) -> (Cause, SliceKind) {
        let goes_on = next.is_some_and(|next| next.interrupted.is_some());
        match self.interrupted.filter(|_| goes_on) {
            Some(interrupted) => interrupted,
            None if around.is_idle_task(self.task_idx) && !self.is_leaving() => {
                (Cause::Idle, SliceKind::Idle)
            }
            None if case.own_task_idx() == Some(self.task_idx) => (Cause::Itself, SliceKind::Sched),
            None => (Cause::Task, SliceKind::Sched),
        }
    }

    fn span<'a>(&self, kind: SliceKind, end_ns: i64, task_idx: i32, symbol_idx: i32) -> Span<'a> {
        Span {
            kind,
            start_ns: self.t_ns,
            end_ns,
            self_ns: end_ns.saturating_sub(self.t_ns),
            cpu: self.cpu,
            task_idx,
            symbol_idx,
            depth: 0,
            flags: SliceFlags::default(),
            args: "",
        }
    }
}
