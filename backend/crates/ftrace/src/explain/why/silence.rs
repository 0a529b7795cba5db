//! Where a task seems to have run, and the CPU took none of the ticks that were due.

use super::interrupt::{ON_ITS_WAY_NS, kept_away};
use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::mode::Mode;
use super::overdue::Overdue;
use super::scene::{SHORTEST_SILENCE_NS, Scene};
use super::stall::{Hole, LONG_STALL_NS, holes};

/// A silence says something that is so many times longer than timers of busy CPUs are late by as a rule.
const TIMES_LATER: i64 = 3;
/// The part of a stretch that is most of it.
const MOST_PERCENT: i64 = 60;
/// Three ticks of the slowest that kernels have, 100 Hz, after which the scheduler takes turns among fair tasks; and of
/// 250 Hz, where CPUs are known to stand still.
const LONG_TURN_NS: [i64; 2] = [30_000_000, 12_000_000];

/// A stretch [start, end) of a CPU that took no interrupt though one was due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Silence {
    pub start_ns: i64,
    pub end_ns: i64,
    /// The interrupt still did not come once interrupts were on again after the stretch.
    pub is_undelivered: bool,
}

impl Silence {
    pub fn of(Overdue { start_ns, end_ns }: Overdue) -> Self {
        Self { start_ns, end_ns, is_undelivered: false }
    }

    pub fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }
}

/// Stretches of [start, end) of a CPU in which a timer was due for so long that several ticks are missing, or that a CPU
/// that may stand still did so, and no event shows that the CPU ran. Where ticks are that late as a rule, none is.
pub fn silences(scene: &Scene<'_, '_>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Silence> {
    let mut found = Vec::new();
    let late = scene.late(cpu, start_ns, end_ns);
    let kept_away = late.kept_away.into_iter().map(|overdue| (overdue, false));
    for (overdue, is_undelivered) in kept_away.chain(late.undelivered.into_iter().map(|one| (one, true))) {
        // Its end is the interrupt, its start no event.
        for [first, second] in scene.neighbours(cpu, (overdue.start_ns, overdue.end_ns)) {
            let (from_ns, to_ns) = (first.t_ns.max(overdue.start_ns), second.t_ns.min(overdue.end_ns));
            let late_ns = to_ns.saturating_sub(from_ns);
            // The first tick that is missing was due a while after the last event.
            let is_without_ticks = scene.is_without_ticks(second.t_ns.saturating_sub(first.t_ns));
            let is_long = is_without_ticks || late_ns >= LONG_STALL_NS && scene.may_stand_still();
            // A stall is one, whatever was due in it.
            if !is_long || is_hole(scene, cpu, (from_ns, to_ns)) {
                continue;
            }
            // Where CPUs stand still all the time, so do late ones.
            let is_silent = is_without_ticks && scene.may_stand_still();
            if is_silent || usually_late_ns(scene, late_ns).saturating_mul(TIMES_LATER) <= late_ns {
                found.push(Silence { start_ns: from_ns, end_ns: to_ns, is_undelivered });
            }
        }
    }
    found.sort_unstable();
    // Several timers may have been due in one silence.
    let mut apart: Vec<Silence> = Vec::new();
    for silence in found {
        match apart.last_mut().filter(|last| silence.start_ns < last.end_ns) {
            Some(last) => {
                last.end_ns = last.end_ns.max(silence.end_ns);
                last.is_undelivered &= silence.is_undelivered;
            }
            None => apart.push(silence),
        }
    }
    apart
}

/// How late timers of busy CPUs are as a rule: on a machine that stands still all the time, those that it lets through. With
/// ticks alone, which call all timers, none is late by less than a part of a tick, and how late they are says nothing of that.
fn usually_late_ns(scene: &Scene<'_, '_>, late_ns: i64) -> i64 {
    let is_by_tick = scene.usuals.tick_ns(scene.around).is_none();
    let usual = scene.usual_expiry(false, late_ns);
    usual.map_or(0, |usual| if is_by_tick { usual.median_ns.max(1) } else { usual.yardstick_ns() })
}

/// Stretches of [start, end) in which a CPU took no interrupt though one was due, in order and apart.
pub fn all_silences(scene: &Scene<'_, '_>, cpu: i16, start_ns: i64, end_ns: i64) -> Vec<Silence> {
    // A silence may go on when the task no longer waits for this CPU.
    let behind = scene.events(cpu, end_ns, i64::MAX).first().map_or(end_ns, |event| event.t_ns);
    let pairs = scene.neighbours(cpu, (start_ns, behind));
    let silent = pairs.map(|[first, second]| (first.t_ns.max(start_ns), second.t_ns.min(end_ns)));
    let silent = silent.filter(|(from, to)| scene.is_without_ticks(to.saturating_sub(*from)));
    let overdue = scene.overdue(cpu, start_ns, end_ns).into_iter().filter(|one| {
        let late_ns = one.end_ns.saturating_sub(one.start_ns);
        usually_late_ns(scene, late_ns).saturating_mul(TIMES_LATER) <= late_ns
    });
    let overdue: Vec<(i64, i64)> = overdue.map(|one| (one.start_ns, one.end_ns)).collect();
    // Before the expiry of the timer that ends it a silence proves nothing, but for one that needs no timer.
    let silent = silent.map(|(from_ns, to_ns)| {
        let is_of = |due: &&(i64, i64)| from_ns < due.0 && due.0 < to_ns && to_ns <= due.1;
        let due = overdue.iter().find(is_of).filter(|_| !is_hole(scene, cpu, (from_ns, to_ns)));
        (due.map_or(from_ns, |due| due.0), to_ns)
    });
    let mut all: Vec<(i64, i64)> = silent.chain(overdue.iter().copied()).collect();
    all.sort_unstable();
    let mut apart: Vec<Silence> = Vec::new();
    for (start_ns, end_ns) in all {
        match apart.last_mut().filter(|last| start_ns <= last.end_ns) {
            Some(last) => last.end_ns = last.end_ns.max(end_ns),
            None => apart.push(Silence { start_ns, end_ns, is_undelivered: false }),
        }
    }
    // On its way to the next switch nothing is late.
    apart.retain(|silence| silence.duration_ns() >= ON_ITS_WAY_NS);
    apart
}

/// True where the CPU is said to have stood still all the while, for certain or perhaps.
fn is_hole(scene: &Scene<'_, '_>, cpu: i16, (from_ns, to_ns): (i64, i64)) -> bool {
    let holes = holes(scene, cpu, from_ns, to_ns);
    let is_said = |hole: &Hole<'_, '_>| !hole.is_in_callee || scene.may_stand_still();
    holes.iter().any(|one| is_said(one) && one.start_ns <= from_ns && to_ns <= one.end_ns)
}

/// True where no event shows that a CPU ran in most of [start, end), for as long as some stand still.
pub fn may_be_still(scene: &Scene<'_, '_>, cpu: i16, between: (i64, i64)) -> bool {
    let least_ns = if scene.may_stand_still() { LONG_STALL_NS } else { SHORTEST_SILENCE_NS };
    silence_ns(scene, cpu, between) >= least_ns
}

/// True where a task seems to have kept its CPU from another one for so long that ticks, which are not recorded, would have
/// ended its turn if it is a fair one, as its work would if it is the kernel's, and no event shows that the CPU ran.
pub fn is_silent_turn(scene: &Scene<'_, '_>, cpu: i16, (start_ns, end_ns): (i64, i64)) -> bool {
    let [slowest_ns, usual_ns] = LONG_TURN_NS;
    if end_ns.saturating_sub(start_ns) < usual_ns {
        return false;
    }
    let least_ns = if scene.may_stand_still() { usual_ns } else { slowest_ns };
    silence_ns(scene, cpu, (start_ns, end_ns)) >= least_ns && scene.usuals.tick_ns(scene.around).is_none()
}

/// The longest stretch of [start, end) without an event of its CPU, if that is most of it, else zero.
fn silence_ns(scene: &Scene<'_, '_>, cpu: i16, (start_ns, end_ns): (i64, i64)) -> i64 {
    let behind_ns = scene.events(cpu, end_ns, i64::MAX).first().map_or(end_ns, |event| event.t_ns);
    let pairs = scene.neighbours(cpu, (start_ns, behind_ns));
    let silent =
        pairs.map(|[first, second]| second.t_ns.min(end_ns).saturating_sub(first.t_ns.max(start_ns)));
    let whole_ns = end_ns.saturating_sub(start_ns);
    let is_most = |ns: &i64| ns.saturating_mul(100) >= whole_ns.saturating_mul(MOST_PERCENT);
    silent.max().filter(is_most).unwrap_or(0)
}

/// A link that says that a task or a softirq had its CPU, and instead of it interrupts off or a stall where one of `silences`
/// lies, which are in order and apart.
pub fn without<'a>(
    scene: &Scene<'_, 'a>,
    link: Link<'a>,
    subject: Subject,
    silences: &[Silence],
) -> Vec<Link<'a>> {
    let cpu = link.cpu;
    let mut links = Vec::new();
    let mut at_ns = link.start_ns;
    for Silence { start_ns: from_ns, end_ns: to_ns, is_undelivered } in silences.iter().copied() {
        let part = |mechanism| Link::new(mechanism, cpu, from_ns, to_ns);
        let off = part(Mechanism::IrqsOff).about(subject);
        let stall = part(Mechanism::Stall).about(Subject::Cpu(cpu));
        links.push(link.clone().between(at_ns, from_ns));
        links.push(match subject {
            // Its host did not even deliver the interrupt as interrupts were on again.
            Subject::Task(_) if is_undelivered && scene.is_guest() => {
                let after = scene.events(cpu, to_ns, i64::MAX).first().copied();
                stall.inferred().seen_by(scene.last_event(cpu, from_ns)).seen_by(after)
            }
            Subject::Task(idx) => kept_away(scene, scene.mode(idx, from_ns), off, stall),
            // Softirqs run with interrupts on; one of their functions may switch them off.
            _ => kept_away(scene, Mode::Kernel, off, stall).also(Mechanism::Stall),
        });
        at_ns = to_ns;
    }
    let end_ns = link.end_ns;
    links.push(link.between(at_ns, end_ns));
    links
}
