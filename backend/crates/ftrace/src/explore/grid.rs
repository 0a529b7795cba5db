//! The cells that a window is cut into when there is more in it than pixels to draw it.

use super::request::Window;

/// Cells of equal width at whole multiples of it, so that the same data falls into the same cells
/// while a window is panned. The first and last one are clipped to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The window, widened to whole units.
    pub clip: Window,
    pub cell_ns: i64,
    pub cell_count: usize,
    first_cell: i64,
    pixel_ns: i64,
}

impl Grid {
    /// At most `width_px` cells over `window`, each a whole number of `unit_ns`: 1 for single slices,
    /// a rollup's own width where its cells are merged.
    pub fn new(window: Window, width_px: i64, unit_ns: i64) -> Self {
        let unit_ns = unit_ns.max(1);
        let start_ns = window.start_ns.div_euclid(unit_ns).saturating_mul(unit_ns);
        let end_ns = ceil_div(window.end_ns, unit_ns).saturating_mul(unit_ns);
        let clip = Window { start_ns, end_ns };
        // The ends cut a cell each, so one pixel is kept back for it.
        let cells = width_px.saturating_sub(1).max(1);
        let units = ceil_div(ceil_div(clip.length_ns(), unit_ns), cells).max(1);
        let cell_ns = unit_ns.saturating_mul(units);
        let pixel_ns = ceil_div(window.length_ns(), cells).max(1);
        let first_cell = start_ns.div_euclid(cell_ns);
        let last_cell = end_ns.saturating_sub(1).div_euclid(cell_ns);
        let cell_count = usize::try_from(last_cell.saturating_sub(first_cell).saturating_add(1)).unwrap_or(1);
        Self { clip, cell_ns, cell_count, first_cell, pixel_ns }
    }

    /// Cells of at least so many pixels, each made of whole ones of these.
    pub fn of_pixels(self, pixels: i64) -> Self {
        self.wider(ceil_div(self.pixel_ns.saturating_mul(pixels), self.cell_ns))
    }

    /// Cells that are each made of `factor` of these.
    pub fn wider(self, factor: i64) -> Self {
        if factor <= 1 {
            return self;
        }
        let cell_ns = self.cell_ns.saturating_mul(factor);
        let first_cell = self.clip.start_ns.div_euclid(cell_ns);
        let last_cell = self.clip.end_ns.saturating_sub(1).div_euclid(cell_ns);
        let cell_count = usize::try_from(last_cell.saturating_sub(first_cell).saturating_add(1)).unwrap_or(1);
        Self { cell_ns, cell_count, first_cell, ..self }
    }

    /// Number of the cell that `t_ns` lies in, held to the first or last where it is outside.
    pub fn cell_of(&self, t_ns: i64) -> usize {
        let cell = t_ns.div_euclid(self.cell_ns).saturating_sub(self.first_cell);
        usize::try_from(cell.max(0)).unwrap_or(usize::MAX).min(self.cell_count.saturating_sub(1))
    }

    /// Whether fewer cells could cover the window.
    pub fn can_be_wider(&self) -> bool {
        self.cell_count > 1 && self.cell_ns.checked_mul(2).is_some()
    }

    /// Which multiple of its width a cell begins at.
    pub fn index_of(&self, cell: usize) -> i64 {
        self.first_cell.saturating_add(i64::try_from(cell).unwrap_or(i64::MAX))
    }

    /// `(start, end)` of a cell, clipped to the window.
    pub fn bounds(&self, cell: usize) -> (i64, i64) {
        let index = self.index_of(cell);
        let start_ns = index.saturating_mul(self.cell_ns);
        let end_ns = start_ns.saturating_add(self.cell_ns);
        (start_ns.max(self.clip.start_ns), end_ns.min(self.clip.end_ns))
    }
}

fn ceil_div(value: i64, by: i64) -> i64 {
    value.div_euclid(by).saturating_add(i64::from(value.rem_euclid(by) != 0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(window: (i64, i64), width_px: i64, unit_ns: i64, expected: &[(i64, i64)]) {
        let grid = Grid::new(Window { start_ns: window.0, end_ns: window.1 }, width_px, unit_ns);
        let cells: Vec<_> = (0..grid.cell_count).map(|cell| grid.bounds(cell)).collect();
        assert_eq!(cells, expected);
    }

    #[test]
    fn cells_lie_at_multiples_of_their_width() {
        check((0, 30), 4, 1, &[(0, 10), (10, 20), (20, 30)]);
        check((5, 35), 4, 1, &[(5, 10), (10, 20), (20, 30), (30, 35)]);
        check((-7, 3), 3, 1, &[(-7, -5), (-5, 0), (0, 3)]);
    }

    #[test]
    fn cells_of_so_many_pixels_are_whole_ones_of_the_level() {
        let width_ns = |unit_ns, pixels| {
            Grid::new(Window { start_ns: 0, end_ns: 1_000 }, 101, unit_ns).of_pixels(pixels).cell_ns
        };
        assert_eq!([1, 2, 7].map(|pixels| width_ns(1, pixels)), [10, 20, 70]);
        assert_eq!([1, 2, 7].map(|pixels| width_ns(32, pixels)), [32, 32, 96]);
    }

    #[test]
    fn cells_are_whole_units() {
        check((5, 35), 4, 8, &[(0, 16), (16, 32), (32, 40)]);
        check((0, 3), 1600, 8, &[(0, 8)]);
    }

    proptest! {
        #[test]
        fn cells_fit_the_pixels_and_cover_the_window(
            start in -1_000_000_i64..1_000_000, length in 1_i64..1_000_000_000, width in 2_i64..3000, unit in 1_i64..5000,
        ) {
            let window = Window { start_ns: start, end_ns: start + length };
            let grid = Grid::new(window, width, unit);
            prop_assert!(grid.cell_count <= usize::try_from(width).unwrap());
            prop_assert!(grid.bounds(0).0 <= start && grid.bounds(grid.cell_count - 1).1 >= window.end_ns);
            for t in [start, start + length / 2, window.end_ns - 1] {
                let (low, high) = grid.bounds(grid.cell_of(t));
                prop_assert!(low <= t && t < high);
            }
        }
    }
}
