//! A CPU that takes a task from another one's queue because its own task leaves it: no task competes then.

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::scene::{Change, Scene};
use super::wait::Waiter;
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// From the move of the waiting task to the switch of the CPU that pulled it, inside of the scheduler
/// (kernel/sched/fair.c, `sched_balance_newidle`); `None` of any other wait.
pub fn pulled<'a>(scene: &Scene<'_, 'a>, waiter: &Waiter<'_, 'a>, leg: Leg) -> Option<Link<'a>> {
    let events = scene.events(leg.cpu, leg.start_ns, i64::MAX);
    let is_move = |event: &Seen<'_>| event.migration().is_some_and(|migration| migration.pid == waiter.pid);
    let from =
        events.iter().take_while(|event| event.t_ns == leg.start_ns).position(|event| is_move(event))?;
    let (pull, behind) = events.get(from..)?.split_first()?;
    let until = behind.iter().position(|event| event.switch().is_some())?;
    let switch = behind.get(until)?;
    let is_left = switch.switch().is_some_and(|one| one.prev.pid != 0 && !one.prev_is_runnable());
    let is_inside = behind.get(..until)?.iter().all(|event| is_inside(event));
    let is_pull = is_left
        && is_inside
        && !pull.is_in_interrupt()
        && switch.task_idx == pull.task_idx
        && !is_being_woken(scene, waiter.pid, pull)
        && !scene.around.is_unseen_between(pull.t_ns, switch.t_ns);
    let link = Link::new(Mechanism::Migration, leg.cpu, leg.start_ns, switch.t_ns.min(leg.end_ns));
    is_pull.then(|| link.about(Subject::Task(pull.task_idx)).seen_by([*pull, *switch]))
}

/// The scheduler pulls with interrupts off. An event with interrupts on is the task's own work; where flags are not
/// recorded, so is any event other than another move.
fn is_inside(event: &Seen<'_>) -> bool {
    let flags = Flags(event.flags.cast_unsigned());
    let is_off = flags.has(Flags::IRQS_OFF) || !flags.has(Flags::KNOWN) && event.migration().is_some();
    is_off || event.is_in_interrupt()
}

/// True where the move belongs to a wakeup: the waker of a task continues its own work.
fn is_being_woken(scene: &Scene<'_, '_>, pid: i32, pull: &Seen<'_>) -> bool {
    let steps = scene.steps(pid);
    let next = steps.partition_point(|step| step.event.seq < pull.seq);
    let is_open = next.checked_sub(1).and_then(|last| steps.get(last));
    is_open.is_some_and(|last| last.event.waking().is_some())
        || steps.get(next).is_some_and(|step| step.change == Change::Woken)
}
