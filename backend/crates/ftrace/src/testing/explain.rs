//! For tests of explanations: imports a few lines of ftrace text and explains the latencies that they hold.

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::Expect;
use proptest::prelude::*;

use crate::explain::{Case, Explanation, Recorded, Surroundings, TraceFacts, explain};
use crate::formats::read_any;
use crate::import::summary::Summary;
use crate::import::testing::{import_lines, import_with};
use crate::kinds::KINDS;
use crate::model::Limits;
use crate::store::read::samples::read_samples;
use crate::store::tables::{self, Table};
use crate::store::testing::Written;

/// Calls `see` with every case of the wanted kinds in the text.
pub fn explain_all(
    text: &str,
    is_wanted: impl Fn(&str) -> bool,
    see: impl for<'r, 'a> FnMut(&Case<'a>, &Explanation<'a>, &Surroundings<'r, 'a>),
) {
    explain_imported(&import_lines(text), is_wanted, see);
}

/// The same of what was imported.
pub fn explain_imported(
    imported: &(Written, Summary),
    is_wanted: impl Fn(&str) -> bool,
    see: impl for<'r, 'a> FnMut(&Case<'a>, &Explanation<'a>, &Surroundings<'r, 'a>),
) {
    explain_seen(imported, is_wanted, |_| None, see);
}

/// As [`explain_all`], without the events that lie in a part of each case, as the middle of long ones is left out.
pub fn explain_partly(
    text: &str,
    unseen: impl Fn(&Case<'_>) -> (i64, i64),
    see: impl for<'r, 'a> FnMut(&Case<'a>, &Explanation<'a>, &Surroundings<'r, 'a>),
) {
    explain_seen(&import_lines(text), |_| true, |case| Some(unseen(case)), see);
}

fn explain_seen(
    (written, summary): &(Written, Summary),
    is_wanted: impl Fn(&str) -> bool,
    unseen: impl Fn(&Case<'_>) -> Option<(i64, i64)>,
    mut see: impl for<'r, 'a> FnMut(&Case<'a>, &Explanation<'a>, &Surroundings<'r, 'a>),
) {
    let streams: BTreeMap<&str, Vec<u8>> =
        tables::ALL.iter().map(|table| (table.name, written.whole(table))).collect();
    let rows = |table: &'static Table| streams[table.name].as_slice();
    let origin_ns = summary.origin_ns.parse().unwrap();
    let trace = TraceFacts { origin_ns, time_unit: summary.time_unit, ..TraceFacts::default() };
    let recorded = Recorded::read(rows, trace).unwrap();
    let [samples, slices] = [&tables::SAMPLE_BLOCK, &tables::SLICE_BLOCK].map(rows);
    for kind in KINDS.iter().copied().filter(|kind| is_wanted(kind.latency().name)) {
        for sample in read_samples(kind.latency(), &[samples], &[slices]).unwrap() {
            let case = Case::new(kind, &sample, &recorded.tasks, &recorded.symbols);
            let around = recorded.around(&case, unseen(&case));
            see(&case, &explain(&case, &around), &around);
        }
    }
}

/// Prints the sentence, the stages, the blame and the evidence of every case of `kind`.
pub fn check(text: &str, kind: &str, expected: Expect) {
    let mut printed = String::new();
    explain_all(text, |name| name == kind, |case, explanation, _| print(case, explanation, &mut printed));
    expected.assert_eq(&printed);
}

/// The same for the text of a whole file, with its header.
pub fn check_file(text: &str, kind: &str, expected: Expect) {
    let mut printed = String::new();
    explain_file(text, kind, |case, explanation, _| print(case, explanation, &mut printed));
    expected.assert_eq(&printed);
}

/// Prints only the sentence of every case of `kind` in a whole file.
pub fn check_file_headline(text: &str, kind: &str, expected: Expect) {
    let mut printed = String::new();
    explain_file(text, kind, |_, explanation, _| printed = explanation.headline.clone() + "\n");
    expected.assert_eq(&printed);
}

/// Calls `see` with every case of `kind` in the text of a whole file.
pub fn explain_file(
    text: &str,
    kind: &str,
    see: impl for<'r, 'a> FnMut(&Case<'a>, &Explanation<'a>, &Surroundings<'r, 'a>),
) {
    explain_bytes(text.as_bytes(), |name| name == kind, see);
}

/// Calls `see` with every case of the wanted kinds in a recording of any form.
pub fn explain_bytes(
    bytes: &[u8],
    is_wanted: impl Fn(&str) -> bool,
    see: impl for<'r, 'a> FnMut(&Case<'a>, &Explanation<'a>, &Surroundings<'r, 'a>),
) {
    let imported = import_with(&Limits::default(), |importer| {
        read_any(&bytes.to_vec(), &mut Vec::new(), &Limits::default(), importer).unwrap();
    });
    explain_imported(&imported, is_wanted, see);
}

/// The sentences of every case of `kind`, a line each, as they are said when a trace is loaded, too.
pub fn headlines(text: &str, kind: &str) -> String {
    let mut lines = String::new();
    explain_all(
        text,
        |name| name == kind,
        |case, explanation, around| {
            assert_eq!(crate::explain::explain_briefly(case, around).headline, explanation.headline);
            writeln!(lines, "{}", explanation.headline).unwrap();
        },
    );
    lines
}

fn print(case: &Case<'_>, explanation: &Explanation<'_>, out: &mut String) {
    writeln!(out, "{}", explanation.headline).unwrap();
    for stage in &explanation.stages {
        writeln!(out, "  {} -> {}: {}", stage.from.name(), stage.to.name(), stage.duration_ns).unwrap();
    }
    for blame in &explanation.blame {
        write!(out, "  {} {}: {}", blame.cause.name(), blame.what, blame.duration_ns).unwrap();
        if let Some(cpu) = blame.cpu.filter(|cpu| *cpu != case.cpu) {
            write!(out, " on cpu {cpu}").unwrap();
        }
        if let Some(place) = &blame.place {
            write!(out, ", {place}").unwrap();
        }
        if let Some(pid) = blame.pid {
            write!(out, ", pid {pid}").unwrap();
        }
        writeln!(out, ", from {}, longest {}", blame.first_ns, blame.longest_ns).unwrap();
    }
    for part in &explanation.parts.items {
        writeln!(out, "  {}: {:?} {:?} {:?}", part.name, part.value, part.what, part.share_ppm).unwrap();
    }
    for link in &explanation.why {
        let also = link.also.iter().map(|also| format!(" +{}", also.name())).collect::<String>();
        let (mechanism, certainty) = (link.mechanism.name(), link.certainty.name());
        writeln!(out, "  {mechanism}{also} ({certainty}) {}: {}", link.duration_ns(), link.sentence).unwrap();
    }
    for evidence in &explanation.evidence {
        writeln!(out, "  behind: {}", evidence.sentence).unwrap();
    }
}

/// A recording at random, of two tasks and two CPUs, with this much time between events at least.
pub fn random_text(min_distance_us: u64) -> impl Strategy<Value = String> {
    let events = prop::collection::vec((0_u8..23, 0_u8..2, 0_u8..11, min_distance_us..40), 1..60);
    events.prop_map(|events| {
        let mut text = String::new();
        let mut t_us = 0;
        for (kind, cpu, pid, distance_us) in events {
            t_us += distance_us;
            writeln!(text, "{}", line(kind, cpu, pid, t_us)).unwrap();
        }
        text
    })
}

/// One of the events that explanations look at.
fn line(kind: u8, cpu: u8, pid: u8, t_us: u64) -> String {
    let other = if pid == 0 { 9 } else { 0 };
    let event = match kind {
        0 => format!(
            "sched_switch: prev_comm=a prev_pid={pid} prev_prio=120 prev_state=R ==> next_comm=b next_pid={other} next_prio=89"
        ),
        1 => format!(
            "sched_switch: prev_comm=b prev_pid={other} prev_prio=89 prev_state=S ==> next_comm=a next_pid={pid} next_prio=120"
        ),
        2 => format!("sched_waking: comm=b pid=9 prio=89 target_cpu=00{}", pid % 2),
        3 => format!("sched_wakeup: comm=b pid=9 prio=89 target_cpu=00{}", pid % 2),
        4 => "local_timer_entry: vector=236".to_owned(),
        5 => "local_timer_exit: vector=236".to_owned(),
        6 => "softirq_entry: vec=1 [action=TIMER]".to_owned(),
        7 => "softirq_exit: vec=1 [action=TIMER]".to_owned(),
        8 => "cpu_idle: state=2 cpu_id=0".to_owned(),
        9 => "cpu_idle: state=4294967295 cpu_id=0".to_owned(),
        10 => format!(
            "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires={} softexpires=0",
            t_us * 1000 + 20_000
        ),
        11 => format!(
            "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now={}",
            t_us * 1000
        ),
        12 => "sys_enter: NR 230 (1, 1, 0, 0, 0, 0)".to_owned(),
        13 => "sys_exit: NR 230 = 0".to_owned(),
        14 => format!("sched_migrate_task: comm=b pid=9 prio=89 orig_cpu={cpu} dest_cpu={}", pid % 2),
        15 => format!(
            "timerlat: #{pid}     context {} timer_latency {} ns",
            if cpu == 0 { "irq" } else { "thread" },
            t_us * 10
        ),
        16 => format!("irq_noise: local_timer:236 start 1.{t_us:06}000 duration {} ns", u64::from(pid) * 900),
        17 => format!("thread_noise: b:9 start 1.{t_us:06}000 duration {} ns", u64::from(pid) * 700),
        18 => format!("osnoise: 1000 {pid} 0.9 {pid} 1 0 2 3 4"),
        19 => "irq_disable: caller=a+0x1/0x2 parent=b+0x1/0x2".to_owned(),
        20 => "irq_enable: caller=c+0x1/0x2 parent=d+0x1/0x2".to_owned(),
        21 => return format!("LOST [{cpu}]"),
        _ => "hwlat: #1 inner/outer(us): 3/4 ts:1.0 count:1".to_owned(),
    };
    format!("a-{pid} [{cpu}] 1.{t_us:06}: {event}")
}

/// `sched_switch: …` from one task to another, as `sh-7`, both of them nice 0.
pub fn switch(prev: &str, state: &str, next: &str) -> String {
    let part = |role: &str, task: &str| {
        let (comm, pid) = task.rsplit_once('-').unwrap();
        format!("{role}_comm={comm} {role}_pid={pid} {role}_prio=120")
    };
    format!("sched_switch: {} prev_state={state} ==> {}", part("prev", prev), part("next", next))
}
