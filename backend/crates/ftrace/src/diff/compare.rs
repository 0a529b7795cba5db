//! Two trees, lifted and aligned.

use super::align::{Aligned, Shortcut, Side, align};
use super::lift::{Lifted, lift};
use super::limits::Limits;
use super::names::Names;
use super::order;
use super::shape::Shapes;
use super::shape_costs::ShapeCosts;
use super::tree::Tree;

/// `x` of what is aligned is a node of `a`, `y` one of `b`.
pub struct Compared {
    pub a: Lifted,
    pub b: Lifted,
    pub aligned: Vec<Aligned>,
    pub shortcuts: Vec<Shortcut>,
}

/// Aligned in an order of their own, so that a comparison the other way round is the mirror image.
pub fn compare(names: &Names, a: &Tree, b: &Tree, limits: &Limits) -> Compared {
    let (a, b) = (lift(a), lift(b));
    let is_swapped = order::compare(names, &a.tree, &b.tree).is_gt();
    let (x, y) = if is_swapped { (&b, &a) } else { (&a, &b) };
    let mut shapes = Shapes::new(names);
    let (shapes_x, shapes_y) = (shapes.of_tree(&x.tree), shapes.of_tree(&y.tree));
    let mut costs = ShapeCosts::new(&shapes, limits, shapes_x.len().saturating_add(shapes_y.len()));
    let side_x = Side { tree: &x.tree, shapes: &shapes_x };
    let side_y = Side { tree: &y.tree, shapes: &shapes_y };
    let (mut aligned, mut shortcuts) = align(side_x, side_y, &mut costs);
    if is_swapped {
        aligned.iter_mut().for_each(|row| std::mem::swap(&mut row.x, &mut row.y));
        shortcuts.iter_mut().for_each(|shortcut| std::mem::swap(&mut shortcut.len_a, &mut shortcut.len_b));
    }
    Compared { a, b, aligned, shortcuts }
}
