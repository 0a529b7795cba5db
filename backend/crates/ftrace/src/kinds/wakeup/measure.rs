//! Wakeup latency: from a task's waking to the switch to it.

use hashbrown::HashMap;

use super::KIND;
use crate::analyses::cpu_power::CpuPower;
use crate::analyses::on_cpu::OnCpu;
use crate::analyses::taint::{Mark, Taint};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd, reports};
use crate::events::{Decoded, Switch, SwitchTask, WakenTask};
use crate::model::{Limits, Ns, ReadError, TaskRef};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Wakeup { max_tasks: limits.max_tasks, ..Wakeup::default() })
}

#[derive(Default)]
struct Wakeup {
    max_tasks: usize,
    tasks: HashMap<i32, Known>,
    on_cpu: OnCpu,
    /// Gaps so far. What was known of a task before the last one is forgotten, except that it waits: any task
    /// may have been switched on the CPU of the gap, and those that wait are judged when they run.
    gap_count: u64,
    /// At how many gaps those that are forgotten were last removed, and tasks that were set since.
    forgotten_at: u64,
    set_count: usize,
    taint: Taint,
    power: CpuPower,
}

/// What is known of a task, and since how many gaps.
#[derive(Clone, Copy)]
struct Known {
    state: State,
    gap_count: u64,
}

#[derive(Clone, Copy)]
enum State {
    Running,
    /// Switched out; runnable, or asleep since then.
    Out {
        slept_since_ns: Option<Ns>,
    },
    Woken(Waking),
}

#[derive(Clone, Copy)]
struct Waking {
    start_ns: Ns,
    /// Where it is to run, as the scheduler chose: `sched_wakeup` says so.
    target_cpu: Option<u16>,
    waker_cpu: u16,
    slept_since_ns: Option<Ns>,
    from_wakeup: bool,
    mark: Mark,
}

impl Wakeup {
    fn wake(&mut self, event: &Event<'_>, task: WakenTask<'_>, from_wakeup: bool) {
        let chosen = || task.target_cpu.and_then(|cpu| u16::try_from(cpu).ok()).filter(|_| from_wakeup);
        let slept_since_ns = match self.state_of(task.pid) {
            Some(State::Woken(waking)) if waking.target_cpu.is_none() => {
                return self.set(task.pid, State::Woken(Waking { target_cpu: chosen(), ..waking }));
            }
            // A task that still runs is not kept waiting; a second waking keeps the first start.
            Some(State::Running | State::Woken(_)) => return,
            Some(State::Out { slept_since_ns }) => slept_since_ns,
            None => None,
        };
        let waking = Waking {
            start_ns: event.t_ns,
            target_cpu: chosen(),
            waker_cpu: event.cpu,
            slept_since_ns,
            from_wakeup,
            mark: self.taint.mark(),
        };
        self.set(task.pid, State::Woken(waking));
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if switch.prev.pid != 0 {
            // A task that leaves a CPU was on it, though no switch to it was seen: it did not wait until now.
            if let Some(State::Woken(_)) = self.state_of(switch.prev.pid) {
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
            }
            let slept_since_ns = (!switch.prev_is_runnable()).then_some(event.t_ns);
            self.set(switch.prev.pid, State::Out { slept_since_ns });
        }
        self.leave_unseen(event.cpu, switch);
        if switch.next.pid == 0 {
            return Ok(());
        }
        let before = self.state_of(switch.next.pid);
        self.set(switch.next.pid, State::Running);
        match before {
            Some(State::Woken(waking)) => self.end(event, switch.next, waking, emit),
            _ => Ok(()),
        }
    }

    /// A task that begins or ends a system call runs, though no switch to it was seen: it does not wait any longer.
    fn see_running(&mut self, event: &Event<'_>, emit: &mut dyn Emit) {
        let Some(pid) = event.pid.filter(|pid| matches!(self.state_of(*pid), Some(State::Woken(_)))) else {
            return;
        };
        emit.incomplete(&KIND, IncompleteReason::NoEnd);
        self.set(pid, State::Running);
    }

    /// Another task leaves the CPU than the one that was switched to: when that one left was not seen.
    fn leave_unseen(&mut self, cpu: u16, switch: &Switch<'_>) {
        let Some(pid) = self.on_cpu.switch(cpu, switch.next.pid) else { return };
        if pid != switch.prev.pid
            && matches!(self.state_of(pid), Some(State::Running))
            && !self.on_cpu.is_anywhere(pid)
        {
            self.tasks.remove(&pid);
        }
    }

    fn end(
        &mut self,
        event: &Event<'_>,
        task: SwitchTask<'_>,
        waking: Waking,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if let Some(reason) =
            self.taint.incomplete_between(waking.mark, task.pid, (waking.waker_cpu, waking.start_ns), event)
        {
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        let task = emit.task(event.cpu, TaskRef { pid: Some(task.pid), comm: task.comm, tgid: None })?;
        let mut flags = SampleFlags::default();
        if waking.target_cpu.is_some_and(|cpu| cpu != event.cpu) {
            flags = flags.with(SampleFlags::MIGRATED);
        }
        if waking.from_wakeup {
            flags = flags.with(SampleFlags::FROM_WAKEUP);
        }
        emit.sample(&Sample {
            task,
            start_cpu: Some(waking.waker_cpu),
            flags,
            sleep_ns: waking.slept_since_ns.map(|since_ns| waking.start_ns - since_ns),
            frequency_khz: self.power.frequency_khz(event.cpu),
            idle_state: self.power.idle_state(event.cpu, waking.start_ns),
            ..Sample::new(&KIND, event.cpu, waking.start_ns, event.t_ns)
        })
    }

    fn state_of(&self, pid: i32) -> Option<State> {
        self.tasks.get(&pid).filter(|known| known.is_current(self.gap_count)).map(|known| known.state)
    }

    fn set(&mut self, pid: i32, state: State) {
        let gap_count = self.gap_count;
        let is_full = self.tasks.len() >= self.max_tasks && !self.tasks.contains_key(&pid);
        // Not for each task that comes when the table is full: a gap a line would make that quadratic.
        if is_full && self.forgotten_at < gap_count && self.set_count >= self.max_tasks / 2 {
            self.tasks.retain(|_, known| known.is_current(gap_count));
            (self.forgotten_at, self.set_count) = (gap_count, 0);
        }
        if !is_full || self.tasks.len() < self.max_tasks {
            self.tasks.insert(pid, Known { state, gap_count });
            self.set_count = self.set_count.saturating_add(1);
        }
    }
}

impl Known {
    fn is_current(&self, gap_count: u64) -> bool {
        self.gap_count == gap_count || matches!(self.state, State::Woken(_))
    }
}

impl Analysis for Wakeup {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.see(event);
        match &event.decoded {
            Decoded::Switch(switch) => self.switch(event, switch, emit),
            Decoded::Waking(task) => {
                self.wake(event, *task, false);
                Ok(())
            }
            Decoded::Wakeup(task) => {
                self.wake(event, *task, true);
                Ok(())
            }
            Decoded::SyscallEnter { .. } | Decoded::SyscallExit { .. } => {
                self.see_running(event, emit);
                Ok(())
            }
            _ => {
                self.power.event(event);
                Ok(())
            }
        }
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.gap(gap);
        self.power.gap(gap.cpu);
        self.on_cpu.forget(gap.cpu);
        self.gap_count = self.gap_count.saturating_add(1);
        Ok(())
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for known in self.tasks.values() {
            if let State::Woken(_) = known.state {
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
            }
        }
        reports::emit_wakeups(&KIND, &end.reports, emit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_past_the_limit_take_the_place_of_forgotten_ones() {
        let mut wakeup = Wakeup { max_tasks: 4, ..Wakeup::default() };
        for pid in 1..=4 {
            wakeup.set(pid, State::Running);
        }
        wakeup.set(5, State::Running);
        assert!(wakeup.state_of(5).is_none());
        wakeup.gap_count = 1;
        wakeup.set(6, State::Running);
        assert!(wakeup.state_of(1).is_none() && wakeup.state_of(6).is_some());
        assert_eq!(wakeup.tasks.len(), 1);
    }
}
