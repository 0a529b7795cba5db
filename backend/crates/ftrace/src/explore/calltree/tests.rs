use expect_test::{Expect, expect};
use serde_json::Value;

use super::super::fixture::{Slice, TreeNode, block_headers, calltree_block, slice_block, symbols, tasks};
use super::super::protocol::{Shelf, ask};
use super::*;
use crate::store::tables::projections::SLICE_HEADER;

/// main(100) calls leaf(20) and work(60), which calls leaf(30); the idle task calls leaf(30).
fn slices() -> Vec<u8> {
    let call = Slice { kind: CALL, task: Some(0), ..Slice::default() };
    slice_block(&[
        Slice { start: 10, duration: 20, symbol: Some(1), depth: 1, id: 1, parent: Some(0), ..call },
        Slice { start: 50, duration: 30, symbol: Some(1), depth: 2, id: 3, parent: Some(2), ..call },
        Slice {
            start: 35,
            duration: 60,
            self_ns: Some(30),
            symbol: Some(2),
            depth: 1,
            id: 2,
            parent: Some(0),
            ..call
        },
        Slice { start: 0, duration: 100, self_ns: Some(20), symbol: Some(0), id: 0, ..call },
        Slice { start: 140, duration: 30, symbol: Some(1), id: 4, task: Some(1), cpu: 1, ..call },
    ])
}

fn stored() -> Vec<u8> {
    let node = |parent, symbol, task, calls, total_ns, self_ns| TreeNode {
        parent,
        symbol,
        cpu: i16::try_from(task).unwrap(),
        task,
        calls,
        total_ns,
        self_ns,
    };
    calltree_block(&[
        node(None, 0, 0, 1, 100, 20),
        node(Some(0), 1, 0, 1, 20, 20),
        node(Some(0), 2, 0, 1, 60, 30),
        node(Some(2), 1, 0, 1, 30, 30),
        node(None, 1, 1, 1, 30, 30),
    ])
}

/// The tree as text: indented nodes with count, total, self and spread.
fn draw(json: &[u8]) -> String {
    let tree: Value = serde_json::from_slice(json).unwrap();
    let mut text = format!("{} ns in {} calls\n", tree["total_ns"], tree["call_count"]);
    draw_under(&tree, None, 0, &mut text);
    if !tree["net"].is_null() {
        text += &format!("{}\n", tree["net"]);
    }
    if !tree["truncated"].is_null() {
        text += &format!("{}\n", tree["truncated"]);
    }
    text
}

fn draw_under(tree: &Value, parent: Option<u64>, depth: usize, text: &mut String) {
    for (number, node) in (0_u64..).zip(tree["nodes"].as_array().unwrap()) {
        if node["parent"].as_u64() == parent {
            let symbol = usize::try_from(node["symbol_idx"].as_u64().unwrap()).unwrap();
            let name = tree["symbols"][symbol].as_str().unwrap();
            let field = |name: &str| node[name].to_string();
            let spread = [field("min_ns"), field("p50_ns"), field("max_ns")].join("/");
            let sums = [field("count"), field("total_ns"), field("self_ns")].join(" ");
            *text += &format!("{}{name} {sums} {spread}\n", "  ".repeat(depth));
            draw_under(tree, Some(number), depth + 1, text);
        }
    }
}

fn check(request: &str, calltree_block: &[u8], slice_block: &[u8], expected: Expect) {
    let task = tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]);
    let symbol = symbols(&[("main", None), ("leaf", None), ("work", None), ("sysvec_x", None)]);
    let parts = PartsByTable::new([
        (CallTreeBlock::TABLE, calltree_block.to_vec()),
        (SliceBlock::TABLE, slice_block.to_vec()),
        (&tables::TASK, task),
        (&tables::SYMBOL, symbol),
    ]);
    let request = Params::parse(request).and_then(|params| Request::from_params(&params));
    let answer = request
        .and_then(|request| answer(&request, RecordedEvents::default(), &parts))
        .map(|json| draw(&json));
    expected.assert_eq(&answer.unwrap_or_else(|error| error.to_string()));
}

#[test]
fn calls_with_the_same_callers_are_one_node() {
    check(
        "{}",
        &[],
        &slices(),
        expect![[r#"
                130 ns in 5 calls
                main 1 100 20 100/100/100
                  leaf 1 20 20 20/20/20
                  work 1 60 30 60/60/60
                    leaf 1 30 30 30/30/30
                leaf 1 30 30 30/30/30
            "#]],
    );
    check(
        "{}",
        &stored(),
        &[],
        expect![[r#"
            130 ns in 5 calls
            main 1 100 20 1/2/3
              leaf 1 20 20 1/2/3
              work 1 60 30 1/2/3
                leaf 1 30 30 1/2/3
            leaf 1 30 30 1/2/3
        "#]],
    );
}

#[test]
fn a_call_may_begin_before_its_caller() {
    let call = Slice { kind: CALL, task: Some(0), ..Slice::default() };
    let slices = slice_block(&[
        Slice { start: 9, duration: 20, symbol: Some(1), depth: 1, id: 0, parent: Some(1), ..call },
        Slice { start: 10, duration: 50, self_ns: Some(30), symbol: Some(0), id: 1, ..call },
    ]);
    check(
        "{}",
        &[],
        &slices,
        expect![[r#"
            50 ns in 2 calls
            main 1 50 30 50/50/50
              leaf 1 20 20 20/20/20
        "#]],
    );
}

#[test]
fn a_window_counts_what_is_inside_it() {
    check(
        r#"{"start":60,"end":90}"#,
        &[],
        &slices(),
        expect![[r#"
            30 ns in 3 calls
            main 1 30 0 100/100/100
              work 1 30 10 60/60/60
                leaf 1 20 20 30/30/30
        "#]],
    );
}

#[test]
fn a_root_leaves_its_callers_out() {
    check(
        r#"{"root":"leaf"}"#,
        &[],
        &slices(),
        expect![[r#"
            80 ns in 3 calls
            leaf 3 80 80 20/30/30
        "#]],
    );
    check(
        r#"{"root":"work","pid":7}"#,
        &stored(),
        &[],
        expect![[r#"
            60 ns in 2 calls
            work 1 60 30 1/2/3
              leaf 1 30 30 1/2/3
        "#]],
    );
}

#[test]
fn filters_keep_tasks_and_cpus() {
    check(
        r#"{"cpu":1}"#,
        &[],
        &slices(),
        expect![[r#"
            30 ns in 1 calls
            leaf 1 30 30 30/30/30
        "#]],
    );
    check(
        r#"{"pid":"7","min_share":0.3}"#,
        &stored(),
        &[],
        expect![[r#"
            100 ns in 4 calls
            main 1 100 20 1/2/3
              work 1 60 30 1/2/3
                leaf 1 30 30 1/2/3
            {"nodes":1,"total_ns":20}
        "#]],
    );
}

#[test]
fn upside_down_callers_lie_under_what_they_call() {
    check(
        r#"{"invert":true}"#,
        &[],
        &slices(),
        expect![[r#"
                130 ns in 5 calls
                leaf 3 80 30 null/null/null
                  work 1 30 0 null/null/null
                    main 1 30 30 null/null/null
                  main 1 20 20 null/null/null
                work 1 30 0 null/null/null
                  main 1 30 30 null/null/null
                main 1 20 20 null/null/null
            "#]],
    );
    check(
        r#"{"invert":"1","root":"leaf"}"#,
        &stored(),
        &[],
        expect![[r#"
            80 ns in 3 calls
            leaf 3 80 30 null/null/null
              work 1 30 0 null/null/null
                main 1 30 30 null/null/null
              main 1 20 20 null/null/null
        "#]],
    );
}

/// main(100) is interrupted by a traced interrupt (10), of which there is an event, too, and by one of events alone
/// (10), in which a handler runs (6), and works (40), of which it is switched out for 20.
#[test]
fn net_times_are_those_of_the_own_task() {
    let call = Slice { kind: CALL, task: Some(0), ..Slice::default() };
    let other = |kind, start, duration| Slice { kind, start, duration, task: Some(0), ..Slice::default() };
    let slices = slice_block(&[
        Slice { start: 0, duration: 100, self_ns: Some(44), symbol: Some(0), id: 0, ..call },
        Slice { start: 27, duration: 6, symbol: Some(1), depth: 1, id: 4, parent: Some(0), ..call },
        Slice {
            start: 10,
            duration: 10,
            self_ns: Some(4),
            symbol: Some(3),
            depth: 1,
            id: 1,
            parent: Some(0),
            ..call
        },
        Slice { start: 12, duration: 6, symbol: Some(1), depth: 2, id: 2, parent: Some(1), ..call },
        Slice { start: 40, duration: 40, symbol: Some(2), depth: 1, id: 3, parent: Some(0), ..call },
        other(IRQ, 14, 3),
        other(IRQ, 25, 10),
        other(TASK, 50, 20),
    ]);
    check(
        r#"{"time":"net"}"#,
        &[],
        &slices,
        expect![[r#"
                76 ns in 5 calls
                main 1 60 40 60/60/60
                  work 1 20 20 20/20/20
                sysvec_x 1 10 4 10/10/10
                  leaf 1 6 6 6/6/6
                leaf 1 6 6 6/6/6
                {"has_interrupts":true,"has_switches":false,"taken_ns":40}
            "#]],
    );
    check(
        r#"{"time":"net","start":55,"end":90}"#,
        &[],
        &slices,
        expect![[r#"
                20 ns in 2 calls
                main 1 20 10 null/null/null
                  work 1 10 10 null/null/null
                {"has_interrupts":false,"has_switches":false,"taken_ns":15}
            "#]],
    );
    check(r#"{"time":"own"}"#, &[], &slices, expect![[r#"time: "own" is none of gross, net"#]]);
}

#[test]
fn the_stored_tree_answers_for_many_calls() {
    // The stored tree has a node more than there are calls.
    let node = TreeNode { parent: None, symbol: 0, cpu: 0, task: 0, calls: 7, total_ns: 7, self_ns: 7 };
    let calls = |request: &str, count: i32| {
        let shelf = Shelf::default()
            .with(&SLICE_HEADER, block_headers(&SLICE_HEADER, &[(CALL, 0, 0, 9, count, 9)]))
            .with(CallTreeBlock::TABLE, calltree_block(&[node]))
            .with(&tables::SLICE_BLOCK, slices());
        let answer: Value = serde_json::from_slice(&ask("calltree", request, &shelf)?).unwrap();
        Ok::<_, ExploreError>(answer["call_count"].as_i64().unwrap())
    };
    let whole = r#"{"trace":{"duration_ns":199}}"#;
    assert_eq!(calls(whole, 250_000), Ok(5));
    assert_eq!(calls(whole, 250_001), Ok(7));
    assert_eq!(calls(r#"{"end":199}"#, 2_000_000), Ok(5));
    assert!(calls(r#"{"end":199}"#, 2_000_001).is_err());
}
