//! Call trees in which calls with the same callers are one node.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// What the calls of a node add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its caller, which has a lower number.
    pub parent: Option<usize>,
    pub symbol_idx: i32,
    pub count: i64,
    pub total_ns: i64,
    pub self_ns: i64,
    pub spread: Spread,
}

/// Durations of single calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// None seen, or a node for which a single call's duration says nothing.
    #[default]
    Unknown,
    /// Shortest, median where it is known, and longest.
    Summary {
        min_ns: i64,
        p50_ns: Option<i64>,
        max_ns: i64,
    },
    All(Vec<i64>),
}

impl Spread {
    /// Adds a single call. What only a summary of others said is dropped.
    pub fn add(&mut self, duration_ns: i64) {
        match self {
            Spread::All(durations) => durations.push(duration_ns),
            _ => *self = Spread::All(vec![duration_ns]),
        }
    }

    /// A second node's calls put to this one's. The median of two groups does not follow from theirs.
    pub fn merge(&mut self, min_ns: i64, p50_ns: Option<i64>, max_ns: i64) {
        *self = match self {
            Spread::Summary { min_ns: min, max_ns: max, .. } => {
                Spread::Summary { min_ns: min_ns.min(*min), p50_ns: None, max_ns: max_ns.max(*max) }
            }
            _ => Spread::Summary { min_ns, p50_ns, max_ns },
        };
    }

    /// `(min, p50, max)`; the median is the nearest-rank one.
    pub fn summary(&mut self) -> (Option<i64>, Option<i64>, Option<i64>) {
        match self {
            Spread::Unknown => (None, None, None),
            Spread::Summary { min_ns, p50_ns, max_ns } => (Some(*min_ns), *p50_ns, Some(*max_ns)),
            Spread::All(durations) => {
                durations.sort_unstable();
                let median = durations.len().saturating_sub(1) / 2;
                let of = |duration: Option<&i64>| duration.copied();
                (of(durations.first()), of(durations.get(median)), of(durations.last()))
            }
        }
    }
}

/// Nodes in the order in which they were first met, parents before children.
#[derive(Debug, Default)]
pub struct MergedTree {
    nodes: Vec<Node>,
    children: HashMap<(Option<usize>, i32), usize>,
}

impl MergedTree {
    /// The number of the node for `symbol_idx` under `parent`, made where there is none.
    pub fn child(&mut self, parent: Option<usize>, symbol_idx: i32) -> usize {
        match self.children.entry((parent, symbol_idx)) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = self.nodes.len();
                self.nodes.push(Node { parent, symbol_idx, ..Node::default() });
                *free.insert(number)
            }
        }
    }

    pub fn node_mut(&mut self, number: usize) -> Option<&mut Node> {
        self.nodes.get_mut(number)
    }

    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut()
    }

    /// The nodes by number; a parent has a smaller number than its children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// Time of all roots.
    pub fn total_ns(&self) -> i64 {
        let roots = self.nodes.iter().filter(|node| node.parent.is_none());
        roots.fold(0_i64, |total, node| total.saturating_add(node.total_ns))
    }
}

/// What folding left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Truncated {
    pub nodes: usize,
    /// Their own time; it is still in the totals of the nodes above them.
    pub total_ns: i64,
}

/// The `limit` heaviest nodes of at least `min_ns`, renumbered, and what was left out.
///
/// A node weighs no more than its parent (rounding of the recorder can make a child longer), so the
/// heaviest nodes always hang together.
pub fn fold(nodes: Vec<Node>, limit: usize, min_ns: i64) -> (Vec<Node>, Option<Truncated>) {
    let mut weights: Vec<i64> = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let above = node.parent.and_then(|parent| weights.get(parent)).copied().unwrap_or(i64::MAX);
        weights.push(node.total_ns.min(above));
    }
    let mut ranked: Vec<(usize, i64)> = weights.into_iter().enumerate().collect();
    ranked.retain(|(_, weight)| *weight >= min_ns);
    // Of equals the first met stay, and a parent is met before its children.
    ranked.sort_by_key(|(number, weight)| (std::cmp::Reverse(*weight), *number));
    ranked.truncate(limit);
    if ranked.len() == nodes.len() {
        return (nodes, None);
    }
    let mut kept = vec![false; nodes.len()];
    for (number, _) in &ranked {
        if let Some(kept) = kept.get_mut(*number) {
            *kept = true;
        }
    }
    renumber(nodes, &kept)
}

fn renumber(nodes: Vec<Node>, kept: &[bool]) -> (Vec<Node>, Option<Truncated>) {
    let mut truncated = Truncated { nodes: 0, total_ns: 0 };
    let mut numbers: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    let mut folded: Vec<Node> = Vec::new();
    for (mut node, kept) in nodes.into_iter().zip(kept) {
        if *kept {
            numbers.push(Some(folded.len()));
            node.parent = node.parent.and_then(|parent| numbers.get(parent).copied().flatten());
            folded.push(node);
        } else {
            numbers.push(None);
            truncated.nodes = truncated.nodes.saturating_add(1);
            truncated.total_ns = truncated.total_ns.saturating_add(node.self_ns);
        }
    }
    (folded, Some(truncated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, total_ns: i64, self_ns: i64) -> Node {
        Node { parent, total_ns, self_ns, ..Node::default() }
    }

    /// Parents and totals of what is left of a small tree.
    fn check(limit: usize, min_ns: i64, expected: &[(Option<usize>, i64)], left_out: Option<(usize, i64)>) {
        let nodes = vec![
            node(None, 100, 10),
            node(Some(0), 20, 5),
            node(Some(0), 70, 0),
            node(Some(1), 15, 15),
            // Longer than its parent: the recorder rounded.
            node(Some(2), 71, 71),
        ];
        let (folded, truncated) = fold(nodes, limit, min_ns);
        let found: Vec<_> = folded.iter().map(|node| (node.parent, node.total_ns)).collect();
        assert_eq!(found, expected);
        assert_eq!(truncated.map(|truncated| (truncated.nodes, truncated.total_ns)), left_out);
    }

    #[test]
    fn the_heaviest_nodes_hang_together() {
        check(9, 0, &[(None, 100), (Some(0), 20), (Some(0), 70), (Some(1), 15), (Some(2), 71)], None);
        check(3, 0, &[(None, 100), (Some(0), 70), (Some(1), 71)], Some((2, 20)));
        check(2, 0, &[(None, 100), (Some(0), 70)], Some((3, 91)));
        check(9, 20, &[(None, 100), (Some(0), 20), (Some(0), 70), (Some(2), 71)], Some((1, 15)));
        check(9, 101, &[], Some((5, 101)));
    }

    #[test]
    fn medians_are_nearest_rank() {
        let mut spread = Spread::default();
        [5, 1, 9, 3].into_iter().for_each(|duration| spread.add(duration));
        assert_eq!(spread.summary(), (Some(1), Some(3), Some(9)));
        let mut merged = Spread::default();
        merged.merge(2, Some(4), 8);
        assert_eq!(merged.summary(), (Some(2), Some(4), Some(8)));
        merged.merge(1, Some(4), 5);
        assert_eq!(merged.summary(), (Some(1), None, Some(8)));
    }
}
