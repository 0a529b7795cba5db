//! The links of a chain by what they are about: what a verdict weighs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::group::{Group, Names, group, is_of_task};
use super::interrupt::ON_ITS_WAY_NS;
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::totals::All;
use crate::analyses::SliceKind;

/// A task is named instead of its silences if it had the CPU for longer than they last, by one part in this many of them.
const BEYOND_SILENCE: i64 = 4;
/// Sections of one place that have less than one part in this many are nothing but the task that was in them.
const WORTH_ITS_PLACE: i64 = 4;

/// Silences beside those in a chosen task are one with them if they last for one part in this many of these.
const WORTH_BESIDE_CHOSEN: i64 = 3;

/// Whose the silences of a CPU are, in which it may have stood still whatever task was on it.
enum Silences {
    Own,
    /// On `unsure` CPUs, they are of one group with the stalls, and on `shared` ones even those in chosen tasks.
    WithStalls {
        unsure: BTreeSet<i16>,
        shared: BTreeSet<i16>,
    },
    /// Each is a part of what the task that was on it kept the CPU.
    OfTasks,
}

/// The links by what they are about, the largest group first. Where a CPU stood still, and may have done so in other silences,
/// these are one cause with it if together they are the largest; where a task is the largest, its silences are its own.
pub fn groups<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Vec<Group<'a>> {
    let is_silence =
        |group: &Group<'_>| matches!(group.link.mechanism, Mechanism::Stall | Mechanism::IrqsOff);
    // Tasks with little each may have had more than either.
    let is_largest = |groups: &[Group<'_>]| {
        groups.first().is_none_or(|first| is_silence(first) && All::of(groups).total_ns <= first.total_ns)
    };
    let chain = with_whole_way(without_crumbs(in_one_piece(scene, chain)));
    let grouped = |silences: Silences| grouped(scene, &chain, &silences);
    let apart = grouped(Silences::Own);
    if !chain.iter().any(|link| link.may_be_stall(scene)) {
        return apart;
    }
    let (unsure, shared) = unsure_cpus(scene, &chain);
    let joined =
        if unsure.is_empty() { Vec::new() } else { grouped(Silences::WithStalls { unsure, shared }) };
    let of_tasks = grouped(Silences::OfTasks);
    let is_of_tasks = of_tasks.first().is_some_and(is_of_task);
    let busy_ns = if is_of_tasks { All::of(&of_tasks).total_ns } else { 0 };
    let silent_ns = apart.first().map_or(0, |first| first.total_ns);
    // Whoever waited for tasks much longer than the CPU was silent waited for the tasks.
    let is_told_by_tasks = busy_ns.saturating_sub(silent_ns) >= silent_ns.div_euclid(BEYOND_SILENCE);
    // With all the stalls, it may have been silent for longer than any task had it.
    let all_silent_ns = joined.first().filter(|first| is_silence(first)).map_or(0, |first| first.total_ns);
    let is_told_by_silences = all_silent_ns > busy_ns;
    let second = of_tasks.get(1).filter(|second| is_of_task(second) && second.is_silent());
    // Silences that may have been stalls are one with the stalls, unless all of them were in one task, which is worth more.
    let is_worth_joining =
        |first: &Group<'_>| first.link.may_be_stall(scene) && first.subjects > 1 && all_silent_ns > silent_ns;
    match () {
        () if is_largest(&apart) && !is_told_by_tasks && apart.first().is_some_and(is_worth_joining) => {
            joined
        }
        () if is_largest(&apart) && !is_told_by_tasks => apart,
        () if is_largest(&apart) && !is_told_by_silences => of_tasks,
        () if !joined.is_empty() && is_largest(&joined) => joined,
        () if is_of_tasks => of_tasks,
        () if joined.first().is_some_and(is_silence) => joined,
        () if second.is_some() => of_tasks,
        () => apart,
    }
}

fn grouped<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>], silences: &Silences) -> Vec<Group<'a>> {
    let mut links_of: BTreeMap<Key<'a>, Vec<&Link<'a>>> = BTreeMap::new();
    let names = names(scene, chain);
    let has_names = chain.iter().any(|link| matches!(link.subject, Some(Subject::Softirq(0..))));
    for link in chain {
        let key = match (silences, link.subject) {
            // The step to a softirq, or from one to the next, is none.
            (_, Some(Subject::Softirq(-1))) if has_names => STEP,
            (Silences::WithStalls { shared, .. }, _)
                if link.chosen.is_some() && shared.contains(&link.cpu) =>
            {
                silence(link.cpu)
            }
            (Silences::WithStalls { unsure, .. }, _)
                if link.chosen.is_none()
                    && link.mechanism == Mechanism::Stall
                    && unsure.contains(&link.cpu) =>
            {
                silence(link.cpu)
            }
            (Silences::OfTasks, Some(Subject::Task(idx))) if link.may_be_stall(scene) => task(idx, &names),
            _ => key(scene, link, &names),
        };
        links_of.entry(key).or_default().push(link);
    }
    let mut groups: Vec<Group<'a>> =
        links_of.into_values().filter_map(|links| group(scene, &links, &names)).collect();
    groups.sort_by_key(|group| (-group.total_ns, group.link.start_ns));
    groups
}

/// The links, where an interrupt or softirq is one that did something for the case and went on: that it did is no end of it.
fn in_one_piece<'c, 'a>(scene: &Scene<'_, 'a>, chain: &'c [Link<'a>]) -> Cow<'c, [Link<'a>]> {
    let are_parts = |(first, second): (&Link<'a>, &Link<'a>)| is_of_one_run(scene, first, second);
    // Links are large, and chains of hundreds are explained by the hundred.
    if !chain.iter().zip(chain.iter().skip(1)).any(are_parts) {
        return Cow::Borrowed(chain);
    }
    let mut joined: Vec<Link<'a>> = Vec::new();
    for link in chain {
        match joined.last_mut().filter(|last| is_of_one_run(scene, last, link)) {
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
    Cow::Owned(joined)
}

/// The links, where a task that had the CPU is one, whatever short sections with interrupts off cut it into.
fn without_crumbs<'c, 'a>(mut chain: Cow<'c, [Link<'a>]>) -> Cow<'c, [Link<'a>]> {
    let whole_ns = chain.iter().fold(0_i64, |sum, link| sum.saturating_add(link.duration_ns()));
    let mut of_place: BTreeMap<i32, i64> = BTreeMap::new();
    for (place, link) in chain.iter().filter_map(|link| Some((section_of_task(link)?, link))) {
        let total_ns = of_place.entry(place).or_default();
        *total_ns = total_ns.saturating_add(link.duration_ns());
    }
    of_place.retain(|_, total_ns| total_ns.saturating_mul(WORTH_ITS_PLACE) < whole_ns);
    if of_place.is_empty() {
        return chain;
    }
    let is_crumb = |link: &Link<'_>| section_of_task(link).is_some_and(|place| of_place.contains_key(&place));
    let links = chain.to_mut();
    join_neighbours(links.iter_mut(), |before, link| before.end_ns == link.start_ns && is_crumb(link));
    join_neighbours(links.iter_mut().rev(), |behind, link| link.end_ns == behind.start_ns && is_crumb(link));
    chain
}

/// The links, where what a CPU took to notice a wakeup is a part of the wakeup if it was short, and shorter than the waking
/// before it or the switch after it.
fn with_whole_way<'c, 'a>(mut chain: Cow<'c, [Link<'a>]>) -> Cow<'c, [Link<'a>]> {
    let is_notice = |link: &Link<'_>| {
        let is_short = link.duration_ns() < ON_ITS_WAY_NS;
        matches!(link.mechanism, Mechanism::IdleExit | Mechanism::Ipi) && is_short
    };
    let is_rest =
        |rest: &&Link<'_>, notice: &Link<'_>| rest.is_way && rest.duration_ns() > notice.duration_ns();
    let way_of = |at: usize| {
        let notice = chain.get(at).filter(|link| is_notice(link))?;
        let after = chain.get(at.saturating_add(1)).filter(|rest| rest.start_ns == notice.end_ns);
        let before = at.checked_sub(1).and_then(|before| chain.get(before));
        let before = before.filter(|rest| rest.end_ns == notice.start_ns);
        let rest = [after, before].into_iter().flatten().find(|rest| is_rest(rest, notice))?;
        let (start_ns, end_ns, longest_ns) = (notice.start_ns, notice.end_ns, notice.longest_ns);
        Some((at, Link { start_ns, end_ns, longest_ns, cpu: notice.cpu, ..rest.clone() }))
    };
    let parts: Vec<(usize, Link<'a>)> = (0..chain.len()).filter_map(way_of).collect();
    if parts.is_empty() {
        return chain;
    }
    let links = chain.to_mut();
    for (at, part) in parts {
        if let Some(link) = links.get_mut(at) {
            *link = part;
        }
    }
    chain
}

/// The place of a recorded section with interrupts off in a task.
fn section_of_task(link: &Link<'_>) -> Option<i32> {
    let is_section = link.mechanism == Mechanism::IrqsOff && matches!(link.subject, Some(Subject::Task(_)));
    link.function_idx.filter(|_| is_section)
}

/// Takes each of the links that `joins` as what its neighbour is, where the same task had the CPU in that.
fn join_neighbours<'l, 'a: 'l>(
    links: impl Iterator<Item = &'l mut Link<'a>>,
    joins: impl Fn(&Link<'a>, &Link<'a>) -> bool,
) {
    let mut last: Option<&'l Link<'a>> = None;
    for link in links {
        let is_same = |last: &&Link<'a>| (last.cpu, last.subject) == (link.cpu, link.subject);
        if let Some(last) = last.filter(|last| is_same(last) && joins(last, link)) {
            (link.mechanism, link.function_idx, link.bounds) =
                (last.mechanism, last.function_idx, last.bounds);
        }
        let has_cpu = link.mechanism.is_of_task() && matches!(link.subject, Some(Subject::Task(_)));
        last = has_cpu.then_some(link);
    }
}

/// True for two parts of one interrupt or softirq, before and after what it did for the case.
fn is_of_one_run(scene: &Scene<'_, '_>, first: &Link<'_>, second: &Link<'_>) -> bool {
    let kind = match first.subject {
        Some(Subject::Interrupt(_)) => SliceKind::Irq,
        Some(Subject::Softirq(_)) => SliceKind::Softirq,
        _ => return false,
    };
    let is_run = |link: &Link<'_>| {
        let mechanisms = [Mechanism::Handler, Mechanism::OtherInterrupt, Mechanism::NotPreemptible];
        mechanisms.contains(&link.mechanism) && !link.is_for_others
    };
    (first.subject, first.cpu, first.end_ns) == (second.subject, second.cpu, second.start_ns)
        && first.mechanism != second.mechanism
        && is_run(first)
        && is_run(second)
        && scene.span_at(kind, first.cpu, first.start_ns).is_some_and(|run| run.end_ns > second.start_ns)
}

/// CPUs that stood still, and may have done so in other silences of the chain; and those that were silent in a task that the
/// scheduler had chosen, and about as long in others.
fn unsure_cpus(scene: &Scene<'_, '_>, chain: &[Link<'_>]) -> (BTreeSet<i16>, BTreeSet<i16>) {
    let mut silent: BTreeMap<i16, Silent> = BTreeMap::new();
    for link in chain {
        let of_cpu = silent.entry(link.cpu).or_default();
        let is_stall = link.mechanism == Mechanism::Stall;
        let length = match () {
            () if link.chosen.is_some() => &mut of_cpu.chosen_ns,
            () if is_stall => &mut of_cpu.still_ns,
            () if link.may_be_stall(scene) => &mut of_cpu.unsure_ns,
            () => continue,
        };
        *length = length.saturating_add(link.duration_ns());
    }
    let cpus = |is_meant: fn(&Silent) -> bool| {
        silent.iter().filter(|(_, silent)| is_meant(silent)).map(|(cpu, _)| *cpu).collect()
    };
    (cpus(Silent::is_unsure), cpus(Silent::is_in_others))
}

/// How long a CPU was silent.
#[derive(Default)]
struct Silent {
    /// In tasks that the scheduler had chosen.
    chosen_ns: i64,
    /// It stood still.
    still_ns: i64,
    /// Either it stood still, or interrupts were off.
    unsure_ns: i64,
}

impl Silent {
    fn is_unsure(&self) -> bool {
        self.still_ns > 0 && self.unsure_ns > 0 || self.is_in_others()
    }

    /// A chosen task is what the case waited for, however silent its CPU was in that, unless it was so in others, too.
    fn is_in_others(&self) -> bool {
        let others_ns = self.still_ns.saturating_add(self.unsure_ns);
        self.chosen_ns > 0 && others_ns.saturating_mul(WORTH_BESIDE_CHOSEN) >= self.chosen_ns
    }
}

/// The names of the tasks of a chain.
fn names<'a>(scene: &Scene<'_, 'a>, chain: &[Link<'a>]) -> Names<'a> {
    let mut longest: BTreeMap<i32, &Link<'a>> = BTreeMap::new();
    for link in chain {
        if let Some(Subject::Task(idx)) = link.owner() {
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

/// What lies between an interrupt and a softirq, or between two.
const STEP: Key<'static> = (Some(Mechanism::OtherInterrupt), "step", "", -1, false, None);

/// In whatever way it had the CPU.
fn task<'a>(idx: i32, names: &Names<'a>) -> Key<'a> {
    match names.get(&idx).copied().unwrap_or_default() {
        "" | "<...>" => (None, "pid", "", idx, false, None),
        comm => (None, "task", comm, 0, false, None),
    }
}

/// Of a CPU: it may have been the CPU each time, whatever task was on it.
fn silence<'a>(cpu: i16) -> Key<'a> {
    (Some(Mechanism::IrqsOff), "silence", "", i32::from(cpu), false, None)
}

fn key<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, names: &Names<'a>) -> Key<'a> {
    let is_deferred = !link.deeper.is_empty()
        || link.is_for_others
        || link.is_awaited
        || link.is_way
        || link.is_slack
        || link.is_undelivered
        || link.before_recording_ns().is_some();
    let mechanism = Some(link.mechanism).filter(|mechanism| !mechanism.is_of_task());
    // Sections in different places are different ones.
    let place = link.function_idx.filter(|_| mechanism.is_some());
    let of = |kind, name, number| (mechanism, kind, name, number, is_deferred, place);
    match link.subject {
        _ if let Some(idx) = link.chosen => task(idx, names),
        // Of its way to the CPU, whoever was on that meanwhile.
        Some(Subject::Task(_)) if link.mechanism == Mechanism::Handler => of("way", "", 0),
        // Whoever ran meanwhile: the one that waited was not allowed to.
        Some(Subject::Task(_)) if link.mechanism == Mechanism::Throttled => of("throttled", "", 0),
        Some(Subject::Task(_)) if link.may_be_stall(scene) => silence(link.cpu),
        Some(Subject::Task(idx)) => match names.get(&idx).copied().unwrap_or_default() {
            "" | "<...>" => of("pid", "", idx),
            // Whoever stopped the task and let it go on is not what it waited for.
            comm if link.stop.is_some() => of("stop", comm, 0),
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
