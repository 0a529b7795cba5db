//! Why something took long that did not wait for a CPU as a whole: what its task went through, and what ran in it.

use super::held::told_by_itself;
use super::idle::idle_or_softirq;
use super::interrupt::ON_ITS_WAY_NS;
use super::legs::legs_of;
use super::link::{Link, Stop, Subject};
use super::mechanism::Mechanism;
use super::past_its_timer::{own_before, past_its_timer};
use super::priority::Rank;
use super::recorded::section;
use super::scene::{Change, Scene, Step};
use super::silence::{silences, without};
use super::timeout::timed_out;
use super::timer::{fired, on_trace_clock};
use super::wait::{Waiter, waiting};
use crate::analyses::{Cause, SliceKind};
use crate::explain::blame::Held;
use crate::explain::route::Leg;
use crate::explain::span::Span;
use crate::explain::surroundings::Seen;
use crate::model::Flags;
use crate::store::read::dictionaries::Loss;

/// How many wakers are followed, one waiting for the next.
const MAX_DEPTH: usize = 8;

/// The links of a task over legs: it runs, waits for a CPU, or sleeps until somebody wakes it.
pub fn of_task<'s, 'a>(
    scene: &Scene<'s, 'a>,
    (task_idx, pid): (i32, i32),
    legs: &[Leg],
    depth: usize,
) -> Vec<Link<'a>> {
    let Some((start_ns, end_ns)) =
        legs.first().zip(legs.last()).map(|(first, last)| (first.start_ns, last.end_ns))
    else {
        return Vec::new();
    };
    let steps = scene.steps(pid);
    let from = steps.partition_point(|step| step.event.t_ns <= start_ns);
    let mut links = Vec::new();
    let mut at_ns = start_ns;
    let mut last: Option<Step<'s, 'a>> = from.checked_sub(1).and_then(|before| steps.get(before)).copied();
    let inside = steps.get(from..).unwrap_or_default().iter().copied().map(Some);
    for step in inside.take_while(|step| step.is_some_and(|step| step.event.t_ns < end_ns)).chain([None]) {
        let to_ns = step.map_or(end_ns, |step| step.event.t_ns);
        let is_woken_again = last.is_some_and(|last| last.change == Change::Woken)
            && step.is_some_and(|step| step.change == Change::Woken);
        if is_woken_again {
            continue;
        }
        let part = cut(legs, at_ns, to_ns);
        let waits = |part: &[Leg]| {
            let cpu = part.last().map_or(scene.case.cpu, |leg| leg.cpu);
            let since_ns = last.map_or(at_ns, |last| last.event.t_ns);
            waiting(scene, &Waiter::at(scene, task_idx, pid, since_ns, cpu), part)
        };
        links.extend(match last.map(|last| (last.change, last)) {
            // Of whom nothing is known before, only who is asleep is woken.
            None | Some((Change::Blocks, _))
                if step.is_some_and(|step| step.change == Change::Woken)
                    && !scene.ran_between(task_idx, at_ns, to_ns) =>
            {
                blocked(scene, pid, (at_ns, to_ns), &part, step, depth)
            }
            Some((Change::Blocks, left)) if scene.around.is_unseen_between(at_ns, to_ns) => {
                let rest = |part: &[Leg]| unseen(scene, part, task_idx);
                timed_out(scene, (task_idx, left.event), &part, rest).unwrap_or_else(|| rest(&part))
            }
            _ if scene.around.is_unseen_between(at_ns, to_ns) => unseen(scene, &part, task_idx),
            Some((Change::Blocks, _)) => blocked(scene, pid, (at_ns, to_ns), &part, step, depth),
            Some((Change::Woken | Change::Preempted, _)) => waits(&part),
            None if switched_to(step) && is_older(scene, task_idx, (at_ns, to_ns)) => waits(&part),
            _ => part.iter().flat_map(|leg| what_ran(scene, *leg, Some(task_idx))).collect(),
        });
        at_ns = to_ns;
        last = step;
    }
    links
}

fn switched_to(step: Option<Step<'_, '_>>) -> bool {
    step.is_some_and(|step| step.change == Change::Runs)
}

/// True for a task that existed before a stretch, at the end of which it is switched to without a waking: it was waiting
/// for its CPU all the time. A new one would have been woken as such.
fn is_older(scene: &Scene<'_, '_>, task_idx: i32, (start_ns, end_ns): (i64, i64)) -> bool {
    let is_its = |event: &Seen<'_>| event.task_idx == task_idx;
    let is_seen =
        || scene.around.earlier.iter().any(is_its) || scene.around.earlier_of(task_idx).next().is_some();
    scene.tells_wakings
        && !scene.around.has_losses(start_ns, end_ns)
        && (scene.around.records("sched_wakeup_new") || is_seen())
}

/// The legs of a stretch.
pub fn cut(legs: &[Leg], start_ns: i64, end_ns: i64) -> Vec<Leg> {
    let cut = legs.iter().map(|leg| Leg {
        start_ns: leg.start_ns.max(start_ns),
        end_ns: leg.end_ns.min(end_ns),
        ..*leg
    });
    cut.filter(|leg| leg.start_ns < leg.end_ns).collect()
}

/// Asleep, until its waker got to the waking.
fn blocked<'s, 'a>(
    scene: &Scene<'s, 'a>,
    pid: i32,
    (start_ns, end_ns): (i64, i64),
    legs: &[Leg],
    until: Option<Step<'s, 'a>>,
    depth: usize,
) -> Vec<Link<'a>> {
    let cpu = legs.first().map_or(scene.case.cpu, |leg| leg.cpu);
    let link = Link::new(Mechanism::WaitsFor, cpu, start_ns, end_ns);
    let Some(waking) = until.filter(|until| until.change == Change::Woken).map(|until| until.event) else {
        return vec![link.inferred()];
    };
    let link = link.seen_by([waking]);
    if let Some(asked) = asked_for(scene, pid, (start_ns, end_ns), waking) {
        let slept = || {
            let link = link.clone().seen_by([&asked.armed]);
            Link { asked_ns: Some(asked.duration_ns), ..link }
        };
        // What comes after the expiry is nothing that the task asked for.
        match end_ns.saturating_sub(asked.due_ns) >= ON_ITS_WAY_NS {
            // Its sleep was over before it began, or before it began to be looked at.
            true if asked.due_ns <= start_ns => return fired(scene, start_ns, end_ns, waking),
            true => {
                let late = fired(scene, asked.due_ns, end_ns, waking);
                return [slept().between(start_ns, asked.due_ns)].into_iter().chain(late).collect();
            }
            false if asked.duration_ns > 0 => return vec![slept()],
            false => {}
        }
    }
    past_its_timer(scene, pid, (start_ns, end_ns), waking)
        .unwrap_or_else(|| vec![woken_by(scene, pid, link, waking, depth)])
}

/// A sleep that something or somebody ended by a waking.
fn woken_by<'s, 'a>(
    scene: &Scene<'s, 'a>,
    pid: i32,
    link: Link<'a>,
    waking: &'s Seen<'a>,
    depth: usize,
) -> Link<'a> {
    let (start_ns, end_ns) = (link.start_ns, link.end_ns);
    let link = Link { stop: stop(scene, pid, start_ns), ..link };
    let flags = Flags(waking.flags.cast_unsigned());
    // A softirq whose thread is switched out is not over, but wakes nobody.
    let is_its = |span: &&Span<'_>| span.task_idx == waking.task_idx;
    let around =
        |kind| scene.span_at(kind, waking.cpu, waking.t_ns).filter(is_its).map(|span| span.symbol_idx);
    if let Some(softirq) = around(SliceKind::Softirq).filter(|_| !flags.has(Flags::HARDIRQ)) {
        return link.about(Subject::Softirq(softirq));
    }
    if flags.has(Flags::HARDIRQ) || around(SliceKind::Irq).is_some() {
        return link.about(Subject::Interrupt(around(SliceKind::Irq).unwrap_or(-1)));
    }
    let link = link.about(Subject::Task(waking.task_idx));
    let waker = scene.pid(waking.task_idx).filter(|waker| *waker != pid && depth < MAX_DEPTH);
    let Some(waker) = waker else { return link };
    let legs = legs_of(scene, (waking.task_idx, waking.cpu), (start_ns, end_ns));
    let deeper = of_task(scene, (waking.task_idx, waker), &legs, depth.saturating_add(1));
    let hangs_on = scene.wakeup_case(waker, start_ns, end_ns).map(|start_ns| (waker, start_ns));
    Link { deeper: super::link::merged(deeper), hangs_on, ..link }
}

/// Why a task that sleeps from a time on is stopped rather than waiting for something.
fn stop(scene: &Scene<'_, '_>, pid: i32, start_ns: i64) -> Option<Stop> {
    let before = scene.steps(pid).iter().rev().map(|step| *step.event).filter(|event| event.t_ns <= start_ns);
    // It may have been stopped long before the case.
    let of_case = (scene.case.pid == Some(pid)).then(|| scene.around.earlier_of(scene.case.task_idx).take(1));
    let left = before.chain(of_case.into_iter().flatten()).find_map(|event| event.switch())?;
    match left.prev_state.first().filter(|_| left.prev.pid == pid)? {
        b'T' => Some(Stop::Signal),
        b't' => Some(Stop::Tracer),
        _ => None,
    }
}

/// Handlers of the timers that a task sets for itself: others that it starts belong to a device or to the scheduler.
const OWN_TIMERS: [&[u8]; 4] = [b"hrtimer_wakeup", b"posix_timer_fn", b"it_real_fn", b"timerfd_tmrproc"];

fn is_own_timer(function: &[u8]) -> bool {
    // A kernel without symbols prints an address.
    let is_named = function.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    !is_named || OWN_TIMERS.iter().any(|own| function.starts_with(own))
}

/// A sleep of a length that its task chose.
struct Asked<'a> {
    /// Below zero where its end had passed before its timer was started.
    duration_ns: i64,
    /// When it is over: as its timer's interrupt comes, and at the latest as its slack ends, but not before its start.
    due_ns: i64,
    armed: Seen<'a>,
}

/// The timer that woke a task, where the task itself had started it before it went to sleep: a sleep, or the time-out of
/// a wait.
fn asked_for<'a>(
    scene: &Scene<'_, 'a>,
    pid: i32,
    (start_ns, end_ns): (i64, i64),
    waking: &Seen<'a>,
) -> Option<Asked<'a>> {
    let in_handler = scene.events(waking.cpu, start_ns, end_ns).iter().rev();
    let mut in_handler = in_handler.take_while(|event| event.switch().is_none());
    let (handler, expiry) = in_handler.find_map(|event| Some((*event, event.timer_expiry()?)))?;
    if !is_own_timer(expiry.function) {
        return None;
    }
    let steps = scene.steps(pid);
    let left = steps.iter().rfind(|step| step.change == Change::Blocks && step.event.t_ns <= start_ns);
    let left_on = left.map_or(waking.cpu, |step| step.event.cpu);
    let mut own = own_before(scene, pid, left_on, start_ns);
    // On its way to sleep it may start the scheduler's timers, too.
    let of_timer = |event: Seen<'a>| {
        event.timer_start().filter(|start| start.timer == expiry.timer).map(|start| (event, start))
    };
    let (armed, timer) = own.find_map(of_timer)?;
    let at_ns = |expires_ns: i64| on_trace_clock(scene, handler, &expiry, expires_ns);
    let duration_ns = at_ns(timer.soft_expires_ns).saturating_sub(armed.t_ns);
    let entry = scene.span_at(SliceKind::Irq, waking.cpu, handler.t_ns);
    let due_ns = at_ns(timer.expires_ns).min(entry.map_or(handler.t_ns, |entry| entry.start_ns));
    Some(Asked { duration_ns, due_ns: due_ns.max(armed.t_ns), armed })
}

/// Where events of the middle are left out: slices say when the task ran, and nothing says what it did else.
fn unseen<'a>(scene: &Scene<'_, 'a>, legs: &[Leg], task_idx: i32) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    for leg in legs {
        for held in scene.held(*leg, Some(task_idx)) {
            let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns);
            links.push(match held.cause {
                Cause::Itself => link(Mechanism::OwnWork).about(Subject::Task(task_idx)),
                _ => Link { is_unseen: true, ..link(Mechanism::Unknown) },
            });
        }
    }
    links
}

/// What ran on a CPU, where that is what was measured, or the work of a task.
pub fn what_ran<'a>(scene: &Scene<'_, 'a>, leg: Leg, own_task_idx: Option<i32>) -> Vec<Link<'a>> {
    let case = scene.case;
    let own = case.kind.slice_kind();
    let mut links = Vec::new();
    for held in scene.held(leg, own_task_idx) {
        let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns);
        let is_own = held.span.is_some_and(|span| {
            Some(span.kind) == own && span.start_ns <= case.start_ns && case.end_ns() <= span.end_ns
        });
        if let Some(asleep) = carrier_asleep(scene, leg, &held) {
            links.extend(asleep);
            continue;
        }
        match held.cause {
            // A task does not wait for a CPU that has nothing to do.
            Cause::Idle if own_task_idx.is_some() => links.push(link(Mechanism::WaitsFor).inferred()),
            Cause::Idle => links.extend(idle_or_softirq(scene, leg.cpu, &held)),
            Cause::Irqsoff => links.extend(section(scene, leg.cpu, &held, Mechanism::IrqsOff)),
            Cause::Preemptoff => links.extend(section(scene, leg.cpu, &held, Mechanism::NotPreemptible)),
            Cause::Itself => {
                let own = link(Mechanism::OwnWork).about_task_of(&held);
                links.extend(own_work(scene, own));
            }
            Cause::Task => {
                // Without switches, what another task has the CPU for shows that its own task had lost it.
                let own = own_task_idx.filter(|_| !scene.around.is_switched(leg.cpu));
                links.push(beside(scene, leg, &held, own.unwrap_or(case.task_idx)));
            }
            Cause::Unknown if own_task_idx.is_some_and(|idx| runs_alone(scene, leg.cpu, &held, idx)) => {
                let own = own_task_idx.map(Subject::Task);
                links.extend(own_work(scene, Link { subject: own, ..link(Mechanism::OwnWork).inferred() }));
            }
            Cause::Irq | Cause::Softirq | Cause::Nmi | Cause::Gap | Cause::Unknown => {
                let mechanism = if is_own { Mechanism::Handler } else { Mechanism::OtherInterrupt };
                links.extend(told_by_itself(scene, leg.cpu, &held, mechanism).unwrap_or_default());
            }
        }
    }
    links
}

/// What a task did itself, and instead of it interrupts off or a stall where none of the ticks came that were due.
fn own_work<'a>(scene: &Scene<'_, 'a>, own: Link<'a>) -> Vec<Link<'a>> {
    let Some(subject @ Subject::Task(_)) = own.subject else { return vec![own] };
    let silences = silences(scene, own.cpu, own.start_ns, own.end_ns);
    without(scene, own, subject, &silences)
}

/// What a softirq's thread waits for while others have its CPU: on PREEMPT_RT it sleeps for a lock whose owner is not
/// done, and then it is woken.
fn carrier_asleep<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>) -> Option<Vec<Link<'a>>> {
    let is_softirq = scene.case.kind.slice_kind() == Some(SliceKind::Softirq);
    if !is_softirq || !matches!(held.cause, Cause::Task | Cause::Idle) {
        return None;
    }
    let carrier = scene.pid(scene.case.task_idx).filter(|pid| *pid != 0)?;
    let steps = scene.steps(carrier);
    let behind = steps.partition_point(|step| step.event.t_ns <= held.start_ns);
    let left = behind.checked_sub(1).and_then(|before| steps.get(before))?;
    let woken = steps.get(behind).filter(|step| step.change == Change::Woken)?;
    if left.change != Change::Blocks {
        return None;
    }
    let until_ns = woken.event.t_ns.min(held.end_ns);
    let part = [Leg { start_ns: held.start_ns, end_ns: until_ns, ..leg }];
    let mut links = blocked(scene, carrier, (held.start_ns, until_ns), &part, Some(*woken), MAX_DEPTH);
    if until_ns < held.end_ns {
        let rest = Held { start_ns: until_ns, ..*held };
        match held.cause {
            Cause::Idle => links.extend(idle_or_softirq(scene, leg.cpu, &rest)),
            _ => links.push(beside(scene, leg, &rest, scene.case.task_idx)),
        }
    }
    Some(links)
}

/// Switches are not recorded, but all events of the CPU up to the next one are of this task.
fn runs_alone(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>, task_idx: i32) -> bool {
    let before = scene.last_event(cpu, held.start_ns);
    let inside = scene.events(cpu, held.start_ns, held.end_ns);
    let after = scene.events(cpu, held.end_ns, i64::MAX).first().copied();
    let is_own = |event: &Seen<'_>| event.task_idx == task_idx;
    // What was overwritten at an unknown time was so before the first record.
    let is_lost = |loss: &Loss| loss.start_ns < held.end_ns && held.start_ns < loss.end_ns;
    !scene.around.losses(cpu).any(is_lost)
        && before.is_some_and(is_own)
        && after.is_some_and(is_own)
        && inside.iter().all(|event| is_own(event))
}

/// Another task on the CPU of something that is not finished: it was more important than the one whose work that is.
fn beside<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>, own_task_idx: i32) -> Link<'a> {
    let link = Link::new(Mechanism::Unknown, leg.cpu, held.start_ns, held.end_ns);
    let Some(runner_idx) = held.span.map(|span| span.task_idx) else { return link };
    let prio = |idx: i32| scene.prio(idx, held.start_ns);
    let rank = prio(runner_idx).zip(prio(own_task_idx)).map(|(its, mine)| Rank::of(its, mine));
    let mechanism = rank.and_then(Rank::mechanism).unwrap_or(Mechanism::Unknown);
    Link { mechanism, ..link.about(Subject::Task(runner_idx)) }
}
