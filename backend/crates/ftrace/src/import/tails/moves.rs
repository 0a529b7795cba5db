//! On which CPU each task was to run, from when on: what explanations read off the events around one case.

use std::collections::VecDeque;

use hashbrown::HashMap;

use super::marks::Instant;
use crate::analyses::{Event, SampleFlags, Subject};
use crate::events::{Decoded, WakenTask};
use crate::explain::route::{Queueing, legs, moves_of};
use crate::explain::{Case, Leg, Way};
use crate::import::narrow;

/// The number of steps that are kept of a task.
pub const MAX_STEPS: usize = 32;
/// The number of tasks that are followed, those that are seen first: 32 MiB.
pub const MAX_TASKS: usize = 1 << 15;

/// The last steps of every task.
#[derive(Default)]
pub struct Moves {
    tasks: HashMap<i32, Steps>,
}

#[derive(Default)]
pub struct Steps {
    /// In the order in which they were recorded.
    steps: VecDeque<(Instant, Step)>,
    /// The latest time of a step.
    newest_ns: i64,
    /// Before this, steps are forgotten.
    known_from_ns: Option<i64>,
    prio: Option<i16>,
}

#[derive(Clone, Copy, Debug)]
pub enum Step {
    Queued(Queueing),
    /// A wakeup that names no CPU.
    Woken,
    Switch(i16),
    /// It ran since then until a time, though no switch to it was seen.
    Ran(i16, i64),
}

impl Steps {
    fn push(&mut self, at: Instant, step: Step) {
        if self.steps.len() >= MAX_STEPS
            && let Some((forgotten, _)) = self.steps.pop_front()
        {
            self.known_from_ns = self.known_from_ns.max(Some(forgotten.t_ns.saturating_add(1)));
        }
        self.newest_ns = self.newest_ns.max(at.t_ns);
        self.steps.push_back((at, step));
    }

    /// From when on its task was on which CPU, in the order of time; `None` where that is not known.
    fn moves(&self, case: &Case<'_>, stopped_ns: impl FnOnce() -> Option<i64>) -> Vec<(i64, Option<i16>)> {
        let (start_ns, end_ns) = (case.start_ns, case.end_ns());
        // Whoever waits has not run elsewhere until it is switched to: what says so afterwards is contradicted.
        let waits = matches!(case.kind.way(), Way::Wait | Way::Sleeper);
        let runs = self.steps.iter().filter_map(|(at, step)| match step {
            Step::Ran(_, until_ns) if waits && *until_ns > end_ns => None,
            Step::Switch(cpu) | Step::Ran(cpu, _) => Some((at.t_ns, *cpu)),
            Step::Queued(_) | Step::Woken => None,
        });
        let queued = self.steps.iter().filter_map(|(at, step)| match step {
            Step::Queued(queueing) if (start_ns..end_ns).contains(&at.t_ns) => Some((at.t_ns, *queueing)),
            _ => None,
        });
        let first_cpu = Some(case.kind.first_cpu(case));
        let mut moves = vec![(start_ns, first_cpu)];
        let later = moves_of(case, &runs.collect::<Vec<_>>(), queued, stopped_ns);
        moves.extend(later.into_iter().map(|(t_ns, cpu)| (t_ns, Some(cpu))));
        // Where it was before the steps that are kept is not known.
        if let Some(known_from_ns) = self.known_from_ns.filter(|known_from_ns| *known_from_ns > start_ns) {
            moves.push((start_ns, None));
            moves.push((known_from_ns.min(end_ns), first_cpu));
        }
        moves.sort_by_key(|(t_ns, _)| *t_ns);
        moves
    }

    pub fn iter(&self) -> impl Iterator<Item = (Instant, Step)> {
        self.steps.iter().copied()
    }
}

impl Moves {
    /// Takes note of an event that queues, wakes, moves or runs a task.
    pub fn event(&mut self, event: &Event<'_>, at: Instant) {
        match &event.decoded {
            Decoded::Waking(task) => self.queue(task, at, |cpu| Step::Queued(Queueing::Waking(cpu))),
            Decoded::Wakeup(task) => {
                self.queue(task, at, |cpu| cpu.map_or(Step::Woken, |cpu| Step::Queued(Queueing::Wakeup(cpu))))
            }
            Decoded::Migration(migration) => {
                let cpu = i16::try_from(migration.cpu).ok();
                if let Some((known, cpu)) = self.known(migration.pid).zip(cpu) {
                    known.push(at, Step::Queued(Queueing::Migration(cpu)));
                }
            }
            _ => {}
        }
    }

    fn queue(&mut self, task: &WakenTask<'_>, at: Instant, step: impl FnOnce(Option<i16>) -> Step) {
        let Some(known) = self.known(task.pid) else { return };
        known.prio = task.prio.and_then(|prio| i16::try_from(prio).ok()).or(known.prio);
        known.push(at, step(task.target_cpu.and_then(|cpu| i16::try_from(cpu).ok())));
    }

    /// A switch to a task.
    pub fn switch(&mut self, pid: i32, prio: Option<i16>, cpu: u16, at: Instant) {
        let Some(known) = self.known(pid) else { return };
        known.prio = prio.or(known.prio);
        known.push(at, Step::Switch(narrow(cpu)));
    }

    /// A switch of which it is not known whether the task ran at all.
    pub fn forget_switch(&mut self, pid: i32, t_ns: i64) {
        if let Some(known) = self.tasks.get_mut(&pid) {
            known.steps.retain(|(at, step)| !(at.t_ns == t_ns && matches!(step, Step::Switch(_))));
        }
    }

    /// A task is seen to have run since then, until a time.
    pub fn ran(&mut self, pid: i32, cpu: u16, at: Instant, until_ns: i64) {
        if let Some(known) = self.known(pid) {
            known.push(at, Step::Ran(narrow(cpu), until_ns));
        }
    }

    /// `None` for the idle tasks, and for tasks past the limit.
    fn known(&mut self, pid: i32) -> Option<&mut Steps> {
        let has_room = self.tasks.len() < MAX_TASKS || self.tasks.contains_key(&pid);
        (pid != 0 && has_room).then(|| self.tasks.entry(pid).or_default())
    }

    /// What is known of a task; `None` for one that no event has named.
    pub fn steps(&self, pid: i32) -> Option<&Steps> {
        self.tasks.get(&pid)
    }

    /// The priority that a task was last seen with.
    pub fn prio(&self, pid: i32) -> Option<i16> {
        self.tasks.get(&pid).and_then(|task| task.prio)
    }

    /// The CPUs of a case that has just ended, as [`route`](crate::explain::route()) finds them: the first leg, and
    /// the others. `stopped_ns` is when the stopper of its first CPU was done, if that was inside the case.
    pub fn legs(
        &self,
        case: &Case<'_>,
        stopped_ns: impl FnOnce() -> Option<i64>,
    ) -> (Leg<Option<i16>>, Vec<Leg<Option<i16>>>) {
        let (start_ns, end_ns) = (case.start_ns, case.end_ns());
        let stays = Leg { cpu: Some(case.kind.first_cpu(case)), start_ns, end_ns };
        let is_of_task = case.latency().subject == Subject::Task || case.start_cpu != case.cpu;
        let steps = case.pid.and_then(|pid| self.tasks.get(&pid)).filter(|_| is_of_task);
        let Some(steps) = steps.filter(|steps| steps.newest_ns >= start_ns) else {
            return (stays, Vec::new());
        };
        let mut legs = legs(steps.moves(case, stopped_ns), end_ns).into_iter();
        (legs.next().unwrap_or(stays), legs.collect())
    }

    /// From when on the task of a case wants a CPU; `None` for what does not wait for one.
    pub fn waits_from_ns(&self, case: &Case<'_>) -> Option<i64> {
        match case.kind.way() {
            _ if case.flags.has(SampleFlags::REPORTED) => None,
            Way::Wait => Some(case.start_ns),
            Way::Sleeper => {
                let steps = case.pid.and_then(|pid| self.tasks.get(&pid));
                let waking = steps.into_iter().flat_map(|task| &task.steps).find(|(at, step)| {
                    let is_waking = matches!(step, Step::Queued(Queueing::Waking(_) | Queueing::Wakeup(_)));
                    is_waking && (case.start_ns..case.end_ns()).contains(&at.t_ns)
                });
                waking.map(|(at, _)| at.t_ns)
            }
            _ => None,
        }
    }
}
