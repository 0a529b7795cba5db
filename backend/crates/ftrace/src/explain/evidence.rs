//! What a case waited behind, in full length: it may have begun long before the case.

use super::blame::{Holder, drop_covered_noise};
use super::case::Case;
use super::cause::cause_of;
use super::phrases;
use super::place::what;
use super::route::Leg;
use super::span::Span;
use super::surroundings::Surroundings;
use super::words;
use crate::analyses::Cause;
use crate::analyses::{SliceFlags, SliceKind};
use crate::model::priority_text;

/// The largest number of pieces of evidence of one case.
const MAX_EVIDENCE: usize = 8;

/// One thing that was in the way.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    pub cause: Cause,
    pub what: String,
    pub place: Option<String>,
    pub sentence: String,
    /// Nanoseconds of the case that it covers.
    pub overlap_ns: i64,
    pub span: Span<'a>,
}

/// What overlaps the start of the case or covers most of it, the longest in the way first.
pub fn evidence<'a>(case: &Case<'a>, legs: &[Leg], around: &Surroundings<'_, 'a>) -> Vec<Evidence<'a>> {
    let own_task = case.own_task_idx();
    let spans = around.spans.iter().map(|span| (cause_of(span, own_task, around), *span));
    let mut spans: Vec<_> = spans.collect();
    drop_covered_noise(&mut spans);
    let mut found: Vec<Evidence<'a>> = Vec::new();
    for (cause, span) in &spans {
        let leg =
            legs.iter().find(|leg| leg.cpu == span.cpu && span.overlap_ns(leg.start_ns, leg.end_ns) > 0);
        let Some(leg) = leg else { continue };
        let overlap_ns = span.overlap_ns(leg.start_ns, leg.end_ns);
        let is_at_start = span.start_ns < case.start_ns && case.start_ns < span.end_ns;
        if case.is_span(span) || !(is_at_start || case.is_most(overlap_ns)) {
            continue;
        }
        // What was measured itself always lies in the context of some task.
        let is_told = |cause: &Cause| is_in_the_way(*cause) && (*cause != Cause::Task || case.kind.is_wait());
        let Some(cause) = cause.filter(is_told) else { continue };
        if is_idle_section(span, cause, around) {
            continue;
        }
        found.push(of_span(cause, span, overlap_ns, around));
    }
    found.sort_by_key(|item| (-item.overlap_ns, item.cause, item.span.start_ns));
    found.truncate(MAX_EVIDENCE);
    found
}

fn is_in_the_way(cause: Cause) -> bool {
    use Cause::{Gap, Irq, Irqsoff, Nmi, Preemptoff, Softirq, Task};
    matches!(cause, Nmi | Irq | Softirq | Gap | Irqsoff | Preemptoff | Task)
}

/// The kernel goes idle with interrupts and preemption off; in such a section no task waits.
fn is_idle_section(span: &Span<'_>, cause: Cause, around: &Surroundings<'_, '_>) -> bool {
    let is_section = matches!(cause, Cause::Irqsoff | Cause::Preemptoff);
    let holds_idle = |other: &Span<'_>| {
        other.kind == SliceKind::Idle
            && other.cpu == span.cpu
            && span.overlap_ns(other.start_ns, other.end_ns) > 0
    };
    is_section && around.spans.iter().any(holds_idle)
}

fn of_span<'a>(
    cause: Cause,
    span: &Span<'a>,
    overlap_ns: i64,
    around: &Surroundings<'_, 'a>,
) -> Evidence<'a> {
    let holder = Holder { cause, symbol_idx: span.symbol_idx, task_idx: span.task_idx, cpu: span.cpu };
    let what = what(&holder, span.start_ns, around);
    let place = around.task_name(span.task_idx, span.end_ns).filter(|_| cause != Cause::Task);
    let sentence = sentence(cause, span, around);
    Evidence { cause, what, place, sentence, overlap_ns, span: *span }
}

/// What a slice says, with its whole length: `interrupts were off for 10.966 ms in a ← b (pid 6462)`.
pub fn sentence(cause: Cause, span: &Span<'_>, around: &Surroundings<'_, '_>) -> String {
    let holder = Holder { cause, symbol_idx: span.symbol_idx, task_idx: span.task_idx, cpu: span.cpu };
    let what = what(&holder, span.start_ns, around);
    let is_cut = span.flags.has(SliceFlags::STARTED_BEFORE)
        || span.flags.has(SliceFlags::CUT_AT_END)
        || span.flags.has(SliceFlags::HAS_GAP);
    let ran_ns = if span.flags.has(SliceFlags::SUSPENDED) { span.self_ns } else { span.duration_ns() };
    let time = format!("for {}{}", if is_cut { "at least " } else { "" }, words::time(ran_ns));
    let task = around.task_name(span.task_idx, span.end_ns);
    let context = task.as_deref().map(|task| format!(" (in {task})")).unwrap_or_default();
    let culprit = task.as_deref().map(|task| format!(" ({task})")).unwrap_or_default();
    match cause {
        Cause::Irqsoff => format!("interrupts were off {time} in {what}{culprit}"),
        Cause::Preemptoff => format!("preemption was off {time} in {what}{culprit}"),
        Cause::Irq => format!("interrupt {what} ran {time}{context}"),
        Cause::Softirq => format!("softirq {what} ran {time}{context}"),
        Cause::Nmi => format!("an NMI ran {time}{context}"),
        Cause::Gap => format!("{} held the CPU {time}", phrases::HARDWARE),
        Cause::Idle => format!("the CPU was idle {time}"),
        Cause::Task | Cause::Itself | Cause::Unknown => {
            let prio = around.pid(span.task_idx).and_then(|pid| around.prio(pid));
            let prio = prio.map(|prio| format!(" ({})", priority_text(prio))).unwrap_or_default();
            format!("{what}{prio} ran {time}")
        }
    }
}
