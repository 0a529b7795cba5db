//! What is known of an interrupt or softirq that was measured itself: what it did longest, and what is normal.

use std::collections::BTreeMap;

use super::link::Link;
use super::scene::Scene;
use super::usual::Usual;
use crate::analyses::SliceKind;
use crate::events::Role;
use crate::explain::surroundings::Seen;
use crate::explain::words;
use crate::model::Flags;

/// What it did longest, or that nothing in it is recorded; and how long such ones are as a rule.
pub fn itself(scene: &Scene<'_, '_>, link: &Link<'_>) -> Vec<String> {
    let case = scene.case;
    let events = own_events(scene);
    let usual = link.usual.map(|usual| format!("normally {}", words::time(usual.median_ns)));
    let is_longer = link.usual.is_some_and(|usual| case.duration_ns >= usual.median_ns.saturating_mul(2));
    if matches!(case.kind.slice_kind(), Some(SliceKind::Irqsoff | SliceKind::Preemptoff)) {
        return stretch(scene, &events).into_iter().collect();
    }
    let part = timers(scene, &events).or_else(|| place(scene, &events)).or_else(|| stretch(scene, &events));
    let told = match part {
        Some(part) => [usual.filter(|_| is_longer), Some(part)],
        None if events.len() <= 2 => [usual, Some("nothing recorded in it says what it did".to_owned())],
        None => [usual, None],
    };
    told.into_iter().flatten().collect()
}

/// The events of the case, without those of what interrupted it.
fn own_events<'s, 'a>(scene: &Scene<'s, 'a>) -> Vec<&'s Seen<'a>> {
    let case = scene.case;
    let is_softirq = case.kind.slice_kind() == Some(SliceKind::Softirq);
    let is_own = |event: &&&Seen<'_>| {
        let flags = Flags(event.flags.cast_unsigned());
        !is_softirq
            || !flags.has(Flags::HARDIRQ)
                && scene
                    .span_at(SliceKind::Irq, case.cpu, event.t_ns)
                    .is_none_or(|irq| irq.start_ns < case.start_ns)
    };
    scene.events(case.cpu, case.start_ns, case.end_ns()).iter().filter(is_own).copied().collect()
}

/// `10 µs in delayed_work_timer_fn`, or `it ran 4 timers, the longest delayed_work_timer_fn (11 µs)`, where they took
/// most of it.
fn timers(scene: &Scene<'_, '_>, events: &[&Seen<'_>]) -> Option<String> {
    let case = scene.case;
    let mut open: Option<(&str, i64)> = None;
    let mut runs: Vec<(i64, &str)> = Vec::new();
    for event in events {
        match scene.around.event_name(event) {
            "timer_expire_entry" | "hrtimer_expire_entry" => {
                open = word(event.args, "function=").map(|function| (function, event.t_ns));
            }
            "timer_expire_exit" | "hrtimer_expire_exit" => {
                runs.extend(open.take().map(|(name, since)| (event.t_ns.saturating_sub(since), name)));
            }
            _ => {}
        }
    }
    let total_ns = runs.iter().fold(0_i64, |sum, (ns, _)| sum.saturating_add(*ns));
    let (longest_ns, name) = runs.iter().rev().max_by_key(|(ns, _)| *ns)?;
    let time = words::time(*longest_ns);
    match runs.len() {
        _ if case.is_most(*longest_ns) => Some(format!("{time} in {name}")),
        count if count > 1 && case.is_most(total_ns) => {
            Some(format!("it ran {count} timers, the longest {name} ({time})"))
        }
        _ => None,
    }
}

/// `51 µs between events of rcu_do_batch`: the function that switches interrupts or preemption off, or whose locks do,
/// over most of it.
fn place(scene: &Scene<'_, '_>, events: &[&Seen<'_>]) -> Option<String> {
    let mut extents: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for event in events {
        let is_section = matches!(
            event.role,
            Some(Role::IrqDisable | Role::IrqEnable | Role::PreemptDisable | Role::PreemptEnable)
        );
        let caller = word(event.args, "caller=").filter(|_| is_section);
        let function = caller.filter(|caller| !caller.contains("_lock") && !caller.contains("_unlock"));
        if let Some(function) = function.or_else(|| word(event.args, "parent=").filter(|_| is_section)) {
            let extent = extents.entry(function).or_insert((event.t_ns, event.t_ns));
            extent.1 = event.t_ns;
        }
    }
    let length_ns = |(from_ns, to_ns): (i64, i64)| to_ns.saturating_sub(from_ns);
    // What opens and closes it says nothing of what it does.
    let inner = extents.iter().filter(|(name, _)| !is_entry_function(name));
    let (name, extent) = inner.max_by_key(|(_, extent)| length_ns(**extent))?;
    let part_ns = length_ns(*extent);
    scene.case.is_most(part_ns).then(|| format!("{} between events of {name}", words::time(part_ns)))
}

fn is_entry_function(name: &str) -> bool {
    [
        "handle_softirqs",
        "__do_softirq",
        "irq_exit",
        "__irq_exit",
        "irq_enter",
        "sysvec_",
        "asm_",
        "run_ksoftirqd",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

/// `194 µs between timerlat and softirq_raise (normally 12 µs)`: the longest stretch between two events.
fn stretch(scene: &Scene<'_, '_>, events: &[&Seen<'_>]) -> Option<String> {
    if events.len() <= 2 {
        return None;
    }
    let part_ns = |pair: &[&Seen<'_>]| match pair {
        [first, second] => second.t_ns.saturating_sub(first.t_ns),
        _ => 0,
    };
    let longest = events.windows(2).rev().max_by_key(|pair| part_ns(pair))?;
    let [first, second] = longest else { return None };
    let ns = part_ns(longest);
    let usual: Option<Usual> = scene.usual_gap([first, second], ns);
    let usual = usual.filter(|usual| ns >= usual.median_ns.saturating_mul(2));
    let usual =
        usual.map_or_else(String::new, |usual| format!(" (normally {})", words::time(usual.median_ns)));
    let [first, second] = [first, second].map(|event| scene.around.event_name(event));
    let which = if scene.case.is_most(ns) { "of it" } else { "at most" };
    Some(format!("{} {which} between {first} and {second}{usual}", words::time(ns)))
}

/// The name behind a key: without its offset, and what follows.
fn word<'a>(args: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = args.split_once(key)?;
    rest.split([' ', '+']).next().filter(|name| !name.is_empty())
}
