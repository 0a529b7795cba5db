//! Runnable tasks that the scheduler itself takes off their CPU: their budget is used up, or given up.

use super::priority::{is_fair, is_real_time};
use super::resched::is_asked;
use super::scene::Scene;
use super::step::Change;
use super::wait::Waiter;
use crate::events::Decoded;
use crate::explain::blame::Held;
use crate::explain::route::{Leg, is_stopper_comm};
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// The timer that gives a deadline task its budget again (kernel/sched/deadline.c).
const REPLENISHES: &[u8] = b"dl_task_timer";

/// Between two CPUs, and in the middle of a wakeup, what is recorded later may have happened sooner.
pub const ONE_AFTER_THE_OTHER_NS: i64 = 20_000;

/// From when to when the scheduler kept a task from running though it was in the queue of a CPU.
pub fn throttled(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<(i64, i64)> {
    // Without switches it may have run.
    if !scene.around.records("sched_switch") {
        return None;
    }
    let left = throttled_until_ns(scene, waiter, leg).map(|until_ns| (leg.start_ns, until_ns));
    let woken = || woken_without_budget(scene, waiter, leg);
    left.or_else(woken).or_else(|| left_idle(scene, waiter, leg))
}

/// Of a task that was put into the queue of an idle CPU, which went idle on all the same: a CPU that queues a task
/// there asks that CPU to switch, and it does, unless the task may not run. Up to the first event that asks for a
/// switch again.
///
/// Without idle states, an event that comes later on such a CPU without a request to switch shows the same.
fn left_idle(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<(i64, i64)> {
    let is_here = waiter.is_queued_on(scene, leg.cpu);
    let queued = waiter.queued.filter(|queued| queued.switch().is_none() && is_here)?;
    let from_ns = queued.t_ns.max(leg.start_ns);
    let is_own = queued.cpu == leg.cpu;
    // A new task is in the queue before its CPU is asked.
    let is_asked_first = is_own || !scene.around.event_name(queued).ends_with("wakeup_new");
    if !is_asked_first || queued.t_ns >= leg.end_ns || scene.around.has_losses(from_ns, leg.end_ns) {
        return None;
    }
    let inside = scene.events(leg.cpu, from_ns, leg.end_ns.saturating_sub(1));
    let inside: Vec<&Seen<'_>> = inside.iter().copied().filter(|event| event.seq > queued.seq).collect();
    let goes_idle = |event: &&Seen<'_>| matches!(event.decoded(), Some(Decoded::CpuIdle { state: Some(_) }));
    let is_behind = |event: &&Seen<'_>| event.t_ns.saturating_sub(queued.t_ns) >= ONE_AFTER_THE_OTHER_NS;
    let is_later = |event: &&Seen<'_>| is_own || is_behind(event);
    let stays_idle = |event: &&Seen<'_>| {
        let is_unasked = is_asked(event) == Some(false);
        is_own && is_behind(event) && is_unasked && scene.around.is_idle_task(event.task_idx)
    };
    // What the CPU switches to later says nothing of the choice that it made before.
    let switch = inside.iter().position(|event| event.switch().is_some());
    let end_ns = switch.and_then(|at| inside.get(at)).map_or(leg.end_ns, |event| event.t_ns);
    let inside = inside.get(..switch.unwrap_or(inside.len()))?;
    let last = inside.iter().rposition(|event| goes_idle(event) && is_later(event) || stays_idle(event))?;
    if scene.around.is_unseen_between(from_ns, leg.end_ns) {
        return None;
    }
    let asks = |event: &&&Seen<'_>| Flags(event.flags.cast_unsigned()).needs_resched();
    let asked = inside.get(last..)?.iter().find(asks);
    Some((from_ns, asked.map_or(end_ns, |event| event.t_ns)))
}

/// Until when a task may not run that was switched out for something less important while it was runnable: up to the
/// timer that gives it its budget again, where that is recorded, else as long as it waits on this CPU. Nothing but
/// throttling does that: by real-time bandwidth, by the server that runs fair tasks now and then, by the limit of a cgroup,
/// or at the end of a deadline task's budget, which `sched_yield` gives up, too.
fn throttled_until_ns(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<i64> {
    let left = waiter.since?;
    let switch = left.switch().filter(|switch| switch.prev.pid == waiter.pid)?;
    let is_stopped = is_stopper_comm(switch.next.comm);
    let its_prio = switch.prev.prio?;
    // Of deadline tasks every other one is less important.
    let is_below = |next: i32| if its_prio < 0 { next >= 0 } else { !is_fair(its_prio) && is_fair(next) };
    let is_less = switch.next.pid == 0 || switch.next.prio.is_some_and(is_below);
    let is_meant = waiter.waits_here(scene, left, leg);
    if !is_meant || !is_less || is_stopped || scene.around.has_losses(leg.start_ns, leg.end_ns) {
        return None;
    }
    let replenished_ns = if its_prio < 0 { replenished_ns(scene, left) } else { None };
    Some(replenished_ns.unwrap_or(leg.end_ns))
}

/// True where all real-time tasks are kept from a CPU for as long as another task has it.
pub fn is_out_of_bandwidth(
    scene: &Scene<'_, '_>,
    waiter: &Waiter<'_, '_>,
    cpu: i16,
    held: &Held<'_>,
) -> bool {
    let is_real_time = scene.prio(waiter.task_idx, held.start_ns).is_some_and(is_real_time);
    let until_ns = || real_time_throttled_until_ns(scene, cpu, held.start_ns);
    is_real_time && until_ns().is_some_and(|until_ns| held.end_ns <= until_ns)
}

/// Until when the real-time tasks of a CPU may not run, all together, at a time: another one of them was switched out for a
/// fair task while it was runnable, which nothing but their bandwidth does, and is back on this CPU without a waking.
fn real_time_throttled_until_ns(scene: &Scene<'_, '_>, cpu: i16, t_ns: i64) -> Option<i64> {
    let is_rt = |prio: Option<i32>| prio.is_some_and(is_real_time);
    let before = scene.events(cpu, i64::MIN, t_ns).iter().rev();
    let mut of_rt = before.filter_map(|event| Some((event.t_ns, event.switch()?)));
    let (left_ns, left) = of_rt.find(|(_, switch)| is_rt(switch.prev.prio) || is_rt(switch.next.prio))?;
    if !is_rt(left.prev.prio) || !left.prev_is_runnable() || left.next.prio.is_none_or(|next| !is_fair(next))
    {
        return None;
    }
    let mut later = scene.steps(left.prev.pid).iter().filter(|step| step.event.t_ns > left_ns);
    let back = later.next().filter(|step| step.change == Change::Runs && step.event.cpu == cpu)?;
    let next_rt = scene
        .events(cpu, t_ns, back.event.t_ns)
        .iter()
        .find(|event| event.t_ns > t_ns && event.switch().is_some_and(|switch| is_rt(switch.next.prio)));
    let until_ns = next_rt.map_or(back.event.t_ns, |event| event.t_ns);
    (!scene.around.has_losses(left_ns, until_ns)).then_some(until_ns)
}

/// Of a deadline task that used its budget up, went to sleep and was woken before it got it again: up to the timer that it
/// had started. Of another timer, which a tick may have started in its run, it does not wait for the expiry.
fn woken_without_budget(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<(i64, i64)> {
    let waking = waiter.since.filter(|event| event.switch().is_none())?;
    if scene.prio(waiter.task_idx, waking.t_ns)? >= 0 || scene.around.has_losses(leg.start_ns, leg.end_ns) {
        return None;
    }
    let before = scene.steps(waiter.pid).iter().rev().map(|step| step.event);
    let mut switches = before.filter(|event| event.t_ns <= waking.t_ns && event.switch().is_some());
    let left = switches.next().filter(|event| event.switch().is_some_and(|of| of.prev.pid == waiter.pid))?;
    let until_ns = replenished_ns(scene, left)?;
    (leg.start_ns < until_ns && until_ns <= leg.end_ns).then_some((leg.start_ns, until_ns))
}

/// When the timer fires that the task started on its way out.
fn replenished_ns(scene: &Scene<'_, '_>, left: &Seen<'_>) -> Option<i64> {
    let before = scene.events(left.cpu, i64::MIN, left.t_ns).iter().rev();
    let mut own =
        before.skip_while(|event| event.seq >= left.seq).take_while(|event| event.switch().is_none());
    let timer = own
        .find_map(|event| event.timer_start().filter(|start| start.function.starts_with(REPLENISHES)))?
        .timer;
    let mut later = scene.around.events.iter().filter(|event| event.seq > left.seq);
    let fired = later.find(|event| event.timer_expiry().is_some_and(|expiry| expiry.timer == timer))?;
    Some(fired.t_ns)
}
