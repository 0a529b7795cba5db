//! Involuntary waits: a task that wants to run is switched out, and waits to be switched to again.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::taint::{Mark, Taint};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd};
use crate::events::{Decoded, Switch, WakenTask};
use crate::model::{Limits, Ns, ReadError, TaskRef};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Preempted { max_tasks: limits.max_tasks, ..Preempted::default() })
}

#[derive(Default)]
struct Preempted {
    max_tasks: usize,
    /// Tasks that wait, by pid.
    waiting: HashMap<i32, Wait>,
    /// Moves from queue to queue are recorded.
    tells_moves: bool,
    taint: Taint,
}

#[derive(Clone, Copy)]
struct Wait {
    start_ns: Ns,
    cpu: u16,
    /// Where it waits now.
    queued_on: u16,
    mark: Mark,
    /// It gave the CPU to the idle task.
    is_to_idle: bool,
}

impl Preempted {
    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let wait = self.waiting.remove(&switch.next.pid);
        let is_waiting = switch.prev.pid != 0 && switch.prev_is_runnable();
        let is_room = self.waiting.len() < self.max_tasks || self.waiting.contains_key(&switch.prev.pid);
        let unseen = if is_waiting && is_room {
            let (start_ns, mark) = (event.t_ns, self.taint.mark());
            let (cpu, is_to_idle) = (event.cpu, switch.next.pid == 0);
            let wait = Wait { start_ns, cpu, queued_on: cpu, mark, is_to_idle };
            self.waiting.insert(switch.prev.pid, wait)
        } else {
            self.waiting.remove(&switch.prev.pid)
        };
        // A task that leaves a CPU was on it, though no switch to it was seen.
        if unseen.is_some() {
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
        match wait {
            Some(wait) => self.end(event, switch, wait, emit),
            None => Ok(()),
        }
    }

    fn wake(&mut self, task: &WakenTask<'_>, emit: &mut dyn Emit) {
        let Some(wait) = self.waiting.get(&task.pid) else { return };
        // It was printed by a tool that does not know the state of idle kernel threads (TASK_IDLE): it slept.
        let has_slept = wait.is_to_idle;
        let is_elsewhere = task.target_cpu.is_some_and(|cpu| cpu != i64::from(wait.queued_on));
        if has_slept {
            self.waiting.remove(&task.pid);
        } else if is_elsewhere && self.tells_moves {
            // A waking names the CPU that the task left: it ran and slept there, which was overwritten.
            self.waiting.remove(&task.pid);
            emit.incomplete(&KIND, IncompleteReason::LostEvents);
        }
    }

    fn end(
        &self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        wait: Wait,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if let Some(reason) =
            self.taint.incomplete_between(wait.mark, switch.next.pid, (wait.cpu, wait.start_ns), event)
        {
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        let next = TaskRef { pid: Some(switch.next.pid), comm: switch.next.comm, tgid: None };
        let flags = if wait.cpu == event.cpu { SampleFlags::default() } else { SampleFlags::MIGRATED };
        let task = emit.task(event.cpu, next)?;
        emit.sample(&Sample {
            task,
            start_cpu: Some(wait.cpu),
            flags,
            ..Sample::new(&KIND, event.cpu, wait.start_ns, event.t_ns)
        })
    }
}

impl Analysis for Preempted {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.see(event);
        match &event.decoded {
            Decoded::Switch(switch) => self.switch(event, switch, emit),
            Decoded::Waking(task) => {
                self.wake(task, emit);
                Ok(())
            }
            Decoded::Migration(moved) => {
                self.tells_moves = true;
                if let Some(wait) = self.waiting.get_mut(&moved.pid) {
                    wait.queued_on = moved.cpu;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.gap(gap);
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

    use crate::testing::{check_latencies, measured};

    #[test]
    fn a_task_that_could_go_on_waits_until_it_is_switched_to() {
        check_latencies(
            &["preempted"],
            "
            sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [0] 1.000035: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            sh-7     [0] 1.000040: sched_switch: sh:7 [120] R ==> rt:9 [89]
            <idle>-0 [1] 1.000042: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
            sh-7     [1] 1.000050: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            ",
            expect![[r#"
                preempted cpu 0 sh-7 start 0 duration 25000
                preempted cpu 1 sh-7 start 30000 duration 2000 from cpu 0 migrated
                preempted incomplete: 1 no_end
            "#]],
        );
    }

    #[test]
    fn whoever_left_for_the_idle_task_and_is_woken_has_slept() {
        check_latencies(
            &["preempted"],
            "
            kw-7     [0] 1.000010: sched_switch: prev_comm=kw prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
            sh-8     [1] 1.001000: sched_waking: comm=kw pid=7 prio=120 target_cpu=000
            <idle>-0 [0] 1.001035: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=kw next_pid=7 next_prio=120
            ",
            expect![[r#"
"#]],
        );
    }

    #[test]
    fn whoever_is_woken_on_another_cpu_has_run_and_slept_there() {
        let wait = |moved_to: u16, woken_on: u16| {
            format!(
                "
                <idle>-0 [1] 1.000001: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=30 next_prio=120
                sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
                rt-9     [0] 1.000015: sched_migrate_task: comm=sh pid=7 prio=120 orig_cpu=0 dest_cpu={moved_to}
                ab-8     [2] 1.001000: sched_waking: comm=sh pid=7 prio=120 target_cpu=00{woken_on}
                ab-8     [2] 1.001003: sched_migrate_task: comm=sh pid=7 prio=120 orig_cpu={woken_on} dest_cpu=0
                rt-9     [0] 1.001035: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
                "
            )
        };
        // It may be woken on its way to sleep, from which it was preempted.
        let said = measured(&["preempted", "migration"], &wait(1, 1));
        assert_eq!(said.lines().filter(|line| line.contains("duration")).count(), 2, "{said}");
        let said = measured(&["preempted", "migration"], &wait(1, 2));
        assert!(said.contains("preempted incomplete: 1 lost_events"), "{said}");
        assert!(said.contains("migration incomplete: 1 lost_events"), "{said}");
    }

    #[test]
    fn no_wait_reaches_across_a_loss_on_the_cpu_of_either_end() {
        check_latencies(
            &["preempted"],
            "
            sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            ab-8     [1] 1.000020: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            LOST     [1]
            rt-9     [0] 1.000035: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120
            sh-7     [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            LOST     [0]
            <idle>-0 [1] 1.000050: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
            rt-9     [0] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=R ==> next_comm=ab next_pid=8 next_prio=120
            LOST     [0]
            ab-8     [0] 1.000070: sched_switch: prev_comm=ab prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
            ",
            expect![[r#"
                preempted cpu 0 sh-7 start 0 duration 25000
                preempted incomplete: 2 lost_events
            "#]],
        );
    }

    #[test]
    fn where_a_cpu_cannot_be_read_the_task_may_have_gone_on_there() {
        check_latencies(
            &["preempted"],
            "
            x-7      [0] 1.000010: sched_switch: prev_comm=x prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            y-8      [1] 1.000020: sched_switch: prev_comm=y prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=x next_pid=0 next_prio=120
            CUT [1]
            rt-9     [0] 9.000010: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=R+ ==> next_comm=x next_pid=7 next_prio=120
            x-7      [0] 9.000020: sched_switch: prev_comm=x prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rt next_pid=9 next_prio=89
            ",
            expect![[r#"
                preempted incomplete: 2 lost_events
            "#]],
        );
    }
}
