//! Folded stacks: a line for each chain of calls that took time of its own, with the sum of that in nanoseconds.
//!
//! What flame graph tools read: `do_idle;cpuidle_enter;cpuidle_enter_state 12345`.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::super::ExploreError;
use super::super::ids::Owner;
use super::super::protocol::{Answer, Stored};
use super::ExportFormat;
use super::call_edges::CallEdges;
use super::names::{NameTables, Names};
use super::out::Out;
use super::scope::Scope;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "folded",
    title: "Folded stacks",
    reader: "merged calls with their own time in ns, for flamegraph.pl, inferno and speedscope",
    extension: "folded.txt",
    media_type: "text/plain; charset=utf-8",
    is_of_calls: true,
    write: |stored, scope| Box::pin(write(stored, scope)),
};

/// The most distinct call chains that are kept: about 100 MB.
const MAX_NODES: usize = 1 << 20;

/// One chain of calls: the chain of the caller, and the function.
struct Node {
    caller: Option<usize>,
    symbol_idx: i32,
    self_ns: i64,
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    known: HashMap<(Option<usize>, i32), usize>,
}

impl Tree {
    fn node(&mut self, caller: Option<usize>, symbol_idx: i32) -> Result<usize, ExploreError> {
        if let Some(known) = self.known.get(&(caller, symbol_idx)) {
            return Ok(*known);
        }
        let number = self.nodes.len();
        if number >= MAX_NODES {
            let detail = format!("more than {MAX_NODES} different chains of calls; ask for a smaller window");
            return Err(ExploreError::too_large("start", detail));
        }
        self.nodes.push(Node { caller, symbol_idx, self_ns: 0 });
        self.known.insert((caller, symbol_idx), number);
        Ok(number)
    }

    /// The functions of a chain, the outermost first.
    fn chain(&self, node: &Node) -> Vec<i32> {
        let mut symbols = vec![node.symbol_idx];
        let mut caller = node.caller;
        while let Some(node) = caller.and_then(|number| self.nodes.get(number)) {
            symbols.push(node.symbol_idx);
            caller = node.caller;
        }
        symbols.reverse();
        symbols
    }
}

async fn write(stored: Stored, scope: Scope) -> Answer {
    let name_tables = NameTables::fetch(&stored).await;
    let names = Names::read(&name_tables)?;
    let mut edges = CallEdges::plan(&stored, &scope).await?;
    let mut tree = Tree::default();
    let mut open: BTreeMap<Owner, Vec<usize>> = BTreeMap::new();
    while let Some(more) = edges.next(&stored, &scope, &names).await? {
        for edge in more {
            let stack = open.entry(edge.owner).or_default();
            if edge.is_enter {
                stack.push(tree.node(stack.last().copied(), edge.call.symbol_idx)?);
            } else if let Some(node) = stack.pop().and_then(|number| tree.nodes.get_mut(number)) {
                node.self_ns = node.self_ns.saturating_add(edge.call.self_ns);
            }
        }
    }
    let mut out = Out::new(&stored);
    for node in tree.nodes.iter().filter(|node| node.self_ns > 0) {
        for (at, symbol_idx) in tree.chain(node).into_iter().enumerate() {
            if at > 0 {
                out.byte(b';');
            }
            out.text(&frame(names.symbols.get(symbol_idx).map(|symbol| symbol.display()).as_deref()));
        }
        out.byte(b' ');
        out.number(node.self_ns);
        out.byte(b'\n');
        out.pass().await;
    }
    Ok(out.rest())
}

/// The name of a function without what divides frames and lines.
fn frame(name: Option<&str>) -> String {
    let name = name.filter(|name| !name.is_empty()).unwrap_or("[unknown]");
    name.chars()
        .map(|char| {
            if char == ';' {
                ':'
            } else if char.is_control() {
                ' '
            } else {
                char
            }
        })
        .collect()
}
