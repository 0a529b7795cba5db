//! Statistics of one kind of latency: of all samples of a selection, or group by group.

use std::cmp::Reverse;

use hashbrown::HashMap;
use serde::Serialize;

use super::case_id::CaseId;
use super::distribution::Distribution;
use super::groups::{GroupBy, GroupKey, GroupName, Grouping};
use super::histogram::{Bucketing, counted};
use super::item::CaseItems;
use super::kinds::{Bin, Incomplete};
use super::list::NameTables;
use super::samples::{StoredLatency, read_samples};
use super::selection::Selection;
use super::shelves::Shelves;
use super::worst;
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json, dictionaries};

/// Groups of one answer; the rest is folded into one.
const MAX_GROUPS: usize = 100;
/// Points of the shelves of all groups together, and of one.
const MAX_POINTS: usize = 40_000;
const MAX_GROUP_POINTS: usize = 2_000;

#[derive(Serialize)]
struct Stats {
    kind: &'static str,
    unit: &'static str,
    groups: Vec<Group>,
    incomplete: Vec<Incomplete>,
}

#[derive(Serialize)]
struct Group {
    /// `None` where all samples are one group.
    group: Option<GroupName>,
    #[serde(flatten)]
    distribution: Distribution,
    worst_id: CaseId,
    histogram: Vec<Bin>,
    shelves: Shelves,
}

/// The samples of a group, by their place in the list of all.
#[derive(Default)]
struct Members {
    name: Option<GroupName>,
    at: Vec<usize>,
}

/// JSON of the statistics; `unit` is that of every `_ns`. Groups without samples are left out.
pub fn latency_stats(
    request: &str,
    sample_blocks: &[&[u8]],
    slice_blocks: &[&[u8]],
    latency_incomplete: &[u8],
    names: NameTables<'_>,
) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let (selection, kind) = Selection::of_one_kind(&params)?;
    let by = GroupBy::from_params(&params, kind)?;
    let bucketing = Bucketing::from_params(&params)?;
    let tasks = dictionaries::read_tasks(names.task)?;
    let symbols = dictionaries::read_symbols(names.symbol)?;
    let samples = read_samples(kind, sample_blocks, slice_blocks)?;
    let matcher = selection.matcher(&tasks, &symbols);
    let wanted = samples.iter().enumerate().filter(|(_, sample)| matcher.matches(sample));
    let wanted: Vec<usize> = wanted.map(|(at, _)| at).collect();
    let grouped = match by {
        Some(by) => group(&samples, &wanted, &Grouping::new(by, &tasks, &symbols)),
        None => vec![Members { name: None, at: wanted }],
    };
    let items = CaseItems::new(&params, names.explained, &tasks, &symbols)?;
    let worst: Vec<usize> = grouped.iter().filter_map(|members| worst_of(&samples, &members.at)).collect();
    let ids = items.ids(kind, &samples, &worst);
    let incomplete = worst::read_incomplete(latency_incomplete)?.remove(&kind.code).unwrap_or_default();
    answer_json(&Stats {
        kind: kind.name,
        unit: "ns",
        groups: answers(&samples, grouped, ids, bucketing),
        incomplete: incomplete.iter().map(Incomplete::new).collect(),
    })
}

/// The samples of every group: by value, or the worst group first; those past the limit together.
fn group(samples: &[StoredLatency], wanted: &[usize], grouping: &Grouping<'_, '_>) -> Vec<Members> {
    let mut by_key: HashMap<GroupKey, Vec<usize>> = HashMap::new();
    for at in wanted {
        if let Some(sample) = samples.get(*at) {
            by_key.entry(grouping.key(sample)).or_default().push(*at);
        }
    }
    let longest = |at: &[usize]| at.iter().filter_map(|at| samples.get(*at)).map(|one| one.duration_ns).max();
    let mut groups: Vec<(GroupKey, Vec<usize>)> = by_key.into_iter().collect();
    groups.sort_by_cached_key(|(key, at)| (Reverse(longest(at)), *key));
    let rest = groups.split_off(groups.len().min(MAX_GROUPS));
    if grouping.is_by_value() {
        // What is not known comes last.
        groups.sort_by_key(|(key, _)| (key.is_none(), *key));
    }
    let mut found: Vec<Members> =
        groups.into_iter().map(|(key, at)| Members { name: Some(grouping.name(key)), at }).collect();
    if !rest.is_empty() {
        let name = Some(grouping.folded(rest.len()));
        found.push(Members { name, at: rest.into_iter().flat_map(|(_, at)| at).collect() });
    }
    found
}

fn worst_of(samples: &[StoredLatency], at: &[usize]) -> Option<usize> {
    let by_severity = at.iter().filter_map(|at| Some((samples.get(*at)?.severity(), *at)));
    by_severity.min().map(|(_, at)| at)
}

/// All groups are counted in the same buckets, so that they can be laid over each other.
fn answers(
    samples: &[StoredLatency],
    grouped: Vec<Members>,
    ids: Vec<CaseId>,
    bucketing: Bucketing,
) -> Vec<Group> {
    let durations = |members: &Members| {
        let mut sorted: Vec<i64> =
            members.at.iter().filter_map(|at| samples.get(*at)).map(|sample| sample.duration_ns).collect();
        sorted.sort_unstable();
        sorted
    };
    let all: Vec<(Option<GroupName>, Vec<i64>)> = grouped
        .into_iter()
        .map(|members| (durations(&members), members.name))
        .filter(|(sorted, _)| !sorted.is_empty())
        .map(|(sorted, name)| (name, sorted))
        .collect();
    let shortest = all.iter().filter_map(|(_, sorted)| sorted.first()).min().copied().unwrap_or(0);
    let longest = all.iter().filter_map(|(_, sorted)| sorted.last()).max().copied().unwrap_or(0);
    let buckets = bucketing.buckets(shortest, longest);
    let max_points = MAX_POINTS.checked_div(all.len()).unwrap_or(MAX_POINTS).min(MAX_GROUP_POINTS);
    let answer = |((group, sorted), worst_id): ((Option<GroupName>, Vec<i64>), CaseId)| {
        Some(Group {
            group,
            distribution: Distribution::of(&sorted)?,
            worst_id,
            histogram: counted(&buckets, &sorted),
            shelves: Shelves::of(&sorted, max_points),
        })
    };
    all.into_iter().zip(ids).filter_map(answer).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::testing::{LINES, request, whole};
    use super::*;
    use crate::import::testing::import_lines;
    use crate::store::tables;

    /// One line a group.
    fn check(parameters: &str, expected: Expect) {
        let (written, _) = import_lines(LINES);
        let names = NameTables {
            task: whole(&written, &tables::TASK),
            symbol: whole(&written, &tables::SYMBOL),
            explained: "{}",
        };
        let samples: Vec<&[u8]> = written.streams(&tables::SAMPLE_BLOCK).collect();
        let json = latency_stats(&request(parameters), &samples, &[], b"", names);
        let answer: serde_json::Value = serde_json::from_slice(&json.unwrap()).unwrap();
        let line = |group: &serde_json::Value| {
            let bins = group["histogram"].as_array().unwrap().iter();
            let bins = bins.map(|bin| format!("{}..{}:{}", bin["low_ns"], bin["high_ns"], bin["count"]));
            let numbers = ["count", "min_ns", "mean_ns", "stdev_ns", "max_ns", "p50_ns"];
            let numbers = numbers.map(|name| group[name].to_string()).join(" ");
            let (name, worst, shelves) = (&group["group"], &group["worst_id"], &group["shelves"]);
            format!("{name} {numbers} {worst} {shelves} {}", bins.collect::<Vec<_>>().join(" "))
        };
        let text = answer["groups"].as_array().unwrap().iter().map(line).collect::<Vec<_>>().join("\n");
        expected.assert_eq(&text);
    }

    #[test]
    fn all_samples_are_one_group() {
        check(
            r#""kind":"wakeup","bucket":"20us""#,
            expect![[
                r#"null 3 10000 30000 20000 50000 30000 "wakeup-9@1000000000" {"duration_ns":[10000,30000,50000],"rank":[0,1,2]} 0..20000:1 20000..40000:1 40000..60000:1"#
            ]],
        );
        check(
            r#""kind":"wakeup","min":"20us","bucket":"log2""#,
            expect![[
                r#"null 2 30000 40000 14142 50000 30000 "wakeup-9@1000000000" {"duration_ns":[30000,50000],"rank":[0,1]} 16384..32768:1 32768..65536:1"#
            ]],
        );
        check(r#""kind":"wakeup","pid":1"#, expect![[""]]);
    }

    #[test]
    fn groups_are_counted_in_the_same_buckets() {
        check(
            r#""kind":"wakeup","group_by":"cpu","buckets":2"#,
            expect![[r#"
            {"folded":null,"label":"CPU 0","name":"cpu","value":0} 1 30000 30000 null 30000 30000 "wakeup-7@1000200000" {"duration_ns":[30000],"rank":[0]} 0..50000:1 50000..100000:0
            {"folded":null,"label":"CPU 1","name":"cpu","value":1} 2 10000 30000 28284 50000 10000 "wakeup-9@1000000000" {"duration_ns":[10000,50000],"rank":[0,1]} 0..50000:1 50000..100000:1"#]],
        );
        check(
            r#""kind":"wakeup","group_by":"pid","buckets":1"#,
            expect![[r#"
            {"folded":null,"label":"rt-9","name":"pid","value":9} 2 10000 30000 28284 50000 10000 "wakeup-9@1000000000" {"duration_ns":[10000,50000],"rank":[0,1]} 0..100000:2
            {"folded":null,"label":"sh-7","name":"pid","value":7} 1 30000 30000 null 30000 30000 "wakeup-7@1000200000" {"duration_ns":[30000],"rank":[0]} 0..100000:1"#]],
        );
        check(
            r#""kind":"wakeup","group_by":"sleep","buckets":1"#,
            expect![[r#"
            {"folded":null,"label":"slept 10 us to 100 us","name":"sleep","value":10000} 1 10000 10000 null 10000 10000 "wakeup-9@1000100000" {"duration_ns":[10000],"rank":[0]} 0..100000:1
            {"folded":null,"label":"unknown","name":"sleep","value":null} 2 30000 40000 14142 50000 30000 "wakeup-9@1000000000" {"duration_ns":[30000,50000],"rank":[0,1]} 0..100000:2"#]],
        );
    }

    #[test]
    fn bad_parameters_are_named() {
        for (parameters, expected) in [
            ("", "kind: expected one of "),
            (r#""kind":"wakeup,wakeup""#, "kind: expected one of "),
            (
                r#""kind":"wakeup","group_by":"key""#,
                "group_by: samples of wakeup are told apart by cpu, pid, comm, sleep",
            ),
            (r#""kind":"wakeup","group_by":"color""#, "group_by: \"color\" is none of cpu"),
            (r#""kind":"wakeup","bucket":"wide""#, "bucket: "),
        ] {
            let error =
                latency_stats(&request(parameters), &[], &[], b"", NameTables::default()).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    #[test]
    fn the_best_of_many_groups_are_folded() {
        let task = (0..150).map(|pid| {
            let (woken, switched) = (pid * 10, pid * 10 + 1 + pid % 7);
            format!(
                "x-1 [0] 1.{woken:06}: sched_waking: comm=t pid={} prio=1 target_cpu=000\n\
                 x-1 [0] 1.{switched:06}: sched_switch: prev_comm=x prev_pid=1 prev_prio=1 prev_state=R ==> \
                 next_comm=t next_pid={} next_prio=1\n",
                pid + 100,
                pid + 100,
            )
        });
        let (written, _) = import_lines(&task.collect::<String>());
        let names = NameTables { task: whole(&written, &tables::TASK), symbol: b"", explained: "{}" };
        let samples: Vec<&[u8]> = written.streams(&tables::SAMPLE_BLOCK).collect();
        let asked = request(r#""kind":"wakeup","group_by":"pid""#);
        let json = latency_stats(&asked, &samples, &[], b"", names).unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let groups = answer["groups"].as_array().unwrap();
        assert_eq!(groups.len(), MAX_GROUPS + 1);
        assert_eq!(groups[0]["group"]["label"], "t-106");
        assert_eq!(groups[100]["group"]["label"], "50 others");
        assert_eq!(groups[100]["group"]["folded"], 50);
        let counts: i64 = groups.iter().map(|group| group["count"].as_i64().unwrap()).sum();
        assert_eq!(counts, 150);
    }
}
