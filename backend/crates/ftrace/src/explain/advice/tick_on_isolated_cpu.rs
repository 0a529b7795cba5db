//! The scheduler tick on a CPU that is to be left alone.

use super::{Entry, Setting};
use crate::events::{Decoded, TICK_HANDLERS};
use crate::explain::surroundings::Seen;
use crate::explain::why::{Link, Mechanism};

pub static ENTRY: Entry = Entry {
    name: "tick_on_isolated_cpu",
    mechanism: Mechanism::OtherInterrupt,
    title: "The scheduler tick on an isolated CPU",
    condition: "A timer interrupt whose handler is the tick, on a CPU that the label or fact `isolcpus` or \
        `isolated` of the trace lists.",
    meaning: "`isolcpus=` keeps the scheduler from placing tasks there, but does not stop the tick: it comes \
        up to `CONFIG_HZ` times a second, with the softirqs that it raises.",
    helps: "Boot with `nohz_full=` for that CPU (kernel with `CONFIG_NO_HZ_FULL`): the tick stops while \
        exactly one task can run there and no POSIX CPU timer, perf event or RCU callback needs it. \
        Entering and leaving the kernel gets slower, so for short periodic work it may not pay; kernels \
        before 4.17 keep one tick a second.",
    check: "Count `hrtimer_expire_entry` of the tick on that CPU, or its line in `/proc/interrupts`, while \
        the task runs alone; `tick_stop` says what kept the tick going (`dependency=`).",
    reference: "Documentation/timers/no_hz.rst",
    holds,
};

fn holds(setting: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    let is_tick = |event: &Seen<'_>| match event.decoded() {
        Some(Decoded::TimerExpiry(expiry)) => TICK_HANDLERS.contains(&expiry.function),
        _ => false,
    };
    setting.is_isolated(link.cpu) && setting.events_in(link).any(is_tick)
}
