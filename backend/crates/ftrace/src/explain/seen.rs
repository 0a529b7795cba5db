//! One recorded event, as explanations see it.

use hashbrown::HashMap;

use crate::events::{Decoded, Migration, Role, Switch, TimerExpiry, TimerStart, WakenTask, decode};
use crate::model::Flags;

/// An event near a case.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Its number in the trace, from 0.
    pub seq: i64,
    pub t_ns: i64,
    pub cpu: i16,
    /// Zero for the top buffer.
    pub buffer: i16,
    pub task_idx: i32,
    pub type_idx: i32,
    /// [`Flags`] bit for bit.
    pub flags: i32,
    pub args: &'a str,
    pub role: Option<Role>,
}

impl<'a> Seen<'a> {
    /// `None` for events without a role, and for those that are not of their role's form.
    pub fn decoded(&self) -> Option<Decoded<'a>> {
        decode(self.role?, self.args.as_bytes())
    }

    /// As `decoded`; decoding unwanted events would take most of the time of a long case.
    pub fn decoded_if(&self, is_wanted: bool) -> Option<Decoded<'a>> {
        if is_wanted { self.decoded() } else { None }
    }

    /// True for an event with which one CPU interrupts others.
    pub fn is_ipi_send(&self) -> bool {
        matches!(self.role, Some(Role::IpiSendCpu | Role::IpiSendCpumask | Role::IpiRaise))
    }

    // Most of thousands of events are none of these: only those that are get decoded.

    /// What a `sched_migrate_task` says; `None` for any other event.
    pub fn migration(&self) -> Option<Migration> {
        match self.decoded_if(self.role == Some(Role::SchedMigrate))? {
            Decoded::Migration(migration) => Some(migration),
            _ => None,
        }
    }

    /// What a `sched_switch` says; `None` for any other event.
    pub fn switch(&self) -> Option<Switch<'a>> {
        match self.of_role(Role::SchedSwitch)? {
            Decoded::Switch(switch) => Some(switch),
            _ => None,
        }
    }

    /// The task of a `sched_waking`; `None` for any other event.
    pub fn waking(&self) -> Option<WakenTask<'a>> {
        match self.of_role(Role::SchedWaking)? {
            Decoded::Waking(task) => Some(task),
            _ => None,
        }
    }

    /// The task of a `sched_wakeup`; `None` for any other event.
    pub fn wakeup(&self) -> Option<WakenTask<'a>> {
        match self.of_role(Role::SchedWakeup)? {
            Decoded::Wakeup(task) => Some(task),
            _ => None,
        }
    }

    /// True at the entry of an interrupt, of an inter-processor interrupt, or of a softirq.
    pub fn begins_interrupt(&self) -> bool {
        let role = self.role;
        matches!(role, Some(Role::IrqEntry | Role::VectorEntry(_) | Role::IpiEntry | Role::SoftirqEntry))
    }

    /// True at the exit of an interrupt, of an inter-processor interrupt, or of a softirq.
    pub fn ends_interrupt(&self) -> bool {
        let role = self.role;
        matches!(role, Some(Role::IrqExit | Role::VectorExit(_) | Role::IpiExit | Role::SoftirqExit))
    }

    /// True where its flags show an interrupt, a softirq or an NMI.
    pub fn is_in_interrupt(&self) -> bool {
        let flags = Flags(self.flags.cast_unsigned());
        flags.has(Flags::HARDIRQ) || flags.has(Flags::SOFTIRQ) || flags.has(Flags::NMI)
    }

    /// True where its flags show a hard interrupt.
    pub fn is_in_hard_interrupt(&self) -> bool {
        Flags(self.flags.cast_unsigned()).has(Flags::HARDIRQ)
    }

    /// The content of a scheduler event: a switch, a waking, a wakeup or a migration.
    pub fn scheduled(&self) -> Option<Decoded<'a>> {
        let is_scheduled = matches!(
            self.role,
            Some(Role::SchedSwitch | Role::SchedWaking | Role::SchedWakeup | Role::SchedMigrate)
        );
        if is_scheduled { self.decoded() } else { None }
    }

    /// What an `hrtimer_expire_entry` says; `None` for any other event.
    pub fn timer_expiry(&self) -> Option<TimerExpiry<'a>> {
        match self.of_role(Role::HrtimerExpireEntry)? {
            Decoded::TimerExpiry(expiry) => Some(expiry),
            _ => None,
        }
    }

    /// What an `hrtimer_start` says; `None` for any other event.
    pub fn timer_start(&self) -> Option<TimerStart<'a>> {
        match self.of_role(Role::HrtimerStart)? {
            Decoded::TimerStart(start) => Some(start),
            _ => None,
        }
    }

    /// True where a CPU that was idle is busy again.
    pub fn ends_idle(&self) -> bool {
        self.idle_state() == Some(None)
    }

    /// The idle state that a CPU enters, `Some(None)` as it leaves one; `None` for any other event.
    pub fn idle_state(&self) -> Option<Option<i64>> {
        let is_of_idle = matches!(self.role, Some(Role::CpuIdle | Role::PowerStart | Role::PowerEnd));
        match self.decoded_if(is_of_idle)? {
            Decoded::CpuIdle { state } => Some(state),
            _ => None,
        }
    }

    fn of_role(&self, role: Role) -> Option<Decoded<'a>> {
        if self.role == Some(role) { self.decoded() } else { None }
    }
}

/// By pid, the priorities that switches and wakeups state first.
pub fn first_prios<'a>(scheduled: impl Iterator<Item = Decoded<'a>>) -> HashMap<i32, i32> {
    let mut prios = HashMap::new();
    let mut state = |pid: i32, prio: Option<i32>| {
        if let Some(prio) = prio {
            prios.entry(pid).or_insert(prio);
        }
    };
    for decoded in scheduled {
        match decoded {
            Decoded::Switch(switch) => {
                state(switch.prev.pid, switch.prev.prio);
                state(switch.next.pid, switch.next.prio);
            }
            Decoded::Waking(task) | Decoded::Wakeup(task) => state(task.pid, task.prio),
            _ => {}
        }
    }
    prios
}
