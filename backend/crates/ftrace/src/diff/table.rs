//! The cheapest reading of two sequences, in a band of the table of all their beginnings.

use super::band::Band;
use super::cost::Cost;
use super::sequence::{Item, Sequence, Step, StepKind};

/// What it costs to match two items that are alike.
pub trait MatchCost {
    type Error;

    /// None where it surely costs more than `at_most`.
    fn match_cost(&mut self, x: &Item, y: &Item, at_most: Cost) -> Result<Option<Cost>, Self::Error>;
}

const MATCH: u8 = 1;
const SKIP_X: u8 = 2;
const SKIP_Y: u8 = 4;
/// To skip both, in whichever order, costs as much as any other way.
const SKIP_BOTH: u8 = 8;

/// The ways that lead to each cell at its cost.
pub struct Ways {
    band: Band,
    ways: Vec<u8>,
    rows: Vec<usize>,
}

impl Ways {
    fn at(&self, row: usize, column: usize) -> u8 {
        let (from, _) = self.band.columns(row);
        let at = self.rows.get(row).map(|start| start + column.saturating_sub(from));
        at.and_then(|at| self.ways.get(at)).copied().unwrap_or(0)
    }
}

/// The cost of the cheapest reading in the band.
pub fn cost<M: MatchCost>(
    x: Sequence<'_>,
    y: Sequence<'_>,
    band: Band,
    costs: &mut M,
) -> Result<Cost, M::Error> {
    fill(x, y, band, costs, |_, _| ())
}

/// The cheapest reading in the band. Of equal ones, that in which what is extra comes last.
pub fn steps<M: MatchCost>(
    x: Sequence<'_>,
    y: Sequence<'_>,
    band: Band,
    costs: &mut M,
) -> Result<Vec<Step>, M::Error> {
    let (mut ways, mut rows) = (Vec::with_capacity(band.cells()), Vec::with_capacity(x.len() + 1));
    fill(x, y, band, costs, |is_first, way| {
        if is_first {
            rows.push(ways.len());
        }
        ways.push(way);
    })?;
    Ok(trace_back(x, y, &Ways { band, ways, rows }))
}

/// Calls `see` for every cell, row by row, with true at the first of its row.
fn fill<M: MatchCost>(
    x: Sequence<'_>,
    y: Sequence<'_>,
    band: Band,
    costs: &mut M,
    mut see: impl FnMut(bool, u8),
) -> Result<Cost, M::Error> {
    let mut above = vec![Cost::NEVER; y.len() + 1];
    let mut row = above.clone();
    for at_x in 0..=x.len() {
        let (from, to) = band.columns(at_x);
        let item_x = at_x.checked_sub(1).and_then(|before| x.items.get(before));
        let has_dots_x = x.has_dots_at(at_x);
        let mut diagonal = Cost::NEVER;
        if let Some(before) = from.checked_sub(1) {
            diagonal = above.get(before).copied().unwrap_or(Cost::NEVER);
            // What an earlier row left outside of the band must not be seen by the next one.
            if let Some(cell) = row.get_mut(before) {
                *cell = Cost::NEVER;
            }
        }
        let mut left = Cost::NEVER;
        let (Some(cells), Some(up)) = (row.get_mut(from..=to), above.get(from..=to)) else { continue };
        for (at_y, (cell, up)) in (from..).zip(cells.iter_mut().zip(up)) {
            let item_y = at_y.checked_sub(1).and_then(|before| y.items.get(before));
            let by_x = item_x.map_or(Cost::NEVER, |x| *up + x.skip(y.has_dots_at(at_y)).into());
            let by_y = item_y.map_or(Cost::NEVER, |y| left + y.skip(has_dots_x).into());
            let mut best = by_x.min(by_y).min(Cost::NEVER);
            let mut way = 0;
            match (item_x, item_y) {
                (Some(x), Some(y)) if diagonal <= best && x.is_like(y) => {
                    if let Some(cost) = costs.match_cost(x, y, best - diagonal)? {
                        let matched = diagonal + cost;
                        way = if matched <= best { MATCH } else { 0 };
                        best = best.min(matched);
                    }
                }
                (None, None) => best = Cost::ZERO,
                _ => (),
            }
            way |= if by_x == best { SKIP_X } else { 0 };
            way |= if by_y == best { SKIP_Y } else { 0 };
            if way == SKIP_X | SKIP_Y && skips_both(diagonal, item_x, item_y, best) {
                way |= SKIP_BOTH;
            }
            see(at_y == from, way);
            diagonal = *up;
            left = best;
            *cell = best;
        }
        std::mem::swap(&mut above, &mut row);
    }
    Ok(above.last().copied().unwrap_or(Cost::NEVER))
}

fn skips_both(diagonal: Cost, x: Option<&Item>, y: Option<&Item>, best: Cost) -> bool {
    let (Some(x), Some(y)) = (x, y) else { return false };
    diagonal + x.skip(false).into() + y.skip(false).into() == best
}

/// From the end to the start, then turned round.
fn trace_back(x: Sequence<'_>, y: Sequence<'_>, ways: &Ways) -> Vec<Step> {
    let (mut at_x, mut at_y) = (x.len(), y.len());
    let mut steps = Vec::with_capacity(at_x.max(at_y));
    // After a tie, the next match is the other half of what could be read in another way.
    let mut is_pending = false;
    while at_x > 0 || at_y > 0 {
        let way = ways.at(at_x, at_y);
        let is_tie = is_tie(way, x.part(0, at_x).items, y.part(0, at_y).items);
        let is_match = way & (SKIP_X | SKIP_Y) == 0;
        let kind = if way & SKIP_Y != 0 {
            at_y = at_y.saturating_sub(1);
            StepKind::SkipY { is_covered: x.has_dots_at(at_x) && is_call(y, at_y) }
        } else if way & SKIP_X != 0 {
            at_x = at_x.saturating_sub(1);
            StepKind::SkipX { is_covered: y.has_dots_at(at_y) && is_call(x, at_x) }
        } else {
            (at_x, at_y) = (at_x.saturating_sub(1), at_y.saturating_sub(1));
            StepKind::Match
        };
        steps.push(Step { kind, is_ambiguous: is_tie || is_match && is_pending });
        is_pending = is_tie || is_pending && !is_match;
    }
    steps.reverse();
    steps
}

fn is_call(sequence: Sequence<'_>, at: usize) -> bool {
    sequence.items.get(at).is_some_and(|item| item.may_be_left_out())
}

/// True where another reading costs the same and reads differently.
fn is_tie(way: u8, x: &[Item], y: &[Item]) -> bool {
    let is_same = |items: &[Item]| matches!(items, [.., before, last] if before.is_same(last));
    match way & (MATCH | SKIP_X | SKIP_Y) {
        way if way == MATCH | SKIP_X => !is_same(x),
        way if way == MATCH | SKIP_Y => !is_same(y),
        way if way == MATCH | SKIP_X | SKIP_Y => !is_same(x) || !is_same(y),
        _ => way == SKIP_X | SKIP_Y,
    }
}
