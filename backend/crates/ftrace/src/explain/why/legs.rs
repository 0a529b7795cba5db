//! On which CPUs a task was that is followed back in time, as the waker of another one.

use super::scene::Scene;
use crate::analyses::SliceKind;
use crate::events::Decoded;
use crate::explain::route::{Leg, legs};

/// On which CPUs a task was until it was on one, by where it ran, and to where it was moved in between.
pub fn legs_of(
    scene: &Scene<'_, '_>,
    (task_idx, cpu): (i32, i16),
    (start_ns, end_ns): (i64, i64),
) -> Vec<Leg> {
    let runs = scene.around.seen_spans().filter(|span| {
        span.kind == SliceKind::Sched && span.task_idx == task_idx && span.overlap_ns(start_ns, end_ns) > 0
    });
    let mut runs: Vec<(i64, i16)> = runs.map(|span| (span.end_ns.min(end_ns), span.cpu)).collect();
    runs.sort_unstable();
    let migrations = migrations(scene, task_idx, (start_ns, end_ns));
    let mut moves: Vec<(i64, i16)> = Vec::new();
    let mut at_ns = start_ns;
    for (to_ns, ran_on) in runs {
        let inside = migrations.iter().filter(|(t_ns, ..)| at_ns <= *t_ns && *t_ns < to_ns);
        // Without moves, it waited for the CPU on which it ran next.
        let first = inside.clone().next().map_or(ran_on, |(_, from, _)| *from);
        moves.push((at_ns, first));
        moves.extend(inside.map(|(t_ns, _, to)| (*t_ns, *to)));
        at_ns = to_ns;
    }
    if moves.is_empty() {
        moves.push((start_ns, cpu));
    }
    moves.extend(migrations.iter().filter(|(t_ns, ..)| at_ns <= *t_ns).map(|(t_ns, _, to)| (*t_ns, *to)));
    legs(moves, end_ns)
}

/// When a task was moved, from which CPU and to which; as it is woken, from its waking on.
fn migrations(scene: &Scene<'_, '_>, task_idx: i32, (start_ns, end_ns): (i64, i64)) -> Vec<(i64, i16, i16)> {
    let pid = scene.pid(task_idx);
    let inside = scene.around.scheduled().filter(|(event, _)| (start_ns..end_ns).contains(&event.t_ns));
    let mut waking_ns = None;
    let mut found = Vec::new();
    for (event, scheduled) in inside {
        match scheduled {
            Some(Decoded::Waking(task)) if Some(task.pid) == pid => waking_ns = Some(event.t_ns),
            Some(Decoded::Wakeup(task)) if Some(task.pid) == pid => waking_ns = None,
            Some(Decoded::Migration(moved)) if Some(moved.pid) == pid => {
                let cpu = |cpu: u16| i16::try_from(cpu).ok();
                let cpus = moved.from_cpu.and_then(cpu).zip(cpu(moved.cpu));
                let t_ns = waking_ns.take().unwrap_or(event.t_ns);
                found.extend(cpus.map(|(from, to)| (t_ns, from, to)));
            }
            _ => {}
        }
    }
    found
}
