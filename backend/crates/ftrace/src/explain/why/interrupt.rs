//! Why an interrupt that was due at the start of a stretch came only at its end.

use super::held::told_by_itself;
use super::idle::{SLOW_TO_WAKE_NS, idle_exit, is_on_its_way_out, on_its_way_out};
use super::left_idle::has_left_idle;
use super::link::{Link, Subject};
use super::meanwhile::stopped_together;
use super::mechanism::Mechanism;
use super::mode::Mode;
use super::recorded::{ends, interrupt, section};
use super::scene::Scene;
use super::stall::LONG_STALL_NS;
use crate::analyses::Cause;
use crate::events::Role;
use crate::explain::blame::Held;
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;
use crate::model::Flags;

/// An interrupt that takes no longer than this is on its way, not late.
pub const ON_ITS_WAY_NS: i64 = 20_000;

/// A step of the clock of most traces.
const STEP_NS: i64 = 1_000;
/// Nor is one that comes sooner, unless others come sooner still by this factor.
const MIN_LATE_NS: i64 = 5_000;
const TIMES_LATER: i64 = 3;
/// Even on a slow CPU, an interrupt takes no longer to come than this unless something keeps it away.
pub const SLOWEST_WAY_NS: i64 = 100_000;
/// What may have been an interval with interrupts off at the end is one part in so many at most, else it is said.
const PARTS_OF_ON: i64 = 4;
/// With fewer timers than this it is not known how late they usually are.
const MIN_EXPIRIES: usize = 20;

/// The links of a stretch of a CPU at whose start an interrupt was due, which came at its end.
pub fn late_interrupt<'a>(scene: &Scene<'_, 'a>, leg: Leg) -> Vec<Link<'a>> {
    let is_late = is_late(scene, leg);
    // The loop of the idle task runs with preemption off.
    let is_of_idle = |held: &Held<'_>| held.span.is_some_and(|span| scene.around.is_idle_task(span.task_idx));
    let mut links = Vec::new();
    let mut left = scene.held(leg, None).into_iter();
    while let Some(held) = left.next() {
        // The record of an interrupt lies within it, and may be the only sign of its arrival.
        let is_last = left.as_slice().iter().all(|after| after.cause == Cause::Irq);
        match held.cause {
            Cause::Idle if is_between_interrupts(scene, leg, &held) => {
                let link = Link::new(Mechanism::Handler, leg.cpu, held.start_ns, held.end_ns);
                links.push(link.seen_by(ends(scene, leg.cpu, &held)));
            }
            Cause::Idle if is_stuck(scene, leg.cpu, &held) => {
                links.extend(on_its_way_out(scene, leg.cpu, held.start_ns, held.end_ns));
            }
            Cause::Idle => links.push(late_in_idle(scene, leg, &held)),
            Cause::Irqsoff => links.extend(section(scene, leg.cpu, &held, Mechanism::IrqsOff)),
            // Softirqs run with interrupts on.
            Cause::Softirq if is_late => links.extend(silent_softirq(scene, leg, &held)),
            Cause::Preemptoff if is_of_idle(&held) => links.push(late_in_idle(scene, leg, &held)),
            Cause::Task | Cause::Preemptoff | Cause::Itself => {
                let task = held.span.map(|span| span.task_idx);
                let mode = task.map_or(Mode::Unknown, |idx| scene.mode(idx, held.start_ns));
                let link = |mechanism| {
                    Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns).about_task_of(&held)
                };
                links.extend(silence(scene, leg, mode, link));
            }
            Cause::Unknown if is_last && is_silent(scene, leg.cpu, &held) => {
                links.extend(unrecorded(scene, Leg { end_ns: held.end_ns, ..leg }, &held));
            }
            Cause::Unknown if is_last && is_kept_away_in_task(scene, leg, &held) => {
                let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns);
                let of_cpu = |mechanism| link(mechanism).about(Subject::Cpu(leg.cpu));
                let leg = Leg { start_ns: held.start_ns, ..leg };
                links.extend(silence(scene, leg, Mode::Unknown, of_cpu));
            }
            _ => links
                .extend(told_by_itself(scene, leg.cpu, &held, Mechanism::OtherInterrupt).unwrap_or_default()),
        }
    }
    links
}

/// The short way of an idle CPU from one interrupt to the next, which was due already, or is by the next step of the trace's
/// clock: it is not back in an idle state.
fn is_between_interrupts(scene: &Scene<'_, '_>, leg: Leg, held: &Held<'_>) -> bool {
    let is_short = held.end_ns.saturating_sub(held.start_ns) < ON_ITS_WAY_NS;
    let from_ns =
        if leg.start_ns < held.start_ns { held.start_ns } else { held.start_ns.saturating_sub(STEP_NS) };
    let before = scene.events(leg.cpu, from_ns, held.start_ns);
    is_short && before.last().is_some_and(|event| event.ends_interrupt())
}

fn late_in_idle<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>) -> Link<'a> {
    let stall = || {
        let stall = Link::new(Mechanism::Stall, leg.cpu, held.start_ns, held.end_ns);
        stall.about(Subject::Cpu(leg.cpu)).inferred().seen_by(ends(scene, leg.cpu, held))
    };
    let is_long = held.end_ns.saturating_sub(held.start_ns) >= LONG_STALL_NS;
    if is_long && is_before_softirqs(scene, leg.cpu, held) {
        return stall();
    }
    on_softirq(scene, leg, held).unwrap_or_else(|| {
        if is_long && is_on_its_way_out(scene, leg.cpu, held.start_ns) {
            return stall();
        }
        let link = idle_exit(scene, leg.cpu, held);
        Link { usual: scene.usual_expiry(true, link.duration_ns()), ..link }
    })
}

/// True for a CPU that has left its idle state, and is silent for long, in whatever it was to do then.
fn is_stuck(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let is_long = held.end_ns.saturating_sub(held.start_ns) >= SLOW_TO_WAKE_NS;
    is_long && has_left_idle(scene, cpu, held.start_ns) && !is_before_softirqs(scene, cpu, held)
}

/// True for a silent CPU whose last event lies in an interrupt that had raised a softirq, and that runs none yet: it had no
/// way back to its idle state.
fn is_before_softirqs(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let is_silent = scene.events(cpu, held.start_ns, held.end_ns.saturating_sub(1)).is_empty();
    let before = scene.events(cpu, i64::MIN, held.start_ns.saturating_sub(1)).iter().rev();
    let mut inside = before.take_while(|event| event.is_in_hard_interrupt()).peekable();
    let is_told =
        scene.around.records("softirq_entry") && !scene.around.has_losses(held.start_ns, held.end_ns);
    let is_seen = |last: &&&Seen<'_>| !scene.around.is_unseen_between(last.t_ns, held.end_ns);
    is_silent
        && is_told
        && inside.peek().is_some_and(is_seen)
        && inside.any(|event| event.role == Some(Role::SoftirqRaise))
}

/// True where the interrupt was not simply on its way: so long none is, nor so much longer than others of this
/// recording.
fn is_late(scene: &Scene<'_, '_>, leg: Leg) -> bool {
    let late_ns = leg.end_ns.saturating_sub(leg.start_ns);
    let is_usual = || late_ns < SLOWEST_WAY_NS && is_usual(scene, late_ns);
    match late_ns >= ON_ITS_WAY_NS {
        true => !is_usual(),
        false => late_ns >= MIN_LATE_NS && is_unusual(scene, leg, false) == Some(true),
    }
}

/// True for as late as timers of busy CPUs of this recording are as a rule: on a slow machine they all are.
fn is_usual(scene: &Scene<'_, '_>, late_ns: i64) -> bool {
    let usual = scene.usual_expiry(false, late_ns).filter(|usual| usual.count >= MIN_EXPIRIES);
    usual.is_some_and(|usual| usual.includes(late_ns))
}

/// Whether other timers of this recording come several times sooner, on idle CPUs or on others; of few it is not known.
fn is_unusual(scene: &Scene<'_, '_>, leg: Leg, is_idle: bool) -> Option<bool> {
    let late_ns = leg.end_ns.saturating_sub(leg.start_ns);
    let usual = scene.usual_expiry(is_idle, late_ns).filter(|usual| usual.count >= MIN_EXPIRIES)?;
    Some(late_ns >= usual.median_ns.max(1).saturating_mul(TIMES_LATER))
}

/// Nothing happened on the CPU until the interrupt came, although noise is recorded: other interrupts would have
/// shown themselves. The task that had interrupts off still has the CPU when they are on again.
fn is_silent(scene: &Scene<'_, '_>, cpu: i16, held: &Held<'_>) -> bool {
    let is_begun = held.start_ns >= 0 && held.span.is_none() && !scene.around.is_switched(cpu);
    let between = scene.events(cpu, held.start_ns.saturating_add(1), held.end_ns.saturating_sub(1));
    is_begun
        && between.is_empty()
        && !scene.around.is_unseen_between(held.start_ns, held.end_ns)
        && scene.around.records("irq_noise")
        && !scene.around.has_losses(held.start_ns, held.end_ns)
        && came_into(scene, cpu, held.end_ns).is_some()
}

/// True of the end of a stretch of which no record says what ran, and in which an interrupt that came at last, and not to
/// an idle CPU, was due for so long that something kept it away: whichever task it came into, others may have run before.
fn is_kept_away_in_task(scene: &Scene<'_, '_>, leg: Leg, held: &Held<'_>) -> bool {
    let is_idle = |after: &Seen<'_>| scene.around.is_idle_task(after.task_idx);
    let after = came_into(scene, leg.cpu, leg.end_ns).filter(|after| !is_idle(after));
    held.start_ns >= 0
        && held.span.is_none()
        && held.end_ns.saturating_sub(held.start_ns) >= SLOWEST_WAY_NS
        && after.is_some()
        && !scene.around.has_losses(held.start_ns, held.end_ns)
}

/// The event that says into which task an interrupt came.
fn came_into<'s, 'a>(scene: &Scene<'s, 'a>, cpu: i16, came_ns: i64) -> Option<&'s Seen<'a>> {
    let after = scene.events(cpu, came_ns, i64::MAX).first().copied();
    after.filter(|event| event.is_in_hard_interrupt())
}

/// The stretch up to an interrupt that came on top of a softirq: its CPU had left its idle state before, at a time
/// that is not recorded.
fn on_softirq<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>) -> Option<Link<'a>> {
    let after = came_into(scene, leg.cpu, leg.end_ns).filter(|_| held.end_ns == leg.end_ns)?;
    let mechanism = if is_late(scene, leg) { Mechanism::Unknown } else { Mechanism::Handler };
    let link = Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns).seen_by([after]);
    Flags(after.flags.cast_unsigned()).has(Flags::SOFTIRQ).then_some(link)
}

/// Without switches, only the interrupt says what it interrupted.
fn unrecorded<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>) -> Vec<Link<'a>> {
    let link = |mechanism| Link::new(mechanism, leg.cpu, held.start_ns, held.end_ns);
    let Some(after) = came_into(scene, leg.cpu, leg.end_ns) else {
        return vec![link(Mechanism::Unknown)];
    };
    // As on a slow machine: it was on its way.
    if is_unusual(scene, leg, scene.around.is_idle_task(after.task_idx)) == Some(false) {
        return vec![link(Mechanism::Handler).seen_by([after])];
    }
    if scene.around.is_idle_task(after.task_idx) {
        let idle = || link(Mechanism::IdleExit).about(Subject::Cpu(leg.cpu)).seen_by([after]).inferred();
        return vec![on_softirq(scene, leg, held).unwrap_or_else(idle)];
    }
    let mode = scene.mode(after.task_idx, held.start_ns);
    let of_task = |mechanism| link(mechanism).about(Subject::Task(after.task_idx));
    silence(scene, Leg { start_ns: held.start_ns, ..leg }, mode, of_task)
}

fn silent_softirq<'a>(scene: &Scene<'_, 'a>, leg: Leg, held: &Held<'a>) -> Vec<Link<'a>> {
    let links = interrupt(scene, leg.cpu, held, Mechanism::OtherInterrupt).into_iter();
    let parts = links.flat_map(|link| {
        if matches!(link.mechanism, Mechanism::Stall | Mechanism::IrqsOff) {
            return vec![link];
        }
        let found = silence(scene, leg, Mode::Kernel, |mechanism| {
            let subject = link.subject.filter(|_| mechanism != Mechanism::Stall);
            Link { mechanism, subject, evidence: Vec::new(), ..link.clone() }
        });
        // Softirqs run with interrupts on; one of their functions may switch them off.
        let is_off = |link: &Link<'_>| link.mechanism == Mechanism::IrqsOff;
        found.into_iter().map(|link| if is_off(&link) { link.also(Mechanism::Stall) } else { link }).collect()
    });
    parts.collect()
}

/// An interrupt was due at the start of `leg`, and came at its end. Up to the last event with interrupts on behind which it
/// did not come, it was not delivered; after that, they were off or the CPU stood still. `link` makes the link of a
/// mechanism, about the task that had the CPU.
fn silence<'a>(
    scene: &Scene<'_, 'a>,
    leg: Leg,
    mode: Mode,
    link: impl Fn(Mechanism) -> Link<'a>,
) -> Vec<Link<'a>> {
    if !is_late(scene, leg) {
        return vec![link(Mechanism::Handler)];
    }
    if scene.around.is_unseen_between(leg.start_ns, leg.end_ns) {
        return vec![link(Mechanism::Unknown)];
    }
    let stall = || link(Mechanism::Stall).about(Subject::Cpu(leg.cpu));
    let between = scene.events(leg.cpu, leg.start_ns, leg.end_ns.saturating_sub(1));
    let is_on = |event: &&&Seen<'_>| {
        let flags = Flags(event.flags.cast_unsigned());
        lets_others_come(scene, event) || flags.has(Flags::KNOWN) && !flags.has(Flags::IRQS_OFF)
    };
    // One that was due comes soon after they are on again: only where it stays away were they on all the while.
    let is_on_its_way = |from_ns: i64, to_ns: i64| to_ns.saturating_sub(from_ns) < ON_ITS_WAY_NS;
    let late_ns = leg.end_ns.saturating_sub(leg.start_ns);
    let stays_away =
        |event: &&&Seen<'_>| leg.end_ns.saturating_sub(event.t_ns).saturating_mul(PARTS_OF_ON) >= late_ns;
    let has_not_come = |event: &&&Seen<'_>| is_on(event) && !is_on_its_way(event.t_ns, leg.end_ns);
    let on = between.iter().rfind(has_not_come).filter(|event| !is_on_its_way(leg.start_ns, event.t_ns));
    let Some(on) = on.filter(|_| between.iter().find(is_on).is_some_and(|first| stays_away(&first))) else {
        return vec![kept_away(scene, mode, link(Mechanism::IrqsOff), stall())];
    };
    let rest_ns = leg.end_ns.saturating_sub(on.t_ns);
    let is_rest = rest_ns.saturating_mul(PARTS_OF_ON) < on.t_ns.saturating_sub(leg.start_ns);
    let is_at_end = is_rest && between.iter().rfind(is_on).is_some_and(|last| last.seq != on.seq);
    let until_ns = if is_at_end { leg.end_ns } else { on.t_ns };
    let mut links = undelivered(scene, &link(Mechanism::Unknown).between(leg.start_ns, until_ns), on);
    if until_ns < leg.end_ns {
        let [off, stall] = [link(Mechanism::IrqsOff), stall()].map(|link| link.between(until_ns, leg.end_ns));
        links.push(kept_away(scene, mode, off, stall));
    }
    links
}

/// True for the end of an interrupt that no other one follows: one that was due would have come then.
fn lets_others_come(scene: &Scene<'_, '_>, event: &Seen<'_>) -> bool {
    let behind_ns = event.t_ns.saturating_add(ON_ITS_WAY_NS);
    let mut behind =
        scene.events(event.cpu, event.t_ns, behind_ns).iter().filter(|other| other.seq > event.seq);
    event.ends_interrupt() && event.is_in_hard_interrupt() && !behind.any(|other| other.begins_interrupt())
}

/// The stretch up to an event with interrupts on in which an interrupt was due: its CPU could have taken it, unless no event
/// shows that it ran at all, and it is a guest's, or the other CPU did not run either.
fn undelivered<'a>(scene: &Scene<'_, 'a>, whole: &Link<'a>, on: &Seen<'a>) -> Vec<Link<'a>> {
    // The task that had the CPU then has nothing to do with it.
    let undelivered = Link { subject: None, is_undelivered: true, ..whole.clone() }.inferred().seen_by([on]);
    let mut links = Vec::new();
    let mut at_ns = whole.start_ns;
    for [first, second] in scene.neighbours(whole.cpu, (whole.start_ns, whole.end_ns)) {
        let is_silent = second.t_ns.saturating_sub(first.t_ns) >= LONG_STALL_NS;
        let silent = (first.t_ns.max(whole.start_ns), second.t_ns.min(whole.end_ns));
        if is_silent && (scene.is_guest() || stopped_together(scene, whole.cpu, silent)) {
            let stall = Link::new(Mechanism::Stall, whole.cpu, whole.start_ns, whole.end_ns);
            let stall = stall.between(first.t_ns, second.t_ns).about(Subject::Cpu(whole.cpu)).inferred();
            links.push(undelivered.clone().between(at_ns, stall.start_ns));
            at_ns = stall.end_ns;
            links.push(stall.seen_by([first, second]));
        }
    }
    links.push(undelivered.between(at_ns, whole.end_ns));
    links.retain(|link| link.duration_ns() > 0);
    links
}

/// An interrupt was due during all of `off`, which says who had the CPU, and did not come: interrupts were off, or
/// the CPU stood still, whichever its mode allows.
pub fn kept_away<'a>(scene: &Scene<'_, 'a>, mode: Mode, off: Link<'a>, stall: Link<'a>) -> Link<'a> {
    let before = scene.last_event(off.cpu, off.start_ns);
    let after = scene.events(off.cpu, off.end_ns, i64::MAX).first().copied();
    // The interrupt also says what it interrupted: no task in user space has preemption off.
    let is_in_kernel = after.is_some_and(|event| scene.interrupts_kernel(event));
    let is_shared = scene.may_stand_still() && stopped_together(scene, off.cpu, (off.start_ns, off.end_ns));
    // On any machine its firmware may stop a CPU for long.
    let is_short = off.duration_ns() < LONG_STALL_NS;
    let is_off = is_short || before.is_some_and(|event| is_off_in_task(event, &off));
    let found = match mode {
        Mode::Kernel if is_off && !scene.may_stand_still() => off,
        Mode::User if !is_in_kernel => stall,
        Mode::User | Mode::Unknown if is_shared => stall,
        Mode::Kernel | Mode::User | Mode::Unknown => off.also(Mechanism::Stall),
    };
    let from_ns = before.map_or(found.start_ns, |event| event.t_ns);
    // Before the interrupt was due, a silence proves nothing: the task that had the CPU may have run in user space.
    let bounds = (found.mechanism == Mechanism::IrqsOff).then_some((from_ns, found.end_ns));
    Link { bounds, ..found.inferred().seen_by(before).seen_by(after) }
}

/// True for an event that shows the task of a link to have switched interrupts off.
fn is_off_in_task(event: &Seen<'_>, link: &Link<'_>) -> bool {
    let flags = Flags(event.flags.cast_unsigned());
    flags.has(Flags::IRQS_OFF)
        && !event.is_in_interrupt()
        && link.subject == Some(Subject::Task(event.task_idx))
}
