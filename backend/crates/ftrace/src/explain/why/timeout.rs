//! Waits that their own time-out ended, where the events in between are not looked at.

use super::inside::cut;
use super::link::Link;
use super::mechanism::Mechanism;
use super::scene::Scene;
use crate::events::{Role, is_time_out, syscall_result};
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;

/// Asleep from a start on, up to the expiry of the timer that the task had started for its call before; then what `rest`
/// says. `None` unless the call says that its time ran out.
pub fn timed_out<'a>(
    scene: &Scene<'_, 'a>,
    (task_idx, left): (i32, &Seen<'a>),
    legs: &[Leg],
    rest: impl Fn(&[Leg]) -> Vec<Link<'a>>,
) -> Option<Vec<Link<'a>>> {
    let case = scene.case;
    let (start_ns, end_ns) = (legs.first()?.start_ns, legs.last()?.end_ns);
    let of_task = |from_ns: i64, to_ns: i64| {
        let inside = move |event: &&Seen<'a>| from_ns <= event.t_ns && event.t_ns <= to_ns;
        scene.around.events.iter().filter(inside).filter(move |event| event.task_idx == task_idx)
    };
    let exit = of_task(end_ns, case.end_ns()).rfind(|event| event.role == Some(Role::SyscallExit))?;
    syscall_result(exit.args.as_bytes()).filter(|result| is_time_out(*result))?;
    let own = of_task(case.start_ns, left.t_ns).filter(|event| event.seq < left.seq);
    let (armed, timer) = own.filter_map(|event| Some((event, event.timer_start()?))).next_back()?;
    let ahead_ns = clock_ahead_ns(scene)?;
    let expiry_ns = timer.expires_ns.saturating_add(ahead_ns).min(end_ns);
    let asked_ns = timer.soft_expires_ns.saturating_add(ahead_ns).saturating_sub(armed.t_ns);
    if asked_ns <= 0 || expiry_ns <= start_ns || scene.ran_between(task_idx, start_ns, expiry_ns) {
        return None;
    }
    let link = Link::new(Mechanism::WaitsFor, legs.first()?.cpu, start_ns, expiry_ns);
    let slept = Link { asked_ns: Some(asked_ns), ..link.inferred().seen_by([armed, exit]) };
    Some([slept].into_iter().chain(rest(&cut(legs, expiry_ns, end_ns))).collect())
}

/// How far the trace's clock is ahead of the timers': at most the lateness of a handler that both record.
fn clock_ahead_ns(scene: &Scene<'_, '_>) -> Option<i64> {
    let events = scene.around.earlier.iter().chain(&scene.around.events);
    let both = events.filter_map(|event| Some((event.t_ns, event.timer_expiry()?.now_ns)));
    both.map(|(t_ns, now_ns)| t_ns.saturating_sub(now_ns)).min()
}
