//! Arguments without the names of tasks in them, which may hold anything: blanks, brackets, `=` and arrows.
//!
//! The form of a line shows damage only where it does not depend on the name of a task.

use std::borrow::Cow;

use super::scan;

/// `args` with every task's name taken out: `comm= pid=18`, `:18 [120] R ==> :0 [120]`, `:234 start 1.2 duration 3 ns`.
pub fn unnamed(args: &[u8]) -> Cow<'_, [u8]> {
    if let Some(at) = memchr::memmem::find(args, b"comm=") {
        return fields(args, at);
    }
    if let Some(woken) = woken(args) {
        return Cow::Owned(woken);
    }
    if let Some((prev, next)) = scan::split_once(args, b" ==> ")
        && let (Some(prev), Some(next)) = (behind_name(prev), behind_name(next))
    {
        return Cow::Owned([prev, b" ==> ", next].concat());
    }
    match memchr::memmem::find(args, b" start ").and_then(|at| args.split_at_checked(at)) {
        Some((who, when)) => match memchr::memrchr(b':', who).and_then(|at| who.split_at_checked(at)) {
            Some((name, pid)) if name.len() <= MAX_INTERRUPT_BYTES => Cow::Owned([pid, when].concat()),
            _ => Cow::Borrowed(args),
        },
        None => Cow::Borrowed(args),
    }
}

/// The first name begins after `comm=` at `first`. Most names are a word, which says nothing of the form.
fn fields(args: &[u8], first: usize) -> Cow<'_, [u8]> {
    let mut left = Vec::new();
    let mut is_plain = true;
    let mut rest = args;
    let mut next = Some(first);
    while let Some(at) = next {
        let (before, behind) = rest.split_at_checked(at.saturating_add(COMM.len())).unwrap_or((rest, b""));
        let (name, behind) = behind.split_at_checked(length(before, behind)).unwrap_or_default();
        is_plain &=
            name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/'));
        left.push(before);
        rest = behind;
        next = memchr::memmem::find(rest, COMM);
    }
    if is_plain {
        return Cow::Borrowed(args);
    }
    left.push(rest);
    Cow::Owned(left.concat())
}

/// The length of the name that begins `text`: it ends at the process's number, `pid=` after `comm=` and `prev_pid=`
/// after `prev_comm=`. The kernel keeps few bytes of a name, and some of them may be like a field.
fn length(before: &[u8], text: &[u8]) -> usize {
    let key = before.get(..before.len().saturating_sub(COMM.len())).unwrap_or_default();
    let prefix = key.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    let is_end = |at: &usize| {
        let pid = text.get(at.saturating_add(1)..).and_then(|pid| pid.strip_prefix(prefix));
        pid.is_some_and(|pid| pid.starts_with(b"pid="))
    };
    let blanks = memchr::memchr_iter(b' ', text).take_while(|at| *at <= MAX_NAME_BYTES);
    blanks.filter(is_end).last().unwrap_or(0)
}

const COMM: &[u8] = b"comm=";
/// Drivers give their interrupts names as short as this.
const MAX_INTERRUPT_BYTES: usize = 32;
/// Source: include/linux/sched.h (`TASK_COMM_LEN`), Linux 2.6 to 7.3.
const MAX_NAME_BYTES: usize = 15;

/// A task that trace-cmd's plugin says to be woken, `my [task] 3:18 [120] CPU:000`, without its name.
fn woken(args: &[u8]) -> Option<Vec<u8>> {
    let digits = args.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, cpu) = args.split_at_checked(args.len().saturating_sub(digits))?;
    let task = before.strip_suffix(b" CPU:").filter(|_| digits > 0)?;
    Some([behind_name(task)?, b" CPU:", cpu].concat())
}

/// What follows the name in `my [task] 3:18 [120] R`; `None` where it is no task of trace-cmd's plugins.
fn behind_name(task: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memrchr(b':', task)?;
    let behind = task.get(colon..)?;
    let (pid, prio) = scan::digits(behind.get(1..)?);
    (!pid.is_empty() && prio.starts_with(b" [")).then_some(behind)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::super::reader;
    use super::super::test_log::Log;
    use super::*;
    use crate::model::Limits;

    #[test]
    fn names_are_taken_out() {
        for (args, expected) in [
            ("comm=my [task] 3 pid=18 prio=120", "comm= pid=18 prio=120"),
            ("comm=a=b pid=1 pid=18 prio=120", "comm= pid=18 prio=120"),
            (
                "prev_comm=( prev_pid=7 ==> next_comm=a:1 next_pid=9",
                "prev_comm= prev_pid=7 ==> next_comm= next_pid=9",
            ),
            ("my [task] 3:18 [120] R ==> x: y:0 [120]", ":18 [120] R ==> :0 [120]"),
            ("b=b=[:18 [120] CPU:000", ":18 [120] CPU:000"),
            ("b=b=[:18 [120] success=1 CPU:000", ":18 [120] success=1 CPU:000"),
            ("a [b] 1:2:234 start 1.2 duration 3 ns", ":234 start 1.2 duration 3 ns"),
            ("irq=3 name=eth0", "irq=3 name=eth0"),
            ("comm=gone", "comm=gone"),
        ] {
            assert_eq!(String::from_utf8_lossy(&unnamed(args.as_bytes())), expected);
        }
    }

    /// Switches to and fro between a task and another one, and its wakeups, as tracefs or trace-cmd prints them.
    fn recording(name: &str, is_report: bool) -> String {
        let mut text = String::new();
        for number in 0..8 {
            let at = 100_000 + 10 * number;
            let (event, args) = match (is_report, number % 2) {
                (false, 0) => (
                    "sched_switch: ",
                    format!(
                        "prev_comm={name} prev_pid=18 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120"
                    ),
                ),
                (false, _) => ("sched_waking: ", format!("comm={name} pid=18 prio=120 target_cpu=000")),
                (true, 0) => ("sched_switch:         ", format!("{name}:18 [120] S ==> sh:7 [120]")),
                (true, _) => ("sched_waking:         ", format!("{name}:18 [120] CPU:000")),
            };
            writeln!(text, "{name:>16}-18      [000] d..2.     1.{at}: {event}{args}").unwrap();
        }
        text
    }

    proptest! {
        /// For a recording without a header, in which nothing says how many records there are. Names begin with no mark
        /// that is taken for that of a quote, a comment or a number of the line.
        #[test]
        fn no_name_of_a_task_makes_a_record_look_lost(
            name in "[a-c(\\[]([a-c0-3 \\[\\](){}<>:=#|/.+~-]{0,13}[a-c0-3\\[\\](){}<>:=|/.+~-])?",
            is_report: bool,
        ) {
            let mut log = Log::default();
            reader::read(&mut recording(&name, is_report).as_bytes(), &Limits::default(), &mut log).unwrap();
            for sign in ["! odd_fields", "! second_record", "! unparsed_lines", "loss"] {
                prop_assert!(!log.text.contains(sign), "{}", log.text);
            }
        }
    }
}
