//! What a tracer's report of a section with interrupts or preemption off says: whose it was, and what took most of it.
//!
//! Source: kernel/trace/trace_irqsoff.c, Linux 6.12.

use std::collections::BTreeMap;

use super::blame::Blame;
use super::call_parts;
use super::case::Case;
use super::headline::Findings;
use super::phrases;
use super::place::NAMELESS;
use super::surroundings::{Seen, Surroundings};
use super::words;
use crate::analyses::{Cause, SampleFlags, SliceKind};
use crate::calls::is_interrupt_entry;
use crate::events::Role;
use crate::model::Flags;

/// The functions that run a vector of softirqs, as stacks name them.
/// Source: calls of open_softirq, Linux 2.6 to 6.18.
const SOFTIRQS: [(&str, &str); 12] = [
    ("rcu_core", "RCU"),
    ("rcu_process_callbacks", "RCU"),
    ("net_rx_action", "NET_RX"),
    ("net_tx_action", "NET_TX"),
    ("run_timer_softirq", "TIMER"),
    ("hrtimer_run_softirq", "HRTIMER"),
    ("tasklet_action", "TASKLET"),
    ("tasklet_hi_action", "HI"),
    ("blk_done_softirq", "BLOCK"),
    ("irq_poll_softirq", "IRQ_POLL"),
    ("run_rebalance_domains", "SCHED"),
    ("sched_balance_softirq", "SCHED"),
];
/// `Interrupts were off`, as `what` says, or that preemption may have been off instead: the `preemptirqsoff` tracer takes the
/// time in which either is, and one of its records, behind the first, shows the other one alone.
pub fn what_was_off(case: &Case<'_>, around: &Surroundings<'_, '_>, what: &'static str) -> &'static str {
    let is_of_both = |event: &Seen<'_>| match case.kind.slice_kind() {
        Some(SliceKind::Irqsoff) => !has(event, Flags::IRQS_OFF),
        _ => Flags(event.flags.cast_unsigned()).preempt_depth() == 0,
    };
    // What comes in the same microsecond as the end may lie behind it, but where the other one is off still.
    let is_off = |event: &Seen<'_>| {
        has(event, Flags::IRQS_OFF) || Flags(event.flags.cast_unsigned()).preempt_depth() > 0
    };
    let middle = |event: &&Seen<'_>| {
        case.start_ns < event.t_ns
            && (event.t_ns < case.end_ns() || event.t_ns == case.end_ns() && is_off(event))
    };
    let mut inside = inside(case, around).filter(|event| middle(event) && has(event, Flags::KNOWN));
    let is_either = case.flags.has(SampleFlags::REPORTED) && inside.any(is_of_both);
    if is_either { "Interrupts or preemption were off" } else { what }
}

/// ` (dd-191)`, or what runs on top of it: ` (softirq RCU on top of dd-191)`.
pub fn owner(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let task = around.task_name(case.task_idx, case.end_ns());
    let events = || inside(case, around);
    let all_have = |bit: u32| events().next().is_some() && events().all(|event| has(event, bit));
    let frames = || {
        // The tracer writes the stack when the section is over.
        let stacks = around.stacks.iter().filter(|stack| stack.t_ns >= case.start_ns);
        stacks.flat_map(|stack| &stack.frames).copied()
    };
    let on_top = |what: String| match &task {
        Some(task) => format!(" ({what} on top of {task})"),
        None => format!(" ({what})"),
    };
    // The section goes on across a switch, and the tracer names whom it ends in.
    let first = || events().next().map(|event| event.task_idx).filter(|idx| *idx != case.task_idx);
    let before = || {
        let idx = first()?;
        if around.is_idle_task(idx) {
            Some("the idle task".to_owned())
        } else {
            around.task_name(idx, case.start_ns)
        }
    };
    if !case.flags.has(SampleFlags::REPORTED) {
        phrases::in_task(case, around)
    } else if let Some((before, after)) =
        before().zip(task.as_ref()).filter(|(before, after)| before != *after)
    {
        format!(" ({before}, then {after})")
    } else if all_have(Flags::HARDIRQ) {
        let name = frames().find(|frame| is_interrupt_entry(frame.as_bytes()));
        on_top(
            name.map_or("an interrupt".to_owned(), |name| {
                format!("interrupt {}", name.trim_start_matches("__"))
            }),
        )
    } else if all_have(Flags::SOFTIRQ) {
        let is_of =
            |frame: &str, function: &str| frame == function || frame.starts_with(&format!("{function}."));
        let name = frames().find_map(|frame| SOFTIRQS.iter().find(|(function, _)| is_of(frame, function)));
        on_top(name.map_or("a softirq".to_owned(), |(_, name)| format!("softirq {name}")))
    } else {
        phrases::in_task(case, around)
    }
}

/// What ran in it: `from a to b, 63 % of it in f ← g`
pub fn clause(findings: &Findings<'_, '_>) -> Option<String> {
    let case = findings.case;
    let is_section = |row: &&Blame<'_>| matches!(row.cause, Cause::Irqsoff | Cause::Preemptoff);
    if !findings.blame.first().is_some_and(|row| is_section(&row)) {
        return findings.largest_cause();
    }
    let interrupted_ns = interrupted_ns(case, findings.around);
    let called = || call_parts::most_of_section(case, findings.around).filter(|part| part.is_most);
    let what = if let Some(part) = called() {
        Some(part.text)
    } else if case.is_most(interrupted_ns) {
        Some(interrupted_for(interrupted_ns))
    } else {
        let rows = findings.blame.iter().filter(is_section);
        let is_news = |row: &&Blame<'_>| case.key != Some(&row.what) && row.what != NAMELESS;
        let rows: Vec<&Blame<'_>> = rows.filter(|row| !row.is_rest() && is_news(row)).collect();
        // Time behind an event is no function's.
        let first = findings.blame.iter().find(|row| case.key == Some(&row.what) && !row.is_rest());
        let first_ns = first.map_or(0, |row| row.duration_ns);
        match (hole(case, findings.around), in_function(&rows, findings)) {
            (None, Some((text, ns))) if ns < first_ns && findings.is_much(first_ns) => {
                Some(format!("{} before the next record, {text}", words::share(first_ns, case.duration_ns)))
            }
            (Some(hole), Some((text, ns))) if hole.is_of_function && hole.ns <= ns => Some(text),
            (Some(hole), _) => Some(hole.text),
            (None, Some((text, ns))) if case.is_most(ns) => Some(text),
            (None, function) => {
                let traced =
                    call_parts::most_of_functions(case, findings.around, inside(case, findings.around));
                let traced = traced.filter(|part| part.is_most).map(|part| part.text);
                traced.or(function.map(|(text, _)| text))
            }
        }
    };
    let parts: Vec<String> = findings.parts.clause.iter().cloned().chain(what).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The function in which most of it went. What follows the entry of a function is its own time or that of its caller:
/// where the functions that one caller called have clearly more than the longest of them, the caller is meant.
fn in_function(rows: &[&Blame<'_>], findings: &Findings<'_, '_>) -> Option<(String, i64)> {
    let caller_of = |what: &str| what.split_once(" ← ").map(|(_, caller)| caller.to_owned());
    // It is no news that the function that began the section called most in it.
    let first = findings.case.key.and_then(caller_of);
    let mut callers: BTreeMap<String, i64> = BTreeMap::new();
    for row in rows {
        if let Some(caller) = caller_of(&row.what).filter(|caller| Some(caller) != first.as_ref()) {
            let total_ns = callers.entry(caller).or_default();
            *total_ns = total_ns.saturating_add(row.duration_ns);
        }
    }
    let longest = rows.iter().max_by_key(|row| row.duration_ns)?;
    let caller = callers.into_iter().max_by_key(|(_, ns)| *ns);
    let clearly_more = |ns: i64| ns.saturating_sub(longest.duration_ns) >= longest.duration_ns.div_euclid(5);
    let (name, ns) = match caller.filter(|(_, ns)| clearly_more(*ns)) {
        Some(caller) => caller,
        None => (longest.what.clone(), longest.duration_ns),
    };
    let share = || words::share(ns, findings.case.duration_ns);
    findings.is_much(ns).then(|| (format!("{} in {}", share(), phrases::without_hook(&name)), ns))
}

/// How long interrupts and softirqs ran on top of what had switched preemption off: between two records that both lie in
/// one. Nothing where the section itself is theirs, or where interrupts are off.
fn interrupted_ns(case: &Case<'_>, around: &Surroundings<'_, '_>) -> i64 {
    let events: Vec<&Seen<'_>> = inside(case, around).collect();
    let is_interrupted = |event: &Seen<'_>| has(event, Flags::HARDIRQ) || has(event, Flags::SOFTIRQ);
    let is_theirs = events.first().is_none_or(|first| is_interrupted(first));
    if is_theirs || case.kind.slice_kind() != Some(SliceKind::Preemptoff) {
        return 0;
    }
    let losses = around.sorted_losses(case.cpu);
    let is_whole = |from_ns: i64, to_ns: i64| {
        let next = losses.get(losses.partition_point(|loss| loss.start_ns < from_ns));
        next.is_none_or(|loss| loss.start_ns >= to_ns)
    };
    let mut depth = 0_usize;
    let pairs = events.windows(2).filter_map(|pair| match pair {
        [one, other] => {
            depth = depth_behind(one, depth);
            let are_inside = is_interrupted(one) && is_interrupted(other) && !are_two_interrupts(one, other);
            let is_part = (depth > 0 || are_inside) && is_whole(one.t_ns, other.t_ns);
            is_part.then(|| other.t_ns.saturating_sub(one.t_ns))
        }
        _ => None,
    });
    pairs.fold(0, i64::saturating_add)
}

/// `interrupts and softirqs ran in it for 18 µs`, where that is a third of a section with preemption off.
pub fn interrupted(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let ns = interrupted_ns(case, around);
    (ns > 0 && ns.saturating_mul(3) >= case.duration_ns).then(|| interrupted_for(ns))
}

fn interrupted_for(ns: i64) -> String {
    format!("interrupts and softirqs ran in it for {}", words::time(ns))
}

/// How many interrupts run on top of each other behind an event: the kernel switches interrupts off at their entry and on
/// again on the way back, as it does for exceptions (kernel/entry/common.c, arch/x86/include/asm/idtentry.h).
fn depth_behind(event: &Seen<'_>, depth: usize) -> usize {
    let is_of_interrupt =
        event.args.contains("parent=sysvec_") || event.args.contains("parent=common_interrupt");
    match event.role.filter(|_| is_of_interrupt) {
        Some(Role::IrqDisable) if event.args.contains("caller=irqentry_enter") => depth.saturating_add(1),
        Some(Role::IrqEnable) if event.args.contains("caller=irqentry_exit") => depth.saturating_sub(1),
        _ => depth,
    }
}

/// The exit of one interrupt and the entry of the next, with no softirq below both: in between lies what they interrupted.
fn are_two_interrupts(one: &Seen<'_>, other: &Seen<'_>) -> bool {
    let is_of_one_softirq = has(one, Flags::SOFTIRQ) && has(other, Flags::SOFTIRQ);
    one.ends_interrupt() && other.begins_interrupt() && other.is_in_hard_interrupt() && !is_of_one_softirq
}

/// Half of a section or more without a record, though there are others than those of its ends.
struct Hole {
    text: String,
    ns: i64,
    /// The first of the records is a function.
    is_of_function: bool,
}

fn hole(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Hole> {
    let events: Vec<&Seen<'_>> = inside(case, around).collect();
    let [begin, end] = [events.first()?, events.last()?];
    // The tracer may count from before its first record.
    let before_ns = begin.t_ns.saturating_sub(case.start_ns);
    if case.is_most(before_ns) {
        let text = format!("{} of it before the first record", words::time(before_ns));
        return Some(Hole { text, ns: before_ns, is_of_function: false });
    }
    let gap = |pair: &&[&Seen<'_>]| match pair {
        [one, other] => other.t_ns.saturating_sub(one.t_ns),
        _ => 0,
    };
    let widest = events.windows(2).max_by_key(gap)?;
    let [one, other] = widest else { return None };
    let is_function = |event: &Seen<'_>| around.event_name(event) == "function";
    let name = |event: &Seen<'_>| match is_function(event) {
        true => event.args.split(" <-").next().unwrap_or_default().to_owned(),
        false => around.event_name(event).to_owned(),
    };
    // Each end may have several records, which say where it is.
    let is_at = |event: &Seen<'_>, of: &Seen<'_>| {
        event.seq == of.seq || caller(event).is_some() && caller(event) == caller(of)
    };
    let is_between_ends = is_at(one, begin) && is_at(other, end);
    let ns = gap(&widest);
    let text =
        || format!("nothing recorded for {} between {} and {}", words::time(ns), name(one), name(other));
    let is_told = case.is_most(ns) && !is_between_ends;
    is_told.then(|| Hole { text: text(), ns, is_of_function: is_function(one) })
}

/// `dput`, from which the function of a record was called.
fn caller<'a>(event: &Seen<'a>) -> Option<&'a str> {
    event.args.split_once(" <-").map(|(_, caller)| caller)
}

fn inside<'s, 'a>(case: &Case<'_>, around: &'s Surroundings<'_, 'a>) -> impl Iterator<Item = &'s Seen<'a>> {
    let (cpu, reach) = (case.cpu, case.start_ns..=case.end_ns());
    let events = around.events.iter();
    // The mark of a stack follows the section.
    events
        .filter(move |event| event.cpu == cpu && reach.contains(&event.t_ns) && event.args != "<stack trace>")
}

fn has(event: &Seen<'_>, bit: u32) -> bool {
    Flags(event.flags.cast_unsigned()).has(bit)
}

#[cfg(test)]
mod tests {
    use crate::testing::explain::headlines;

    /// A section of 60 µs with preemption off, in which the timer's interrupt, and what runs on its way out, takes so long.
    fn interrupted_for(us: u32) -> String {
        headlines(
            &format!(
                "
                sh-7 [0] 1.000000: preempt_disable: caller=_raw_spin_lock+0x2a parent=get_partial_node+0x39
                sh-7 [0] 1.000002: irq_disable: caller=irqentry_enter+0x2e parent=sysvec_apic_timer_interrupt+0x13
                sh-7 [0] 1.000003: local_timer_entry: vector=236
                sh-7 [0] 1.000005: local_timer_exit: vector=236
                sh-7 [0] 1.000006: irq_enable: caller=handle_softirqs+0xa7 parent=irq_exit_rcu+0xb8
                sh-7 [0] 1.{:06}: irq_disable: caller=handle_softirqs+0x322 parent=irq_exit_rcu+0xb8
                sh-7 [0] 1.{:06}: irq_enable: caller=irqentry_exit+0x40 parent=sysvec_apic_timer_interrupt+0x87
                sh-7 [0] 1.000060: preempt_enable: caller=_raw_spin_unlock+0x28 parent=get_partial_node+0x9b
                ",
                1 + us,
                2 + us
            ),
            "preemptoff",
        )
    }

    #[test]
    fn interrupts_that_take_a_third_of_a_section_are_told() {
        let told = interrupted_for(50);
        assert!(told.ends_with(": interrupts and softirqs ran in it for 50 µs\n"), "{told}");
        let told = interrupted_for(15);
        assert!(!told.contains("ran in it"), "{told}");
    }
}
