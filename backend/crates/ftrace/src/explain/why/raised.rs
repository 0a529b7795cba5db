//! Why a softirq that was raised did not run at once.

use super::carrier::{has_carrier, is_carrier, is_for_timers};
use super::inside::what_ran;
use super::interrupt::ON_ITS_WAY_NS;
use super::link::{Link, Subject};
use super::mechanism::{Certainty, Mechanism};
use super::scene::{Change, Scene};
use super::silence::{may_be_still, silences, without};
use super::timer::handed_on;
use super::wait::{Waiter, waiting};
use crate::analyses::{SliceFlags, SliceKind};
use crate::events::Role;
use crate::explain::route::Leg;
use crate::explain::span::Span;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// Raised, and to run: in a carrier, or as soon as what is going on there lets it.
pub fn softirq<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let soft = scene.span_at(SliceKind::Softirq, leg.cpu, leg.end_ns);
    match soft.filter(|soft| soft.start_ns == leg.end_ns && has_carrier(scene, soft)) {
        Some(soft) => vec![handed_on(scene, leg, soft)],
        None => left_to_carrier(scene, leg, held_up(scene, leg)),
    }
}

/// Where it was left and a carrier of this CPU wanted to run all the while, it is that carrier's wait.
fn left_to_carrier<'a>(scene: &Scene<'_, 'a>, leg: Leg, links: Vec<Link<'a>>) -> Vec<Link<'a>> {
    let Some(left_ns) = links.iter().find(|link| is_left(link)).map(|link| link.start_ns) else {
        return links;
    };
    // Interrupts leave `ktimers` the softirqs of timers, and `ksoftirqd` all others.
    let is_timer = matches!(scene.case.key, Some("TIMER" | "HRTIMER"));
    let is_other = |idx: i32| is_for_timers(scene.around, idx) != is_timer;
    let woken = waiting_carriers(scene, leg, None).min_by_key(|(idx, ..)| is_other(*idx));
    let Some((carrier_idx, pid, since)) = woken.or_else(|| woken_carrier(scene, leg)) else { return links };
    let from_ns = left_ns.max(since.t_ns);
    let rest = Leg { start_ns: from_ns, ..leg };
    let waiter = Waiter::at(scene, carrier_idx, pid, since.t_ns, leg.cpu);
    let deeper = waiting(scene, &waiter, &[rest]);
    let link = Link::new(Mechanism::Deferred, leg.cpu, from_ns, leg.end_ns).about(Subject::Task(carrier_idx));
    let until_then = links.into_iter().map(|link| link.between(leg.start_ns, from_ns));
    let link = Link { is_soft: true, deeper, ..link.inferred().seen_by([since]) };
    until_then.filter(|link| link.duration_ns() > 0).chain([link]).collect()
}

/// The `ksoftirqd` of a CPU that was woken before all that is known here, and the end of the round of softirqs which left it a
/// softirq that one of them raised: a CPU that is to switch begins no other round (kernel/softirq.c, `handle_softirqs`).
fn woken_carrier<'s, 'a>(scene: &Scene<'s, 'a>, leg: Leg) -> Option<(i32, i32, &'s Seen<'a>)> {
    let is_soft = |event: &&&Seen<'_>| Flags(event.flags.cast_unsigned()).has(Flags::SOFTIRQ);
    let round = scene.events(leg.cpu, leg.start_ns, leg.end_ns).iter().take_while(is_soft);
    let end = round.last().copied().filter(|last| last.role == Some(Role::SoftirqExit))?;
    if !Flags(end.flags.cast_unsigned()).needs_resched() {
        return None;
    }
    let of_cpu = format!("ksoftirqd/{}", leg.cpu);
    let (idx, task) = scene.around.tasks().find(|(_, task)| task.comm == of_cpu)?;
    let has_run = scene.ran_between(idx, leg.start_ns, leg.end_ns);
    (!has_run).then_some((idx, task.pid?, end))
}

fn is_left(link: &Link<'_>) -> bool {
    link.mechanism == Mechanism::Deferred && link.is_soft
}

/// The carriers of a CPU, but for one, that were woken and have not run up to the end, and their wakings.
pub fn waiting_carriers<'s, 'a>(
    scene: &Scene<'s, 'a>,
    leg: Leg,
    but: Option<i32>,
) -> impl Iterator<Item = (i32, i32, &'s Seen<'a>)> {
    let carriers = scene.around.tasks().filter(|(idx, _)| is_carrier(scene.around, *idx));
    let carriers = carriers.filter_map(|(idx, task)| Some((idx, task.comm, task.pid?)));
    let of_cpu =
        carriers.filter(move |(_, comm, pid)| Some(*pid) != but && is_of(scene, comm, *pid, leg.cpu));
    of_cpu.filter_map(move |(idx, _, pid)| {
        let steps = scene.steps(pid);
        let steps = steps.get(..steps.partition_point(|step| step.event.t_ns <= leg.end_ns))?;
        let left = steps.iter().rposition(|step| step.change != Change::Woken);
        let wants = match left.and_then(|left| steps.get(left)) {
            Some(left) if left.change == Change::Runs => None,
            // A task that lost the CPU in the middle of its work still wants it.
            Some(left) if left.change == Change::Preempted => Some(left),
            _ => steps.get(left.map_or(0, |left| left.saturating_add(1))),
        }?;
        (!scene.ran_between(idx, wants.event.t_ns, leg.end_ns)).then_some((idx, pid, wants.event))
    })
}

/// True for the carrier of a CPU, by its name, or by where it runs if a latency tracer cut the CPU off its name.
fn is_of(scene: &Scene<'_, '_>, comm: &str, pid: i32, cpu: i16) -> bool {
    match comm.rsplit_once('/') {
        Some((_, number)) if !number.is_empty() => number.parse() == Ok(cpu),
        _ => scene.steps(pid).iter().any(|step| step.change == Change::Runs && step.event.cpu == cpu),
    }
}

/// How a softirq that was left came to run at the end of its case: at the exit of an interrupt, or in a task that
/// switched softirqs on again.
pub fn until(scene: &Scene<'_, '_>) -> String {
    let case = scene.case;
    let before = scene.events(case.cpu, case.start_ns, case.end_ns()).iter().rev();
    let entry = before.clone().find(|event| event.t_ns == case.end_ns() && event.begins_interrupt());
    let Some(entry) = entry else { return String::new() };
    let mut earlier = before.filter(|event| event.seq < entry.seq);
    match earlier.next().is_some_and(|event| event.ends_interrupt()) {
        true => ", until the exit of an interrupt ran it".to_owned(),
        false => String::new(),
    }
}

/// What kept a raised softirq from running at once: an interrupt or another softirq that was not over, or a task that
/// had switched softirqs off. A task that could be switched out does not keep it away: then nothing had it run, until
/// the next interrupt or `ksoftirqd` did.
fn held_up<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let inside = || scene.events(leg.cpu, leg.start_ns, leg.end_ns).iter();
    // In a task, and not in an interrupt that came into it.
    let of_task = inside().filter(|event| !event.is_in_interrupt());
    let is_off = of_task.clone().any(|event| Flags(event.flags.cast_unsigned()).has(Flags::BH_OFF));
    let is_known = of_task.clone().any(|event| Flags(event.flags.cast_unsigned()).has(Flags::KNOWN));
    // Its carrier is woken only where it is left, and until that has run, it is.
    let is_carried = || {
        waiting_carriers(scene, leg, None)
            .next()
            .is_some_and(|(.., woken)| !is_off || leg.start_ns <= woken.t_ns)
    };
    let is_left = inside().any(|event| event.switch().is_some()) || is_carried();
    let raising = raising_interrupt(scene, leg);
    let ran = what_ran(scene, leg, None).into_iter().flat_map(|link| without_silence(scene, link));
    let links = ran.map(|link| match link.subject {
        None | Some(Subject::Task(_) | Subject::Cpu(_))
            if let Some(soft) = softirq_before(scene, leg, &link) =>
        {
            let certainty = Certainty::Recorded;
            let link = Link { mechanism: Mechanism::OtherInterrupt, also: Vec::new(), certainty, ..link };
            // Where all of that softirq was waited for, the step after it is none of it.
            let is_whole = soft.start_ns >= leg.start_ns;
            link.about(Subject::Softirq(if is_whole { -1 } else { soft.symbol_idx }))
        }
        _ if let Some((last, until_ns)) = raising.filter(|(last, _)| is_raising(&link, leg, last)) => {
            let may_stand_still = may_be_still(scene, link.cpu, (link.start_ns, link.end_ns));
            Link {
                mechanism: Mechanism::OtherInterrupt,
                also: if may_stand_still { vec![Mechanism::Stall] } else { Vec::new() },
                subject: Some(Subject::Interrupt(-1)),
                certainty: Certainty::Bounded,
                bounds: Some((leg.start_ns, until_ns.min(leg.end_ns))),
                is_soft: true,
                ..link.seen_by([last])
            }
        }
        // The way from an interrupt to the softirqs that it left.
        Some(Subject::Task(_)) if is_step(scene, leg, &link) => {
            Link { mechanism: Mechanism::Handler, subject: None, is_soft: true, is_way: true, ..link }
        }
        Some(Subject::Task(_)) if link.mechanism != Mechanism::IrqsOff => {
            let is_kept = !is_left && (is_off || !is_known && scene.around.is_switched(leg.cpu));
            let mechanism = if is_kept { Mechanism::NotPreemptible } else { Mechanism::Deferred };
            Link { mechanism, subject: link.subject.filter(|_| is_kept), is_soft: true, ..link.inferred() }
        }
        _ => link,
    });
    links.collect()
}

/// What a task is said to have run, cut where interrupts did not come that were due.
fn without_silence<'a>(scene: &Scene<'_, 'a>, link: Link<'a>) -> Vec<Link<'a>> {
    match link.subject {
        Some(subject @ Subject::Task(_)) if link.mechanism != Mechanism::IrqsOff => {
            let silences = silences(scene, link.cpu, link.start_ns, link.end_ns);
            without(scene, link, subject, &silences)
        }
        _ => vec![link],
    }
}

/// True for a part of the interrupt that raised a softirq, up to its last event or on from that: a CPU in an interrupt is not
/// idle, whatever it is to do after it.
fn is_raising(link: &Link<'_>, leg: Leg, last: &Seen<'_>) -> bool {
    match link.subject {
        Some(Subject::Interrupt(-1)) => link.mechanism != Mechanism::Stall && link.end_ns <= last.t_ns,
        // Where nothing says who had the CPU, it was the interrupt.
        None | Some(Subject::Task(_) | Subject::Cpu(_)) => {
            link.mechanism != Mechanism::Stall && (leg.start_ns..=last.t_ns).contains(&link.start_ns)
        }
        _ => false,
    }
}

/// True for the short step from the end of an interrupt to the softirq of the case, with no event of a task in between.
fn is_step(scene: &Scene<'_, '_>, leg: Leg, link: &Link<'_>) -> bool {
    let is_short = link.end_ns == leg.end_ns && link.duration_ns() < ON_ITS_WAY_NS;
    let mut at_start = scene.events(leg.cpu, link.start_ns, link.start_ns).iter();
    let inside =
        scene.events(leg.cpu, link.start_ns.saturating_add(1), link.end_ns.saturating_sub(1)).is_empty();
    is_short && inside && at_start.any(|event| event.ends_interrupt())
}

/// The softirq after which the kernel went on to the one of the case in the same round: what lies between has no task.
fn softirq_before<'s, 'a>(scene: &Scene<'s, 'a>, leg: Leg, link: &Link<'_>) -> Option<&'s Span<'a>> {
    let is_between = link.end_ns == leg.end_ns
        && scene.events(leg.cpu, link.start_ns.saturating_add(1), leg.end_ns.saturating_sub(1)).is_empty();
    let ends = |span: &&Span<'_>| {
        span.kind == SliceKind::Softirq && span.cpu == leg.cpu && span.end_ns == link.start_ns
    };
    scene.around.seen_spans().filter(ends).max_by_key(|span| span.start_ns).filter(|_| is_between)
}

/// The last event that may be one of the interrupt that raised a softirq, where nothing but the flags of its events shows that
/// interrupt, and no event of the task under it lies before the softirqs that it left; and until when it is sure to have run.
fn raising_interrupt<'s, 'a>(scene: &Scene<'s, 'a>, leg: Leg) -> Option<(&'s Seen<'a>, i64)> {
    let inside = scene.events(leg.cpu, leg.start_ns, leg.end_ns.saturating_sub(1));
    // Those that run before it in the same round say nothing of the interrupt. One that comes before it goes into an interrupt
    // that is not over, or it would have run.
    let is_next = |event: &&Seen<'_>| {
        event.role == Some(Role::SoftirqEntry) || event.begins_interrupt() && event.t_ns > leg.start_ns
    };
    let first = inside.iter().position(is_next);
    let inside = inside.get(..first.unwrap_or(inside.len()))?;
    let is_soft = |event: &Seen<'_>| Flags(event.flags.cast_unsigned()).has(Flags::SOFTIRQ);
    let irq = scene.span_at(SliceKind::Irq, leg.cpu, leg.start_ns);
    let is_known = irq.is_some_and(|irq| !irq.flags.has(SliceFlags::CUT_AT_END));
    let is_shown = is_known || inside.iter().any(|event| event.ends_interrupt());
    // An idle task raises them in interrupts alone.
    let is_idle_loop = |event: &Seen<'_>| {
        matches!(event.role, Some(Role::SchedSwitch | Role::CpuIdle | Role::PowerStart | Role::PowerEnd))
    };
    let is_of_idle = |event: &Seen<'_>| {
        let is_flagged = Flags(event.flags.cast_unsigned()).has(Flags::KNOWN);
        !is_flagged && scene.around.is_idle_task(event.task_idx) && !is_idle_loop(event)
    };
    let is_hard = |event: &Seen<'_>| event.is_in_hard_interrupt() || is_of_idle(event);
    let is_raised_inside =
        inside.first().is_some_and(|raise| raise.t_ns == leg.start_ns && is_hard(raise) && !is_soft(raise));
    let is_inside = |event: &&Seen<'_>| event.is_in_interrupt() || is_of_idle(event);
    let is_alone = is_raised_inside && !is_shown && inside.iter().all(is_inside);
    let last = inside.iter().rfind(|event| is_hard(event)).filter(|_| is_alone).copied()?;
    Some((last, irq.map_or(last.t_ns, |irq| irq.end_ns.min(last.t_ns))))
}
