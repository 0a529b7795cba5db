//! Cyclic latency: from the expiry that a sleeper asked for to the sleeper being back. It is the number
//! that cyclictest reports, rebuilt from events.

use hashbrown::{HashMap, HashSet};

use super::KIND;
use crate::analyses::armed_timers::{ArmedTimers, Expired};
use crate::analyses::cpu_power::CpuPower;
use crate::analyses::taint::Taint;
use crate::analyses::timer_passes::TimerPasses;
use crate::analyses::{Analysis, Emit, Event, Gap, IncompleteReason, Sample, SampleFlags, TraceEnd};
use crate::events::{Decoded, Switch, TimerExpiry, TimerStart, WakenTask};
use crate::model::{Limits, ReadError, TaskRef};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Cyclic {
        max_tasks: limits.max_tasks,
        timers: ArmedTimers::new(limits.max_tasks),
        passes: TimerPasses::default(),
        expiring: HashMap::new(),
        sleepers: HashMap::new(),
        callers: HashSet::new(),
        taint: Taint::default(),
        power: CpuPower::default(),
    })
}

/// The handler of timers that wake who started them. Source: kernel/time/hrtimer.c, Linux 6.12.
const WAKING_HANDLER: &[u8] = b"hrtimer_wakeup";
/// Handlers within handlers: one that runs in a softirq, interrupted by one in a hard interrupt.
const MAX_NESTING: usize = 4;

struct Cyclic {
    max_tasks: usize,
    /// Timers of sleepers.
    timers: ArmedTimers,
    passes: TimerPasses,
    /// The handlers that run on each CPU, the innermost last.
    expiring: HashMap<u16, Vec<Expiring>>,
    /// Tasks that were woken and are not back, by pid.
    sleepers: HashMap<i32, Sleeper>,
    /// Tasks whose system calls are recorded: they are back when the call returns.
    callers: HashSet<i32>,
    taint: Taint,
    power: CpuPower,
}

struct Expiring {
    timer: u64,
    /// In whose context.
    pid: Option<i32>,
    /// When the first handler of the same reading of the clock was called.
    first_ns: i64,
    /// Until its sleeper is woken.
    expired: Option<Expired>,
}

struct Sleeper {
    task: Option<u32>,
    /// The expiry that was asked for, on the trace clock.
    start_ns: i64,
    slept_since_ns: i64,
    slept_on: u16,
    timer_cpu: u16,
    /// The first switch to it.
    switched: Option<Arrival>,
}

/// A moment at which a sleeper may be back.
#[derive(Clone, Copy)]
struct Arrival {
    t_ns: i64,
    cpu: u16,
    is_tainted: bool,
    frequency_khz: Option<i64>,
    idle_state: Option<i64>,
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
        // Who goes to sleep again was back before.
        self.is_busy_again(event, emit)
    }

    fn expire(&mut self, event: &Event<'_>, expiry: &TimerExpiry<'_>, emit: &mut dyn Emit) {
        let first_ns = self.passes.first_ns(event.cpu, expiry.now_ns, event.t_ns);
        let handlers = self.expiring.entry(event.cpu).or_default();
        if handlers.len() >= MAX_NESTING {
            handlers.clear();
        }
        // Other handlers are kept, too: tasks that they wake are not the outer timer's.
        let mut expired = None;
        if may_wake(expiry.function) {
            match self.timers.expire(event, expiry) {
                Ok(found) => expired = Some(found),
                Err(reason) if expiry.function == WAKING_HANDLER => emit.incomplete(&KIND, reason),
                Err(_) => {}
            }
        }
        handlers.push(Expiring { timer: expiry.timer, pid: event.pid, first_ns, expired });
    }

    fn done(&mut self, cpu: u16, timer: u64) {
        if let Some(handlers) = self.expiring.get_mut(&cpu)
            && let Some(at) = handlers.iter().rposition(|handler| handler.timer == timer)
        {
            handlers.truncate(at);
        }
    }

    fn wake(&mut self, event: &Event<'_>, task: WakenTask<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(handler) = self.expiring.get_mut(&event.cpu).and_then(|handlers| handlers.last_mut()) else {
            return Ok(());
        };
        let is_sleepers =
            |expired: &mut Expired| expired.armed_by.is_none_or(|armed_by| armed_by == task.pid);
        let Some(expired) = handler.expired.take_if(is_sleepers) else { return Ok(()) };
        let start_ns = handler.first_ns.saturating_sub(expired.late_ns);
        if self.sleepers.len() >= self.max_tasks {
            return Ok(());
        }
        let sleeper = Sleeper {
            task: emit.task(event.cpu, TaskRef { pid: Some(task.pid), comm: task.comm, tgid: None })?,
            start_ns,
            slept_since_ns: expired.armed_ns,
            slept_on: expired.armed_cpu,
            timer_cpu: event.cpu,
            switched: None,
        };
        match self.sleepers.insert(task.pid, sleeper) {
            Some(before) => self.finish_at_switch(event, before, emit),
            None => Ok(()),
        }
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        switch: &Switch<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        // A handler ends before its task leaves the CPU, except that PREEMPT_RT runs softirqs in threads:
        // those are preempted, too, before they have woken whom they wake.
        let is_preempted = switch.prev.pid != 0 && switch.prev_is_runnable();
        if !is_preempted && let Some(handlers) = self.expiring.get_mut(&event.cpu) {
            handlers.retain(|handler| handler.pid != Some(switch.prev.pid));
        }
        if self.sleepers.is_empty() {
            return Ok(());
        }
        let pid = switch.next.pid;
        let Some(sleeper) = self.sleepers.get_mut(&pid) else { return Ok(()) };
        if sleeper.switched.is_none() {
            sleeper.switched = Some(arrival(&self.taint, &self.power, event, sleeper.start_ns));
        }
        if self.callers.contains(&pid) {
            return Ok(());
        }
        match self.sleepers.remove(&pid) {
            Some(sleeper) => self.finish_at_switch(event, sleeper, emit),
            None => Ok(()),
        }
    }

    /// The return of a system call: whoever slept in it is back.
    fn syscall_exit(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(pid) = self.note_caller(event) else { return Ok(()) };
        let Some(sleeper) = self.sleepers.remove(&pid) else { return Ok(()) };
        let here = arrival(&self.taint, &self.power, event, sleeper.start_ns);
        let woke = sleeper.switched.unwrap_or(here);
        let back = Arrival { frequency_khz: woke.frequency_khz, idle_state: woke.idle_state, ..here };
        end(&sleeper, back, SampleFlags::default(), emit)
    }

    /// The task does something that it can only do when it is back.
    fn is_busy_again(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match event.pid.and_then(|pid| self.sleepers.remove(&pid)) {
            Some(sleeper) => self.finish_at_switch(event, sleeper, emit),
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

    /// Ends a sleep whose system call's return is not recorded.
    fn finish_at_switch(
        &self,
        event: &Event<'_>,
        sleeper: Sleeper,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        match sleeper.switched {
            Some(_) if self.taint.reaches(sleeper.start_ns, event) => {
                emit.incomplete(&KIND, IncompleteReason::LostEvents);
                Ok(())
            }
            Some(switched) => end(&sleeper, switched, SampleFlags::ENDS_AT_SWITCH, emit),
            None => {
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
                Ok(())
            }
        }
    }
}

/// With the option `fields`, handlers are printed as addresses, and any may wake its sleeper.
fn may_wake(function: &[u8]) -> bool {
    function == WAKING_HANDLER || function.starts_with(b"0x")
}

fn arrival(taint: &Taint, power: &CpuPower, event: &Event<'_>, start_ns: i64) -> Arrival {
    Arrival {
        t_ns: event.t_ns,
        cpu: event.cpu,
        is_tainted: taint.reaches(start_ns, event),
        frequency_khz: power.frequency_khz(event.cpu),
        idle_state: power.idle_state(event.cpu, start_ns),
    }
}

fn end(
    sleeper: &Sleeper,
    back: Arrival,
    mut flags: SampleFlags,
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    if back.is_tainted {
        emit.incomplete(&KIND, IncompleteReason::LostEvents);
        return Ok(());
    }
    if back.t_ns < sleeper.start_ns {
        emit.incomplete(&KIND, IncompleteReason::OutOfOrder);
        return Ok(());
    }
    if back.cpu != sleeper.slept_on {
        flags = flags.with(SampleFlags::MIGRATED);
    }
    emit.sample(&Sample {
        task: sleeper.task,
        start_cpu: Some(sleeper.timer_cpu),
        flags,
        // Armed when it was late already, it did not sleep.
        sleep_ns: Some(sleeper.start_ns.saturating_sub(sleeper.slept_since_ns).max(0)),
        frequency_khz: back.frequency_khz,
        idle_state: back.idle_state,
        ..Sample::new(&KIND, back.cpu, sleeper.start_ns, back.t_ns)
    })
}

impl Analysis for Cyclic {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.taint.see(event);
        match &event.decoded {
            Decoded::TimerStart(start) => self.start(event, start, emit),
            Decoded::TimerExpiry(expiry) => {
                self.expire(event, expiry, emit);
                Ok(())
            }
            Decoded::TimerDone { timer } => {
                self.done(event.cpu, *timer);
                Ok(())
            }
            Decoded::Waking(task) | Decoded::Wakeup(task) => self.wake(event, *task, emit),
            Decoded::Switch(switch) => self.switch(event, switch, emit),
            Decoded::SyscallEnter { .. } => {
                self.note_caller(event);
                self.is_busy_again(event, emit)
            }
            Decoded::SyscallExit { .. } => self.syscall_exit(event, emit),
            _ => {
                self.power.event(event);
                Ok(())
            }
        }
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.timers.gap(gap.cpu);
        self.taint.gap(gap);
        self.power.gap(gap.cpu);
        self.expiring.remove(&gap.cpu);
        Ok(())
    }

    fn finish(&mut self, _end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        for _ in self.sleepers.values() {
            emit.incomplete(&KIND, IncompleteReason::NoEnd);
        }
        Ok(())
    }
}
