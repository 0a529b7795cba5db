//! Who had the CPU where no switches were recorded, by the context of other records: of a latency tracer's
//! report, which also tell the function, and of calls.

use super::case::Case;
use super::span::Span;
use super::surroundings::{Seen, Surroundings};
use crate::analyses::Cause;
use crate::analyses::{SampleFlags, SliceFlags, SliceKind};
use crate::model::Flags;

/// A moment of a report, from which on something is known.
#[derive(Clone, Copy)]
struct Record {
    t_ns: i64,
    task_idx: i32,
    interrupted: Option<(Cause, SliceKind)>,
    /// The function that was entered, where a call does not tell it.
    function_idx: Option<i32>,
}

/// Slices from each record of a report to the next: of who had the CPU, where no switches say more, and of
/// the function that was entered.
///
/// A report holds functions and the tracer's own two lines, and no events that begin or end anything. But
/// every record says in which task it was written, and whether in an interrupt of it. An interrupt in which
/// the next record is not may have ended at any time: nothing but its task is certain to have gone on.
pub fn spans<'a>(case: &Case<'_>, around: &Surroundings<'_, 'a>) -> Vec<(Option<Cause>, Span<'a>)> {
    if !case.flags.has(SampleFlags::REPORTED) {
        return case.kind.records(case, around);
    }
    let tells_tasks = case.kind.waits_for_cpu() && !around.is_switched(case.cpu);
    let records = records(case, around);
    let next = records.iter().skip(1).map(Some).chain([None]);
    let losses = around.sorted_losses(case.cpu);
    let mut spans = Vec::new();
    for (record, next) in records.iter().zip(next) {
        let end_ns = next.map_or(case.end_ns(), |next| next.t_ns);
        // Between the last record before a loss and the first one behind it anything may have run.
        let lost = losses.get(losses.partition_point(|loss| loss.start_ns < record.t_ns));
        let end_ns = lost.map_or(end_ns, |loss| end_ns.min(loss.start_ns));
        if tells_tasks {
            let (cause, kind) = record.holder(next, case, around);
            spans.push((Some(cause), record.span(kind, end_ns, record.task_idx, -1, case)));
        }
        if let Some(function_idx) = record.function_idx {
            spans.push((None, record.span(SliceKind::Call, end_ns, -1, function_idx, case)));
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
    let mut ends: Vec<_> = ends.filter(|(t_ns, ..)| (case.start_ns..case.end_ns()).contains(t_ns)).collect();
    if ends.iter().all(|(.., task_idx)| *task_idx == own_idx) {
        return Vec::new();
    }
    ends.sort_unstable();
    ends.dedup_by_key(|(.., task_idx)| *task_idx);
    let records: Vec<Record> = ends
        .into_iter()
        .map(|(t_ns, _, task_idx)| Record { t_ns, task_idx, interrupted: None, function_idx: None })
        .collect();
    let next = records.iter().skip(1).map(|record| record.t_ns).chain([case.end_ns()]);
    let spans = records.iter().zip(next).map(|(record, end_ns)| {
        let (cause, kind) = record.holder(None, case, around);
        (Some(cause), record.span(kind, end_ns, record.task_idx, -1, case))
    });
    spans.collect()
}

fn records(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<Record> {
    let is_inside = |cpu: i16, t_ns: i64| cpu == case.cpu && (case.start_ns..case.end_ns()).contains(&t_ns);
    let events = around.events.iter().filter(|event| is_inside(event.cpu, event.t_ns));
    let calls = around.spans.iter().filter(|span| span.kind == SliceKind::Call);
    let calls = calls.filter(|call| is_inside(call.cpu, call.start_ns));
    let mut records: Vec<Record> = events.map(|event| Record::of_event(event, around)).collect();
    records.extend(calls.map(Record::of_call));
    records.sort_by_key(|record| record.t_ns);
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
        let function_idx = around.function_idx(event);
        Self { t_ns: event.t_ns, task_idx: event.task_idx, interrupted, function_idx }
    }

    fn of_call(call: &Span<'_>) -> Self {
        let is_interrupt = call.flags.has(SliceFlags::IN_INTERRUPT);
        let interrupted = is_interrupt.then_some((Cause::Irq, SliceKind::Irq));
        Self { t_ns: call.start_ns, task_idx: call.task_idx, interrupted, function_idx: None }
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
            None if around.is_idle_task(self.task_idx) => (Cause::Idle, SliceKind::Idle),
            None if case.own_task_idx() == Some(self.task_idx) => (Cause::Itself, SliceKind::Sched),
            None => (Cause::Task, SliceKind::Sched),
        }
    }

    fn span<'a>(
        &self,
        kind: SliceKind,
        end_ns: i64,
        task_idx: i32,
        symbol_idx: i32,
        case: &Case<'_>,
    ) -> Span<'a> {
        Span {
            kind,
            start_ns: self.t_ns,
            end_ns,
            self_ns: end_ns.saturating_sub(self.t_ns),
            cpu: case.cpu,
            task_idx,
            symbol_idx,
            depth: 0,
            flags: SliceFlags::default(),
            args: "",
        }
    }
}
