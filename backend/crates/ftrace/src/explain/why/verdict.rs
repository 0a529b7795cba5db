//! The one clause that names why a case was late: the largest group of its links.

use super::beside::{Of, Said, beside, beside_sleep, whole_ns, with_next};
use super::group::{Group, is_of_task};
use super::groups::groups;
use super::itself::{Itself, itself};
use super::link::Link;
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::sentence::{Extent, Length, clause, elsewhere, named, or_mostly_still};
use super::stillness::Stillness;
use super::totals::{All, Interrupts};
use crate::analyses::SliceKind;
use crate::explain::words;

/// A task that has this share of a case explains enough of it.
const ENOUGH_PERCENT: i64 = 60;
/// Words of a headline at most.
const MAX_WORDS: usize = 30;

/// Why a case took as long as it did.
pub struct Verdict {
    /// How long such a thing usually takes, where the one that was measured took much longer.
    pub normally: Option<String>,
    /// The cause in one clause.
    pub clause: String,
}

/// The cause of a case, as its chain says; `None` of an empty chain.
pub fn verdict<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Option<Verdict> {
    let mut groups = with_what_came_before(scene, chain, groups(scene, chain));
    let event = scene.case.kind.event(scene.case, scene.around);
    groups.iter_mut().for_each(|group| group.link.is_elsewhere = group.is_elsewhere(&event));
    let found = groups.first()?;
    let left = MAX_WORDS.saturating_sub(event.split_whitespace().count());
    let fits = |text: &String| text.split_whitespace().count() <= left;
    if is_case_itself(scene, &found.link) {
        let Itself { normally, did } = itself(scene, &found.link, chain);
        let spare = normally.as_ref().map_or(0, |text| text.split_whitespace().count());
        let has_room = |text: &String| text.split_whitespace().count().saturating_add(spare) <= left;
        let beside = beside(scene, &groups);
        let with_beside = |did: &String| beside.as_ref().map(|beside| format!("{did}, and {beside}"));
        let fullest: Vec<String> = did.iter().filter_map(with_beside).chain(did.iter().cloned()).collect();
        let clause = fullest.iter().find(|text| has_room(text)).or(did.last()).cloned()?;
        return Some(Verdict { normally, clause });
    }
    let lengths = [Length::Full, Length::Brief, Length::Short, Length::Terse, Length::Bare];
    // Who it was is worth more than how much of it could not be preempted.
    let ways = lengths.into_iter().filter(|length| *length > Length::Bare).map(|length| (length, true));
    let ways = ways.chain(lengths.map(|length| (length, false)));
    let said: Vec<Said> = ways.filter_map(|way| say(scene, &groups, way)).collect();
    let with_next = with_next(scene, &groups, &said);
    let is_of_all = said.first().is_some_and(|said| said.of == Of::Tasks);
    let behind_all = is_of_all.then(|| All::of(&groups).behind());
    let mut told: Vec<String> = said.into_iter().map(|said| said.text).collect();
    let extent = Extent { total_ns: found.total_ns, subjects: found.subjects, length: Length::Bare };
    told.push(clause(scene, &found.link, extent));
    let late = beside_sleep(scene, &groups);
    let with_late = late.iter().flat_map(|late| told.iter().map(move |slept| format!("{slept}, {late}")));
    let told: Vec<String> = with_late.chain(with_next).chain(told.iter().cloned()).collect();
    let stillness = Stillness::of(chain, whole_ns(scene, &groups));
    let of_both = stillness.iter().flat_map(|still| told.iter().filter_map(|text| still.with_other(text)));
    let with_stillness = stillness
        .iter()
        .flat_map(|still| told.iter().chain(&behind_all).flat_map(|text| still.told_in(text)));
    let fitting = of_both.chain(with_stillness).chain(told.iter().cloned()).find(|text| fits(text));
    let clause = fitting.or(told.last().cloned())?;
    Some(Verdict { normally: None, clause })
}

/// The groups with what a task went through before it got to start its timer beside what came then, where one thing is in
/// both, and larger than any other so.
fn with_what_came_before<'a>(
    scene: &Scene<'_, 'a>,
    chain: &[Link<'a>],
    apart: Vec<Group<'a>>,
) -> Vec<Group<'a>> {
    let is_before = |link: &Link<'_>| link.mechanism == Mechanism::ArmedLate && !link.deeper.is_empty();
    if !chain.iter().any(is_before) {
        return apart;
    }
    let parts =
        chain.iter().flat_map(|link| if is_before(link) { link.deeper.clone() } else { vec![link.clone()] });
    let parts: Vec<Link<'a>> = parts.collect();
    let together = groups(scene, &parts);
    let total_ns = |groups: &[Group<'_>]| groups.first().map_or(0, |group| group.total_ns);
    // What nothing is known of says less than that the timer was started late.
    let is_known = together.first().is_some_and(|group| group.link.mechanism != Mechanism::Unknown);
    if is_known && total_ns(&together) > total_ns(&apart) { together } else { apart }
}

/// The clause of the largest cause, or of all that were one together.
fn say<'a>(
    scene: &Scene<'_, 'a>,
    groups: &[Group<'a>],
    (length, is_kept_said): (Length, bool),
) -> Option<Said> {
    let found = groups.first()?;
    let said = |text: String, of: Of| Some(Said { text, of });
    let extent = |group: &Group<'_>| Extent { total_ns: group.total_ns, subjects: group.subjects, length };
    let who = |group: &Group<'a>| named(scene, &group.link, extent(group));
    if let Some(all) = Interrupts::of(groups).filter(|all| is_worth_more(scene, all, found)) {
        let (total, time) = (words::time(all.total_ns), words::time(all.longest.total_ns));
        let text = format!("{} ran for {total}, longest {} for {time}", all.kinds, who(all.longest));
        return said(text, Of::Interrupts);
    }
    let all = All::of(groups);
    let behind_all = |longest: &Group<'a>| {
        // In which tasks the CPU was silent says less than that it was.
        if is_kept_said && let Some(silences) = all.silences(groups) {
            return format!("{}{silences}", all.behind());
        }
        if let Some([first, second]) = all.two_of(groups).filter(|_| length > Length::Bare) {
            let [first, second] = [first, second].map(|one| {
                format!("behind {} for {}{}", who(one), words::time(one.total_ns), elsewhere(&one.link))
            });
            return format!("{first}, and {second}");
        }
        let (time, place) = (words::time(longest.total_ns), elsewhere(&longest.link));
        format!("{}, longest behind {} for {time}{place}", all.behind(), who(longest))
    };
    if !is_of_task(found) {
        // Many tasks with little each are a larger cause than what took more than any of them.
        let longest = groups.iter().find(|group| is_of_task(group));
        let longest = longest.filter(|one| all.tasks > one.subjects && all.total_ns > found.total_ns);
        return match longest {
            Some(longest) => said(behind_all(longest), Of::Tasks),
            None => said(clause(scene, &found.link, extent(found)), Of::One),
        };
    }
    if scene.case.is_most(all.total_ns)
        && all.is_worth_more_than(found, scene.case.duration_ns, ENOUGH_PERCENT)
    {
        return said(behind_all(found), Of::Tasks);
    }
    let text = match found.ways() {
        // Silences that are most of it say more than that the CPU may have stood still.
        0 | 1 if is_kept_said && found.is_mostly_silent() => {
            let also = Vec::new();
            // They say more than where it could have run instead.
            let idle_cpu = found.link.idle_cpu.filter(|_| length == Length::Full);
            let text = clause(scene, &Link { also, idle_cpu, ..found.link.clone() }, extent(found));
            format!("{text}{}", found.silences())
        }
        0 | 1 => {
            let text = clause(scene, &found.link, extent(found));
            // It may have been the CPU in any case.
            let is_told = is_kept_said && !found.link.may_have_stood_still();
            format!("{text}{}", if is_told { found.silences() } else { String::new() })
        }
        _ => {
            let time = format!("{}{}", words::time(found.total_ns), elsewhere(&found.link));
            let kept = if is_kept_said { kept(found) } else { String::new() };
            // What kept the CPU for long says less than that it may have stood still.
            let or_still = or_mostly_still(&found.link, extent(found));
            format!("behind {} for {time}{}", who(found), if or_still.is_empty() { kept } else { or_still })
        }
    };
    said(text, Of::One)
}

/// `, which could not be preempted for 120 µs of it`, or what may have been no fault of it, where that was longer.
fn kept(found: &Group<'_>) -> String {
    let kept_ns = found.part_ns(Mechanism::NotPreemptible);
    match () {
        () if found.silent_ns() > kept_ns => found.silences(),
        () if found.is_much(kept_ns) => {
            format!(", which could not be preempted for {} of it", words::time(kept_ns))
        }
        () => String::new(),
    }
}

/// True where interrupts and softirqs had most of the case together, though none of them had much of it.
fn is_worth_more(scene: &Scene<'_, '_>, all: &Interrupts<'_, '_>, found: &Group<'_>) -> bool {
    let is_more = all.total_ns.saturating_mul(2) >= found.total_ns.saturating_mul(3);
    let is_certain = !all.longest.link.may_have_stood_still();
    // One that took longer than usual, and half of it all, says more.
    let is_half = found.total_ns.saturating_mul(2) >= all.total_ns;
    let is_usual = found.link.usual.is_none_or(|usual| !usual.is_exceeded_by(found.total_ns)) || !is_half;
    all.groups > 1
        && is_usual
        && is_certain
        && is_more
        && scene.case.is_most(all.total_ns)
        && !scene.case.is_most(found.total_ns)
}

/// What was measured is no cause of itself: the handler of an interrupt, the section from its beginning on.
pub fn is_case_itself(scene: &Scene<'_, '_>, link: &Link<'_>) -> bool {
    let case = scene.case;
    match (link.mechanism, case.kind.slice_kind()) {
        (Mechanism::Handler, Some(SliceKind::Irq | SliceKind::Softirq)) => true,
        (Mechanism::IrqsOff, Some(SliceKind::Irqsoff))
        | (Mechanism::NotPreemptible, Some(SliceKind::Preemptoff)) => {
            link.bounds == Some((case.start_ns, case.end_ns()))
        }
        // A lock switches off both.
        (Mechanism::IrqsOff, Some(SliceKind::Preemptoff)) => {
            let place = link.function_idx.and_then(|idx| scene.around.symbol(idx));
            place.is_some() && place.as_deref() == case.key
        }
        _ => false,
    }
}
