//! Goes over an interval of one CPU and says at every instant what was active there.

use crate::analyses::{SliceFlags, SliceKind};
use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::span::Span;
use crate::analyses::Cause;

/// Who had the CPU for a while.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub cause: Cause,
    /// The slice that says so, by its place among those given; `None` where none does.
    pub span: Option<usize>,
    /// The innermost call that was open.
    pub call: Option<usize>,
    pub start_ns: i64,
    pub end_ns: i64,
}

impl Piece {
    pub fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }
}

/// What an interval of a CPU is judged by.
pub struct Judged<'s, 'a> {
    /// Slices of the CPU that stand for a cause, and calls, for which it is `None`.
    pub spans: &'s [(Option<Cause>, Span<'a>)],
    /// Where nothing else is known, events were lost: [start, end) each.
    pub losses: &'s [(i64, i64)],
    /// Switches are recorded, so where no task runs the CPU is idle.
    pub is_switched: bool,
    /// What is to blame where no slice says anything.
    pub otherwise: Cause,
    /// Whose calls are looked at where no switch says who runs.
    pub own_task_idx: Option<i32>,
}

/// The pieces of [start, end), front to back without a hole.
pub fn sweep(judged: &Judged<'_, '_>, start_ns: i64, end_ns: i64, mut take: impl FnMut(Piece)) {
    let mut edges = edges(judged, start_ns, end_ns);
    edges.sort_unstable();
    let mut active = Active::default();
    let mut at_ns = start_ns;
    for (t_ns, is_open, what) in edges {
        if t_ns > at_ns {
            take(active.piece(judged, at_ns, t_ns));
            at_ns = t_ns;
        }
        active.change(judged, what, is_open);
    }
    if at_ns < end_ns {
        take(active.piece(judged, at_ns, end_ns));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Span(usize),
    Loss,
}

/// Starts and ends inside the interval, to be sorted so that at one time ends come first.
fn edges(judged: &Judged<'_, '_>, start_ns: i64, end_ns: i64) -> Vec<(i64, bool, What)> {
    let spans = judged.spans.iter().enumerate();
    let spans = spans.map(|(at, (_, span))| (span.start_ns, span.end_ns, What::Span(at)));
    let losses = judged.losses.iter().map(|(start_ns, end_ns)| (*start_ns, *end_ns, What::Loss));
    let mut edges = Vec::new();
    for (from_ns, to_ns, what) in spans.chain(losses) {
        let (from_ns, to_ns) = (from_ns.max(start_ns), to_ns.min(end_ns));
        if from_ns < to_ns {
            edges.push((from_ns, true, what));
            edges.push((to_ns, false, what));
        }
    }
    edges
}

/// In the order of the cause, and of one cause the innermost first: the deepest, then the latest.
type Rank = (Cause, bool, Reverse<i16>, Reverse<i64>, usize);

#[derive(Default)]
struct Active {
    causes: BTreeSet<Rank>,
    /// The call that was entered last comes first.
    calls: BTreeSet<(Reverse<i64>, Reverse<i16>, usize)>,
    running: usize,
    losses: usize,
}

impl Active {
    fn change(&mut self, judged: &Judged<'_, '_>, what: What, is_open: bool) {
        let step = |count: usize| if is_open { count.saturating_add(1) } else { count.saturating_sub(1) };
        let What::Span(at) = what else {
            self.losses = step(self.losses);
            return;
        };
        let Some((cause, span)) = judged.spans.get(at) else { return };
        if span.kind == SliceKind::Sched {
            self.running = step(self.running);
        }
        match cause {
            Some(cause) => {
                // A tracer's own net interval says less than the events of the same interrupt.
                let is_noise = span.kind == SliceKind::Noise;
                let rank = (*cause, is_noise, Reverse(span.depth), Reverse(span.start_ns), at);
                set(&mut self.causes, rank, is_open);
            }
            None => set(&mut self.calls, (Reverse(span.start_ns), Reverse(span.depth), at), is_open),
        }
    }

    fn piece(&self, judged: &Judged<'_, '_>, start_ns: i64, end_ns: i64) -> Piece {
        let (cause, span) = self.cause(judged);
        Piece { cause, span, call: self.call(judged), start_ns, end_ns }
    }

    fn cause(&self, judged: &Judged<'_, '_>) -> (Cause, Option<usize>) {
        let is_idle = judged.is_switched && self.running == 0 && self.losses == 0;
        // The idle task always runs with preemption off.
        let is_of_idle = |rank: &Rank| is_idle && rank.0 == Cause::Preemptoff;
        let counts = |rank: &&Rank| !(is_of_idle(rank) || self.is_suspended(judged, rank, is_idle));
        match self.causes.iter().find(counts) {
            Some((cause, .., at)) => (*cause, Some(*at)),
            None if is_idle => (Cause::Idle, None),
            None => (judged.otherwise, None),
        }
    }

    /// True for a softirq whose task is switched out at the moment.
    fn is_suspended(&self, judged: &Judged<'_, '_>, (cause, .., at): &Rank, is_idle: bool) -> bool {
        let Some((_, softirq)) = judged.spans.get(*at) else { return false };
        if *cause != Cause::Softirq || !softirq.flags.has(SliceFlags::SUSPENDED) {
            return false;
        }
        let runs_instead = |(.., at): &Rank| {
            judged.spans.get(*at).is_some_and(|(_, run)| {
                run.kind == SliceKind::Sched
                    && run.task_idx != softirq.task_idx
                    && run.start_ns > softirq.start_ns
            })
        };
        is_idle || self.causes.iter().any(runs_instead)
    }

    /// The innermost call of the task that runs, or that is known to be interrupted.
    fn call(&self, judged: &Judged<'_, '_>) -> Option<usize> {
        if self.calls.is_empty() {
            return None;
        }
        let task_of = |is_of_kind: fn(SliceKind) -> bool| {
            self.causes.iter().find_map(|(.., at)| {
                let (_, span) = judged.spans.get(*at)?;
                (is_of_kind(span.kind) && span.task_idx >= 0).then_some(span.task_idx)
            })
        };
        let running = task_of(|kind| kind == SliceKind::Sched);
        let interrupted = || task_of(|kind| matches!(kind, SliceKind::Irq | SliceKind::Softirq));
        let runs = running.or_else(interrupted).or(judged.own_task_idx);
        let is_of_it = |at: usize| {
            let task_idx = judged.spans.get(at).map(|(_, span)| span.task_idx);
            runs.is_none() || task_idx == runs || task_idx.is_some_and(|idx| idx < 0)
        };
        self.calls.iter().map(|(.., at)| *at).find(|at| is_of_it(*at))
    }
}

fn set<T: Ord>(members: &mut BTreeSet<T>, member: T, is_in: bool) {
    if is_in {
        members.insert(member);
    } else {
        members.remove(&member);
    }
}
