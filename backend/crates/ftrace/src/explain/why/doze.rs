//! The way of a task from the start of its sleep's timer to its switch out.

use super::scene::Scene;
use crate::events::{Role, SLEEP_HANDLER};
use crate::explain::surroundings::{Seen, Surroundings};
use crate::model::Flags;

/// What the scheduler says of a task just before it takes the CPU from it.
pub const ACCOUNT: &str = "sched_stat_runtime";
/// Events on such a way at most, those of interrupts included.
const MAX_EVENTS_OF_WAY: usize = 32;

/// True for two events of a CPU, with nothing between them, on a task's way to sleep, which interrupts may cut into. The
/// kernel does nothing on it but to take the task from the CPU (`do_nanosleep`, kernel/time/hrtimer.c), unless its timer's
/// interrupt comes first.
pub fn is_falling_asleep(scene: &Scene<'_, '_>, cpu: i16, [first, second]: [&Seen<'_>; 2]) -> bool {
    // Behind an interrupt softirqs run, recorded or not.
    let is_own = |event: &Seen<'_>| is_own(scene.around, event);
    let is_told = || is_own(first) || scene.around.records("softirq_entry");
    let is_outside = (is_own(first) || first.ends_interrupt() || first.role == Some(Role::SoftirqExit))
        && (is_own(second) || second.begins_interrupt() || second.role == Some(Role::SoftirqEntry));
    if first.task_idx != second.task_idx || !is_outside || !is_told() {
        return false;
    }
    let is_end = |event: &&Seen<'_>| is_own(event) || wakes(scene, event, first.task_idx);
    let before = scene.events(cpu, i64::MIN, first.t_ns.saturating_add(1)).iter().rev().copied();
    let start = before.filter(|event| event.seq <= first.seq).take(MAX_EVENTS_OF_WAY).find(is_end);
    let end = events_from(scene, cpu, second).take(MAX_EVENTS_OF_WAY).find(is_end);
    start.is_some_and(|start| is_sleep(scene.around, start))
        && end.is_some_and(|end| !is_own(end) || is_switched_out(scene, cpu, end))
}

/// True for the start of the timer that is to end a sleep.
pub fn is_sleep(around: &Surroundings<'_, '_>, event: &Seen<'_>) -> bool {
    event.timer_start().is_some_and(|timer| timer.function == SLEEP_HANDLER) && is_own(around, event)
}

fn wakes(scene: &Scene<'_, '_>, event: &Seen<'_>, task_idx: i32) -> bool {
    let pid = scene.around.task(task_idx).and_then(|task| task.pid);
    event.waking().is_some_and(|woken| Some(woken.pid) == pid)
}

/// True for the switch of a task that sleeps, or the account of its time just before.
fn is_switched_out(scene: &Scene<'_, '_>, cpu: i16, event: &Seen<'_>) -> bool {
    let is_account = |event: &&Seen<'_>| scene.around.event_name(event) == ACCOUNT;
    let mut own =
        events_from(scene, cpu, event).take(MAX_EVENTS_OF_WAY).filter(|event| is_own(scene.around, event));
    let switch = own.find(|event| !is_account(event)).and_then(Seen::switch);
    switch.is_some_and(|switch| !switch.prev_is_runnable())
}

fn events_from<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    event: &Seen<'_>,
) -> impl Iterator<Item = &'s Seen<'a>> {
    let (t_ns, seq) = (event.t_ns, event.seq);
    scene.events(cpu, t_ns, i64::MAX).iter().copied().filter(move |event| event.seq >= seq)
}

/// True for what the task itself did, as its flags say or, where there are none, the entries and exits of whatever may have
/// interrupted it.
fn is_own(around: &Surroundings<'_, '_>, event: &Seen<'_>) -> bool {
    let is_flagged = Flags(event.flags.cast_unsigned()).has(Flags::KNOWN);
    let is_told = || around.records_interrupts() && around.records("softirq_entry");
    !event.is_in_interrupt() && (is_flagged || is_told())
}
