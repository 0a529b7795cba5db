//! Calls by the records of the function tracer, which say who called a function, but not when it returned.

use super::tree::{Call, Part, Tree, by_function};
use crate::explain::Case;
use crate::explain::surroundings::{Seen, Surroundings};

/// With fewer records than this, the time between them says little of who had it.
const MIN_RECORDS: usize = 8;

/// No stack of the kernel is as deep.
const MAX_OPEN: usize = 256;

/// A function that has not been seen to return.
struct Open<'s> {
    name: &'s str,
    start_ns: i64,
}

/// The function into which most of a section went, by the records of functions in it: a function has returned when a
/// function records itself as called by somebody else.
pub fn most_of_functions<'s>(
    case: &Case<'_>,
    around: &Surroundings<'_, '_>,
    events: impl Iterator<Item = &'s Seen<'s>>,
) -> Option<Part> {
    let mut open: Vec<Open<'s>> = Vec::new();
    let mut all: Vec<Call<'s>> = Vec::new();
    let mut task_idx = None;
    let mut records = 0_usize;
    for event in events.filter(|event| around.event_name(event) == "function") {
        let Some((name, caller)) = event.args.split_once(" <-") else { continue };
        records = records.saturating_add(1);
        // A caller that is none of the open functions was inlined, or is not traced: the innermost one called it.
        let is_other = task_idx.replace(event.task_idx).is_some_and(|before| before != event.task_idx);
        let at = open.iter().rposition(|open| open.name == caller).filter(|_| !is_other);
        let is_leaf = |open: &Open<'_>| is_of_lock(open.name);
        let kept = match at {
            Some(at) => at.saturating_add(1),
            None if is_other || open.len() >= MAX_OPEN => 0,
            None => open.len().saturating_sub(usize::from(open.last().is_some_and(is_leaf))),
        };
        close(&mut open, kept, event.t_ns, &mut all);
        if at.is_none() {
            open.push(Open { name: caller, start_ns: event.t_ns });
        }
        open.push(Open { name, start_ns: event.t_ns });
    }
    close(&mut open, 0, case.end_ns(), &mut all);
    let outermost = by_function(all.iter().filter(|call| call.depth == 0));
    let tree = Tree { case, all: &all, usual_ns: &|_| None };
    tree.deepest(false, outermost).filter(|_| records >= MIN_RECORDS)
}

/// Ends all but the outermost `kept` of them.
fn close<'s>(open: &mut Vec<Open<'s>>, kept: usize, end_ns: i64, all: &mut Vec<Call<'s>>) {
    while open.len() > kept
        && let Some(Open { name, start_ns }) = open.pop()
    {
        let depth = i32::try_from(open.len()).unwrap_or(i32::MAX);
        all.push(Call { name, symbol_idx: None, start_ns, end_ns, depth });
    }
}

/// Functions that take and release locks call nothing that is worth a name.
fn is_of_lock(name: &str) -> bool {
    ["_lock", "_unlock", "preempt_count_"].iter().any(|part| name.contains(part))
}
