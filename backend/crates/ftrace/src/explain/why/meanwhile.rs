//! What the other CPU of a guest did while one stood still: a host that is short of CPUs runs one of them at a time.

use super::scene::Scene;
use super::stall::holes;

/// The other one stood still for so much of the stretch.
const STILL_PERCENT: i64 = 80;

/// What the other one of two CPUs did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    Ran(i16),
    StoodStill(i16),
}

/// `None` where there is no other CPU or more than one, where it was idle and no timer of it was due, and where its events
/// do not say.
pub fn meanwhile(scene: &Scene<'_, '_>, cpu: i16, start_ns: i64, end_ns: i64) -> Option<Meanwhile> {
    let other = scene.other_cpu(cpu)?;
    if has_run(scene, other, start_ns, end_ns) {
        return Some(Meanwhile::Ran(other));
    }
    let still_ns = holes(scene, other, start_ns, end_ns).iter().fold(0_i64, |sum, hole| {
        let inside_ns = hole.end_ns.min(end_ns).saturating_sub(hole.start_ns.max(start_ns));
        sum.saturating_add(inside_ns.max(0))
    });
    let overdue = scene.overdue(other, start_ns, end_ns).into_iter();
    let overdue_ns: i64 = overdue.map(|one| one.end_ns.saturating_sub(one.start_ns)).sum();
    let still_ns = still_ns.max(overdue_ns);
    let least_ns = end_ns.saturating_sub(start_ns).saturating_mul(STILL_PERCENT);
    (still_ns.saturating_mul(100) >= least_ns).then_some(Meanwhile::StoodStill(other))
}

/// True where tasks have events all over the stretch: no silence lasts half of it.
fn has_run(scene: &Scene<'_, '_>, cpu: i16, start_ns: i64, end_ns: i64) -> bool {
    let inside = scene.events(cpu, start_ns, end_ns);
    let of_tasks = inside.iter().filter(|event| !scene.around.is_idle_task(event.task_idx));
    let times = of_tasks.map(|event| event.t_ns).chain([end_ns]);
    let silences = times.scan(start_ns, |last_ns, t_ns| {
        let silence_ns = t_ns.saturating_sub(*last_ns);
        *last_ns = t_ns;
        Some(silence_ns)
    });
    silences.max().is_some_and(|longest_ns| longest_ns.saturating_mul(2) < end_ns.saturating_sub(start_ns))
}
