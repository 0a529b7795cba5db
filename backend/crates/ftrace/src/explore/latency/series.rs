//! Latencies of one kind over time, CPU by CPU, reduced to a screen.

use std::collections::BTreeMap;

use serde::Serialize;

use super::case_id::CaseId;
use super::item::CaseItems;
use super::list::NameTables;
use super::samples::{StoredLatency, read_samples};
use super::selection::Selection;
use crate::explore::grid::Grid;
use crate::explore::request::{Params, Window};
use crate::explore::{ExploreError, answer_json, dictionaries};

/// Points of all lanes together; with more lanes, each has fewer.
const MAX_POINTS: i64 = 200_000;

#[derive(Serialize)]
struct Series {
    kind: &'static str,
    start: i64,
    end: i64,
    detail: Detail,
    lanes: Vec<Lane>,
    max_ns: Option<i64>,
}

/// What a point stands for: one sample, or the longest of those of a pixel, at its own start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Detail {
    Samples,
    Buckets,
}

#[derive(Serialize)]
struct Lane {
    cpu: i16,
    t: Vec<i64>,
    duration_ns: Vec<i64>,
    count: Vec<i64>,
    id: Vec<CaseId>,
}

/// A point: its sample, and how many it stands for.
#[derive(Clone, Copy)]
struct Point {
    at: usize,
    count: i64,
}

/// JSON of the series. A sample belongs to the pixel of its start; one that began before the window, to
/// the first.
pub fn latency_series(
    request: &str,
    sample_blocks: &[&[u8]],
    slice_blocks: &[&[u8]],
    names: NameTables<'_>,
) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let (selection, kind) = Selection::of_one_kind(&params)?;
    let width_px = params.width()?;
    let tasks = dictionaries::read_tasks(names.task)?;
    let symbols = dictionaries::read_symbols(names.symbol)?;
    let samples = read_samples(kind, sample_blocks, slice_blocks)?;
    let matcher = selection.matcher(&tasks, &symbols);
    let mut lanes: BTreeMap<i16, Vec<usize>> = BTreeMap::new();
    for (at, sample) in samples.iter().enumerate().filter(|(_, sample)| matcher.matches(sample)) {
        lanes.entry(sample.cpu).or_default().push(at);
    }
    let (detail, points) = reduced(&samples, lanes, selection.window, width_px);
    let shown: Vec<usize> = points.values().flatten().map(|point| point.at).collect();
    let items = CaseItems::new(&params, names.explained, &tasks, &symbols)?;
    let mut ids = items.ids(kind, &samples, &shown).into_iter();
    let lanes = points.into_iter().map(|(cpu, points)| lane(cpu, &points, &samples, &mut ids)).collect();
    answer_json(&Series {
        kind: kind.name,
        start: selection.window.start_ns,
        end: selection.window.end_ns,
        detail,
        max_ns: shown.iter().filter_map(|at| samples.get(*at)).map(|sample| sample.duration_ns).max(),
        lanes,
    })
}

/// Every sample where all lanes have at most one a pixel; else one point for each pixel that has any.
fn reduced(
    samples: &[StoredLatency],
    mut lanes: BTreeMap<i16, Vec<usize>>,
    window: Window,
    width_px: i64,
) -> (Detail, BTreeMap<i16, Vec<Point>>) {
    let lane_count = i64::try_from(lanes.len()).unwrap_or(i64::MAX).max(1);
    let width_px = width_px.min(MAX_POINTS.div_euclid(lane_count)).max(2);
    let order = |at: &usize| samples.get(*at).map(StoredLatency::severity).map(|(_, start_ns, ..)| start_ns);
    lanes.values_mut().for_each(|lane| lane.sort_by_key(order));
    let fits = |lane: &Vec<usize>| i64::try_from(lane.len()).is_ok_and(|count| count <= width_px);
    if lanes.values().all(fits) {
        let single = |lane: Vec<usize>| lane.into_iter().map(|at| Point { at, count: 1 }).collect();
        return (Detail::Samples, lanes.into_iter().map(|(cpu, lane)| (cpu, single(lane))).collect());
    }
    let grid = Grid::new(window, width_px, 1);
    let cell = |at: &usize| samples.get(*at).map(|sample| grid.cell_of(sample.start_ns));
    let longest = |cell: &[usize]| {
        let at = cell.iter().copied().min_by_key(|at| samples.get(*at).map(StoredLatency::severity))?;
        Some(Point { at, count: i64::try_from(cell.len()).unwrap_or(i64::MAX) })
    };
    let per_pixel = |lane: Vec<usize>| lane.chunk_by(|a, b| cell(a) == cell(b)).filter_map(longest).collect();
    (Detail::Buckets, lanes.into_iter().map(|(cpu, lane)| (cpu, per_pixel(lane))).collect())
}

/// `ids` gives the names of the points of all lanes, one after the other.
fn lane(
    cpu: i16,
    points: &[Point],
    samples: &[StoredLatency],
    ids: &mut impl Iterator<Item = CaseId>,
) -> Lane {
    let sample = |point: &Point| samples.get(point.at);
    Lane {
        cpu,
        t: points.iter().filter_map(sample).map(|sample| sample.start_ns).collect(),
        duration_ns: points.iter().filter_map(sample).map(|sample| sample.duration_ns).collect(),
        count: points.iter().map(|point| point.count).collect(),
        id: ids.take(points.len()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::testing::{LINES, request, whole};
    use super::*;
    use crate::analyses::SampleFlags;
    use crate::import::testing::import_lines;
    use crate::store::tables;

    fn check(parameters: &str, expected: Expect) {
        let (written, _) = import_lines(LINES);
        let names = NameTables { task: whole(&written, &tables::TASK), symbol: b"", explained: "{}" };
        let samples: Vec<&[u8]> = written.streams(&tables::SAMPLE_BLOCK).collect();
        let json = latency_series(&request(parameters), &samples, &[], names).unwrap();
        expected.assert_eq(&String::from_utf8(json).unwrap());
    }

    #[test]
    fn few_samples_are_there_one_by_one() {
        check(
            r#""kind":"wakeup","end":"1ms""#,
            expect![[
                r#"{"kind":"wakeup","start":0,"end":1000000,"detail":"samples","lanes":[{"cpu":0,"t":[200000],"duration_ns":[30000],"count":[1],"id":["wakeup-7@1000200000"]},{"cpu":1,"t":[0,100000],"duration_ns":[50000,10000],"count":[1,1],"id":["wakeup-9@1000000000","wakeup-9@1000100000"]}],"max_ns":50000}"#
            ]],
        );
        check(
            r#""kind":"wakeup","start":"40us","end":"1ms","cpu":1"#,
            expect![[
                r#"{"kind":"wakeup","start":40000,"end":1000000,"detail":"samples","lanes":[{"cpu":1,"t":[0,100000],"duration_ns":[50000,10000],"count":[1,1],"id":["wakeup-9@1000000000","wakeup-9@1000100000"]}],"max_ns":50000}"#
            ]],
        );
        check(
            r#""kind":"wakeup","pid":1"#,
            expect![[
                r#"{"kind":"wakeup","start":0,"end":5000001,"detail":"samples","lanes":[],"max_ns":null}"#
            ]],
        );
    }

    proptest! {
        /// The longest of every pixel is there, at its own start, and every sample is counted once.
        #[test]
        fn every_maximum_is_kept(
            times in proptest::collection::vec((0_i64..10_000, 0_i64..500, 0_i16..3), 1..300), width in 2_i64..50,
        ) {
            let samples: Vec<StoredLatency> = times
                .iter()
                .map(|(start_ns, duration_ns, cpu)| StoredLatency {
                    start_ns: *start_ns,
                    duration_ns: *duration_ns,
                    cpu: *cpu,
                    start_cpu: *cpu,
                    task_idx: 0,
                    symbol_idx: 0,
                    flags: SampleFlags::default(),
                    sleep_ns: None,
                    frequency_khz: None,
                    idle_state: None,
                })
                .collect();
            let mut lanes: BTreeMap<i16, Vec<usize>> = BTreeMap::new();
            samples.iter().enumerate().for_each(|(at, sample)| lanes.entry(sample.cpu).or_default().push(at));
            let window = Window { start_ns: 0, end_ns: 10_000 };
            let (detail, points) = reduced(&samples, lanes, window, width);
            let counted: i64 = points.values().flatten().map(|point| point.count).sum();
            prop_assert_eq!(counted, i64::try_from(samples.len()).unwrap());
            let grid = Grid::new(window, width, 1);
            for (cpu, points) in &points {
                prop_assert!(i64::try_from(points.len()).unwrap() <= width);
                prop_assert!(points.iter().map(|point| samples[point.at].start_ns).is_sorted());
                if detail == Detail::Buckets {
                    for point in points {
                        let cell = grid.cell_of(samples[point.at].start_ns);
                        let same = samples.iter().filter(|one| one.cpu == *cpu && grid.cell_of(one.start_ns) == cell);
                        prop_assert_eq!(same.map(|one| one.duration_ns).max(), Some(samples[point.at].duration_ns));
                    }
                }
            }
        }
    }
}
