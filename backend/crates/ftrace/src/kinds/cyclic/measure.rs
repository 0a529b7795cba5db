//! Cyclic latency: from the expiry that a sleeper asked for to the sleeper being back. It is the number
//! that cyclictest reports, rebuilt from events.

use hashbrown::{HashMap, HashSet};

use super::KIND;
use super::handlers::{Handler, Handlers};
use super::sleeper::{Arrival, Progress, Sleeper};
use crate::analyses::armed_timers::{ArmedTimers, Expired, WAKING_HANDLER};
use crate::analyses::cpu_power::CpuPower;
use crate::analyses::on_cpu::OnCpu;
use crate::analyses::starts::Starts;
use crate::analyses::taint::Taint;
use crate::analyses::timer_passes::{TimerPasses, is_hard};
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, TraceEnd};
use crate::events::{Decoded, Switch, TimerExpiry, TimerStart, WakenTask};
use crate::model::{Limits, ReadError, TaskRef};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Cyclic {
        max_tasks: limits.max_tasks,
        timers: ArmedTimers::new(limits.max_tasks),
        passes: TimerPasses::default(),
        starts: Starts::new(limits.max_tasks),
        handlers: Handlers::default(),
        sleepers: HashMap::new(),
        interrupted: HashMap::new(),
        waits: HashMap::new(),
        callers: HashSet::new(),
        has_wakings: false,
        on_cpu: OnCpu::default(),
        taint: Taint::default(),
        power: CpuPower::default(),
    })
}

struct Cyclic {
    max_tasks: usize,
    /// Timers of sleepers.
    timers: ArmedTimers,
    passes: TimerPasses,
    starts: Starts,
    handlers: Handlers,
    /// Tasks that were woken and are not back, by pid.
    sleepers: HashMap<i32, Sleeper>,
    /// By CPU, the sleeper that is in the interrupt of its own timer, or after it on the way to the scheduler.
    interrupted: HashMap<u16, Interrupted>,
    /// The timer that each task started last in its system call, by pid, until it expires.
    waits: HashMap<i32, u64>,
    /// Tasks whose system calls are recorded: they are back when the call returns.
    callers: HashSet<i32>,
    /// Every waking has an event of its own, in the context of who wakes.
    has_wakings: bool,
    on_cpu: OnCpu,
    taint: Taint,
    power: CpuPower,
}

/// A sleeper whose timer's interrupt came before it could leave the CPU.
#[derive(Clone, Copy)]
struct Interrupted {
    pid: i32,
    timer: u64,
    step: Step,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// In the interrupt; this many have begun since and are not over.
    Inside(u32),
    /// The interrupt is over, and the scheduler will run before the task is back in user space.
    ToScheduler,
}

impl Cyclic {
    fn start(
        &mut self,
        event: &Event<'_>,
        start: &TimerStart<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if !may_wake(start.function) {
            return Ok(());
        }
        self.timers.start(event, start);
        if start.function == WAKING_HANDLER
            && self.waits.len() < self.max_tasks
            && let Some(pid) = event.pid
        {
            self.waits.insert(pid, start.timer);
        }
        // Who goes to sleep again was back before.
        self.is_busy_again(event, emit)
    }

    fn expire(&mut self, event: &Event<'_>, expiry: &TimerExpiry<'_>, emit: &mut dyn Emit) {
        let first_ns = self.passes.first_ns(event.cpu, expiry.now_ns, event.t_ns, is_hard(event.flags));
        // Other handlers are kept, too: tasks that they wake are not the outer timer's.
        let mut expired = None;
        if may_wake(expiry.function) {
            match self.timers.expire(event, expiry) {
                Ok(found) => expired = Some(found),
                Err(reason) if expiry.function == WAKING_HANDLER => emit.incomplete(&KIND, reason),
                Err(_) => {}
            }
        }
        if let Some(pid) = expired.and_then(|expired| expired.armed_by) {
            self.waits.remove(&pid);
        }
        let (timer, pid) = (expiry.timer, event.pid);
        let is_waking = expiry.function == WAKING_HANDLER;
        let handler = Handler { timer, pid, first_ns, is_waking, expired, has_woken: false };
        self.handlers.enter(event.cpu, handler);
    }

    fn done(&mut self, event: &Event<'_>, timer: u64, emit: &mut dyn Emit) {
        if let Some(interrupted) = self.interrupted.get(&event.cpu)
            && interrupted.timer == timer
            && let Some(sleeper) = self.sleepers.get_mut(&interrupted.pid)
        {
            sleeper.stays_until(event.t_ns);
        }
        let Some(handler) = self.handlers.leave(event.cpu, timer) else { return };
        // It wakes nobody whose sleep is over already.
        let is_for_nobody = handler.is_waking && handler.expired.is_some() && !handler.has_woken;
        if is_for_nobody && self.has_wakings {
            emit.incomplete(&KIND, IncompleteReason::Interrupted);
        }
    }

    fn wake(&mut self, event: &Event<'_>, task: WakenTask<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(handler) = self.handlers.innermost(event.cpu) else { return Ok(()) };
        let is_first_waking = !handler.has_woken;
        handler.has_woken = true;
        let is_sleepers =
            |expired: &mut Expired| expired.armed_by.is_none_or(|armed_by| armed_by == task.pid);
        if handler.is_waking && is_first_waking && handler.expired.is_none() {
            self.starts.has_slept_before(task.pid);
        }
        let Some(expired) = handler.expired.take_if(is_sleepers) else { return Ok(()) };
        let (timer, fired_ns) = (handler.timer, handler.first_ns);
        if self.sleepers.len() >= self.max_tasks {
            return Ok(());
        }
        let woken = emit.task(event.cpu, TaskRef { pid: Some(task.pid), comm: task.comm, tgid: None })?;
        // Where switches are not recorded, nothing else shows it.
        if let (Some(woken), Some(prio)) = (woken, task.prio) {
            emit.priority(woken, prio);
        }
        let start_ns = fired_ns - expired.late_ns;
        let mut sleeper = Sleeper {
            task: woken,
            pid: task.pid,
            is_starting: self.starts.is_first(task.pid, start_ns, expired.armed_ns),
            start_ns,
            fired_ns,
            slept_since_ns: expired.armed_ns,
            slept_on: expired.armed_cpu,
            start_cpu: event.cpu,
            progress: Progress::Waiting,
        };
        if event.pid == Some(task.pid) {
            let here = Arrival::of(event, &sleeper, &self.taint, &self.power);
            sleeper.progress = Progress::Interrupted(here);
            self.interrupted.insert(event.cpu, Interrupted { pid: task.pid, timer, step: Step::Inside(0) });
        } else if let Some(cpu) = self.on_cpu.cpu_of(task.pid).filter(|cpu| *cpu != event.cpu) {
            let here = Arrival::of(event, &sleeper, &self.taint, &self.power);
            sleeper.progress = Progress::Running(Arrival { cpu, ..here });
        }
        match self.sleepers.insert(task.pid, sleeper) {
            Some(before) => before.finish_without_return(self.taint_of(&before, event), emit),
            None => Ok(()),
        }
    }

    /// A sleeper that was woken before the expiry it asked for waits on the CPU that was chosen for it.
    fn choose_cpu(&mut self, event: &Event<'_>, task: WakenTask<'_>) {
        if let Some(sleeper) = self.sleepers.get_mut(&task.pid)
            && event.t_ns <= sleeper.start_ns
            && let Some(cpu) = task.target_cpu.and_then(|cpu| u16::try_from(cpu).ok())
        {
            sleeper.start_cpu = cpu;
        }
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        self.on_cpu.switch(event.cpu, switch.next.pid);
        // A handler ends before its task leaves the CPU, except that PREEMPT_RT runs softirqs in threads:
        // those are preempted, too, before they have woken whom they wake.
        if switch.prev.pid == 0 || !switch.prev_is_runnable() {
            self.handlers.leave_task(event.cpu, switch.prev.pid);
        }
        if self.sleepers.is_empty() {
            return Ok(());
        }
        let interrupted = self.interrupted.remove(&event.cpu);
        let was_kept = interrupted.is_some_and(|interrupted| {
            interrupted.pid == switch.prev.pid && interrupted.step == Step::ToScheduler
        });
        if was_kept && switch.prev_is_runnable() {
            if let Some(sleeper) = self.sleepers.get_mut(&switch.prev.pid) {
                sleeper.progress = Progress::Waiting;
            }
        } else {
            self.leave(switch.prev.pid, emit)?;
        }
        self.arrive(event, switch.next.pid, emit)
    }

    /// A task leaves its CPU: if it had not slept, it may have been back before.
    fn leave(&mut self, pid: i32, emit: &mut dyn Emit) -> Result<(), ReadError> {
        if self.callers.contains(&pid) || !self.sleepers.get(&pid).is_some_and(Sleeper::is_unblocked) {
            return Ok(());
        }
        match self.sleepers.remove(&pid) {
            Some(sleeper) => sleeper.finish_without_return(None, emit),
            None => Ok(()),
        }
    }

    fn arrive(&mut self, event: &Event<'_>, pid: i32, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(sleeper) = self.sleepers.get_mut(&pid) else { return Ok(()) };
        let is_caller = self.callers.contains(&pid);
        // A task that ran is switched to only if it had left unseen, where not all switches are recorded.
        let has_slept = match sleeper.progress {
            Progress::Waiting => true,
            Progress::Running(_) => !is_caller,
            Progress::Switched(_) | Progress::Interrupted(_) => false,
        };
        if has_slept {
            sleeper.progress = Progress::Switched(Arrival::of(event, sleeper, &self.taint, &self.power));
        }
        if is_caller {
            return Ok(());
        }
        match self.sleepers.remove(&pid) {
            Some(sleeper) => sleeper.finish_without_return(None, emit),
            None => Ok(()),
        }
    }

    /// The return of a system call: the task that slept in it is back.
    fn syscall_exit(
        &mut self,
        event: &Event<'_>,
        is_interrupted: bool,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let Some(pid) = self.note_caller(event) else { return Ok(()) };
        if self.waits.remove(&pid).is_some() && is_interrupted {
            emit.incomplete(&KIND, IncompleteReason::Interrupted);
        }
        let Some(sleeper) = self.sleepers.remove(&pid) else { return Ok(()) };
        sleeper.finish_at_return(Arrival::of(event, &sleeper, &self.taint, &self.power), emit)
    }

    /// The task does something that it can only do when it is back.
    fn is_busy_again(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.pid.and_then(|pid| self.sleepers.remove(&pid)) {
            Some(sleeper) => sleeper.finish_without_return(self.taint_of(&sleeper, event), emit),
            None => Ok(()),
        }
    }

    fn note_caller(&mut self, event: &Event<'_>) -> Option<i32> {
        let pid = event.pid.filter(|pid| *pid > 0)?;
        if self.callers.len() < self.max_tasks {
            self.callers.insert(pid);
        }
        Some(pid)
    }

    fn taint_of(&self, sleeper: &Sleeper, event: &Event<'_>) -> Option<IncompleteReason> {
        self.taint.reaches(sleeper.pid, sleeper.due_ns(), event)
    }

    /// An interrupt begins or ends: the one that woke a sleeper which it had interrupted keeps it until its end.
    fn interrupt(&mut self, event: &Event<'_>, is_entry: bool) {
        let Some(interrupted) = self.interrupted.get_mut(&event.cpu) else { return };
        let Step::Inside(nested) = interrupted.step else { return };
        interrupted.step = match (is_entry, nested) {
            (true, _) => Step::Inside(nested.saturating_add(1)),
            (false, 1..) => Step::Inside(nested.saturating_sub(1)),
            (false, 0) => Step::ToScheduler,
        };
        if interrupted.step == Step::ToScheduler
            && let Some(sleeper) = self.sleepers.get_mut(&interrupted.pid)
        {
            sleeper.stays_until(event.t_ns);
        }
    }

    /// A task that the scheduler let continue is on its way to user space.
    fn note_resched(&mut self, event: &Event<'_>) {
        let is_going_on = !event.flags.needs_resched() && !matches!(event.decoded, Decoded::Switch(_));
        if is_going_on
            && self
                .interrupted
                .get(&event.cpu)
                .is_some_and(|interrupted| interrupted.step == Step::ToScheduler)
        {
            self.interrupted.remove(&event.cpu);
        }
    }
}

/// With the option `fields`, handlers are printed as addresses, and any may wake its sleeper.
fn may_wake(function: &[u8]) -> bool {
    function == WAKING_HANDLER || function.starts_with(b"0x")
}

impl Analysis for Cyclic {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.see(event);
        match &event.decoded {
            Decoded::TimerStart(start) => return self.start(event, start, emit),
            Decoded::TimerExpiry(expiry) => self.expire(event, expiry, emit),
            Decoded::TimerDone { timer } => self.done(event, *timer, emit),
            Decoded::Waking(task) => {
                self.has_wakings = true;
                return self.wake(event, *task, emit);
            }
            Decoded::Wakeup(task) => {
                self.wake(event, *task, emit)?;
                self.choose_cpu(event, *task);
            }
            Decoded::Switch(switch) => return self.switch(event, switch, emit),
            Decoded::SyscallEnter { .. } => {
                self.note_caller(event);
                return self.is_busy_again(event, emit);
            }
            Decoded::SyscallExit { is_interrupted, .. } => {
                return self.syscall_exit(event, *is_interrupted, emit);
            }
            Decoded::InterruptEntry { .. } => self.interrupt(event, true),
            Decoded::InterruptExit { .. } => self.interrupt(event, false),
            _ => self.power.event(event),
        }
        if !self.interrupted.is_empty() {
            self.note_resched(event);
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.timers.gap(gap.cpu);
        self.taint.gap(gap);
        self.power.gap(gap.cpu);
        self.handlers.forget(gap.cpu);
        self.interrupted.remove(&gap.cpu);
        self.on_cpu.forget(gap.cpu);
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let mut sleepers: Vec<_> = self.sleepers.drain().collect();
        sleepers.sort_unstable_by_key(|(pid, _)| *pid);
        for (_, sleeper) in sleepers {
            if sleeper.is_unblocked() {
                sleeper.finish_without_return(None, emit)?;
            } else {
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
            }
        }
        Ok(())
    }
}
