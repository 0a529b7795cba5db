//! The stages of a wakeup, from the waking to the switch.

use crate::explain::stages::{Events, Mark, Steps};

/// From the waking over the wakeup, the exit from idle and migrations to the switch, where each is recorded.
pub fn steps<'c>(events: &Events<'c, '_>) -> Steps<'c> {
    let case = events.case;
    let waking = events.after(None, |event| event.t_ns == case.start_ns && events.is_waking(event));
    let wakeup = events.after(waking, |event| events.is_wakeup(event));
    let woken = waking.or(wakeup);
    let idle_exit = events.after(woken, |event| event.cpu == case.cpu && event.ends_idle());
    let switch = events.switch(woken);
    let mut middle = events.migrations();
    middle.extend(wakeup.filter(|_| waking.is_some()).map(|event| (Mark::Wakeup, event)));
    middle.extend(idle_exit.map(|event| (Mark::IdleExit, event)));
    middle.retain(|(_, event)| switch.is_none_or(|switch| event.seq < switch.seq));
    let first = if waking.is_some() { Mark::Waking } else { Mark::Wakeup };
    Steps { first, middle, last: (Mark::Switch, switch) }
}
