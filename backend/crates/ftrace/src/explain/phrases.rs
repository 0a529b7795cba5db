//! What headlines name: tasks, keys, contexts.

use super::case::Case;
use super::surroundings::{Surroundings, is_nowhere};

/// What runs where no function lies.
pub const UNKNOWN_FUNCTION: &str = "an unknown function";
/// What takes a CPU without the kernel's knowledge.
pub const HARDWARE: &str = "hardware or a hypervisor";

/// The task of a case inside a sentence.
pub fn task(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    around.task_name(case.task_idx, case.end_ns()).unwrap_or_else(|| "an unknown task".to_owned())
}

/// The task of a case at the beginning of a sentence: names from the trace keep their case.
pub fn subject(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let task = task(case, around);
    let comm = around.comm_at(case.task_idx, case.end_ns());
    let is_named = comm.is_some_and(|comm| !comm.is_empty() && task.starts_with(comm));
    let mut characters = task.chars();
    match characters.next().filter(|_| !is_named) {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => task,
    }
}

/// ` (dd-191)`, where the task is known.
pub fn in_task(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    around.task_name(case.task_idx, case.end_ns()).map(|task| format!(" ({task})")).unwrap_or_default()
}

/// The symbol of a case: an interrupt, a function, a caller.
pub fn key<'a>(case: &Case<'a>) -> &'a str {
    let key = case.key.filter(|key| !key.is_empty()).unwrap_or(case.latency().name);
    if is_nowhere(key) { UNKNOWN_FUNCTION } else { without_hook(key) }
}

/// `f` of `trace_hardirqs_off ← f`: what the tracer measures with is no place in the code that it measures.
pub fn without_hook(place: &str) -> &str {
    match place.split_once(" ← ") {
        Some((function, caller)) if is_hook(function) && !is_nowhere(caller) => caller,
        _ => place,
    }
}

/// Source: kernel/trace/trace_preemptirq.c and trace_irqsoff.c, arch/x86/entry/thunk.S, Linux 2.6 to 6.18.
fn is_hook(function: &str) -> bool {
    let hooks = [
        "trace_hardirqs_o",
        "tracer_hardirqs_o",
        "time_hardirqs_o",
        "trace_preempt_o",
        "tracer_preempt_o",
        "start_critical_timing",
        "stop_critical_timing",
    ];
    hooks.iter().any(|hook| function.starts_with(hook))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tracer_measures_with_is_no_place() {
        for hook in
            ["trace_hardirqs_off", "trace_hardirqs_off_thunk", "tracer_preempt_off", "stop_critical_timings"]
        {
            assert_eq!(without_hook(&format!("{hook} ← do_it")), "do_it");
            assert_eq!(without_hook(&format!("do_it ← {hook}")), format!("do_it ← {hook}"));
            assert_eq!(without_hook(hook), hook);
        }
        for place in ["do_it ← its_caller", "trace_event_raw_event_x ← do_it", "do_it"] {
            assert_eq!(without_hook(place), place);
        }
    }
}
