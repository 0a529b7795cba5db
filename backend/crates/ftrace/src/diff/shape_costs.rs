//! What it costs to match two shapes: worked out once for each two of them.

use hashbrown::HashMap;

use super::band::Band;
use super::cost::{Cost, Structure};
use super::limits::Limits;
use super::sequence::{Item, Siblings};
use super::shape::{ShapeId, Shapes};
use super::sides::Sides;
use super::table::{self, MatchCost};

/// What lies deeper below two compared siblings is estimated; the kernel traces 50 levels.
const MOST_LEVELS: u32 = 200;
/// Costs that are remembered, at 17 bytes each.
const MOST_KNOWN: usize = 1 << 21;
/// A table this small is filled in whole.
const SMALL_TABLE: usize = 1 << 10;
/// What a table costs besides its cells.
const TABLE_CELLS: usize = 16;

/// The tables would need more cells than are left.
#[derive(Clone, Copy, Debug)]
pub struct Exhausted;

pub struct ShapeCosts<'s, 'n> {
    pub shapes: &'s Shapes<'n>,
    known: HashMap<Sides<ShapeId>, Structure>,
    table_cells: usize,
    cells_left: u64,
    allowance: u64,
    levels: u32,
}

impl<'s, 'n> ShapeCosts<'s, 'n> {
    /// Costs for trees that have `node_count` nodes in all; the limits grow with them.
    pub fn new(shapes: &'s Shapes<'n>, limits: &Limits, node_count: usize) -> Self {
        let node_count = u64::try_from(node_count).unwrap_or(u64::MAX);
        Self {
            shapes,
            known: HashMap::new(),
            table_cells: limits.table_cells,
            cells_left: limits.cells_per_node.saturating_mul(node_count).min(limits.most_cells),
            allowance: 0,
            levels: 0,
        }
    }

    /// From here on, half of the cells that are left may be used.
    pub fn allow_half(&mut self) {
        self.allowance = self.cells_left / 2;
    }

    /// Cells of one table that may still be used.
    pub fn cells_left(&self) -> usize {
        usize::try_from(self.allowance).unwrap_or(usize::MAX).min(self.table_cells)
    }

    /// Uses cells for one table.
    ///
    /// Errors: more than one table may have, or than are left of the allowance.
    pub fn take(&mut self, cells: usize) -> Result<(), Exhausted> {
        let count = u64::try_from(cells.saturating_add(TABLE_CELLS)).unwrap_or(u64::MAX);
        if cells > self.table_cells || count > self.allowance {
            return Err(Exhausted);
        }
        self.allowance = self.allowance.saturating_sub(count);
        self.cells_left = self.cells_left.saturating_sub(count);
        Ok(())
    }

    /// The exact cost of matching two shapes of one function.
    pub fn of(&mut self, sides: Sides<ShapeId>) -> Result<Structure, Exhausted> {
        if sides.abnormal == sides.normal {
            return Ok(Structure::ZERO);
        }
        if let Some(known) = self.known.get(&sides) {
            return Ok(*known);
        }
        if self.levels >= MOST_LEVELS {
            return Ok(self.estimate(sides));
        }
        self.levels += 1;
        let of_children = self.of_children(sides);
        self.levels -= 1;
        let cost = of_children? + self.of_names(sides);
        if self.known.len() >= MOST_KNOWN {
            return Err(Exhausted);
        }
        self.known.insert(sides, cost);
        Ok(cost)
    }

    /// Computed only from the names in the two shapes; never more than the exact cost.
    pub fn estimate(&self, sides: Sides<ShapeId>) -> Structure {
        let shapes = sides.map(|id| self.shapes.get(id)).both();
        shapes.map_or(Structure::ZERO, |Sides { abnormal, normal }| {
            Structure::covered(abnormal.least_unmatched(normal))
        })
    }

    fn of_names(&self, sides: Sides<ShapeId>) -> Structure {
        let names = sides.map(|shape| self.shapes.get(shape).map(|shape| shape.name));
        if names.abnormal == names.normal { Structure::ZERO } else { Structure::SUFFIX }
    }

    fn of_children(&mut self, sides: Sides<ShapeId>) -> Result<Structure, Exhausted> {
        let (start, lens) = self.differing(sides);
        let siblings = sides.zip(lens).map(|(shape, len)| Siblings::of_shape(self.shapes, shape, start, len));
        let siblings = siblings.as_ref().map(Siblings::all);
        let is_small = lens.abnormal.saturating_mul(lens.normal) <= SMALL_TABLE;
        let mut unmatched = if is_small { usize::MAX } else { siblings.least_unmatched().saturating_add(32) };
        loop {
            let band = Band::within(lens, unmatched);
            self.take(band.cells())?;
            let cost = table::cost(siblings, band, self)?.to_structure();
            let nodes = usize::try_from(cost.nodes()).unwrap_or(usize::MAX);
            if nodes <= unmatched || band.is_full() {
                return Ok(cost);
            }
            // No cheaper reading lies outside of the band of what this one costs.
            unmatched = nodes.min(unmatched.saturating_mul(4));
        }
    }

    /// Where the children begin to differ, and how many on either side remain after the equal ones at the end, too.
    ///
    /// To match equal shapes at an end is never worse than another reading, unless a `...` takes part.
    fn differing(&self, sides: Sides<ShapeId>) -> (usize, Sides<usize>) {
        let children = sides.map(|shape| self.shapes.children(shape));
        let lens = children.map(<[ShapeId]>::len);
        let has_dots = |shape| self.shapes.get(shape).is_none_or(|shape| shape.has_dots_inside);
        if sides.into_iter().any(has_dots) {
            return (0, lens);
        }
        let Sides { abnormal, normal } = children;
        let start = abnormal.iter().zip(normal).take_while(|(one, other)| one == other).count();
        let rest = lens.map(|len| len.saturating_sub(start));
        let backwards = abnormal.iter().rev().zip(normal.iter().rev());
        let at_end = backwards.take_while(|(one, other)| one == other).count();
        let at_end = at_end.min(rest.abnormal).min(rest.normal);
        (start, rest.map(|len| len.saturating_sub(at_end)))
    }
}

/// Without times.
impl MatchCost for ShapeCosts<'_, '_> {
    type Error = Exhausted;

    fn match_cost(&mut self, items: Sides<&Item>, at_most: Cost) -> Result<Option<Cost>, Exhausted> {
        let shapes = items.map(|item| item.shape);
        if shapes.abnormal == shapes.normal {
            return Ok(Some(Cost::ZERO));
        }
        if Cost::from(self.estimate(shapes)) > at_most {
            return Ok(None);
        }
        self.of(shapes).map(|cost| Some(cost.into()))
    }
}

/// With times, exactly.
pub struct Exact<'c, 's, 'n>(pub &'c mut ShapeCosts<'s, 'n>);

impl MatchCost for Exact<'_, '_, '_> {
    type Error = Exhausted;

    fn match_cost(&mut self, items: Sides<&Item>, at_most: Cost) -> Result<Option<Cost>, Exhausted> {
        let structure = self.0.match_cost(items, at_most)?;
        Ok(structure.map(|structure| structure + time(items)))
    }
}

/// With times, and an estimate of the rest.
pub struct Estimated<'c, 's, 'n>(pub &'c ShapeCosts<'s, 'n>);

impl MatchCost for Estimated<'_, '_, '_> {
    type Error = std::convert::Infallible;

    fn match_cost(&mut self, items: Sides<&Item>, _at_most: Cost) -> Result<Option<Cost>, Self::Error> {
        let shapes = items.map(|item| item.shape);
        Ok(Some(Cost::from(self.0.estimate(shapes)) + time(items)))
    }
}

fn time(items: Sides<&Item>) -> Cost {
    Cost::time(items.abnormal.duration_ns, items.normal.duration_ns)
}
