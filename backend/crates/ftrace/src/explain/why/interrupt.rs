//! Why an interrupt came late, which was due at the start of a stretch and came at its end.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::mode::Mode;
use super::scene::Scene;
use super::stall::holes;
use crate::analyses::Cause;
use crate::explain::blame::Held;
use crate::explain::route::Leg;
use crate::model::Flags;

/// An interrupt on its way is no late one up to this.
pub const ON_ITS_WAY_NS: i64 = 20_000;

const SLOW_TO_WAKE_NS: i64 = 100_000;

/// The links of a stretch of a CPU at whose start an interrupt was due, which came at its end.
pub fn late_interrupt<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    for held in scene.held(leg, None) {
        let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns);
        match held.cause {
            Cause::Idle => links.push(idle_exit(scene, leg.cpu, &held)),
            Cause::Irq | Cause::Nmi => {
                links.extend(interrupt(scene, leg.cpu, &held, Mechanism::OtherInterrupt))
            }
            Cause::Softirq => links.push(
                link(Mechanism::OtherInterrupt).about(softirq(&held)).seen_by(ends(scene, leg.cpu, &held)),
            ),
            Cause::Gap => links.push(link(Mechanism::Stall).about(Subject::Cpu(leg.cpu))),
            Cause::Irqsoff => links.push(section(scene, leg.cpu, &held, Mechanism::IrqsOff)),
            Cause::Task | Cause::Preemptoff | Cause::Itself => links.push(silence(scene, leg, &held)),
            Cause::Unknown => links.push(link(Mechanism::Unknown)),
        }
    }
    links
}

/// Nothing is recorded between the time at which an interrupt was due and its coming: only interrupts that are off
/// keep it away, or a CPU that stands still.
fn silence<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>) -> Link<'a> {
    let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns).about_task_of(held);
    if leg.end_ns.saturating_sub(leg.start_ns) < ON_ITS_WAY_NS {
        return link(Mechanism::Handler);
    }
    let between = scene.events(leg.cpu, leg.start_ns, leg.end_ns.saturating_sub(1));
    let on = between.iter().rfind(|event| {
        let flags = Flags(event.flags.cast_unsigned());
        flags.has(Flags::KNOWN) && !flags.has(Flags::IRQS_OFF)
    });
    let is_guest = scene.is_guest();
    if on.is_some_and(|event| event.t_ns.saturating_sub(leg.start_ns) >= ON_ITS_WAY_NS) {
        let mechanism = if is_guest { Mechanism::Stall } else { Mechanism::Unknown };
        return link(mechanism).inferred().seen_by(on.copied());
    }
    let before = scene.last_event(leg.cpu, held.start_ns);
    let after = scene.events(leg.cpu, held.end_ns, i64::MAX).first().copied();
    let mode = held.span.map_or(Mode::Unknown, |span| scene.mode(span.task_idx, held.start_ns));
    let found = match mode {
        Mode::Kernel if is_guest => link(Mechanism::IrqsOff).also(Mechanism::Stall),
        Mode::Kernel => link(Mechanism::IrqsOff),
        Mode::User => link(Mechanism::Stall),
        Mode::Unknown => link(Mechanism::IrqsOff).also(Mechanism::Stall),
    };
    let from_ns = before.map_or(held.start_ns, |event| event.t_ns);
    let found = found.inferred().seen_by(before).seen_by(after);
    Link { bounds: Some((from_ns, held.end_ns)), ..found }
}

/// A CPU without work, in a state that it has to leave first.
pub fn idle_exit<'a>(scene: &Scene<'_, 'a>, cpu: i16, held: &Held<'a>) -> Link<'a> {
    let link = Link::new(Mechanism::IdleExit, cpu, held.start_ns, held.end_ns)
        .about(Subject::Cpu(cpu))
        .seen_by(ends(scene, cpu, held));
    // No idle state of a guest's CPU takes so long to leave; the host takes its time to run it again.
    let is_long = link.duration_ns() >= SLOW_TO_WAKE_NS && scene.is_guest();
    if is_long { link.also(Mechanism::Stall) } else { link }
}

/// A recorded section with interrupts or preemption off, by who is in it and where.
pub fn section<'a>(scene: &Scene<'_, 'a>, cpu: i16, held: &Held<'a>, mechanism: Mechanism) -> Link<'a> {
    let link = Link::new(mechanism, cpu, held.start_ns, held.end_ns);
    let Some(span) = held.span else { return link };
    let link = link.about(Subject::Task(span.task_idx)).seen_by(ends(scene, cpu, held));
    let function_idx = (span.symbol_idx >= 0).then_some(span.symbol_idx);
    Link { function_idx, bounds: Some((span.start_ns, span.end_ns)), ..link }
}

/// An interrupt or softirq that ran, without the holes in which it stood still.
pub fn interrupt<'a>(
    scene: &Scene<'_, 'a>,
    cpu: i16,
    held: &Held<'a>,
    mechanism: Mechanism,
) -> Vec<Link<'a>> {
    let subject = if held.cause == Cause::Softirq { softirq(held) } else { hard_interrupt(held) };
    let evidence = ends(scene, cpu, held);
    let runs = |from_ns: i64, to_ns: i64| {
        Link::new(mechanism, cpu, from_ns, to_ns).about(subject).seen_by(evidence.iter().copied())
    };
    let mut links = Vec::new();
    let mut at_ns = held.start_ns;
    for hole in holes(scene, cpu, held.start_ns, held.end_ns) {
        let (from_ns, to_ns) = (hole.start_ns.max(at_ns), hole.end_ns.min(held.end_ns));
        if from_ns < to_ns {
            links.push(runs(at_ns, from_ns));
            let stall = Link::new(Mechanism::Stall, cpu, from_ns, to_ns).about(Subject::Cpu(cpu)).inferred();
            links.push(Link { usual: hole.usual, ..stall.seen_by(hole.events) });
            at_ns = to_ns;
        }
    }
    links.push(runs(at_ns, held.end_ns));
    links
}

fn hard_interrupt(held: &Held<'_>) -> Subject {
    Subject::Interrupt(held.span.map_or(-1, |span| span.symbol_idx))
}

pub fn softirq(held: &Held<'_>) -> Subject {
    Subject::Softirq(held.span.map_or(-1, |span| span.symbol_idx))
}

/// The events at the two ends of the slice that says who had the CPU.
pub fn ends<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, held: &Held<'a>) -> Vec<&'s crate::explain::Seen<'a>> {
    let Some(span) = held.span else { return Vec::new() };
    let at = |t_ns: i64| scene.events(cpu, t_ns, t_ns).first().copied();
    at(span.start_ns).into_iter().chain(at(span.end_ns)).collect()
}
