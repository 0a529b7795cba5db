//! The cheapest reading of two sequences, in a band of the table of all their beginnings.

use super::band::Band;
use super::cost::Cost;
use super::sequence::{Item, Sequence, Step, StepKind};
use super::sides::Sides;

/// What it costs to match two items that are alike.
pub trait MatchCost {
    type Error;

    /// None where it surely costs more than `at_most`.
    fn match_cost(&mut self, items: Sides<&Item>, at_most: Cost) -> Result<Option<Cost>, Self::Error>;
}

const MATCH: u8 = 1;
const SKIP_ABNORMAL: u8 = 2;
const SKIP_NORMAL: u8 = 4;
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
pub fn cost<M: MatchCost>(sides: Sides<Sequence<'_>>, band: Band, costs: &mut M) -> Result<Cost, M::Error> {
    fill(sides, band, costs, |_, _| ())
}

/// The cheapest reading in the band; of equal ones, the one with extra items last.
pub fn steps<M: MatchCost>(
    sides: Sides<Sequence<'_>>,
    band: Band,
    costs: &mut M,
) -> Result<Vec<Step>, M::Error> {
    let (mut ways, mut rows) =
        (Vec::with_capacity(band.cells()), Vec::with_capacity(sides.abnormal.len() + 1));
    fill(sides, band, costs, |is_first, way| {
        if is_first {
            rows.push(ways.len());
        }
        ways.push(way);
    })?;
    Ok(trace_back(sides, &Ways { band, ways, rows }))
}

/// Calls `see` for every cell, row by row, with true at the first of its row.
fn fill<M: MatchCost>(
    sides: Sides<Sequence<'_>>,
    band: Band,
    costs: &mut M,
    mut see: impl FnMut(bool, u8),
) -> Result<Cost, M::Error> {
    let Sides { abnormal, normal } = sides;
    let mut above = vec![Cost::NEVER; normal.len() + 1];
    let mut cells = above.clone();
    for row in 0..=abnormal.len() {
        let (from, to) = band.columns(row);
        let abnormal_item = row.checked_sub(1).and_then(|before| abnormal.items.get(before));
        let has_abnormal_dots = abnormal.has_dots_at(row);
        let mut diagonal = Cost::NEVER;
        if let Some(before) = from.checked_sub(1) {
            diagonal = above.get(before).copied().unwrap_or(Cost::NEVER);
            // What an earlier row left outside of the band must not be seen by the next one.
            if let Some(cell) = cells.get_mut(before) {
                *cell = Cost::NEVER;
            }
        }
        let mut before = Cost::NEVER;
        let (Some(in_band), Some(up)) = (cells.get_mut(from..=to), above.get(from..=to)) else { continue };
        for (column, (cell, up)) in (from..).zip(in_band.iter_mut().zip(up)) {
            let normal_item = column.checked_sub(1).and_then(|before| normal.items.get(before));
            let items = Sides { abnormal: abnormal_item, normal: normal_item };
            let has_dots = Sides { abnormal: has_abnormal_dots, normal: normal.has_dots_at(column) };
            let around = Neighbours { above: *up, before, diagonal };
            let (best, way) = cheapest(items, has_dots, around, costs)?;
            see(column == from, way);
            diagonal = *up;
            before = best;
            *cell = best;
        }
        std::mem::swap(&mut above, &mut cells);
    }
    Ok(above.last().copied().unwrap_or(Cost::NEVER))
}

/// The costs of the cells from which a step leads to a cell.
#[derive(Clone, Copy)]
struct Neighbours {
    /// In the row before: the abnormal item is skipped.
    above: Cost,
    /// In the column before: the normal item is skipped.
    before: Cost,
    /// In both: the two are matched, or both skipped.
    diagonal: Cost,
}

/// The cost of a cell, and the steps that lead there at this cost. `items` are those before the gaps of the cell, and
/// `has_dots` says which of the gaps hold a `...`.
fn cheapest<M: MatchCost>(
    items: Sides<Option<&Item>>,
    has_dots: Sides<bool>,
    around: Neighbours,
    costs: &mut M,
) -> Result<(Cost, u8), M::Error> {
    let Neighbours { above, before, diagonal } = around;
    let skip = |item: Option<&Item>, from: Cost, has_dots: bool| {
        item.map_or(Cost::NEVER, |item| from + item.skip(has_dots).into())
    };
    let skips = Sides {
        abnormal: skip(items.abnormal, above, has_dots.normal),
        normal: skip(items.normal, before, has_dots.abnormal),
    };
    let mut best = skips.abnormal.min(skips.normal).min(Cost::NEVER);
    let mut way = 0;
    match items.both() {
        Some(items) if diagonal <= best && items.abnormal.is_like(items.normal) => {
            if let Some(cost) = costs.match_cost(items, best - diagonal)? {
                let matched = diagonal + cost;
                way = if matched <= best { MATCH } else { 0 };
                best = best.min(matched);
            }
        }
        None if items.either().is_none() => best = Cost::ZERO,
        _ => (),
    }
    way |= if skips.abnormal == best { SKIP_ABNORMAL } else { 0 };
    way |= if skips.normal == best { SKIP_NORMAL } else { 0 };
    if way == SKIP_ABNORMAL | SKIP_NORMAL && skips_both(diagonal, items, best) {
        way |= SKIP_BOTH;
    }
    Ok((best, way))
}

fn skips_both(diagonal: Cost, items: Sides<Option<&Item>>, best: Cost) -> bool {
    let Some(Sides { abnormal, normal }) = items.both() else { return false };
    diagonal + abnormal.skip(false).into() + normal.skip(false).into() == best
}

/// From the end to the start, then turned round.
fn trace_back(sides: Sides<Sequence<'_>>, ways: &Ways) -> Vec<Step> {
    let mut at = sides.map(|side| side.len());
    let mut steps = Vec::with_capacity(at.abnormal.max(at.normal));
    // After a tie, the next match is the other half of what could be read in another way.
    let mut is_pending = false;
    while at.abnormal > 0 || at.normal > 0 {
        let way = ways.at(at.abnormal, at.normal);
        let is_tie = is_tie(way, sides.zip(at).map(|(side, at)| side.part(0, at).items));
        let is_match = way & (SKIP_ABNORMAL | SKIP_NORMAL) == 0;
        if is_match || way & SKIP_NORMAL == 0 {
            at.abnormal = at.abnormal.saturating_sub(1);
        }
        if is_match || way & SKIP_NORMAL != 0 {
            at.normal = at.normal.saturating_sub(1);
        }
        let has_dots = sides.zip(at).map(|(side, at)| side.has_dots_at(at));
        let is_call = sides.zip(at).map(|(side, at)| side.items.get(at).is_some_and(Item::may_be_left_out));
        let kind = if is_match {
            StepKind::Match
        } else if way & SKIP_NORMAL != 0 {
            StepKind::SkipNormal { is_covered: has_dots.abnormal && is_call.normal }
        } else {
            StepKind::SkipAbnormal { is_covered: has_dots.normal && is_call.abnormal }
        };
        steps.push(Step { kind, is_ambiguous: is_tie || is_match && is_pending });
        is_pending = is_tie || is_pending && !is_match;
    }
    steps.reverse();
    steps
}

/// True where another reading costs the same and reads differently.
fn is_tie(way: u8, items: Sides<&[Item]>) -> bool {
    let is_same = items.map(|items| matches!(items, [.., before, last] if before.is_same(last)));
    match way & (MATCH | SKIP_ABNORMAL | SKIP_NORMAL) {
        way if way == MATCH | SKIP_ABNORMAL => !is_same.abnormal,
        way if way == MATCH | SKIP_NORMAL => !is_same.normal,
        way if way == MATCH | SKIP_ABNORMAL | SKIP_NORMAL => !is_same.abnormal || !is_same.normal,
        _ => way == SKIP_ABNORMAL | SKIP_NORMAL,
    }
}
