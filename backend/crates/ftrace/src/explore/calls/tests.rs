use expect_test::{Expect, expect};

use super::super::fixture::{Slice, readable, slice_block, symbols, tasks};
use super::super::protocol::{Shelf, ask};
use super::*;

/// Two calls of `main` with a call under each, and one of the idle task.
fn streams() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let call = Slice { kind: CALL, cpu: 0, task: Some(0), ..Slice::default() };
    let slices = [
        Slice { start: 10, duration: 20, symbol: Some(1), depth: 1, id: 1, parent: Some(0), ..call },
        Slice { start: 0, duration: 100, symbol: Some(0), id: 0, ..call },
        Slice { start: 130, duration: 5, symbol: Some(1), depth: 1, id: 3, parent: Some(2), cpu: 1, ..call },
        Slice { start: 120, duration: 50, symbol: Some(0), id: 2, cpu: 1, ..call },
        Slice { start: 140, duration: 30, symbol: Some(1), id: 4, task: Some(1), ..call },
    ];
    let tasks = tasks(&[(Some(7), None, "sh"), (Some(0), Some(0), "<idle>")]);
    (slice_block(&slices), tasks, symbols(&[("main", None), ("leaf", Some("mod"))]))
}

fn check(request: &str, expected: Expect) {
    let (slice_block, task, symbol) = streams();
    let shelf = Shelf::default()
        .with(&tables::SLICE_BLOCK, slice_block)
        .with(&tables::TASK, task)
        .with(&tables::SYMBOL, symbol);
    let request = format!(r#"{{"trace":{{"duration_ns":199}},{request}}}"#);
    let answer = ask("calls", &request, &shelf).map(|json| readable(&json));
    expected.assert_eq(&answer.unwrap_or_else(|error| error.to_string()));
}

/// However deep and dense the calls are, an answer is bounded, and its cells have all calls in them.
#[test]
fn a_dense_window_is_answered_in_wider_cells() {
    let slices: Vec<Slice> = (0..30_000_i32)
        .map(|id| Slice {
            kind: CALL,
            task: Some(0),
            symbol: Some(0),
            start: i64::from(id / 40) * 100,
            duration: 50,
            depth: i16::try_from(id % 40).unwrap(),
            id,
            ..Slice::default()
        })
        .collect();
    let shelf = Shelf::default()
        .with(
            &crate::store::tables::projections::SLICE_HEADER,
            super::super::fixture::block_headers(
                &crate::store::tables::projections::SLICE_HEADER,
                &[(CALL, 0, 0, 75_050, 30_000, 50)],
            ),
        )
        .with(&tables::SLICE_BLOCK, slice_block(&slices))
        .with(&tables::TASK, tasks(&[(Some(7), None, "sh")]))
        .with(&tables::SYMBOL, symbols(&[("main", None)]));
    let json = ask("calls", r#"{"width":4000,"trace":{"duration_ns":75050}}"#, &shelf).unwrap();
    assert!(json.len() < 500_000, "{} bytes", json.len());
    let answer: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let sums = |column: &str| {
        let lanes = answer["lanes"].as_array().unwrap().iter();
        lanes.flat_map(|lane| lane[column].as_array().unwrap()).map(|n| n.as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!((sums("count"), sums("busy_ns")), (30_000, 30_000 * 50));
}

#[test]
fn calls_lie_on_lanes_of_cpu_and_depth() {
    check(
        r#""width":100"#,
        expect![[r#"
            {"start":0,"end":200,"width":100,"tasks":[
              {"pid":7,"comm":"sh"},
              {"pid":0,"comm":"<idle>","cpu":0}
            ],
            "symbols":["main","leaf [mod]"],
            "lanes":[
              {"id":"cpu0","cpu":0,"lane_task_idx":null,"depth":0,"detail":"slices","t":[0,140],
            "duration_ns":[100,30],
            "task_idx":[0,1],
            "symbol_idx":[0,1],
            "call_id":["call-7@0.0","call-cpu0@140.0"]},
              {"id":"cpu0","cpu":0,"lane_task_idx":null,"depth":1,"detail":"slices","t":[10],
            "duration_ns":[20],
            "task_idx":[0],
            "symbol_idx":[1],
            "call_id":["call-7@10.1"]},
              {"id":"cpu1","cpu":1,"lane_task_idx":null,"depth":0,"detail":"slices","t":[120],
            "duration_ns":[50],
            "task_idx":[0],
            "symbol_idx":[0],
            "call_id":["call-7@120.0"]},
              {"id":"cpu1","cpu":1,"lane_task_idx":null,"depth":1,"detail":"slices","t":[130],
            "duration_ns":[5],
            "task_idx":[0],
            "symbol_idx":[1],
            "call_id":["call-7@130.1"]}
            ]}"#]],
    );
}

#[test]
fn by_task_a_task_keeps_its_lane_on_every_cpu() {
    check(
        r#""width":100,"by":"task","start":"120""#,
        expect![[r#"
            {"start":120,"end":200,"width":100,"tasks":[
              {"pid":7,"comm":"sh"},
              {"pid":0,"comm":"<idle>","cpu":0}
            ],
            "symbols":["main","leaf [mod]"],
            "lanes":[
              {"id":"task-7","cpu":null,"lane_task_idx":0,"depth":0,"detail":"slices","t":[120],
            "duration_ns":[50],
            "task_idx":[0],
            "symbol_idx":[0],
            "call_id":["call-7@120.0"]},
              {"id":"task-7","cpu":null,"lane_task_idx":0,"depth":1,"detail":"slices","t":[130],
            "duration_ns":[5],
            "task_idx":[0],
            "symbol_idx":[1],
            "call_id":["call-7@130.1"]},
              {"id":"task-cpu0","cpu":0,"lane_task_idx":1,"depth":0,"detail":"slices","t":[140],
            "duration_ns":[30],
            "task_idx":[1],
            "symbol_idx":[1],
            "call_id":["call-cpu0@140.0"]}
            ]}"#]],
    );
}

#[test]
fn a_root_shows_what_is_under_it() {
    check(
        r#""width":100,"root":"leaf [mod]","cpu":1"#,
        expect![[r#"
            {"start":0,"end":200,"width":100,"tasks":[
              {"pid":7,"comm":"sh"}
            ],
            "symbols":["leaf [mod]"],
            "lanes":[
              {"id":"cpu1","cpu":1,"lane_task_idx":null,"depth":1,"detail":"slices","t":[130],
            "duration_ns":[5],
            "task_idx":[0],
            "symbol_idx":[0],
            "call_id":["call-7@130.1"]}
            ]}"#]],
    );
    check(
        r#""width":100,"root":"main","pid":"7","min":"6ns","end":50"#,
        expect![[r#"
            {"start":0,"end":50,"width":100,"tasks":[
              {"pid":7,"comm":"sh"}
            ],
            "symbols":["main","leaf [mod]"],
            "lanes":[
              {"id":"cpu0","cpu":0,"lane_task_idx":null,"depth":0,"detail":"slices","t":[0],
            "duration_ns":[100],
            "task_idx":[0],
            "symbol_idx":[0],
            "call_id":["call-7@0.0"]},
              {"id":"cpu0","cpu":0,"lane_task_idx":null,"depth":1,"detail":"slices","t":[10],
            "duration_ns":[20],
            "task_idx":[0],
            "symbol_idx":[1],
            "call_id":["call-7@10.1"]}
            ]}"#]],
    );
}

#[test]
fn many_calls_become_buckets_that_keep_the_longest() {
    check(
        r#""width":2,"by":"task","pid":7"#,
        expect![[r#"
            {"start":0,"end":200,"width":2,"tasks":[
              {"pid":7,"comm":"sh"}
            ],
            "symbols":["main","leaf [mod]"],
            "lanes":[
              {"id":"task-7","cpu":null,"lane_task_idx":0,"depth":0,"detail":"buckets","bucket_ns":200,"bucket_step":[0],
            "task_idx":[0],
            "symbol_idx":[0],
            "count":[2],
            "busy_ns":[150],
            "max_ns":[100],
            "max_offset_ns":[0],
            "call_id":["call-7@0.0"]},
              {"id":"task-7","cpu":null,"lane_task_idx":0,"depth":1,"detail":"buckets","bucket_ns":200,"bucket_step":[0],
            "task_idx":[0],
            "symbol_idx":[1],
            "count":[2],
            "busy_ns":[25],
            "max_ns":[20],
            "max_offset_ns":[10],
            "call_id":["call-7@10.1"]}
            ]}"#]],
    );
}

#[test]
fn too_many_single_calls_are_refused() {
    let window = Window { start_ns: 0, end_ns: 1_600_000 };
    let headers = Headers::of(window, &[(CALL, 2_000_001)], &[1_000]);
    let source = |request: &str| Request::from_params(&Params::parse(request)?)?.source(&headers);
    assert_eq!(source(r#"{"end":1600000}"#), Ok(Source::Rollup { level: 0 }));
    assert!(source(r#"{"end":1600000,"by":"task"}"#).is_err());
}
