//! What the other CPU of a guest did while one stood still: a host that is short of CPUs runs one of them at a time.

use super::scene::Scene;
use super::stall::{LONG_STALL_NS, holes};

/// The other one stood still for so much of the stretch.
const STILL_PERCENT: i64 = 60;
/// Two CPUs that stopped together stand still for so much of the stretch.
const STOPPED_PERCENT: i64 = 80;

/// Two CPUs that were held together go on within this time of each other,
const TOGETHER_NS: i64 = 100_000;
/// or within one part in this many of the time for which they were held.
const PART_TOGETHER: i64 = 16;

/// What the other one of two CPUs did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    Ran(i16),
    /// For so long of the case, which may be more than the stretch.
    StoodStill(i16, i64),
}

/// `None` where there is no other CPU or more than one, where it was idle and no timer of it was due, and where its events
/// do not say.
pub fn meanwhile(scene: &Scene<'_, '_>, cpu: i16, start_ns: i64, end_ns: i64) -> Option<Meanwhile> {
    let other = scene.other_cpu(cpu)?;
    let overdue = scene.overdue(other, start_ns, end_ns).into_iter();
    let overdue_ns: i64 = overdue.map(|one| one.end_ns.saturating_sub(one.start_ns)).sum();
    // A CPU that took no interrupt for a quarter of it did not run all the while.
    let is_late = overdue_ns.saturating_mul(4) >= end_ns.saturating_sub(start_ns);
    if !is_late && has_run(scene, other, start_ns, end_ns) {
        return Some(Meanwhile::Ran(other));
    }
    let holes = holes(scene, other, start_ns, end_ns);
    let inside_ns = |from_ns: i64, to_ns: i64| {
        holes.iter().fold(0_i64, |sum, hole| {
            let inside_ns = hole.end_ns.min(to_ns).saturating_sub(hole.start_ns.max(from_ns));
            sum.saturating_add(inside_ns.max(0))
        })
    };
    let still_ns = inside_ns(start_ns, end_ns).max(overdue_ns);
    let least_ns = end_ns.saturating_sub(start_ns).saturating_mul(STILL_PERCENT);
    let of_case_ns = inside_ns(scene.case.start_ns, scene.case.end_ns()).max(overdue_ns);
    let is_still = still_ns.saturating_mul(100) >= least_ns;
    is_still.then_some(Meanwhile::StoodStill(other, of_case_ns))
}

/// True where the other one of two CPUs took no interrupt either, though one was due nearly all the time, and both went on
/// at once: no task keeps interrupts from both.
pub fn stopped_together(scene: &Scene<'_, '_>, cpu: i16, (start_ns, end_ns): (i64, i64)) -> bool {
    let Some(other) = scene.other_cpu(cpu).filter(|_| end_ns.saturating_sub(start_ns) >= LONG_STALL_NS)
    else {
        return false;
    };
    let together_ns = TOGETHER_NS.max(end_ns.saturating_sub(start_ns).div_euclid(PART_TOGETHER));
    // One that goes on longer ends beyond.
    let reach_ns = end_ns.saturating_add(together_ns).saturating_add(1);
    let mut overdue = scene.overdue(other, start_ns, reach_ns).into_iter();
    overdue.any(|one| {
        let still_ns = one.end_ns.min(end_ns).saturating_sub(one.start_ns.max(start_ns));
        let least_ns = end_ns.saturating_sub(start_ns).saturating_mul(STOPPED_PERCENT);
        let is_together = end_ns.saturating_sub(one.end_ns).abs() <= together_ns;
        let inside = || {
            scene.events(other, one.start_ns.max(start_ns).saturating_add(1), one.end_ns.saturating_sub(1))
        };
        is_together && still_ns.saturating_mul(100) >= least_ns && inside().is_empty()
    })
}

/// True where tasks have events all over the stretch: no silence lasts a third of it.
fn has_run(scene: &Scene<'_, '_>, cpu: i16, start_ns: i64, end_ns: i64) -> bool {
    let inside = scene.events(cpu, start_ns, end_ns);
    let of_tasks = inside.iter().filter(|event| !scene.around.is_idle_task(event.task_idx));
    let times = of_tasks.map(|event| event.t_ns).chain([end_ns]);
    let silences = times.scan(start_ns, |last_ns, t_ns| {
        let silence_ns = t_ns.saturating_sub(*last_ns);
        *last_ns = t_ns;
        Some(silence_ns)
    });
    silences.max().is_some_and(|longest_ns| longest_ns.saturating_mul(3) < end_ns.saturating_sub(start_ns))
}
