//! Interrupts, softirqs and sections that are recorded, without the stretches in which their CPU executed nothing.

use std::mem;

use super::ipi_sender::sender;
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::silence::{Silence, all_silences, may_be_still, silences, without};
use super::stall::{LONG_STALL_NS, holes};
use crate::analyses::{Cause, SliceKind};
use crate::explain::blame::Held;
use crate::explain::surroundings::Seen;

/// A recorded section with interrupts or preemption off, by who is in it and where, without the holes in which its CPU
/// stood still.
pub fn section<'a>(scene: &Scene<'_, 'a>, cpu: i16, held: &Held<'a>, mechanism: Mechanism) -> Vec<Link<'a>> {
    let link = Link::new(mechanism, cpu, held.start_ns, held.end_ns);
    let Some(span) = held.span else { return vec![link] };
    let link = link.about(Subject::Task(span.task_idx)).seen_by(ends(scene, cpu, held));
    let function_idx = (span.symbol_idx >= 0).then_some(span.symbol_idx);
    let links =
        without_holes(scene, Link { function_idx, bounds: Some((span.start_ns, span.end_ns)), ..link });
    if mechanism == Mechanism::IrqsOff {
        return links;
    }
    // With preemption off, interrupts come.
    let parts = links.into_iter().flat_map(|link| match link.mechanism {
        Mechanism::Stall => vec![link],
        _ => {
            let mut silences = all_silences(scene, cpu, link.start_ns, link.end_ns);
            silences.retain(|silence| silence.duration_ns() >= LONG_STALL_NS);
            without(scene, link, Subject::Task(span.task_idx), &silences)
        }
    });
    parts.filter(|link| link.duration_ns() > 0).collect()
}

/// An interrupt or softirq that ran, without the holes in which it stood still.
pub fn interrupt<'a>(
    scene: &Scene<'_, 'a>,
    cpu: i16,
    held: &Held<'a>,
    mechanism: Mechanism,
) -> Vec<Link<'a>> {
    let symbol_idx = held.span.map_or(-1, |span| span.symbol_idx);
    let (kind, subject) = match held.cause {
        Cause::Softirq => (SliceKind::Softirq, Subject::Softirq(symbol_idx)),
        _ => (SliceKind::Irq, Subject::Interrupt(symbol_idx)),
    };
    let evidence = ends(scene, cpu, held);
    let usual = held.span.and_then(|span| scene.usual_run((kind, symbol_idx), span.duration_ns()));
    let link = Link::new(mechanism, cpu, held.start_ns, held.end_ns).about(subject);
    let sender = held.span.and_then(|span| sender(scene, cpu, symbol_idx, span.start_ns));
    let links = without_holes(scene, Link { usual, ..link.seen_by(evidence).seen_by(sender) });
    let parts = links.into_iter().flat_map(|link| match link.mechanism {
        Mechanism::Stall => vec![link],
        _ if is_silent_handler(scene, &link) => vec![link.also(Mechanism::Stall)],
        _ if kind == SliceKind::Softirq => without_silence(scene, link, subject),
        _ => vec![link],
    });
    parts.filter(|link| link.duration_ns() > 0).collect()
}

/// A softirq, cut where the interrupts did not come for most of it that were due.
fn without_silence<'a>(scene: &Scene<'_, 'a>, link: Link<'a>, subject: Subject) -> Vec<Link<'a>> {
    let mut silences = silences(scene, link.cpu, link.start_ns, link.end_ns);
    // Of one that takes far longer than others, shorter ones say enough, unless it is doubted as a whole.
    let is_doubted = link.may_have_stood_still();
    if silences.is_empty()
        && !is_doubted
        && link.usual.is_some_and(|usual| usual.is_much_exceeded_by(link.duration_ns()))
    {
        silences = all_silences(scene, link.cpu, link.start_ns, link.end_ns);
    }
    let silent_ns = silences.iter().map(Silence::duration_ns).fold(0_i64, i64::saturating_add);
    let is_most = silent_ns.saturating_mul(2) >= link.duration_ns();
    if is_most { without(scene, link, subject, &silences) } else { vec![link] }
}

/// True for a hard interrupt in which nothing happened for as long as some CPUs stand still, unless such ones often are so long.
fn is_silent_handler(scene: &Scene<'_, '_>, link: &Link<'_>) -> bool {
    let is_hard = matches!(link.subject, Some(Subject::Interrupt(_))) && link.mechanism != Mechanism::Stall;
    let is_usual = link.usual.is_some_and(|usual| !usual.is_much_exceeded_by(link.duration_ns()));
    let is_long = || scene.may_stand_still() && may_be_still(scene, link.cpu, (link.start_ns, link.end_ns));
    is_hard && !is_usual && is_long()
}

/// Links that can lie over a stretch in which their CPU executed nothing, and instead of them a stall where it did.
pub fn without_any_holes<'a>(scene: &Scene<'_, 'a>, links: Vec<Link<'a>>) -> Vec<Link<'a>> {
    let parts = links.into_iter().flat_map(|mut link| {
        let is_told = matches!(link.mechanism, Mechanism::Stall | Mechanism::WaitsFor | Mechanism::Throttled);
        let is_whole = is_told || link.is_unseen || !link.deeper.is_empty();
        let deeper = without_any_holes(scene, mem::take(&mut link.deeper));
        link.deeper = super::link::merged(deeper);
        if is_whole { vec![link] } else { without_holes(scene, link) }
    });
    parts.collect()
}

/// A link, and instead of it a stall where its CPU executed nothing.
fn without_holes<'a>(scene: &Scene<'_, 'a>, link: Link<'a>) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut at_ns = link.start_ns;
    for hole in holes(scene, link.cpu, link.start_ns, link.end_ns) {
        let (from_ns, to_ns) = (hole.start_ns.max(at_ns), hole.end_ns.min(link.end_ns));
        if from_ns < to_ns {
            links.push(link.clone().between(at_ns, from_ns));
            at_ns = to_ns;
            if hole.is_in_callee {
                let callee = link.clone().between(from_ns, to_ns);
                let is_most = callee.duration_ns().saturating_mul(2) >= link.duration_ns();
                // If they always take that long, the CPU does not stand still each time.
                let is_usual =
                    link.usual.is_some_and(|usual| !usual.is_much_exceeded_by(callee.duration_ns()));
                let may_be_stall = is_most && !is_usual && scene.may_stand_still();
                links.push(if may_be_stall { callee.also(Mechanism::Stall) } else { callee });
                continue;
            }
            let stall = Link::new(Mechanism::Stall, link.cpu, from_ns, to_ns);
            let stall = stall.about(Subject::Cpu(link.cpu)).inferred().seen_by(hole.events);
            links.push(Link { usual: hole.usual, bounds: Some((hole.start_ns, hole.end_ns)), ..stall });
        }
    }
    let end_ns = link.end_ns;
    links.push(link.between(at_ns, end_ns));
    links
}

/// The events at the two ends of the slice that says who had the CPU.
pub fn ends<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, held: &Held<'a>) -> Vec<&'s Seen<'a>> {
    let Some(span) = held.span else { return Vec::new() };
    let at = |t_ns: i64| scene.events(cpu, t_ns, t_ns).first().copied();
    at(span.start_ns).into_iter().chain(at(span.end_ns)).collect()
}
