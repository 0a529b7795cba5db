//! A CPU that had to leave an idle state first.

use std::ops::RangeInclusive;

use super::{Entry, Setting};
use crate::events::{Role, field_number};
use crate::explain::surroundings::Seen;
use crate::explain::why::{Link, Mechanism};

/// Shorter ones do not matter. Few states take longer to leave; a host that runs something else does.
const EXIT_NS: RangeInclusive<i64> = 20_000..=500_000;
/// Of one CPU. Source: CPUIDLE_STATE_MAX, include/linux/cpuidle.h, Linux 6.12.
const MAX_STATES: i64 = 10;

pub static ENTRY: Entry = Entry {
    name: "idle_state",
    mechanism: Mechanism::IdleExit,
    title: "An idle state that takes long to leave",
    condition: "`cpu_idle` with a state above 0, left 20 to 500 µs after the timer expired or the task was \
        woken.",
    meaning: "The deeper an idle state, the longer a CPU takes to execute again: from 1 µs to some \
        milliseconds. The governor chose the state by the next timer it knew of and by past sleeps, not \
        by what may wake the task.",
    helps: "Write the longest exit latency that you can accept, in µs as a 32-bit integer, to \
        `/dev/cpu_dma_latency` and keep the file open (cyclictest does so), or set \
        `power/pm_qos_resume_latency_us` of only that CPU. `idle=poll` avoids all states, and costs \
        power and turbo frequencies.",
    check: "Compare `cpuidle/state*/latency` of the CPU in sysfs with the time measured here; after the \
        change `cpu_idle` must show no deeper state on that CPU, and `cpuidle/state*/usage` must no \
        longer grow for those.",
    reference: "Documentation/admin-guide/pm/cpuidle.rst",
    holds,
};

fn holds(_: &Setting<'_, '_, '_>, link: &Link<'_>) -> bool {
    EXIT_NS.contains(&link.duration_ns()) && !link.also.contains(&Mechanism::Stall) && has_state(link)
}

/// The state that the CPU had entered is among the evidence. What leaves a state has 4294967295.
fn has_state(link: &Link<'_>) -> bool {
    let state = |event: &Seen<'_>| field_number("cpu_idle", event.args, "state");
    let states = link.evidence.iter().filter(|event| event.role == Some(Role::CpuIdle)).filter_map(state);
    states.into_iter().any(|state| (1..MAX_STATES).contains(&state))
}
