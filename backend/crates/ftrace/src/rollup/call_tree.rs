//! The merged call tree: calls with the same stack of functions under the same CPU and task are one node.
//!
//! Calls come when they end, children before their parents, so subtrees are merged from below: what a
//! call has called waits under a holder with the call's id until the call itself ends. Merging moves
//! whole subtrees and frees a node for each that it meets, so it costs a constant per call in all.

use hashbrown::HashMap;

use super::quantiles::Quantiles;
use crate::analyses::Slice;
use crate::model::{Ns, ReadError};
use crate::store::event_blocks::BLOCK_RECORDS;
use crate::store::tables::CALLTREE_BLOCK;
use crate::store::writer::TableWriter;

/// Past this many nodes, new ones are folded into one `(other)` beside them.
const MAX_NODES: usize = 500_000;
/// Durations held for medians over all nodes; past it, nodes go without.
const MAX_SAMPLES: usize = 4 << 20;
type NodeIdx = usize;

/// A node, or a holder of nodes: of a call that has not ended, or of the roots of a CPU and task.
struct Node {
    /// `None` for `(other)`, and for holders.
    symbol: Option<u32>,
    children: Vec<NodeIdx>,
    calls: i64,
    total_ns: Ns,
    self_ns: Ns,
    min_ns: Ns,
    max_ns: Ns,
    /// `None` where samples are missing.
    durations: Option<Quantiles>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct RootKey {
    cpu: u16,
    task: Option<u32>,
}

#[derive(Default)]
pub struct CallTree {
    nodes: Vec<Node>,
    free: Vec<NodeIdx>,
    by_parent: HashMap<(NodeIdx, Option<u32>), NodeIdx>,
    roots: HashMap<RootKey, NodeIdx>,
    /// By call id: what a call that has not ended has called so far, and where it would be a root.
    waiting: HashMap<u32, (NodeIdx, RootKey)>,
    sample_count: usize,
    is_folded: bool,
}

impl CallTree {
    /// Adds a finished call; its callees came before it.
    pub fn add(&mut self, call: &Slice<'_>) {
        let Some(symbol) = call.symbol else { return };
        let root = RootKey { cpu: call.cpu, task: call.task };
        let holder = match call.parent {
            Some(parent) => self.holder_of(parent, root),
            None => self.root(root),
        };
        let node = self.child(holder, Some(symbol));
        self.count(node, call);
        if let Some((called, _)) = call.id.and_then(|id| self.waiting.remove(&id)) {
            self.merge_children(called, node);
        }
    }

    fn holder_of(&mut self, call: u32, root: RootKey) -> NodeIdx {
        match self.waiting.get(&call) {
            Some((holder, _)) => *holder,
            None => {
                let holder = self.allocate(None);
                self.waiting.insert(call, (holder, root));
                holder
            }
        }
    }

    fn root(&mut self, key: RootKey) -> NodeIdx {
        match self.roots.get(&key) {
            Some(holder) => *holder,
            None => {
                let holder = self.allocate(None);
                self.roots.insert(key, holder);
                holder
            }
        }
    }

    fn child(&mut self, holder: NodeIdx, symbol: Option<u32>) -> NodeIdx {
        if let Some(child) = self.by_parent.get(&(holder, symbol)) {
            return *child;
        }
        let is_full = self.nodes.len().saturating_sub(self.free.len()) >= MAX_NODES;
        if is_full && symbol.is_some() {
            self.is_folded = true;
            return self.child(holder, None);
        }
        let child = self.allocate(symbol);
        self.adopt(holder, child, symbol);
        child
    }

    fn adopt(&mut self, holder: NodeIdx, child: NodeIdx, symbol: Option<u32>) {
        self.by_parent.insert((holder, symbol), child);
        if let Some(node) = self.nodes.get_mut(holder) {
            node.children.push(child);
        }
    }

    fn count(&mut self, node: NodeIdx, call: &Slice<'_>) {
        let is_full = self.sample_count >= MAX_SAMPLES;
        let Some(node) = self.nodes.get_mut(node) else { return };
        node.calls = node.calls.saturating_add(1);
        node.total_ns += call.duration_ns;
        node.self_ns += call.self_ns;
        node.min_ns = node.min_ns.min(call.duration_ns);
        node.max_ns = node.max_ns.max(call.duration_ns);
        let before = size_of(&node.durations);
        match &mut node.durations {
            Some(_) if is_full => node.durations = None,
            Some(durations) => durations.add(call.duration_ns),
            None => {}
        }
        self.sample_count = self.sample_count.saturating_sub(before).saturating_add(size_of(&node.durations));
    }

    /// Moves everything under `from` to `to`, where it may meet nodes of the same symbol, and frees `from`.
    fn merge_children(&mut self, from: NodeIdx, to: NodeIdx) {
        let mut moves = vec![(from, to)];
        while let Some((from, to)) = moves.pop() {
            let Some(holder) = self.nodes.get_mut(from) else { continue };
            for child in std::mem::take(&mut holder.children) {
                let Some(symbol) = self.nodes.get(child).map(|node| node.symbol) else { continue };
                self.by_parent.remove(&(from, symbol));
                match self.by_parent.get(&(to, symbol)).copied() {
                    None => self.adopt(to, child, symbol),
                    Some(twin) => {
                        self.add_up(child, twin);
                        moves.push((child, twin));
                    }
                }
            }
            self.free.push(from);
        }
    }

    /// Adds the numbers of `from` to those of its twin.
    fn add_up(&mut self, from: NodeIdx, twin: NodeIdx) {
        let Some(from) = self.nodes.get_mut(from) else { return };
        let (calls, total_ns, self_ns) = (from.calls, from.total_ns, from.self_ns);
        let (min_ns, max_ns) = (from.min_ns, from.max_ns);
        let durations = from.durations.take();
        let moved = size_of(&durations);
        let Some(twin) = self.nodes.get_mut(twin) else { return };
        twin.calls = twin.calls.saturating_add(calls);
        twin.total_ns += total_ns;
        twin.self_ns += self_ns;
        twin.min_ns = twin.min_ns.min(min_ns);
        twin.max_ns = twin.max_ns.max(max_ns);
        let before = moved.saturating_add(size_of(&twin.durations));
        twin.durations = twin.durations.take().zip(durations).map(|(mut all, more)| {
            all.merge(more);
            all
        });
        self.sample_count = self.sample_count.saturating_sub(before).saturating_add(size_of(&twin.durations));
    }

    fn allocate(&mut self, symbol: Option<u32>) -> NodeIdx {
        let node = Node {
            symbol,
            children: Vec::new(),
            calls: 0,
            total_ns: Ns::ZERO,
            self_ns: Ns::ZERO,
            min_ns: Ns::MAX,
            max_ns: Ns::ZERO,
            durations: Some(Quantiles::default()),
        };
        match self.free.pop() {
            Some(idx) => {
                if let Some(slot) = self.nodes.get_mut(idx) {
                    *slot = node;
                }
                idx
            }
            None => {
                self.nodes.push(node);
                self.nodes.len().saturating_sub(1)
            }
        }
    }

    /// True where the tree was too large and calls were folded into `(other)`.
    pub fn is_folded(&self) -> bool {
        self.is_folded
    }

    /// Writes the tree, parents before children. `other` is the index of the name of what was folded.
    pub fn write(mut self, other: u32, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        self.end_waiting();
        let mut roots: Vec<(RootKey, NodeIdx)> = self.roots.drain().collect();
        roots.sort_unstable();
        let mut rows = Rows { first_node: 0, block: 0, rows: Vec::new() };
        for (key, holder) in roots {
            let mut open = vec![(holder, None)];
            while let Some((idx, parent)) = open.pop() {
                let Some(node) = self.nodes.get_mut(idx) else { continue };
                let children = std::mem::take(&mut node.children);
                let number =
                    if idx == holder { None } else { Some(rows.add(node, key, parent, other, writer)?) };
                open.extend(children.into_iter().rev().map(|child| (child, number)));
            }
        }
        rows.flush(writer)
    }

    /// What waits for a call that never came becomes a root.
    fn end_waiting(&mut self) {
        let mut waiting: Vec<(u32, (NodeIdx, RootKey))> = self.waiting.drain().collect();
        waiting.sort_unstable_by_key(|(call, _)| *call);
        for (_, (holder, key)) in waiting {
            let root = self.root(key);
            self.merge_children(holder, root);
        }
    }
}

fn size_of(durations: &Option<Quantiles>) -> usize {
    durations.as_ref().map_or(0, Quantiles::size)
}

/// The rows of the block that is being filled.
struct Rows {
    first_node: i32,
    block: i32,
    rows: Vec<NodeRow>,
}

struct NodeRow {
    parent: Option<i32>,
    symbol: i32,
    key: RootKey,
    calls: i64,
    total_ns: Ns,
    self_ns: Ns,
    min_ns: Ns,
    p50_ns: Option<Ns>,
    max_ns: Ns,
}

impl Rows {
    /// Returns the node's number in the tree.
    fn add(
        &mut self,
        node: &mut Node,
        key: RootKey,
        parent: Option<i32>,
        other: u32,
        writer: &mut TableWriter<'_>,
    ) -> Result<i32, ReadError> {
        if self.rows.len() >= BLOCK_RECORDS {
            self.flush(writer)?;
        }
        let number = self.first_node.saturating_add(i32::try_from(self.rows.len()).unwrap_or(i32::MAX));
        let symbol = node.symbol.unwrap_or(other);
        let median = node.durations.take().and_then(|durations| durations.percentiles([50]));
        self.rows.push(NodeRow {
            parent,
            symbol: i32::try_from(symbol).unwrap_or(i32::MAX),
            key,
            calls: node.calls,
            total_ns: node.total_ns,
            self_ns: node.self_ns,
            min_ns: node.min_ns,
            p50_ns: median.map(|[p50_ns]| p50_ns.clamp(node.min_ns, node.max_ns)),
            max_ns: node.max_ns,
        });
        Ok(number)
    }

    fn flush(&mut self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = &self.rows;
        let count = i32::try_from(rows.len()).unwrap_or(i32::MAX);
        writer.row(&CALLTREE_BLOCK, |row| {
            row.int(self.block).int(self.first_node).int(count);
            row.optional_ints(rows.iter().map(|node| node.parent));
            row.ints(rows.iter().map(|node| node.symbol));
            row.ints(rows.iter().map(|node| i16::try_from(node.key.cpu).unwrap_or(i16::MAX)));
            row.optional_ints(
                rows.iter().map(|node| node.key.task.and_then(|task| i32::try_from(task).ok())),
            );
            row.ints(rows.iter().map(|node| node.calls)).ints(rows.iter().map(|node| node.total_ns));
            row.ints(rows.iter().map(|node| node.self_ns)).ints(rows.iter().map(|node| node.min_ns));
            row.optional_ints(rows.iter().map(|node| node.p50_ns));
            row.ints(rows.iter().map(|node| node.max_ns));
        })?;
        self.first_node = self.first_node.saturating_add(count);
        self.block = self.block.saturating_add(1);
        self.rows.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use super::*;
    use crate::analyses::SliceKind;
    use crate::store::read::blocks::{ABSENT, CallTreeBlock};
    use crate::store::read::read_rows;
    use crate::store::testing::Written;

    /// `calls`: (id, parent, symbol, duration) in the order of their ends.
    fn check(calls: &[(u32, Option<u32>, u32, i64)], expected: Expect) {
        let mut tree = CallTree::default();
        for (id, parent, symbol, duration_ns) in calls {
            let ids = Slice {
                id: Some(*id),
                parent: *parent,
                ..Slice::new(SliceKind::Call, 0, Ns::ZERO, Ns(*duration_ns))
            };
            tree.add(&Slice { symbol: Some(*symbol), ..ids });
        }
        let mut written = Written::default();
        let mut writer = TableWriter::new(&mut written, 1);
        tree.write(99, &mut writer).unwrap();
        writer.finish().unwrap();
        let mut text = String::new();
        for stream in written.streams(&CALLTREE_BLOCK) {
            for block in read_rows(&CALLTREE_BLOCK, stream, CallTreeBlock::read).unwrap() {
                for at in 0..block.parent.len() {
                    let parent = block.parent[at];
                    let under = if parent == ABSENT { "root".into() } else { format!("under {parent}") };
                    let CallTreeBlock { symbol_idx, calls, total_ns, min_ns, p50_ns, max_ns, .. } = &block;
                    let p50 = p50_ns[at].map_or("-".into(), |p50_ns| p50_ns.to_string());
                    writeln!(
                        text,
                        "{at}: f{} {under} calls {} total {} min {} p50 {} max {}",
                        symbol_idx[at], calls[at], total_ns[at], min_ns[at], p50, max_ns[at]
                    )
                    .unwrap();
                }
            }
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn equal_stacks_are_one_node() {
        check(
            &[
                (1, Some(0), 20, 5),
                (3, Some(2), 30, 1),
                (2, Some(0), 20, 7),
                (0, None, 10, 20),
                (6, Some(5), 30, 2),
                (5, Some(4), 20, 3),
                (7, Some(4), 40, 4),
                (4, None, 10, 10),
            ],
            expect![[r#"
                0: f10 root calls 2 total 30 min 10 p50 10 max 20
                1: f20 under 0 calls 3 total 15 min 3 p50 5 max 7
                2: f30 under 1 calls 2 total 3 min 1 p50 1 max 2
                3: f40 under 0 calls 1 total 4 min 4 p50 4 max 4
            "#]],
        );
    }

    #[test]
    fn what_waits_for_a_call_that_is_never_told_is_a_root() {
        check(
            &[(1, Some(0), 20, 5), (2, Some(0), 20, 7), (3, None, 20, 1)],
            expect![[r#"
            0: f20 root calls 3 total 13 min 1 p50 5 max 7
        "#]],
        );
    }

    #[test]
    fn recursion_is_a_chain() {
        check(
            &[(2, Some(1), 10, 1), (1, Some(0), 10, 2), (0, None, 10, 3)],
            expect![[r#"
            0: f10 root calls 1 total 3 min 3 p50 3 max 3
            1: f10 under 0 calls 1 total 2 min 2 p50 2 max 2
            2: f10 under 1 calls 1 total 1 min 1 p50 1 max 1
        "#]],
        );
    }
}
