//! The columns of a line of the osnoise tracer, and which of the recorded noise makes them up.

use crate::analyses::{Cause, SliceKind};
use crate::events::Decoded;
use crate::explain::blame::Holder;
use crate::explain::cause::cause_of;
use crate::explain::place::what;
use crate::explain::span::Span;
use crate::explain::{Blame, Case, Part, Parts, Seen, Surroundings, words};
use crate::model::grouped;

const NS_PER_US: i64 = 1_000;
/// Gaps of one length that are fewer may have been somebody else's.
const MIN_ROUNDS: usize = 100;

/// What one line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub runtime_ns: i64,
    pub noise_ns: i64,
    max_single_ns: i64,
    /// Of hardware, NMIs, interrupts, softirqs and threads.
    counts: [i64; 5],
}

/// What is counted: the name of the number, and one and several of them in a headline.
const COUNTED: [(&str, &str, &str); 5] = [
    ("hardware", "hardware gap", "hardware gaps"),
    ("NMIs", "NMI", "NMIs"),
    ("interrupts", "interrupt", "interrupts"),
    ("softirqs", "softirq", "softirqs"),
    ("threads", "thread", "threads"),
];

/// The recorded noise of the period, which makes up all or part of the noise that the line states.
///
/// The line's noise is a sum, not an interval: what was in the way is all the noise of the period.
pub fn blame<'a>(case: &Case<'a>, around: &Surroundings<'_, 'a>) -> Option<Vec<Blame<'a>>> {
    let period = period(case, around)?;
    let mut rows: Vec<Blame<'a>> = Vec::new();
    for (cause, span) in noise(case, around, period) {
        let one = row(cause, span, around);
        match rows.iter_mut().find(|row| (row.cause, &row.what) == (one.cause, &one.what)) {
            Some(row) => {
                row.duration_ns = row.duration_ns.saturating_add(one.duration_ns);
                row.longest_ns = row.longest_ns.max(one.longest_ns);
            }
            None => rows.push(one),
        }
    }
    rows.sort_by_key(|row| (-row.duration_ns, row.first_ns));
    Some(fit(case, rows))
}

/// Each noise of the period that was recorded by itself, and what caused it.
fn noise<'s, 'a>(
    case: &Case<'_>,
    around: &'s Surroundings<'_, 'a>,
    period: Period,
) -> impl Iterator<Item = (Cause, &'s Span<'a>)> {
    let (cpu, end_ns, own) = (case.cpu, case.end_ns(), case.own_task_idx());
    let start_ns = end_ns.saturating_sub(period.runtime_ns);
    let spans = around.spans.iter().filter(move |span| span.kind == SliceKind::Noise && span.cpu == cpu);
    spans
        .filter(move |span| span.overlap_ns(start_ns, end_ns) > 0)
        .filter_map(move |span| Some((cause_of(span, own, around)?, span)))
}

fn row<'a>(cause: Cause, span: &Span<'a>, around: &Surroundings<'_, 'a>) -> Blame<'a> {
    let holder = Holder { cause, symbol_idx: span.symbol_idx, task_idx: span.task_idx, cpu: span.cpu };
    Blame {
        cause,
        what: what(&holder, span.start_ns, around),
        place: None,
        cpu: Some(span.cpu),
        duration_ns: span.self_ns,
        first_ns: span.start_ns,
        longest_ns: span.self_ns,
        function: None,
        pid: around.pid(span.task_idx),
        prio: None,
        span: Some(*span),
    }
}

/// Cuts the rows to the noise that the line states, and adds what no row makes up.
fn fit<'a>(case: &Case<'_>, mut rows: Vec<Blame<'a>>) -> Vec<Blame<'a>> {
    let mut rest_ns = case.duration_ns;
    for row in &mut rows {
        row.duration_ns = row.duration_ns.min(rest_ns);
        rest_ns = rest_ns.saturating_sub(row.duration_ns);
    }
    rows.retain(|row| row.duration_ns > 0);
    if rest_ns > 0 {
        let what = "not recorded".to_owned();
        rows.push(Blame {
            cause: Cause::Unknown,
            what,
            place: None,
            cpu: Some(case.cpu),
            duration_ns: rest_ns,
            first_ns: case.start_ns,
            longest_ns: rest_ns,
            function: None,
            pid: None,
            prio: None,
            span: None,
        });
    }
    rows.sort_by_key(|row| (-row.duration_ns, row.first_ns));
    rows
}

/// The line that a case was measured by.
pub fn period(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<Period> {
    let is_it = |event: &&Seen<'_>| event.cpu == case.cpu && event.t_ns == case.end_ns();
    let mut lines = around.events.iter().filter(is_it).filter(
        |event| matches!(event.decoded(), Some(Decoded::Osnoise { noise_ns }) if noise_ns == case.duration_ns),
    );
    lines.find_map(|event| parse(event.args))
}

// 1043767    1001980   4.00347  128678     82      0     99      0    284
// runtime=1000000 noise=190 max_sample=9 hw_count=18 nmi_count=0 irq_count=1007 softirq_count=3 thread_count=1
fn parse(args: &str) -> Option<Period> {
    let values: Vec<i64> = if args.contains('=') {
        let values = args.split_ascii_whitespace().filter_map(|pair| pair.split_once('=')?.1.parse().ok());
        values.collect()
    } else {
        let columns = args.split_ascii_whitespace().filter(|column| !column.contains(['.', '%']));
        columns.filter_map(|column| column.parse().ok()).collect()
    };
    let [runtime_us, noise_us, max_us, counts @ ..] = values.as_slice() else { return None };
    Some(Period {
        runtime_ns: runtime_us.checked_mul(NS_PER_US)?,
        noise_ns: noise_us.checked_mul(NS_PER_US)?,
        max_single_ns: max_us.checked_mul(NS_PER_US)?,
        counts: counts.get(..5)?.try_into().ok()?,
    })
}

/// `each round of its own loop took 2.9 µs, longer than its threshold: 58.278 ms in all`, where there are so many gaps of one
/// length that nothing is left of the period: nobody took the CPU for that. Source: run_osnoise in
/// kernel/trace/trace_osnoise.c, Linux 6.12, which calls noise what is longer than tracing_thresh.
pub fn own_loop(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let period = period(case, around)?;
    if period.noise_ns.saturating_mul(10) < period.runtime_ns.saturating_mul(9) {
        return None;
    }
    let gaps = noise(case, around, period).filter(|(cause, _)| *cause == Cause::Gap);
    let mut gaps_ns: Vec<i64> = gaps.map(|(_, span)| span.self_ns).collect();
    gaps_ns.sort_unstable();
    let median_ns = *gaps_ns.get(gaps_ns.len().div_euclid(2))?;
    let sum_ns = |gaps_ns: &[i64]| gaps_ns.iter().fold(0_i64, |sum, ns| sum.saturating_add(*ns));
    let rounds = gaps_ns.partition_point(|ns| *ns <= median_ns.saturating_mul(2));
    let (rounds_ns, all_ns) = (sum_ns(gaps_ns.get(..rounds)?), sum_ns(&gaps_ns));
    let is_most = gaps_ns.len() >= MIN_ROUNDS && rounds_ns.saturating_mul(2) >= all_ns;
    is_most.then(|| {
        let (one, all) = (words::time(median_ns), words::time(rounds_ns));
        format!("each round of its own loop took {one}, longer than its threshold: {all} in all")
    })
}

/// `Noise took 606.587 ms of 1.002 s on CPU 0, at most 8.015 ms at a time`; less where the line is missing.
pub fn event(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let (time, cpu) = (words::time(case.duration_ns), case.cpu);
    match period(case, around) {
        Some(period) => format!(
            "Noise took {time} of {} on CPU {cpu}, at most {} at a time",
            words::time(period.runtime_ns),
            words::time(period.max_single_ns)
        ),
        None => format!("Noise took {time} of CPU {cpu}"),
    }
}

/// The numbers of the tracer's line about the period; none where the line is not found.
pub fn parts(case: &Case<'_>, around: &Surroundings<'_, '_>) -> Parts {
    let Some(period) = period(case, around) else { return Parts::default() };
    let mut items = vec![
        Part::time("runtime", period.runtime_ns),
        Part::time("noise", period.noise_ns),
        Part::ratio("noise of the runtime", words::share_ppm(period.noise_ns, period.runtime_ns)),
        Part::time("longest single noise", period.max_single_ns),
    ];
    items.extend(COUNTED.iter().zip(period.counts).map(|((name, ..), count)| Part::count(name, count)));
    let counts = COUNTED.iter().zip(period.counts).filter(|(_, count)| *count > 0);
    let counts = counts.map(|((_, one, several), count)| match count {
        1 => format!("1 {one}"),
        _ => format!("{} {several}", grouped(count)),
    });
    let counts: Vec<String> = counts.collect();
    let clause = (!counts.is_empty()).then(|| counts.join(", "));
    Parts { items, clause, stack: None }
}
