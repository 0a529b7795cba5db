//! `sched_waking`, `sched_wakeup` and `sched_wakeup_new`, in the forms of the kernel and of trace-cmd's
//! plugin.

use memchr::memmem;

use super::fields::{after_key, leading_number, number};
use super::switch::plugin_task;

/// The task that is woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WakenTask<'a> {
    pub comm: &'a [u8],
    pub pid: i32,
    pub prio: Option<i32>,
    /// The CPU on whose queue it is put.
    pub target_cpu: Option<i64>,
}

/// The woken task in printed arguments; `None` where they are of no known form.
///
/// Source: include/trace/events/sched.h, Linux 6.12; trace-cmd 3.1, plugin_sched_switch.c.
pub fn parse(args: &[u8]) -> Option<WakenTask<'_>> {
    kernel_form(args).or_else(|| plugin_form(args)).or_else(|| fields_in_any_order(args))
}

// comm=rt pid=9 prio=89 target_cpu=001, before Linux 4.3 with success=1 after the priority
fn kernel_form(args: &[u8]) -> Option<WakenTask<'_>> {
    let args = args.strip_prefix(b"comm=")?;
    memmem::rfind_iter(args, b" pid=").find_map(|at| {
        let (comm, rest) = args.split_at_checked(at)?;
        let (pid, rest) = leading_number(rest.strip_prefix(b" pid=")?)?;
        let (prio, rest) = leading_number(rest.strip_prefix(b" prio=")?)?;
        Some(WakenTask {
            comm,
            pid: i32::try_from(pid).ok()?,
            prio: i32::try_from(prio).ok(),
            target_cpu: number(rest, b"target_cpu"),
        })
    })
}

// rt:9 [89] CPU:001
fn plugin_form(args: &[u8]) -> Option<WakenTask<'_>> {
    let (task, rest) = plugin_task(args)?;
    let target_cpu = memmem::find(rest, b"CPU:").and_then(|at| rest.get(at.saturating_add(4)..));
    let target_cpu = target_cpu.and_then(leading_number).map(|(cpu, _)| cpu);
    Some(WakenTask { comm: task.comm, pid: task.pid, prio: task.prio, target_cpu })
}

/// What the `fields` option prints: the fields in the record's order, or in reverse.
fn fields_in_any_order(args: &[u8]) -> Option<WakenTask<'_>> {
    let comm = after_key(args, b"comm")?;
    // The comm ends where the next key begins.
    let equals = memchr::memchr(b'=', comm).unwrap_or(comm.len());
    let (text, _) = comm.split_at_checked(equals)?;
    let end = if equals < comm.len() { memchr::memrchr(b' ', text)? } else { text.len() };
    Some(WakenTask {
        comm: text.get(..end)?,
        pid: i32::try_from(number(args, b"pid")?).ok()?,
        prio: number(args, b"prio").and_then(|prio| i32::try_from(prio).ok()),
        target_cpu: number(args, b"target_cpu"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, expected: Option<&str>) {
        let actual = parse(args.as_bytes()).map(|task| {
            let comm = String::from_utf8_lossy(task.comm);
            format!("{comm}|{}|{:?} to {:?}", task.pid, task.prio, task.target_cpu)
        });
        assert_eq!(actual.as_deref(), expected, "{args}");
    }

    #[test]
    fn the_kernel_prints_names_and_values() {
        check("comm=rt pid=9 prio=89 target_cpu=001", Some("rt|9|Some(89) to Some(1)"));
        check("comm=rt pid=9 prio=89 success=1 target_cpu=001", Some("rt|9|Some(89) to Some(1)"));
        check("comm=a pid=7 pid=9 prio=89 target_cpu=001", Some("a pid=7|9|Some(89) to Some(1)"));
        check("comm=rt", None);
    }

    #[test]
    fn the_plugin_of_trace_cmd_and_the_fields_option_say_the_same() {
        check("rt:9 [89] CPU:001", Some("rt|9|Some(89) to Some(1)"));
        check("rt:9 [89]<CANT FIND FIELD success> CPU:003", Some("rt|9|Some(89) to Some(3)"));
        check("target_cpu=0x1 (1) prio=0x59 (89) pid=0x9 (9) comm=rt b", Some("rt b|9|Some(89) to Some(1)"));
    }
}
