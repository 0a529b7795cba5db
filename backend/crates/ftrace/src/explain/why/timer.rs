//! The way of a timer: from its expiry over its interrupt to its handler, and to the task that the handler wakes.

use super::carrier::{has_carrier, is_carrier, is_for_timers, is_in_carrier};
use super::held::told_by_itself;
use super::inside::{of_task, what_ran};
use super::interrupt::{ON_ITS_WAY_NS, late_interrupt};
use super::legs::legs_of;
use super::link::{Link, Subject, merged};
use super::mechanism::Mechanism;
use super::raised::waiting_carriers;
use super::scene::{Change, Scene};
use super::stall::LONG_STALL_NS;
use super::wait::{Waiter, waiting};
use crate::analyses::{SliceFlags, SliceKind};
use crate::events::{Decoded, Role, SLEEP_HANDLER, TimerExpiry};
use crate::explain::route::Leg;
use crate::explain::span::Span;
use crate::explain::stages::Events;
use crate::explain::surroundings::Seen;

/// The vectors of the softirqs TIMER and HRTIMER (include/linux/interrupt.h).
const OF_TIMERS: [i64; 2] = [1, 8];

/// Events of an interrupt among which its first handler is looked for.
const LONGEST_PASS: usize = 64;

/// The links of [start, end): a timer of this CPU expires at the start, and at the end its handler runs, or has woken
/// its task. `last` is the event of the end.
pub fn fired<'a>(scene: &Scene<'_, 'a>, start_ns: i64, end_ns: i64, last: &Seen<'a>) -> Vec<Link<'a>> {
    let cpu = last.cpu;
    let handler = handler_before(scene, start_ns, last);
    let mut links = Vec::new();
    let mut at_ns = start_ns;
    let mut step = |to_ns: i64, make: &dyn Fn(Leg) -> Vec<Link<'a>>| {
        let to_ns = to_ns.clamp(at_ns, end_ns);
        if at_ns < to_ns {
            links.extend(make(Leg { cpu, start_ns: at_ns, end_ns: to_ns }));
        }
        at_ns = to_ns;
    };
    if let Some(armed) =
        handler.and_then(|handler| armed(scene, handler)).filter(|armed| start_ns < armed.t_ns)
    {
        // An interrupt that starts its timer again is late for what held it up itself.
        let in_interrupt =
            armed.is_in_interrupt() || scene.span_at(SliceKind::Irq, cpu, armed.t_ns).is_some();
        step(armed.t_ns, &|leg| match in_interrupt {
            true => late_interrupt(scene, leg),
            false => vec![armed_late(scene, leg, armed)],
        });
    }
    let at = handler.unwrap_or(last);
    let hard = interrupt_around(scene, at);
    let soft = scene.span_at(SliceKind::Softirq, cpu, at.t_ns).filter(|_| hard.is_none());
    match (hard, soft) {
        (Some(hard), _) => step(hard.start_ns, &|leg| late_interrupt(scene, leg)),
        (None, Some(soft)) => {
            let running_one = in_progress(scene, start_ns, soft);
            if let Some((entry, exit_ns)) = running_one {
                step(exit_ns, &|leg| behind_its_own_kind(scene, leg, entry));
            }
            let from_ns = running_one.map_or(start_ns, |(_, exit_ns)| exit_ns);
            if let Some(pending) = pending(scene, start_ns, soft) {
                step(soft.start_ns, &|leg| vec![handed_on(scene, leg, soft).seen_by([pending])]);
            } else if let Some(raised) = raised(scene, from_ns, soft) {
                let entry = scene.span_at(SliceKind::Irq, cpu, raised.t_ns);
                step(entry.map_or(raised.t_ns, |entry| entry.start_ns), &|leg| late_interrupt(scene, leg));
                step(raised.t_ns, &|leg| running(scene, leg));
                step(soft.start_ns, &|leg| vec![handed_on(scene, leg, soft).seen_by([raised])]);
            } else if is_raised_before(scene, from_ns, soft) {
                step(soft.start_ns, &|leg| vec![handed_on(scene, leg, soft)]);
            } else {
                step(soft.start_ns, &|leg| late_interrupt(scene, leg));
            }
        }
        // Softirqs are not recorded, but the flags say that the handler ran in one.
        (None, None) if is_in_carrier(scene, at) => step(at.t_ns, &|leg| {
            let pid = scene.pid(at.task_idx);
            let waiter = pid.map(|pid| Waiter::at(scene, at.task_idx, pid, leg.start_ns, cpu));
            let deeper = waiter.map(|waiter| merged(waiting(scene, &waiter, &[leg]))).unwrap_or_default();
            let link = Link::new(Mechanism::Deferred, cpu, leg.start_ns, leg.end_ns);
            vec![Link { deeper, ..link.about(Subject::Task(at.task_idx)).seen_by([at]).inferred() }]
        }),
        (None, None) => step(at.t_ns, &|leg| late_interrupt(scene, leg)),
    }
    if let Some(others) = handler.and_then(|handler| others_before(scene, handler)) {
        step(others.t_ns, &|leg| running(scene, leg));
        step(at.t_ns, &|leg| {
            running(scene, leg).into_iter().map(|link| Link { is_for_others: true, ..link }).collect()
        });
    }
    step(end_ns, &|leg| running(scene, leg));
    links
}

/// The interrupt that an event lies in, also if it is the last event that shows that the interrupt runs.
fn interrupt_around<'s, 'a>(scene: &Scene<'s, 'a>, at: &Seen<'_>) -> Option<&'s Span<'a>> {
    let mut flagged = scene.around.seen_spans().filter(|span| {
        let is_flagged = span.kind == SliceKind::Irq && span.flags.has(SliceFlags::CUT_AT_END);
        is_flagged && span.cpu == at.cpu && span.end_ns == at.t_ns && at.is_in_hard_interrupt()
    });
    scene.span_at(SliceKind::Irq, at.cpu, at.t_ns).or_else(|| flagged.next())
}

/// The last handler of the timer before the event on the same CPU.
pub fn handler_before<'s, 'a>(scene: &Scene<'s, 'a>, start_ns: i64, last: &Seen<'a>) -> Option<&'s Seen<'a>> {
    let events = scene.events(last.cpu, start_ns, last.t_ns);
    let before = events.iter().rev().filter(|event| event.seq <= last.seq);
    before.copied().find(|event| event.timer_expiry().is_some())
}

/// When a timer was due, on the clock of the trace. `now` was read before the first handler of a pass was called: those after
/// it in the pass have the same.
pub fn on_trace_clock(
    scene: &Scene<'_, '_>,
    handler: &Seen<'_>,
    expiry: &TimerExpiry<'_>,
    expires_ns: i64,
) -> i64 {
    let late_ns = expiry.now_ns.saturating_sub(expires_ns);
    let read_ns = pass_began_ns(scene, handler, expiry);
    read_ns.saturating_sub(scene.usuals.steps_of_clock(scene.around, late_ns))
}

/// When the first of the handlers was called that an interrupt calls one after the other, of which this is one: just before,
/// it had read the clock for all of them.
pub fn pass_began_ns(scene: &Scene<'_, '_>, handler: &Seen<'_>, expiry: &TimerExpiry<'_>) -> i64 {
    let before = scene.events(handler.cpu, i64::MIN, handler.t_ns).iter().rev();
    let in_pass =
        before.filter(|event| event.seq < handler.seq).take_while(|event| !event.begins_interrupt());
    let is_of_pass =
        |event: &&Seen<'_>| event.timer_expiry().is_some_and(|other| other.now_ns == expiry.now_ns);
    let first = in_pass.take(LONGEST_PASS).map(|event| **event).filter(|event| is_of_pass(&event)).last();
    first.map_or(handler.t_ns, |first| first.t_ns)
}

/// The first handler that was called before this one in the same interrupt, for another timer: an interrupt that finds more
/// timers due as it ends makes another pass. Where it has no slice, in the same pass.
fn others_before<'s, 'a>(scene: &Scene<'s, 'a>, handler: &Seen<'a>) -> Option<&'s Seen<'a>> {
    if let Some(irq) = scene.span_at(SliceKind::Irq, handler.cpu, handler.t_ns) {
        let before = scene.events(handler.cpu, irq.start_ns, handler.t_ns).iter().copied();
        let mut others = before.filter(|event| event.seq < handler.seq && event.timer_expiry().is_some());
        return others.next();
    }
    let first = Events { case: scene.case, around: scene.around }.first_handler(handler)?.seq;
    scene.events(handler.cpu, i64::MIN, handler.t_ns).iter().find(|event| event.seq == first).copied()
}

/// Where the timer was started last.
fn armed<'s, 'a>(scene: &Scene<'s, 'a>, handler: &Seen<'a>) -> Option<&'s Seen<'a>> {
    let expiry = handler.timer_expiry()?;
    let events = scene.around.earlier.iter().chain(&scene.around.events);
    let before = events.rev().filter(|event| event.seq < handler.seq);
    let mut starts =
        before.filter(|event| event.timer_start().is_some_and(|start| start.timer == expiry.timer));
    starts.next()
}

/// Of the handlers that an interrupt calls one after the other, from the first on: that of the timer that was so late.
pub fn handler_of_case<'s, 'a>(scene: &Scene<'s, 'a>, first: &'s Seen<'a>) -> &'s Seen<'a> {
    let is_so_late = |event: &Seen<'a>| {
        let (expiry, armed) = (event.timer_expiry()?, armed(scene, event)?.timer_start()?);
        Some(expiry.now_ns.saturating_sub(armed.expires_ns) == scene.case.duration_ns)
    };
    let behind = scene.events(first.cpu, first.t_ns, i64::MAX).iter().copied();
    let pass = behind.filter(|event| event.seq >= first.seq).take_while(|event| !event.begins_interrupt());
    pass.take(LONGEST_PASS).find(|event| is_so_late(event) == Some(true)).unwrap_or(first)
}

/// Where the task of a case started its timer itself, inside of the case: after the expiry that it asked for.
pub fn armed_inside<'s, 'a>(scene: &Scene<'s, 'a>) -> Option<&'s Seen<'a>> {
    let case = scene.case;
    let inside = scene.around.events.iter().rev().filter(|event| {
        case.start_ns < event.t_ns && event.t_ns < case.end_ns() && event.task_idx == case.task_idx
    });
    let starts_sleep =
        |event: &Seen<'_>| event.timer_start().is_some_and(|start| start.function.starts_with(SLEEP_HANDLER));
    inside.into_iter().find(|event| starts_sleep(event) && !event.is_in_interrupt())
}

/// The waking of the task of the case by a timer, or its handler, after it was started.
pub fn fired_after<'s, 'a>(scene: &Scene<'s, 'a>, armed: &Seen<'a>) -> Option<&'s Seen<'a>> {
    let timer = armed.timer_start()?.timer;
    let wakes = |event: &Seen<'_>| event.waking().is_some_and(|task| Some(task.pid) == scene.case.pid);
    let expires = |event: &Seen<'_>| event.timer_expiry().is_some_and(|expiry| expiry.timer == timer);
    let later = || {
        let until = |event: &&Seen<'_>| event.seq > armed.seq && event.t_ns <= scene.case.end_ns();
        scene.around.events.iter().filter(until)
    };
    later().find(|event| wakes(event)).or_else(|| later().find(|event| expires(event)))
}

/// Under the link lies what its task went through instead of starting the timer.
pub fn armed_late<'a>(scene: &Scene<'_, 'a>, leg: Leg, armed: &Seen<'a>) -> Link<'a> {
    let legs = legs_of(scene, (armed.task_idx, armed.cpu), (leg.start_ns, leg.end_ns));
    let deeper = scene.pid(armed.task_idx).map(|pid| of_task(scene, (armed.task_idx, pid), &legs, 1));
    let link = Link::new(Mechanism::ArmedLate, leg.cpu, leg.start_ns, leg.end_ns);
    let link = link.about(Subject::Task(armed.task_idx)).seen_by([armed]);
    Link { deeper: deeper.map(merged).unwrap_or_default(), ..link }
}

/// The first raising of a softirq since a time, before its run.
fn raised<'s, 'a>(scene: &Scene<'s, 'a>, start_ns: i64, soft: &Span<'a>) -> Option<&'s Seen<'a>> {
    let entry = vector_of(scene, soft)?;
    let raises = |event: &&&'s Seen<'a>| matches!(event.decoded(), Some(Decoded::SoftirqRaise { vector }) if vector == entry);
    scene.events(soft.cpu, start_ns, soft.start_ns).iter().find(raises).copied()
}

/// The raising of a softirq that waited for its run already at a time: timers of softirqs that expire from then on have no
/// interrupt of their own, and run with it (kernel/time/hrtimer.c, `softirq_activated`).
fn pending<'s, 'a>(scene: &Scene<'s, 'a>, start_ns: i64, soft: &Span<'a>) -> Option<&'s Seen<'a>> {
    let is_unseen = |raised: &&'s Seen<'a>| scene.around.is_unseen_between(raised.t_ns, soft.start_ns);
    raised_first(scene, soft).filter(|raised| raised.t_ns < start_ns && !is_unseen(raised))
}

/// The first raising of a softirq after its last run.
pub fn raised_first<'s, 'a>(scene: &Scene<'s, 'a>, soft: &Span<'a>) -> Option<&'s Seen<'a>> {
    let entry = vector_of(scene, soft)?;
    let before = scene.events(soft.cpu, i64::MIN, soft.start_ns.saturating_sub(1)).iter().rev();
    let is_meant = |event: &Seen<'_>| {
        matches!(event.role, Some(Role::SoftirqRaise | Role::SoftirqEntry | Role::SoftirqExit))
    };
    let mut earliest = None;
    for event in before.filter(|event| is_meant(event)) {
        match event.decoded() {
            Some(Decoded::SoftirqRaise { vector }) if vector == entry => earliest = Some(*event),
            Some(Decoded::SoftirqEntry { vector, .. } | Decoded::SoftirqExit { vector, .. })
                if vector == entry =>
            {
                break;
            }
            _ => {}
        }
    }
    earliest
}

/// True where raisings are recorded, and a softirq was not raised from a time up to its run: it waited for that already,
/// since before the events around the case.
fn is_raised_before(scene: &Scene<'_, '_>, start_ns: i64, soft: &Span<'_>) -> bool {
    scene.around.records("softirq_raise")
        && vector_of(scene, soft).is_some()
        && !scene.around.is_unseen_between(start_ns, soft.start_ns)
        && !scene.around.has_losses(start_ns, soft.start_ns)
}

/// The entry of a softirq of the same vector that was running when the timer expired, and when that ended: until then no
/// interrupt is set for the timers of softirqs (kernel/time/hrtimer.c, `hrtimer_update_softirq_timer`).
fn in_progress<'s, 'a>(scene: &Scene<'s, 'a>, start_ns: i64, soft: &Span<'a>) -> Option<(&'s Seen<'a>, i64)> {
    let vector = vector_of(scene, soft)?;
    let is_entry = |event: &Seen<'_>| matches!(event.decoded(), Some(Decoded::SoftirqEntry { vector: of, .. }) if of == vector);
    let is_exit = |event: &Seen<'_>| matches!(event.decoded(), Some(Decoded::SoftirqExit { vector: of, .. }) if of == vector);
    let before = scene.events(soft.cpu, i64::MIN, start_ns).iter().rev();
    let last =
        before.copied().find(|event| is_entry(event) || is_exit(event)).filter(|event| is_entry(event))?;
    let after = scene.events(soft.cpu, start_ns, soft.start_ns).iter();
    let exit_ns = after.copied().find(|event| is_exit(event))?.t_ns;
    (!scene.around.is_unseen_between(last.t_ns, exit_ns)).then_some((last, exit_ns))
}

/// What a softirq that was running went through until it ended: its handlers, and what its thread waited for.
fn behind_its_own_kind<'a>(scene: &Scene<'_, 'a>, leg: Leg, entry: &Seen<'a>) -> Vec<Link<'a>> {
    let Some(pid) = scene.pid(entry.task_idx).filter(|_| is_carrier(scene.around, entry.task_idx)) else {
        return what_ran(scene, leg, None);
    };
    let deeper = merged(of_task(scene, (entry.task_idx, pid), &[leg], 1));
    let link = Link::new(Mechanism::Deferred, leg.cpu, leg.start_ns, leg.end_ns);
    vec![Link { deeper, ..link.about(Subject::Task(entry.task_idx)).seen_by([entry]) }]
}

fn vector_of(scene: &Scene<'_, '_>, soft: &Span<'_>) -> Option<i64> {
    scene.events(soft.cpu, soft.start_ns, soft.start_ns).iter().find_map(|event| match event.decoded()? {
        Decoded::SoftirqEntry { vector, .. } => Some(vector),
        _ => None,
    })
}

/// A softirq that runs later: in a carrier, whose own wait is the chain under the link.
pub fn handed_on<'a>(scene: &Scene<'_, 'a>, leg: Leg, soft: &Span<'a>) -> Link<'a> {
    let link = Link::new(Mechanism::Deferred, leg.cpu, leg.start_ns, leg.end_ns);
    let carrier_idx = soft.task_idx;
    let pid = scene.pid(carrier_idx).filter(|_| has_carrier(scene, soft));
    let entry = scene.events(soft.cpu, soft.start_ns, soft.start_ns).first().copied();
    let Some(pid) = pid else {
        // On the way out of an interrupt, in whatever task that was.
        let is_at_once = link.duration_ns() < ON_ITS_WAY_NS;
        let mechanism = if is_at_once { Mechanism::Handler } else { link.mechanism };
        return Link { mechanism, ..link }.about(Subject::Softirq(soft.symbol_idx)).seen_by(entry);
    };
    // It may have been on its way already, for another softirq.
    let from_ns = first_woken(scene, pid, leg).unwrap_or(leg.start_ns);
    let waiter = Waiter::at(scene, carrier_idx, pid, from_ns, leg.cpu);
    let wait = Leg { start_ns: from_ns, ..leg };
    let (mut deeper, first) = before_carrier(scene, Leg { end_ns: from_ns, ..leg }, pid);
    deeper.extend(
        waiting(scene, &waiter, &[wait]).into_iter().flat_map(|link| without_silent_work(scene, link)),
    );
    // The carrier that was woken for it and waited longer says more than the one that came last.
    let longer = first.filter(|first| {
        let has_waited_longer = first.waited_ns > wait.end_ns.saturating_sub(wait.start_ns);
        let is_of_timers = vector_of(scene, soft).is_some_and(|vector| OF_TIMERS.contains(&vector));
        has_waited_longer && !(is_of_timers && is_for_timers(scene.around, carrier_idx))
    });
    let (carrier_idx, pid) = longer.map_or((carrier_idx, pid), |first| (first.task_idx, first.pid));
    let hangs_on = scene.wakeup_case(pid, leg.start_ns, leg.end_ns).map(|start_ns| (pid, start_ns));
    Link { deeper: merged(deeper), hangs_on, ..link.about(Subject::Task(carrier_idx)).seen_by(entry) }
}

/// The run of a carrier up to a softirq, and instead of it a stall where no event shows that its CPU ran: between its
/// softirqs, which are recorded, it has nothing to do that takes so long.
fn without_silent_work<'a>(scene: &Scene<'_, 'a>, link: Link<'a>) -> Vec<Link<'a>> {
    let is_work = link.mechanism == Mechanism::OwnWork && scene.may_stand_still();
    let longest = scene
        .neighbours(link.cpu, (link.start_ns, link.end_ns))
        .filter(|[first, _]| is_work && first.t_ns >= link.start_ns)
        .max_by_key(|[first, second]| second.t_ns.saturating_sub(first.t_ns));
    let Some([first, second]) =
        longest.filter(|[first, second]| second.t_ns.saturating_sub(first.t_ns) >= LONG_STALL_NS)
    else {
        return vec![link];
    };
    let stall = Link::new(Mechanism::Stall, link.cpu, first.t_ns, second.t_ns);
    let stall = stall.about(Subject::Cpu(link.cpu)).inferred().seen_by([first, second]);
    let (start_ns, end_ns) = (link.start_ns, link.end_ns);
    vec![link.clone().between(start_ns, stall.start_ns), stall.clone(), link.between(stall.end_ns, end_ns)]
}

/// A carrier that was woken for a softirq, and that another one came before.
struct First {
    task_idx: i32,
    pid: i32,
    waited_ns: i64,
}

/// What a softirq waited for until the carrier was woken that ran it in the end: another one, or nobody.
fn before_carrier<'a>(scene: &Scene<'_, 'a>, leg: Leg, last: i32) -> (Vec<Link<'a>>, Option<First>) {
    if leg.start_ns >= leg.end_ns {
        return (Vec::new(), None);
    }
    let Some((task_idx, pid, woken)) = waiting_carriers(scene, leg, Some(last)).next() else {
        return (not_handed_on(scene, leg), None);
    };
    let from_ns = woken.t_ns.clamp(leg.start_ns, leg.end_ns);
    let waiter = Waiter::at(scene, task_idx, pid, woken.t_ns, leg.cpu);
    let mut links = not_handed_on(scene, Leg { end_ns: from_ns, ..leg });
    links.extend(waiting(scene, &waiter, &[Leg { start_ns: from_ns, ..leg }]));
    (links, Some(First { task_idx, pid, waited_ns: leg.end_ns.saturating_sub(from_ns) }))
}

/// Interrupts continue; a running task is no reason not to wake a carrier.
fn not_handed_on<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let is_unexplained = |link: &Link<'_>| {
        let is_interrupt = matches!(link.subject, Some(Subject::Interrupt(_) | Subject::Softirq(_)));
        link.mechanism == Mechanism::Handler && !is_interrupt && link.duration_ns() >= ON_ITS_WAY_NS
    };
    let links = running(scene, leg).into_iter();
    let links = links.map(|link| match is_unexplained(&link) {
        true => Link { mechanism: Mechanism::Unknown, ..link.inferred() },
        false => link,
    });
    links.collect()
}

/// How long work that was handed on lay there until the carrier that the link is about was woken, where it was later.
pub fn woken_after(scene: &Scene<'_, '_>, link: &Link<'_>) -> Option<i64> {
    let Some(Subject::Task(carrier_idx)) = link.subject else { return None };
    let leg = Leg { cpu: link.cpu, start_ns: link.start_ns, end_ns: link.end_ns };
    let woken_ns = first_woken(scene, scene.pid(carrier_idx)?, leg)?;
    Some(woken_ns.saturating_sub(link.start_ns))
}

fn first_woken(scene: &Scene<'_, '_>, pid: i32, leg: Leg) -> Option<i64> {
    let woken = scene
        .steps(pid)
        .iter()
        .find(|step| step.change == Change::Woken && (leg.start_ns..=leg.end_ns).contains(&step.event.t_ns));
    woken.map(|step| step.event.t_ns)
}

/// What an interrupt or softirq does on behalf of the case.
pub fn running<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    for held in scene.held(leg, None) {
        let told = told_by_itself(scene, leg.cpu, &held, Mechanism::Handler);
        let of_task =
            || vec![Link::new(Mechanism::Handler, leg.cpu, held.start_ns, held.end_ns).about_task_of(&held)];
        links.extend(told.unwrap_or_else(of_task));
    }
    links
}
