//! How a task is said to have slept.

use super::extent::{Extent, Length, often};
use super::named;
use super::under::{hangs_on, is_new, may_have_waited};
use crate::analyses::{SliceKind, Subject as KindSubject};
use crate::explain::why::link::{Link, Stop, Subject};
use crate::explain::why::scene::Scene;
use crate::explain::why::timer::raised_first;
use crate::explain::words;

/// See `is_on_time`.
const PART_ON_TIME: i64 = 20;

/// Until something else let it go on: its timer, another task, or nobody that is recorded.
pub fn waits_for<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent, time: &str) -> String {
    if link.subject.is_some() {
        let one = Link { pieces: 1, ..link.clone() };
        let sleeper = if is_of_softirq(scene) { "its thread" } else { "it" };
        let who = named(scene, &one, extent);
        let raiser = if extent.length > Length::Terse { raised_by(scene, link) } else { None };
        let who = raiser.map_or(who.clone(), |raiser| format!("{who}, raised by {raiser},"));
        // The one who stops it decides for how long.
        return match link.stop {
            None if is_new(scene, link) => format!("{who} created it only after {time}"),
            Some(stop) => format!("{} {time} until {who} let it go on", stopped(stop, sleeper)),
            None if link.pieces <= 1 => {
                format!("{sleeper} slept {time} until {who} woke it{}", hangs_on(scene, link, extent))
            }
            // What the waker did is known of the longest of several sleeps.
            None => {
                let is_most = link.longest_ns.saturating_mul(2) >= extent.total_ns;
                let why = if is_most { hangs_on(scene, link, extent) } else { String::new() };
                format!("{sleeper} slept{} for {time} until {who} woke it{why}", often(link, extent))
            }
        };
    }
    match link.asked_ns {
        _ if link.is_slack => slack(link, link.asked_ns.unwrap_or(extent.total_ns)),
        Some(asked_ns) if is_wait_with_time_out(scene) => {
            format!("it slept {time} until its own time-out of {}", words::time(asked_ns))
        }
        Some(asked_ns) => on_timer(link, extent, time, asked_ns),
        None if may_have_waited(scene, link) => {
            format!("it slept or waited for CPU {} for {time}; no record says when it was woken", link.cpu)
        }
        None => format!("it slept {time}; no record says who woke it"),
    }
}

/// The task that raised the softirq which woke a sleeper, outside of interrupts: what it sent is what was waited for.
fn raised_by(scene: &Scene<'_, '_>, link: &Link<'_>) -> Option<String> {
    let waking = link.evidence.iter().find(|event| event.waking().is_some())?;
    let soft = scene.span_at(SliceKind::Softirq, waking.cpu, waking.t_ns)?;
    let raised = raised_first(scene, soft)?;
    let is_of_task = !raised.is_in_interrupt() && !scene.around.is_idle_task(raised.task_idx);
    let is_other = raised.task_idx != scene.case.task_idx;
    let is_softirq = matches!(link.subject, Some(Subject::Softirq(_)));
    (is_softirq && is_of_task && is_other).then(|| scene.around.task_name(raised.task_idx, raised.t_ns))?
}

/// Until a timer of its own expired, which may come as late as its slack allows.
fn on_timer(link: &Link<'_>, extent: Extent, time: &str, asked_ns: i64) -> String {
    let is_on_time = is_on_time(extent.total_ns, asked_ns);
    let asked = Some(words::time(asked_ns)).filter(|_| asked_ns > 0);
    let slack = slack_ns(link).filter(|slack_ns| !is_on_time && *slack_ns > 0);
    let slack = slack.map(|slack_ns| format!("{} of slack", words::time(slack_ns)));
    match (asked, slack) {
        (Some(_), _) if extent.length <= Length::Terse && is_on_time => {
            format!("it slept {time} as requested")
        }
        (Some(asked), Some(slack)) if extent.length <= Length::Terse => {
            format!("it slept {time} ({asked} requested, {slack})")
        }
        (Some(asked), None) if extent.length <= Length::Terse => {
            format!("it slept {time} ({asked} requested)")
        }
        (Some(asked), Some(slack)) => {
            format!("it slept {time} until its timer of {asked} and {slack} expired")
        }
        (Some(asked), None) => format!("it slept {time} until its timer of {asked} expired"),
        (None, Some(slack)) => format!("it slept {time} within the {slack} of its timer"),
        (None, None) => format!("it slept {time} on a timer that was due already"),
    }
}

/// True for a sleep that is as long as it was to be, give or take one part in `PART_ON_TIME`.
fn is_on_time(slept_ns: i64, asked_ns: i64) -> bool {
    slept_ns.saturating_sub(asked_ns).saturating_mul(PART_ON_TIME) <= asked_ns
}

/// How much of its slack a timer used.
fn slack(link: &Link<'_>, used_ns: i64) -> String {
    let used = words::time(used_ns);
    match slack_ns(link).map(words::time).filter(|all| *all != used) {
        Some(all) => format!("its timer used {used} of its {all} of slack"),
        None => format!("its timer had {used} of slack"),
    }
}

/// How much later than it was asked to a timer may come.
fn slack_ns(link: &Link<'_>) -> Option<i64> {
    let timer = link.evidence.iter().find_map(|event| event.timer_start())?;
    Some(timer.expires_ns.saturating_sub(timer.soft_expires_ns))
}

/// `it was stopped for`, `a tracer stopped it for`
fn stopped(stop: Stop, who: &str) -> String {
    match stop {
        Stop::Signal => format!("{who} was stopped for"),
        Stop::Tracer => format!("a tracer stopped {who} for"),
    }
}

/// True of a softirq that was measured itself.
fn is_of_softirq(scene: &Scene<'_, '_>) -> bool {
    scene.case.kind.slice_kind() == Some(SliceKind::Softirq)
}

/// True for a call of something else than sleep: `futex`, `ppoll`, `epoll_wait`.
fn is_wait_with_time_out(scene: &Scene<'_, '_>) -> bool {
    let is_of_task = scene.case.latency().subject == KindSubject::Task;
    scene.case.key.is_some_and(|call| is_of_task && !call.contains("sleep"))
}
