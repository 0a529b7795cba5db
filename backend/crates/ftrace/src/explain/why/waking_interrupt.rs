//! The interrupt that woke a task, where no record says when it ended: it may be what keeps the CPU, not the task under it.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::Scene;
use super::wait::Waiter;
use crate::analyses::{SliceFlags, SliceKind};
use crate::explain::blame::Held;
use crate::explain::surroundings::Seen;

/// True where every event of a CPU from the waking of a task up to the end of a stretch is in an interrupt whose entry and
/// exit are not recorded.
pub fn may_go_on(scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let is_waking = |event: &&Seen<'_>| event.waking().is_some() || event.wakeup().is_some();
    let Some(waking) = waiter.since.filter(|event| event.cpu == cpu && is_waking(event)) else {
        return false;
    };
    let inside = scene.events(cpu, waking.t_ns, held.end_ns.saturating_sub(1));
    let mut inside = inside.iter().filter(|event| event.seq >= waking.seq);
    let is_inside = inside.all(|event| event.is_in_hard_interrupt());
    let span = scene.span_at(SliceKind::Irq, cpu, waking.t_ns);
    is_inside && span.is_none_or(|span| span.flags.has(SliceFlags::CUT_AT_END))
}

/// The interrupt in which a task of user space was, which keeps nothing away itself; or its CPU stood still.
pub fn open_ended<'a>(cpu: i16, held: &Held<'_>) -> Link<'a> {
    let link = Link::new(Mechanism::OtherInterrupt, cpu, held.start_ns, held.end_ns);
    let link = Link { has_open_end: true, ..link.about(Subject::Interrupt(-1)) };
    link.inferred().also(Mechanism::Stall)
}

/// True for an event in a hard interrupt, by its flags or because that is recorded.
pub fn is_in_hard_interrupt(scene: &Scene<'_, '_>, event: &Seen<'_>) -> bool {
    event.is_in_hard_interrupt() || scene.span_at(SliceKind::Irq, event.cpu, event.t_ns).is_some()
}
