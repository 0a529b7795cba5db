//! Compares what is said of a recording without some of its records with what is said of the whole recording.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Link, Mechanism};
use crate::explain::{Case, Surroundings};
use crate::testing::explain::explain_bytes;

/// Shorter links say little of a case.
const MIN_NS: i64 = 20_000;
/// The part of the sample that is read, in lines.
const LINES: usize = 9_000;

/// Every so many of the records of a type is left out.
const EVERY: usize = 8;

/// A task had the CPU, for whatever reason.
const BEHIND_TASKS: [Mechanism; 5] = [
    Mechanism::HigherPriority,
    Mechanism::EqualPriority,
    Mechanism::FairShare,
    Mechanism::NotPreemptible,
    Mechanism::OwnWork,
];

/// A case by its kind, CPU, beginning and length.
type Key = (&'static str, i16, i64, i64);
/// What was said of a stretch, and who or what it is about.
type Told = (i64, i64, Vec<Mechanism>, String);

fn key(case: &Case<'_>) -> Key {
    (case.latency().name, case.cpu, case.start_ns, case.duration_ns)
}

fn told(link: &Link<'_>, around: &Surroundings<'_, '_>) -> Told {
    let mechanisms = [link.mechanism].into_iter().chain(link.also.iter().copied()).collect();
    let subject = link.subject.map_or_else(String::new, |subject| subject.name(around, link.end_ns));
    (link.start_ns, link.end_ns, mechanisms, subject)
}

type Explained = BTreeMap<Key, (String, Vec<Told>)>;

fn explained(text: &str) -> Explained {
    let mut cases = BTreeMap::new();
    let is_wait = |kind: &str| ["cyclic", "timer", "wakeup", "preempted", "migration"].contains(&kind);
    explain_bytes(text.as_bytes(), is_wait, |case, explanation, around| {
        let told = explanation.why.iter().map(|link| told(link, around)).collect();
        cases.insert(key(case), (explanation.headline.clone(), told));
    });
    cases
}

/// The beginning of a recording of cyclictest beside a load.
#[expect(clippy::disallowed_methods, reason = "the recording is a file")]
fn sample() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sample_traces");
    let text = std::fs::read(folder.join("cyclictest-load-6.12-rt.txt.zst")).unwrap();
    let text = String::from_utf8(zstd::decode_all(text.as_slice()).unwrap()).unwrap();
    text.lines().take(LINES).map(|line| format!("{line}\n")).collect()
}

/// The lines without every eighth of those that hold `what`, from the first, second, … on.
fn without(lines: &[&str], what: &str, first: usize) -> String {
    let mut seen = 0_usize;
    let is_kept = |line: &&&str| {
        let is_one = line.contains(what);
        seen += usize::from(is_one);
        !(is_one && seen % EVERY == first)
    };
    lines.iter().filter(is_kept).copied().collect()
}

/// True of what is said of most of a case, where something else was said before.
fn is_new(duration_ns: i64, (start_ns, end_ns, mechanisms, subject): &Told, before: &[Told]) -> bool {
    let length_ns = end_ns - start_ns;
    if length_ns < MIN_NS || length_ns * 2 < duration_ns || mechanisms[0] == Mechanism::Unknown {
        return false;
    }
    let of_tasks = |mechanism: &Mechanism| BEHIND_TASKS.contains(mechanism);
    let pid = |name: &str| name.rsplit_once('-').map(|(_, pid)| pid.to_owned());
    let is_same = |(.., then, whose): &&Told| match mechanisms[0] {
        // A CPU that stands still looks like the task that has it. By the scheduler's account it is the task chosen.
        mechanism if of_tasks(&mechanism) => {
            then.contains(&Mechanism::Stall) || then.iter().any(of_tasks) && pid(whose) == pid(subject)
        }
        mechanism => {
            let admits = mechanisms.iter().skip(1).any(|also| then.contains(also));
            admits || then.contains(&mechanism) && whose == subject
        }
    };
    let shared = |(from_ns, to_ns, ..): &Told| (*end_ns.min(to_ns) - *start_ns.max(from_ns)).max(0);
    before.iter().filter(is_same).map(shared).sum::<i64>() * 2 < length_ns
}

/// How many cases were found in the whole recording, too, and which of them say something new.
#[derive(Default)]
struct Compared {
    count: usize,
    wrong: Vec<String>,
}

impl Compared {
    fn add(&mut self, whole: &Explained, text: &str, what: &str, is_meant: impl Fn(&Told) -> bool) {
        for (key, (headline, links)) in explained(text) {
            let Some((before, links_before)) = whole.get(&key) else { continue };
            self.count += 1;
            if links.iter().any(|link| is_meant(link) && is_new(key.3, link, links_before)) {
                self.wrong.push(format!("{what} {key:?}\n  {headline}\n  {before}"));
            }
        }
    }

    fn check(self, least: usize) {
        let Self { count, wrong } = self;
        assert!(count > least, "{count}");
        assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// A record of the scheduler that is missing makes less known, and nothing else true.
#[test]
fn nothing_new_is_said_where_a_record_is_missing() {
    let sample = sample();
    let all: Vec<&str> = sample.iter().map(String::as_str).collect();
    let is_of_scheduler = |line: &&str| line.starts_with('#') || line.contains(": sched_");
    let scheduler: Vec<&str> = all.iter().copied().filter(is_of_scheduler).collect();
    let mut compared = Compared::default();
    for lines in [&all, &scheduler] {
        let whole = explained(&lines.concat());
        for what in [" sched_switch: ", " sched_waking: ", " sched_wakeup: ", " sched_stat_runtime: "] {
            let is_switch = what == " sched_switch: ";
            for first in (0..EVERY).filter(|first| is_switch || first % 4 == 1) {
                compared.add(&whole, &without(lines, what, first), what, |_| true);
            }
        }
    }
    compared.check(10_000);
}

/// Which lines a thinner recording has.
type Kept<'k> = &'k dyn Fn(&str) -> bool;

/// The lines with events that are `kept`, and the first line, from which times count.
fn only(lines: &[&str], kept: Kept<'_>) -> String {
    let mut is_first = true;
    let is_kept = |line: &&&str| line.starts_with('#') || std::mem::take(&mut is_first) || kept(line);
    lines.iter().filter(is_kept).copied().collect()
}

/// The lines without their flags, `d..2.`, as older reports print them.
fn flagless(lines: &[&str]) -> String {
    let without = |line: &str| match line.split_once("] ") {
        Some((task, rest)) if !line.starts_with('#') => {
            let (_flags, rest) = rest.split_once(' ').unwrap();
            format!("{task}] {rest}")
        }
        _ => line.to_owned(),
    };
    lines.iter().map(|line| without(line)).collect()
}

#[test]
fn nobody_is_accused_where_flags_are_missing() {
    let sample = sample();
    let all: Vec<&str> = sample.iter().map(String::as_str).collect();
    let mut compared = Compared::default();
    compared.add(&explained(&all.concat()), &flagless(&all), "no flags", |_| true);
    compared.check(1_000);
}

/// A recording of fewer types of events shows less, and accuses nobody else.
#[test]
fn nobody_is_accused_where_types_of_events_are_missing() {
    let sample = sample();
    let all: Vec<&str> = sample.iter().map(String::as_str).collect();
    let whole = explained(&all.concat());
    let is_one_of = |line: &str, names: &[&str]| names.iter().any(|name| line.contains(&format!(": {name}")));
    let scheduler = |line: &str| is_one_of(line, &["sched_"]);
    let wakings = |line: &str| is_one_of(line, &["sched_switch", "sched_waking", "sched_wakeup"]);
    let timers = |line: &str| is_one_of(line, &["sched_", "hrtimer_"]);
    let interrupts = ["local_timer", "irq_handler", "softirq_", "call_function", "reschedule"];
    let no_interrupts = |line: &str| !is_one_of(line, &interrupts);
    let no_account = |line: &str| !is_one_of(line, &["sched_stat"]);
    let no_switches = |line: &str| !is_one_of(line, &["sched_switch"]);
    let no_timers = |line: &str| !is_one_of(line, &["hrtimer_", "timer_"]);
    let ends = ["local_timer_exit", "irq_handler_exit", "softirq_exit", "call_function_single_exit"];
    let no_ends = |line: &str| !is_one_of(line, &ends);
    let sets: [(&str, Kept<'_>); 8] = [
        ("no switches", &no_switches),
        ("no timers", &no_timers),
        ("no ends", &no_ends),
        ("scheduler", &scheduler),
        ("wakings", &wakings),
        ("timers", &timers),
        ("no interrupts", &no_interrupts),
        ("no account", &no_account),
    ];
    let accuses =
        |told: &Told| matches!(told.2[0], Mechanism::Stall | Mechanism::IrqsOff | Mechanism::Throttled);
    let mut compared = Compared::default();
    for (what, kept) in sets {
        compared.add(&whole, &only(&all, kept), what, accuses);
    }
    compared.check(5_000);
}
