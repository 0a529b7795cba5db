//! Tasks that were sent to a CPU of which nothing is recorded, as in the recording of a single CPU: what they do there, and
//! when they stop doing it, no record says.

use hashbrown::HashMap;

use super::Event;
use crate::events::Decoded;
use crate::model::Ns;

/// The largest number of tasks that are followed.
const MAX_TASKS: usize = 1 << 15;

#[derive(Default)]
pub struct Strays {
    /// By CPU: some event of it was recorded.
    recorded: Vec<bool>,
    tasks: HashMap<i32, Stray>,
}

struct Stray {
    cpu: u16,
    /// When it was sent to a CPU that is recorded.
    until_ns: Option<Ns>,
}

impl Strays {
    /// Takes note of where tasks are sent: to a CPU of which nothing is recorded, or back.
    pub fn event(&mut self, event: &Event<'_>) {
        let at = usize::from(event.cpu);
        if self.recorded.len() <= at {
            self.recorded.resize(at.saturating_add(1), false);
        }
        if let Some(is_recorded) = self.recorded.get_mut(at) {
            *is_recorded = true;
        }
        match &event.decoded {
            Decoded::Wakeup(task) => {
                if let Some(cpu) = task.target_cpu.and_then(|cpu| u16::try_from(cpu).ok()) {
                    self.send(task.pid, cpu, event.t_ns);
                }
            }
            Decoded::Migration(migration) => self.send(migration.pid, migration.cpu, event.t_ns),
            _ => {}
        }
    }

    fn send(&mut self, pid: i32, cpu: u16, t_ns: Ns) {
        if self.is_recorded(cpu) {
            if let Some(stray) = self.tasks.get_mut(&pid).filter(|stray| stray.until_ns.is_none()) {
                stray.until_ns = Some(t_ns);
            }
        } else if self.tasks.len() < MAX_TASKS || self.tasks.contains_key(&pid) {
            self.tasks.insert(pid, Stray { cpu, until_ns: None });
        }
    }

    fn is_recorded(&self, cpu: u16) -> bool {
        self.recorded.get(usize::from(cpu)).copied().unwrap_or(false)
    }

    /// True where a task may have run since `start_ns` on a CPU of which nothing is recorded so far.
    pub fn was_away(&self, pid: i32, start_ns: Ns) -> bool {
        let is_unseen = |stray: &&Stray| !self.is_recorded(stray.cpu);
        let stray = self.tasks.get(&pid).filter(is_unseen);
        stray.is_some_and(|stray| stray.until_ns.is_none_or(|until_ns| start_ns < until_ns))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    #[test]
    fn what_a_task_did_on_a_cpu_that_is_not_recorded_is_not_waiting() {
        check_latencies(
            &["wakeup", "preempted", "migration", "syscall"],
            "
            sh-7     [1] 1.000000: sys_enter: NR 1 (1, 2, 3, 4, 5, 6)
            sh-7     [1] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [1] 1.000020: sched_migrate_task: comm=sh pid=7 prio=120 orig_cpu=1 dest_cpu=0
            rt-9     [1] 1.000025: sched_waking: comm=ab pid=8 prio=120 target_cpu=001
            rt-9     [1] 1.000030: sched_wakeup: comm=ab pid=8 prio=120 target_cpu=000
            rt-9     [1] 1.009000: sched_migrate_task: comm=sh pid=7 prio=120 orig_cpu=0 dest_cpu=1
            rt-9     [1] 1.009010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            sh-7     [1] 1.009020: sys_exit: NR 1 = 1
            sh-7     [1] 1.009030: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=ab next_pid=8 next_prio=120
            ab-8     [1] 1.009040: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
            ab-8     [1] 1.009050: sched_switch: prev_comm=ab prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            ",
            expect![[r#"
                wakeup cpu 1 sh-7 start 9040000 duration 10000 slept 10000
                wakeup incomplete: 1 unrecorded
                preempted incomplete: 1 unrecorded
                migration incomplete: 1 unrecorded
                syscall incomplete: 1 unrecorded
            "#]],
        );
    }

    #[test]
    fn a_cpu_that_was_silent_until_now_is_recorded() {
        check_latencies(
            &["wakeup"],
            "
            rt-9     [1] 1.000025: sched_waking: comm=ab pid=8 prio=120 target_cpu=001
            rt-9     [1] 1.000030: sched_wakeup: comm=ab pid=8 prio=120 target_cpu=000
            <idle>-0 [0] 1.000040: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ab next_pid=8 next_prio=120
            ",
            expect![[r#"
                wakeup cpu 0 ab-8 start 0 duration 15000 from cpu 1
            "#]],
        );
    }
}
