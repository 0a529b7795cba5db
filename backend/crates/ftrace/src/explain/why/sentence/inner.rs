//! What a task did in a stretch, where its events say so.

use std::collections::BTreeMap;

use super::{Extent, Length};
use crate::explain::surroundings::Seen;
use crate::explain::why::deeds::Deeds;
use crate::explain::why::link::{Link, Subject};
use crate::explain::why::scene::Scene;
use crate::explain::words;
use crate::model::grouped;

/// `, mostly in wf`: the work that took most of what a kernel thread kept the CPU for.
pub fn mostly_in_work(scene: &Scene<'_, '_>, link: &Link<'_>, extent: Extent) -> String {
    let is_told = extent.length > Length::Short && scene.around.records("workqueue_execute_start");
    let Some(Subject::Task(idx)) = link.subject.filter(|_| is_told) else {
        return String::new();
    };
    let events = scene.events(link.cpu, i64::MIN, link.end_ns).iter();
    let work = |event: &&Seen<'_>| {
        event.task_idx == idx && scene.around.event_name(event).starts_with("workqueue_execute_")
    };
    let mut steps = events.copied().filter(|event| work(event)).peekable();
    let mut taken: BTreeMap<&str, i64> = BTreeMap::new();
    while let Some(step) = steps.next() {
        let is_start = scene.around.event_name(step) == "workqueue_execute_start";
        let Some(function) = function_of(step).filter(|_| is_start) else { continue };
        let until_ns = steps.peek().map_or(link.end_ns, |next| next.t_ns.min(link.end_ns));
        let sum = taken.entry(function).or_default();
        *sum = sum.saturating_add(until_ns.saturating_sub(step.t_ns.max(link.start_ns)).max(0));
    }
    let most = taken.into_iter().max_by_key(|(function, ns)| (*ns, std::cmp::Reverse(*function)));
    let most = most.filter(|(_, ns)| ns.saturating_mul(2) >= extent.total_ns);
    most.map_or_else(String::new, |(function, _)| format!(", mostly in {function}"))
}

/// `work struct 00000000d2ba7504: function wf [late]`
fn function_of<'a>(event: &Seen<'a>) -> Option<&'a str> {
    let (_, rest) = event.args.split_once("function ")?;
    rest.split([' ', '+']).next().filter(|name| !name.is_empty())
}

/// `, mostly after a page fault`: what a task that was on its way to user space met there.
pub fn mostly_after(scene: &Scene<'_, '_>, link: &Link<'_>, total_ns: i64) -> &'static str {
    let inside = scene.events(link.cpu, link.start_ns, link.end_ns.saturating_sub(1)).iter();
    let mut met = inside.filter_map(|event| {
        let is_most = link.end_ns.saturating_sub(event.t_ns).saturating_mul(2) >= total_ns;
        let said = match scene.around.event_name(event) {
            "page_fault_user" | "page_fault_kernel" => ", mostly after a page fault",
            "signal_deliver" => ", mostly after a signal",
            _ => return None,
        };
        is_most.then_some(said)
    });
    met.next().unwrap_or_default()
}

/// `, 7.0 µs of it waking rcu_preempt-16`, of what a task did itself, where that took a third of it or more.
pub fn mostly_waking(scene: &Scene<'_, '_>, link: &Link<'_>, extent: Extent) -> String {
    let is_own =
        |event: &&Seen<'_>| link.subject == Some(Subject::Task(event.task_idx)) && !event.is_in_interrupt();
    let events = scene.events(link.cpu, link.start_ns, link.end_ns).iter().copied();
    let events: Vec<&Seen<'_>> = events.filter(is_own).collect();
    let deeds = Deeds::of(scene, &events);
    let ns = deeds.wakings.iter().map(|waking| waking.end_ns.saturating_sub(waking.start_ns));
    let total_ns = ns.fold(0_i64, i64::saturating_add);
    if extent.length < Length::Full || total_ns <= 0 || total_ns.saturating_mul(3) < extent.total_ns {
        return String::new();
    }
    let whom = match deeds.wakings.as_slice() {
        [one] => one.name(),
        many => format!("{} tasks", grouped(many.len())),
    };
    format!(", {} of it waking {whom}", words::time(total_ns))
}
