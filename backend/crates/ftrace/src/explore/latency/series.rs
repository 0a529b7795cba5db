//! Latencies of one kind over time, CPU by CPU, reduced to a screen.

use std::collections::BTreeMap;

use serde::Serialize;

use super::case_id::CaseId;
use super::field_series::{FieldSummary, params_with_series};
use super::item::CaseItems;
use super::placed_sample::PlacedSample;
use super::scan::{About, Names, Purpose, ScanTables, Work, scan};
use super::selection::Selection;
use crate::analyses::LatencyKind;
use crate::explore::grid::Grid;
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::{Params, Window};
use crate::explore::{ExploreError, answer_json};

/// Points of all lanes together; with more CPUs, each has fewer.
const MAX_POINTS: i64 = 200_000;

#[derive(Serialize)]
struct Series {
    kind: &'static str,
    unit: &'static str,
    field: Option<FieldSummary>,
    start: i64,
    end: i64,
    detail: Detail,
    lanes: Vec<Lane>,
    max_ns: Option<i64>,
}

/// What a point stands for: one sample, or the longest of those of a pixel, at its own start. Of numbers the smallest
/// of the pixel is a point of its own: work that was not done counts less.
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

/// GET latencies/series: latencies over time, reduced to the screen with every maximum kept.
pub async fn latency_series(stored: Stored) -> Answer {
    let params = params_with_series(&stored).await?;
    let tables = ScanTables::fetch(&stored).await;
    scan(&stored, params, Purpose::Series, tables).await
}

/// A series in the making.
pub struct SeriesWork {
    kind: &'static LatencyKind,
    window: Window,
    width_px: i64,
    grid: Grid,
    lanes: BTreeMap<i16, LanePoints>,
}

#[derive(Default)]
struct LanePoints {
    count: i64,
    /// Every sample, while there are no more than pixels.
    singles: Vec<PlacedSample>,
    cells: BTreeMap<usize, Cell>,
}

/// The samples that began in one pixel.
struct Cell {
    worst: PlacedSample,
    /// The smallest number, where that is another one.
    least: Option<PlacedSample>,
    count: i64,
}

impl Cell {
    fn new(worst: PlacedSample) -> Self {
        Self { worst, least: None, count: 0 }
    }

    fn add(&mut self, found: PlacedSample) {
        self.count = self.count.saturating_add(found.sample.weight);
        let is_number = found.sample.is_number();
        if is_number && found.sample.duration_ns < self.least.unwrap_or(self.worst).sample.duration_ns {
            self.least = Some(found);
        }
        if found.rank() < self.worst.rank() {
            let before = std::mem::replace(&mut self.worst, found);
            if is_number {
                self.least = self.least.or(Some(before));
            }
        }
    }

    /// What is drawn, each with how many samples it stands for.
    fn points(&self) -> impl Iterator<Item = (PlacedSample, i64)> + use<> {
        let alone = self.least.map(|least| (least, least.sample.weight));
        let others = self.count.saturating_sub(alone.map_or(0, |(_, weight)| weight));
        [(self.worst, others)].into_iter().chain(alone)
    }

    fn shown(&mut self) -> impl Iterator<Item = &mut PlacedSample> {
        [&mut self.worst].into_iter().chain(&mut self.least)
    }
}

impl SeriesWork {
    /// Errors: no kind or several, or a parameter that is malformed or out of its range.
    pub fn new(params: &Params) -> Result<Self, ExploreError> {
        let (selection, kind) = Selection::of_one_kind(params)?;
        let lane_count = i64::try_from(params.trace_cpus().len()).unwrap_or(i64::MAX).max(1);
        let width_px = params.width()?.min(MAX_POINTS.div_euclid(lane_count)).max(2);
        let window = selection.window;
        Ok(Self { kind, window, width_px, grid: Grid::new(window, width_px, 1), lanes: BTreeMap::new() })
    }

    fn detail(&self) -> Detail {
        let fits = self.lanes.values().all(|lane| lane.count <= self.width_px);
        if fits { Detail::Samples } else { Detail::Buckets }
    }
}

impl Work for SeriesWork {
    fn add(&mut self, samples: &mut dyn Iterator<Item = PlacedSample>, _names: &Names<'_>) {
        for found in samples {
            let lane = self.lanes.entry(found.sample.cpu).or_default();
            lane.count = lane.count.saturating_add(1);
            if lane.count <= self.width_px {
                lane.singles.push(found);
            }
            lane.cells
                .entry(self.grid.cell_of(found.sample.start_ns))
                .or_insert_with(|| Cell::new(found))
                .add(found);
        }
        if self.detail() == Detail::Buckets {
            self.lanes.values_mut().for_each(|lane| lane.singles = Vec::new());
        }
    }

    fn shown(&mut self) -> Vec<&mut PlacedSample> {
        match self.detail() {
            Detail::Samples => self.lanes.values_mut().flat_map(|lane| &mut lane.singles).collect(),
            Detail::Buckets => {
                let cells = self.lanes.values_mut().flat_map(|lane| lane.cells.values_mut());
                cells.flat_map(Cell::shown).collect()
            }
        }
    }

    /// A sample belongs to the pixel of its start; one that began before the window, to the first.
    fn answer(&mut self, items: &CaseItems<'_, '_>, about: &About<'_>) -> Result<Vec<u8>, ExploreError> {
        let detail = self.detail();
        let lanes: Vec<Lane> =
            self.lanes.iter().map(|(cpu, lane)| lane.answer(*cpu, detail, items)).collect();
        answer_json(&Series {
            kind: self.kind.name,
            unit: about.unit(),
            field: about.field.clone(),
            start: self.window.start_ns,
            end: self.window.end_ns,
            detail,
            max_ns: lanes.iter().flat_map(|lane| &lane.duration_ns).max().copied(),
            lanes,
        })
    }
}

impl LanePoints {
    /// Points in the order of time, with how many samples each stands for.
    fn points(&self, detail: Detail) -> Vec<(PlacedSample, i64)> {
        let mut points: Vec<(PlacedSample, i64)> = match detail {
            Detail::Samples => self.singles.iter().map(|found| (*found, found.sample.weight)).collect(),
            Detail::Buckets => self.cells.values().flat_map(Cell::points).collect(),
        };
        points.sort_by_key(|(found, _)| (found.sample.start_ns, found.at));
        points
    }

    fn answer(&self, cpu: i16, detail: Detail, items: &CaseItems<'_, '_>) -> Lane {
        let points = self.points(detail);
        Lane {
            cpu,
            t: points.iter().map(|(found, _)| found.sample.start_ns).collect(),
            duration_ns: points.iter().map(|(found, _)| found.sample.duration_ns).collect(),
            count: points.iter().map(|(_, count)| *count).collect(),
            id: points.iter().map(|(found, _)| items.id(found)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::scan::Purpose;
    use super::super::testing::{LINES, request, scanned};
    use super::*;
    use crate::analyses::SampleFlags;
    use crate::import::testing::import_lines;
    use crate::store::read::dictionaries::{read_symbols, read_tasks};
    use crate::store::read::samples::StoredLatency;

    fn check(parameters: &str, expected: Expect) {
        let (written, _) = import_lines(LINES);
        let json = scanned(Purpose::Series, &request(parameters), &written).unwrap();
        expected.assert_eq(&String::from_utf8(json).unwrap());
    }

    #[test]
    fn few_samples_are_there_one_by_one() {
        check(
            r#""kind":"wakeup","end":"1ms""#,
            expect![[
                r#"{"kind":"wakeup","unit":"ns","field":null,"start":0,"end":1000000,"detail":"samples","lanes":[{"cpu":0,"t":[200000],"duration_ns":[30000],"count":[1],"id":["wakeup-7@1000200000"]},{"cpu":1,"t":[0,100000],"duration_ns":[50000,10000],"count":[1,1],"id":["wakeup-9@1000000000","wakeup-9@1000100000"]}],"max_ns":50000}"#
            ]],
        );
        check(
            r#""kind":"wakeup","start":"40us","end":"1ms","cpu":1"#,
            expect![[
                r#"{"kind":"wakeup","unit":"ns","field":null,"start":40000,"end":1000000,"detail":"samples","lanes":[{"cpu":1,"t":[0,100000],"duration_ns":[50000,10000],"count":[1,1],"id":["wakeup-9@1000000000","wakeup-9@1000100000"]}],"max_ns":50000}"#
            ]],
        );
        check(
            r#""kind":"wakeup","pid":1"#,
            expect![[
                r#"{"kind":"wakeup","unit":"ns","field":null,"start":0,"end":5000001,"detail":"samples","lanes":[],"max_ns":null}"#
            ]],
        );
    }

    proptest! {
        /// The longest of every pixel is there, at its own start, of numbers the smallest, too, and every sample is
        /// counted once.
        #[test]
        fn every_maximum_is_kept(
            times in proptest::collection::vec((0_i64..10_000, 0_i64..500, 0_i16..3), 1..300), width in 2_i64..50,
            are_numbers: bool,
        ) {
            let samples: Vec<StoredLatency> = times
                .iter()
                .map(|(start_ns, duration_ns, cpu)| {
                    let flags = if are_numbers { SampleFlags::NUMBER } else { SampleFlags::default() };
                    StoredLatency { flags, ..StoredLatency::new(*cpu, *start_ns, *duration_ns) }
                })
                .collect();
            let params = format!(r#"{{"kind":"wakeup","width":{width},"end":10000}}"#);
            let mut work = SeriesWork::new(&Params::parse(&params).unwrap()).unwrap();
            let names = Names { tasks: read_tasks(b"").unwrap(), symbols: read_symbols(b"").unwrap() };
            let found = samples.iter().enumerate().map(|(number, sample)| {
                PlacedSample { kind: work.kind, sample: *sample, at: (0, number), number: 0 }
            });
            work.add(&mut found.collect::<Vec<_>>().into_iter(), &names);
            let detail = work.detail();
            let points: BTreeMap<i16, Vec<(PlacedSample, i64)>> =
                work.lanes.iter().map(|(cpu, lane)| (*cpu, lane.points(detail))).collect();
            let counted: i64 = points.values().flatten().map(|(_, count)| count).sum();
            prop_assert_eq!(counted, i64::try_from(samples.len()).unwrap());
            let window = Window { start_ns: 0, end_ns: 10_000 };
            let grid = Grid::new(window, width, 1);
            for (cpu, points) in &points {
                let most = if are_numbers { 2 * width } else { width };
                prop_assert!(i64::try_from(points.len()).unwrap() <= most);
                prop_assert!(points.iter().map(|point| point.0.sample.start_ns).is_sorted());
                if detail == Detail::Buckets {
                    for point in points {
                        let cell = grid.cell_of(point.0.sample.start_ns);
                        let same = samples.iter().filter(|one| one.cpu == *cpu && grid.cell_of(one.start_ns) == cell);
                        let values: Vec<i64> = same.map(|one| one.duration_ns).collect();
                        let drawn = points.iter().filter(|one| grid.cell_of(one.0.sample.start_ns) == cell);
                        let drawn: Vec<i64> = drawn.map(|one| one.0.sample.duration_ns).collect();
                        prop_assert_eq!(drawn.iter().max(), values.iter().max());
                        if are_numbers {
                            prop_assert_eq!(drawn.iter().min(), values.iter().min());
                        }
                        prop_assert!(point.1 > 0);
                    }
                }
            }
        }
    }
}
