//! The merged flame graph: of the whole trace from its stored tree, of a window from single calls.

use serde::Serialize;

use super::call_filter::CallFilter;
use super::call_nodes::{NetTree, net_tree_of_calls, stored_tree, tree_of_calls};
use super::kind::{CALL, IRQ, SCHED, SOFTIRQ, TASK};
use super::merged_tree::{MergedTree, Truncated, fold};
use super::names::{LocalNames, symbol_names};
use super::plan::{BlockPlan, Headers, Source, refuse_above};
use super::protocol::{Answer, PartsByTable, Stored};
use super::request::{Params, Window};
use super::{ExploreError, answer_json, invert};
use crate::calls::is_interrupt_entry;
use crate::store::read::blocks::{CallTreeBlock, SliceBlock};
use crate::store::read::dictionaries::{self, Symbol};
use crate::store::tables;

const MAX_NODES: usize = 5_000;
/// Up to here the whole trace is answered from single calls as well, because only they give exact
/// medians of nodes that several CPUs or tasks share.
const CALLS_FOR_EXACT_MEDIANS: i64 = 250_000;

struct Request {
    /// `None` for the whole trace.
    window: Option<Window>,
    filter: CallFilter,
    invert: bool,
    /// Only the CPU time of a call's own task.
    is_net: bool,
    min_share_ppb: i64,
}

impl Request {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let window = params.window()?;
        Ok(Self {
            window: (!params.has_no_window()).then_some(window),
            filter: CallFilter::from_params(params)?,
            invert: params.flag("invert")?,
            is_net: params.choice("time", &[("gross", false), ("net", true)], false)?,
            min_share_ppb: params.share_ppb("min_share")?,
        })
    }
}

/// GET calltree: the stored tree of the whole trace, or that of the single calls of a window.
pub async fn calltree(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let request = Request::from_params(&params)?;
    let window = params.window()?;
    let headers = Headers::fetch(&stored, window).await?;
    let count = headers.slice_count(CALL);
    let is_stored = request.window.is_none() && count > CALLS_FOR_EXACT_MEDIANS && !request.is_net;
    let calls = if is_stored {
        stored.all(CallTreeBlock::TABLE)
    } else {
        let kinds = if request.is_net { &[CALL, IRQ, SOFTIRQ, TASK, SCHED][..] } else { &[CALL] };
        refuse_above(kinds.iter().map(|kind| headers.slice_count(*kind)).sum(), "start")?;
        let mut plan = BlockPlan::default();
        kinds.iter().for_each(|kind| plan.add(&headers, *kind, Source::Slices));
        plan.slices(&stored)
    };
    let known = Known { interrupts: headers.slice_count(IRQ) > 0, switches: headers.slice_count(SCHED) > 0 };
    let needs = vec![calls, stored.all(&tables::TASK), stored.all(&tables::SYMBOL)];
    answer(&request, known, &stored.parts_by_table(needs).await)
}

/// Which events were recorded that say what took a call's CPU.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    interrupts: bool,
    switches: bool,
}

#[derive(Serialize)]
struct CallTree {
    total_ns: i64,
    call_count: i64,
    nodes: Vec<NodeItem>,
    symbols: Vec<String>,
    truncated: Option<Truncated>,
    net: Option<Net>,
}

/// What net times leave out.
#[derive(Serialize)]
struct Net {
    taken_ns: i64,
    has_interrupts: bool,
    has_switches: bool,
}

#[derive(Serialize)]
struct NodeItem {
    symbol_idx: Option<u32>,
    parent: Option<usize>,
    count: i64,
    total_ns: i64,
    self_ns: i64,
    min_ns: Option<i64>,
    /// `None` where nodes were merged whose single calls are not at hand.
    p50_ns: Option<i64>,
    max_ns: Option<i64>,
}

/// JSON of the merged tree, parents before children, at most 5,000 nodes.
///
/// Calls that reach over an end of the window count with the part inside it; their spread (`min_ns`,
/// `p50_ns`, `max_ns`) is of whole calls. With `root`, its outermost calls are the roots. With
/// `invert`, the roots are functions with their own time and under each are its callers; with both,
/// `root` stands alone at the top with its total time, over its callers.
///
/// With `time=net`, calls have the CPU time of their own task: without the interrupts and softirqs during them, and
/// without stretches in which the task was switched out, where those were recorded. The functions through which
/// interrupts enter are roots of their own.
fn answer(request: &Request, known: Known, parts: &PartsByTable) -> Answer {
    let tasks = dictionaries::read_tasks(parts.of(&tables::TASK))?;
    let symbols = dictionaries::read_symbols(parts.of(&tables::SYMBOL))?;
    let roots = request.filter.root_symbols(&symbols);
    // Upside down, what lies above the root is what is asked for, so nothing may be cut off before.
    let cut_to = roots.as_ref().filter(|_| !request.invert);
    let slices = parts.of(SliceBlock::TABLE);
    let (tree, net) = if request.is_net {
        let is_entry = |symbol: &Symbol<'_>| is_interrupt_entry(symbol.name.as_bytes());
        let entries = symbols.iter().filter(|(_, symbol)| is_entry(symbol)).map(|(idx, _)| idx).collect();
        let NetTree { tree, taken_ns, has_entries } =
            net_tree_of_calls(slices, request.window, &request.filter, cut_to, &tasks, &entries)?;
        let has_interrupts = known.interrupts || has_entries;
        (tree, Some(Net { taken_ns, has_interrupts, has_switches: known.switches }))
    } else if parts.of(CallTreeBlock::TABLE).is_empty() {
        (tree_of_calls(slices, request.window, &request.filter, cut_to, &tasks)?, None)
    } else {
        (stored_tree(parts.of(CallTreeBlock::TABLE), &request.filter, cut_to, &tasks)?, None)
    };
    let tree = if request.invert { invert::callers(&tree, roots.as_ref()) } else { tree };
    let (total_ns, call_count) = (tree.total_ns(), call_count(&tree, request.invert));
    let min_ns = i128::from(total_ns).saturating_mul(i128::from(request.min_share_ppb)) / 1_000_000_000;
    let min_ns = i64::try_from(min_ns).unwrap_or(i64::MAX);
    let (nodes, truncated) = fold(tree.into_nodes(), MAX_NODES, min_ns);
    let mut names = LocalNames::new(&symbols);
    let nodes = nodes.into_iter().map(|mut node| {
        let (min_ns, p50_ns, max_ns) = node.spread.summary();
        NodeItem {
            symbol_idx: names.number(node.symbol_idx),
            parent: node.parent,
            count: node.count,
            total_ns: node.total_ns,
            self_ns: node.self_ns,
            min_ns,
            p50_ns,
            max_ns,
        }
    });
    let nodes = nodes.collect();
    answer_json(&CallTree { total_ns, call_count, nodes, symbols: symbol_names(&names), truncated, net })
}

/// Calls in a tree: of every node, or upside down of the roots, since the callers' are the same calls.
fn call_count(tree: &MergedTree, inverted: bool) -> i64 {
    let counted = tree.nodes().iter().filter(|node| !inverted || node.parent.is_none());
    counted.fold(0_i64, |total, node| total.saturating_add(node.count))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::Value;

    use super::super::fixture::{
        Slice, TreeNode, block_headers, calltree_block, slice_block, symbols, tasks,
    };
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
        let answer =
            request.and_then(|request| answer(&request, Known::default(), &parts)).map(|json| draw(&json));
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
        let other =
            |kind, start, duration| Slice { kind, start, duration, task: Some(0), ..Slice::default() };
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
}
