//! The merged flame graph: of the whole trace from its stored tree, of a window from single calls.

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::call_filter::CallFilter;
use super::call_nodes::{stored_tree, tree_of_calls};
use super::kind::{CALL, IRQ, SCHED, SOFTIRQ, TASK};
use super::merged_tree::{MergedTree, Truncated, fold};
use super::names::{LocalNames, symbol_names};
use super::net_calls::{NetTree, net_tree_of_calls};
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
    let recorded =
        RecordedEvents { interrupts: headers.slice_count(IRQ) > 0, switches: headers.slice_count(SCHED) > 0 };
    let needs = vec![calls, stored.all(&tables::TASK), stored.all(&tables::SYMBOL)];
    answer(&request, recorded, &stored.parts_by_table(needs).await)
}

/// Which events were recorded that say what took a call's CPU.
#[derive(Clone, Copy, Debug, Default)]
struct RecordedEvents {
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
/// `root` is the only node at the top, with its total time, above its callers.
///
/// With `time=net`, calls have the CPU time of their own task: without the interrupts and softirqs during them, and
/// without stretches in which the task was switched out, where those were recorded. The functions through which
/// interrupts enter are roots of their own.
fn answer(request: &Request, recorded: RecordedEvents, parts: &PartsByTable) -> Answer {
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
        let has_interrupts = recorded.interrupts || has_entries;
        (tree, Some(Net { taken_ns, has_interrupts, has_switches: recorded.switches }))
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
