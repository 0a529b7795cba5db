//! On which CPU a case waited, from when to when.

use super::case::Case;
use super::surroundings::Surroundings;
use crate::analyses::{SliceKind, Subject};
use crate::events::migration;

/// A stretch [start, end) of a case on one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    pub cpu: i16,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// The CPUs of a case one after the other, without a hole.
///
/// A task that waits waits on the CPU whose queue it is in: the one that its waking chose. It is on another
/// one from the `sched_migrate_task` that takes it there; where that was not recorded, from its
/// first running there.
pub fn route(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<Leg> {
    let (start_ns, end_ns) = (case.start_ns, case.end_ns());
    let mut moves = vec![(start_ns, first_cpu(case, around))];
    if case.latency().subject == Subject::Task && case.start_cpu != case.cpu || is_migrated(case) {
        moves.extend(moves_of(case, around));
        moves.sort_by_key(|(t_ns, _)| *t_ns);
    }
    let mut legs: Vec<Leg> = Vec::new();
    for (t_ns, cpu) in moves {
        match legs.last_mut() {
            Some(last) if last.cpu == cpu => {}
            Some(last) => {
                last.end_ns = t_ns;
                legs.push(Leg { cpu, start_ns: t_ns, end_ns });
            }
            None => legs.push(Leg { cpu, start_ns: t_ns, end_ns }),
        }
    }
    legs.retain(|leg| leg.start_ns < leg.end_ns);
    legs
}

fn is_migrated(case: &Case<'_>) -> bool {
    case.flags.has(crate::analyses::SampleFlags::MIGRATED)
}

/// Where it began to wait.
fn first_cpu(case: &Case<'_>, around: &Surroundings<'_, '_>) -> i16 {
    let mut at_start = around.events.iter().filter(|event| event.t_ns == case.start_ns);
    let chosen = at_start.find_map(|event| {
        let task = event.waking().or_else(|| event.wakeup()).filter(|task| is_own(case, task.pid))?;
        i16::try_from(task.target_cpu?).ok()
    });
    case.kind.first_cpu(case, chosen)
}

fn is_own(case: &Case<'_>, pid: i32) -> bool {
    case.pid == Some(pid)
}

fn moves_of(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<(i64, i16)> {
    let is_inside = |t_ns: i64| case.start_ns < t_ns && t_ns < case.end_ns();
    let mut moves = Vec::new();
    for event in around.events.iter().filter(|event| is_inside(event.t_ns)) {
        let cpu = match event.waking() {
            Some(task) if is_own(case, task.pid) => task.target_cpu,
            _ if around.event_name(event) == "sched_migrate_task" => {
                let (pid, cpu) = migration(event.args.as_bytes()).unzip();
                cpu.filter(|_| pid.is_some_and(|pid| is_own(case, pid)))
            }
            _ => None,
        };
        moves.extend(cpu.and_then(|cpu| i16::try_from(cpu).ok()).map(|cpu| (event.t_ns, cpu)));
    }
    let ran =
        around.spans.iter().filter(|span| span.kind == SliceKind::Sched && span.task_idx == case.task_idx);
    moves.extend(ran.filter(|span| is_inside(span.start_ns)).map(|span| (span.start_ns, span.cpu)));
    moves
}
