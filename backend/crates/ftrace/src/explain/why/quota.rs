//! Tasks that their cgroup's limit of CPU time keeps from running (kernel/sched/fair.c, "CFS bandwidth control").
//!
//! No event says so. It shows where a CPU has nothing to run although the task is in its queue, or where the task runs
//! by the next tick after the timer that refills such budgets, after others of no more importance had far more than a turn.

use std::collections::BTreeMap;

use super::link::{Link, Subject};
use super::mechanism::Mechanism;
use super::priority::is_fair;
use super::scene::Scene;
use super::throttle::ONE_AFTER_THE_OTHER_NS;
use super::wait::Waiter;
use crate::events::SwitchTask;
use crate::explain::route::Leg;
use crate::explain::surroundings::Seen;

/// The timers that give cgroups their time again.
const REFILLS: [&[u8]; 2] = [b"sched_cfs_period_timer", b"sched_cfs_slack_timer"];
/// A busy CPU chooses again by its next tick (250 Hz): only an idle one is asked at once.
const NEXT_TICK_NS: i64 = 4_100_000;
/// Since Linux 6.18, a task whose cgroup has no time left may still run up to its return to user space.
const IN_KERNEL_NS: i64 = 1_000_000;
/// No fair task has the CPU for so long while one like it waits.
const UNFAIR_NS: i64 = 12_000_000;

/// The link over which the limit of its cgroup kept a fair task from running that was in the queue of a CPU.
///
/// Only tasks that run use time up. So the limit was reached when a task of the cgroup ran last on that CPU: the task
/// itself, or a thread with its name; which tasks are in a cgroup is not recorded.
pub fn limited<'s, 'a>(scene: &Scene<'s, 'a>, waiter: &Waiter<'s, 'a>, leg: Leg) -> Option<Link<'a>> {
    let is_told = scene.tells_wakings && scene.around.records("sched_switch");
    let queued = waiter.queued.filter(|_| is_told && waiter.is_queued_on(scene, leg.cpu))?;
    let queued_ns = queued.t_ns.max(leg.start_ns);
    let is_short = leg.end_ns.saturating_sub(queued_ns) < ONE_AFTER_THE_OTHER_NS;
    if is_short || !scene.prio(waiter.task_idx, queued_ns).is_some_and(is_fair) {
        return None;
    }
    // Of other CPUs, the task was none of those that are missing.
    let is_lost =
        scene.around.losses(leg.cpu).any(|loss| loss.start_ns < leg.end_ns && queued_ns <= loss.end_ns);
    if is_lost || scene.around.is_unseen_between(queued_ns, leg.end_ns) {
        return None;
    }
    // What is looked at may begin when the CPU has chosen long since.
    let since_ns = if waiter.waits_here(scene, queued, leg) { queued.t_ns } else { queued_ns };
    let turns = Turns::of(scene, leg.cpu, since_ns, leg.end_ns);
    let mut idle = turns.idle(waiter.pid, queued, since_ns);
    idle.retain(|turn| turn.to_ns > queued_ns);
    let idle: Vec<&Seen<'_>> = idle.into_iter().map(|turn| turn.event).collect();
    // Right before it runs, unless a CPU without work has told it already.
    let refill_from_ns = idle.last().map_or(leg.end_ns.saturating_sub(NEXT_TICK_NS), |event| event.t_ns);
    let refills = refills(scene, refill_from_ns.max(queued_ns), leg.end_ns);
    let last = refills.first().copied();
    let seen_ns = idle.first().copied().or(last)?.t_ns;
    let from_ns = turns.end_of_group_ns(scene, waiter, seen_ns).unwrap_or(queued_ns).max(queued_ns);
    // Of nested cgroups with limits each has its timer: that of the one with time left tells nothing.
    let first = refills.iter().find(|refill| !is_second(scene, refill, from_ns)).copied();
    let refill = first.or(last);
    let until_ns = refill.map_or(leg.end_ns, |event| event.t_ns);
    let is_unfair = || {
        let runs = |event: &&Seen<'_>| event.switch().is_some_and(|switch| switch.next.pid == waiter.pid);
        let prio = scene.prio(waiter.task_idx, queued_ns).unwrap_or_default();
        scene.events(leg.cpu, leg.end_ns, leg.end_ns).iter().any(runs)
            && turns.longest_ns(prio, (from_ns, until_ns)) >= UNFAIR_NS
            && first.is_some()
    };
    let is_meant = from_ns < until_ns && (!idle.is_empty() || is_unfair());
    let link = Link::new(Mechanism::Throttled, leg.cpu, from_ns, until_ns);
    let link = link.inferred().about(Subject::Task(waiter.task_idx)).seen_by(idle.into_iter().take(1));
    is_meant.then(|| link.seen_by(refill))
}

/// Those on any CPU in [from, to], the last one first.
fn refills<'s, 'a>(scene: &Scene<'s, 'a>, from_ns: i64, to_ns: i64) -> Vec<&'s Seen<'a>> {
    let before = scene.around.events.iter().rev().skip_while(|event| event.t_ns > to_ns);
    before.take_while(|event| event.t_ns >= from_ns).filter(|event| is_refill(event)).collect()
}

fn is_refill(event: &Seen<'_>) -> bool {
    event.timer_expiry().is_some_and(|expiry| REFILLS.contains(&expiry.function))
}

/// True where the same timer fired during a wait already: it would have ended that.
fn is_second(scene: &Scene<'_, '_>, refill: &Seen<'_>, from_ns: i64) -> bool {
    let timer = |event: &Seen<'_>| event.timer_expiry().map(|expiry| expiry.timer);
    let during = scene.around.events.iter().filter(|event| from_ns < event.t_ns && event.seq < refill.seq);
    during.filter(|event| is_refill(event)).any(|event| timer(event) == timer(refill))
}

/// A switch to a task, and until when that had the CPU.
struct Turn<'s, 'a> {
    event: &'s Seen<'a>,
    task: SwitchTask<'a>,
    to_ns: i64,
}

/// Who had a CPU while a task waited.
struct Turns<'s, 'a>(Vec<Turn<'s, 'a>>);

impl<'s, 'a> Turns<'s, 'a> {
    fn of(scene: &Scene<'s, 'a>, cpu: i16, start_ns: i64, end_ns: i64) -> Self {
        let mut turns: Vec<Turn<'s, 'a>> = Vec::new();
        for event in scene.events(cpu, start_ns, end_ns.saturating_sub(1)) {
            let Some(switch) = event.switch() else { continue };
            if let Some(last) = turns.last_mut() {
                last.to_ns = event.t_ns;
            }
            turns.push(Turn { event, task: switch.next, to_ns: end_ns });
        }
        Self(turns)
    }

    /// The switches by which the CPU went idle, though `waiter` was in its queue, into which it was put by an event.
    fn idle(&self, waiter: i32, queued: &Seen<'_>, queued_ns: i64) -> Vec<&Turn<'s, 'a>> {
        let is_put = queued.switch().is_some() || queued.wakeup().is_some();
        let is_chosen = |turn: &&Turn<'_, '_>| {
            let is_far = turn.event.t_ns.saturating_sub(queued_ns) >= ONE_AFTER_THE_OTHER_NS;
            let is_behind = is_far || is_put && turn.event.cpu == queued.cpu && turn.event.seq > queued.seq;
            let is_long = turn.to_ns.saturating_sub(turn.event.t_ns) >= ONE_AFTER_THE_OTHER_NS;
            let is_own = || turn.event.switch().is_some_and(|switch| switch.prev.pid == waiter);
            turn.task.pid == 0 && is_long && (is_behind || is_own())
        };
        self.0.iter().filter(is_chosen).collect()
    }

    /// When a thread with the waiter's name last had the CPU before a time, for more than the way out of the kernel.
    fn end_of_group_ns(&self, scene: &Scene<'_, '_>, waiter: &Waiter<'_, '_>, before_ns: i64) -> Option<i64> {
        let comm = scene.around.task(waiter.task_idx)?.comm.as_bytes();
        let of_group = |turn: &&Turn<'_, '_>| {
            let is_long = turn.to_ns.saturating_sub(turn.event.t_ns) >= IN_KERNEL_NS;
            is_long && turn.to_ns <= before_ns && turn.task.comm == comm
        };
        self.0.iter().rev().find(of_group).map(|turn| turn.to_ns)
    }

    /// The most that one task of no more importance than `prio` had of a stretch.
    fn longest_ns(&self, prio: i32, (from_ns, to_ns): (i64, i64)) -> i64 {
        let mut sums: BTreeMap<i32, i64> = BTreeMap::new();
        let less = |turn: &&Turn<'_, '_>| turn.task.pid != 0 && turn.task.prio.is_some_and(|its| its >= prio);
        for turn in self.0.iter().filter(less) {
            let ns = turn.to_ns.min(to_ns).saturating_sub(turn.event.t_ns.max(from_ns)).max(0);
            let sum = sums.entry(turn.task.pid).or_default();
            *sum = sum.saturating_add(ns);
        }
        sums.into_values().max().unwrap_or(0)
    }
}
