//! Makes a tree from calls in the order of their starts.

use super::names::{NameId, Names};
use super::tree::{Kind, Node, Tree};

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    #[error("more than {limit} calls")]
    TooLarge { limit: usize },
    #[error("no call")]
    Empty,
    #[error("a second root")]
    SecondRoot,
    #[error("a call ends that has not begun")]
    NotOpen,
}

/// Takes calls as they open and close; what is open at the end is closed there.
pub struct TreeBuilder<'n> {
    names: &'n mut Names,
    max_nodes: usize,
    nodes: Vec<Node>,
    open: Vec<usize>,
    has_dots: bool,
}

impl<'n> TreeBuilder<'n> {
    pub fn new(names: &'n mut Names, max_nodes: usize) -> Self {
        // Costs count nodes in 20 bits.
        let max_nodes = max_nodes.min(super::Limits::MOST_NODES);
        Self { names, max_nodes, nodes: Vec::new(), open: Vec::new(), has_dots: false }
    }

    /// `start_ns` from the start of the root.
    pub fn open(&mut self, name: &str, kind: Kind, start_ns: i64, duration_ns: i64) -> Result<(), TreeError> {
        let name = self.names.intern(name);
        self.open_named(name, kind, start_ns, duration_ns)
    }

    /// As [`open`](Self::open), for a name that is already known.
    pub fn open_named(
        &mut self,
        name: NameId,
        kind: Kind,
        start_ns: i64,
        duration_ns: i64,
    ) -> Result<(), TreeError> {
        if self.nodes.len() >= self.max_nodes {
            return Err(TreeError::TooLarge { limit: self.max_nodes });
        }
        if self.open.is_empty() && !self.nodes.is_empty() {
            return Err(TreeError::SecondRoot);
        }
        self.open.push(self.nodes.len());
        let has_dots_before = std::mem::take(&mut self.has_dots) && self.open.len() > 1;
        let has_dots_at_end = false;
        self.nodes.push(Node { name, kind, start_ns, duration_ns, end: 0, has_dots_before, has_dots_at_end });
        Ok(())
    }

    /// A `...` here: siblings were left out.
    pub fn elided(&mut self) {
        self.has_dots = true;
    }

    /// Ends the innermost open node.
    ///
    /// Errors: none is open.
    pub fn close(&mut self) -> Result<(), TreeError> {
        let idx = self.open.pop().ok_or(TreeError::NotOpen)?;
        let end = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let node = self.nodes.get_mut(idx).ok_or(TreeError::NotOpen)?;
        node.end = end;
        node.has_dots_at_end = std::mem::take(&mut self.has_dots);
        Ok(())
    }

    /// The tree; what is open ends here.
    ///
    /// Errors: there is no node.
    pub fn finish(mut self) -> Result<Tree, TreeError> {
        while !self.open.is_empty() {
            self.close()?;
        }
        if self.nodes.is_empty() {
            return Err(TreeError::Empty);
        }
        Ok(Tree { nodes: self.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_one_root_and_a_bounded_number_of_calls() {
        let mut names = Names::default();
        assert_eq!(TreeBuilder::new(&mut names, 9).finish(), Err(TreeError::Empty));
        let mut tree = TreeBuilder::new(&mut names, 2);
        assert_eq!(tree.close(), Err(TreeError::NotOpen));
        tree.elided();
        tree.open("f", Kind::Call, 0, 10).unwrap();
        tree.elided();
        tree.open("g", Kind::Call, 1, 8).unwrap();
        assert_eq!(tree.open("h", Kind::Call, 1, 8), Err(TreeError::TooLarge { limit: 2 }));
        tree.close().unwrap();
        tree.elided();
        let tree = tree.finish().unwrap();
        let dots: Vec<_> =
            tree.nodes().iter().map(|node| (node.has_dots_before, node.has_dots_at_end)).collect();
        assert_eq!(dots, [(false, true), (true, false)]);

        let mut tree = TreeBuilder::new(&mut names, 9);
        tree.open("f", Kind::Call, 0, 10).unwrap();
        tree.close().unwrap();
        assert_eq!(tree.open("f", Kind::Call, 0, 10), Err(TreeError::SecondRoot));
    }
}
