//! One recorded event, as explanations see it.

use crate::events::{Decoded, Role, Switch, WakenTask, decode};

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
    /// [`Flags`](crate::model::Flags) bit for bit.
    pub flags: i32,
    pub args: &'a str,
    pub role: Option<Role>,
}

impl<'a> Seen<'a> {
    /// `None` for events without a role, and such that are not of their role's form.
    pub fn decoded(&self) -> Option<Decoded<'a>> {
        decode(self.role?, self.args.as_bytes())
    }

    // Of thousands of events, most are none of these: only what is one is taken apart.

    pub fn switch(&self) -> Option<Switch<'a>> {
        match self.of_role(Role::SchedSwitch)? {
            Decoded::Switch(switch) => Some(switch),
            _ => None,
        }
    }

    pub fn waking(&self) -> Option<WakenTask<'a>> {
        match self.of_role(Role::SchedWaking)? {
            Decoded::Waking(task) => Some(task),
            _ => None,
        }
    }

    pub fn wakeup(&self) -> Option<WakenTask<'a>> {
        match self.of_role(Role::SchedWakeup)? {
            Decoded::Wakeup(task) => Some(task),
            _ => None,
        }
    }

    pub fn begins_interrupt(&self) -> bool {
        let role = self.role;
        matches!(role, Some(Role::IrqEntry | Role::VectorEntry(_) | Role::IpiEntry | Role::SoftirqEntry))
    }

    pub fn ends_interrupt(&self) -> bool {
        let role = self.role;
        matches!(role, Some(Role::IrqExit | Role::VectorExit(_) | Role::IpiExit | Role::SoftirqExit))
    }

    fn of_role(&self, role: Role) -> Option<Decoded<'a>> {
        if self.role == Some(role) { self.decoded() } else { None }
    }
}
