//! One side of a comparison: a call and everything that it called, in order.

use super::names::NameId;

/// Only nodes of one kind are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Call,
    /// A hard interrupt, with what it called. Where it is not the root, it is no part of the function that it hit.
    Interrupt,
    /// A softirq, with the events in it.
    Softirq,
    /// An event; its duration is the time to the next one.
    Event,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub name: NameId,
    pub kind: Kind,
    /// From the start of the root.
    pub start_ns: i64,
    /// Callees included. What an interrupt took of a function is in here, too.
    pub duration_ns: i64,
    /// One past the last node of its subtree.
    pub end: u32,
    /// A `...` is between this node and the sibling before it (or the start of its parent).
    pub has_dots_before: bool,
    /// A `...` follows its last child.
    pub has_dots_at_end: bool,
}

/// Nodes in preorder; the first is the root. Made by [`TreeBuilder`](super::TreeBuilder).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// The nodes in preorder: the root is the first, and children follow their parent.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn node(&self, idx: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(idx).ok()?)
    }

    /// The duration of the root; 0 for an empty tree.
    pub fn duration_ns(&self) -> i64 {
        self.nodes.first().map_or(0, |root| root.duration_ns)
    }

    /// Its duration without those of its children; below 0 where they overlap.
    pub(super) fn self_ns(&self, idx: u32) -> i64 {
        let duration_ns = self.node(idx).map_or(0, |node| node.duration_ns);
        self.children(idx).fold(duration_ns, |rest, (_, child)| rest.saturating_sub(child.duration_ns))
    }

    /// The indices of the children of a node, in order.
    pub(super) fn children(&self, idx: u32) -> Children<'_> {
        let end = self.node(idx).map_or(0, |node| node.end);
        Children { tree: self, next: idx.saturating_add(1), end }
    }
}

/// The children of a node, in order, with their indices.
pub(super) struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = (u32, &'t Node);

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let idx = self.next;
        let node = self.tree.node(idx)?;
        self.next = node.end;
        Some((idx, node))
    }
}
