//! Sleeps that something else ended after the timer of the sleeper was due.

use super::interrupt::{ON_ITS_WAY_NS, late_interrupt};
use super::link::Link;
use super::mechanism::Mechanism;
use super::scene::{Change, Scene};
use super::timer::on_trace_clock;
use crate::events::{SLEEP_HANDLER, TimerStart};
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;

/// Asleep in [start, end) up to the expiry that the task had set, and after that kept from waking as the interrupt was late:
/// whoever woke it in the end only came first. `None` unless the handler of its timer comes later.
pub fn past_its_timer<'a>(
    scene: &Scene<'_, 'a>,
    pid: i32,
    (start_ns, end_ns): (i64, i64),
    waking: &Seen<'a>,
) -> Option<Vec<Link<'a>>> {
    let (armed, timer) = started(scene, pid, start_ns)?;
    let of_timer = |event: &&Seen<'a>| {
        event.timer_expiry().is_some_and(|expiry| expiry.timer == timer.timer)
            || event.timer_start().is_some_and(|start| start.timer == timer.timer)
    };
    // One that is started again was cancelled.
    let handler = scene.around.events.iter().filter(|event| event.seq > armed.seq).find(of_timer)?;
    let expiry = handler.timer_expiry().filter(|_| handler.seq > waking.seq)?;
    let at_ns = |expires_ns: i64| on_trace_clock(scene, handler, &expiry, expires_ns);
    let due_ns = at_ns(timer.expires_ns).max(start_ns);
    let asked_ns = at_ns(timer.soft_expires_ns).saturating_sub(armed.t_ns);
    if end_ns.saturating_sub(due_ns) < ON_ITS_WAY_NS {
        return None;
    }
    let slept = Link::new(Mechanism::WaitsFor, armed.cpu, start_ns, due_ns).seen_by([&armed, handler]);
    let slept = Link { asked_ns: Some(asked_ns), ..slept };
    let late = late_interrupt(scene, Leg { cpu: armed.cpu, start_ns: due_ns, end_ns });
    Some([slept].into_iter().chain(late).collect())
}

/// The last timer with this handler that a task started before it went to sleep.
fn started<'a>(scene: &Scene<'_, 'a>, pid: i32, start_ns: i64) -> Option<(Seen<'a>, TimerStart<'a>)> {
    let mut steps = scene.steps(pid).iter();
    let left = steps.rfind(|step| step.change == Change::Blocks && step.event.t_ns <= start_ns)?.event;
    let mut own = own_before(scene, pid, left.cpu, left.t_ns).filter(|event| !event.is_in_interrupt());
    let wakes = |event: Seen<'a>| {
        Some((event, event.timer_start().filter(|start| start.function.starts_with(SLEEP_HANDLER))?))
    };
    own.find_map(wakes)
}

/// What a task did on a CPU up to a time, the last first, and what the task of the case did before the events around it.
pub fn own_before<'a>(
    scene: &Scene<'_, 'a>,
    pid: i32,
    cpu: i16,
    until_ns: i64,
) -> impl Iterator<Item = Seen<'a>> {
    let before = scene.events(cpu, i64::MIN, until_ns).iter().rev();
    let own = before.map(|event| **event).filter(move |event| scene.pid(event.task_idx) == Some(pid));
    let of_case = (scene.case.pid == Some(pid)).then(|| scene.around.earlier_of(scene.case.task_idx));
    own.chain(of_case.into_iter().flatten())
}
