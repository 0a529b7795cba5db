//! What trace-cmd's plugins print in place of the kernel's text, under the kernel's field names.

use super::Args;
use super::value::Value;
use crate::events::parse_number;

/// True where `text` is of a plugin's form, and its fields are in `args`.
///
/// Source: trace-cmd 3.1, plugins/plugin_sched_switch.c.
pub fn parse<'a>(event: &str, text: &'a str, args: &mut Args<'a>) -> bool {
    match event {
        "sched_switch" => switch(text, args),
        "sched_wakeup" | "sched_wakeup_new" | "sched_waking" => wakeup(text, args),
        _ => None,
    }
    .is_some()
}

// trace-cmd:4734 [120] R ==> migration/2:18 [0]
fn switch<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    // A comm may hold ` ==> `, but then what is left of it ends in no state after a priority.
    let (prev, prev_state, next) = text.match_indices(" ==> ").find_map(|(at, arrow)| {
        let (left, right) = (text.get(..at)?, text.get(at.checked_add(arrow.len())?..)?);
        let (left, state) = left.rsplit_once(' ')?;
        Some((task(left)?, state, task(right.trim_end())?))
    })?;
    args.push("prev_comm", prev.comm);
    args.push("prev_pid", prev.pid);
    args.push("prev_prio", prev.prio);
    args.push("prev_state", Value::text(prev_state));
    args.push("next_comm", next.comm);
    args.push("next_pid", next.pid);
    args.push("next_prio", next.prio);
    Some(())
}

// ls:4735 [120] success=1 CPU:002
fn wakeup<'a>(text: &'a str, args: &mut Args<'a>) -> Option<()> {
    let close = text.rfind(']')?;
    let (left, right) = (text.get(..=close)?, text.get(close.checked_add(1)?..)?);
    let woken = task(left)?;
    args.push("comm", woken.comm);
    args.push("pid", woken.pid);
    args.push("prio", woken.prio);
    for word in right.split_ascii_whitespace() {
        if let Some(success) = word.strip_prefix("success=") {
            args.push("success", Value::of(success));
        } else if let Some(cpu) = word.strip_prefix("CPU:") {
            args.push("target_cpu", Value::of(cpu));
        }
    }
    Some(())
}

struct Task<'a> {
    comm: Value<'a>,
    pid: Value<'a>,
    prio: Value<'a>,
}

/// `comm:pid [prio]`, where the comm may hold anything.
fn task(text: &str) -> Option<Task<'_>> {
    let (left, prio) = text.strip_suffix(']')?.rsplit_once(" [")?;
    let (comm, pid) = left.rsplit_once(':')?;
    let number = |text| parse_number(text).map(|number| Value { text, number: Some(number) });
    Some(Task { comm: Value::text(comm), pid: number(pid)?, prio: number(prio)? })
}
