//! Why a task waited for a CPU that it wanted.

use super::behind::behind;
use super::interrupt::{ON_ITS_WAY_NS, late_interrupt};
use super::link::{Link, Subject, merged};
use super::mechanism::{Certainty, Mechanism};
use super::priority::{Rank, is_fair};
use super::pulled::pulled;
use super::quota::limited;
use super::scene::Scene;
use super::throttle::throttled;
use crate::analyses::Cause;
use crate::events::Decoded;
use crate::explain::route::{Leg, is_stopper_comm};
use crate::explain::surroundings::Seen;
use crate::model::{Flags, TimeUnit};

/// A CPU that was idle for less than this could not have run the task.
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
            // Right after it, where nothing says when: a CPU without work that wakes a task of its own keeps it.
            Some(waking) if !scene.around.records("sched_wakeup") && is_kept_by_idle(scene, waking) => since,
            Some(waking) if waking.waking().is_some() => {
                later.take_while(|event| event.switch().is_none()).find(|event| event.wakeup().is_some())
            }
            other => other,
        };
        Self { task_idx, pid, since, last_cpu, queued }
    }
}

/// True for a waking in the idle task of the CPU on which the woken one ran last.
fn is_kept_by_idle(scene: &Scene<'_, '_>, waking: &Seen<'_>) -> bool {
    let target = waking.waking().and_then(|task| task.target_cpu);
    target == Some(i64::from(waking.cpu)) && scene.around.is_idle_task(waking.task_idx)
}

/// The links of a wait, on the CPUs on which it was spent.
pub fn waiting<'s, 'a>(scene: &Scene<'s, 'a>, waiter: &Waiter<'s, 'a>, legs: &[Leg]) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    for leg in legs {
        let mut leg = *leg;
        if let Some(link) = woken_from_afar(scene, waiter, leg) {
            leg.start_ns = link.end_ns;
            links.push(link);
        }
        if let Some(link) = pulled(scene, waiter, leg) {
            leg.start_ns = link.end_ns;
            links.push(link);
        }
        let rest = match limited(scene, waiter, leg) {
            Some(link) => {
                links.extend(queued(scene, waiter, Leg { end_ns: link.start_ns, ..leg }));
                let rest = Leg { start_ns: link.end_ns, ..leg };
                links.push(link);
                rest
            }
            None => leg,
        };
        links.extend(queued(scene, waiter, rest));
    }
    let mut links = merged(links);
    for link in links.iter_mut().filter(|link| link.duration_ns() >= WORTH_MOVING_NS) {
        elsewhere(scene, waiter, link);
    }
    if legs.len() > 1
        && let Some(first_end_ns) = legs.first().map(|leg| leg.end_ns)
    {
        for link in links.iter_mut().filter(|link| link.start_ns >= first_end_ns) {
            if link.mechanism != Mechanism::Migration {
                link.add(Mechanism::Migration);
            }
        }
    }
    links
}

/// The links of a task in the queue of a CPU, from when that notices it.
fn queued<'s, 'a>(scene: &Scene<'s, 'a>, waiter: &Waiter<'s, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let throttled = throttled(scene, waiter, leg);
    // A CPU that has no task to run has nothing to notice.
    let noticed_ns = noticed_ns(scene, waiter, leg).filter(|_| throttled.is_none());
    let mut links = noticed_ns.map_or_else(Vec::new, |end_ns| unnoticed(scene, Leg { end_ns, ..leg }));
    let rest = Leg { start_ns: noticed_ns.unwrap_or(leg.start_ns), ..leg };
    links.extend(behind(scene, waiter, rest, throttled));
    links
}

/// Until a CPU that wakes the task for another one, or chose itself in the middle of that, has put it into a queue, which is
/// locked for so long, or the other one is busy with the interrupt that tells it: until then the waking is not over.
fn woken_from_afar<'s, 'a>(scene: &Scene<'s, 'a>, waiter: &Waiter<'s, 'a>, leg: Leg) -> Option<Link<'a>> {
    let waking = waiter.since.filter(|event| event.waking().is_some() && event.t_ns == leg.start_ns);
    let of_other = waking.zip(waiter.queued).filter(|(waking, _)| waking.cpu != leg.cpu);
    let (waking, queued) = of_other.or_else(|| chosen(scene, waiter, leg))?;
    if queued.cpu != waking.cpu {
        return None;
    }
    let until_then = scene.events(leg.cpu, leg.start_ns.saturating_add(1), queued.t_ns);
    let told_at = until_then.iter().position(|event| is_reschedule(scene.around.event_name(event)));
    let after = until_then.get(told_at.unwrap_or(until_then.len())..).unwrap_or_default();
    // The other CPU has done what it was asked to, and waits for the queue.
    let is_done = after.iter().any(|event| event.ends_interrupt());
    let told_ns = after.first().map(|told| told.t_ns).filter(|_| !is_done);
    let queued_ns = told_ns.unwrap_or(queued.t_ns);
    let is_inside = leg.start_ns < queued_ns && queued_ns < leg.end_ns;
    let link = Link::new(Mechanism::Handler, waking.cpu, leg.start_ns, queued_ns);
    is_inside.then(|| Link { is_way: true, ..link.seen_by([waking, queued]) })
}

/// The choice of another CPU in the middle of a waking, at the start of a leg, and the end of that waking.
fn chosen<'s, 'a>(
    scene: &Scene<'s, 'a>,
    waiter: &Waiter<'s, 'a>,
    leg: Leg,
) -> Option<(&'s Seen<'a>, &'s Seen<'a>)> {
    let is_of_it = |event: &Seen<'_>| event.migration().is_some_and(|moved| moved.pid == waiter.pid);
    let moved = scene.events_at(leg.start_ns).find(|event| is_of_it(event))?;
    let steps = scene.steps(waiter.pid);
    let next = steps.get(steps.partition_point(|step| step.event.t_ns <= leg.start_ns))?.event;
    (next.wakeup().is_some() && next.task_idx == moved.task_idx).then_some((moved, next))
}

/// When the CPU of a leg took notice of a task that another CPU put into its queue: its interrupt, or `sched_wakeup` on
/// it. `None` where what ran then was in the way with or without notice.
fn noticed_ns(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, leg: Leg) -> Option<i64> {
    let is_at_start = |event: &&&Seen<'_>| event.switch().is_none() && event.t_ns == leg.start_ns;
    let waking = [waiter.since, waiter.queued].iter().flatten().find(is_at_start).copied();
    let moved = || {
        scene
            .events_at(leg.start_ns)
            .filter(|event| event.migration().is_some())
            .min_by_key(|event| event.seq)
    };
    let queueing = waking.or_else(moved).filter(|event| event.cpu != leg.cpu)?;
    let own_wakeup = waiter.queued.filter(|event| event.cpu == leg.cpu && event.seq != queueing.seq);
    let notices = |event: &&&Seen<'_>| {
        event.begins_interrupt() && is_reschedule(scene.around.event_name(event))
            || own_wakeup.is_some_and(|wakeup| wakeup.seq == event.seq)
    };
    let events = scene.events(leg.cpu, leg.start_ns.saturating_add(1), leg.end_ns);
    let before_switch = events.iter().take_while(|event| event.switch().is_none());
    let noticed_ns = before_switch.into_iter().find(notices).map(|event| event.t_ns)?;
    // Whether a fair task is to make room for another one is the scheduler's choice, as that is put into its queue. An
    // interrupt that comes much later is about something else, unless it was sent then.
    let is_unasked = || {
        let is_late = noticed_ns.saturating_sub(leg.start_ns) >= ON_ITS_WAY_NS;
        is_late && !is_sent(scene, queueing, leg.cpu)
    };
    let held = scene.held(Leg { end_ns: noticed_ns, ..leg }, Some(waiter.task_idx));
    let is_outranked = held.iter().filter(|held| held.cause == Cause::Task).any(|held| {
        let its = held.span.and_then(|span| scene.prio(span.task_idx, held.start_ns));
        let rank = its.zip(scene.prio(waiter.task_idx, held.start_ns)).map(|(its, mine)| Rank::of(its, mine));
        matches!(rank, Some(Rank::Higher | Rank::Equal)) || rank == Some(Rank::Fair) && is_unasked()
    });
    (!is_outranked).then_some(noticed_ns)
}

/// True where a CPU sent another one an interrupt as it put a task into the queue of that.
fn is_sent(scene: &Scene<'_, '_>, queueing: &Seen<'_>, to_cpu: i16) -> bool {
    let from_ns = queueing.t_ns.saturating_sub(ON_ITS_WAY_NS);
    let near = scene.events(queueing.cpu, from_ns, queueing.t_ns.saturating_add(ON_ITS_WAY_NS));
    let is_to_it =
        |event: &&Seen<'_>| matches!(event.decoded(), Some(Decoded::IpiSend(sent)) if sent.goes_to(to_cpu));
    near.iter().any(is_to_it)
}

/// The interrupts by which one CPU asks another to run something.
fn is_reschedule(name: &str) -> bool {
    ["reschedule_entry", "call_function_single_entry", "call_function_entry", "ipi_entry"].contains(&name)
}

/// Until its CPU notices: the interrupt of the other CPU is on its way, or cannot be taken.
fn unnoticed<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let links = late_interrupt(scene, leg).into_iter();
    let is_short = leg.end_ns.saturating_sub(leg.start_ns) < ON_ITS_WAY_NS;
    // Timers of the CPU may come sooner as a rule; an interrupt that another CPU sends takes longer.
    let is_on_its_way = |link: &Link<'_>| {
        is_short && link.mechanism == Mechanism::IrqsOff && link.certainty == Certainty::Inferred
    };
    let links = links.map(|link| match link.mechanism {
        _ if is_on_its_way(&link) => {
            Link::new(Mechanism::Ipi, leg.cpu, link.start_ns, link.end_ns).about(Subject::Cpu(leg.cpu))
        }
        Mechanism::Handler => {
            Link { mechanism: Mechanism::Ipi, subject: Some(Subject::Cpu(leg.cpu)), ..link }
        }
        // Not what is usual of timers.
        Mechanism::IdleExit => {
            let usual = scene.usuals.sign(scene.around, link.duration_ns());
            Link { usual, ..link.also(Mechanism::Ipi) }
        }
        _ => link.also(Mechanism::Ipi),
    });
    links.collect()
}

/// Says whether another CPU had nothing to do all the time.
fn elsewhere(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, link: &mut Link<'_>) {
    let is_about_queue = !matches!(
        link.mechanism,
        Mechanism::Unknown
            | Mechanism::OwnWork
            | Mechanism::IdleExit
            | Mechanism::Migration
            | Mechanism::Throttled
    );
    // A real-time task behind another one goes to any idle CPU that it may run on, as it wakes and as it waits
    // (kernel/sched/rt.c, `find_lowest_rq`).
    let is_real_time = waiter.may_be_throttled(scene, link.start_ns);
    let is_placed =
        is_real_time && matches!(link.mechanism, Mechanism::HigherPriority | Mechanism::EqualPriority);
    if !is_about_queue || is_placed || is_bound(scene, waiter) || is_pushed(scene, waiter, link.start_ns) {
        return;
    }
    let Some(idle) = scene.idle_cpu(link.cpu, link.start_ns, link.end_ns) else { return };
    link.add(Mechanism::WrongCpu);
    link.idle_cpu = scene.has_been_on(waiter.task_idx, idle).then_some(idle);
}

/// True for a task that no other CPU may run: a thread of the kernel for one CPU, by its name (`ktimers/1`,
/// `kworker/1:2H`; `kworker/u8:1` is for all of them), or a task that has migration switched off.
fn is_bound(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>) -> bool {
    let comm = scene.around.task(waiter.task_idx).map_or("", |task| task.comm);
    let of_cpu = comm.rsplit_once('/').map(|(_, cpu)| cpu.split_once(':').map_or(cpu, |(cpu, _)| cpu));
    let is_pinned = |event: &Seen<'_>| {
        event.task_idx == waiter.task_idx && Flags(event.flags.cast_unsigned()).migrate_disable_depth() > 0
    };
    of_cpu.is_some_and(|cpu| cpu.parse::<u16>().is_ok()) || waiter.since.is_some_and(is_pinned)
}

/// True for a task that gave its CPU to the stopper, or was moved by it before a time, as one is that may not run there any
/// longer: which CPUs it may run on since then is not recorded.
fn is_pushed(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, before_ns: i64) -> bool {
    let switch = waiter.since.and_then(|event| event.switch());
    switch.is_some_and(|switch| is_stopper_comm(switch.next.comm))
        || scene.is_moved_by_stopper(waiter.pid, before_ns)
}

impl Waiter<'_, '_> {
    /// True where it is known to have been in the queue of the CPU of a leg: it ran there in the end, or the event that moves
    /// tasks from queue to queue is recorded. Of what happens within a tick of a coarse clock, no order is known.
    pub fn is_queued_on(&self, scene: &Scene<'_, '_>, cpu: i16) -> bool {
        let is_here = self.last_cpu == cpu || scene.around.records("sched_migrate_task");
        is_here && scene.around.time_unit() == TimeUnit::Ns
    }

    /// True where it waits on the CPU of a leg from an event on, which lies before the leg or begins it.
    pub fn waits_here(&self, scene: &Scene<'_, '_>, since: &Seen<'_>, leg: Leg) -> bool {
        let moves = |event: &Seen<'_>| {
            since.t_ns < event.t_ns && event.migration().is_some_and(|moved| moved.pid == self.pid)
        };
        let mut before = scene.around.events.iter().take_while(|event| event.t_ns <= leg.start_ns);
        since.cpu == leg.cpu && since.t_ns <= leg.start_ns && !before.any(moves)
    }

    /// Real-time and deadline tasks, the only ones that are throttled without a cgroup's limit.
    pub fn may_be_throttled(&self, scene: &Scene<'_, '_>, t_ns: i64) -> bool {
        scene.prio(self.task_idx, t_ns).is_some_and(|prio| !is_fair(prio))
    }
}
