//! Which hrtimers are armed, and how late each of them expires.

use hashbrown::HashMap;

use super::{Event, IncompleteReason};
use crate::events::{TICK_HANDLERS, TimerExpiry, TimerStart};
use crate::model::{Ns, TimeUnit};

/// The handler of timers that wake who started them. Source: kernel/time/hrtimer.c, Linux 6.12.
pub const WAKING_HANDLER: &[u8] = b"hrtimer_wakeup";

/// The timers that were started and have not expired yet, by address.
///
/// `hrtimer_cancel` says nothing: the kernel prints it for every timer that it takes off its queue,
/// also right before `hrtimer_expire_entry`. A timer that was really cancelled is started again before
/// it can expire.
pub struct ArmedTimers {
    max_timers: usize,
    timers: HashMap<u64, Armed>,
    /// Losses so far, of the CPUs that have any.
    gaps: HashMap<u16, u64>,
}

/// A timer that was started. Its expiry is a reading of the timer's own clock.
#[derive(Clone, Copy)]
struct Armed {
    expires_ns: i64,
    soft_expires_ns: i64,
    t_ns: Ns,
    cpu: u16,
    pid: Option<i32>,
    /// Losses of its CPU before.
    gaps: u64,
}

/// A timer that expires, and how it had been started.
#[derive(Clone, Copy)]
pub struct Expired {
    /// From the expiry that was asked for to what the clock said; exact on any trace clock. Negative where a
    /// timer with slack fired early, together with another one.
    pub late_ns: Ns,
    pub armed_ns: Ns,
    pub armed_cpu: u16,
    /// In whose context it was started.
    pub armed_by: Option<i32>,
}

impl ArmedTimers {
    pub fn new(max_timers: usize) -> Self {
        Self { max_timers, timers: HashMap::new(), gaps: HashMap::new() }
    }

    /// Takes note of a timer that was started. Past `max_timers`, new ones are left out, and give no number.
    pub fn start(&mut self, event: &Event<'_>, start: &TimerStart<'_>) {
        let armed = Armed {
            expires_ns: start.expires_ns,
            soft_expires_ns: start.soft_expires_ns,
            t_ns: event.t_ns,
            cpu: event.cpu,
            pid: event.pid,
            gaps: self.gaps_of(event.cpu),
        };
        if self.timers.len() < self.max_timers || self.timers.contains_key(&start.timer) {
            self.timers.insert(start.timer, armed);
        }
    }

    /// Takes the timer out; it gives no second number unless it is started again.
    pub fn expire(
        &mut self,
        event: &Event<'_>,
        expiry: &TimerExpiry<'_>,
    ) -> Result<Expired, IncompleteReason> {
        let armed = self.timers.remove(&expiry.timer).ok_or(IncompleteReason::NoStart)?;
        if event.clock.unit != TimeUnit::Ns {
            return Err(IncompleteReason::TickClock);
        }
        // Tasks that are left out may have started it again since, unless it wakes the one that is not.
        let is_own = expiry.function == WAKING_HANDLER && armed.pid == event.pid;
        if event.is_filtered && !is_own {
            return Err(IncompleteReason::NoStart);
        }
        // An idle CPU stops its tick, and starts it again for another time.
        let is_idle_since = event.hidden_idle_ns.is_some_and(|idle_ns| armed.t_ns <= idle_ns);
        if is_idle_since && TICK_HANDLERS.contains(&expiry.function) {
            return Err(IncompleteReason::NoStart);
        }
        // What was lost since the start, here or there, may have been a later start.
        let is_lost_here = armed.t_ns < event.known_since_ns && self.gaps_of(event.cpu) > 0;
        if is_lost_here || self.gaps_of(armed.cpu) > armed.gaps {
            return Err(IncompleteReason::LostEvents);
        }
        let may_fire = expiry.now_ns >= armed.soft_expires_ns.min(armed.expires_ns);
        let late_ns = expiry.now_ns.checked_sub(armed.expires_ns).filter(|_| may_fire);
        Ok(Expired {
            late_ns: late_ns.map(Ns).ok_or(IncompleteReason::OutOfOrder)?,
            armed_ns: armed.t_ns,
            armed_cpu: armed.cpu,
            armed_by: armed.pid,
        })
    }

    /// Events of `cpu` were lost: expiries after this may belong to a start that nobody saw.
    pub fn gap(&mut self, cpu: u16) {
        let count = self.gaps.entry(cpu).or_default();
        *count = count.saturating_add(1);
    }

    fn gaps_of(&self, cpu: u16) -> u64 {
        if self.gaps.is_empty() { 0 } else { self.gaps.get(&cpu).copied().unwrap_or(0) }
    }
}
