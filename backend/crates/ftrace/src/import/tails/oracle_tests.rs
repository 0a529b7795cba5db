//! What is added up at load equals what explanations say of each sample, one after the other.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::marks::WAKINGS_KEPT;
use super::moves::MAX_STEPS;
use crate::analyses::{Cause, SampleFlags};
use crate::explain::{Blame, Case, Surroundings};
use crate::import::summary::Summary;
use crate::import::testing::import_lines;
use crate::kinds::KINDS;
use crate::store::read::read_rows;
use crate::store::tables::{LATENCY_TAIL, LATENCY_TAIL_PART};
use crate::store::testing::Written;
use crate::testing::explain::{explain_imported, random_text};

/// By number of the kind: samples, their time, and the time by cause and name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Summed {
    count: i64,
    total_ns: i64,
    causes: BTreeMap<(String, String), i64>,
    stages: BTreeMap<(String, String), i64>,
}

type ByKind = BTreeMap<i16, Summed>;

fn stored(written: &Written) -> ByKind {
    let mut kinds = ByKind::new();
    read_rows(&LATENCY_TAIL, &written.whole(&LATENCY_TAIL), |row| {
        row.skip("trace_key")?;
        let kind = kinds.entry(row.int("kind")?).or_default();
        for skipped in ["subject", "task", "prio", "cell"] {
            row.skip(skipped)?;
        }
        kind.count += row.ints::<i64>("count")?.iter().sum::<i64>();
        kind.total_ns += row.ints::<i64>("total_ns")?.iter().sum::<i64>();
        Ok(())
    })
    .unwrap();
    read_rows(&LATENCY_TAIL_PART, &written.whole(&LATENCY_TAIL_PART), |row| {
        row.skip("trace_key")?;
        let kind = kinds.entry(row.int("kind")?).or_default();
        row.skip("subject")?;
        row.skip("part")?;
        let cause = row.optional_text("cause")?.map(str::to_owned);
        let name = row.optional_text("name")?.unwrap_or_default().to_owned();
        row.skip("mechanism")?;
        let stage = row.optional_text("stage_from")?.map(str::to_owned);
        let to = row.optional_text("stage_to")?.unwrap_or_default().to_owned();
        row.skip("cell")?;
        let duration_ns: i64 = row.ints::<i64>("duration_ns")?.iter().sum();
        let sums = if cause.is_some() { &mut kind.causes } else { &mut kind.stages };
        let key = cause.zip(Some(name)).or(stage.zip(Some(to))).unwrap();
        *sums.entry(key).or_default() += duration_ns;
        Ok(())
    })
    .unwrap();
    kinds
}

fn explained(imported: &(Written, Summary)) -> ByKind {
    let mut kinds = ByKind::new();
    let is_profiled =
        |name: &str| KINDS.iter().any(|kind| kind.latency().name == name && kind.why_unprofiled().is_none());
    explain_imported(imported, is_profiled, |case, explanation, around| {
        let kind = kinds.entry(case.latency().code).or_default();
        kind.count += 1;
        kind.total_ns += case.duration_ns;
        for blame in &explanation.blame {
            *kind.causes.entry((blame.cause.name().to_owned(), name_of(blame, around))).or_default() +=
                blame.duration_ns;
        }
        for stage in explanation.stages.iter().filter(|_| has_stages(case)) {
            let key = (stage.from.name().to_owned(), stage.to.name().to_owned());
            *kind.stages.entry(key).or_default() += stage.duration_ns;
        }
    });
    kinds
}

/// Of the others, the tracer says itself what it was.
fn has_stages(case: &Case<'_>) -> bool {
    let kinds = ["timer", "cyclic", "wakeup", "preempted", "migration"];
    kinds.contains(&case.latency().name) && !case.flags.has(SampleFlags::REPORTED)
}

/// The name that rows of blame are added up by: of a task the one that it is stored under, whatever it was called then.
fn name_of(blame: &Blame<'_>, around: &Surroundings<'_, '_>) -> String {
    let stored = || (0..).map_while(|idx| around.task(idx)).find(|task| task.pid == blame.pid);
    match blame.cause {
        Cause::Task => stored().map_or_else(|| blame.what.clone(), |task| task.comm.to_owned()),
        Cause::Irq | Cause::Softirq if blame.what.starts_with("an interrupt") => String::new(),
        Cause::Irq | Cause::Softirq | Cause::Irqsoff | Cause::Preemptoff => blame.what.clone(),
        _ => String::new(),
    }
}

/// Says where the two ways differ.
fn check(text: &str) {
    let imported = import_lines(text);
    let (stored, explained) = (stored(&imported.0), explained(&imported));
    for kind in KINDS.iter().map(|kind| kind.latency()) {
        let (stored, explained) = (stored.get(&kind.code), explained.get(&kind.code));
        assert_eq!(stored, explained, "{}\n{text}", kind.name);
        if let Some(stored) = stored {
            assert_eq!(stored.causes.values().sum::<i64>(), stored.total_ns, "{}\n{text}", kind.name);
        }
    }
}

/// A task that sleeps by a timer again and again, and wakes another one each time that it runs.
#[test]
fn stages_stay_the_same_however_often_tasks_are_woken() {
    let mut text = String::new();
    for at_us in (0..200).map(|number| number * 1_000) {
        let timer = "hrtimer=00000000000000aa function=hrtimer_wakeup";
        let expires = (1_000_000 + at_us + 500) * 1_000;
        let sleeps = "prev_comm=b prev_pid=9 prev_prio=19 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120";
        let runs = "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=9 next_prio=19";
        for (later_us, task, event) in [
            (0, "b-9", format!("hrtimer_start: {timer} expires={expires} softexpires={expires}")),
            (2, "b-9", format!("sched_switch: {sleeps}")),
            (501, "<idle>-0", "local_timer_entry: vector=236".to_owned()),
            (502, "<idle>-0", format!("hrtimer_expire_entry: {timer} now={}", expires + 1_500)),
            (503, "<idle>-0", "sched_waking: comm=b pid=9 prio=19 target_cpu=000".to_owned()),
            (504, "<idle>-0", "sched_wakeup: comm=b pid=9 prio=19 target_cpu=000".to_owned()),
            (506, "<idle>-0", "local_timer_exit: vector=236".to_owned()),
            (509, "<idle>-0", format!("sched_switch: {runs}")),
            (520, "b-9", "sched_waking: comm=c pid=8 prio=120 target_cpu=001".to_owned()),
        ] {
            let t_us = 1_000_000 + at_us + later_us;
            let line = format!("{task} [0] {}.{:06}: {event}\n", t_us / 1_000_000, t_us % 1_000_000);
            text.push_str(&line);
        }
    }
    let imported = import_lines(&text);
    let cyclic = KINDS.iter().find(|kind| kind.latency().name == "cyclic").unwrap().latency().code;
    let stages = stored(&imported.0).remove(&cyclic).unwrap().stages;
    assert!(stages.contains_key(&("interrupt exit".to_owned(), "switch".to_owned())), "{stages:?}");
    check(&text);
}

/// Switches say that another task ran where the tracer says that the case's own did.
#[test]
fn noise_of_the_own_task_is_no_run_beside_those_of_others() {
    check(
        "a-0 [0] 1.000002: sched_waking: comm=b pid=9 prio=89 target_cpu=000
a-7 [1] 1.000004: sched_migrate_task: comm=b pid=9 prio=89 orig_cpu=1 dest_cpu=1
LOST [1]
a-10 [1] 1.000044: irq_disable: caller=a+0x1/0x2 parent=b+0x1/0x2
a-6 [1] 1.000047: thread_noise: b:9 start 1.000047000 duration 4200 ns
a-9 [0] 1.000048: sched_switch: prev_comm=b prev_pid=0 prev_prio=89 prev_state=S ==> next_comm=a next_pid=9 next_prio=120
a-6 [1] 1.000057: sched_switch: prev_comm=a prev_pid=6 prev_prio=120 prev_state=R ==> next_comm=b next_pid=0 next_prio=89
",
    );
}

proptest! {
    // Runs of no length are no slices, which only those who look at slices know.
    #[test]
    fn sums_equal_those_of_single_explanations(text in random_text(1)) {
        // Only a limited number of wakings and steps of a task is remembered.
        let (wakings, steps) = (text.matches(": sched_wak").count(), text.matches(": sched_").count());
        prop_assume!(wakings <= WAKINGS_KEPT && steps <= MAX_STEPS);
        check(&text);
    }
}
