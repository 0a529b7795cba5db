//! Statistics of one kind of latency: of all samples of a selection, or group by group.

use serde::Serialize;

use super::case_id::CaseId;
use super::distribution::Distribution;
use super::distributions::{Distributions, Grouped, Wanted};
use super::field_series::{FieldSummary, params_with_series};
use super::groups::{GroupBy, GroupName, Grouping};
use super::histogram::Bucketing;
use super::item::CaseItems;
use super::kinds::{Bin, Incomplete};
use super::placed_sample::PlacedSample;
use super::scan::{About, Names, Purpose, ScanTables, Work, scan};
use super::selection::Selection;
use super::shelves::Shelves;
use crate::analyses::LatencyKind;
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

#[derive(Serialize)]
struct Stats {
    kind: &'static str,
    unit: &'static str,
    field: Option<FieldSummary>,
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

/// GET latencies/stats. It takes every sample, and is asked for again and again while somebody looks around.
pub async fn latency_stats(stored: Stored) -> Answer {
    let params = params_with_series(&stored).await?;
    let tables = ScanTables::fetch(&stored).await;
    scan(&stored, params, Purpose::Stats, tables).await
}

/// Statistics in the making.
pub struct StatsWork {
    kind: &'static LatencyKind,
    by: Option<GroupBy>,
    distributions: Distributions,
}

impl StatsWork {
    /// Errors: no kind or several, or a parameter that is malformed or out of its range.
    pub fn new(params: &Params) -> Result<Self, ExploreError> {
        let (_, kind) = Selection::of_one_kind(params)?;
        let by = GroupBy::from_params(params, kind)?;
        let bucketing = Some(Bucketing::from_params(params)?);
        let is_by_key = by.is_some_and(GroupBy::is_by_value);
        Ok(Self { kind, by, distributions: Distributions::new(Wanted { bucketing, is_by_key }) })
    }
}

impl Work for StatsWork {
    fn add(&mut self, samples: &mut dyn Iterator<Item = PlacedSample>, names: &Names<'_>) {
        let grouping = self.by.map(|by| Grouping::new(by, &names.tasks, &names.symbols));
        for found in samples {
            let key = grouping.as_ref().and_then(|grouping| grouping.key(&found.sample));
            self.distributions.add(key, found);
        }
    }

    fn needs_pass(&mut self) -> bool {
        self.distributions.needs_pass()
    }

    fn shown(&mut self) -> Vec<&mut PlacedSample> {
        self.distributions.worst().collect()
    }

    /// `unit` is that of every `_ns`. Groups without samples are left out.
    fn answer(&mut self, items: &CaseItems<'_, '_>, about: &About<'_>) -> Result<Vec<u8>, ExploreError> {
        let grouping = self.by.map(|by| Grouping::new(by, items.tasks, items.symbols));
        let name = |key, folded| match (&grouping, folded) {
            (Some(grouping), Some(count)) => Some(grouping.folded(count)),
            (Some(grouping), None) => Some(grouping.name(key)),
            (None, _) => None,
        };
        let group = |group: Grouped| {
            let Grouped { key, folded, worst, distribution, bins, shelves, .. } = group;
            let worst_id = items.id(&worst);
            Group { group: name(key, folded), distribution, worst_id, histogram: bins, shelves }
        };
        answer_json(&Stats {
            kind: self.kind.name,
            unit: about.unit(),
            field: about.field.clone(),
            groups: self.distributions.take_groups().into_iter().map(group).collect(),
            incomplete: about.incomplete.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::distributions::MAX_GROUPS;
    use super::super::scan::Purpose;
    use super::super::testing::{LINES, request, scanned};
    use crate::import::testing::import_lines;
    use crate::store::testing::Written;

    /// One line a group.
    fn check(parameters: &str, expected: Expect) {
        let (written, _) = import_lines(LINES);
        let json = scanned(Purpose::Stats, &request(parameters), &written);
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
                {"folded":null,"label":"slept 10 µs to 100 µs","name":"sleep","value":10000} 1 10000 10000 null 10000 10000 "wakeup-9@1000100000" {"duration_ns":[10000],"rank":[0]} 0..100000:1
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
                "group_by: samples of wakeup are grouped by cpu, pid, comm, sleep",
            ),
            (r#""kind":"wakeup","group_by":"color""#, "group_by: \"color\" is none of cpu"),
            (r#""kind":"wakeup","bucket":"wide""#, "bucket: "),
        ] {
            let error = scanned(Purpose::Stats, &request(parameters), &Written::default()).unwrap_err();
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
        let params = request(r#""kind":"wakeup","group_by":"pid""#);
        let json = scanned(Purpose::Stats, &params, &written).unwrap();
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
