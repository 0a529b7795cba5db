//! Why something took as long as a record of its task says.

use super::inside::{of_task, what_ran};
use super::legs::legs_of;
use super::link::Link;
use super::mechanism::{Certainty, Mechanism};
use super::scene::Scene;
use super::timer;
use crate::analyses::SliceKind;
use crate::explain::route::Leg;
use crate::model::TimeUnit;

/// What the task went through that wrote it, or that it names; of an interrupt's record, what ran on its CPU. Nothing
/// where the clock does not count the time that the record states.
pub fn stated<'a>(scene: &Scene<'_, 'a>, legs: &[Leg]) -> Vec<Link<'a>> {
    let case = scene.case;
    if scene.around.time_unit() == TimeUnit::Ticks {
        return Vec::new();
    }
    match case.pid.filter(|_| !is_of_interrupt(scene)) {
        Some(pid) => {
            let legs = legs_of(scene, (case.task_idx, case.cpu), (case.start_ns, case.end_ns()));
            let links = of_task(scene, (case.task_idx, pid), &legs, 0);
            links.into_iter().flat_map(|link| after_expiry(scene, as_recorded(link))).collect()
        }
        None => legs.iter().flat_map(|leg| what_ran(scene, *leg, None)).collect(),
    }
}

/// The record was written in an interrupt, which is not its task's work.
fn is_of_interrupt(scene: &Scene<'_, '_>) -> bool {
    let case = scene.case;
    let event_name = case.key.and_then(|key| key.rsplit_once('.')).map(|(event, _)| event);
    let at_end = scene.events(case.cpu, case.end_ns(), case.end_ns()).iter();
    let mut records = at_end.filter(|event| Some(scene.around.event_name(event)) == event_name);
    records.next().is_some_and(|event| event.is_in_interrupt())
}

/// That it ran all the while is not concluded from its having run at both ends: of something late, that is unlikely.
fn as_recorded(link: Link<'_>) -> Link<'_> {
    let is_guess = link.mechanism == Mechanism::OwnWork && link.certainty == Certainty::Inferred;
    if is_guess { Link { mechanism: Mechanism::Unknown, subject: None, ..link } } else { link }
}

/// A sleep on a timer of the task's own: until it was due, within its slack, and the timer's way to the task.
fn after_expiry<'a>(scene: &Scene<'_, 'a>, link: Link<'a>) -> Vec<Link<'a>> {
    let Some((waking, armed)) = link.asked_ns.and_then(|_| link.evidence.first().zip(link.evidence.get(1)))
    else {
        return vec![link];
    };
    let (waking, armed) = (*waking, *armed);
    let handler = timer::handler_before(scene, link.start_ns, &waking);
    let fired = handler.and_then(|handler| Some((handler, handler.timer_expiry()?, armed.timer_start()?)));
    let Some((handler, expiry, timer)) = fired else { return vec![link] };
    let at = |expires_ns: i64| timer::on_trace_clock(scene, handler, &expiry, expires_ns);
    let entry = scene.span_at(SliceKind::Irq, handler.cpu, handler.t_ns);
    let came_ns = entry.map_or(handler.t_ns, |entry| entry.start_ns);
    let asked_ns = at(timer.soft_expires_ns).clamp(link.start_ns, waking.t_ns.max(link.start_ns));
    let due_ns = at(timer.expires_ns).min(came_ns).max(asked_ns);
    let slack = Link::new(Mechanism::WaitsFor, link.cpu, asked_ns, due_ns).seen_by([&armed, &waking]);
    // However much of it the record counts.
    let used_ns = due_ns.saturating_sub(at(timer.soft_expires_ns));
    let slack = Link { is_slack: true, asked_ns: Some(used_ns), ..slack };
    let (start_ns, end_ns) = (link.start_ns, link.end_ns);
    // What was late by more than a moment is in links of its own.
    let late = match due_ns < waking.t_ns && waking.t_ns <= end_ns {
        true => timer::fired(scene, due_ns, waking.t_ns, &waking),
        false => Vec::new(),
    };
    let rest = link.clone().between(waking.t_ns.max(due_ns), end_ns);
    let parts = [link.between(start_ns, asked_ns), slack].into_iter().chain(late).chain([rest]);
    parts.filter(|part| part.duration_ns() > 0).collect()
}
