//! Who had a CPU whose switches are not recorded, by the tasks that its events name.

use hashbrown::HashMap;

use super::{Recorded, Seen};
use crate::analyses::{SliceFlags, SliceKind};
use crate::events::{Decoded, Role};
use crate::explain::span::Span;

/// Where wakings are not recorded either, a task may have slept between two of its events that are further apart: two ticks
/// of the slowest that kernels have, 100 Hz.
const LONGEST_SILENCE_NS: i64 = 20_000_000;

/// A task that a CPU was last seen to run.
#[derive(Clone, Copy)]
struct Open {
    task_idx: i32,
    start_ns: i64,
    last_ns: i64,
    /// What its last event was.
    last_role: Option<Role>,
    is_in_call: bool,
}

impl Open {
    /// True for the end of a system call of which nothing else is recorded: the task may have slept in it.
    fn is_whole_call(&self, end: &Seen<'_>) -> bool {
        self.last_role == Some(Role::SyscallEnter) && end.role == Some(Role::SyscallExit)
    }
}

/// Runs of tasks on CPUs whose switches are not recorded. Each lasts from the first of a task's consecutive events on a CPU to
/// the last, and is cut where another task had to wake it. What happened between one task's events and the next's is unknown.
pub fn runs_by_events<'a>(recorded: &Recorded<'a>, events: &[Seen<'a>]) -> Vec<Span<'a>> {
    if events.iter().all(|event| recorded.switched_cpus.contains(&event.cpu)) {
        return Vec::new();
    }
    let tells_wakings = ["sched_waking", "sched_wakeup"].iter().any(|name| recorded.type_idx(name).is_some());
    let mut open: HashMap<i16, Open> = HashMap::new();
    let mut runs = Vec::new();
    for event in events {
        // Whoever is woken by another task sleeps or waits; which CPU it was on last does not matter.
        if let Some(woken) = woken(recorded, event) {
            let sleeps = |of: &Open| pid(recorded, of.task_idx) == Some(woken);
            for (cpu, ended) in open.extract_if(|cpu, of| *cpu != event.cpu && sleeps(of)) {
                runs.extend(run(recorded, cpu, ended));
            }
        }
        if recorded.switched_cpus.contains(&event.cpu) {
            continue;
        }
        let last = open.remove(&event.cpu);
        let goes_on = |last: &Open| {
            let is_awake = tells_wakings
                || !last.is_in_call && event.t_ns.saturating_sub(last.last_ns) <= LONGEST_SILENCE_NS;
            last.task_idx == event.task_idx && is_awake && !last.is_whole_call(event)
        };
        let same = last.filter(goes_on);
        if same.is_none() {
            runs.extend(last.and_then(|last| run(recorded, event.cpu, last)));
        }
        let is_in_call = match event.role {
            Some(Role::SyscallEnter) => true,
            Some(Role::SyscallExit) => false,
            _ => same.is_some_and(|same| same.is_in_call),
        };
        let start_ns = same.map_or(event.t_ns, |same| same.start_ns);
        let (task_idx, last_ns, last_role) = (event.task_idx, event.t_ns, event.role);
        open.insert(event.cpu, Open { task_idx, start_ns, last_ns, last_role, is_in_call });
    }
    runs.extend(open.into_iter().filter_map(|(cpu, last)| run(recorded, cpu, last)));
    runs
}

/// The pid of the task that an event of another one wakes.
fn woken(recorded: &Recorded<'_>, event: &Seen<'_>) -> Option<i32> {
    let (Decoded::Waking(task) | Decoded::Wakeup(task)) = event.scheduled()? else { return None };
    (pid(recorded, event.task_idx) != Some(task.pid)).then_some(task.pid)
}

fn pid(recorded: &Recorded<'_>, task_idx: i32) -> Option<i32> {
    recorded.tasks.get(task_idx)?.pid
}

/// Of the idle task, an idle state.
fn run<'a>(recorded: &Recorded<'_>, cpu: i16, open: Open) -> Option<Span<'a>> {
    let kind = match pid(recorded, open.task_idx)? {
        0 => SliceKind::Idle,
        _ => SliceKind::Sched,
    };
    let duration_ns = open.last_ns.saturating_sub(open.start_ns);
    (duration_ns > 0).then_some(Span {
        kind,
        start_ns: open.start_ns,
        end_ns: open.last_ns,
        self_ns: duration_ns,
        cpu,
        task_idx: open.task_idx,
        symbol_idx: -1,
        depth: 0,
        flags: SliceFlags::BEGINS_UNSEEN,
        args: "",
    })
}

#[cfg(test)]
mod tests {
    use crate::explain::why::Link;
    use crate::testing::explain::explain_all;

    /// How long `mid-8` had the CPU on which another task starts its timer 3 ms after the expiry, by the events in between.
    /// Nothing is recorded of switches.
    fn ran_ns(inside: &str) -> i64 {
        let text = format!(
            "
            sh-5  [1] 1.000010: sched_waking: comm=mid pid=8 prio=59 target_cpu=000
            {inside}
            low-7 [0] 1.004000: hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires=1000000 softexpires=1000000
            low-7 [0] 1.004010: hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now=4005000
            low-7 [0] 1.004012: hrtimer_expire_exit: hrtimer=00000000000000aa
            "
        );
        let mut found_ns = 0;
        explain_all(
            &text,
            |name| name == "timer",
            |_, explanation, around| {
                let links = explanation.why.iter().flat_map(|link| &link.deeper);
                let of_task = links.filter(|link| {
                    link.subject.is_some_and(|subject| subject.name(around, link.end_ns) == "mid-8")
                });
                found_ns += of_task.map(Link::duration_ns).sum::<i64>();
            },
        );
        found_ns
    }

    #[test]
    fn a_task_that_all_events_of_a_cpu_name_had_that_cpu() {
        let found_ns = ran_ns(
            "
            mid-8 [0] 1.001010: print: x
            mid-8 [0] 1.002000: print: x
            mid-8 [0] 1.003900: print: x
            ",
        );
        assert_eq!(found_ns, 2_890_000);
    }

    #[test]
    fn what_may_have_slept_did_not_run() {
        // In a system call of which nothing but the ends is known.
        let in_call = ran_ns(
            "
            mid-8 [0] 1.001010: sys_enter_clock_nanosleep: which_clock: 0x00000001
            mid-8 [0] 1.003900: sys_exit_clock_nanosleep: 0x0
            ",
        );
        assert_eq!(in_call, 0);
        // Somebody else had to wake it.
        let woken = ran_ns(
            "
            mid-8 [0] 1.001010: print: x
            sh-5  [1] 1.003890: sched_waking: comm=mid pid=8 prio=59 target_cpu=000
            mid-8 [0] 1.003900: print: x
            ",
        );
        assert_eq!(woken, 0);
    }
}
