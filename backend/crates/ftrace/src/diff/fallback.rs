//! Sequences whose table would be too large: fixed at what is on both sides once, and in between looked at
//! along the diagonal.

use super::anchors::anchors;
use super::band::Band;
use super::sequence::{Item, Sequence, Step, StepKind};
use super::shape_costs::{Estimated, ShapeCosts};
use super::sides::Sides;
use super::table;

/// Parts between anchors may have anchors of their own.
const MOST_ROUNDS: u32 = 8;
const STEP: Step = Step { kind: StepKind::Match, is_ambiguous: false };

/// A reading in time and memory that grow with the lengths only; which of equal calls is extra may be wrong.
pub fn steps(sides: Sides<Sequence<'_>>, costs: &mut ShapeCosts<'_, '_>) -> Vec<Step> {
    let mut steps = Vec::with_capacity(sides.abnormal.len().max(sides.normal.len()));
    between_anchors(sides, MOST_ROUNDS, costs, &mut steps);
    steps
}

fn between_anchors(
    sides: Sides<Sequence<'_>>,
    rounds: u32,
    costs: &mut ShapeCosts<'_, '_>,
    out: &mut Vec<Step>,
) {
    let start = equal_before_last_run(sides.map(|side| side.items.iter()));
    let rest = sides.map(|side| side.part(start, side.len()));
    let end = equal_before_last_run(rest.map(|side| side.items.iter().rev()));
    out.extend(std::iter::repeat_n(STEP, start));
    middle(rest.map(|side| side.part(0, side.len() - end)), rounds, costs, out);
    out.extend(std::iter::repeat_n(STEP, end));
}

/// How many items are equal on both sides, without the last run of equal ones: where it is longer on one side,
/// times say which of it is extra.
fn equal_before_last_run<'i>(sides: Sides<impl Iterator<Item = &'i Item>>) -> usize {
    let (mut run_start, mut run_of) = (0, None);
    for (at, (abnormal, normal)) in sides.abnormal.zip(sides.normal).enumerate() {
        if abnormal.shape != normal.shape {
            break;
        }
        if run_of != Some(abnormal.shape) {
            (run_start, run_of) = (at, Some(abnormal.shape));
        }
    }
    run_start
}

fn middle(sides: Sides<Sequence<'_>>, rounds: u32, costs: &mut ShapeCosts<'_, '_>, out: &mut Vec<Step>) {
    let lens = sides.map(|side| side.len());
    let full = Band::full(lens);
    let is_affordable = (lens.abnormal + 1).saturating_mul(lens.normal + 1) <= costs.cells_left() / 4;
    if is_affordable && costs.take(full.cells()).is_ok() {
        return in_band(sides, full, costs, out);
    }
    let anchors = if rounds > 0 { anchors(sides) } else { Vec::new() };
    if anchors.is_empty() {
        let band = Band::slope(lens, costs.cells_left() / 4);
        // The narrowest band is always allowed: it grows with the lengths only.
        costs.take(band.cells()).unwrap_or_default();
        return in_band(sides, band, costs, out);
    }
    let mut from = Sides { abnormal: 0, normal: 0 };
    let mut between = |from: Sides<usize>, to: Sides<usize>, out: &mut Vec<Step>| {
        let parts = sides.zip(from.zip(to)).map(|(side, (from, to))| side.part(from, to));
        between_anchors(parts, rounds - 1, costs, out);
    };
    for anchor in anchors {
        between(from, anchor, out);
        out.push(STEP);
        from = anchor.map(|at| at + 1);
    }
    between(from, lens, out);
}

fn in_band(sides: Sides<Sequence<'_>>, band: Band, costs: &ShapeCosts<'_, '_>, out: &mut Vec<Step>) {
    let Ok(steps) = table::steps(sides, band, &mut Estimated(costs));
    out.extend(steps);
}
