//! Why a case took as long as it did: a chain of links that tile it, each with its mechanism, whom it is about, and
//! the events that it was concluded from. `docs/why.md` says what the mechanisms mean and how they are
//! distinguished.

#[cfg(test)]
mod begun_tests;
mod behind;
mod beside;
#[cfg(test)]
mod beside_tests;
#[cfg(test)]
mod call_tests;
mod callback;
mod callee;
mod carrier;
#[cfg(test)]
mod class_tests;
mod context;
mod deeds;
#[cfg(test)]
mod deeds_tests;
mod doze;
#[cfg(test)]
mod doze_tests;
#[cfg(test)]
mod due_tests;
#[cfg(test)]
mod few_tests;
mod group;
mod groups;
#[cfg(test)]
mod groups_tests;
mod held;
#[cfg(test)]
mod host_tests;
mod idle;
#[cfg(test)]
mod inner_tests;
mod inside;
mod interrupt;
mod ipi_sender;
mod itself;
#[cfg(test)]
mod late_tests;
mod left_idle;
mod legs;
#[cfg(test)]
mod legs_tests;
mod link;
mod meanwhile;
mod mechanism;
#[cfg(test)]
mod missing_tests;
mod mode;
mod overdue;
mod past_its_timer;
mod pauses;
#[cfg(test)]
mod pending_tests;
#[cfg(test)]
mod planted;
mod priority;
#[cfg(test)]
mod properties;
mod pulled;
mod quota;
mod raised;
#[cfg(test)]
mod raised_tests;
mod recorded;
mod resched;
mod runs;
mod scene;
mod sections;
mod sentence;
mod silence;
mod stall;
mod stated;
#[cfg(test)]
mod stated_tests;
mod step;
#[cfg(test)]
mod still_tests;
mod stillness;
#[cfg(test)]
mod thin_tests;
mod throttle;
#[cfg(test)]
mod throttled_tests;
mod ticks;
mod timeout;
mod timer;
mod totals;
mod usual;
#[cfg(test)]
mod usual_tests;
mod verdict;
#[cfg(test)]
mod verdict_tests;
mod wait;
mod waking_interrupt;
#[cfg(test)]
mod way_tests;

pub use carrier::is_carrier_comm;
pub use interrupt::SLOWEST_WAY_NS;
pub use link::{Link, Subject};
pub use mechanism::{Certainty, Mechanism};
pub use priority::{FIRST_FAIR_PRIO, is_fair};
pub use usual::{Usual, Usuals, UsualsOfBlocks};
pub use verdict::Verdict;

use super::case::Case;
use super::route::Leg;
use super::stages::{Events, Mark, Steps};
use super::surroundings::{Seen, Surroundings};
use crate::analyses::Subject as KindSubject;
use scene::Scene;
use wait::Waiter;

/// What a case waits for, by its kind: which rules its stretches are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A timer is to expire, and at the end its handler runs.
    Timer,
    /// A timer is to expire, which wakes a task, which is to run.
    Sleeper,
    /// A task is to run.
    Wait,
    /// A softirq is to run.
    Softirq,
    /// Something lasts until the end.
    Work,
    /// A record says how long something took that ended then.
    Stated,
    /// A tracer says itself what it was.
    Reported,
}

/// Why a case took so long.
#[derive(Default)]
pub struct Chain<'a> {
    /// No gap, no overlap. Empty where a tracer's report is all that is known of the case.
    pub links: Vec<Link<'a>>,
    /// What took most of it.
    pub verdict: Option<Verdict>,
}

/// The chain of a case; each link with its sentence where `has_sentences`.
pub fn why<'a>(
    case: &Case<'a>,
    legs: &[Leg],
    around: &Surroundings<'_, 'a>,
    has_sentences: bool,
) -> Chain<'a> {
    if case.kind.way() == Way::Reported || case.kind.is_report(case) {
        return Chain::default();
    }
    let scene = Scene::new(case, around);
    let links = callback::with_handlers(&scene, links(&scene, legs));
    let links = recorded::without_any_holes(&scene, links);
    let links = link::merged(sections::by_sections(&scene, links));
    let links = pauses::without_pauses(&scene, links);
    // Of all links: those that are shown may have taken in others.
    let verdict = verdict::verdict(&scene, &links);
    let mut links = link::shown(links);
    if has_sentences {
        sentence::tell(&scene, &mut links);
    }
    Chain { verdict, links }
}

fn links<'a>(scene: &Scene<'_, 'a>, legs: &[Leg]) -> Vec<Link<'a>> {
    let case = scene.case;
    let work = || match case.pid.filter(|_| case.latency().subject == KindSubject::Task) {
        Some(pid) => inside::of_task(scene, (case.task_idx, pid), legs, 0),
        None => legs.iter().flat_map(|leg| inside::what_ran(scene, *leg, case.own_task_idx())).collect(),
    };
    match case.kind.way() {
        Way::Timer => match marked(scene, Mark::Handler) {
            Some(first) => {
                timer::fired(scene, case.start_ns, case.end_ns(), timer::handler_of_case(scene, first))
            }
            None => legs.iter().flat_map(|leg| interrupt::late_interrupt(scene, *leg)).collect(),
        },
        Way::Sleeper => sleeper(scene, legs).unwrap_or_else(work),
        Way::Wait => match case.pid {
            Some(pid) => {
                let waiter = Waiter::at(scene, case.task_idx, pid, case.start_ns, case.cpu);
                wait::waiting(scene, &waiter, legs)
            }
            None => work(),
        },
        Way::Softirq => legs.iter().flat_map(|leg| raised::softirq(scene, *leg)).collect(),
        Way::Work => work(),
        Way::Stated => stated::stated(scene, legs),
        Way::Reported => Vec::new(),
    }
}

/// Expiry, interrupt, handler, waking; waiting; the way back to user space. A case may end with the handler.
fn sleeper<'a>(scene: &Scene<'_, 'a>, legs: &[Leg]) -> Option<Vec<Link<'a>>> {
    let case = scene.case;
    let armed = timer::armed_inside(scene);
    // What comes before the timer is started belongs to the period before.
    let mark = |wanted| marked(scene, wanted).filter(|mark| armed.is_none_or(|armed| armed.seq < mark.seq));
    let fired = || armed.and_then(|armed| timer::fired_after(scene, armed));
    let waking =
        mark(Mark::Waking).or_else(|| mark(Mark::Wakeup)).or_else(|| mark(Mark::Handler)).or_else(fired);
    let Some(waking) = waking else { return armed_only(scene, legs, armed?) };
    if waking.t_ns >= case.end_ns() {
        return Some(timer::fired(scene, case.start_ns, case.end_ns(), waking));
    }
    let pid = case.pid?;
    let switch = mark(Mark::Switch).map(|event| event.t_ns);
    // A task that was not asleep is not switched to.
    let is_awake = armed.is_some() && switch.is_none();
    let switch = switch.unwrap_or(if is_awake { waking.t_ns } else { case.end_ns() });
    let mut links = timer::fired(scene, case.start_ns, waking.t_ns, waking);
    let wait = inside::cut(legs, waking.t_ns, switch);
    let last_cpu = wait.last().map_or(case.cpu, |leg| leg.cpu);
    let waiter = Waiter::at(scene, case.task_idx, pid, waking.t_ns, last_cpu);
    links.extend(wait::waiting(scene, &waiter, &wait));
    let back = inside::of_task(scene, (case.task_idx, pid), &inside::cut(legs, switch, case.end_ns()), 0);
    for link in back {
        match link.mechanism {
            Mechanism::OwnWork => links.extend(way_back(scene, case.task_idx, link)),
            _ => links.push(link),
        }
    }
    Some(links)
}

/// A task on its way to user space, cut where a timer's interrupt did not come.
fn way_back<'a>(scene: &Scene<'_, 'a>, task_idx: i32, link: Link<'a>) -> Vec<Link<'a>> {
    let usual = scene.usuals.way_back(scene.around, link.duration_ns());
    let link = Link { mechanism: Mechanism::KernelExit, usual, ..link };
    let overdue = scene.overdue(link.cpu, link.start_ns, link.end_ns).into_iter();
    let late: Vec<silence::Silence> = overdue.map(silence::Silence::of).collect();
    let mut parts = silence::without(scene, link, link::Subject::Task(task_idx), &late);
    parts.retain(|part| part.duration_ns() > 0);
    let may_be_stall = |part: &Link<'_>| {
        let is_meant = part.mechanism == Mechanism::KernelExit && scene.may_stand_still();
        is_meant && silence::may_be_still(scene, part.cpu, (part.start_ns, part.end_ns))
    };
    let parts = parts.into_iter();
    parts.map(|part| if may_be_stall(&part) { part.also(Mechanism::Stall) } else { part }).collect()
}

/// A timer that was started too late to be waited for.
fn armed_only<'a>(scene: &Scene<'_, 'a>, legs: &[Leg], armed: &Seen<'a>) -> Option<Vec<Link<'a>>> {
    let case = scene.case;
    let leg = Leg { cpu: armed.cpu, start_ns: case.start_ns, end_ns: armed.t_ns };
    let rest = inside::cut(legs, armed.t_ns, case.end_ns());
    let rest = inside::of_task(scene, (case.task_idx, case.pid?), &rest, 0);
    Some([timer::armed_late(scene, leg, armed)].into_iter().chain(rest).collect())
}

/// The event of a mark of the case.
fn marked<'s, 'a>(scene: &Scene<'s, 'a>, wanted: Mark) -> Option<&'s Seen<'a>> {
    let events = Events { case: scene.case, around: scene.around };
    let Steps { middle, last, .. } = scene.case.kind.steps(&events)?;
    let seq = middle
        .iter()
        .find(|(mark, _)| *mark == wanted)
        .map(|(_, event)| event.seq)
        .or(last.1.filter(|_| last.0 == wanted).map(|event| event.seq))?;
    scene.around.events.iter().find(|event| event.seq == seq)
}
