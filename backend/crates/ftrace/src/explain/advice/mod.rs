//! What usually helps against a mechanism: a table, one file and one line in [`ADVICE`] each.
//!
//! An entry is given where its condition is recorded in the chain of a case, and nowhere else: advice that is right in
//! general but not here costs an afternoon. `docs/advice.md` has the table.

mod armed_late;
mod cgroup_limit;
mod deferred_priority;
mod device_interrupt;
mod equal_priority;
mod fair_measurement;
mod guest_idle;
mod guest_stall;
mod higher_priority;
mod idle_state;
mod irq_thread;
mod irqs_off_section;
mod preempt_off_section;
mod priority_inheritance;
mod setting;
mod softirq_not_preemptible;
mod stall;
#[cfg(test)]
mod tests;
mod tick_on_isolated_cpu;
mod unpreemptible_kernel;
mod wrong_cpu;

pub use setting::{Setting, is_listed};

use super::why::{Link, Mechanism};

/// Every entry, in the order of the mechanisms.
pub static ADVICE: &[&Entry] = &[
    &irqs_off_section::ENTRY,
    &idle_state::ENTRY,
    &guest_idle::ENTRY,
    &armed_late::ENTRY,
    &tick_on_isolated_cpu::ENTRY,
    &device_interrupt::ENTRY,
    &guest_stall::ENTRY,
    &stall::ENTRY,
    &deferred_priority::ENTRY,
    &irq_thread::ENTRY,
    &priority_inheritance::ENTRY,
    &higher_priority::ENTRY,
    &equal_priority::ENTRY,
    &fair_measurement::ENTRY,
    &cgroup_limit::ENTRY,
    &unpreemptible_kernel::ENTRY,
    &preempt_off_section::ENTRY,
    &softirq_not_preemptible::ENTRY,
    &wrong_cpu::ENTRY,
];

/// What helps against one mechanism under one condition. The texts are of this program: nothing of a trace is in them.
pub struct Entry {
    /// The stable name that the API shows.
    pub name: &'static str,
    pub mechanism: Mechanism,
    pub title: &'static str,
    /// What has to be recorded for it, as the documentation says it.
    pub condition: &'static str,
    pub meaning: &'static str,
    pub helps: &'static str,
    /// How to see that it did.
    pub check: &'static str,
    /// A page of the kernel's documentation, by its path in the kernel's source.
    pub reference: &'static str,
    holds: fn(&Setting<'_, '_, '_>, &Link<'_>) -> bool,
}

/// A link that took less than this part of the case is not worth anybody's time.
const WORTH_A_TENTH: i64 = 10;
/// Entries of one case at most.
const MAX_ENTRIES: usize = 5;

/// The entries whose condition holds for a link of the chain, or of a chain that it hangs on. Those against what took
/// most come first.
pub fn advice(setting: &Setting<'_, '_, '_>, chain: &[Link<'_>]) -> Vec<&'static Entry> {
    let mut time_ns = vec![0_i64; ADVICE.len()];
    add_times(setting, chain, &mut time_ns);
    let mut found: Vec<(i64, &Entry)> = time_ns.into_iter().zip(ADVICE.iter().copied()).collect();
    found.retain(|(time_ns, _)| time_ns.saturating_mul(WORTH_A_TENTH) >= setting.case.duration_ns.max(1));
    // Of equal ones, the order of the table.
    found.sort_by_key(|(time_ns, _)| -time_ns);
    found.into_iter().take(MAX_ENTRIES).map(|(_, entry)| entry).collect()
}

fn add_times(setting: &Setting<'_, '_, '_>, chain: &[Link<'_>], time_ns: &mut [i64]) {
    for link in chain {
        for (entry, time_ns) in ADVICE.iter().zip(time_ns.iter_mut()) {
            let is_about = link.mechanism == entry.mechanism || link.also.contains(&entry.mechanism);
            if is_about && (entry.holds)(setting, link) {
                *time_ns = time_ns.saturating_add(link.duration_ns());
            }
        }
        add_times(setting, &link.deeper, time_ns);
    }
}
