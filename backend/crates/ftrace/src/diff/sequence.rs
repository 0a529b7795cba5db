//! Siblings as a sequence to be aligned.

use hashbrown::HashMap;

use super::cost::Structure;
use super::names::NameId;
use super::shape::{Shape, ShapeId, Shapes};
use super::sides::Sides;
use super::tree::Kind;

#[derive(Clone, Copy)]
pub struct Item {
    pub shape: ShapeId,
    pub function: NameId,
    pub kind: Kind,
    pub size: u32,
    /// 0 where times do not count.
    pub duration_ns: i64,
}

impl Item {
    fn new(id: ShapeId, shape: &Shape, duration_ns: i64) -> Self {
        Self { shape: id, function: shape.function, kind: shape.kind, size: shape.size, duration_ns }
    }

    /// True where the two may be matched: one function, or functions that differ by a suffix only, of one kind.
    pub fn is_like(&self, other: &Self) -> bool {
        self.function == other.function && self.kind == other.kind
    }

    /// What it costs to leave it without a counterpart, at a place where the other side has a `...` or not.
    pub fn skip(&self, has_dots: bool) -> Structure {
        if has_dots && self.may_be_left_out() {
            Structure::covered(self.size)
        } else {
            Structure::unmatched(self.size)
        }
    }

    /// False for interrupts: they are compared separately, and a `...` written by hand does not stand for them.
    pub fn may_be_left_out(&self) -> bool {
        self.kind != Kind::Interrupt
    }

    /// True where the two cannot be told apart.
    pub fn is_same(&self, other: &Self) -> bool {
        self.shape == other.shape && self.duration_ns == other.duration_ns
    }
}

/// Siblings in order, and the places of `...` among them.
#[derive(Default)]
pub struct Siblings {
    items: Vec<Item>,
    dots: Vec<bool>,
}

impl Siblings {
    /// The children of a shape, without times; not the first `skipped`, and at most `len`.
    pub fn of_shape(shapes: &Shapes<'_>, parent: ShapeId, skipped: usize, len: usize) -> Self {
        let children = shapes.children(parent).iter().skip(skipped).take(len);
        let mut siblings = Self::default();
        for child in children {
            if let Some(shape) = shapes.get(*child) {
                siblings.push(*child, shape, 0);
            }
        }
        siblings.end(shapes.get(parent).is_some_and(|shape| shape.has_dots_at_end));
        siblings
    }

    /// Adds a sibling; `duration_ns` is 0 where times do not count.
    pub fn push(&mut self, id: ShapeId, shape: &Shape, duration_ns: i64) {
        self.dots.push(shape.has_dots_before);
        self.items.push(Item::new(id, shape, duration_ns));
    }

    /// Ends the list: `has_dots` says whether a `...` follows the last sibling.
    pub fn end(&mut self, has_dots: bool) {
        self.dots.push(has_dots);
    }

    pub fn all(&self) -> Sequence<'_> {
        Sequence { items: &self.items, dots: &self.dots }
    }
}

/// Some siblings in a row. A `...` may come before each and at the end: `dots` has one more.
#[derive(Clone, Copy)]
pub struct Sequence<'s> {
    pub items: &'s [Item],
    pub dots: &'s [bool],
}

impl<'s> Sequence<'s> {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True where a `...` is in a gap; the gap `n` is in front of item `n`.
    pub fn has_dots_at(&self, gap: usize) -> bool {
        self.dots.get(gap) == Some(&true)
    }

    /// The items from `start` to before `end`, with the gaps at both ends.
    pub fn part(&self, start: usize, end: usize) -> Self {
        Self {
            items: self.items.get(start..end).unwrap_or_default(),
            dots: self.dots.get(start..=end).unwrap_or_default(),
        }
    }
}

impl Sides<Sequence<'_>> {
    /// A lower bound of the items without a counterpart, from the number of calls of each function.
    pub fn least_unmatched(self) -> usize {
        let mut counts: HashMap<(NameId, Kind), Sides<usize>> = HashMap::new();
        for item in self.abnormal.items {
            counts.entry((item.function, item.kind)).or_default().abnormal += 1;
        }
        for item in self.normal.items {
            counts.entry((item.function, item.kind)).or_default().normal += 1;
        }
        counts.values().map(|counts| counts.abnormal.abs_diff(counts.normal)).sum()
    }
}

/// What becomes of the next item of one side or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub kind: StepKind,
    /// Another reading costs exactly the same.
    pub is_ambiguous: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    Match,
    /// The abnormal item has no counterpart, unless in a `...`.
    SkipAbnormal {
        is_covered: bool,
    },
    SkipNormal {
        is_covered: bool,
    },
}
