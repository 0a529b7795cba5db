//! Sched slices: which task runs on a CPU, from switch-in to switch-out.
//!
//! The idle task gives no slices, so that the busy share of the lane is the load of the CPU.

use std::collections::BTreeMap;

use super::{
    Analysis, AnalysisEntry, Emit, Event, Gap, Slice, SliceFlags, SliceKind, TraceEnd, UnseenSwitch,
};
use crate::events::{Decoded, Role, Switch, SwitchTask};
use crate::model::{Ns, ReadError, TaskRef};

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "sched",
    title: "Running tasks",
    needs: &[&["sched_switch"]],
    roles: &[Role::SchedSwitch],
    start: |_| Box::new(Sched::default()),
};

#[derive(Default)]
struct Sched {
    /// What runs on each CPU; absent where that is not known.
    running: BTreeMap<u16, Running>,
}

#[derive(Clone, Copy)]
struct Running {
    pid: i32,
    task: Option<u32>,
    since_ns: Ns,
}

impl Sched {
    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let prev = task_of(event.cpu, &switch.prev, emit)?;
        let next = task_of(event.cpu, &switch.next, emit)?;
        if let (Some(task), Some(prio)) = (next, switch.next.prio) {
            emit.priority(task, prio);
        }
        let running = Running { pid: switch.next.pid, task: next, since_ns: event.t_ns };
        match self.running.insert(event.cpu, running) {
            Some(running) if running.pid == switch.prev.pid && event.unseen.is_empty() => {
                emit_slice(event.cpu, running, event.t_ns, SliceFlags::default(), emit)
            }
            Some(running) => emit_seen(event, running, emit),
            None => {
                let running = Running { pid: switch.prev.pid, task: prev, since_ns: event.known_since_ns };
                emit_partial(event.cpu, running, event.t_ns, SliceFlags::STARTED_BEFORE, emit)
            }
        }
    }
}

impl Analysis for Sched {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::Switch(switch) => self.switch(event, switch, emit),
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match self.running.remove(&gap.cpu) {
            Some(running) => emit_partial(gap.cpu, running, gap.start_ns, SliceFlags::HAS_GAP, emit),
            None => Ok(()),
        }
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        // A CPU on which nothing more is recorded keeps running the same task.
        for (cpu, running) in std::mem::take(&mut self.running) {
            emit_partial(cpu, running, end.t_ns, SliceFlags::CUT_AT_END, emit)?;
        }
        Ok(())
    }
}

/// Emits what events show to have run on a CPU before it switched away from a task whose own switch is not recorded.
/// Either switches are missing, or the task took over another pid, as a thread does that executes a program.
fn emit_seen(event: &Event<'_>, running: Running, emit: &mut dyn Emit) -> Result<(), ReadError> {
    let (mut running, mut flags) = (running, SliceFlags::HAS_GAP);
    for UnseenSwitch { pid, task, left_ns, since_ns } in event.unseen.iter().copied() {
        // Whoever was switched to had the CPU for a moment at least.
        let left_ns = left_ns.max(running.since_ns + Ns(1)).min(since_ns);
        emit_partial(event.cpu, running, left_ns, flags, emit)?;
        let nobody = Running { pid: -1, task: None, since_ns: left_ns };
        emit_partial(event.cpu, nobody, since_ns, SliceFlags::UNSEEN_RUN, emit)?;
        (running, flags) = (Running { pid, task, since_ns }, SliceFlags::BEGINS_UNSEEN);
    }
    emit_partial(event.cpu, running, event.t_ns, flags, emit)
}

fn task_of(cpu: u16, task: &SwitchTask<'_>, emit: &mut dyn Emit) -> Result<Option<u32>, ReadError> {
    emit.task(cpu, TaskRef { pid: Some(task.pid), comm: task.comm, tgid: None })
}

/// A slice of which one end is not known: nothing, where no time of it is.
fn emit_partial(
    cpu: u16,
    running: Running,
    end_ns: Ns,
    flags: SliceFlags,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    if running.since_ns < end_ns { emit_slice(cpu, running, end_ns, flags, emit) } else { Ok(()) }
}

fn emit_slice(
    cpu: u16,
    running: Running,
    end_ns: Ns,
    flags: SliceFlags,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    if running.pid == 0 {
        return Ok(());
    }
    let slice = Slice::new(SliceKind::Sched, cpu, running.since_ns, end_ns);
    emit.slice(&Slice { task: running.task, flags, ..slice })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn a_stay_lasts_from_switch_in_to_switch_out() {
        check(
            "
            <idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [0] 1.000035: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=R+ ==> next_comm=sh next_pid=7 next_prio=120
            sh-7     [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            expect![[r#"
                sched cpu 0 rt-9 start 0 duration 25000
                sched cpu 0 sh-7 start 25000 duration 5000
            "#]],
        );
    }

    #[test]
    fn what_ran_before_the_first_switch_and_after_the_last_is_marked() {
        check(
            "
            sh-7 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            sh-7 [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
            ab-8 [1] 1.000030: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            ",
            expect![[r#"
                sched cpu 0 sh-7 start 0 duration 10000 started-before
                sched cpu 0 rt-9 start 10000 duration 20000 cut-at-end
            "#]],
        );
    }

    #[test]
    fn a_loss_ends_what_is_known() {
        check(
            "
            <idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            rt-9     [0] 1.000020: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
            LOST     [0]
            rt-9     [0] 1.000050: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
            rt-9     [0] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            expect![[r#"
                sched cpu 0 rt-9 start 0 duration 10000 gap
                sched cpu 0 rt-9 start 40000 duration 10000 started-before
                lost_events: 1 from line 3
            "#]],
        );
    }

    #[test]
    fn a_task_that_was_seen_without_a_switch_to_it_ran_from_then_on() {
        check(
            "
            sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] 1.000020: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            rt-9     [0] 1.000030: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
            rt-9     [0] 1.000050: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            expect![[r#"
                sched cpu 0 start 10000 duration 10000 started-before cut-at-end gap
                sched cpu 0 rt-9 start 20000 duration 20000 started-before gap
            "#]],
        );
    }

    /// 18 of the 20 µs before the account, and one by the interrupt: no event of another task comes in between.
    #[test]
    fn the_account_of_its_time_says_since_when_a_task_ran() {
        check(
            "
            sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            <idle>-0 [0] 1.000020: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
            rt-9     [0] 1.000041: local_timer_entry: vector=236
            rt-9     [0] 1.000042: sched_stat_runtime: comm=rt pid=9 runtime=18000 [ns]
            rt-9     [0] 1.000043: local_timer_exit: vector=236
            rt-9     [0] 1.000050: sched_stat_runtime: comm=rt pid=9 runtime=8000 [ns]
            rt-9     [0] 1.000050: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            expect![[r#"
                sched cpu 0 start 10000 duration 4000 started-before cut-at-end gap
                sched cpu 0 rt-9 start 14000 duration 26000 started-before gap
                irq cpu 0 rt-9 local_timer start 31000 duration 2000
            "#]],
        );
    }

    #[test]
    fn each_task_that_was_seen_in_between_ran_then() {
        check(
            "
            sh-7     [0] 1.000010: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ab-8     [0] 1.000030: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
            ab-8     [0] 1.000040: sched_stat_runtime: comm=ab pid=8 runtime=25000 [ns]
            rt-9     [0] 1.000050: sched_waking: comm=sh pid=7 prio=120 target_cpu=001
            rt-9     [0] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            expect![[r#"
                sched cpu 0 start 1 duration 4999 started-before cut-at-end gap
                sched cpu 0 ab-8 start 5000 duration 25000 started-before gap
                sched cpu 0 start 30000 duration 10000 started-before cut-at-end gap
                sched cpu 0 rt-9 start 40000 duration 10000 started-before gap
            "#]],
        );
    }

    #[test]
    fn a_slice_with_a_switch_missing_is_marked() {
        check(
            "
            <idle>-0 [0] 1.000010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
            sh-7     [0] 1.000035: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ab-8     [0] 1.000045: sched_switch: prev_comm=ab prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            ",
            expect![[r#"
                sched cpu 0 rt-9 start 0 duration 1 gap
                sched cpu 0 start 1 duration 24999 started-before cut-at-end gap
                sched cpu 0 start 25001 duration 9999 started-before cut-at-end gap
            "#]],
        );
    }
}
