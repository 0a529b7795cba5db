//! A task whose sleep is over, on its way back.

use super::KIND;
use crate::analyses::cpu_power::CpuPower;
use crate::analyses::taint::Taint;
use crate::analyses::{Emit, Event, IncompleteReason, Sample, SampleFlags};
use crate::model::{Ns, ReadError};

pub struct Sleeper {
    pub task: Option<u32>,
    pub pid: i32,
    /// It has just been made.
    pub is_starting: bool,
    /// The expiry that was asked for, on the trace clock.
    pub start_ns: Ns,
    /// When the timer's interrupt noticed it, which timer slack allows before `start_ns`.
    pub fired_ns: Ns,
    pub slept_since_ns: Ns,
    pub slept_on: u16,
    /// The CPU on which it waits when the case starts.
    pub start_cpu: u16,
    pub progress: Progress,
}

/// How far it has come.
#[derive(Clone, Copy)]
pub enum Progress {
    /// It slept, and has not run since.
    Waiting,
    /// The first switch to it.
    Switched(Arrival),
    /// It had not slept when the interrupt of its timer came, which keeps it until then at least.
    Interrupted(Arrival),
    /// It had not slept and ran on another CPU, where it was not back before it was woken.
    Running(Arrival),
}

/// A moment at which a sleeper may be back.
#[derive(Clone, Copy)]
pub struct Arrival {
    pub t_ns: Ns,
    pub cpu: u16,
    /// Why nothing can be said of how late it is.
    pub taint: Option<IncompleteReason>,
    pub frequency_khz: Option<i64>,
    pub idle_state: Option<i64>,
}

impl Arrival {
    /// The sleeper arrives with an event.
    pub fn of(event: &Event<'_>, sleeper: &Sleeper, taint: &Taint, power: &CpuPower) -> Self {
        let due_ns = sleeper.due_ns();
        Self {
            t_ns: event.t_ns,
            cpu: event.cpu,
            taint: taint.reaches(sleeper.pid, due_ns, event),
            frequency_khz: power.frequency_khz(event.cpu),
            idle_state: power.idle_state(event.cpu, due_ns),
        }
    }
}

impl Sleeper {
    /// When the first of what delays it may have begun.
    pub fn due_ns(&self) -> Ns {
        self.start_ns.min(self.fired_ns)
    }

    /// True where it never slept, so that only the return of its system call shows when it is back.
    pub fn is_unblocked(&self) -> bool {
        matches!(self.progress, Progress::Interrupted(_) | Progress::Running(_))
    }

    /// The interrupt of its timer keeps it until then.
    pub fn stays_until(&mut self, t_ns: Ns) {
        if let Progress::Interrupted(arrival) = &mut self.progress {
            arrival.t_ns = arrival.t_ns.max(t_ns);
        }
    }

    /// Its system call returns.
    pub fn finish_at_return(&self, here: Arrival, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let woke = match self.progress {
            Progress::Switched(switched) => switched,
            Progress::Waiting | Progress::Interrupted(_) | Progress::Running(_) => here,
        };
        let back = Arrival { frequency_khz: woke.frequency_khz, idle_state: woke.idle_state, ..here };
        self.end(back, SampleFlags::default(), emit)
    }

    /// The return of its system call is not recorded; `taint` where that may be lost.
    pub fn finish_without_return(
        &self,
        taint: Option<IncompleteReason>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        match self.progress {
            Progress::Switched(switched) => {
                let switched = Arrival { taint: switched.taint.or(taint), ..switched };
                self.end(switched, SampleFlags::ENDS_AT_SWITCH, emit)
            }
            Progress::Interrupted(bound) | Progress::Running(bound) => {
                self.end(bound, SampleFlags::AT_LEAST, emit)
            }
            Progress::Waiting => {
                emit.incomplete(&KIND, IncompleteReason::NoEnd);
                Ok(())
            }
        }
    }

    fn end(&self, back: Arrival, mut flags: SampleFlags, emit: &mut dyn Emit) -> Result<(), ReadError> {
        if let Some(reason) = back.taint {
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        if back.t_ns < self.start_ns {
            let is_early = self.fired_ns <= back.t_ns;
            let reason = if is_early { IncompleteReason::Early } else { IncompleteReason::OutOfOrder };
            emit.incomplete(&KIND, reason);
            return Ok(());
        }
        if back.cpu != self.slept_on {
            flags = flags.with(SampleFlags::MIGRATED);
        }
        if self.is_starting {
            flags = flags.with(SampleFlags::STARTING);
        }
        emit.sample(&Sample {
            task: self.task,
            start_cpu: Some(self.start_cpu),
            flags,
            // Armed when it was late already, it did not sleep.
            sleep_ns: Some(self.slept_since_ns.until(self.start_ns)),
            frequency_khz: back.frequency_khz,
            idle_state: back.idle_state,
            ..Sample::new(&KIND, back.cpu, self.start_ns, back.t_ns)
        })
    }
}
