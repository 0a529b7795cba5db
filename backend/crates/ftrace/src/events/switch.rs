//! `sched_switch`, in the forms of the kernel and of trace-cmd's plugin.

use memchr::memmem;

use super::fields::{after_key, leading_number, number, word};
use crate::model::idle_task_cpu;

/// A task as a switch names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchTask<'a> {
    pub comm: &'a [u8],
    pub pid: i32,
    /// The kernel's priority; 120 is nice 0. `None` where the file does not say.
    pub prio: Option<i32>,
}

impl SwitchTask<'_> {
    /// The CPU whose idle task this is, where its name says so: `swapper/3`.
    /// Source: init_idle in kernel/sched/core.c, Linux 2.6.38 to 7.3.
    pub fn idle_cpu(&self) -> Option<u16> {
        idle_task_cpu(self.comm).filter(|_| self.pid == 0)
    }
}

/// A CPU goes over from `prev` to `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch<'a> {
    pub prev: SwitchTask<'a>,
    /// What `prev` is from now on: `R`, `R+` (preempted), `S`, `D`, `D|K` ...
    pub prev_state: &'a [u8],
    pub next: SwitchTask<'a>,
}

impl Switch<'_> {
    /// True where `prev` wants the CPU back: it was preempted, or gave way.
    ///
    /// The `raw`, `hex` and `fields` options print the state as a number, whose low byte is zero then.
    pub fn prev_is_runnable(&self) -> bool {
        match leading_number(self.prev_state) {
            Some((state, _)) => state & 0xff == 0,
            None => self.prev_state.starts_with(b"R"),
        }
    }
}

/// The switch in printed arguments; `None` where they are of no known form.
///
/// A comm may hold anything, also text that looks like the fields after it, but only 15 bytes of it.
/// Source: include/trace/events/sched.h, Linux 6.12; trace-cmd 3.1, plugin_sched_switch.c.
pub fn parse(args: &[u8]) -> Option<Switch<'_>> {
    kernel_form(args).or_else(|| plugin_form(args)).or_else(|| fields_in_any_order(args))
}

// prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
fn kernel_form(args: &[u8]) -> Option<Switch<'_>> {
    let args = args.strip_prefix(b"prev_comm=")?;
    let (prev, rest) = memmem::find_iter(args, b" prev_pid=").find_map(|at| task_at(args, at, b"prev"))?;
    let rest = rest.strip_prefix(b" prev_state=")?;
    let (prev_state, rest) = rest.split_at_checked(memchr::memchr(b' ', rest)?)?;
    let rest = rest.strip_prefix(b" ==> next_comm=").or_else(|| rest.strip_prefix(b" next_comm="))?;
    let (next, _) = memmem::rfind_iter(rest, b" next_pid=").find_map(|at| task_at(rest, at, b"next"))?;
    Some(Switch { prev, prev_state, next })
}

/// The task whose comm ends at `comm_end`, and what follows its priority.
fn task_at<'a>(text: &'a [u8], comm_end: usize, side: &[u8]) -> Option<(SwitchTask<'a>, &'a [u8])> {
    let (comm, rest) = text.split_at_checked(comm_end)?;
    let (pid, rest) = key_number(rest, side, b"_pid=")?;
    let (prio, rest) = key_number(rest, side, b"_prio=")?;
    Some((SwitchTask { comm, pid, prio: Some(prio) }, rest))
}

fn key_number<'a>(text: &'a [u8], side: &[u8], key: &[u8]) -> Option<(i32, &'a [u8])> {
    let text = text.strip_prefix(b" ")?.strip_prefix(side)?.strip_prefix(key)?;
    let (value, rest) = leading_number(text)?;
    Some((i32::try_from(value).ok()?, rest))
}

// trace-cmd:4734 [120] R ==> migration/2:18 [0]
fn plugin_form(args: &[u8]) -> Option<Switch<'_>> {
    memmem::find_iter(args, b" ==> ").find_map(|at| {
        let (left, right) = args.split_at_checked(at)?;
        let right = right.strip_prefix(b" ==> ")?;
        let state_at = memchr::memrchr(b' ', left)?;
        let (left, prev_state) = left.split_at_checked(state_at)?;
        let prev = plugin_task(left).filter(|(_, rest)| rest.is_empty())?.0;
        let (next, _) = plugin_task(right)?;
        Some(Switch { prev, prev_state: prev_state.get(1..)?, next })
    })
}

/// The last `comm:pid [prio]` in `text`, which begins with its comm, and what follows it.
pub(super) fn plugin_task(text: &[u8]) -> Option<(SwitchTask<'_>, &[u8])> {
    memchr::memrchr_iter(b':', text).find_map(|colon| {
        let (comm, rest) = text.split_at_checked(colon)?;
        let (pid, rest) = leading_number(rest.get(1..)?)?;
        let (prio, rest) = leading_number(rest.strip_prefix(b" [")?)?;
        let task = SwitchTask { comm, pid: i32::try_from(pid).ok()?, prio: i32::try_from(prio).ok() };
        Some((task, rest.strip_prefix(b"]")?))
    })
}

/// What the `fields` option prints: the fields in the record's order, or in reverse, without an arrow.
fn fields_in_any_order(args: &[u8]) -> Option<Switch<'_>> {
    let task = |comm, pid, prio| {
        let pid = i32::try_from(number(args, pid)?).ok()?;
        let prio = number(args, prio).and_then(|prio| i32::try_from(prio).ok());
        let comm = after_key(args, comm)?;
        // The comm ends where the next key begins.
        let equals = memchr::memchr(b'=', comm).unwrap_or(comm.len());
        let (text, _) = comm.split_at_checked(equals)?;
        let end = if equals < comm.len() { memchr::memrchr(b' ', text)? } else { text.len() };
        Some(SwitchTask { comm: text.get(..end)?, pid, prio })
    };
    Some(Switch {
        prev: task(b"prev_comm".as_slice(), b"prev_pid".as_slice(), b"prev_prio".as_slice())?,
        prev_state: word(args, b"prev_state").unwrap_or_default(),
        next: task(b"next_comm".as_slice(), b"next_pid".as_slice(), b"next_prio".as_slice())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, expected: Option<&str>) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let task = |task: SwitchTask<'_>| format!("{}|{}|{:?}", text(task.comm), task.pid, task.prio);
        let actual = parse(args.as_bytes()).map(|switch| {
            format!("{} {} > {}", task(switch.prev), text(switch.prev_state), task(switch.next))
        });
        assert_eq!(actual.as_deref(), expected, "{args}");
    }

    #[test]
    fn the_kernel_prints_names_and_values() {
        check(
            "prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt a next_pid=9 next_prio=89",
            Some("sh|7|Some(120) R+ > rt a|9|Some(89)"),
        );
        check(
            "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=1024 next_comm=dl next_pid=9 next_prio=-1",
            Some("swapper/0|0|Some(120) 1024 > dl|9|Some(-1)"),
        );
        check("prev_comm=sh prev_pid=7", None);
    }

    #[test]
    fn a_comm_that_looks_like_fields_is_a_comm() {
        check(
            "prev_comm=a prev_pid=9 prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=1 next_pid=2 next_prio=3",
            Some("a prev_pid=9|7|Some(120) S > b next_pid=1|2|Some(3)"),
        );
        check(
            "prev_comm= ==> next_comm= prev_pid=7 prev_prio=120 prev_state=S ==> next_comm= next_pid=2 next_prio=3",
            Some(" ==> next_comm=|7|Some(120) S > |2|Some(3)"),
        );
    }

    #[test]
    fn the_plugin_of_trace_cmd_is_read_from_its_end() {
        check(
            "trace-cmd:4734 [120] R ==> migration/2:18 [0]",
            Some("trace-cmd|4734|Some(120) R > migration/2|18|Some(0)"),
        );
        check(
            "a:1 [2] S:7 [120] D|K ==> kworker/u4:1:33 [120] Latency: 1.500 usecs",
            Some("a:1 [2] S|7|Some(120) D|K > kworker/u4:1|33|Some(120)"),
        );
    }

    #[test]
    fn the_fields_option_prints_any_order() {
        check(
            "next_prio=0x78 (120) next_pid=0x9 (9) next_comm=rt b prev_state=0x1 prev_prio=0x78 (120) prev_pid=0x7 (7) prev_comm=sh",
            Some("sh|7|Some(120) 0x1 > rt b|9|Some(120)"),
        );
    }
}
