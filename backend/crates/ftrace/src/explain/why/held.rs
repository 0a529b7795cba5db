//! What every part of a chain says alike of what had a CPU.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::recorded::interrupt;
use super::scene::Scene;
use crate::analyses::{Cause, SliceFlags, SliceKind};
use crate::explain::blame::{Held, held};
use crate::explain::route::Leg;

/// What had the CPU of a leg, front to back without a hole. Whatever task ran, it was `Cause::Task`.
pub fn held_by_all<'a>(scene: &Scene<'_, 'a>, leg: &Leg) -> Vec<Held<'a>> {
    let mut pieces = held(scene.case, leg, scene.around);
    for held in pieces.iter_mut().filter(|held| held.cause == Cause::Unknown) {
        if is_idle_by_switches(scene, leg.cpu, held) {
            held.cause = Cause::Idle;
        }
    }
    // With its first record it is known what a CPU does.
    if let Some(first) = pieces.first_mut().filter(|held| held.cause == Cause::Idle)
        && is_before_first_run(scene, leg.cpu, first)
    {
        first.cause = Cause::Unknown;
    }
    pieces
}

/// True up to the first record of a CPU on which a task ran then: without a switch to it, it had been running.
fn is_before_first_run(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let of_cpu = scene.around.seen_spans().filter(|span| span.kind == SliceKind::Sched && span.cpu == cpu);
    let first = of_cpu.min_by_key(|span| span.start_ns).filter(|span| held.end_ns <= span.start_ns);
    first.is_some_and(|first| first.flags.has(SliceFlags::STARTED_BEFORE))
        && scene.around.losses(cpu).next().is_none()
}

/// Of a CPU on which no task ran at all, a switch to or from the idle task says that it was idle.
fn is_idle_by_switches(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let before = scene.events(cpu, i64::MIN, held.start_ns).iter().rev();
    let last = before.filter_map(|event| event.switch()).next();
    let next = scene.events(cpu, held.start_ns, i64::MAX).iter().find_map(|event| event.switch());
    let is_idle = last.map(|switch| switch.next.pid).or(next.map(|switch| switch.prev.pid)) == Some(0);
    is_idle && held.span.is_none() && scene.around.losses(cpu).next().is_none()
}

/// The links of interrupts that ran, as `mechanism` calls them, of a CPU that stood still according to its tracer, and
/// of what nothing is known of. `None` for tasks, sections and idle CPUs: what they mean depends on who waits.
pub fn told_by_itself<'a>(
    scene: &Scene<'_, 'a>,
    cpu: i16,
    held: &Held<'a>,
    mechanism: Mechanism,
) -> Option<Vec<Link<'a>>> {
    let link = |mechanism| Link::new(mechanism, cpu, held.start_ns, held.end_ns);
    match held.cause {
        Cause::Irq | Cause::Softirq | Cause::Nmi => Some(interrupt(scene, cpu, held, mechanism)),
        Cause::Gap => Some(vec![link(Mechanism::Stall).about(Subject::Cpu(cpu))]),
        Cause::Unknown => Some(vec![link(Mechanism::Unknown)]),
        Cause::Task | Cause::Itself | Cause::Idle | Cause::Irqsoff | Cause::Preemptoff => None,
    }
}
