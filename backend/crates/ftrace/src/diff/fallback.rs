//! Sequences whose table would be too large: fixed at what is on both sides once, and in between looked at
//! along the diagonal.

use super::anchors::anchors;
use super::band::Band;
use super::sequence::{Item, Sequence, Step, StepKind};
use super::shape_costs::{Estimated, ShapeCosts};
use super::table;

/// Parts between anchors may have anchors of their own.
const MOST_ROUNDS: u32 = 8;
const STEP: Step = Step { kind: StepKind::Match, is_ambiguous: false };

/// A reading in time and memory that grow with the lengths only; which of equal calls is extra may be wrong.
pub fn steps(x: Sequence<'_>, y: Sequence<'_>, costs: &mut ShapeCosts<'_, '_>) -> Vec<Step> {
    let mut steps = Vec::with_capacity(x.len().max(y.len()));
    between_anchors(x, y, MOST_ROUNDS, costs, &mut steps);
    steps
}

fn between_anchors(
    x: Sequence<'_>,
    y: Sequence<'_>,
    rounds: u32,
    costs: &mut ShapeCosts<'_, '_>,
    out: &mut Vec<Step>,
) {
    let start = equal_before_last_run(x.items.iter(), y.items.iter());
    let (rest_x, rest_y) = (x.part(start, x.len()), y.part(start, y.len()));
    let end = equal_before_last_run(rest_x.items.iter().rev(), rest_y.items.iter().rev());
    out.extend(std::iter::repeat_n(STEP, start));
    middle(rest_x.part(0, rest_x.len() - end), rest_y.part(0, rest_y.len() - end), rounds, costs, out);
    out.extend(std::iter::repeat_n(STEP, end));
}

/// How many items are equal on both sides, without the last run of equal ones: where it is longer on one side,
/// times say which of it is extra.
fn equal_before_last_run<'i>(x: impl Iterator<Item = &'i Item>, y: impl Iterator<Item = &'i Item>) -> usize {
    let (mut run_start, mut run_of) = (0, None);
    for (at, (x, y)) in x.zip(y).enumerate() {
        if x.shape != y.shape {
            break;
        }
        if run_of != Some(x.shape) {
            (run_start, run_of) = (at, Some(x.shape));
        }
    }
    run_start
}

fn middle(
    x: Sequence<'_>,
    y: Sequence<'_>,
    rounds: u32,
    costs: &mut ShapeCosts<'_, '_>,
    out: &mut Vec<Step>,
) {
    let full = Band::full(x.len(), y.len());
    let is_affordable = (x.len() + 1).saturating_mul(y.len() + 1) <= costs.cells_left() / 4;
    if is_affordable && costs.take(full.cells()).is_ok() {
        return in_band(x, y, full, costs, out);
    }
    let anchors = if rounds > 0 { anchors(x.items, y.items) } else { Vec::new() };
    if anchors.is_empty() {
        let band = Band::slope(x.len(), y.len(), costs.cells_left() / 4);
        // The narrowest band is always allowed: it grows with the lengths only.
        costs.take(band.cells()).unwrap_or_default();
        return in_band(x, y, band, costs, out);
    }
    let (mut from_x, mut from_y) = (0, 0);
    for (at_x, at_y) in anchors {
        between_anchors(x.part(from_x, at_x), y.part(from_y, at_y), rounds - 1, costs, out);
        out.push(STEP);
        (from_x, from_y) = (at_x + 1, at_y + 1);
    }
    between_anchors(x.part(from_x, x.len()), y.part(from_y, y.len()), rounds - 1, costs, out);
}

fn in_band(x: Sequence<'_>, y: Sequence<'_>, band: Band, costs: &ShapeCosts<'_, '_>, out: &mut Vec<Step>) {
    let Ok(steps) = table::steps(x, y, band, &mut Estimated(costs));
    out.extend(steps);
}
