//! Stretches in which the interrupt of some timer was due on a CPU and did not come.

use hashbrown::HashMap;

use super::scene::Scene;
use super::timer::{on_trace_clock, pass_began_ns};
use crate::events::{Decoded, Role, TICK_HANDLERS};
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// An interrupt may be this late without any cause.
const MIN_OVERDUE_NS: i64 = 100_000;

/// Where starts are not recorded: a tick that does not come for so many periods may have been stopped, as `nohz_full` does.
const MOST_PERIODS: i64 = 50;

/// A stretch [start, end) of a CPU that took no interrupt, though one was due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    pub start_ns: i64,
    pub end_ns: i64,
}

/// A timer that was started.
struct Armed {
    t_ns: i64,
    expires_ns: i64,
    is_tick: bool,
}

fn is_tick(function: &[u8]) -> bool {
    TICK_HANDLERS.contains(&function)
}

/// True for an event of the idle task, and for a switch to it.
fn is_of_idle(scene: &Scene<'_, '_>, event: &Seen<'_>) -> bool {
    scene.around.is_idle_task(event.task_idx) || event.switch().is_some_and(|switch| switch.next.pid == 0)
}

/// True where a CPU leaves its idle task, and no switch says so, though switches are recorded: what the idle task does of
/// itself is not recorded there.
fn hides_idle(scene: &Scene<'_, '_>, cpu: i16) -> bool {
    let events = scene.events(cpu, i64::MIN, i64::MAX);
    let leaves = |event: &&Seen<'_>| event.switch().is_some_and(|switch| switch.prev.pid == 0);
    let is_left = |pair: &[&Seen<'_>]| match pair {
        // The switch to the idle task is an event of the task before it.
        [first, second] => {
            let is_idle = scene.around.is_idle_task(first.task_idx);
            is_idle && first.switch().is_none() && !scene.around.is_idle_task(second.task_idx)
        }
        _ => false,
    };
    scene.around.records("sched_switch") && events.windows(2).any(is_left) && !events.iter().any(leaves)
}

/// The stretches of a CPU, in order and apart: from the expiry of a timer that was started before it, or from the last event
/// after it that shows interrupts to be on, to the interrupt that calls its handler. `now` is of the timer's clock, and `now - expires` the same on every clock.
///
/// An idle CPU stops its tick, and starts it again for another time. Where that is not recorded, nothing is known of a tick
/// that was started before.
pub fn overdue(scene: &Scene<'_, '_>, cpu: i16) -> Vec<Overdue> {
    let hides_idle = hides_idle(scene, cpu);
    // Where starts are not recorded: a busy CPU starts its tick again for the next period.
    let is_unstarted = !scene.around.records("hrtimer_start");
    let period_ns = if is_unstarted { scene.usuals.tick_ns(scene.around) } else { None };
    let mut armed: HashMap<u64, Armed> = HashMap::new();
    let mut entered_ns = None;
    let mut on_ns = i64::MIN;
    let mut found: Vec<Overdue> = Vec::new();
    // What the idle task did since then is not among the events.
    let before = scene.around.timers.iter().filter(|event| event.cpu == cpu && !hides_idle);
    for event in before.chain(scene.events(cpu, i64::MIN, i64::MAX).iter().copied()) {
        // Timers that run in softirqs wait for these, even if interrupts are on.
        let flags = Flags(event.flags.cast_unsigned());
        let is_hard = flags.has(Flags::HARDIRQ);
        if flags.has(Flags::KNOWN) && !flags.has(Flags::IRQS_OFF) {
            on_ns = event.t_ns;
        }
        if (hides_idle || is_unstarted) && is_of_idle(scene, event) {
            armed.retain(|_, of| !of.is_tick);
        }
        let is_timer = matches!(event.role, Some(Role::HrtimerStart | Role::HrtimerExpireEntry));
        let is_meant = is_timer || event.begins_interrupt() || event.ends_interrupt();
        match event.decoded_if(is_meant) {
            Some(Decoded::InterruptEntry { .. }) => entered_ns = Some(event.t_ns),
            Some(Decoded::InterruptExit { .. }) => entered_ns = None,
            Some(Decoded::TimerStart(start)) => {
                let is_tick = is_tick(start.function);
                armed.insert(start.timer, Armed { t_ns: event.t_ns, expires_ns: start.expires_ns, is_tick });
            }
            Some(Decoded::TimerExpiry(expiry)) if is_hard => {
                let was_armed = armed.remove(&expiry.timer);
                let next = period_ns.filter(|_| is_tick(expiry.function) && !is_of_idle(scene, event));
                if let Some(period_ns) = next {
                    let expires_ns = expiry.now_ns.saturating_add(period_ns);
                    armed.insert(expiry.timer, Armed { t_ns: event.t_ns, expires_ns, is_tick: true });
                }
                let Some(Armed { t_ns: armed_ns, expires_ns, .. }) = was_armed else { continue };
                // The events in the middle of a long case are not known.
                if scene.around.is_unseen_between(armed_ns, event.t_ns) {
                    continue;
                }
                let late_ns = expiry.now_ns.saturating_sub(expires_ns);
                let is_stopped = |period_ns: i64| late_ns > period_ns.saturating_mul(MOST_PERIODS);
                let is_lost = || is_unstarted && scene.around.has_losses(armed_ns, event.t_ns);
                if period_ns.is_some_and(is_stopped) || is_lost() {
                    continue;
                }
                let due_ns = on_trace_clock(scene, event, &expiry, expires_ns);
                let start_ns = due_ns.max(armed_ns).max(on_ns);
                let end_ns = entered_ns.unwrap_or_else(|| pass_began_ns(scene, event, &expiry));
                if end_ns.saturating_sub(start_ns) >= MIN_OVERDUE_NS {
                    found.push(Overdue { start_ns, end_ns });
                }
            }
            _ => {}
        }
    }
    found.sort_unstable_by_key(|one| (one.start_ns, one.end_ns));
    let mut apart: Vec<Overdue> = Vec::new();
    for one in found {
        match apart.last_mut().filter(|last| one.start_ns <= last.end_ns) {
            Some(last) => last.end_ns = last.end_ns.max(one.end_ns),
            None => apart.push(one),
        }
    }
    apart
}
