//! What happened until the task of a reported wakeup ran, by the records of the tracer: interrupts, the switch itself,
//! and what the tracer took for its own records.
//!
//! Source: kernel/trace/trace_sched_wakeup.c, trace_stack in kernel/trace/trace.c, Linux 6.12.

use std::collections::BTreeMap;
use std::ops::Range;

use super::case::Case;
use super::surroundings::{Seen, Surroundings};
use super::words;
use crate::calls::is_interrupt_entry;

/// The timers that give deadline tasks and bandwidth groups their runtime back.
const REPLENISHERS: [&str; 3] = ["dl_task_timer", "sched_rt_period_timer", "sched_cfs_period_timer"];

/// What a stretch between two records of one CPU was spent on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spent {
    /// In an interrupt, or several of one name.
    Interrupt(Option<String>),
    /// Unwinding a stack, whose mark follows it.
    StackTrace,
    /// In the scheduler, on the way to another task.
    Switching,
    Otherwise,
}

/// The largest number of things that a headline names.
const MAX_NAMED: usize = 3;

/// The clause of a headline: what took most of it, where that is no task's own work. As many as make up half of it.
pub fn clause(case: &Case<'_>, around: &Surroundings<'_, '_>, is_idle: bool) -> Option<String> {
    let inside = |event: &&Seen<'_>| (case.start_ns..=case.end_ns()).contains(&event.t_ns);
    let events: Vec<&Seen<'_>> =
        around.events.iter().filter(|event| event.cpu == case.cpu).filter(inside).collect();
    if is_idle {
        return replenished(case, &events);
    }
    let mut spent: BTreeMap<Spent, i64> = BTreeMap::new();
    let scheduled = events.iter().position(|event| is_switching(event.args)).unwrap_or(events.len());
    let losses = around.sorted_losses(case.cpu);
    let is_whole = |from_ns: i64, to_ns: i64| {
        losses
            .get(losses.partition_point(|loss| loss.start_ns < from_ns))
            .is_none_or(|loss| loss.start_ns >= to_ns)
    };
    let mut interrupt = 0..0;
    let mut name = None;
    for (at, pair) in events.windows(2).enumerate() {
        let [event, next] = pair else { continue };
        let what = match () {
            () if !is_whole(event.t_ns, next.t_ns) => Spent::Otherwise,
            () if next.args == "<stack trace>" => Spent::StackTrace,
            () if event.is_in_hard_interrupt() && next.is_in_hard_interrupt() => {
                if !interrupt.contains(&at) {
                    let rest = events.get(at..).unwrap_or_default();
                    let count = rest.iter().take_while(|event| event.is_in_hard_interrupt()).count();
                    interrupt = at..at.saturating_add(count);
                    name = entry(&events, &interrupt, around);
                }
                Spent::Interrupt(name.clone())
            }
            () if scheduled <= at => Spent::Switching,
            () => Spent::Otherwise,
        };
        let total_ns = spent.entry(what).or_default();
        *total_ns = total_ns.saturating_add(next.t_ns.saturating_sub(event.t_ns));
    }
    let mut spent: Vec<(Spent, i64)> = spent.into_iter().collect();
    spent.sort_by_key(|(_, ns)| -*ns);
    spent.first().filter(|(what, _)| *what != Spent::Otherwise)?;
    let mut told = Vec::new();
    let mut told_ns = 0_i64;
    // Less than a tenth explains nothing.
    let is_much = |ns: i64| ns >= case.duration_ns.div_euclid(10);
    let named = spent.iter().filter(|(what, ns)| *what != Spent::Otherwise && is_much(*ns));
    for (what, ns) in named.take(MAX_NAMED) {
        told.extend(what.sentence(*ns));
        told_ns = told_ns.saturating_add(*ns);
        if case.is_most(told_ns) {
            break;
        }
    }
    (!told.is_empty()).then(|| told.join(", "))
}

impl Spent {
    fn sentence(&self, ns: i64) -> Option<String> {
        let time = words::time(ns);
        match self {
            Spent::Interrupt(Some(name)) => Some(format!("interrupt {name} ran for {time}")),
            Spent::Interrupt(None) => Some(format!("an interrupt ran for {time}")),
            Spent::StackTrace => Some(format!("the tracer's own stack traces took {time}")),
            Spent::Switching => Some(format!("the switch itself took {time}")),
            Spent::Otherwise => None,
        }
    }
}

/// A function of the scheduler's own, or the tracer's record of the switch.
fn is_switching(args: &str) -> bool {
    args.contains(" ==> [") || args.split(" <-").any(|function| function == "__schedule")
}

/// The entry of the interrupt that these records lie in: called just outside or inside of it, or in a stack.
fn entry(events: &[&Seen<'_>], at: &Range<usize>, around: &Surroundings<'_, '_>) -> Option<String> {
    // `__sysvec_apic_timer_interrupt` is the inside of `sysvec_apic_timer_interrupt`.
    let entry =
        |name: &&str| is_interrupt_entry(name.as_bytes()).then(|| name.trim_start_matches("__").to_owned());
    let beside = at.start.saturating_sub(1)..at.end.saturating_add(1).min(events.len());
    let all = beside.clone().zip(events.get(beside)?);
    // The next entry enters the next section.
    let own = all.filter(|(place, event)| *place < at.end || !event.args.starts_with("irq_enter"));
    let called = own.flat_map(|(_, event)| event.args.split(" <-")).find_map(|name| entry(&name));
    let inside = events.get(at.clone())?;
    let (start_ns, end_ns) = (inside.first()?.t_ns, inside.last()?.t_ns);
    let stacks = around.stacks.iter().filter(|stack| (start_ns..=end_ns).contains(&stack.t_ns));
    called.or_else(|| stacks.flat_map(|stack| &stack.frames).find_map(entry))
}

/// An idle CPU beside a task that may run: it had used up its runtime, until a timer gave it some.
fn replenished(case: &Case<'_>, events: &[&Seen<'_>]) -> Option<String> {
    let found = events.iter().find_map(|event| {
        let mut functions = event.args.split(" <-");
        let timer = functions.find(|name| REPLENISHERS.contains(name))?;
        Some((timer, event.t_ns.saturating_sub(case.start_ns)))
    });
    let (timer, after_ns) = found.filter(|(_, after_ns)| case.is_most(*after_ns))?;
    Some(format!("it had used up its runtime, until {timer} gave it more after {}", words::time(after_ns)))
}
