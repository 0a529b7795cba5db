//! The one clause that names why a case was late: the largest group of its links.

use super::group::{Group, is_of_task};
use super::groups::groups;
use super::interrupt::ON_ITS_WAY_NS;
use super::itself::{Itself, itself};
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::sentence::{Extent, Length, clause, elsewhere, named, or_mostly_still};
use super::totals::{All, Interrupts};
use crate::analyses::SliceKind;
use crate::explain::words;

/// What is said of a CPU that did, or may have done.
const STOOD_STILL: &str = "stood still";
/// Words of a headline at most.
const MAX_WORDS: usize = 30;
/// A second cause is mentioned beside the largest if it has one part in this many of the case,
const MUCH: i64 = 4;
/// and the largest can be told beside it in one of so many ways, the fullest first.
const SHORTENED: usize = 3;
/// What took less is no second cause.
const LONG_BESIDE_NS: i64 = 5_000;
/// What comes beside a sleep is mentioned if it has one part in this many of the case,
const WORTH_BESIDE_SLEEP: i64 = 20;
/// or is so long that no sleeper calls it on time.
const LONG_BESIDE_SLEEP_NS: i64 = 100_000;

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
    let both = with_second(scene, &groups, &said);
    let mut told: Vec<String> = said.into_iter().map(|said| said.text).collect();
    let extent = Extent { total_ns: found.total_ns, subjects: found.subjects, length: Length::Bare };
    told.push(clause(scene, &found.link, extent));
    let late = beside_sleep(scene, &groups);
    let with_late = late.iter().flat_map(|late| told.iter().map(move |slept| format!("{slept}, {late}")));
    let told: Vec<String> = with_late.chain(both).chain(told.iter().cloned()).collect();
    let clause = told.iter().find(|text| fits(text)).or(told.last()).cloned()?;
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

/// The clause of the largest cause.
struct Said {
    text: String,
    /// Of many that were one cause together.
    is_of_many: bool,
}

fn say<'a>(
    scene: &Scene<'_, 'a>,
    groups: &[Group<'a>],
    (length, is_kept_said): (Length, bool),
) -> Option<Said> {
    let found = groups.first()?;
    let one = |text: String| Some(Said { text, is_of_many: false });
    let many = |text: String| Some(Said { text, is_of_many: true });
    let extent = |group: &Group<'_>| Extent { total_ns: group.total_ns, subjects: group.subjects, length };
    let who = |group: &Group<'a>| named(scene, &group.link, extent(group));
    if let Some(all) = Interrupts::of(groups).filter(|all| is_worth_more(scene, all, found)) {
        let (total, time) = (words::time(all.total_ns), words::time(all.longest.total_ns));
        return many(format!("{} ran for {total}, longest {} for {time}", all.kinds, who(all.longest)));
    }
    let all = All::of(groups);
    let behind_all = |longest: &Group<'a>| {
        // In which tasks the CPU was silent says less than that it was.
        if is_kept_said && let Some(silences) = all.silences(groups) {
            return format!("{}{silences}", all.behind());
        }
        let (time, place) = (words::time(longest.total_ns), elsewhere(&longest.link));
        format!("{}, longest behind {} for {time}{place}", all.behind(), who(longest))
    };
    if !is_of_task(found) {
        // Many tasks with little each are a larger cause than what took more than any of them.
        let longest = groups.iter().find(|group| is_of_task(group));
        let longest = longest.filter(|one| all.tasks > one.subjects && all.total_ns > found.total_ns);
        return match longest {
            Some(longest) => many(behind_all(longest)),
            None => one(clause(scene, &found.link, extent(found))),
        };
    }
    if scene.case.is_most(all.total_ns) && all.is_worth_more_than(found, scene.case.duration_ns) {
        return many(behind_all(found));
    }
    one(match found.ways() {
        0 | 1 => {
            let said = clause(scene, &found.link, extent(found));
            // It may have been the CPU in any case.
            let is_told = is_kept_said && !found.link.may_have_stood_still();
            format!("{said}{}", if is_told { found.silences() } else { String::new() })
        }
        _ => {
            let time = format!("{}{}", words::time(found.total_ns), elsewhere(&found.link));
            let kept = if is_kept_said { kept(found) } else { String::new() };
            // What kept the CPU for long says less than that it may have stood still.
            let or_still = or_mostly_still(&found.link, extent(found));
            format!("behind {} for {time}{}", who(found), if or_still.is_empty() { kept } else { or_still })
        }
    })
}

/// The clauses of the largest cause, or of all tasks, each with the second one, the fullest first.
fn with_second<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>], said: &[Said]) -> Vec<String> {
    let is_of_many = said.first().is_some_and(|said| said.is_of_many);
    let is_of_tasks = groups.first().is_some_and(is_of_task);
    // A third of the case that no task had says more than which task had the CPU longest.
    let other_ns = groups.iter().find(|group| !is_of_task(group)).map_or(0, |other| other.total_ns);
    let is_third = other_ns.saturating_mul(3) >= scene.case.duration_ns;
    let behind_all = Some(All::of(groups).behind()).filter(|_| is_of_many && is_of_tasks && is_third);
    let alone = said.iter().filter(|said| !said.is_of_many || is_of_tasks).map(|said| &said.text);
    // That the CPU may have stood still is worth more than a second cause.
    let is_doubted = said.first().is_some_and(|said| said.text.contains(STOOD_STILL));
    let keeps_doubt = |text: &&String| !is_doubted || text.contains(STOOD_STILL);
    let beside = |text: &String| -> Vec<String> {
        let second = second(scene, groups, text, is_of_many);
        second.into_iter().map(|second| format!("{text}{second}")).collect()
    };
    alone.take(SHORTENED).chain(&behind_all).filter(keeps_doubt).flat_map(beside).collect()
}

/// `, and it waited behind hog-170 for 2.1 ms`: the second largest cause, if it took much of the case, the fullest way to say it
/// first. `first` is the clause of the largest, or of all tasks.
fn second<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>], first: &str, is_of_many: bool) -> Vec<String> {
    let is_told = |group: &&Group<'_>| {
        let is_no_cause = matches!(group.link.mechanism, Mechanism::OwnWork | Mechanism::Unknown)
            || is_case_itself(scene, &group.link);
        let is_much = group.total_ns.saturating_mul(MUCH) >= scene.case.duration_ns;
        // That a task had the CPU, that it stood still, or ran other handlers, is nothing on the way.
        let is_still = group.link.mechanism == Mechanism::Stall;
        let is_certain = is_of_task(group) || is_still || group.link.is_for_others;
        let is_long = group.total_ns >= if is_certain { LONG_BESIDE_NS } else { ON_ITS_WAY_NS };
        is_much && is_long && !is_no_cause && !group.link.is_way
    };
    let mut others = groups.iter().skip(1).filter(|group| !is_of_many || !is_of_task(group));
    let Some(next) = others.next().filter(is_told) else { return Vec::new() };
    let extent = Extent { total_ns: next.total_ns, subjects: next.subjects, length: Length::Terse };
    if next.link.mechanism == Mechanism::Stall
        && first.ends_with(&format!("CPU {} stood still", next.link.cpu))
    {
        return vec![format!(", as it did for another {}", extent.time())];
    }
    let told = |length: Length| {
        let said = clause(scene, &next.link, Extent { length, ..extent });
        let is_wait = said.starts_with("behind ") && !first.starts_with("behind ");
        if is_wait { format!(", and it waited {said}") } else { format!(", and {said}") }
    };
    let who = || named(scene, &next.link, extent);
    let silence =
        [Some(who()), None].into_iter().filter_map(|who| Some(format!(", and {}", next.silence(who)?)));
    let full = format!("{}{}", told(Length::Terse), next.silences());
    let shorter = [told(Length::Terse), told(Length::Bare)];
    [full].into_iter().chain(silence).chain(shorter).collect()
}

/// `, which could not be preempted for 120 µs of it`, or what may have been no fault of it, where that was longer.
fn kept(found: &Group<'_>) -> String {
    let kept_ns = found.part_ns(Mechanism::NotPreemptible);
    match () {
        () if found.part_ns(Mechanism::IrqsOff) > kept_ns => found.silences(),
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

/// What took most of the rest, where a task slept for as long as it had asked for: that is nothing late. The fullest way to
/// say it comes first.
fn beside_sleep<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>]) -> Vec<String> {
    let is_sleep = |found: &&Group<'_>| found.link.asked_ns.is_some() && !found.link.is_slack;
    let next = groups.first().filter(is_sleep).and_then(|_| groups.get(1));
    let is_worth = |next: &&Group<'_>| {
        let is_much = next.total_ns.saturating_mul(WORTH_BESIDE_SLEEP) >= scene.case.duration_ns
            || next.total_ns >= LONG_BESIDE_SLEEP_NS;
        let is_own = matches!(next.link.mechanism, Mechanism::OwnWork | Mechanism::Unknown);
        is_much && !is_own && !next.link.is_way
    };
    let Some(next) = next.filter(is_worth) else { return Vec::new() };
    let all = All::of(groups);
    let longest = groups.iter().find(|group| is_of_task(group));
    let of_many = longest.filter(|longest| all.tasks > longest.subjects && all.is_larger_than(next, longest));
    let lengths = [Length::Short, Length::Terse, Length::Bare];
    let said = lengths.map(|length| {
        let extent =
            |group: &Group<'_>| Extent { total_ns: group.total_ns, subjects: group.subjects, length };
        let said = match of_many {
            Some(_) if length == Length::Bare => all.behind(),
            Some(longest) => {
                let who = named(scene, &longest.link, extent(longest));
                format!("{}, longest behind {who} for {}", all.behind(), words::time(longest.total_ns))
            }
            None => {
                let who = (length > Length::Terse).then(|| named(scene, &next.link, extent(next)));
                next.silence(who).unwrap_or_else(|| clause(scene, &next.link, extent(next)))
            }
        };
        if said.starts_with("behind ") { format!("then waited {said}") } else { format!("and {said}") }
    });
    said.into_iter().collect()
}

/// The next largest group of what was measured itself, where it took much of it.
fn beside<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>]) -> Option<String> {
    let next = groups.get(1)?;
    let is_much = |total_ns: i64| total_ns >= scene.case.duration_ns.div_euclid(MUCH);
    let all = All::of(groups);
    let extent = Extent { total_ns: next.total_ns, subjects: next.subjects, length: Length::Short };
    // On PREEMPT_RT, a softirq is switched out for others as its thread is.
    let is_softirq = scene.case.kind.slice_kind() == Some(SliceKind::Softirq);
    let is_other = next.link.subject != Some(Subject::Task(scene.case.task_idx));
    match () {
        () if is_softirq
            && all.tasks > next.subjects
            && all.total_ns > next.total_ns
            && is_much(all.total_ns) =>
        {
            Some(format!("{} tasks preempted it for {}", all.tasks, words::time(all.total_ns)))
        }
        () if !is_much(next.total_ns) => None,
        () if is_softirq && is_of_task(next) && is_other => {
            Some(format!("{} preempted it for {}", named(scene, &next.link, extent), extent.time()))
        }
        () => Some(clause(scene, &next.link, extent)),
    }
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
