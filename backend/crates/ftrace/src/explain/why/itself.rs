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

/// What is known of it.
pub struct Itself {
    /// How long such ones are as a rule.
    pub normally: Option<String>,
    /// What took longest in it, or that nothing in it is recorded. `None` of a section: its place says enough.
    pub did: Option<String>,
}

/// What interrupted it, or ran while it was switched out, is no part of what it did.
pub fn itself(scene: &Scene<'_, '_>, link: &Link<'_>, chain: &[Link<'_>]) -> Itself {
    let case = scene.case;
    let events = own_events(scene);
    let others: Vec<&Link<'_>> = chain.iter().filter(|link| link.mechanism != Mechanism::Handler).collect();
    let longest = longest_stretch(&events, &others);
    let is_section = matches!(case.kind.slice_kind(), Some(SliceKind::Irqsoff | SliceKind::Preemptoff));
    let usual = link.usual.filter(|_| !is_section);
    let part = match is_section {
        true => None,
        false => {
            timers(scene, &events, &others, longest.map_or(0, |(ns, _)| ns)).or_else(|| place(scene, &events))
        }
    };
    let part = part.or_else(|| stretch(scene, &events, usual, longest));
    let is_told = |usual: &Usual| part.is_none() || usual.is_exceeded_by(case.duration_ns);
    let normally = usual.filter(is_told).map(|usual| usual.in_words());
    let nothing = || (!is_section).then(|| "nothing recorded in it says what it did".to_owned());
    let did = part.or_else(nothing);
    Itself { normally, did }
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

/// `10 µs in delayed_work_timer_fn`, or `it ran 4 timers; the longest, delayed_work_timer_fn, took 11 µs`, where they
/// took most of it; and the one that took longer than anything else between two events.
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
            let longest = if count == 2 { "longer" } else { "longest" };
            Some(format!("it ran {count} timers; the {longest}, {name}, took {time}"))
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

/// `194 µs between timerlat and softirq_raise (normally 12 µs)`, of the longest stretch of what normally takes `whole`.
fn stretch(
    scene: &Scene<'_, '_>,
    events: &[&Seen<'_>],
    whole: Option<Usual>,
    longest: Option<Stretch<'_, '_>>,
) -> Option<String> {
    if events.len() <= 2 {
        return None;
    }
    let (ns, pair) = longest?;
    // The whole is no part of itself.
    if ns == 0 || ns >= scene.case.duration_ns {
        return None;
    }
    let is_part = |usual: &Usual| whole.is_none_or(|whole| usual.is_below(&whole));
    let usual = scene.usual_gap(pair, ns).filter(|usual| usual.is_exceeded_by(ns)).filter(is_part);
    let usual = usual.map_or_else(String::new, |usual| format!(" ({})", usual.in_words()));
    let which = if scene.case.is_most(ns) { "of it" } else { "at most" };
    Some(format!("{} {which} {}{usual}", words::time(ns), where_between(scene, pair)))
}

/// `in or after tick_nohz_handler` behind the event that a timer's function begins with; else between which events.
fn where_between(scene: &Scene<'_, '_>, pair: [&Seen<'_>; 2]) -> String {
    let [first, second] = pair.map(|event| scene.around.event_name(event));
    let is_named = |function: &&str| first.ends_with("_expire_entry") && !function.starts_with("0x");
    match word(pair[0].args, "function=").filter(is_named) {
        Some(function) => format!("in or after {function}"),
        None => format!("between {first} and {second}"),
    }
}

/// The name behind a key: without its offset, and what follows.
fn word<'a>(args: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = args.split_once(key)?;
    rest.split([' ', '+']).next().filter(|name| !name.is_empty())
}
