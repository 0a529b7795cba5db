//! Subtrees without their times, each kept once: loops and leaves make most subtrees of a trace equal.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::names::{NameId, Names};
use super::tree::{Kind, Node, Tree};

/// A shape of [`Shapes`]. Two subtrees have the same one where they differ in times only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// How many nodes have names of each of eight groups, for an estimate of what two shapes have in common.
type Sketch = [u32; 8];

#[derive(Clone, Copy)]
pub struct Shape {
    pub name: NameId,
    pub function: NameId,
    pub kind: Kind,
    pub has_dots_before: bool,
    pub has_dots_at_end: bool,
    /// There is a `...` among its children.
    pub has_dots_inside: bool,
    /// Nodes of the subtree.
    pub size: u32,
    children: (usize, usize),
    sketch: Sketch,
}

impl Shape {
    /// A lower bound of the nodes without a counterpart: a match takes two of one group.
    pub fn least_unmatched(&self, other: &Self) -> u32 {
        self.sketch.iter().zip(&other.sketch).map(|(one, other)| one.abs_diff(*other)).sum()
    }
}

pub struct Shapes<'n> {
    names: &'n Names,
    hasher: DefaultHashBuilder,
    indices: HashTable<u32>,
    shapes: Vec<Shape>,
    children: Vec<ShapeId>,
}

impl<'n> Shapes<'n> {
    pub fn new(names: &'n Names) -> Self {
        Self {
            names,
            hasher: DefaultHashBuilder::default(),
            indices: HashTable::new(),
            shapes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// The shape of every node, in the order of the nodes.
    pub fn of_tree(&mut self, tree: &Tree) -> Vec<ShapeId> {
        let nodes = tree.nodes();
        // Children come after their parents, so from the end every child is known before its parent. The
        // top of the stack is the first sibling.
        let mut shapes = Vec::with_capacity(nodes.len());
        let mut siblings: Vec<(u32, ShapeId)> = Vec::new();
        let mut children = Vec::new();
        for (idx, node) in nodes.iter().enumerate().rev() {
            let idx = u32::try_from(idx).unwrap_or(u32::MAX);
            children.clear();
            while let Some((_, shape)) = siblings.pop_if(|(sibling, _)| *sibling > idx && *sibling < node.end)
            {
                children.push(shape);
            }
            let shape = self.intern(node, &children);
            siblings.push((idx, shape));
            shapes.push(shape);
        }
        shapes.reverse();
        shapes
    }

    pub fn get(&self, id: ShapeId) -> Option<&Shape> {
        get(&self.shapes, id.0)
    }

    /// The shapes of the children, in the order of the calls.
    pub fn children(&self, id: ShapeId) -> &[ShapeId] {
        children_of(&self.shapes, &self.children, id.0)
    }

    fn intern(&mut self, node: &Node, children: &[ShapeId]) -> ShapeId {
        let dots = (node.has_dots_before, node.has_dots_at_end);
        let hash = self.hasher.hash_one((node.name, node.kind, dots, children));
        let is_it = |idx: &u32| {
            let Some(shape) = get(&self.shapes, *idx) else { return false };
            (shape.name, shape.kind, (shape.has_dots_before, shape.has_dots_at_end))
                == (node.name, node.kind, dots)
                && children_of(&self.shapes, &self.children, *idx) == children
        };
        if let Some(idx) = self.indices.find(hash, is_it) {
            return ShapeId(*idx);
        }
        let idx = u32::try_from(self.shapes.len()).unwrap_or(u32::MAX);
        let shape = self.shape(node, children);
        self.shapes.push(shape);
        self.children.extend_from_slice(children);
        let Self { indices, hasher, shapes, children, .. } = self;
        indices.insert_unique(hash, idx, |idx| {
            get(shapes, *idx).map_or(0, |shape| {
                let dots = (shape.has_dots_before, shape.has_dots_at_end);
                hasher.hash_one((shape.name, shape.kind, dots, children_of(shapes, children, *idx)))
            })
        });
        ShapeId(idx)
    }

    fn shape(&self, node: &Node, children: &[ShapeId]) -> Shape {
        let function = self.names.function(node.name);
        let mut sketch = Sketch::default();
        let mut size = 1_u32;
        let mut has_dots_inside = node.has_dots_at_end;
        for child in children.iter().filter_map(|child| self.get(*child)) {
            size = size.saturating_add(child.size);
            has_dots_inside |= child.has_dots_before;
            sketch
                .iter_mut()
                .zip(child.sketch)
                .for_each(|(sum, of_child)| *sum = sum.saturating_add(of_child));
        }
        if let Some(own) = sketch.get_mut(group(self.names.text(function))) {
            *own = own.saturating_add(1);
        }
        let end = self.children.len().saturating_add(children.len());
        Shape {
            name: node.name,
            function,
            kind: node.kind,
            has_dots_before: node.has_dots_before,
            has_dots_at_end: node.has_dots_at_end,
            has_dots_inside,
            size,
            children: (self.children.len(), end),
            sketch,
        }
    }
}

/// FNV-1a of the text, so that the groups are the same in every run and on either side.
fn group(text: &str) -> usize {
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    usize::from(u8::try_from(hash >> 29).unwrap_or(0))
}

fn get(shapes: &[Shape], idx: u32) -> Option<&Shape> {
    shapes.get(usize::try_from(idx).ok()?)
}

fn children_of<'c>(shapes: &[Shape], children: &'c [ShapeId], idx: u32) -> &'c [ShapeId] {
    get(shapes, idx).and_then(|shape| children.get(shape.children.0..shape.children.1)).unwrap_or_default()
}
