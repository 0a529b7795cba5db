//! Where the time of a case went: every nanosecond to one cause.

use hashbrown::{HashMap, HashSet};

use super::case::Case;
use super::cause::cause_of;
use super::context;
use super::place::{place, what};
use super::route::Leg;
use super::span::Span;
use super::surroundings::Surroundings;
use super::sweep::{Judged, Piece, sweep};
use crate::analyses::Cause;
use crate::analyses::{SampleFlags, SliceKind};
use crate::model::{TimeUnit, grouped};

/// What a tracer needs to look at the clock once, and to write that down.
const LONGEST_ROUND_NS: i64 = 20_000;

/// What one cause took.
#[derive(Clone, Debug)]
pub struct Blame<'a> {
    pub cause: Cause,
    pub what: String,
    /// Where in the code, in whose context, how important.
    pub place: Option<String>,
    pub cpu: Option<i16>,
    pub duration_ns: i64,
    pub first_ns: i64,
    /// The longest piece of it.
    pub longest_ns: i64,
    /// The function in which the most of it went, and how much.
    pub function: Option<(String, i64)>,
    pub pid: Option<i32>,
    pub prio: Option<i32>,
    /// The slice of the longest piece.
    pub span: Option<Span<'a>>,
}

impl Blame<'_> {
    /// True for the rest of a cause, after its largest rows.
    pub fn is_rest(&self) -> bool {
        self.cpu.is_none()
    }
}

/// The causes of a case, the largest first, `max_rows` of them and one row for what is left of each.
/// Their durations add up to the case exactly.
pub fn blame<'a>(
    case: &Case<'a>,
    legs: &[Leg],
    around: &Surroundings<'_, 'a>,
    max_rows: usize,
) -> Vec<Blame<'a>> {
    if let Some(rows) = case.kind.blame(case, around) {
        return rows;
    }
    let own_task_idx = case.own_task_idx();
    let mut ledger = Ledger::default();
    for leg in legs {
        let book = Book::new(case, leg, own_task_idx, around, around.spans.iter());
        let judged = book.judged(case, leg, own_task_idx, around);
        let mut open: Option<(Holder, Piece)> = None;
        sweep(&judged, leg.start_ns, leg.end_ns, |piece| {
            let piece = book.unless_lost(piece);
            let holder = book.holder(&piece, leg.cpu);
            ledger.add_call(&holder, &book, &piece);
            open = Some(match open.take() {
                Some((last, longer)) if last == holder => (last, Piece { end_ns: piece.end_ns, ..longer }),
                Some((last, done)) => {
                    ledger.add(last, &book, &done);
                    (holder, piece)
                }
                None => (holder, piece),
            });
        });
        if let Some((last, done)) = open {
            ledger.add(last, &book, &done);
        }
    }
    ledger.rows(case, around, max_rows)
}

/// Who or what had a CPU for a while, with the slice that says so.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    pub cause: Cause,
    pub start_ns: i64,
    pub end_ns: i64,
    pub span: Option<Span<'a>>,
}

impl Held<'_> {
    /// True where this task ran.
    pub fn is_of(&self, task_idx: Option<i32>) -> bool {
        let runs = self.span.filter(|_| self.cause == Cause::Task).map(|span| span.task_idx);
        runs.is_some() && runs == task_idx
    }
}

/// What had the CPU of a leg, front to back without a hole, as slices or events show it. Whatever task ran, it was
/// `Cause::Task`.
pub fn held<'a>(case: &Case<'a>, leg: &Leg, around: &Surroundings<'_, 'a>) -> Vec<Held<'a>> {
    let book = Book::new(case, leg, None, around, around.seen_spans());
    let mut pieces: Vec<Held<'a>> = Vec::new();
    sweep(&book.judged(case, leg, None, around), leg.start_ns, leg.end_ns, |piece| {
        let piece = book.unless_lost(piece);
        let span = book.span(piece.span).copied();
        pieces.push(Held { cause: piece.cause, start_ns: piece.start_ns, end_ns: piece.end_ns, span });
    });
    pieces
}

/// True for an interrupt or softirq within which a clock took one step, other than what was measured. The steps of `uptime`
/// are those of the tick, whose interrupt makes them: it would seem to last from each step to the next.
fn is_of_one_tick(case: &Case<'_>, span: &Span<'_>) -> bool {
    let is_interrupt = matches!(span.kind, SliceKind::Irq | SliceKind::Softirq);
    let is_case = case.kind.slice_kind() == Some(span.kind) && span.start_ns == case.start_ns;
    is_interrupt && span.duration_ns() <= 1 && !is_case
}

/// The slices and losses of one CPU.
struct Book<'a> {
    spans: Vec<(Option<Cause>, Span<'a>)>,
    losses: Vec<(i64, i64)>,
    is_split_by_function: bool,
    /// The case is a section, which is explained by what ran in it.
    is_section: bool,
    /// The losses of a report, whose records are all that says who had the CPU.
    lost: Vec<(i64, i64)>,
}

impl<'a> Book<'a> {
    /// Those of `spans` that lie on the CPU of a leg.
    fn new<'s>(
        case: &Case<'a>,
        leg: &Leg,
        own: Option<i32>,
        around: &Surroundings<'_, 'a>,
        spans: impl Iterator<Item = &'s Span<'a>>,
    ) -> Self
    where
        'a: 's,
    {
        let on_cpu = spans.filter(|span| span.cpu == leg.cpu).filter(|span| case.kind.counts(span.kind));
        let mut spans: Vec<_> = on_cpu.map(|span| (cause_of(span, own, around), *span)).collect();
        spans.retain(|(cause, span)| cause.is_some() || span.kind == SliceKind::Call);
        if around.time_unit() == TimeUnit::Ticks {
            spans.retain(|(_, span)| !is_of_one_tick(case, span));
        }
        // The tracers of sections do not count what a CPU is idle: it is on its way out.
        if case.is_reported_section() {
            spans.retain(|(cause, _)| *cause != Some(Cause::Idle));
        }
        drop_covered_noise(&mut spans);
        drop_rounds(&mut spans, case);
        spans.extend(context::spans(case, around).into_iter().filter(|(_, span)| span.cpu == leg.cpu));
        let losses = around.losses(leg.cpu).map(|loss| (loss.start_ns, loss.end_ns));
        // Of what was before the first record nothing is known, either.
        let losses = losses.chain([(i64::MIN, around.known_from_ns())]).collect();
        let is_split_by_function = spans.iter().any(|(_, span)| span.kind == SliceKind::Call);
        let is_reported = case.flags.has(SampleFlags::REPORTED);
        let lost = if is_reported { around.sorted_losses(leg.cpu) } else { Vec::new() };
        let lost = lost.into_iter().map(|loss| (loss.start_ns, loss.end_ns)).collect();
        Self { spans, losses, is_split_by_function, is_section: case.is_reported_section(), lost }
    }

    fn judged(
        &self,
        case: &Case<'_>,
        leg: &Leg,
        own_task_idx: Option<i32>,
        around: &Surroundings<'_, 'a>,
    ) -> Judged<'_, 'a> {
        let otherwise = case.kind.unrecorded();
        let is_switched = around.is_switched(leg.cpu) && otherwise == Cause::Unknown && !self.is_section;
        Judged { spans: &self.spans, losses: &self.losses, is_switched, otherwise, own_task_idx }
    }

    /// Nothing is known of a piece of a report in which records are missing.
    fn unless_lost(&self, piece: Piece) -> Piece {
        let behind = self.lost.partition_point(|(start_ns, _)| *start_ns <= piece.start_ns);
        let loss = behind.checked_sub(1).and_then(|at| self.lost.get(at));
        match loss.filter(|(_, end_ns)| piece.start_ns < *end_ns) {
            Some(_) => Piece { cause: Cause::Unknown, span: None, call: None, ..piece },
            None => piece,
        }
    }

    fn span(&self, at: Option<usize>) -> Option<&Span<'a>> {
        self.spans.get(at?).map(|(_, span)| span)
    }

    fn holder(&self, piece: &Piece, cpu: i16) -> Holder {
        let nameless = Holder { cause: piece.cause, symbol_idx: -1, task_idx: -1, cpu };
        let Some(span) = self.span(piece.span) else {
            let symbol_idx = self.function(piece).unwrap_or(-1);
            return Holder { symbol_idx, ..nameless };
        };
        match piece.cause {
            Cause::Irqsoff | Cause::Preemptoff => {
                let call = self.span(piece.call).filter(|_| self.is_section);
                let symbol_idx = call.map_or(span.symbol_idx, |call| call.symbol_idx);
                Holder { symbol_idx, task_idx: span.task_idx, ..nameless }
            }
            Cause::Task => Holder { task_idx: span.task_idx, ..nameless },
            Cause::Itself => {
                Holder { symbol_idx: self.function(piece).unwrap_or(-1), task_idx: span.task_idx, ..nameless }
            }
            _ => Holder { symbol_idx: span.symbol_idx, ..nameless },
        }
    }

    /// Of what the case's task did itself, which function.
    fn function(&self, piece: &Piece) -> Option<i32> {
        let is_split = self.is_split_by_function && piece.cause == Cause::Itself;
        self.span(piece.call).filter(|_| is_split).map(|call| call.symbol_idx)
    }
}

/// A tracer's record of an interrupt of which there are events, too, is no second one.
pub fn drop_covered_noise(spans: &mut Vec<(Option<Cause>, Span<'_>)>) {
    let mut recorded: Vec<(Cause, i64, i64)> = spans
        .iter()
        .filter(|(_, span)| span.kind != SliceKind::Noise)
        .filter_map(|(cause, span)| Some((told_by_events((*cause)?), span.start_ns, span.end_ns)))
        .collect();
    recorded.sort_unstable();
    // The ends of one cause's slices may not rise with their starts, but those before say enough.
    let is_covered = |cause: Cause, span: &Span<'_>| {
        let after = recorded.partition_point(|known| *known < (cause, span.end_ns, i64::MIN));
        let before = after.checked_sub(1).and_then(|at| recorded.get(at));
        before.is_some_and(|known| known.0 == cause && known.2 > span.start_ns)
    };
    spans.retain(|(cause, span)| {
        span.kind != SliceKind::Noise || cause.is_none_or(|cause| !is_covered(told_by_events(cause), span))
    });
}

/// A tracer that samples the clock and finds one round after another too long takes that long for a round: none of them is
/// noise that somebody else waits for. A stall lasts longer than all but a few of them.
fn drop_rounds(spans: &mut Vec<(Option<Cause>, Span<'_>)>, case: &Case<'_>) {
    let is_round = |cause: Option<Cause>, span: &Span<'_>| {
        cause == Some(Cause::Gap) && span.task_idx != case.task_idx && span.duration_ns() < LONGEST_ROUND_NS
    };
    let rounds = || spans.iter().filter(|(cause, span)| is_round(*cause, span)).map(|(_, span)| span);
    let starts: HashSet<i64> = rounds().map(|span| span.start_ns).collect();
    let ends: HashSet<i64> = rounds().map(|span| span.end_ns).collect();
    let is_one_of_many = |span: &Span<'_>| ends.contains(&span.start_ns) || starts.contains(&span.end_ns);
    spans.retain(|(cause, span)| !(is_round(*cause, span) && is_one_of_many(span)));
}

/// Switches say which task ran, be it the case's own or another one.
fn told_by_events(cause: Cause) -> Cause {
    if cause == Cause::Itself { Cause::Task } else { cause }
}

/// What pieces are added up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holder {
    pub cause: Cause,
    pub symbol_idx: i32,
    pub task_idx: i32,
    pub cpu: i16,
}

struct Account<'a> {
    duration_ns: i64,
    longest: Piece,
    first_ns: i64,
    span: Option<Span<'a>>,
    /// Self time of functions in it.
    functions: HashMap<i32, i64>,
}

#[derive(Default)]
struct Ledger<'a> {
    accounts: HashMap<Holder, Account<'a>>,
}

impl<'a> Ledger<'a> {
    fn account(&mut self, holder: Holder, piece: &Piece) -> &mut Account<'a> {
        self.accounts.entry(holder).or_insert_with(|| Account {
            duration_ns: 0,
            longest: Piece { end_ns: piece.start_ns, ..*piece },
            first_ns: piece.start_ns,
            span: None,
            functions: HashMap::new(),
        })
    }

    fn add(&mut self, holder: Holder, book: &Book<'a>, piece: &Piece) {
        let account = self.account(holder, piece);
        account.duration_ns = account.duration_ns.saturating_add(piece.duration_ns());
        account.first_ns = account.first_ns.min(piece.start_ns);
        if piece.duration_ns() > account.longest.duration_ns() {
            account.longest = *piece;
            account.span = book.span(piece.span).copied();
        }
    }

    fn add_call(&mut self, holder: &Holder, book: &Book<'a>, piece: &Piece) {
        if let Some(call) = book.span(piece.call).filter(|_| holder.cause != Cause::Itself) {
            let account = self.account(*holder, piece);
            let total_ns = account.functions.entry(call.symbol_idx).or_default();
            *total_ns = total_ns.saturating_add(piece.duration_ns());
        }
    }

    fn rows(self, case: &Case<'a>, around: &Surroundings<'_, 'a>, max_rows: usize) -> Vec<Blame<'a>> {
        let mut accounts: Vec<(Holder, Account<'a>)> = self.accounts.into_iter().collect();
        accounts.sort_unstable_by_key(|(holder, account)| {
            (-account.duration_ns, account.first_ns, holder.cause, holder.symbol_idx, holder.task_idx)
        });
        let rest = accounts.split_off(accounts.len().min(max_rows));
        let mut rows: Vec<Blame<'a>> = accounts
            .into_iter()
            .map(|(holder, account)| {
                let pid = match holder.cause {
                    Cause::Task | Cause::Itself => around.pid(holder.task_idx),
                    _ => account.span.and_then(|span| around.pid(span.task_idx)),
                };
                let is_task = matches!(holder.cause, Cause::Task | Cause::Itself);
                let most = account.functions.iter().max_by_key(|(idx, ns)| (**ns, -**idx));
                // What a CPU did last before it went idle, it did not do while it was.
                let is_telling = |idx: i32| idx != holder.symbol_idx && holder.cause != Cause::Idle;
                let most = most.filter(|(idx, _)| is_telling(**idx));
                let function = most.and_then(|(idx, ns)| Some((around.symbol(*idx)?, *ns)));
                Blame {
                    cause: holder.cause,
                    what: what(&holder, account.first_ns, around),
                    place: place(case, &holder, account.span.as_ref(), function.as_ref(), around),
                    cpu: Some(holder.cpu),
                    duration_ns: account.duration_ns,
                    first_ns: account.first_ns,
                    longest_ns: account.longest.duration_ns(),
                    function,
                    pid,
                    prio: pid.filter(|_| is_task).and_then(|pid| around.prio(pid)),
                    span: account.span,
                }
            })
            .collect();
        fold(rest, &mut rows);
        rows
    }
}

/// Adds up the accounts that are too many, one row a cause.
fn fold<'a>(rest: Vec<(Holder, Account<'a>)>, rows: &mut Vec<Blame<'a>>) {
    let mut sums: Vec<(Blame<'a>, usize)> = Vec::new();
    for (holder, account) in rest {
        match sums.iter_mut().find(|(sum, _)| sum.cause == holder.cause) {
            Some((sum, count)) => {
                sum.duration_ns = sum.duration_ns.saturating_add(account.duration_ns);
                sum.first_ns = sum.first_ns.min(account.first_ns);
                *count = count.saturating_add(1);
            }
            None => sums.push((
                Blame {
                    cause: holder.cause,
                    what: String::new(),
                    place: None,
                    cpu: None,
                    duration_ns: account.duration_ns,
                    first_ns: account.first_ns,
                    longest_ns: account.longest.duration_ns(),
                    function: None,
                    pid: None,
                    prio: None,
                    span: None,
                },
                1,
            )),
        }
    }
    rows.extend(
        sums.into_iter().map(|(sum, count)| Blame { what: format!("{} others", grouped(count)), ..sum }),
    );
}
