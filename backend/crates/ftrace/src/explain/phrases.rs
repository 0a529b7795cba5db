//! What headlines name: tasks, keys, contexts.

use super::case::Case;
use super::surroundings::{Surroundings, is_nowhere};

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
    around.task_name(case.task_idx).map(|task| format!(" ({task})")).unwrap_or_default()
}

/// The symbol of a case: an interrupt, a function, a caller.
pub fn key<'a>(case: &Case<'a>) -> &'a str {
    let key = case.key.filter(|key| !key.is_empty()).unwrap_or(case.latency().name);
    if is_nowhere(key) { UNKNOWN_FUNCTION } else { key }
}
