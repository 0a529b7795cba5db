//! What it costs to match two shapes: worked out once for each two of them.

use hashbrown::HashMap;

use super::band::Band;
use super::cost::{Cost, Structure};
use super::limits::Limits;
use super::sequence::{Item, Siblings};
use super::shape::{ShapeId, Shapes};
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
    known: HashMap<(ShapeId, ShapeId), Structure>,
    table_cells: usize,
    cells_left: u64,
    allowance: u64,
    levels: u32,
}

impl<'s, 'n> ShapeCosts<'s, 'n> {
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
    pub fn of(&mut self, x: ShapeId, y: ShapeId) -> Result<Structure, Exhausted> {
        if x == y {
            return Ok(Structure::ZERO);
        }
        if let Some(known) = self.known.get(&(x, y)) {
            return Ok(*known);
        }
        if self.levels >= MOST_LEVELS {
            return Ok(self.estimate(x, y));
        }
        self.levels += 1;
        let of_children = self.of_children(x, y);
        self.levels -= 1;
        let cost = of_children? + self.of_names(x, y);
        if self.known.len() >= MOST_KNOWN {
            return Err(Exhausted);
        }
        self.known.insert((x, y), cost);
        Ok(cost)
    }

    /// From the names in the two shapes alone; never more than the exact cost.
    pub fn estimate(&self, x: ShapeId, y: ShapeId) -> Structure {
        let (Some(of_x), Some(of_y)) = (self.shapes.get(x), self.shapes.get(y)) else {
            return Structure::ZERO;
        };
        Structure::covered(of_x.least_unmatched(of_y))
    }

    fn of_names(&self, x: ShapeId, y: ShapeId) -> Structure {
        let name = |shape| self.shapes.get(shape).map(|shape| shape.name);
        if name(x) == name(y) { Structure::ZERO } else { Structure::SUFFIX }
    }

    fn of_children(&mut self, x: ShapeId, y: ShapeId) -> Result<Structure, Exhausted> {
        let (start, len_x, len_y) = self.differing(x, y);
        let x = Siblings::of_shape(self.shapes, x, start, len_x);
        let y = Siblings::of_shape(self.shapes, y, start, len_y);
        let (x, y) = (x.all(), y.all());
        let is_small = x.len().saturating_mul(y.len()) <= SMALL_TABLE;
        let mut unmatched = if is_small { usize::MAX } else { x.least_unmatched(y).saturating_add(32) };
        loop {
            let band = Band::within(x.len(), y.len(), unmatched);
            self.take(band.cells())?;
            let cost = table::cost(x, y, band, self)?.to_structure();
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
    fn differing(&self, x: ShapeId, y: ShapeId) -> (usize, usize, usize) {
        let (of_x, of_y) = (self.shapes.children(x), self.shapes.children(y));
        let has_dots = |shape| self.shapes.get(shape).is_none_or(|shape| shape.has_dots_inside);
        if has_dots(x) || has_dots(y) {
            return (0, of_x.len(), of_y.len());
        }
        let start = of_x.iter().zip(of_y).take_while(|(x, y)| x == y).count();
        let rest = |all: &[ShapeId]| all.len().saturating_sub(start);
        let at_end = of_x.iter().rev().zip(of_y.iter().rev()).take_while(|(x, y)| x == y).count();
        let at_end = at_end.min(rest(of_x)).min(rest(of_y));
        (start, rest(of_x).saturating_sub(at_end), rest(of_y).saturating_sub(at_end))
    }
}

/// Without times.
impl MatchCost for ShapeCosts<'_, '_> {
    type Error = Exhausted;

    fn match_cost(&mut self, x: &Item, y: &Item, at_most: Cost) -> Result<Option<Cost>, Exhausted> {
        if x.shape == y.shape {
            return Ok(Some(Cost::ZERO));
        }
        if Cost::from(self.estimate(x.shape, y.shape)) > at_most {
            return Ok(None);
        }
        self.of(x.shape, y.shape).map(|cost| Some(cost.into()))
    }
}

/// With times, exactly.
pub struct Exact<'c, 's, 'n>(pub &'c mut ShapeCosts<'s, 'n>);

impl MatchCost for Exact<'_, '_, '_> {
    type Error = Exhausted;

    fn match_cost(&mut self, x: &Item, y: &Item, at_most: Cost) -> Result<Option<Cost>, Exhausted> {
        let time = Cost::time(x.duration_ns, y.duration_ns);
        let structure = self.0.match_cost(x, y, at_most)?;
        Ok(structure.map(|structure| structure + time))
    }
}

/// With times, and an estimate of the rest.
pub struct Estimated<'c, 's, 'n>(pub &'c ShapeCosts<'s, 'n>);

impl MatchCost for Estimated<'_, '_, '_> {
    type Error = std::convert::Infallible;

    fn match_cost(&mut self, x: &Item, y: &Item, _at_most: Cost) -> Result<Option<Cost>, Self::Error> {
        let time = Cost::time(x.duration_ns, y.duration_ns);
        Ok(Some(Cost::from(self.0.estimate(x.shape, y.shape)) + time))
    }
}
