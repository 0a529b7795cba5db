//! What is known of an interrupt or softirq that was measured itself: what it did longest, and what is normal.

use std::collections::BTreeMap;

use super::link::Link;
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::usual::Usual;
use crate::analyses::SliceKind;
use crate::events::Role;
use crate::explain::surroundings::Seen;
use crate::explain::words;
use crate::model::Flags;

/// What it did longest, or that nothing in it is recorded; and how long such ones are as a rule.
///
/// What interrupted it, or ran while it was switched out, is no part of what it did.
pub fn itself(scene: &Scene<'_, '_>, link: &Link<'_>, chain: &[Link<'_>]) -> Vec<String> {
    let case = scene.case;
    let events = own_events(scene);
    let others: Vec<&Link<'_>> = chain.iter().filter(|link| link.mechanism != Mechanism::Handler).collect();
    let usual = link.usual.map(|usual| format!("normally {}", words::time(usual.median_ns)));
    let is_longer = link.usual.is_some_and(|usual| case.duration_ns >= usual.median_ns.saturating_mul(2));
    let longest = longest_stretch(&events, &others);
    if matches!(case.kind.slice_kind(), Some(SliceKind::Irqsoff | SliceKind::Preemptoff)) {
        return stretch(scene, &events, longest).into_iter().collect();
    }
    let timers = timers(scene, &events, &others, longest.map_or(0, |(ns, _)| ns));
    let part = timers.or_else(|| place(scene, &events)).or_else(|| stretch(scene, &events, longest));
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

/// [start, end) without what others had of it.
fn own_ns(others: &[&Link<'_>], start_ns: i64, end_ns: i64) -> i64 {
    let taken = others.iter().map(|link| link.end_ns.min(end_ns).saturating_sub(link.start_ns.max(start_ns)));
    taken.fold(end_ns.saturating_sub(start_ns), |left, ns| left.saturating_sub(ns.max(0)))
}

/// `10 µs in delayed_work_timer_fn`, or `it ran 4 timers, the longest delayed_work_timer_fn (11 µs)`, where they took
/// most of it; and the one that took longer than anything else between two events.
fn timers(
    scene: &Scene<'_, '_>,
    events: &[&Seen<'_>],
    others: &[&Link<'_>],
    longest_stretch_ns: i64,
) -> Option<String> {
    let case = scene.case;
    let mut open: Option<(&str, i64)> = None;
    let mut runs: Vec<(i64, &str)> = Vec::new();
    for event in events {
        match scene.around.event_name(event) {
            "timer_expire_entry" | "hrtimer_expire_entry" => {
                open = word(event.args, "function=").map(|function| (function, event.t_ns));
            }
            "timer_expire_exit" | "hrtimer_expire_exit" => {
                runs.extend(open.take().map(|(name, since_ns)| (own_ns(others, since_ns, event.t_ns), name)));
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
        _ if *longest_ns >= longest_stretch_ns && *longest_ns > 0 => Some(format!("{time} of it in {name}")),
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

/// How long it is between two events.
type Stretch<'s, 'a> = (i64, [&'s Seen<'a>; 2]);

/// The longest stretch between two events, without what others had of it.
fn longest_stretch<'s, 'a>(events: &[&'s Seen<'a>], others: &[&Link<'_>]) -> Option<Stretch<'s, 'a>> {
    let pairs = events.iter().zip(events.iter().skip(1)).rev();
    let stretches = pairs.map(|(first, second)| (own_ns(others, first.t_ns, second.t_ns), [*first, *second]));
    stretches.max_by_key(|(ns, _)| *ns)
}

/// `194 µs between timerlat and softirq_raise (normally 12 µs)`, of the longest stretch.
fn stretch(scene: &Scene<'_, '_>, events: &[&Seen<'_>], longest: Option<Stretch<'_, '_>>) -> Option<String> {
    if events.len() <= 2 {
        return None;
    }
    let (ns, pair) = longest?;
    // The whole is no part of itself.
    if ns >= scene.case.duration_ns {
        return Some("nothing recorded in it says what it did".to_owned());
    }
    let usual: Option<Usual> = scene.usual_gap(pair, ns);
    let usual = usual.filter(|usual| ns >= usual.median_ns.saturating_mul(2));
    let usual =
        usual.map_or_else(String::new, |usual| format!(" (normally {})", words::time(usual.median_ns)));
    let [first, second] = pair.map(|event| scene.around.event_name(event));
    let which = if scene.case.is_most(ns) { "of it" } else { "at most" };
    Some(format!("{} {which} between {first} and {second}{usual}", words::time(ns)))
}

/// The name behind a key: without its offset, and what follows.
fn word<'a>(args: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = args.split_once(key)?;
    rest.split([' ', '+']).next().filter(|name| !name.is_empty())
}
