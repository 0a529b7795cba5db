//! The stages of a cyclic latency, from the expiry to user space.

use crate::analyses::SampleFlags;
use crate::events::Decoded;
use crate::explain::Seen;
use crate::explain::stages::{Events, Mark, Steps};

/// From the expiry over interrupt, handler, waking and switch to the return to user space, where each is
/// recorded.
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
    } else if events.case.flags.has(SampleFlags::AT_LEAST) {
        last_sign(events, waking.or(wakeup), exit)
    } else {
        (Mark::Return, returned)
    };
    let is_earlier = |event: &&Seen<'_>| last.1.is_none_or(|last| event.seq < last.seq);
    let (waking, wakeup) = (waking.filter(is_earlier), wakeup.filter(is_earlier));
    let exit = exit.filter(is_earlier).filter(|exit| switch.is_none_or(|switch| exit.seq < switch.seq));
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

/// The last sign of a task that did not sleep, before it is back at an unknown time: the end of its timer's
/// interrupt, or what was recorded of it.
fn last_sign<'c>(
    events: &Events<'c, '_>,
    waking: Option<&'c Seen<'c>>,
    exit: Option<&'c Seen<'c>>,
) -> (Mark, Option<&'c Seen<'c>>) {
    let is_last = |event: &&Seen<'_>| event.t_ns == events.case.end_ns();
    let done = events.before(None, |event| {
        event.t_ns == events.case.end_ns() && matches!(event.decoded(), Some(Decoded::TimerDone { .. }))
    });
    let signs = [(Mark::InterruptExit, exit.filter(is_last)), (Mark::HandlerExit, done)];
    signs.into_iter().find(|(_, event)| event.is_some()).unwrap_or((Mark::Waking, waking.filter(is_last)))
}
