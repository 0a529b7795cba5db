//! Timelines from stored rows, and how large their answers get.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::Value;

use super::ExploreError;
use super::answer_size::within;
use super::counters::CounterLane;
use super::fixture::{
    Rollup, Slice, block_headers, counter_block, counters, losses, notes, readable, rollup_block,
    slice_block, symbols, tasks,
};
use super::grid::Grid;
use super::lane_filter::LaneFilter;
use super::lanes::{Item, Lanes};
use super::protocol::{Shelf, ask};
use super::request::Window;
use super::task_lanes::TaskLanes;
use super::timeline_answer::TimelineContents;
use super::timeline_plan::TimelineRequest;
use crate::store::read::blocks::{CounterBlock, RollupBlock, SliceBlock};
use crate::store::read::dictionaries::{Loss, Note, read_symbols, read_tasks};
use crate::store::tables;
use crate::store::tables::projections::SLICE_HEADER;

fn shelf() -> Shelf {
    Shelf::default()
        .with(CounterBlock::TABLE, counter_block(&[(5, 0, Some(1), 1_000), (600, 0, Some(1), 2_000)]))
        .with(&tables::TASK, tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]))
        .with(&tables::SYMBOL, symbols(&[("eth0", None), ("timer", None)]))
        .with(&tables::COUNTER, counters(&[("cpu_frequency", Some("kHz"))]))
        .with(&tables::LOSS, losses(&[(Some(1), 100, 200, None), (None, 990, 990, Some(3))]))
        .with(&tables::NOTE, notes(&[(50, None, "<b>here</b>"), (1_000, Some(0), "too late")]))
}

fn answer(request: &str, shelf: &Shelf) -> Result<String, ExploreError> {
    let request = format!(r#"{{"trace":{{"duration_ns":999}},{request}}}"#);
    Ok(readable(&ask("timeline", &request, shelf)?))
}

fn check(request: &str, shelf: &Shelf, expected: Expect) {
    expected.assert_eq(&answer(request, shelf).unwrap_or_else(|error| error.to_string()));
}

fn few() -> Shelf {
    let sched = Slice { kind: 1, cpu: 1, ..Slice::default() };
    let irq = Slice { kind: 2, cpu: 1, task: Some(0), ..Slice::default() };
    let slices = [
        Slice { start: -20, duration: 520, task: Some(0), ..sched },
        Slice { start: 500, duration: 500, task: Some(1), ..sched },
        Slice { start: 120, duration: 5, symbol: Some(1), depth: 1, ..irq },
        Slice { start: 110, duration: 20, self_ns: Some(15), symbol: Some(0), ..irq },
    ];
    shelf().with(SliceBlock::TABLE, slice_block(&slices))
}

#[test]
fn few_slices_come_one_by_one() {
    check(
        r#""width":100"#,
        &few(),
        expect![[r#"
            {"start":0,"end":1000,"width":100,"cpus":[1],
            "tasks":[
              {"pid":7,"comm":"sh"},
              {"pid":0,"comm":"<idle>","cpu":1}
            ],
            "symbols":["eth0","timer"],
            "lanes":[
              {"id":"cpu1.sched","cpu":1,"kind":"sched","depth":0,"detail":"slices","t":[-20,500],
            "duration_ns":[520,500],
            "task_idx":[0,1]},
              {"id":"cpu1.irq","cpu":1,"kind":"irq","depth":0,"detail":"slices","t":[110],
            "duration_ns":[20],
            "task_idx":[0],
            "symbol_idx":[0],
            "self_ns":[15]},
              {"id":"cpu1.irq.1","cpu":1,"kind":"irq","depth":1,"detail":"slices","t":[120],
            "duration_ns":[5],
            "task_idx":[0],
            "symbol_idx":[1]}
            ],
            "counters":[
              {"name":"cpu_frequency","unit":"kHz","cpu":1,"t":[5,600],
            "value":[1000,2000]}
            ],
            "losses":[
              {"cpu":1,"start":100,"end":200,"lost_count":null},
              {"cpu":null,"start":990,"end":990,"lost_count":3}
            ],
            "notes":[
              {"t":50,"cpu":null,"text":"<b>here</b>"}
            ],
            "hidden_lanes":0}"#]],
    );
}

#[test]
fn a_lane_with_more_slices_than_pixels_comes_in_buckets() {
    let irq = |start, duration| Slice { kind: 2, start, duration, symbol: Some(0), ..Slice::default() };
    let slices = [irq(0, 10), irq(20, 400), irq(430, 5), irq(440, 5), irq(990, 10)];
    let shelf = shelf().with(SliceBlock::TABLE, slice_block(&slices));
    check(
        r#""width":4,"lanes":"irq""#,
        &shelf,
        expect![[r#"
            {"start":0,"end":1000,"width":4,"cpus":[0],
            "tasks":[],
            "symbols":["eth0"],
            "lanes":[
              {"id":"cpu0.irq","cpu":0,"kind":"irq","depth":0,"detail":"buckets","bucket_ns":334,"bucket_step":[0,1,1],
            "symbol_idx":[0,0,0],
            "count":[2,2,1],
            "busy_ns":[324,96,10],
            "max_ns":[400,400,10],
            "max_offset_ns":[20,-314,322]}
            ],
            "counters":[],
            "losses":[
              {"cpu":1,"start":100,"end":200,"lost_count":null},
              {"cpu":null,"start":990,"end":990,"lost_count":3}
            ],
            "notes":[
              {"t":50,"cpu":null,"text":"<b>here</b>"}
            ],
            "hidden_lanes":0}"#]],
    );
}

#[test]
fn rollups_are_merged_to_pixels() {
    let cell = |bucket, slices, busy_ns, max_ns, max_start_ns| Rollup {
        bucket,
        slices,
        busy_ns,
        max_ns,
        max_start_ns,
    };
    let cells =
        [cell(0, 2, 9, 8, 0), cell(1, 1, 5, 5, 12), cell(60, 3, 10, 40, 601), cell(61, 0, 10, 40, 601)];
    // More slices than are read one by one.
    let header = block_headers(&SLICE_HEADER, &[(3, 0, 0, 999, 100_000, 40)]);
    let shelf = shelf().with(RollupBlock::TABLE, rollup_block(3, 0, 10, &cells)).with(&SLICE_HEADER, header);
    check(
        r#""width":11,"lanes":"softirq""#,
        &shelf,
        expect![[r#"
            {"start":0,"end":1000,"width":11,"cpus":[0],
            "tasks":[],
            "symbols":["eth0"],
            "lanes":[
              {"id":"cpu0.softirq","cpu":0,"kind":"softirq","depth":0,"detail":"buckets","bucket_ns":100,"bucket_step":[0,6],
            "symbol_idx":[0,0],
            "count":[3,3],
            "busy_ns":[14,20],
            "max_ns":[8,40],
            "max_offset_ns":[0,1]}
            ],
            "counters":[],
            "losses":[
              {"cpu":1,"start":100,"end":200,"lost_count":null},
              {"cpu":null,"start":990,"end":990,"lost_count":3}
            ],
            "notes":[
              {"t":50,"cpu":null,"text":"<b>here</b>"}
            ],
            "hidden_lanes":0}"#]],
    );
}

fn columns(lane: &Value, column: &str) -> Vec<i64> {
    lane[column].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()).collect()
}

proptest! {
    #[test]
    fn buckets_lose_no_maximum_no_count_and_no_time(
        gaps in proptest::collection::vec((0_i64..40, 0_i64..300), 1..80), width in 2_i64..30,
    ) {
        let mut end = 0;
        let slices: Vec<Slice> = gaps.iter().map(|(gap, duration)| {
            let start = end + gap;
            end = start + duration;
            Slice { kind: 2, start, duration: *duration, ..Slice::default() }
        }).collect();
        let shelf = shelf().with(SliceBlock::TABLE, slice_block(&slices));
        let request = format!(r#""width":{width},"end":{},"lanes":"irq""#, end + 1);
        let answer: Value = serde_json::from_str(&answer(&request, &shelf).unwrap()).unwrap();
        let lane = &answer["lanes"][0];
        let longest = slices.iter().map(|slice| slice.duration).max();
        let busy: i64 = slices.iter().map(|slice| slice.duration).sum();
        if lane["detail"] == "buckets" {
            prop_assert!(columns(lane, "bucket_step").len() <= usize::try_from(width).unwrap());
            prop_assert_eq!(columns(lane, "max_ns").into_iter().max(), longest);
            prop_assert_eq!(columns(lane, "busy_ns").iter().sum::<i64>(), busy);
            prop_assert_eq!(columns(lane, "count").iter().sum::<i64>(), i64::try_from(slices.len()).unwrap());
        } else {
            prop_assert_eq!(columns(lane, "duration_ns").len(), slices.len());
        }
    }
}

/// A trace in which everything that an answer holds can be too much.
#[derive(Clone, Debug)]
struct Crowd {
    cpus: i16,
    /// Slices of each lane of a CPU, by kind: from none to more than pixels.
    slices: [usize; 3],
    names: i32,
    counters: usize,
    losses: usize,
    notes: usize,
    width_px: i64,
}

fn crowds() -> impl Strategy<Value = Crowd> {
    let counts = (0_usize..60, 0_usize..2_000, 0_usize..1_500);
    let lanes = (1_i16..400, [0_usize..400, 0..400, 0..9], 1_i32..200, 2_i64..5_000);
    (lanes, counts).prop_map(|((cpus, slices, names, width_px), (counters, losses, notes))| Crowd {
        cpus,
        slices,
        names,
        counters,
        losses,
        notes,
        width_px,
    })
}

const LENGTH: i64 = 90_000_000_000;

/// The `number`th of `count` slices of a lane, end to end.
fn item(cpu: i16, number: usize, count: usize, names: i32) -> Item {
    let number = i64::try_from(number).unwrap();
    let room_ns = LENGTH / i64::try_from(count).unwrap();
    let duration_ns = room_ns / (number % 7 + 1);
    let name = i32::try_from(number).unwrap() % names;
    let start_ns = number * room_ns;
    Item { start_ns, duration_ns, self_ns: duration_ns / 2, cpu, task_idx: name, symbol_idx: name, flags: 0 }
}

/// The answer within `limit` bytes, which is far less than the trace could fill.
fn crowded(crowd: &Crowd, limit: usize) -> (usize, Value) {
    let window = Window { start_ns: 0, end_ns: LENGTH };
    let grid = Grid::new(window, crowd.width_px, 1);
    let mut kinds = BTreeMap::new();
    for (kind, count) in (1..).zip(crowd.slices) {
        let mut lanes = Lanes::new(grid);
        for cpu in 0..crowd.cpus {
            (0..count).for_each(|number| lanes.add((cpu, 0), item(cpu, number, count, crowd.names)));
        }
        kinds.insert(kind, lanes);
    }
    let counter = |cpu| CounterLane {
        name: "cpu_frequency".to_owned(),
        unit: None,
        cpu: Some(cpu),
        t: (0..500).map(|number| number * LENGTH / 500).collect(),
        value: (0..500).map(|number| number * 7_919 % 1_000).collect(),
    };
    let counters: Vec<CounterLane> = (0..).take(crowd.counters).map(counter).collect();
    let at = |number: usize| i64::try_from(number).unwrap() * LENGTH / 2_000;
    let cpu = |number: usize| Some(i16::try_from(number).unwrap() % crowd.cpus);
    let loss = |number: usize| Loss {
        cpu: cpu(number),
        start_ns: at(number),
        end_ns: at(number) + 9,
        lost_count: Some(1),
    };
    let names: Vec<String> = (0..crowd.names).map(|number| format!("\u{7}{number:>200}")).collect();
    let [task_rows, symbol_rows] = [
        tasks(&names.iter().map(|name| (Some(7), None, name.as_str())).collect::<Vec<_>>()),
        symbols(&names.iter().map(|name| (name.as_str(), None)).collect::<Vec<_>>()),
    ];
    let request = TimelineRequest {
        window,
        width_px: crowd.width_px,
        lanes: LaneFilter::default(),
        pids: Vec::new(),
        cpus: (0..crowd.cpus).collect(),
    };
    let contents = TimelineContents {
        request: &request,
        kinds,
        tasks: TaskLanes::new(&[], window, crowd.width_px),
        counters,
        losses: (0..crowd.losses).map(loss).collect(),
        notes: (0..crowd.notes).map(|number| Note { t_ns: at(number), cpu: None, text: "\u{1}!" }).collect(),
        task_names: read_tasks(&task_rows).unwrap(),
        symbol_names: read_symbols(&symbol_rows).unwrap(),
    };
    let json =
        within(limit, crowd.width_px, &contents.sizes(), |reduction| contents.json(reduction)).unwrap();
    (json.len(), serde_json::from_slice(&json).unwrap())
}

/// Slices of a lane of an answer, and the longest of them.
fn count_and_longest(lane: &Value) -> (i64, Option<i64>) {
    let (counts, lengths) = match lane["detail"].as_str() {
        Some("buckets") => (columns(lane, "count"), columns(lane, "max_ns")),
        _ => (columns(lane, "t").iter().map(|_| 1).collect(), columns(lane, "duration_ns")),
    };
    (counts.iter().sum(), lengths.into_iter().max())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_answer_is_larger_than_its_limit(crowd in crowds(), limit in 90_000_usize..300_000) {
        let (bytes, answer) = crowded(&crowd, limit);
        prop_assert!(bytes <= limit, "{bytes} bytes");
        let lanes = answer["lanes"].as_array().unwrap();
        let hidden = answer["hidden_lanes"].as_u64().unwrap();
        let shown = lanes.len() + answer["counters"].as_array().unwrap().len();
        let kinds = crowd.slices.iter().filter(|count| **count > 0).count();
        let all = kinds * usize::try_from(crowd.cpus).unwrap() + crowd.counters;
        prop_assert_eq!(shown + usize::try_from(hidden).unwrap(), all);
        for lane in lanes {
            let kind = ["sched", "irq", "softirq"].iter().position(|name| lane["kind"] == *name).unwrap();
            let count = crowd.slices[kind];
            let longest = (0..count).map(|number| item(0, number, count, 1).duration_ns).max();
            prop_assert_eq!(count_and_longest(lane), (i64::try_from(count).unwrap(), longest));
        }
        let lost: i64 = answer["losses"].as_array().unwrap().iter().filter_map(|loss| loss["lost_count"].as_i64()).sum();
        prop_assert_eq!(lost, i64::try_from(crowd.losses).unwrap());
    }
}

#[test]
fn of_many_lanes_each_keeps_what_its_share_of_the_answer_can_show() {
    let crowd = Crowd {
        cpus: 64,
        slices: [1_440, 1_440, 1_440],
        names: 70,
        counters: 0,
        losses: 0,
        notes: 0,
        width_px: 4_750,
    };
    let (bytes, answer) = crowded(&crowd, 1_000_000);
    assert!((700_000..=1_000_000).contains(&bytes), "{bytes} bytes");
    assert_eq!(answer["hidden_lanes"], 0);
}
