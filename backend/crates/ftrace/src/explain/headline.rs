//! One sentence that says what was late, by how much, and why.

use super::blame::Blame;
use super::case::Case;
use super::evidence;
use super::osnoise;
use super::parts::Parts;
use super::place::{A_SOFTIRQ, AN_INTERRUPT};
use super::stages::{Mark, Stage};
use super::surroundings::{Surroundings, is_nowhere};
use super::words;
use crate::analyses::Cause;
use crate::analyses::{SampleFlags, Subject};

/// Everything that a sentence is made of.
pub struct Found<'f, 'a> {
    pub stages: &'f [Stage],
    /// The largest first.
    pub blame: &'f [Blame<'a>],
    pub parts: &'f Parts,
}

pub fn headline(case: &Case<'_>, found: &Found<'_, '_>, around: &Surroundings<'_, '_>) -> String {
    let event = event(case, around);
    let cause = match case.kind.name {
        "cyclic" | "timer" => {
            waited(case, found, around).or_else(|| step(case, found)).or_else(|| cause(case, found, around))
        }
        "call" => function(case, found),
        "irqsoff" | "preemptoff" if case.is_reported_section() => section(case, found, around),
        "osnoise" => period(case, found, around),
        "syscall" if case.flags.has(SampleFlags::BLOCKED) => Some(ran(case, found)),
        _ => found.parts.clause.clone().or_else(|| cause(case, found, around)),
    };
    match cause {
        Some(cause) => format!("{event}; {cause}"),
        None => event,
    }
}

/// What was measured.
fn event(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    let (cpu, time) = (case.cpu, words::time(case.duration_ns));
    let task = around.task_name(case.task_idx).unwrap_or_else(|| "an unknown task".to_owned());
    let subject = capitalized(case, &task);
    let key = case.key.filter(|key| !key.is_empty()).unwrap_or(case.kind.name);
    let key = if is_nowhere(key) { "An unknown function" } else { key };
    match case.kind.name {
        "cyclic" => format!("{subject} on CPU {cpu} was back {time} after its expiry"),
        "timer" => format!("{key} on CPU {cpu}: {time} late"),
        "wakeup" => format!("Wakeup of {task} on CPU {cpu} took {time}"),
        "preempted" => format!("{subject} had to wait {time} for CPU {cpu}, preempted"),
        "irqsoff" => format!("Interrupts were off for {time} on CPU {cpu} in {key}{}", of_task(case, around)),
        "preemptoff" => {
            format!("Preemption was off for {time} on CPU {cpu} in {key}{}", of_task(case, around))
        }
        "irq" => format!("Interrupt {key} on CPU {cpu} took {time}"),
        "softirq" => format!("Softirq {key} on CPU {cpu} took {time}"),
        "softirq_raise" => format!("Softirq {key} on CPU {cpu} ran {time} after it was raised"),
        // A name keeps its case; a number has a word of ours before it.
        "syscall" => {
            format!("{} of {task} on CPU {cpu} took {time}", key.replacen("syscall ", "Syscall ", 1))
        }
        "tick" => format!("The tick on CPU {cpu} took {time}"),
        "call" => format!("{key} on CPU {cpu} took {time}"),
        "timerlat" => format!("The timerlat {} on CPU {cpu} was {time} late", timerlat_context(key)),
        "osnoise" => format!("Noise took {}", osnoise::noise(case, around)),
        "hwlat" => format!("Hardware or hypervisor held CPU {cpu} for {time}"),
        "field" => field(key, cpu, &time),
        _ => format!("{} on CPU {cpu}: {time}", case.kind.name),
    }
}

/// A task at the beginning of a sentence: what the trace names keeps its case, our own words do not.
fn capitalized(case: &Case<'_>, task: &str) -> String {
    let is_named = case.comm.is_some_and(|comm| !comm.is_empty() && task.starts_with(comm));
    let mut characters = task.chars();
    match characters.next().filter(|_| !is_named) {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => task.to_owned(),
    }
}

fn timerlat_context(key: &str) -> &str {
    match key {
        "irq" => "interrupt",
        "user-ret" => "return to user space",
        other => other,
    }
}

fn of_task(case: &Case<'_>, around: &Surroundings<'_, '_>) -> String {
    around.task_name(case.task_idx).map(|task| format!(" ({task})")).unwrap_or_default()
}

/// Names of fields that say how late something was.
const LATE_FIELDS: &[&str] = &["delta", "delay", "late", "lateness", "latency", "lat"];

// `hrtimer_cb.delta` is how late hrtimer_cb was.
fn field(key: &str, cpu: i16, time: &str) -> String {
    match key.rsplit_once('.') {
        Some((event, field)) if LATE_FIELDS.contains(&field) => format!("{event} on CPU {cpu}: {time} late"),
        _ => format!("{key} on CPU {cpu}: {time}"),
    }
}

/// Of a call that slept, how long its task ran: nobody kept it waiting in the rest.
fn ran(case: &Case<'_>, found: &Found<'_, '_>) -> String {
    let own = found.blame.iter().filter(|blame| blame.cause == Cause::Itself);
    let own_ns = own.fold(0_i64, |sum, blame| sum.saturating_add(blame.duration_ns)).min(case.duration_ns);
    format!("the task ran {} of it and was switched out in between", words::time(own_ns))
}

/// The largest step, where there is more than one.
fn step(case: &Case<'_>, found: &Found<'_, '_>) -> Option<String> {
    let largest = found.stages.iter().rev().max_by_key(|stage| stage.duration_ns)?;
    (found.stages.len() > 1 && case.duration_ns > 0).then(|| {
        let time = words::time(largest.duration_ns);
        match (largest.from, largest.to) {
            (Mark::FirstHandler, _) => format!("{time} of it in the handlers of other timers"),
            (from, to) => format!("{time} of it between {} and {}", from.phrase(), to.phrase()),
        }
    })
}

/// What ran in a section that a report is about: `from a to b, 63 % of it in f ← g`.
fn section(case: &Case<'_>, found: &Found<'_, '_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let is_section = |blame: &Blame<'_>| matches!(blame.cause, Cause::Irqsoff | Cause::Preemptoff);
    if !found.blame.first().is_some_and(is_section) {
        return cause(case, found, around);
    }
    let rows =
        found.blame.iter().filter(|row| is_section(row) && !row.is_rest() && case.key != Some(&row.what));
    let function = rows.filter(|row| is_much(case, row.duration_ns)).map(|row| {
        let share = words::share(row.duration_ns, case.duration_ns);
        format!("{share} in {}", row.what)
    });
    let parts: Vec<String> = found.parts.clause.iter().cloned().chain(function.take(1)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// So much that a function is worth its name in a sentence.
fn is_much(case: &Case<'_>, part_ns: i64) -> bool {
    part_ns >= case.duration_ns.div_euclid(5)
}

/// What made most of the noise of a period, else how often there was some.
fn period(case: &Case<'_>, found: &Found<'_, '_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let largest = found.blame.first()?;
    match largest.cause {
        Cause::Unknown => found.parts.clause.clone(),
        _ => several(case, found).or_else(|| Some(clause(case, largest, around))),
    }
}

/// Tasks that together are to blame, though nothing alone is. Whoever waits for a CPU waits for what a task
/// does with interrupts or preemption off, too.
fn several(case: &Case<'_>, found: &Found<'_, '_>) -> Option<String> {
    let largest = found.blame.first().filter(|largest| !case.is_most(largest.duration_ns))?;
    let is_of_task = |cause: Cause| match cause {
        Cause::Task => true,
        Cause::Irqsoff | Cause::Preemptoff => {
            case.kind.subject == Subject::Task || case.kind.name == "softirq_raise"
        }
        _ => false,
    };
    if !is_of_task(largest.cause) {
        return None;
    }
    let rows: Vec<&Blame<'_>> = found.blame.iter().filter(|row| is_of_task(row.cause)).collect();
    let sum = |ns: i64, row: &&Blame<'_>| ns.saturating_add(row.duration_ns);
    let of_task = |row: &Blame<'_>| rows.iter().filter(|other| other.pid == row.pid).fold(0, sum);
    let tasks = rows.iter().filter(|row| row.cause == Cause::Task && row.pid.is_some());
    let (most_ns, most) = tasks.map(|row| (of_task(row), row)).rev().max_by_key(|(ns, _)| *ns)?;
    let (task, prio) = (&most.what, of_prio(case, most));
    if case.is_most(most_ns) {
        return Some(format!("{} {task} ran{prio}", words::share(most_ns, case.duration_ns)));
    }
    let together_ns = rows.iter().fold(0, sum);
    let share = words::share(together_ns, case.duration_ns);
    case.is_most(together_ns).then(|| format!("{share} other tasks ran, most of all {task}{prio}"))
}

fn of_cause(found: &Found<'_, '_>, cause: Cause) -> i64 {
    let rows = found.blame.iter().filter(|row| row.cause == cause);
    rows.fold(0, |sum, row| sum.saturating_add(row.duration_ns))
}

/// The sentence is the same whether events are looked at or not.
fn of_prio(case: &Case<'_>, blame: &Blame<'_>) -> String {
    let prio = blame.prio.filter(|_| case.needs_events());
    prio.map(|prio| format!(" (prio {prio})")).unwrap_or_default()
}

/// The largest cause, where it is something else than the way that a timer takes to its task.
fn waited(case: &Case<'_>, found: &Found<'_, '_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let largest = found.blame.first()?;
    if let Some(several) = several(case, found) {
        return Some(several);
    }
    let is_other = matches!(
        largest.cause,
        Cause::Task | Cause::Irqsoff | Cause::Preemptoff | Cause::Softirq | Cause::Gap | Cause::Nmi
    );
    (is_other && case.is_most(largest.duration_ns)).then(|| clause(case, largest, around))
}

fn cause(case: &Case<'_>, found: &Found<'_, '_>, around: &Surroundings<'_, '_>) -> Option<String> {
    let largest = found.blame.first()?;
    let says_nothing_new = match case.kind.name {
        "irq" | "tick" => largest.cause == Cause::Irq && is_own(case, largest),
        "softirq" => largest.cause == Cause::Softirq && is_own(case, largest),
        "irqsoff" => largest.cause == Cause::Irqsoff && is_own(case, largest),
        "preemptoff" => largest.cause == Cause::Preemptoff && is_own(case, largest),
        "hwlat" => true,
        _ => false,
    };
    if says_nothing_new || largest.duration_ns == 0 {
        return None;
    }
    let idle_ns = of_cause(found, Cause::Idle);
    if largest.cause == Cause::Idle && !case.is_most(largest.duration_ns) && case.is_most(idle_ns) {
        return Some(format!("{} the CPU was idle", words::share(idle_ns, case.duration_ns)));
    }
    several(case, found).or_else(|| Some(clause(case, largest, around)))
}

/// True where the largest cause is the measured interval itself.
fn is_own(case: &Case<'_>, largest: &Blame<'_>) -> bool {
    let is_same = |start_ns: i64, end_ns: i64| start_ns <= case.start_ns && case.end_ns() <= end_ns;
    largest.span.is_none_or(|span| is_same(span.start_ns, span.end_ns))
}

/// `60 % of it hackbench-2001 ran (prio 120)`
fn clause(case: &Case<'_>, largest: &Blame<'_>, around: &Surroundings<'_, '_>) -> String {
    let share = words::share(largest.duration_ns, case.duration_ns);
    let what = &largest.what;
    match (largest.cause, &largest.span) {
        // The section in its whole length says more than its share.
        (Cause::Irqsoff | Cause::Preemptoff, Some(span))
            if case.is_most(span.overlap_ns(case.start_ns, case.end_ns())) =>
        {
            evidence::sentence(largest.cause, span, around)
        }
        (Cause::Irqsoff, _) => format!("{share} interrupts were off in {what}"),
        (Cause::Preemptoff, _) => format!("{share} preemption was off in {what}"),
        (Cause::Task, _) => {
            format!("{share} {what} ran{}{}", of_prio(case, largest), in_function(case, largest))
        }
        (Cause::Irq | Cause::Softirq, _) if [AN_INTERRUPT, A_SOFTIRQ].contains(&what.as_str()) => {
            format!("{share} {what} ran{}", in_function(case, largest))
        }
        (Cause::Irq, _) => format!("{share} the interrupt {what} ran{}", in_function(case, largest)),
        (Cause::Softirq, _) => format!("{share} the softirq {what} ran{}", in_function(case, largest)),
        (Cause::Nmi, _) => format!("{share} an NMI ran"),
        (Cause::Gap, _) => format!("{share} hardware or hypervisor held the CPU"),
        (Cause::Idle, _) if what == "idle" => format!("{share} the CPU was idle"),
        (Cause::Idle, _) => format!("{share} the CPU was idle ({what})"),
        (Cause::Itself, _) => format!("{share} the task ran itself"),
        (Cause::Unknown, _) if what == "events were lost" => format!("{share} lies where events were lost"),
        (Cause::Unknown, _) if largest.duration_ns >= case.duration_ns => {
            "what ran meanwhile was not recorded".to_owned()
        }
        (Cause::Unknown, _) => format!("what ran in {share} was not recorded"),
    }
}

/// Of a tracer's report, the function that took half of the case or more.
fn in_function(case: &Case<'_>, blame: &Blame<'_>) -> String {
    let is_told = |(_, ns): &&(String, i64)| case.flags.has(SampleFlags::REPORTED) && case.is_most(*ns);
    let function = blame.function.as_ref().filter(is_told);
    function.map(|(name, ns)| format!(", {} of it in {name}", words::time(*ns))).unwrap_or_default()
}

/// `12 µs of it in hrtimer_start_range_ns`
fn function(case: &Case<'_>, found: &Found<'_, '_>) -> Option<String> {
    let largest = found.blame.first()?;
    let time = words::time(largest.duration_ns);
    let away_ns = of_cause(found, Cause::Task).saturating_add(of_cause(found, Cause::Idle));
    if case.is_most(away_ns) {
        return Some(format!("its task was switched out for {} of it", words::time(away_ns)));
    }
    match (largest.cause, &largest.function) {
        (Cause::Itself, _) if largest.duration_ns >= case.duration_ns => None,
        (Cause::Itself, _) if case.key == Some(&largest.what) => {
            Some(format!("{time} of it in itself, outside of the calls that were recorded"))
        }
        (Cause::Itself, _) => Some(format!("{time} of it in {}", largest.what)),
        (_, Some((name, ns))) if case.key != Some(name) && is_much(case, *ns) => {
            Some(format!("{} of it in {name}", words::time(*ns)))
        }
        _ => None,
    }
}
