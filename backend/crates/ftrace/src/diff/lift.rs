//! Takes interrupts out of the functions that they hit.
//!
//! Where an interrupt strikes is chance. The functions that it hit lose its time, and it becomes a child of
//! the root, after all others: the root's duration is still that of the recording.

use super::names::NameId;
use super::row::at;
use super::tree::{Kind, Node, Tree};

/// A tree with its interrupts at the end of the root's children.
pub struct Lifted {
    pub tree: Tree,
    /// Of each node, its index in the tree as recorded.
    source: Vec<u32>,
    /// Of each node, the function that it hit, if it is an interrupt that was lifted.
    hit: Vec<Option<NameId>>,
}

impl Lifted {
    /// The index in the tree as recorded of the node `idx` of the lifted tree.
    pub fn recorded(&self, idx: u32) -> Option<u32> {
        self.source.get(usize::try_from(idx).ok()?).copied()
    }

    /// What an interrupt hit that was lifted out of it.
    pub fn hit(&self, idx: u32) -> Option<NameId> {
        self.hit.get(usize::try_from(idx).ok()?).copied().flatten()
    }
}

/// The tree with its interrupts as the last children of its root.
pub fn lift(recorded: &Tree) -> Lifted {
    let nodes = recorded.nodes();
    let is_lifted = outermost_interrupts(nodes);
    let taken_ns = taken(nodes, &is_lifted);
    let tree = Tree { nodes: Vec::with_capacity(nodes.len()) };
    let hits = hits(nodes, &is_lifted);
    let mut lifted = Lifted { tree, source: Vec::new(), hit: Vec::new() };
    let mut new_idx: Vec<u32> = Vec::with_capacity(nodes.len());
    for wants_lifted in [false, true] {
        for (((idx, node), taken_ns), lifted_here) in (0_u32..).zip(nodes).zip(&taken_ns).zip(&is_lifted) {
            if !wants_lifted {
                new_idx.push(u32::try_from(lifted.tree.nodes.len()).unwrap_or(u32::MAX));
            }
            if *lifted_here == wants_lifted {
                let duration_ns = node.duration_ns.saturating_sub(*taken_ns);
                lifted.tree.nodes.push(Node { duration_ns, ..*node });
                lifted.source.push(idx);
                lifted.hit.push(at(&hits, idx).copied().flatten());
            }
        }
    }
    close(&mut lifted, nodes, &is_lifted, &new_idx);
    lifted
}

/// Of each node, whether it lies in an interrupt below the root.
fn outermost_interrupts(nodes: &[Node]) -> Vec<bool> {
    let mut until = 0;
    let mut is_lifted = Vec::with_capacity(nodes.len());
    for (idx, node) in (0_u32..).zip(nodes) {
        if idx >= until && idx > 0 && node.kind == Kind::Interrupt {
            until = node.end;
        }
        is_lifted.push(idx < until);
    }
    is_lifted
}

/// For each outermost interrupt below the root, what it hit: the function around it, or the softirq. A
/// case, whose root is neither, is hit by all that comes.
fn hits(nodes: &[Node], is_lifted: &[bool]) -> Vec<Option<NameId>> {
    let mut open: Vec<(&Node, bool)> = Vec::new();
    let mut hits = Vec::with_capacity(nodes.len());
    for ((idx, node), is_in_interrupt) in (0_u32..).zip(nodes).zip(is_lifted) {
        while open.pop_if(|(outer, _)| outer.end <= idx).is_some() {}
        let hit = open
            .last()
            .filter(|(outer, is_lifted)| *is_in_interrupt && !is_lifted && outer.kind != Kind::Event);
        hits.push(hit.map(|(outer, _)| outer.name));
        open.push((node, *is_in_interrupt));
    }
    hits
}

/// Of each node, what the interrupts took that hit it or what it called. Not of the root, whose children
/// they become.
fn taken(nodes: &[Node], is_lifted: &[bool]) -> Vec<i64> {
    let mut before = Vec::with_capacity(nodes.len().saturating_add(1));
    let (mut sum, mut until) = (0_i64, 0);
    for ((idx, node), lifted) in (0_u32..).zip(nodes).zip(is_lifted) {
        before.push(sum);
        if *lifted && idx >= until {
            until = node.end;
            sum = sum.saturating_add(node.duration_ns);
        }
    }
    before.push(sum);
    let of = |(idx, node): (usize, &Node)| {
        let end = usize::try_from(node.end).ok().and_then(|end| before.get(end)).copied().unwrap_or(sum);
        let start = before.get(idx).copied().unwrap_or(sum);
        let is_hit = idx > 0 && is_lifted.get(idx) == Some(&false);
        if is_hit { end.saturating_sub(start) } else { 0 }
    };
    nodes.iter().enumerate().map(of).collect()
}

/// Gives each node its new end.
fn close(lifted: &mut Lifted, nodes: &[Node], is_lifted: &[bool], new_idx: &[u32]) {
    let len = u32::try_from(lifted.tree.nodes.len()).unwrap_or(u32::MAX);
    let kept = is_lifted.iter().filter(|lifted| !**lifted).count();
    let kept = u32::try_from(kept).unwrap_or(u32::MAX);
    let at = |idx: u32| usize::try_from(idx).ok();
    for ((idx, node), source) in (0_u32..).zip(&mut lifted.tree.nodes).zip(&lifted.source) {
        let Some(recorded) = at(*source).and_then(|source| nodes.get(source)) else { continue };
        node.end = if idx == 0 {
            len
        } else if idx < kept {
            at(recorded.end).and_then(|end| new_idx.get(end)).copied().unwrap_or(kept)
        } else {
            // All nodes of an interrupt are lifted together.
            idx.saturating_add(recorded.end.saturating_sub(*source))
        };
        if idx >= kept {
            node.has_dots_before &= node.kind != Kind::Interrupt;
        }
    }
}
