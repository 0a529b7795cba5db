//! The stages of a cyclic latency, from the expiry to user space.

use crate::analyses::SampleFlags;
use crate::events::Decoded;
use crate::explain::stages::{Events, Mark, Steps};

pub fn steps<'c>(events: &Events<'c, '_>) -> Steps<'c> {
    let waking = events.after(None, |event| events.is_waking(event));
    let wakeup = events.after(waking, |event| events.is_wakeup(event));
    let first = waking.or(wakeup);
    let handler = first.and_then(|waking| {
        events.before(Some(waking), |event| event.cpu == waking.cpu && events.is_timer_handler(event))
    });
    let entry = handler.and_then(|handler| events.entry_around(handler));
    let earlier = handler.and_then(|handler| events.first_handler(handler));
    let exit = entry.and(handler).and_then(|handler| events.exit_around(handler));
    let switch = events.switch(first);
    let returned = events.last_of_task(|event| matches!(event.decoded(), Some(Decoded::SyscallExit { .. })));
    let last = if events.case.flags.has(SampleFlags::ENDS_AT_SWITCH) {
        (Mark::Switch, switch)
    } else {
        (Mark::Return, returned)
    };
    let exit = exit.filter(|exit| switch.is_none_or(|switch| exit.seq < switch.seq));
    let switch = switch.filter(|_| last.0 == Mark::Return);
    let marks = [
        (Mark::InterruptEntry, entry),
        (Mark::FirstHandler, earlier),
        (Mark::Handler, handler),
        (Mark::Waking, waking),
        (Mark::Wakeup, wakeup),
        (Mark::InterruptExit, exit),
        (Mark::Switch, switch),
    ];
    let middle = marks.into_iter().filter_map(|(mark, event)| Some((mark, event?))).collect();
    Steps { first: Mark::Expiry, middle, last }
}
