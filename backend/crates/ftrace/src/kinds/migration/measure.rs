//! Migration latency: from the migration of a waiting task to its run on the destination CPU.

use hashbrown::{HashMap, HashSet};

use super::KIND;
use crate::analyses::on_cpu::OnCpu;
use crate::analyses::taint::{Mark, Taint};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd};
use crate::events::{Decoded, Switch};
use crate::model::{Limits, Ns, ReadError, TaskRef};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Migration { max_tasks: limits.max_tasks, ..Migration::default() })
}

#[derive(Default)]
struct Migration {
    max_tasks: usize,
    /// Tasks that were moved and have not run since, by pid.
    waiting: HashMap<i32, Wait>,
    /// Tasks that sleep. Since Linux 6.12 a sleeper may stay in its queue for a while (delayed dequeue), from which the
    /// load balancer takes it along.
    asleep: HashSet<i32>,
    /// Where wakings are not recorded, nothing shows when a sleep ended.
    tells_wakings: bool,
    on_cpu: OnCpu,
    taint: Taint,
}

#[derive(Clone, Copy)]
struct Wait {
    start_ns: Ns,
    /// Where the migration was recorded.
    recorded_on: u16,
    /// The first destination, and the last.
    first_cpu: u16,
    cpu: u16,
    mark: Mark,
}

impl Migration {
    fn migrate(&mut self, event: &Event<'_>, pid: i32, cpu: u16) {
        if let Some(wait) = self.waiting.get_mut(&pid) {
            wait.cpu = cpu;
            return;
        }
        // A task that runs is not moved: a switch was not recorded.
        if self.on_cpu.is_anywhere(pid) || self.asleep.contains(&pid) || self.waiting.len() >= self.max_tasks
        {
            return;
        }
        let (start_ns, recorded_on, mark) = (event.t_ns, event.cpu, self.taint.mark());
        self.waiting.insert(pid, Wait { start_ns, recorded_on, first_cpu: cpu, cpu, mark });
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        self.on_cpu.switch(event.cpu, switch.next.pid);
        self.asleep.remove(&switch.next.pid);
        if self.tells_wakings && !switch.prev_is_runnable() && self.asleep.len() < self.max_tasks {
            self.asleep.insert(switch.prev.pid);
        }
        let wait = self.waiting.remove(&switch.next.pid);
        // A task that leaves a CPU was on it, though no switch to it was seen.
        if self.waiting.remove(&switch.prev.pid).is_some() {
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
        match wait {
            Some(wait) => self.end(event, switch, wait, emit),
            None => Ok(()),
        }
    }

    fn end(
        &self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        wait: Wait,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let lost = {
            let start = (wait.recorded_on, wait.start_ns);
            self.taint.incomplete_between(wait.mark, switch.next.pid, start, event)
        };
        // A task that runs elsewhere was moved once more, which was not recorded.
        let elsewhere = (wait.cpu != event.cpu).then_some(IncompleteReason::NoEnd);
        if let Some(reason) = lost.or(elsewhere) {
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        let next = TaskRef { pid: Some(switch.next.pid), comm: switch.next.comm, tgid: None };
        let flags = if wait.first_cpu == wait.cpu { SampleFlags::default() } else { SampleFlags::MIGRATED };
        let task = emit.task(event.cpu, next)?;
        emit.sample(&Sample {
            task,
            start_cpu: Some(wait.first_cpu),
            flags,
            ..Sample::new(&KIND, event.cpu, wait.start_ns, event.t_ns)
        })
    }
}

impl Analysis for Migration {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::Switch(switch) => {
                self.taint.see(event);
                return self.switch(event, switch, emit);
            }
            Decoded::Waking(task) => {
                self.tells_wakings = true;
                self.asleep.remove(&task.pid);
                let queued_on = self.waiting.get(&task.pid).map(|wait| i64::from(wait.cpu));
                // A waking names the CPU that the task left: it ran and slept there, which was overwritten.
                if queued_on.zip(task.target_cpu).is_some_and(|(queued_on, left)| queued_on != left) {
                    self.waiting.remove(&task.pid);
                    emit.incomplete(&KIND, IncompleteReason::LostEvents);
                }
            }
            Decoded::Migration(migration) => {
                self.taint.see(event);
                self.migrate(event, migration.pid, migration.cpu);
            }
            _ => {}
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.gap(gap);
        self.on_cpu.forget(gap.cpu);
        self.asleep.clear();
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for _ in self.waiting.values() {
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;
    use crate::testing::explain::check;

    /// Woken on CPU 0 and pushed to CPU 1, where a task of lower priority runs on for a while.
    const PUSHED: &str = "
        sh-7     [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
        a-3      [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        a-3      [0] 1.000012: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
        a-3      [0] 1.000013: sched_wakeup: comm=rt pid=9 prio=89 target_cpu=001
        sh-7     [1] 1.000037: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
        ";

    #[test]
    fn a_woken_task_that_is_moved_waits_until_it_runs_there() {
        check_latencies(
            &["migration"],
            PUSHED,
            expect![[r#"
            migration cpu 1 rt-9 start 12000 duration 25000
        "#]],
        );
        check(
            PUSHED,
            "migration",
            expect![[r#"
                rt-9 waited 25 µs for CPU 1 after its migration: sh-7 (nice 0) could not be preempted for 24 µs
                  migration -> wakeup: 1000
                  wakeup -> switch: 24000
                  task sh-7: 25000, nice 0, pid 7, from 12000, longest 25000
                  handler (recorded) 1000: the wakeup and the switch themselves took 1.0 µs
                  not_preemptible (inferred) 24000: sh-7 (nice 0) could not be preempted for 24 µs
                  behind: sh-7 (nice 0) ran for 37 µs
            "#]],
        );
    }

    #[test]
    fn a_task_that_is_moved_again_goes_on_waiting() {
        let text = "
            b-2      [1] 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=120
            rt-9     [0] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=120 prev_state=R+ ==> next_comm=c next_pid=3 next_prio=89
            c-3      [0] 1.000020: sched_migrate_task: comm=rt pid=9 prio=120 orig_cpu=0 dest_cpu=1
            <idle>-0 [2] 1.000050: sched_migrate_task: comm=rt pid=9 prio=120 orig_cpu=1 dest_cpu=2
            <idle>-0 [2] 1.000060: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=120
            ";
        check_latencies(
            &["migration"],
            text,
            expect![[r#"
            migration cpu 2 rt-9 start 20000 duration 40000 from cpu 1 migrated
        "#]],
        );
        check(
            text,
            "migration",
            expect![[r#"
                rt-9 was moved to CPU 1 and on to CPU 2, and waited 40 µs: behind b-2 (nice 0) for 30 µs on CPU 1
                  migration -> migration: 30000
                  migration -> switch: 10000
                  task b-2: 30000 on cpu 1, nice 0, pid 2, from 20000, longest 30000
                  unknown not recorded: 10000, from 50000, longest 10000
                  fair_share (recorded) 30000: behind b-2 (nice 0) for 30 µs
                  handler +migration (recorded) 10000: the wakeup and the switch themselves took 10 µs
                  behind: b-2 (nice 0) ran for at least 60 µs
            "#]],
        );
    }

    #[test]
    fn a_sleeper_that_is_taken_along_does_not_wait() {
        check_latencies(
            &["migration"],
            "
            b-2      [0] 1.000000: sched_waking: comm=c pid=3 prio=120 target_cpu=000
            rt-9     [1] 1.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=c next_pid=3 next_prio=120
            b-2      [0] 1.000020: sched_migrate_task: comm=rt pid=9 prio=120 orig_cpu=1 dest_cpu=0
            c-3      [1] 1.006000: sched_waking: comm=rt pid=9 prio=120 target_cpu=000
            b-2      [0] 1.006010: sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=120
            ",
            expect![[r#"
"#]],
        );
    }

    #[test]
    fn a_move_without_a_run_on_its_destination_gives_no_number() {
        check_latencies(
            &["migration"],
            "
            b-4      [1] 0.999000: sched_waking: comm=a pid=3 prio=120 target_cpu=000
            a-3      [0] 1.000000: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=0 dest_cpu=1
            <idle>-0 [2] 1.000010: sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            a-3      [0] 1.000015: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=2 dest_cpu=1
            rt-9     [2] 1.000020: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=R ==> next_comm=swapper/2 next_pid=0 next_prio=120
            a-3      [0] 1.000030: sched_migrate_task: comm=rt pid=9 prio=89 orig_cpu=2 dest_cpu=1
            LOST     [1]
            <idle>-0 [1] 1.000040: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            a-3      [0] 1.000050: sched_migrate_task: comm=sh pid=7 prio=120 orig_cpu=0 dest_cpu=1
            ",
            expect![[r#"
                migration incomplete: 1 lost_events
                migration incomplete: 1 unrecorded
                migration incomplete: 1 no_end
            "#]],
        );
    }
}
