//! Why a task waited for a CPU that it wanted.

use super::interrupt::{ends, idle_exit, interrupt, late_interrupt, section};
use super::link::{Link, Subject, chained};
use super::mechanism::{Certainty, Mechanism};
use super::resched::{Asked, asked};
use super::scene::Scene;
use crate::analyses::{Cause, SliceKind};
use crate::explain::blame::Held;
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;

/// Priorities from here on are those of the fair class, which the kernel calls normal.
pub const FIRST_FAIR_PRIO: i32 = 100;
/// A CPU that stood idle for less than this was of no use to anybody.
const WORTH_MOVING_NS: i64 = 50_000;

/// A task that waits for a CPU.
#[derive(Clone, Copy)]
pub struct Waiter<'s, 'a> {
    pub task_idx: i32,
    pub pid: i32,
    /// What made it want the CPU: its waking, or its being switched out while it could run.
    pub since: Option<&'s Seen<'a>>,
    /// The CPU that it is to run on at the end.
    pub last_cpu: i16,
    /// When it was put into the queue of a CPU: from then on that CPU knows that it waits.
    pub queued: Option<&'s Seen<'a>>,
}

impl<'s, 'a> Waiter<'s, 'a> {
    /// The task that begins to wait at a time.
    pub fn at(scene: &Scene<'s, 'a>, task_idx: i32, pid: i32, start_ns: i64, last_cpu: i16) -> Self {
        let steps = scene.steps(pid);
        let from = steps.partition_point(|step| step.event.t_ns < start_ns);
        let mut later = steps.get(from..).unwrap_or_default().iter().map(|step| step.event);
        let since = later.next().filter(|event| event.t_ns == start_ns);
        let queued = match since {
            Some(waking) if waking.waking().is_some() => {
                later.take_while(|event| event.switch().is_none()).find(|event| event.wakeup().is_some())
            }
            other => other,
        };
        Self { task_idx, pid, since, last_cpu, queued }
    }
}

/// The links of a wait, on the CPUs on which it was spent.
pub fn waiting<'s, 'a>(scene: &Scene<'s, 'a>, waiter: &Waiter<'s, 'a>, legs: &[Leg]) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    for leg in legs {
        let noticed_ns = noticed_ns(scene, waiter, *leg);
        if let Some(end_ns) = noticed_ns {
            links.extend(unnoticed(scene, Leg { end_ns, ..*leg }));
        }
        let rest = Leg { start_ns: noticed_ns.unwrap_or(leg.start_ns), ..*leg };
        links.extend(behind(scene, waiter, rest));
    }
    let mut links = chained(links);
    for link in links.iter_mut().filter(|link| link.duration_ns() >= WORTH_MOVING_NS) {
        elsewhere(scene, waiter, link);
    }
    if legs.len() > 1
        && let Some(first_end_ns) = legs.first().map(|leg| leg.end_ns)
    {
        for link in links.iter_mut().filter(|link| link.start_ns >= first_end_ns) {
            link.add(Mechanism::Migration);
        }
    }
    links
}

/// When the CPU of a leg took notice of a waking on another CPU: its interrupt, or `sched_wakeup` on it.
fn noticed_ns(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<i64> {
    let waking = waiter.since.filter(|event| event.switch().is_none() && event.t_ns == leg.start_ns)?;
    if waking.cpu == leg.cpu {
        return None;
    }
    let own_wakeup = waiter.queued.filter(|event| event.cpu == leg.cpu && event.seq != waking.seq);
    let notices = |event: &&&Seen<'_>| {
        event.begins_interrupt() && is_reschedule(scene.around.event_name(event))
            || own_wakeup.is_some_and(|wakeup| wakeup.seq == event.seq)
    };
    let events = scene.events(leg.cpu, leg.start_ns.saturating_add(1), leg.end_ns);
    events.iter().find(notices).map(|event| event.t_ns)
}

/// The interrupts with which one CPU tells another that there is something to run.
fn is_reschedule(name: &str) -> bool {
    ["reschedule_entry", "call_function_single_entry", "call_function_entry", "ipi_entry"].contains(&name)
}

/// Until its CPU notices: the interrupt of the other CPU is on its way, or cannot be taken.
fn unnoticed<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let links = late_interrupt(scene, leg).into_iter();
    let links = links.map(|link| match link.mechanism {
        Mechanism::Handler => {
            Link { mechanism: Mechanism::Ipi, subject: Some(Subject::Cpu(leg.cpu)), ..link }
        }
        _ => link.also(Mechanism::Ipi),
    });
    links.collect()
}

/// What had the CPU while the task was in its queue.
fn behind<'s, 'a>(scene: &Scene<'s, 'a>, waiter: &Waiter<'s, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let asked = asked(scene, leg.cpu, leg.start_ns, leg.end_ns);
    let mut links = Vec::new();
    for held in scene.held(leg, Some(waiter.task_idx)) {
        let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns);
        match held.cause {
            Cause::Irq | Cause::Nmi | Cause::Softirq => {
                let mechanism = if is_own_interrupt(waiter, leg.cpu, &held) {
                    Mechanism::Handler
                } else if held.cause == Cause::Softirq && asked.iter().any(|asked| overlaps(asked, &held)) {
                    Mechanism::NotPreemptible
                } else {
                    Mechanism::OtherInterrupt
                };
                links.extend(interrupt(scene, leg.cpu, &held, mechanism));
            }
            Cause::Gap => links.push(link(Mechanism::Stall).about(Subject::Cpu(leg.cpu))),
            Cause::Idle if is_passed_over(scene, waiter, leg, &held) => {
                links.push(link(Mechanism::Throttled).inferred().about(Subject::Task(waiter.task_idx)));
            }
            Cause::Idle => links.push(idle_exit(scene, leg.cpu, &held)),
            Cause::Task | Cause::Irqsoff | Cause::Preemptoff => {
                links.extend(behind_task(scene, waiter, leg, &held, &asked));
            }
            Cause::Itself => links.push(link(Mechanism::OwnWork).about(Subject::Task(waiter.task_idx))),
            Cause::Unknown => links.push(link(Mechanism::Unknown)),
        }
    }
    links
}

/// The interrupt that woke it: the rest of its handlers.
fn is_own_interrupt(waiter: &Waiter<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let waking = waiter.since.filter(|event| event.cpu == cpu && event.switch().is_none());
    let span = held.span.filter(|span| !matches!(span.kind, SliceKind::Sched));
    waking.zip(span).is_some_and(|(waking, span)| span.start_ns <= waking.t_ns && waking.t_ns < span.end_ns)
}

fn overlaps(asked: &Asked<'_, '_>, held: &Held<'_>) -> bool {
    asked.start_ns < held.end_ns && held.start_ns < asked.end_ns
}

/// Behind a task: cut where the scheduler was asked to take the CPU from it, and did not.
fn behind_task<'a>(
    scene: &Scene<'_, 'a>,
    waiter: &Waiter<'_, 'a>,
    leg: Leg,
    held: &Held<'a>,
    asked: &[Asked<'_, 'a>],
) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut at_ns = held.start_ns;
    let mut piece = |from_ns: i64, to_ns: i64, asked: Option<&Asked<'_, 'a>>| {
        if from_ns < to_ns {
            let held = Held { start_ns: from_ns, end_ns: to_ns, ..*held };
            links.push(behind_task_piece(scene, waiter, leg, &held, asked));
        }
    };
    for asked in asked.iter().filter(|asked| overlaps(asked, held)) {
        piece(at_ns, asked.start_ns, None);
        piece(at_ns.max(asked.start_ns), asked.end_ns.min(held.end_ns), Some(asked));
        at_ns = at_ns.max(asked.end_ns.min(held.end_ns));
    }
    piece(at_ns, held.end_ns, None);
    links
}

fn behind_task_piece<'a>(
    scene: &Scene<'_, 'a>,
    waiter: &Waiter<'_, 'a>,
    leg: Leg,
    held: &Held<'a>,
    asked: Option<&Asked<'_, 'a>>,
) -> Link<'a> {
    let Some(runner_idx) = held.span.map(|span| span.task_idx) else {
        return Link::new(Mechanism::Unknown, leg.cpu, held.start_ns, held.end_ns);
    };
    let runner = scene.pid(runner_idx);
    let runs_at_ns = held.start_ns.max(held.span.map_or(i64::MIN, |span| span.start_ns));
    let prios =
        (scene.prio_at(waiter.pid, held.start_ns), runner.and_then(|pid| scene.prio_at(pid, runs_at_ns)));
    let link = |mechanism| {
        Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns).about(Subject::Task(runner_idx))
    };
    let by_switch = || link(Mechanism::Unknown).seen_by(ends(scene, leg.cpu, held)).evidence;
    let is_section = matches!(held.cause, Cause::Irqsoff | Cause::Preemptoff);
    let not_preemptible = || match asked {
        _ if is_section => section(scene, leg.cpu, held, Mechanism::NotPreemptible),
        Some(asked) => {
            let link = link(Mechanism::NotPreemptible).seen_by([asked.first]);
            Link { certainty: Certainty::Bounded, bounds: Some((asked.start_ns, asked.end_ns)), ..link }
        }
        None => Link { evidence: by_switch(), ..link(Mechanism::NotPreemptible).inferred() },
    };
    let is_hard = asked.is_some_and(|asked| !asked.is_lazy);
    let (mine, its) = match prios {
        (Some(mine), Some(its)) => (mine, its),
        _ if is_hard || is_section => return not_preemptible(),
        _ => return Link { evidence: by_switch(), ..link(Mechanism::Unknown) },
    };
    let is_fair = |prio: i32| prio >= FIRST_FAIR_PRIO;
    let mechanism = match () {
        () if is_fair(mine) && is_fair(its) && (is_hard || is_section) => return not_preemptible(),
        () if is_fair(mine) && is_fair(its) => Mechanism::FairShare,
        () if its < mine => Mechanism::HigherPriority,
        () if its == mine => Mechanism::EqualPriority,
        () if !is_section && is_passed_over(scene, waiter, leg, held) => {
            return Link { evidence: by_switch(), ..link(Mechanism::Throttled).inferred() };
        }
        // Nothing but a section that cannot be preempted keeps a less important task on the CPU.
        () => return not_preemptible(),
    };
    Link { evidence: by_switch(), ..link(mechanism) }
}

/// The scheduler had the choice while the task waited in the queue of this very CPU, and took something less
/// important: then it was not allowed to run.
fn is_passed_over(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg, held: &Held<'_>) -> bool {
    let Some(queued) = waiter.queued.filter(|_| leg.cpu == waiter.last_cpu) else { return false };
    let from_ns = queued.t_ns.max(leg.start_ns);
    let chosen = scene.events(leg.cpu, from_ns, held.start_ns).iter().rfind(|event| event.switch().is_some());
    // The switch that takes the CPU from the waiting task itself is the choice of another, too.
    chosen.is_some_and(|event| {
        let switch = event.switch();
        event.seq != queued.seq && switch.is_some_and(|switch| switch.prev.pid != waiter.pid)
    })
}

/// Says whether another CPU had nothing to do all the time.
fn elsewhere(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, link: &mut Link<'_>) {
    let comm = scene.around.task(waiter.task_idx).map_or("", |task| task.comm);
    // Those threads of the kernel belong to one CPU.
    let is_bound = comm.rsplit_once('/').is_some_and(|(_, cpu)| cpu.parse::<u16>().is_ok());
    if is_bound || matches!(link.mechanism, Mechanism::Unknown | Mechanism::OwnWork | Mechanism::IdleExit) {
        return;
    }
    let Some(idle) = scene.idle_cpu(link.cpu, link.start_ns, link.end_ns) else { return };
    link.add(Mechanism::WrongCpu);
    link.idle_cpu = scene.has_been_on(waiter.task_idx, idle).then_some(idle);
}
