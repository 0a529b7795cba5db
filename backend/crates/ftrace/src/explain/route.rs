//! On which CPU a case waited, from when to when.

use super::case::Case;
use super::context;
use super::span::Span;
use super::surroundings::Surroundings;
use super::why::{Way, is_fair};
use crate::analyses::{SliceFlags, SliceKind, Subject};
use crate::events::{Decoded, SwitchTask, WakenTask};

/// A stretch [start, end) of a case on one CPU, which may be an `Option` where not all are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg<Cpu = i16> {
    pub cpu: Cpu,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// The CPUs of a case one after the other, without a hole.
///
/// A task that waits waits on the CPU whose queue it is in. From its waking on that is the CPU that
/// `sched_wakeup` names: the scheduler chooses right after `sched_waking`, whose `target_cpu` is still the old
/// one (kernel/sched/core.c, `try_to_wake_up`). Each later `sched_migrate_task` takes it along; where moves were
/// not recorded, it is on another CPU from its first running there, or from when its own passed it over.
pub fn route(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Vec<Leg> {
    let (start_ns, end_ns) = (case.start_ns, case.end_ns());
    let mut moves = vec![(start_ns, case.kind.first_cpu(case))];
    if case.latency().subject == Subject::Task || case.start_cpu != case.cpu {
        // A task that is switched to has not run elsewhere until then; a later record that says so is contradicted.
        let waits = matches!(case.kind.way(), Way::Wait | Way::Sleeper);
        let is_contradicted =
            |span: &Span<'_>| waits && span.flags.has(SliceFlags::STARTED_BEFORE) && span.end_ns > end_ns;
        // No switch says that it got a CPU where only its events do.
        let is_seen_only = |span: &Span<'_>| span.flags.has_all(SliceFlags::BEGINS_UNSEEN);
        let is_own_run = |span: &&Span<'_>| {
            let is_own = span.kind == SliceKind::Sched && span.task_idx == case.task_idx;
            is_own && !is_contradicted(span) && !is_seen_only(span)
        };
        let runs = around.spans.iter().filter(is_own_run).map(|span| (span.start_ns, span.cpu));
        let inside = around.scheduled().filter(|(event, _)| (start_ns..end_ns).contains(&event.t_ns));
        let queued = inside.filter_map(|(event, scheduled)| Some((event.t_ns, queueing(case, scheduled?)?)));
        let stopped_ns = || stopper_end_ns(case, around).or_else(|| passed_over_ns(case, around));
        moves.extend(moves_of(case, &runs.collect::<Vec<_>>(), queued, stopped_ns));
        moves.extend(context::moves(case, around));
        moves.sort_by_key(|(t_ns, _)| *t_ns);
    }
    legs(moves, end_ns)
}

/// The CPUs up to an end, by what is said in the order of time: from when on it was which.
pub fn legs<Cpu: PartialEq>(moves: Vec<(i64, Cpu)>, end_ns: i64) -> Vec<Leg<Cpu>> {
    let mut legs: Vec<Leg<Cpu>> = Vec::new();
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

/// From when on the task of the case was on which CPU, in no order; by its runs, by what is recorded of it inside the
/// case, and by when the stopper of its first CPU was done.
pub fn moves_of(
    case: &Case<'_>,
    runs: &[(i64, i16)],
    queued: impl Iterator<Item = (i64, Queueing)>,
    stopped_ns: impl FnOnce() -> Option<i64>,
) -> Vec<(i64, i16)> {
    let mut moves = runs.to_vec();
    let mut waking: Option<Waking> = None;
    let first_run = |t_ns: i64| {
        let run = runs.iter().filter(|(start_ns, _)| t_ns <= *start_ns).min();
        run.map_or(case.cpu, |(_, cpu)| *cpu)
    };
    for (t_ns, queueing) in queued {
        match queueing {
            Queueing::Waking(old_cpu) => {
                moves.extend(waking.take().into_iter().flat_map(|waking| waking.without_wakeup(first_run)));
                waking = Some(Waking { t_ns, old_cpu, migrations: Vec::new() });
            }
            // What the scheduler moved between the two was on the way to this choice.
            Queueing::Wakeup(cpu) => {
                moves.push((waking.take().map_or(t_ns, |waking| waking.t_ns), cpu));
            }
            Queueing::Migration(cpu) => {
                waking.as_mut().map_or(&mut moves, |waking| &mut waking.migrations).push((t_ns, cpu));
            }
        }
    }
    moves.extend(waking.into_iter().flat_map(|waking| waking.without_wakeup(first_run)));
    // Where it runs at last says only that it was moved before.
    moves.retain(|(t_ns, _)| (case.start_ns..case.end_ns()).contains(t_ns));
    if moves.iter().all(|(_, cpu)| *cpu == case.start_cpu) {
        moves.extend(stopped_ns().map(|t_ns| (t_ns, case.cpu)));
    }
    moves
}

/// Where moves are not recorded: when the stopper that took a preempted task from its CPU was done.
fn stopper_end_ns(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<i64> {
    let is_stopper = |span: &&Span<'_>| {
        let comm = around.task(span.task_idx).map_or("", |task| task.comm);
        span.kind == SliceKind::Sched && span.cpu == case.start_cpu && is_stopper_comm(comm.as_bytes())
    };
    let stoppers = around.spans.iter().filter(is_stopper).filter(|_| case.start_cpu != case.cpu);
    stoppers.map(|span| span.end_ns).filter(|t_ns| (case.start_ns..case.end_ns()).contains(t_ns)).min()
}

/// Where moves are not recorded: when the first CPU of a task that ends up on another one passed it over, idle or for a task
/// that is less important for certain: it was no longer in its queue.
fn passed_over_ns(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<i64> {
    // Without wakings, it may have slept.
    let tells_wakings = around.records("sched_waking") || around.records("sched_wakeup");
    if case.start_cpu == case.cpu || around.records("sched_migrate_task") || !tells_wakings {
        return None;
    }
    let is_realtime = case.pid.and_then(|pid| around.prio(pid)).is_some_and(|prio| !is_fair(prio));
    let inside = around.scheduled().filter(|(event, _)| {
        event.cpu == case.start_cpu && case.start_ns < event.t_ns && event.t_ns < case.end_ns()
    });
    let mut switches = inside.filter_map(|(event, scheduled)| match scheduled {
        Some(Decoded::Switch(switch)) => Some((event.t_ns, switch.next)),
        _ => None,
    });
    let is_passed_over =
        |next: &SwitchTask<'_>| next.pid == 0 || is_realtime && next.prio.is_some_and(is_fair);
    switches.find(|(_, next)| is_passed_over(next)).map(|(t_ns, _)| t_ns)
}

/// The name of the task that moves others to another CPU, cut as a latency tracer cuts it or not.
pub fn is_stopper_comm(comm: &[u8]) -> bool {
    comm.starts_with(b"migration/") || comm == b"migratio"
}

/// A waking whose `sched_wakeup` has not come yet.
struct Waking {
    t_ns: i64,
    old_cpu: Option<i16>,
    migrations: Vec<(i64, i16)>,
}

impl Waking {
    /// Where it was from then on, if its `sched_wakeup` never comes.
    fn without_wakeup(self, first_run: impl Fn(i64) -> i16) -> impl Iterator<Item = (i64, i16)> {
        // A migration takes it from where it was.
        let old_cpu = self.old_cpu.filter(|_| !self.migrations.is_empty());
        let first_cpu = old_cpu.unwrap_or_else(|| first_run(self.t_ns));
        [(self.t_ns, first_cpu)].into_iter().chain(self.migrations)
    }
}

/// What puts a task into the queue of a CPU.
#[derive(Clone, Copy, Debug)]
pub enum Queueing {
    /// It names the CPU on which it was until then.
    Waking(Option<i16>),
    Wakeup(i16),
    Migration(i16),
}

fn queueing(case: &Case<'_>, scheduled: Decoded<'_>) -> Option<Queueing> {
    let is_own = |pid: i32| case.pid == Some(pid);
    let cpu = |task: WakenTask<'_>| task.target_cpu.and_then(|cpu| i16::try_from(cpu).ok());
    match scheduled {
        Decoded::Waking(task) => is_own(task.pid).then(|| Queueing::Waking(cpu(task))),
        Decoded::Wakeup(task) => cpu(task).filter(|_| is_own(task.pid)).map(Queueing::Wakeup),
        Decoded::Migration(migration) if is_own(migration.pid) => {
            Some(Queueing::Migration(i16::try_from(migration.cpu).ok()?))
        }
        _ => None,
    }
}
