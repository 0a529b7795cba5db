//! What every part of a chain says alike of what had a CPU.

use super::interrupt::interrupt;
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use crate::analyses::Cause;
use crate::explain::blame::Held;

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
