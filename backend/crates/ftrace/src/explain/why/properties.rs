//! What holds of every chain and verdict, whatever is recorded: the sums are worked out here again, from the links.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use proptest::prelude::*;

use super::{Link, Mechanism, Subject};
use crate::explain::{Case, Explanation, Surroundings, words};
use crate::testing::explain::{explain_all, explain_bytes, explain_partly, random_text};

/// The kinds whose cases wait for something else than themselves.
const WAITS: [&str; 7] = ["cyclic", "timer", "wakeup", "preempted", "migration", "softirq_raise", "syscall"];
const KEPT_CPU: &str = "kept the CPU";
/// Cases of one kind of one recording that are looked at.
const CASES: usize = 150;

const HAVE_CPU: [Mechanism; 4] =
    [Mechanism::HigherPriority, Mechanism::EqualPriority, Mechanism::FairShare, Mechanism::NotPreemptible];

/// The mechanism of each link, where short sections of a task that had the CPU are nothing but that: those of places that
/// have less than a quarter of it all, next to one another.
fn mechanisms(links: &[Link<'_>]) -> Vec<Mechanism> {
    let mut found: Vec<Mechanism> = links.iter().map(|link| link.mechanism).collect();
    let is_section = |link: &&Link<'_>| link.mechanism == Mechanism::IrqsOff && link.function_idx.is_some();
    let total_ns = |place| -> i64 {
        links.iter().filter(is_section).filter(|link| link.function_idx == place).map(Link::duration_ns).sum()
    };
    let whole_ns: i64 = links.iter().map(Link::duration_ns).sum();
    for _ in links {
        for at in 1..links.len() {
            let (before, link) = (&links[at - 1], &links[at]);
            if (before.cpu, before.subject, before.end_ns) != (link.cpu, link.subject, link.start_ns) {
                continue;
            }
            for (own, other) in [(at, at - 1), (at - 1, at)] {
                let is_crumb = is_section(&&links[own]) && total_ns(links[own].function_idx) * 4 < whole_ns;
                if is_crumb && HAVE_CPU.contains(&found[other]) && !HAVE_CPU.contains(&found[own]) {
                    found[own] = found[other];
                }
            }
        }
    }
    found
}

/// Of one mechanism about one thing, or of tasks of one name that had the CPU: how long. The silences of a CPU, in which it may
/// have stood still whatever task was on it, are `of_tasks`, or one thing.
fn sums(links: &[Link<'_>], around: &Surroundings<'_, '_>, of_tasks: bool) -> BTreeMap<String, i64> {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    // It may have another name by the end of the chain than in its longest link.
    let comm = |idx: i32| {
        let of_task = links.iter().filter(|link| link.subject == Some(Subject::Task(idx)));
        let longest = of_task.max_by_key(|link| link.duration_ns());
        longest.and_then(|link| around.comm_at(idx, link.end_ns)).unwrap_or_default()
    };
    let has_names = links.iter().any(|link| matches!(link.subject, Some(Subject::Softirq(0..))));
    for (link, mechanism) in links.iter().zip(mechanisms(links)) {
        let about = match link.subject {
            Some(Subject::Task(idx)) => match comm(idx) {
                "" | "<...>" => format!("task {idx}"),
                comm => format!("tasks {comm}"),
            },
            Some(Subject::Softirq(-1)) if has_names => "step".to_owned(),
            Some(Subject::Softirq(_)) => "softirqs".to_owned(),
            other => format!("{other:?}"),
        };
        let may_be_stall = link.mechanism == Mechanism::IrqsOff && link.also.contains(&Mechanism::Stall);
        let is_silence = may_be_stall && link.function_idx.is_none();
        if is_silence && !of_tasks {
            *sums.entry(format!("silence of {}", link.cpu)).or_default() += link.duration_ns();
            continue;
        }
        // Whoever ran in its place.
        if link.mechanism == Mechanism::Throttled {
            *sums.entry("throttled".to_owned()).or_default() += link.duration_ns();
            continue;
        }
        let how = if HAVE_CPU.contains(&mechanism) || is_silence {
            KEPT_CPU.to_owned()
        } else {
            let is_deep = !link.deeper.is_empty() || link.is_for_others || link.is_way;
            format!("{:?} {is_deep} {:?}", link.mechanism, link.function_idx)
        };
        *sums.entry(format!("{how} {about}")).or_default() += link.duration_ns();
    }
    sums
}

/// Checks one case; false where the headline says something else than the largest sum, with good reason.
/// How long each CPU stood still for certain.
fn stills(links: &[Link<'_>]) -> BTreeMap<i16, i64> {
    let mut found = BTreeMap::new();
    for link in links {
        let is_through = matches!(link.mechanism, Mechanism::ArmedLate | Mechanism::Deferred);
        let parts = match (is_through, link.mechanism) {
            (true, _) => stills(&link.deeper),
            (_, Mechanism::Stall) => BTreeMap::from([(link.cpu, link.duration_ns())]),
            _ => BTreeMap::new(),
        };
        parts.into_iter().for_each(|(cpu, ns)| *found.entry(cpu).or_insert(0) += ns);
    }
    found
}

fn check(case: &Case<'_>, explanation: &Explanation<'_>, around: &Surroundings<'_, '_>) -> bool {
    let headline = &explanation.headline;
    let count = headline.split_whitespace().count();
    assert!(
        count <= 30 || case.kind.event(case, around).split_whitespace().count() > 14,
        "{count}: {headline}"
    );
    assert!(!headline.contains("))"), "{headline}");
    let links = &explanation.why;
    let total_ns: i64 = links.iter().map(Link::duration_ns).sum();
    assert!(links.is_empty() || total_ns == case.duration_ns, "{headline}");
    let is_exact = links.iter().all(|link| link.others == 0);
    let is_itself =
        links.iter().any(|link| link.mechanism == Mechanism::Handler) || case.kind.slice_kind().is_some();
    let is_reported = explanation.parts.clause.is_some();
    if links.is_empty() || !is_exact || is_itself || is_reported || !headline.contains(": ") {
        return false;
    }
    let asked_ns: i64 = links.iter().filter(|link| link.asked_ns.is_some()).map(Link::duration_ns).sum();
    let still_ns = stills(links).into_values().max().unwrap_or(0);
    let is_much = still_ns >= 20_000 && still_ns * 3 >= case.duration_ns - asked_ns;
    let is_still = headline.contains("stood still") || headline.contains("interrupts were off");
    assert!(!is_much || is_still, "stood still for {}: {headline}", words::time(still_ns));
    let largest_ns = sums(links, around, false).into_values().max().unwrap();
    let time = words::time(largest_ns);
    // A case that is unknown as a whole needs no number; deferred work is described by what its carrier waited for.
    // Many tasks with little each may be more together.
    let of_tasks = |(how, ns): (String, i64)| how.starts_with(KEPT_CPU).then_some(ns);
    let all_tasks_ns = [false, true]
        .map(|silences| -> i64 { sums(links, around, silences).into_iter().filter_map(of_tasks).sum() });
    let with_silences_ns = sums(links, around, true).into_iter().filter_map(of_tasks).max().unwrap_or(0);
    let is_interrupt =
        |link: &&Link<'_>| matches!(link.subject, Some(Subject::Interrupt(_) | Subject::Softirq(_)));
    let all_interrupts_ns: i64 = links.iter().filter(is_interrupt).map(Link::duration_ns).sum();
    let says = |ns: i64| ns > largest_ns && headline.contains(&words::time(ns));
    let is_told = headline.contains(&time)
        || says(with_silences_ns)
        || all_tasks_ns.into_iter().any(says)
        || says(all_interrupts_ns)
        || headline.contains("no record of what ran then")
        || ["handed to", "left to"].into_iter().any(|how| headline.contains(how));
    assert!(is_told, "{time} of {headline}\n{:#?}", sums(links, around, false));
    true
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the recordings are files")]
fn verdicts_of_the_sample_traces_name_the_largest_sum() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sample_traces");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|name| name == "md" || name == "toml") {
            continue;
        }
        let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
        let bytes = std::fs::read(&path).unwrap();
        let is_wait = |kind: &str| WAITS.contains(&kind);
        explain_bytes(&bytes, is_wait, |case, explanation, around| {
            let seen = of_kind.entry(case.latency().name).or_default();
            *seen += 1;
            if *seen <= CASES && check(case, explanation, around) {
                checked += 1;
            }
        });
    }
    assert!(checked > 500, "{checked}");
}

const NAMES: [&str; 4] = ["a b c d e f g h", "x", "Web Content 12", "1 2 3 4 5 6 7"];

fn line(kind: u8, cpu: u8, one: usize, other: usize, t_us: u64) -> String {
    let (comm, pid) = (NAMES[one], one + 1);
    let (next, next_pid) = (NAMES[other], other + 1);
    let event = match kind {
        0 | 1 => format!(
            "sched_switch: prev_comm={comm} prev_pid={pid} prev_prio=120 prev_state={} ==> next_comm={next} next_pid={next_pid} next_prio={}",
            if kind == 0 { "R" } else { "S" },
            if other == 1 { 19 } else { 120 },
        ),
        2 => format!("sched_waking: comm={next} pid={next_pid} prio=120 target_cpu=00{cpu}"),
        3 => format!("sched_wakeup: comm={next} pid={next_pid} prio=120 target_cpu=00{cpu}"),
        4 => "local_timer_entry: vector=236".to_owned(),
        5 => "local_timer_exit: vector=236".to_owned(),
        6 => "sys_enter: NR 0 (1, 1, 1, 1, 1, 1)".to_owned(),
        7 => "sys_exit: NR 0 = 0".to_owned(),
        8 => "irq_disable: caller=a+0x1/0x2 parent=b+0x1/0x2".to_owned(),
        9 => "irq_enable: caller=a+0x1/0x2 parent=b+0x1/0x2".to_owned(),
        _ => format!(
            "sched_migrate_task: comm={next} pid={next_pid} prio=120 orig_cpu={} dest_cpu={cpu}",
            1 - cpu
        ),
    };
    format!(
        "{comm}-{pid} [{cpu}] d.{}2. 1.{t_us:06}: {event}",
        if kind == 4 || kind == 5 { 'h' } else { '.' }
    )
}

proptest! {
    #[test]
    fn verdicts_are_short_and_say_the_sums_of_their_links(
        events in prop::collection::vec((0_u8..11, 0_u8..2, 0_usize..4, 0_usize..4, 0_u64..300), 1..60)
    ) {
        let mut text = String::new();
        let mut t_us = 0;
        for (kind, cpu, one, other, distance_us) in events {
            t_us += distance_us;
            writeln!(text, "{}", line(kind, cpu, one, other, t_us)).unwrap();
        }
        explain_all(&text, |_| true, |case, explanation, around| {
            check(case, explanation, around);
        });
    }

    /// Of what is left out it is only known who ran: neither a stall nor a section shows in it.
    #[test]
    fn nothing_is_concluded_from_events_that_are_left_out(text in random_text(15)) {
        let third = |case: &Case<'_>| case.duration_ns / 3;
        let unseen = |case: &Case<'_>| (case.start_ns + third(case), case.end_ns() - third(case));
        explain_partly(&text, unseen, |case, explanation, _| {
            let (from_ns, to_ns) = unseen(case);
            for link in explanation.why.iter().filter(|link| link.start_ns <= from_ns && to_ns <= link.end_ns) {
                let is_silence = matches!(link.mechanism, Mechanism::Stall | Mechanism::IrqsOff);
                let is_section = link.function_idx.is_some() || from_ns >= to_ns;
                assert!(!is_silence || is_section, "{}\n{text}", explanation.headline);
            }
        });
    }
}
