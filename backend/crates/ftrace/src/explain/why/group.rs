//! One cause of a case: the links about one thing, whatever lies between them.

use std::collections::{BTreeMap, BTreeSet};

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::totals::{off_or_still, silences};

/// How a task kept the CPU is said of one part in this many of the time for which it had it.
const WORTH_A_CLAUSE: i64 = 10;

/// Links about one thing, or tasks of one name, that kept the case waiting in one way.
pub struct Group<'a> {
    /// The longest of its largest mechanism, with the pieces of all.
    pub link: Link<'a>,
    pub total_ns: i64,
    pub subjects: usize,
    is_on_one_cpu: bool,
    /// Nearly all of it lies on the CPU of the link.
    is_mostly_there: bool,
    /// How much of it is due to each mechanism, the largest first.
    mechanisms: Vec<(Mechanism, i64)>,
}

impl Group<'_> {
    /// True where nearly all of it lies on one CPU, and the event is said to be on another, or to end there.
    pub fn is_elsewhere(&self, event: &str) -> bool {
        let last = event.split("CPU ").skip(1).last();
        let number = last.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
        self.is_mostly_there && number.is_some_and(|number| number != self.link.cpu.to_string())
    }

    /// The CPU on which all of it lies.
    pub fn only_cpu(&self) -> Option<i16> {
        self.is_on_one_cpu.then_some(self.link.cpu)
    }

    /// In how many ways it kept the case waiting, besides silences that may have been no fault of it.
    pub fn ways(&self) -> usize {
        let is_silence = |mechanism: Mechanism| matches!(mechanism, Mechanism::IrqsOff | Mechanism::Stall);
        self.mechanisms.iter().filter(|(mechanism, _)| !is_silence(*mechanism)).count()
    }

    /// How long its CPU was silent.
    pub fn silent_ns(&self) -> i64 {
        self.part_ns(Mechanism::IrqsOff).saturating_add(self.part_ns(Mechanism::Stall))
    }

    /// True where silences take so much of it that they are worth a word.
    pub fn is_silent(&self) -> bool {
        self.is_much(self.silent_ns())
    }

    /// True for a task that had a CPU which was silent for most of that.
    pub fn is_mostly_silent(&self) -> bool {
        is_of_task(self) && self.silent_ns().saturating_mul(2) >= self.total_ns
    }

    /// `, for 120 µs of which interrupts were off or CPU 1 stood still`, of a task that had the CPU.
    pub fn silences(&self) -> String {
        let (silent_ns, cpu) = (self.silent_ns(), self.link.cpu);
        if !self.is_silent() || !is_of_task(self) {
            return String::new();
        }
        silences(silent_ns, cpu)
    }

    /// `interrupts were off in a-7 or CPU 1 stood still for 120 µs`, of a task in which that was most of it, named or not.
    pub fn silence(&self, who: Option<String>) -> Option<String> {
        let (silent_ns, cpu) = (self.silent_ns(), self.link.cpu);
        self.is_mostly_silent().then(|| off_or_still(who, cpu, silent_ns))
    }

    /// True for a part of it that is worth a word.
    pub fn is_much(&self, part_ns: i64) -> bool {
        part_ns > 0 && part_ns.saturating_mul(WORTH_A_CLAUSE) >= self.total_ns
    }

    /// How much of it is due to a mechanism.
    pub fn part_ns(&self, of: Mechanism) -> i64 {
        self.mechanisms.iter().find(|(mechanism, _)| *mechanism == of).map_or(0, |(_, ns)| *ns)
    }
}

/// True for a group of tasks that had the CPU.
pub fn is_of_task(group: &Group<'_>) -> bool {
    group.link.mechanism.is_of_task() && matches!(group.link.subject, Some(Subject::Task(_)))
}

/// What tasks were called in a chain, each as in the longest of its links: `exec` may have renamed it in between.
pub type Names<'a> = BTreeMap<i32, &'a str>;

/// The group of links of one key, in order of time.
pub fn group<'a>(scene: &Scene<'_, 'a>, links: &[&Link<'a>], names: &Names<'a>) -> Option<Group<'a>> {
    let sum = |links: &mut dyn Iterator<Item = &&Link<'a>>| {
        links.fold(0_i64, |sum, link| sum.saturating_add(link.duration_ns()))
    };
    let kinds: BTreeSet<Mechanism> = links.iter().map(|link| link.mechanism).collect();
    let of = |mechanism: Mechanism| links.iter().filter(move |link| link.mechanism == mechanism);
    let mut mechanisms: Vec<(Mechanism, i64)> =
        kinds.into_iter().map(|mechanism| (mechanism, sum(&mut of(mechanism)))).collect();
    mechanisms.sort_by_key(|(mechanism, ns)| (-*ns, *mechanism));
    // What may have been either is not said to be the one, however much of it was; that a task had the CPU is no less true.
    let is_of_tasks = || links.iter().any(|link| matches!(link.subject, Some(Subject::Task(_))));
    let is_kept = |(mechanism, _): &&(Mechanism, i64)| mechanism.is_of_task() && is_of_tasks();
    let kept = mechanisms.iter().find(is_kept);
    let either =
        mechanisms.iter().find(|(mechanism, _)| *mechanism == Mechanism::IrqsOff).filter(|_| kept.is_none());
    let (mechanism, _) = *either.or(kept).or(mechanisms.first())?;
    let longest = of(mechanism).rev().max_by_key(|link| link.duration_ns()).copied()?;
    let about: Vec<&Link<'a>> =
        links.iter().copied().filter(|link| either.is_none() || link.mechanism == mechanism).collect();
    let subjects: BTreeSet<_> = about.iter().map(|link| link.owner()).collect();
    let mut link = longest.clone();
    let continued =
        links.iter().zip(links.iter().skip(1)).filter(|(first, second)| is_one_silence(first, second));
    let pieces: usize = links.iter().map(|link| link.pieces).sum();
    link.pieces = pieces.saturating_sub(continued.count());
    let are_apart = |(first, second): (&&Link<'_>, &&Link<'_>)| {
        let mut between = scene.events(first.cpu, first.end_ns, second.start_ns).iter();
        first.cpu == second.cpu && between.any(|event| event.switch().is_some())
    };
    // Of nothing else it is said, and there may be many links and events between them.
    let is_idle = link.mechanism == Mechanism::IdleExit;
    link.is_apart = is_idle && links.iter().zip(links.iter().skip(1)).any(are_apart);
    link.longest_ns = links.iter().map(|link| link.longest_ns).max().unwrap_or(0);
    // Of a CPU that stood still in other tasks, too, none is named.
    let is_of_cpu =
        either.is_some() && mechanisms.iter().any(|(mechanism, _)| *mechanism == Mechanism::Stall);
    if is_of_cpu {
        link.subject = Some(Subject::Cpu(link.cpu));
    }
    link.function_idx =
        link.function_idx.filter(|_| links.iter().all(|other| other.function_idx == longest.function_idx));
    let name = |link: &Link<'_>| match link.owner() {
        Some(Subject::Task(idx)) => names.get(&idx).copied(),
        _ => None,
    };
    link.mixed = about.iter().filter(|other| name(other) != name(longest)).count();
    let prio = |link: &&Link<'_>| match link.owner() {
        Some(Subject::Task(idx)) => scene.prio(idx, link.start_ns),
        _ => None,
    };
    let prios: BTreeSet<i32> = about.iter().filter_map(prio).collect();
    link.has_prios = subjects.len() > 1 && prios.len() > 1;
    // Of a part of them only, it would be said of all.
    link.idle_cpu = link.idle_cpu.filter(|_| links.iter().all(|other| other.idle_cpu == longest.idle_cpu));
    let total_ns = sum(&mut links.iter());
    // An interrupt that did not come yet is late from the first of them on, unless something lies between them.
    let is_awaited = link.mechanism == Mechanism::Handler
        && !link.is_way
        && matches!(link.subject, None | Some(Subject::Task(_)));
    if is_awaited && let (Some(first), Some(last)) = (links.first(), links.last()) {
        let is_one = last.end_ns.saturating_sub(first.start_ns) == total_ns;
        (link.start_ns, link.end_ns) = (if is_one { first } else { last }.start_ns, last.end_ns);
    }
    let is_on_one_cpu = links.iter().all(|other| other.cpu == longest.cpu);
    let there_ns = sum(&mut links.iter().filter(|other| other.cpu == longest.cpu));
    let is_mostly_there = there_ns.saturating_mul(10) >= total_ns.saturating_mul(9);
    Some(Group { link, total_ns, subjects: subjects.len(), is_on_one_cpu, is_mostly_there, mechanisms })
}

/// True for a CPU that goes on to be silent, whatever it is called, and for two parts of one hole.
fn is_one_silence(first: &Link<'_>, second: &Link<'_>) -> bool {
    let is_silent = |link: &Link<'_>| matches!(link.mechanism, Mechanism::Stall | Mechanism::IrqsOff);
    let is_next = (first.cpu, first.end_ns) == (second.cpu, second.start_ns);
    let is_one_hole = first.bounds.is_some() && first.bounds == second.bounds;
    let is_other = first.mechanism != second.mechanism;
    is_next && (is_other || is_one_hole) && is_silent(first) && is_silent(second)
}
