//! What headlines name: tasks, keys, contexts.

use super::case::Case;
use super::surroundings::{Seen, Surroundings, is_nowhere};
use crate::analyses::SampleFlags;
use crate::model::Flags;

/// What runs where no function lies.
pub const UNKNOWN_FUNCTION: &str = "an unknown function";
/// What takes a CPU without the kernel's knowledge.
pub const HARDWARE: &str = "hardware or a hypervisor";

/// The task of a case inside a sentence.
pub fn task(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    around.task_name(case.task_idx).unwrap_or_else(|| "an unknown task".to_owned())
}

/// The task of a case at the beginning of a sentence: names from the trace keep their case.
pub fn subject(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let task = task(case, around);
    let is_named = case.comm.is_some_and(|comm| !comm.is_empty() && task.starts_with(comm));
    let mut characters = task.chars();
    match characters.next().filter(|_| !is_named) {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => task,
    }
}

/// ` (dd-191)`, where the task is known.
pub fn in_task(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let Some(task) = around.task_name(case.task_idx) else { return String::new() };
    match case.flags.has(SampleFlags::REPORTED).then(|| interrupted(case, around)).flatten() {
        Some(context) => format!(" ({context} on top of {task})"),
        None => format!(" ({task})"),
    }
}

/// In what the section of a report lay that both its ends show: the task under it did nothing.
fn interrupted(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<&'static str> {
    let mut inside = around
        .events
        .iter()
        .filter(|event| event.cpu == case.cpu && (case.start_ns..=case.end_ns()).contains(&event.t_ns));
    let context = |event: &Seen<'_>| match Flags(event.flags.cast_unsigned()) {
        flags if flags.has(Flags::NMI) => None,
        flags if flags.has(Flags::HARDIRQ) => Some("an interrupt"),
        flags if flags.has(Flags::SOFTIRQ) => Some("a softirq"),
        _ => None,
    };
    let first = context(inside.next()?)?;
    let last = context(inside.next_back()?)?;
    (first == last).then_some(first)
}

/// The symbol of a case: an interrupt, a function, a caller.
pub fn key<'a>(case: &Case<'a>) -> &'a str {
    let key = case.key.filter(|key| !key.is_empty()).unwrap_or(case.latency().name);
    if is_nowhere(key) { UNKNOWN_FUNCTION } else { key }
}
