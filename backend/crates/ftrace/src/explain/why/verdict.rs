//! The one clause that names why a case was late: the largest group of its links.

use std::collections::{BTreeMap, BTreeSet};

use super::itself::{Itself, itself};
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::sentence::{Extent, Length, clause, elsewhere, named};
use crate::analyses::SliceKind;
use crate::explain::words;

/// Words of a headline at most.
const MAX_WORDS: usize = 30;
/// A group is mentioned beside the largest if it has one part in this many of the case.
const MUCH: i64 = 4;
/// A group that takes this share of a case explains enough of it.
const ENOUGH_PERCENT: i64 = 60;
/// The others are mentioned if together they have one part in this many of the largest.
const WORTH_A_WORD: i64 = 5;
/// What comes beside a sleep is mentioned if it has one part in this many of the case.
const WORTH_BESIDE_SLEEP: i64 = 20;

/// Links about one thing, or tasks of one name, that kept the case waiting in one way.
pub struct Group<'a> {
    /// The longest of its largest mechanism, with the pieces of all.
    pub link: Link<'a>,
    pub total_ns: i64,
    pub subjects: usize,
    is_on_one_cpu: bool,
    /// How much of it is due to each mechanism, the largest first.
    mechanisms: Vec<(Mechanism, i64)>,
}

impl Group<'_> {
    /// True where all of it lies on one CPU, and the event is said to be on another, or to end there.
    fn is_elsewhere(&self, event: &str) -> bool {
        let last = event.split("CPU ").skip(1).last();
        let number = last.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
        self.is_on_one_cpu && number.is_some_and(|number| number != self.link.cpu.to_string())
    }
}

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
    let mut told: Vec<String> = ways.filter_map(|way| say(scene, &groups, way)).collect();
    let extent = Extent { total_ns: found.total_ns, subjects: found.subjects, length: Length::Bare };
    told.push(clause(scene, &found.link, extent));
    let late = beside_sleep(scene, &groups);
    let with_late = late.iter().flat_map(|late| told.iter().map(move |slept| format!("{slept}, {late}")));
    let told: Vec<String> = with_late.chain(told.iter().cloned()).collect();
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

fn say<'a>(
    scene: &Scene<'_, 'a>,
    groups: &[Group<'a>],
    (length, is_kept_said): (Length, bool),
) -> Option<String> {
    let found = groups.first()?;
    let extent = |group: &Group<'_>| Extent { total_ns: group.total_ns, subjects: group.subjects, length };
    let who = |group: &Group<'a>| named(scene, &group.link, extent(group));
    let all = All::of(groups);
    let behind_all = |longest: &Group<'a>| {
        let (total, time) = (words::time(all.total_ns), words::time(longest.total_ns));
        let place = elsewhere(&longest.link);
        format!(
            "behind {} tasks for {total}, longest behind {} for {time}{place}",
            crate::model::grouped(all.tasks),
            who(longest)
        )
    };
    if !is_of_task(found) {
        // Many tasks with little each are a larger cause than what took more than any of them.
        let longest = groups.iter().find(|group| is_of_task(group));
        let longest = longest.filter(|one| all.tasks > one.subjects && all.total_ns > found.total_ns);
        return Some(longest.map_or_else(|| clause(scene, &found.link, extent(found)), behind_all));
    }
    if scene.case.is_most(all.total_ns) && all.is_worth_more_than(found, scene.case.duration_ns) {
        return Some(behind_all(found));
    }
    match found.mechanisms.as_slice() {
        [_] | [] => Some(clause(scene, &found.link, extent(found))),
        mechanisms => {
            let kept = mechanisms.iter().find(|(mechanism, _)| *mechanism == Mechanism::NotPreemptible);
            let kept = kept.filter(|(_, ns)| is_kept_said && *ns >= found.total_ns.div_euclid(10));
            let kept =
                kept.map(|(_, ns)| format!(", which could not be preempted for {} of it", words::time(*ns)));
            let time = format!("{}{}", words::time(found.total_ns), elsewhere(&found.link));
            Some(format!("behind {} for {time}{}", who(found), kept.unwrap_or_default()))
        }
    }
}

/// All tasks that had the CPU, whatever their names.
pub struct All {
    pub tasks: usize,
    pub total_ns: i64,
}

impl All {
    /// How many tasks the groups are about, and how long these ran in all.
    pub fn of(groups: &[Group<'_>]) -> Self {
        let of_tasks = || groups.iter().filter(|group| is_of_task(group));
        let total_ns = of_tasks().fold(0_i64, |sum, group| sum.saturating_add(group.total_ns));
        Self { tasks: of_tasks().map(|group| group.subjects).sum(), total_ns }
    }

    /// True where the largest group explains too little of a stretch, and all of them explain more.
    pub fn is_worth_more_than(&self, found: &Group<'_>, whole_ns: i64) -> bool {
        let is_little = found.total_ns.saturating_mul(100) < whole_ns.saturating_mul(ENOUGH_PERCENT);
        let others_ns = self.total_ns.saturating_sub(found.total_ns);
        is_little && self.tasks > found.subjects && others_ns.saturating_mul(WORTH_A_WORD) >= found.total_ns
    }
}

fn is_of_task(group: &Group<'_>) -> bool {
    group.link.mechanism.is_of_task() && matches!(group.link.subject, Some(Subject::Task(_)))
}

/// What took most of the rest, where a task slept for as long as it had asked for: that is nothing late. The fullest way to
/// say it comes first.
fn beside_sleep<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>]) -> Vec<String> {
    let is_sleep = |found: &&Group<'_>| found.link.asked_ns.is_some() && !found.link.is_slack;
    let next = groups.first().filter(is_sleep).and_then(|_| groups.get(1));
    let is_worth = |next: &&Group<'_>| {
        let is_much = next.total_ns.saturating_mul(WORTH_BESIDE_SLEEP) >= scene.case.duration_ns;
        let is_own = matches!(next.link.mechanism, Mechanism::OwnWork | Mechanism::Unknown);
        is_much && !is_own && !next.link.is_way
    };
    let Some(next) = next.filter(is_worth) else { return Vec::new() };
    let lengths = [Length::Short, Length::Terse, Length::Bare];
    let said = lengths.map(|length| {
        let extent = Extent { total_ns: next.total_ns, subjects: next.subjects, length };
        let said = clause(scene, &next.link, extent);
        if said.starts_with("behind ") { format!("then waited {said}") } else { format!("and {said}") }
    });
    said.into_iter().collect()
}

/// The next largest group of what was measured itself, where it took much of it.
fn beside<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>]) -> Option<String> {
    let next = groups.get(1)?;
    let is_much = next.total_ns >= scene.case.duration_ns.div_euclid(MUCH);
    let extent = Extent { total_ns: next.total_ns, subjects: next.subjects, length: Length::Short };
    is_much.then(|| clause(scene, &next.link, extent))
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

/// The links by what they are about, the largest group first. Where a CPU stood still, and may have done so in other silences,
/// these are one cause with it if together they are the largest.
pub fn groups<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Vec<Group<'a>> {
    let is_silence =
        |group: &Group<'_>| matches!(group.link.mechanism, Mechanism::Stall | Mechanism::IrqsOff);
    let apart = grouped(scene, chain, &BTreeSet::new());
    let unsure = unsure_cpus(scene, chain);
    // Tasks with little each may have had more than either.
    let is_largest = |first: &Group<'_>| is_silence(first) && All::of(&apart).total_ns <= first.total_ns;
    if unsure.is_empty() || apart.first().is_none_or(is_largest) {
        return apart;
    }
    let joined = grouped(scene, chain, &unsure);
    if joined.first().is_some_and(is_silence) { joined } else { apart }
}

/// On the CPUs of `unsure`, a stall is in one group with the silences.
fn grouped<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>], unsure: &BTreeSet<i16>) -> Vec<Group<'a>> {
    let mut links_of: BTreeMap<Key<'a>, Vec<&Link<'a>>> = BTreeMap::new();
    let (names, chain) = (names(scene, chain), in_one_piece(scene, chain));
    for link in &chain {
        let is_unsure = link.mechanism == Mechanism::Stall && unsure.contains(&link.cpu);
        let key = if is_unsure { silence(link.cpu) } else { key(scene, link, &names) };
        links_of.entry(key).or_default().push(link);
    }
    let mut groups: Vec<Group<'a>> =
        links_of.into_values().filter_map(|links| group(&links, &names)).collect();
    groups.sort_by_key(|group| (-group.total_ns, group.link.start_ns));
    groups
}

/// The links, where an interrupt is one that did something for the case before it went on: that it did is no end of it.
fn in_one_piece<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Vec<Link<'a>> {
    let mut joined: Vec<Link<'a>> = Vec::new();
    for link in chain {
        match joined.last_mut().filter(|last| is_of_one_interrupt(scene, last, link)) {
            Some(last) => {
                let is_longer = link.duration_ns() > last.duration_ns();
                let (from_ns, to_ns) = (last.start_ns, link.end_ns);
                let of = if is_longer { link.clone() } else { last.clone() };
                *last = Link {
                    start_ns: from_ns,
                    end_ns: to_ns,
                    longest_ns: to_ns.saturating_sub(from_ns),
                    ..of
                };
            }
            None => joined.push(link.clone()),
        }
    }
    joined
}

fn is_of_one_interrupt(scene: &Scene<'_, '_>, first: &Link<'_>, second: &Link<'_>) -> bool {
    let is_run = |link: &Link<'_>| {
        matches!(link.mechanism, Mechanism::Handler | Mechanism::OtherInterrupt) && !link.is_for_others
    };
    let irq = || scene.span_at(SliceKind::Irq, first.cpu, first.start_ns);
    matches!(first.subject, Some(Subject::Interrupt(_)))
        && (first.subject, first.cpu, first.end_ns) == (second.subject, second.cpu, second.start_ns)
        && first.mechanism != second.mechanism
        && is_run(first)
        && is_run(second)
        && irq().is_some_and(|irq| irq.end_ns > second.start_ns)
}

/// CPUs that stood still, and may have done so in other silences of the chain.
fn unsure_cpus(scene: &Scene<'_, '_>, chain: &[Link<'_>]) -> BTreeSet<i16> {
    let is_still = |link: &&Link<'_>| link.mechanism == Mechanism::Stall;
    let still: BTreeSet<i16> = chain.iter().filter(is_still).map(|link| link.cpu).collect();
    let silent = chain.iter().filter(|link| link.may_be_stall(scene)).map(|link| link.cpu);
    silent.filter(|cpu| still.contains(cpu)).collect()
}

fn group<'a>(links: &[&Link<'a>], names: &Names<'a>) -> Option<Group<'a>> {
    let sum = |links: &mut dyn Iterator<Item = &&Link<'a>>| {
        links.fold(0_i64, |sum, link| sum.saturating_add(link.duration_ns()))
    };
    let kinds: BTreeSet<Mechanism> = links.iter().map(|link| link.mechanism).collect();
    let of = |mechanism: Mechanism| links.iter().filter(move |link| link.mechanism == mechanism);
    let mut mechanisms: Vec<(Mechanism, i64)> =
        kinds.into_iter().map(|mechanism| (mechanism, sum(&mut of(mechanism)))).collect();
    mechanisms.sort_by_key(|(mechanism, ns)| (-*ns, *mechanism));
    // What may have been either is not said to be the one, however much of it was.
    let either = mechanisms.iter().find(|(mechanism, _)| *mechanism == Mechanism::IrqsOff);
    let (mechanism, _) = *either.or(mechanisms.first())?;
    let longest = of(mechanism).rev().max_by_key(|link| link.duration_ns()).copied()?;
    let about: Vec<&Link<'a>> =
        links.iter().copied().filter(|link| either.is_none() || link.mechanism == mechanism).collect();
    let mut subjects: BTreeSet<_> = about.iter().map(|link| link.subject).collect();
    // The step from one softirq to the next is no other one.
    let is_step = |link: &&&Link<'_>| link.subject == Some(Subject::Softirq(-1));
    if subjects.len() > 1 {
        subjects.remove(&Some(Subject::Softirq(-1)));
    }
    let mut link = longest.clone();
    let counted = links.iter().filter(|link| subjects.len() > 1 || !is_step(link) || is_step(&&longest));
    link.pieces = counted.map(|link| link.pieces).sum();
    link.longest_ns = links.iter().map(|link| link.longest_ns).max().unwrap_or(0);
    link.function_idx =
        link.function_idx.filter(|_| links.iter().all(|other| other.function_idx == longest.function_idx));
    let name = |link: &Link<'_>| match link.subject {
        Some(Subject::Task(idx)) => names.get(&idx).copied(),
        _ => None,
    };
    link.mixed = about.iter().filter(|other| name(other) != name(longest)).count();
    // Of a part of them only, it would be said of all.
    link.idle_cpu = link.idle_cpu.filter(|_| links.iter().all(|other| other.idle_cpu == longest.idle_cpu));
    let is_on_one_cpu = links.iter().all(|other| other.cpu == longest.cpu);
    let total_ns = sum(&mut links.iter());
    Some(Group { link, total_ns, subjects: subjects.len(), is_on_one_cpu, mechanisms })
}

/// What tasks were called in a chain, each as in the longest of its links: `exec` may have renamed it in between.
type Names<'a> = BTreeMap<i32, &'a str>;

fn names<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Names<'a> {
    let mut longest: BTreeMap<i32, &Link<'a>> = BTreeMap::new();
    for link in chain {
        if let Some(Subject::Task(idx)) = link.subject {
            let known = longest.entry(idx).or_insert(link);
            if known.duration_ns() <= link.duration_ns() {
                *known = link;
            }
        }
    }
    let named = |(idx, link): (i32, &Link<'a>)| Some((idx, scene.around.comm_at(idx, link.end_ns)?));
    longest.into_iter().filter_map(named).collect()
}

/// A task that had the CPU is one group, in whatever way it kept it.
type Key<'a> = (Option<Mechanism>, &'static str, &'a str, i32, bool, Option<i32>);

/// Of a CPU: it may have been the CPU each time, whatever task was on it.
fn silence<'a>(cpu: i16) -> Key<'a> {
    (Some(Mechanism::IrqsOff), "silence", "", i32::from(cpu), false, None)
}

fn key<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, names: &Names<'a>) -> Key<'a> {
    let is_deferred = !link.deeper.is_empty()
        || link.is_for_others
        || link.is_way
        || link.is_slack
        || link.is_undelivered
        || link.before_recording_ns().is_some();
    let mechanism = Some(link.mechanism).filter(|mechanism| !mechanism.is_of_task());
    // Sections in different places are different ones.
    let place = link.function_idx.filter(|_| mechanism.is_some());
    let of = |kind, name, number| (mechanism, kind, name, number, is_deferred, place);
    match link.subject {
        // Of its way to the CPU, whoever was on that meanwhile.
        Some(Subject::Task(_)) if link.mechanism == Mechanism::Handler => of("way", "", 0),
        // Whoever ran meanwhile: the one that waited was not allowed to.
        Some(Subject::Task(_)) if link.mechanism == Mechanism::Throttled => of("throttled", "", 0),
        Some(Subject::Task(_)) if link.may_be_stall(scene) => silence(link.cpu),
        Some(Subject::Task(idx)) => match names.get(&idx).copied().unwrap_or_default() {
            "" | "<...>" => of("pid", "", idx),
            comm => of("task", comm, 0),
        },
        Some(Subject::Interrupt(idx)) => of("interrupt", "", idx),
        // Those that run one after another are one cause, whether or not another task asked for the CPU in the
        // meantime.
        Some(Subject::Softirq(idx)) => {
            let mechanism = mechanism.or(Some(Mechanism::OtherInterrupt).filter(|_| idx >= 0));
            (mechanism, "softirq", "", 0, is_deferred, place)
        }
        Some(Subject::Function(idx)) => of("function", "", idx),
        Some(Subject::Cpu(cpu)) => of("cpu", "", i32::from(cpu)),
        None if link.is_off => of("off", "", 0),
        None => of("", "", 0),
    }
}
