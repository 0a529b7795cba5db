//! One CPU: the slices that wait to be settled, and the stretches that come of them.

use std::collections::VecDeque;

use super::super::{narrow, stored};
use super::holder::{Holder, Holders};
use super::timeline::{Occupant, Part, Timeline};
use crate::analyses::{Cause, Slice, SliceKind};
use crate::explain::blame::drop_covered_noise;
use crate::explain::span::Span;
use crate::explain::sweep::{Judged, Piece, sweep};
use crate::import::tasks::Tasks;

/// The number of losses that are remembered.
const LOSSES_KEPT: usize = 64;
/// The number of moves of tasks by its stopper that are remembered.
const STOPS_KEPT: usize = 16;

pub struct Cpu {
    spans: Vec<(Option<Cause>, Span<'static>)>,
    /// Priorities of the tasks that ran, by the start of the run; in the order of time.
    prios: Vec<(i64, i16)>,
    /// The task that it was switched to last, until records are missing.
    pub running: Option<Running>,
    /// Since when it is in an idle state that it has not left.
    pub idle_since_ns: Option<i64>,
    /// [start, end) of losses that are not settled.
    losses: Vec<(i64, i64)>,
    /// The last losses, settled or not.
    last_losses: VecDeque<(i64, i64)>,
    /// When its stopper was done, the last times.
    stopped_ns: VecDeque<i64>,
    is_switched: bool,
    pub timeline: Timeline,
}

#[derive(Clone, Copy, Debug)]
pub struct Running {
    pub pid: i32,
    pub since_ns: i64,
}

impl Default for Cpu {
    fn default() -> Self {
        Self {
            spans: Vec::new(),
            prios: Vec::new(),
            running: None,
            idle_since_ns: None,
            // Of what was before the first record nothing is known.
            losses: vec![(i64::MIN, 0)],
            last_losses: VecDeque::new(),
            stopped_ns: VecDeque::new(),
            is_switched: false,
            timeline: Timeline::default(),
        }
    }
}

impl Cpu {
    /// A task begins to run, with this priority where the switch names it.
    pub fn switch(&mut self, t_ns: i64, pid: i32, prio: Option<i16>) {
        self.running = Some(Running { pid, since_ns: t_ns });
        if let Some(prio) = prio.filter(|_| pid != 0) {
            self.prios.push((t_ns, prio));
        }
    }

    /// The stopper, which moves tasks to another CPU, was done.
    pub fn stopped(&mut self, t_ns: i64) {
        if self.stopped_ns.len() >= STOPS_KEPT {
            self.stopped_ns.pop_front();
        }
        self.stopped_ns.push_back(t_ns);
    }

    /// When the stopper was done in [start, end) the first time.
    pub fn stopped_ns(&self, start_ns: i64, end_ns: i64) -> Option<i64> {
        self.stopped_ns.iter().copied().find(|t_ns| (start_ns..end_ns).contains(t_ns))
    }

    /// Nothing is known of the CPU in [start, end).
    pub fn lose(&mut self, start_ns: i64, end_ns: i64) {
        self.losses.push((start_ns, end_ns));
        if self.last_losses.len() >= LOSSES_KEPT {
            self.last_losses.pop_front();
        }
        self.last_losses.push_back((start_ns, end_ns));
    }

    /// What holders had of [start, end). Nothing is known of what a tracer's own record says where records are
    /// missing.
    pub fn between(&self, start_ns: i64, end_ns: i64, is_reported: bool, mut take: impl FnMut(Part)) {
        let lost = if is_reported { self.lost_between(start_ns, end_ns) } else { Vec::new() };
        let mut at_ns = start_ns;
        for (from_ns, to_ns) in lost {
            if at_ns < from_ns {
                self.timeline.between(at_ns, from_ns, &mut take);
                at_ns = from_ns;
            }
            if at_ns < to_ns {
                let duration_ns = to_ns.saturating_sub(at_ns);
                take(Part { occupant: Occupant::Unknown, start_ns: at_ns, duration_ns });
                at_ns = to_ns;
            }
        }
        if at_ns < end_ns {
            self.timeline.between(at_ns, end_ns, take);
        }
    }

    /// The parts of [start, end) in which records are missing, by their starts.
    fn lost_between(&self, start_ns: i64, end_ns: i64) -> Vec<(i64, i64)> {
        let inside = |(from_ns, to_ns): &(i64, i64)| (start_ns.max(*from_ns), end_ns.min(*to_ns));
        let mut lost: Vec<(i64, i64)> = self.last_losses.iter().map(inside).collect();
        lost.retain(|(from_ns, to_ns)| from_ns < to_ns);
        lost.sort_unstable();
        lost
    }

    /// Nothing that is open is known to last; returns what ran.
    pub fn forget_open(&mut self) -> Option<Running> {
        self.idle_since_ns = None;
        self.running.take()
    }

    /// Adds a slice that had the CPU, by its cause.
    pub fn add(&mut self, slice: &Slice<'_>, cause: Cause, is_idle_task: bool) {
        let cause = match cause {
            // The tracers record the idle task, too, when it had the CPU.
            Cause::Task if slice.kind == SliceKind::Noise && is_idle_task => Cause::Idle,
            _ => cause,
        };
        self.is_switched |= slice.kind == SliceKind::Sched;
        let span = Span {
            kind: slice.kind,
            start_ns: slice.start_ns.0,
            end_ns: slice.end_ns().0,
            self_ns: slice.self_ns.0,
            cpu: narrow(slice.cpu),
            task_idx: slice.task.map_or(-1, stored),
            symbol_idx: slice.symbol.map_or(-1, stored),
            depth: i16::try_from(slice.depth).unwrap_or(i16::MAX),
            flags: slice.flags,
            args: "",
        };
        self.spans.push((Some(cause), span));
    }

    /// Makes stretches of everything up to a time, or to the end. Slices that last beyond it are kept for the next
    /// time.
    pub fn settle(&mut self, until_ns: Option<i64>, holders: &mut Holders, tasks: &Tasks) {
        let recorded = self.spans.len();
        // At the end of the recording, analyses have said how long everything lasted.
        if let Some(until_ns) = until_ns {
            self.add_open(until_ns, tasks);
        }
        let until_ns = until_ns.unwrap_or(i64::MAX);
        let open = self.spans.len().saturating_sub(recorded);
        let first_ns = || self.spans.iter().map(|(_, span)| span.start_ns).fold(0, i64::min);
        let from_ns = self.timeline.end_ns().unwrap_or_else(first_ns);
        if self.spans.iter().any(|(_, span)| span.kind == SliceKind::Noise) {
            drop_covered_noise(&mut self.spans);
        }
        let judged = Judged {
            spans: &self.spans,
            losses: &self.losses,
            is_switched: self.is_switched,
            otherwise: Cause::Unknown,
            own_task_idx: None,
        };
        let (spans, prios, timeline) = (&self.spans, &self.prios, &mut self.timeline);
        sweep(&judged, from_ns, until_ns, |piece| {
            let holder = holder_of(&piece, spans, prios);
            timeline.push(piece.start_ns, piece.end_ns, holders.number(holder, tasks));
        });
        self.spans.truncate(self.spans.len().saturating_sub(open));
        self.spans.retain(|(_, span)| span.end_ns > until_ns);
        self.losses.retain(|(_, end_ns)| *end_ns > until_ns);
        let kept = self.prios.partition_point(|(t_ns, _)| *t_ns <= until_ns).saturating_sub(1);
        self.prios.drain(..kept);
    }

    /// What is known to last, as slices up to a time.
    fn add_open(&mut self, until_ns: i64, tasks: &Tasks) {
        let open = |kind, start_ns| Span {
            kind,
            start_ns,
            end_ns: until_ns,
            self_ns: 0,
            cpu: 0,
            task_idx: -1,
            symbol_idx: -1,
            depth: 0,
            flags: Default::default(),
            args: "",
        };
        if let Some(Running { pid, since_ns }) =
            self.running.filter(|running| running.pid != 0 && running.since_ns < until_ns)
        {
            let task_idx = tasks.index_of_pid(pid).map_or(-1, stored);
            let run = Span { task_idx, ..open(SliceKind::Sched, since_ns) };
            self.spans.push((Some(Cause::Task), run));
            self.is_switched = true;
        }
        if let Some(since_ns) = self.idle_since_ns {
            self.spans.push((Some(Cause::Idle), open(SliceKind::Idle, since_ns)));
        }
    }
}

/// Who had the CPU over a piece, as [`blame`](crate::explain::blame) adds pieces up.
fn holder_of(piece: &Piece, spans: &[(Option<Cause>, Span<'_>)], prios: &[(i64, i16)]) -> Holder {
    let nameless = Holder { cause: piece.cause, symbol: None, task: None, prio: None };
    let Some((_, span)) = piece.span.and_then(|at| spans.get(at)) else { return nameless };
    let symbol = u32::try_from(span.symbol_idx).ok();
    let task = u32::try_from(span.task_idx).ok();
    match piece.cause {
        Cause::Task => {
            let at = prios.partition_point(|(t_ns, _)| *t_ns <= span.start_ns).checked_sub(1);
            let run = at.and_then(|at| prios.get(at)).filter(|(t_ns, _)| *t_ns == span.start_ns);
            Holder { task, prio: run.map(|(_, prio)| *prio), ..nameless }
        }
        // Which idle state it is says nothing that the sum of them does not.
        Cause::Idle => nameless,
        _ => Holder { symbol, ..nameless },
    }
}
