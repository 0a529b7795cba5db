//! Tasks that the scheduler itself takes off their CPU although they could go on: their budget is used up, or given up.

use super::priority::is_fair;
use super::scene::Scene;
use super::wait::Waiter;
use crate::explain::route::{Leg, is_stopper_comm};
use crate::explain::surroundings::Seen;

/// The timer that gives a deadline task its budget again (kernel/sched/deadline.c).
const REPLENISHES: &[u8] = b"dl_task_timer";

/// Until when a task may not run that was switched out for something less important while it could go on: up to the
/// timer that gives it its budget again, where that is recorded, else as long as it waits on this CPU. Nothing but
/// throttling does that: by real-time bandwidth, by the server that runs fair tasks now and then, by the limit of a cgroup,
/// or at the end of a deadline task's budget, which `sched_yield` gives up, too.
pub fn throttled_until_ns(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<i64> {
    let left = waiter.since?;
    let switch = left.switch().filter(|switch| switch.prev.pid == waiter.pid)?;
    let is_stopped = is_stopper_comm(switch.next.comm);
    let its_prio = switch.prev.prio?;
    // Of deadline tasks every other one is less important.
    let is_below = |next: i32| if its_prio < 0 { next >= 0 } else { !is_fair(its_prio) && is_fair(next) };
    let is_less = switch.next.pid == 0 || switch.next.prio.is_some_and(is_below);
    let is_meant = left.t_ns == leg.start_ns && left.cpu == leg.cpu;
    if !is_meant || !is_less || is_stopped || scene.around.has_losses(leg.start_ns, leg.end_ns) {
        return None;
    }
    let replenished_ns = if its_prio < 0 { replenished_ns(scene, left) } else { None };
    Some(replenished_ns.unwrap_or(leg.end_ns))
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
