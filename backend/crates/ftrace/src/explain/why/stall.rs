//! Where a CPU executed nothing: holes inside interrupts, softirqs and the scheduler's own path.

use super::callee::is_in_callee;
use super::carrier::{is_carrier, is_carrier_comm};
use super::doze::is_falling_asleep;
use super::scene::Scene;
use super::usual::Usual;
use crate::analyses::SliceKind;
use crate::events::Role;
use crate::explain::surroundings::{Seen, Surroundings};
use crate::model::Flags;

/// A gap is a stall only if it is this long, and far longer than the usual gap between such events.
pub const MIN_STALL_NS: i64 = 20_000;
/// A CPU that waited only for its timer continues within this time after the expiry.
const ENDS_WITH_TIMER_NS: i64 = 5_000;
/// The interrupt that arms a timer has called a handler so long before at most.
const MAX_INTERRUPT_NS: i64 = 200_000;
/// Events of one waking at most.
const MAX_EVENTS_OF_WAKING: usize = 6;
/// Between its entry and the first thing that it does, no interrupt takes so long.
const ABSURD_NS: i64 = 1_000_000;
/// A CPU that stands still for so long once may do so again, where no event shows it.
pub const LONG_STALL_NS: i64 = 500_000;

/// A stretch in which a CPU executed nothing, though it had nothing to wait for.
#[derive(Clone, Copy)]
pub struct Hole<'s, 'a> {
    pub start_ns: i64,
    pub end_ns: i64,
    pub events: [&'s Seen<'a>; 2],
    /// It lies in a function of somebody else, which may have taken so long itself.
    pub is_in_callee: bool,
    /// How long it usually is between two such events.
    pub usual: Option<Usual>,
}

/// The holes that touch [start, end) of a CPU.
pub fn holes<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Hole<'s, 'a>> {
    // The event before it may be the beginning of a hole, and the one behind it the end.
    let behind = scene.events(cpu, end_ns.max(start_ns.saturating_add(1)), i64::MAX).first();
    let end_ns = behind.map_or(i64::MAX, |event| event.t_ns);
    scene.neighbours(cpu, (start_ns, end_ns)).filter_map(|pair| hole(scene, cpu, pair)).collect()
}

/// Two events of a CPU after each other between which it executed nothing.
fn hole<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, events: [&'s Seen<'a>; 2]) -> Option<Hole<'s, 'a>> {
    let [first, second] = events;
    let hole_ns = second.t_ns.saturating_sub(first.t_ns);
    if hole_ns < MIN_STALL_NS {
        return None;
    }
    let hole = |start_ns: i64, is_in_callee: bool, usual: Option<Usual>| {
        Some(Hole { start_ns, end_ns: second.t_ns, events, is_in_callee, usual: usual.map(Usual::of_stall) })
    };
    let is_in_one_go = is_in_one_go(first, second, is_one_interrupt(scene, cpu, events))
        || is_way_to_carrier(scene.around, first, second);
    let of_run = || whole_run(scene, cpu, first, hole_ns);
    // What is normal of the whole interrupt or softirq says enough to compare, but is nothing of the hole itself.
    let (usual, whole) = match () {
        // However often it does: only its timer lets such a CPU continue.
        () if is_in_one_go && ends_with_timer(scene, cpu, events) => return hole(first.t_ns, false, None),
        () if is_in_one_go => match scene.usual_gap(events, hole_ns) {
            None => (None, of_run()),
            usual => (usual, None),
        },
        // The whole softirq takes less as a rule than it took from one interrupt in it to the next.
        () if is_interrupted(first, second) => (None, of_run()),
        () if is_falling_asleep(scene, cpu, events) => {
            (scene.usuals.way_to_sleep(scene.around, hole_ns), None)
        }
        () if is_behind_work(scene.around, first, second) => (scene.usual_gap(events, hole_ns), None),
        // What lies between them takes its time, as the interrupt that a guest sends does, though never so long.
        () if hole_ns >= LONG_STALL_NS
            && let Some(waking) = waking_around(scene, cpu, events) =>
        {
            (scene.usual_gap(waking, hole_ns), None)
        }
        // A guest's CPU, between the last event of a section and its end.
        () if scene.is_guest() && is_at_end_of_section(first, second) => {
            (scene.usual_gap(events, hole_ns), None)
        }
        () => return None,
    };
    // Where nothing of the kind is seen elsewhere: no interrupt takes so long before it does anything.
    let is_absurd = || is_in_one_go && first.begins_interrupt() && hole_ns >= ABSURD_NS;
    let is_long = match usual.or(whole) {
        Some(usual) => usual.is_far_exceeded_by(hole_ns),
        None => is_absurd(),
    };
    // Of a task that is switched out in the end the tick may be stopped, as `nohz_full` does. Softirqs keep neither ticks
    // nor other timers away.
    let is_due =
        || !is_up_to_switch(first, second) || !scene.overdue(cpu, first.t_ns, second.t_ns).is_empty();
    let is_silent = scene.is_without_ticks(hole_ns) && is_due();
    let is_soft = !first.is_in_hard_interrupt() && flags(first).has(Flags::SOFTIRQ);
    if !is_long && !is_silent {
        return None;
    }
    if is_waking(first, second) || is_silent && is_soft || !is_in_callee(scene, cpu, first) {
        return hole(first.t_ns, false, usual);
    }
    let is_on = is_soft && !flags(first).has(Flags::IRQS_OFF);
    match overdue_ns(scene, cpu, events).filter(|_| is_on) {
        Some(from_ns) => hole(from_ns, false, usual),
        None => hole(first.t_ns, true, usual),
    }
}

/// From when on a timer's interrupt was due up to the end of a hole, where that is most of it.
fn overdue_ns(scene: &Scene<'_, '_>, cpu: i16, [first, second]: [&Seen<'_>; 2]) -> Option<i64> {
    let overdue = scene.overdue(cpu, first.t_ns, second.t_ns).into_iter();
    let mut at_end = overdue.filter(|one| one.end_ns >= second.t_ns);
    let from_ns = at_end.next()?.start_ns.max(first.t_ns);
    let is_most = second.t_ns.saturating_sub(from_ns) >= from_ns.saturating_sub(first.t_ns);
    is_most.then_some(from_ns)
}

/// True where a timer is armed at the beginning of a hole inside of an interrupt, and the hole ends as that timer is due:
/// the handler has nothing to wait for, but the host of a CPU that has nothing to do has.
fn ends_with_timer(scene: &Scene<'_, '_>, cpu: i16, [first, second]: [&Seen<'_>; 2]) -> bool {
    let Some(armed) = first.timer_start() else { return false };
    let earlier = scene.events(cpu, first.t_ns.saturating_sub(MAX_INTERRUPT_NS), first.t_ns).iter().rev();
    let expiry = earlier.filter_map(|event| Some((event.t_ns, event.timer_expiry()?.now_ns))).next();
    // Between the reading of the clock of timers and the event lies a step of the trace's clock.
    let due_ns = expiry.map(|(t_ns, now_ns)| t_ns.saturating_add(armed.expires_ns.saturating_sub(now_ns)));
    due_ns.is_some_and(|due_ns| {
        due_ns > first.t_ns.saturating_add(MIN_STALL_NS)
            && (-ENDS_WITH_TIMER_NS..=ENDS_WITH_TIMER_NS).contains(&second.t_ns.saturating_sub(due_ns))
    })
}

/// How long the interrupt or softirq around an event takes as a whole, where such events are too rare to compare them.
fn whole_run(scene: &Scene<'_, '_>, cpu: i16, event: &Seen<'_>, hole_ns: i64) -> Option<Usual> {
    let is_in_irq = event.is_in_hard_interrupt() && !event.ends_interrupt();
    let kind = if is_in_irq { SliceKind::Irq } else { SliceKind::Softirq };
    let span = scene.span_at(kind, cpu, event.t_ns)?;
    scene.usual_run((kind, span.symbol_idx), hole_ns)
}

/// A softirq between an interrupt, or its own last event, and the next interrupt, or its own next event.
fn is_interrupted(first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let is_inside = |flags: Flags| flags.has(Flags::SOFTIRQ) && !flags.has(Flags::NMI);
    let is_soft_behind = !first.is_in_hard_interrupt() || first.ends_interrupt();
    // Where entries are not recorded, an interrupt begins with whatever it does first.
    let is_soft_before =
        !second.is_in_hard_interrupt() || !first.is_in_hard_interrupt() || second.begins_interrupt();
    is_inside(flags(first)) && is_inside(flags(second)) && is_soft_behind && is_soft_before
}

/// True where entries and exits show that two events lie in one interrupt or softirq, or records of noise, which are the
/// last thing that an interrupt does.
pub fn is_one_interrupt(scene: &Scene<'_, '_>, cpu: i16, [first, second]: [&Seen<'_>; 2]) -> bool {
    let is_soft = flags(first).has(Flags::SOFTIRQ) && !first.is_in_hard_interrupt();
    let kind = if is_soft { SliceKind::Softirq } else { SliceKind::Irq };
    let irq = scene.span_at(kind, cpu, first.t_ns);
    let is_before_noise =
        || scene.around.records("irq_noise") && scene.around.event_name(first) != "irq_noise";
    irq.is_some_and(|irq| second.t_ns <= irq.end_ns) || is_before_noise()
}

/// True where nothing but the kernel's own short path lies between two events of a CPU: both inside of one interrupt,
/// or from a moment with interrupts off to the switch. `is_in_interrupt` says whether entries and exits show both to lie
/// in one interrupt: flags do not distinguish one from two of which neither is recorded, with a task in between.
pub fn is_in_one_go(first: &Seen<'_>, second: &Seen<'_>, is_in_interrupt: bool) -> bool {
    if !flags(first).has(Flags::KNOWN) {
        let is_inside = is_in_interrupt && !first.ends_interrupt() && !second.begins_interrupt();
        return is_inside || is_waking(first, second);
    }
    let interrupt = |event: &Seen<'_>| {
        let flags = flags(event);
        (flags.has(Flags::NMI), flags.has(Flags::HARDIRQ), flags.has(Flags::SOFTIRQ))
    };
    let context = interrupt(first);
    if context != (false, false, false) {
        let is_one = is_in_interrupt || is_waking(first, second);
        return is_one
            && context == interrupt(second)
            && !first.ends_interrupt()
            && !second.begins_interrupt();
    }
    let is_one = first.task_idx == second.task_idx;
    is_one
        && (is_at_end_of_section(first, second) || is_up_to_switch(first, second) || is_waking(first, second))
}

/// From a moment of a task with interrupts off to its switch. A task that woke another one goes on with what it does, and so
/// does one that leaves a section, until it may be preempted.
fn is_up_to_switch(first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let (before, interrupts) = (flags(first), Flags::NMI | Flags::HARDIRQ | Flags::SOFTIRQ);
    let wakes = first.waking().is_some() || first.wakeup().is_some() || first.migration().is_some();
    let goes_on = wakes || flags(second).preempt_depth() < before.preempt_depth();
    before.has(Flags::IRQS_OFF) && !before.has(interrupts) && !goes_on && second.switch().is_some()
}

/// From the last event of an interrupt whose end is not recorded to the waking of the thread that it leaves its softirqs to
/// (kernel/softirq.c, `invoke_softirq`). A task that raises one itself says so first.
pub fn is_way_to_carrier(around: &Surroundings<'_, '_>, first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let is_left = first.is_in_hard_interrupt() && !second.is_in_interrupt();
    let is_one = is_left && first.task_idx == second.task_idx && flags(second).has(Flags::IRQS_OFF);
    let is_of_carrier = || second.waking().is_some_and(|task| is_carrier_comm(task.comm));
    is_one && is_of_carrier() && around.records("softirq_raise")
}

/// From the end of what a thread of the kernel had to do to its sleep: it looks for more to do, and finds nothing
/// (`run_ksoftirqd`, kernel/softirq.c; `worker_thread`, kernel/workqueue.c).
pub fn is_behind_work(around: &Surroundings<'_, '_>, first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let is_softirq = first.role == Some(Role::SoftirqExit) && is_carrier(around, first.task_idx);
    let is_end = is_softirq || around.event_name(first) == "workqueue_execute_end";
    let sleeps = || second.switch().is_some_and(|switch| !switch.prev_is_runnable());
    first.task_idx == second.task_idx && is_end && sleeps()
}

/// The last event of a task that is to leave its CPU, and its switch, which comes long after that.
pub fn is_slow_to_leave(scene: &Scene<'_, '_>, [last, switch]: [&Seen<'_>; 2]) -> bool {
    let left_ns = switch.t_ns.saturating_sub(last.t_ns);
    let usual = || scene.usuals.way_off(scene.around, left_ns);
    let is_long =
        || left_ns >= MIN_STALL_NS && usual().is_some_and(|usual| usual.is_far_exceeded_by(left_ns));
    last.task_idx == switch.task_idx && switch.switch().is_some() && is_long()
}

/// From `sched_waking` to the choice of a CPU and into its queue: `try_to_wake_up` does it with interrupts off. Without flags,
/// the task that it is about tells.
fn is_waking(first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let moved = |event: &Seen<'_>| event.migration().map(|moved| moved.pid);
    let begun = first.waking().map(|task| task.pid).or_else(|| moved(first));
    let queued = second.wakeup().map(|task| task.pid).or_else(|| moved(second));
    let Some((begun, queued)) = begun.zip(queued) else { return false };
    let [is_off, is_known] =
        [Flags::IRQS_OFF, Flags::KNOWN].map(|flag| [first, second].map(|event| flags(event).has(flag)));
    let is_one = begun == queued && first.task_idx == second.task_idx;
    is_off == [true; 2] || is_known == [false; 2] && is_one
}

/// The waking and the wakeup of one task around two events of its waker that lie between them: it accounts for the time of
/// whoever runs, and sends an interrupt, with interrupts off all along.
fn waking_around<'s, 'a>(
    scene: &Scene<'s, 'a>,
    cpu: i16,
    [first, second]: [&'s Seen<'a>; 2],
) -> Option<[&'s Seen<'a>; 2]> {
    let is_part = |event: &&&Seen<'_>| {
        event.task_idx == first.task_idx && flags(event).has(Flags::IRQS_OFF) && !event.is_in_interrupt()
    };
    let before = scene.events(cpu, i64::MIN, first.t_ns).iter().rev();
    let before = before.filter(|event| event.seq <= first.seq).take_while(is_part);
    let waking = before.take(MAX_EVENTS_OF_WAKING).find(|event| event.waking().is_some())?;
    let behind = scene.events(cpu, second.t_ns, i64::MAX).iter();
    let behind = behind.filter(|event| event.seq >= second.seq).take_while(is_part);
    let wakeup = behind.take(MAX_EVENTS_OF_WAKING).find(|event| event.wakeup().is_some())?;
    (waking.waking()?.pid == wakeup.wakeup()?.pid).then_some([*waking, *wakeup])
}

/// Some event with interrupts off, and the end of the section that it lies in. The distance between a beginning and an
/// end says nothing: what lies between differs from section to section.
fn is_at_end_of_section(first: &Seen<'_>, second: &Seen<'_>) -> bool {
    let begins = matches!(first.role, Some(Role::IrqDisable | Role::IrqEnable | Role::PreemptDisable));
    second.role == Some(Role::IrqEnable) && !begins && flags(first).has(Flags::IRQS_OFF)
}

fn flags(event: &Seen<'_>) -> Flags {
    Flags(event.flags.cast_unsigned())
}
