//! The tasks whose latencies a trace has, first those that it was made to look at.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::item::{CaseItem, CaseItems, headlines};
use super::measured::measures;
use super::scan::ScanTables;
use super::sentences::tell;
use super::task_filter::TaskFilter;
use super::worst::{OfTask, read_by_task};
use crate::analyses::{LatencyKind, Lateness};
use crate::explore::answer_json;
use crate::explore::priority_class::PriorityClass;
use crate::explore::protocol::{Answer, Stored};
use crate::kinds;
use crate::store::read::dictionaries::{Task, read_symbols, read_tasks};
use crate::store::tables;

const MAX_LIMIT: i64 = 1_000;
const DEFAULT_LIMIT: i64 = 50;
/// Of a machine with hundreds of tasks, those that the recording is about have a sentence that says why, and the first of
/// the others; events are read for each.
const MOST_MEASURED_TOLD: usize = 100;
const MOST_TOLD: usize = 20;

#[derive(Serialize)]
struct Tasks {
    items: Vec<TaskItem>,
    is_truncated: bool,
}

#[derive(Serialize)]
struct TaskItem {
    pid: Option<i32>,
    comm: String,
    prio: Option<i16>,
    priority_class: Option<PriorityClass>,
    /// The recording was made to look at it.
    is_measured: bool,
    /// Of the kind of the worst.
    count: i64,
    /// Of the kind that says most about it.
    worst: CaseItem,
}

/// What a task has of the kinds that say how late something was, else how long.
struct Candidate<'t, 'a> {
    task: &'t Task<'a>,
    kind: &'static LatencyKind,
    of_kind: OfTask,
    is_measured: bool,
    is_labelled: bool,
}

impl Candidate<'_, '_> {
    /// From what a recording is about to what happened to be there too: named by a label; measuring; then the
    /// scheduler's own order; then by how much there is of it.
    fn order(&self) -> impl Ord + use<> {
        let class = self.task.prio.map(PriorityClass::of);
        (
            !self.is_labelled,
            !self.is_measured,
            class.is_none(),
            class,
            self.task.prio.filter(|prio| *prio < 100),
            lateness_rank(self.kind),
            Reverse(self.of_kind.worst.duration_ns),
            self.of_kind.worst.task_idx,
        )
    }
}

/// GET latencies/tasks: nothing is read but what each task has of each kind.
pub async fn latency_tasks(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let filter = TaskFilter::from_params(&params)?;
    let limit = usize::try_from(params.int("limit", 1..=MAX_LIMIT, DEFAULT_LIMIT)?).unwrap_or(usize::MAX);
    let labelled = params.name_or_list("labelled")?;
    let tables = ScanTables::fetch(&stored).await;
    let [latency_task] = stored.whole([&tables::LATENCY_TASK]).await;
    let (tasks, symbols) = (read_tasks(&tables.task)?, read_symbols(&tables.symbol)?);
    let by_task = read_by_task(&latency_task)?;
    let mut best: BTreeMap<i32, Candidate<'_, '_>> = BTreeMap::new();
    for (kind, of_kind) in kinds::latency_kinds().filter_map(|kind| Some((kind, by_task.get(&kind.code)?))) {
        for one in of_kind {
            let Some(task) = tasks.get(one.worst.task_idx).filter(|task| filter.matches(task)) else {
                continue;
            };
            let is_labelled = labelled.iter().any(|name| is_named(task, name));
            let candidate = Candidate {
                task,
                kind,
                of_kind: *one,
                is_measured: is_labelled || measures(task, kind, one.count),
                is_labelled,
            };
            let is_measured = candidate.is_measured;
            let known = best.entry(one.worst.task_idx).or_insert(candidate);
            known.is_measured |= is_measured;
            if lateness_rank(kind) < lateness_rank(known.kind) {
                (known.kind, known.of_kind) = (kind, *one);
            }
        }
    }
    let mut found: Vec<Candidate<'_, '_>> = best.into_values().collect();
    found.sort_by_cached_key(Candidate::order);
    let is_truncated = found.len() > limit;
    let cases = CaseItems::new(&params, headlines(&tables.explanation)?, &tasks, &symbols);
    let items = found.iter().take(limit).map(|found| TaskItem {
        pid: found.task.pid,
        comm: found.task.comm.to_owned(),
        prio: found.task.prio,
        priority_class: found.task.prio.map(PriorityClass::of),
        is_measured: found.is_measured,
        count: found.of_kind.count,
        worst: cases.worst_of_task(found.kind, &found.of_kind.worst),
    });
    let mut items: Vec<TaskItem> = items.collect();
    let is_told = |(at, item): &(usize, &mut TaskItem)| item.is_measured || *at < MOST_TOLD;
    let told = items.iter_mut().take(MOST_MEASURED_TOLD).enumerate().filter(is_told);
    tell(&stored, &params, told.map(|(_, item)| &mut item.worst)).await?;
    answer_json(&Tasks { items, is_truncated })
}

/// A label names a task as people do: `cyclictest`, `cyclictest-1213` or `1213`.
fn is_named(task: &Task<'_>, name: &str) -> bool {
    let pid = task.pid.map(|pid| pid.to_string());
    let with_pid = pid.as_ref().map(|pid| format!("{}-{pid}", task.comm));
    task.comm == name || pid.as_deref() == Some(name) || with_pid.as_deref() == Some(name)
}

fn lateness_rank(kind: &LatencyKind) -> usize {
    match kind.lateness {
        Lateness::Measured => 0,
        Lateness::Late => 1,
        Lateness::Long => 2,
        Lateness::Asleep => 3,
    }
}

#[cfg(test)]
mod tests {
    use crate::explore::latency::testing::{LINES, request, shelf};
    use crate::explore::protocol::ask;
    use crate::import::testing::import_lines;

    fn told(parameters: &str, lines: &str) -> Vec<String> {
        let (written, _) = import_lines(lines);
        let answer = ask("latency_tasks", &request(parameters), &shelf(&written)).unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        let item = |item: &serde_json::Value| {
            format!(
                "{}-{} {} {} {} {}",
                item["comm"].as_str().unwrap(),
                item["pid"],
                item["priority_class"].as_str().unwrap_or("unknown"),
                item["count"],
                item["worst"]["id"].as_str().unwrap(),
                item["is_measured"],
            )
        };
        answer["items"].as_array().unwrap().iter().map(item).collect()
    }

    #[test]
    fn all_tasks_that_were_measured_have_a_sentence() {
        let thread = |number: u32| {
            let (pid, us) = (100 + number, 1_000_000 + number * 100);
            let stamp = |after: u32| format!("{}.{:06}", (us + after) / 1_000_000, (us + after) % 1_000_000);
            format!(
                "  sh-7 [000] d..1. {}: sched_waking: comm=cyclictest pid={pid} prio=19 target_cpu=000\n\
                 sh-7 [000] d..2. {}: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=cyclictest next_pid={pid} next_prio=19\n\
                 cyclictest-{pid} [000] d..2. {}: sched_switch: prev_comm=cyclictest prev_pid={pid} prev_prio=19 prev_state=S ==> next_comm=sh next_pid=7 next_prio=120\n",
                stamp(0),
                stamp(50),
                stamp(60),
            )
        };
        let (written, _) = import_lines(&(0..30).map(thread).collect::<String>());
        let answer = ask("latency_tasks", &request(""), &shelf(&written)).unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        let items = answer["items"].as_array().unwrap();
        let measured: Vec<_> = items.iter().filter(|item| item["is_measured"] == true).collect();
        assert_eq!(measured.len(), 30);
        for item in measured {
            let headline = item["worst"]["headline"].as_str().unwrap();
            assert!(headline.contains(": "), "{headline}");
        }
    }

    #[test]
    fn real_time_tasks_come_before_others_however_late() {
        assert_eq!(
            told("", LINES),
            ["rt-9 real_time 2 wakeup-9@1000000000 false", "sh-7 fair 1 wakeup-7@1000200000 false",]
        );
    }

    #[test]
    fn what_a_label_names_comes_first() {
        for name in ["sh", "7", "sh-7"] {
            let found = told(&format!(r#""labelled":"{name}""#), LINES);
            assert_eq!(found.first().unwrap(), "sh-7 fair 1 wakeup-7@1000200000 true", "{name}");
        }
        assert_eq!(told(r#""labelled":"s""#, LINES).len(), 2);
    }

    #[test]
    fn tasks_are_chosen_by_name_and_by_class() {
        assert_eq!(told(r#""priority_class":"fair""#, LINES).len(), 1);
        assert_eq!(told(r#""priority_class":"deadline""#, LINES).len(), 0);
        assert_eq!(told(r#""comm":"rt","limit":1"#, LINES).len(), 1);
    }
}
