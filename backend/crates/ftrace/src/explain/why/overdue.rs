//! Stretches in which the interrupt of some timer was due on a CPU and did not come.

use hashbrown::HashMap;

use super::scene::Scene;
use super::timer::{on_trace_clock, pass_began_ns};
use crate::events::{Decoded, Role, TICK_HANDLERS, TimerExpiry, TimerStart};
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

/// The stretches of a CPU in which a timer was due, in order and apart.
#[derive(Default)]
pub struct Late {
    /// From the expiry of a timer that was started before it, or from the last event after it that shows interrupts to be
    /// on, to the interrupt that calls its handler: something kept it away.
    pub kept_away: Vec<Overdue>,
    /// From the expiry to the last event that shows interrupts to be on: whatever kept it away is not known to have lasted.
    pub undelivered: Vec<Overdue>,
}

impl Late {
    /// What of them lies in [start, end).
    pub fn inside(&self, start_ns: i64, end_ns: i64) -> Self {
        let cut = |all: &[Overdue]| {
            let all = all.iter();
            let cut = all
                .map(|one| Overdue { start_ns: one.start_ns.max(start_ns), end_ns: one.end_ns.min(end_ns) });
            cut.filter(|one| one.start_ns < one.end_ns).collect()
        };
        Self { kept_away: cut(&self.kept_away), undelivered: cut(&self.undelivered) }
    }
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

/// Where timers of a CPU were late. `now` is of the timer's clock, and `now - expires` the same on every clock.
///
/// An idle CPU stops its tick, and starts it again for another time. Where that is not recorded, nothing is known of a tick
/// that was started before.
pub fn late(scene: &Scene<'_, '_>, cpu: i16) -> Late {
    let hides_idle = hides_idle(scene, cpu);
    // Where starts are not recorded: a busy CPU starts its tick again for the next period.
    let is_unstarted = !scene.around.records("hrtimer_start");
    let is_unfired = !scene.around.records("hrtimer_expire_entry");
    let period_ns = if is_unstarted || is_unfired { scene.usuals.tick_ns(scene.around) } else { None };
    let mut walk = Walk {
        scene,
        period_ns,
        is_unstarted,
        behind_ns: period_ns.filter(|_| is_unfired).and_then(|period_ns| behind_ns(scene, cpu, period_ns)),
        armed: HashMap::new(),
        entered_ns: None,
        on_ns: i64::MIN,
        found: Late::default(),
    };
    // What the idle task did since then is not among the events.
    let before = scene.around.timers.iter().filter(|event| event.cpu == cpu && !hides_idle);
    for event in before.chain(scene.events(cpu, i64::MIN, i64::MAX).iter().copied()) {
        if (hides_idle || is_unstarted) && is_of_idle(scene, event) {
            walk.armed.retain(|_, of| !of.is_tick);
        }
        walk.event(event);
    }
    let Late { kept_away, undelivered } = walk.found;
    Late { kept_away: apart(kept_away), undelivered: apart(undelivered) }
}

/// How far the clock of the trace is ahead of that of ticks, where the handlers of ticks are not recorded: by the tick that
/// started itself again soonest after it was due, for the next multiple of its period.
fn behind_ns(scene: &Scene<'_, '_>, cpu: i16, period_ns: i64) -> Option<i64> {
    let events = scene.around.timers.iter().filter(|event| event.cpu == cpu);
    let events = events.chain(scene.events(cpu, i64::MIN, i64::MAX).iter().copied());
    let ticks = events.filter_map(|event| {
        let start = event.timer_start().filter(|start| is_tick(start.function))?;
        let was_due_ns = start.expires_ns.saturating_sub(period_ns);
        event.is_in_hard_interrupt().then_some(event.t_ns.saturating_sub(was_due_ns))
    });
    ticks.min()
}

/// One look at the events of a CPU, in their order.
struct Walk<'w, 's, 'a> {
    scene: &'w Scene<'s, 'a>,
    /// Of the tick, where one of its starts and its handlers is not recorded.
    period_ns: Option<i64>,
    is_unstarted: bool,
    /// The clock of the trace minus that of ticks, where their handlers are not recorded.
    behind_ns: Option<i64>,
    armed: HashMap<u64, Armed>,
    entered_ns: Option<i64>,
    on_ns: i64,
    found: Late,
}

impl Walk<'_, '_, '_> {
    fn event(&mut self, event: &Seen<'_>) {
        let flags = Flags(event.flags.cast_unsigned());
        // Timers that run in softirqs wait for these, even if interrupts are on.
        let is_hard = flags.has(Flags::HARDIRQ);
        if flags.has(Flags::KNOWN) && !flags.has(Flags::IRQS_OFF) {
            self.on_ns = event.t_ns;
        }
        let is_timer = matches!(event.role, Some(Role::HrtimerStart | Role::HrtimerExpireEntry));
        let is_meant = is_timer || event.begins_interrupt() || event.ends_interrupt();
        match event.decoded_if(is_meant) {
            Some(Decoded::InterruptEntry { .. }) => self.entered_ns = Some(event.t_ns),
            Some(Decoded::InterruptExit { .. }) => self.entered_ns = None,
            Some(Decoded::TimerStart(start)) => self.start(event, &start, is_hard),
            Some(Decoded::TimerExpiry(expiry)) if is_hard => self.expiry(event, &expiry),
            _ => {}
        }
    }

    fn start(&mut self, event: &Seen<'_>, start: &TimerStart<'_>, is_hard: bool) {
        let is_tick = is_tick(start.function);
        let armed = Armed { t_ns: event.t_ns, expires_ns: start.expires_ns, is_tick };
        let was_armed = self.armed.insert(start.timer, armed);
        let Some(was_armed) = was_armed.filter(|_| is_tick && is_hard) else { return };
        let Some((period_ns, behind_ns)) = self.period_ns.zip(self.behind_ns) else { return };
        // The handler of a tick that is not recorded starts it again, and leaves out the ticks that it has missed.
        let late_ns = start.expires_ns.saturating_sub(period_ns).saturating_sub(was_armed.expires_ns);
        if late_ns >= period_ns && !self.is_unknown(&was_armed, event, late_ns) {
            let due_ns = was_armed.expires_ns.saturating_add(behind_ns);
            self.push(&was_armed, due_ns, self.entered_ns.unwrap_or(event.t_ns));
        }
    }

    fn expiry(&mut self, event: &Seen<'_>, expiry: &TimerExpiry<'_>) {
        let was_armed = self.armed.remove(&expiry.timer);
        let is_busy_tick = is_tick(expiry.function) && !is_of_idle(self.scene, event);
        if let Some(period_ns) = self.period_ns.filter(|_| self.is_unstarted && is_busy_tick) {
            let expires_ns = expiry.now_ns.saturating_add(period_ns);
            self.armed.insert(expiry.timer, Armed { t_ns: event.t_ns, expires_ns, is_tick: true });
        }
        let Some(was_armed) = was_armed else { return };
        let late_ns = expiry.now_ns.saturating_sub(was_armed.expires_ns);
        if !self.is_unknown(&was_armed, event, late_ns) {
            let due_ns = on_trace_clock(self.scene, event, expiry, was_armed.expires_ns);
            let end_ns = self.entered_ns.unwrap_or_else(|| pass_began_ns(self.scene, event, expiry));
            self.push(&was_armed, due_ns, end_ns);
        }
    }

    /// True where the timer may have been stopped in between.
    fn is_unknown(&self, armed: &Armed, event: &Seen<'_>, late_ns: i64) -> bool {
        let around = self.scene.around;
        let is_stopped = |period_ns: i64| late_ns > period_ns.saturating_mul(MOST_PERIODS);
        // The events in the middle of a long case are not known.
        around.is_unseen_between(armed.t_ns, event.t_ns)
            || self.period_ns.is_some_and(is_stopped)
            || self.period_ns.is_some() && around.has_losses(armed.t_ns, event.t_ns)
    }

    fn push(&mut self, armed: &Armed, due_ns: i64, end_ns: i64) {
        let due_ns = due_ns.max(armed.t_ns);
        let push = |to: &mut Vec<Overdue>, start_ns: i64, end_ns: i64| {
            if end_ns.saturating_sub(start_ns) >= MIN_OVERDUE_NS {
                to.push(Overdue { start_ns, end_ns });
            }
        };
        push(&mut self.found.undelivered, due_ns, self.on_ns.min(end_ns));
        push(&mut self.found.kept_away, due_ns.max(self.on_ns), end_ns);
    }
}

fn apart(mut found: Vec<Overdue>) -> Vec<Overdue> {
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
