//! Which cells of a table are looked at.

use super::sides::Sides;

/// Cells around a diagonal of a table with a row for each gap between abnormal items and a column for each gap
/// between normal ones; both corners are inside.
#[derive(Clone, Copy, Debug)]
pub struct Band {
    /// Items of each side.
    lens: Sides<usize>,
    way: Way,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    /// How many items of the abnormal, or of the normal, side may be ahead of the other side's.
    Diagonal { below: usize, above: usize },
    /// Along the straight line from corner to corner.
    Slope { half: usize },
}

impl Band {
    /// Every cell of the table.
    pub fn full(lens: Sides<usize>) -> Self {
        Self { lens, way: Way::Diagonal { below: lens.abnormal, above: lens.normal } }
    }

    /// All readings in which at most `unmatched` items have no counterpart.
    ///
    /// With `d` more items on the normal side, `above + below <= unmatched` and `above - below == d`.
    pub fn within(lens: Sides<usize>, unmatched: usize) -> Self {
        let Sides { abnormal, normal } = lens;
        let more = abnormal.abs_diff(normal);
        let spare = unmatched.saturating_sub(more) / 2;
        let (below, above) = if normal >= abnormal { (spare, more + spare) } else { (more + spare, spare) };
        Self { lens, way: Way::Diagonal { below: below.min(abnormal), above: above.min(normal) } }
    }

    /// As wide as `cells` allow, but never narrower than it takes to get from corner to corner.
    pub fn slope(lens: Sides<usize>, cells: usize) -> Self {
        const LEAST: usize = 16;
        let step = lens.normal.div_ceil(lens.abnormal.max(1));
        let half = (cells / (lens.abnormal + 1) / 2).max(step).max(LEAST);
        Self { lens, way: Way::Slope { half } }
    }

    /// True where no cell is left out, so that the best reading within the band is the best of all.
    pub fn is_full(&self) -> bool {
        matches!(self.way, Way::Diagonal { below, above } if below >= self.lens.abnormal && above >= self.lens.normal)
    }

    /// First and last column of a row. Neither ever goes back from row to row.
    pub fn columns(&self, row: usize) -> (usize, usize) {
        let (from, to) = match self.way {
            Way::Diagonal { below, above } => (row.saturating_sub(below), row.saturating_add(above)),
            Way::Slope { half } => {
                let center = row * self.lens.normal / self.lens.abnormal.max(1);
                (center.saturating_sub(half), center.saturating_add(half))
            }
        };
        (from.min(self.lens.normal), to.min(self.lens.normal))
    }

    /// How many cells there are, which is what an alignment within the band costs.
    pub fn cells(&self) -> usize {
        (0..=self.lens.abnormal).map(|row| self.columns(row)).map(|(from, to)| to - from + 1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(abnormal: usize, normal: usize) -> Sides<usize> {
        Sides { abnormal, normal }
    }

    fn check(band: Band, expected: &[(usize, usize)]) {
        let rows: Vec<_> = (0..expected.len()).map(|row| band.columns(row)).collect();
        assert_eq!(rows, expected);
        assert_eq!(band.cells(), expected.iter().map(|(from, to)| to - from + 1).sum::<usize>());
    }

    #[test]
    fn a_band_holds_all_readings_of_a_cost() {
        check(Band::full(lens(2, 3)), &[(0, 3), (0, 3), (0, 3)]);
        check(Band::within(lens(2, 2), 0), &[(0, 0), (1, 1), (2, 2)]);
        check(Band::within(lens(2, 2), 2), &[(0, 1), (0, 2), (1, 2)]);
        check(Band::within(lens(3, 1), 2), &[(0, 0), (0, 1), (0, 1), (1, 1)]);
        check(Band::within(lens(1, 3), 3), &[(0, 2), (1, 3)]);
        assert!(Band::within(lens(2, 3), 99).is_full());
    }

    #[test]
    fn a_sloping_band_ends_in_the_corner() {
        for (abnormal, normal) in [(1, 100), (100, 1), (1_000, 300), (300, 1_000)] {
            let band = Band::slope(lens(abnormal, normal), 1);
            assert_eq!(band.columns(0).0, 0);
            assert_eq!(band.columns(abnormal).1, normal);
            let rows: Vec<_> = (0..=abnormal).map(|row| band.columns(row)).collect();
            assert!(rows.windows(2).all(|two| two[1].0 <= two[0].1 && two[0].0 <= two[1].0));
        }
    }
}
