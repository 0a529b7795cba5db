//! What is said beside the largest cause: what came on top of a sleep, and the next causes until enough is explained.

use super::group::{Group, is_of_task};
use super::interrupt::ON_ITS_WAY_NS;
use super::link::Subject;
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::sentence::{Extent, Length, clause, named};
use super::totals::{All, Interrupts, is_enough};
use super::verdict::is_case_itself;
use crate::analyses::SliceKind;
use crate::explain::words;

/// What is said of a CPU that did, or may have done.
pub const STOOD_STILL: &str = "stood still";
/// Of what explains two thirds of a case, the next cause is mentioned if it has one part in this many of it,
const MUCH: i64 = 4;
/// and is so long.
const LONG_BESIDE_NS: i64 = 5_000;
/// Of what explains less, so large a part of the case,
const MUCH_OF_REST: i64 = 6;
/// and so long: the clock of many traces counts microseconds.
const LONG_BESIDE_LITTLE_NS: i64 = 2_000;
/// The next causes that are mentioned at most.
const MAX_NEXT: usize = 2;
/// The largest cause can be told beside others in one of so many ways, the fullest first.
const SHORTENED: usize = 3;
/// What comes beside a sleep is mentioned if it has one part in this many of the case,
const WORTH_BESIDE_SLEEP: i64 = 20;
/// or is so long that no sleeper calls it on time.
const LONG_BESIDE_SLEEP_NS: i64 = 100_000;

/// What the first clause is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    One,
    /// All tasks that had the CPU.
    Tasks,
    Interrupts,
}

/// The first clause.
pub struct Said {
    pub text: String,
    pub of: Of,
}

/// A cause beside the first.
enum Next<'g, 'a> {
    One(&'g Group<'a>),
    Tasks(All),
    Interrupts(Interrupts<'g, 'a>),
    /// The first clause is about one of them.
    OtherInterrupts(Interrupts<'g, 'a>),
}

impl Next<'_, '_> {
    fn total_ns(&self) -> i64 {
        match self {
            Self::One(group) => group.total_ns,
            Self::Tasks(all) => all.total_ns,
            Self::Interrupts(all) | Self::OtherInterrupts(all) => all.total_ns,
        }
    }
}

/// The first clause with the next causes, the fullest way to say them first.
pub fn with_next<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>], said: &[Said]) -> Vec<String> {
    let Some(of) = said.first().map(|first| first.of) else { return Vec::new() };
    let next = next_causes(scene, groups, of);
    if next.is_empty() || groups.first().is_some_and(is_asked) {
        return Vec::new();
    }
    // A third of the case that no task had says more than which task had the CPU longest.
    let is_little = !is_enough(whole_ns(scene, groups), explained_ns(groups, of));
    let behind_all = Some(All::of(groups).behind()).filter(|_| of == Of::Tasks && is_little);
    let alone = said.iter().map(|said| &said.text);
    // That the CPU may have stood still is worth more than a second cause.
    let is_doubted = said.first().is_some_and(|said| said.text.contains(STOOD_STILL));
    let keeps_doubt = |text: &&String| !is_doubted || text.contains(STOOD_STILL);
    // A shorter way leaves out how it kept the CPU, which is worth less than a second cause; of sections, it leaves out whose
    // they were, which is worth more.
    let is_way = matches!(next.first(), Some(Next::One(group)) if group.link.is_way);
    let is_off = groups.first().is_some_and(|first| first.link.mechanism == Mechanism::IrqsOff);
    let shortened = if is_way || is_off { SHORTENED } else { SHORTENED.saturating_add(1) };
    // An idle CPU is the same one in the fewest words.
    let is_idle = groups.first().is_some_and(|first| first.link.mechanism == Mechanism::IdleExit);
    let fewest = said.last().map(|said| &said.text).filter(|_| is_idle && !is_way);
    let firsts = alone.take(shortened).chain(&behind_all).chain(fewest);
    let firsts: Vec<&String> = firsts.filter(keeps_doubt).collect();
    let pair = |lengths: [Length; 2]| {
        let next = &next;
        firsts.iter().filter_map(move |first| match next.as_slice() {
            [second, third] => {
                let second = next_clause(scene, second, first, lengths[0]);
                let third = next_clause(scene, third, &second, lengths[1]);
                Some(join(first, &format!("{second}, and {third}")))
            }
            _ => None,
        })
    };
    let both = [[Length::Terse; 2], [Length::Bare; 2]].into_iter().flat_map(pair);
    let one = firsts.iter().flat_map(|first| {
        let ways = next.first().into_iter().flat_map(|next| ways(scene, next, first));
        ways.map(move |second| join(first, &second))
    });
    both.chain(one).collect()
}

/// Two clauses in one sentence: what has a semicolon already goes on with another one, and two tasks with a comma.
fn join(first: &str, second: &str) -> String {
    match first.contains("; ") {
        true => format!("{first}; {}", second.trim_start_matches("and ")),
        false => format!("{}, {second}", first.replace(", and behind ", ", behind ")),
    }
}

/// How long the first clause is about.
fn explained_ns(groups: &[Group<'_>], of: Of) -> i64 {
    match of {
        Of::One => groups.first().map_or(0, |first| first.total_ns),
        Of::Tasks => All::of(groups).total_ns,
        Of::Interrupts => Interrupts::of(groups).map_or(0, |all| all.total_ns),
    }
}

/// What there is to explain: nobody is late for a sleep that it asked for.
pub fn whole_ns(scene: &Scene<'_, '_>, groups: &[Group<'_>]) -> i64 {
    let asked = groups.iter().filter(|group| is_asked(group)).map(|group| group.total_ns);
    scene.case.duration_ns.saturating_sub(asked.sum())
}

/// True for a sleep on a timer of its own.
fn is_asked(group: &Group<'_>) -> bool {
    group.link.asked_ns.is_some() && !group.link.is_slack
}

/// The next largest causes, as long as what is before them explains too little.
fn next_causes<'g, 'a>(scene: &Scene<'_, 'a>, groups: &'g [Group<'a>], of: Of) -> Vec<Next<'g, 'a>> {
    let Some((first, rest)) = groups.split_first() else { return Vec::new() };
    let whole_ns = whole_ns(scene, groups);
    let mut explained_ns = explained_ns(groups, of);
    let mut causes = together(groups, first, rest, of);
    if is_enough(whole_ns, explained_ns) {
        let next = causes.into_iter().next();
        let is_worth = |next: &Next<'_, '_>| {
            let Next::One(group) = next else { return false };
            // That a task had the CPU, that it stood still, or ran other handlers, is nothing on the way.
            let is_still = group.link.mechanism == Mechanism::Stall;
            let is_certain = is_of_task(group) || is_still || group.link.is_for_others;
            let is_none = matches!(group.link.mechanism, Mechanism::OwnWork | Mechanism::Unknown)
                || is_case_itself(scene, &group.link);
            let is_long = group.total_ns >= if is_certain { LONG_BESIDE_NS } else { ON_ITS_WAY_NS };
            let is_much = group.total_ns.saturating_mul(MUCH) >= whole_ns;
            is_much && is_long && !is_none && !group.link.is_way
        };
        return next.into_iter().filter(is_worth).collect();
    }
    causes.retain(|next| {
        let is_much = next.total_ns().saturating_mul(MUCH_OF_REST) >= whole_ns;
        let is_none = matches!(next, Next::One(group) if is_none(scene, group));
        is_much && next.total_ns() >= LONG_BESIDE_LITTLE_NS && !is_none
    });
    let is_needed = |next: &Next<'_, '_>| {
        let is_needed = !is_enough(whole_ns, explained_ns);
        explained_ns = explained_ns.saturating_add(next.total_ns());
        is_needed
    };
    causes.into_iter().take(MAX_NEXT).take_while(is_needed).collect()
}

/// True for what is no cause: a sleep that was asked for, the case itself, and what is not known but who had the CPU.
fn is_none(scene: &Scene<'_, '_>, group: &Group<'_>) -> bool {
    let link = &group.link;
    let is_unexplained = link.mechanism == Mechanism::Unknown && (link.subject.is_some() || link.is_unseen);
    is_asked(group) || is_case_itself(scene, link) || is_unexplained
}

/// All causes but the one that is said, the largest first: tasks as one, and interrupts as one, where each of them is small.
fn together<'g, 'a>(
    groups: &'g [Group<'a>],
    first: &Group<'a>,
    rest: &'g [Group<'a>],
    of: Of,
) -> Vec<Next<'g, 'a>> {
    let tasks = All::of(rest);
    let longest_ns = rest.iter().find(|group| is_of_task(group)).map_or(0, |group| group.total_ns);
    let are_many =
        |total_ns: i64, longest_ns: i64| total_ns.saturating_mul(2) >= longest_ns.saturating_mul(3);
    let has_tasks = of == Of::One && !is_of_task(first) && are_many(tasks.total_ns, longest_ns);
    let tasks = Some(tasks).filter(|tasks| has_tasks && tasks.tasks > 1);
    let interrupts = Interrupts::of(rest).filter(|all| all.groups > 1);
    let interrupts =
        interrupts.filter(|all| of != Of::Interrupts && are_many(all.total_ns, all.longest.total_ns));
    let is_alone = |group: &&Group<'_>| {
        let is_in_tasks = of == Of::Tasks || tasks.is_some();
        let is_in_interrupts = of == Of::Interrupts || interrupts.is_some();
        !(is_in_tasks && is_of_task(group) || is_in_interrupts && Interrupts::has(groups, group))
    };
    // Many tasks with little each may be said in place of the largest group.
    let is_said = match of {
        Of::One => true,
        Of::Tasks => is_of_task(first),
        Of::Interrupts => Interrupts::has(groups, first),
    };
    let others = if is_said { rest } else { groups };
    let mut causes: Vec<Next<'g, 'a>> = others.iter().filter(is_alone).map(Next::One).collect();
    causes.extend(tasks.map(Next::Tasks));
    let is_first_of_them = of == Of::One && Interrupts::has(groups, first);
    causes.extend(interrupts.map(if is_first_of_them { Next::OtherInterrupts } else { Next::Interrupts }));
    causes.sort_by_key(|next| -next.total_ns());
    causes
}

/// `it waited behind hog-170 for 2.1 ms`: a cause after another one.
fn next_clause<'a>(scene: &Scene<'_, 'a>, next: &Next<'_, 'a>, before: &str, length: Length) -> String {
    // On PREEMPT_RT, a softirq is switched out for others as its thread is.
    let is_preempted = scene.case.kind.slice_kind() == Some(SliceKind::Softirq);
    let time = words::time(next.total_ns());
    let said = match next {
        Next::One(group) => {
            let extent = Extent { total_ns: group.total_ns, subjects: group.subjects, length };
            let is_other = group.link.subject != Some(Subject::Task(scene.case.task_idx));
            if is_preempted && is_of_task(group) && is_other {
                return format!("{} preempted it for {time}", named(scene, &group.link, extent));
            }
            clause(scene, &group.link, extent)
        }
        Next::Tasks(all) if is_preempted => format!("{} tasks preempted it for {time}", all.tasks),
        Next::Tasks(all) => all.behind(),
        Next::Interrupts(all) => format!("{} ran for {time}", all.kinds),
        Next::OtherInterrupts(all) => format!("other {} ran for {time}", all.kinds),
    };
    let is_wait = said.starts_with("behind ") && !before.starts_with("behind ");
    if is_wait { format!("it waited {said}") } else { said }
}

/// How a single next cause can be said, the fullest way first.
fn ways<'a>(scene: &Scene<'_, 'a>, next: &Next<'_, 'a>, first: &str) -> Vec<String> {
    let short = |length: Length| format!("and {}", next_clause(scene, next, first, length));
    let Next::One(group) = next else { return vec![short(Length::Terse)] };
    let extent = Extent { total_ns: group.total_ns, subjects: group.subjects, length: Length::Terse };
    if group.link.mechanism == Mechanism::Stall
        && first.ends_with(&format!("CPU {} stood still", group.link.cpu))
    {
        return vec![format!("as it did for another {}", extent.time())];
    }
    let who = || named(scene, &group.link, extent);
    let silence =
        [Some(who()), None].into_iter().filter_map(|who| Some(format!("and {}", group.silence(who)?)));
    let full = format!("{}{}", short(Length::Terse), group.silences());
    [full].into_iter().chain(silence).chain([short(Length::Terse), short(Length::Bare)]).collect()
}

/// What took most of the rest, where a task slept for as long as it had asked for: that is nothing late. The fullest way to
/// say it comes first.
pub fn beside_sleep<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>]) -> Vec<String> {
    let next = groups.first().filter(|found| is_asked(found)).and_then(|_| groups.get(1));
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
pub fn beside<'a>(scene: &Scene<'_, 'a>, groups: &[Group<'a>]) -> Option<String> {
    let next = groups.get(1)?;
    let all = All::of(groups);
    let is_softirq = scene.case.kind.slice_kind() == Some(SliceKind::Softirq);
    let are_many = is_softirq && all.tasks > next.subjects && all.total_ns > next.total_ns;
    let next = if are_many { Next::Tasks(all) } else { Next::One(next) };
    let is_much = next.total_ns() >= scene.case.duration_ns.div_euclid(MUCH);
    is_much.then(|| next_clause(scene, &next, "", Length::Short))
}
