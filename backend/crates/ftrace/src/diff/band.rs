//! Which cells of a table are looked at.

/// Cells around a diagonal of a table of `n` + 1 rows and `m` + 1 columns; both corners are inside.
#[derive(Clone, Copy, Debug)]
pub struct Band {
    n: usize,
    m: usize,
    way: Way,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    /// So many items of the first, or of the second, side may be ahead of the other side's.
    Diagonal { below: usize, above: usize },
    /// Along the straight line from corner to corner.
    Slope { half: usize },
}

impl Band {
    pub fn full(n: usize, m: usize) -> Self {
        Self { n, m, way: Way::Diagonal { below: n, above: m } }
    }

    /// All readings in which at most `unmatched` items have no counterpart.
    ///
    /// With `d` more items on the second side, `above + below <= unmatched` and `above - below == d`.
    pub fn within(n: usize, m: usize, unmatched: usize) -> Self {
        let (longer, shorter) = (n.max(m), n.min(m));
        let more = longer - shorter;
        let spare = unmatched.saturating_sub(more) / 2;
        let (below, above) = if m >= n { (spare, more + spare) } else { (more + spare, spare) };
        Self { n, m, way: Way::Diagonal { below: below.min(n), above: above.min(m) } }
    }

    /// As wide as `cells` allow, but never narrower than it takes to get from corner to corner.
    pub fn slope(n: usize, m: usize, cells: usize) -> Self {
        const LEAST: usize = 16;
        let step = m.div_ceil(n.max(1));
        let half = (cells / (n + 1) / 2).max(step).max(LEAST);
        Self { n, m, way: Way::Slope { half } }
    }

    pub fn is_full(&self) -> bool {
        matches!(self.way, Way::Diagonal { below, above } if below >= self.n && above >= self.m)
    }

    /// First and last column of a row. Neither ever goes back from row to row.
    pub fn columns(&self, row: usize) -> (usize, usize) {
        let (from, to) = match self.way {
            Way::Diagonal { below, above } => (row.saturating_sub(below), row.saturating_add(above)),
            Way::Slope { half } => {
                let center = row * self.m / self.n.max(1);
                (center.saturating_sub(half), center.saturating_add(half))
            }
        };
        (from.min(self.m), to.min(self.m))
    }

    pub fn cells(&self) -> usize {
        (0..=self.n).map(|row| self.columns(row)).map(|(from, to)| to - from + 1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(band: Band, expected: &[(usize, usize)]) {
        let rows: Vec<_> = (0..expected.len()).map(|row| band.columns(row)).collect();
        assert_eq!(rows, expected);
        assert_eq!(band.cells(), expected.iter().map(|(from, to)| to - from + 1).sum::<usize>());
    }

    #[test]
    fn a_band_holds_all_readings_of_a_cost() {
        check(Band::full(2, 3), &[(0, 3), (0, 3), (0, 3)]);
        check(Band::within(2, 2, 0), &[(0, 0), (1, 1), (2, 2)]);
        check(Band::within(2, 2, 2), &[(0, 1), (0, 2), (1, 2)]);
        check(Band::within(3, 1, 2), &[(0, 0), (0, 1), (0, 1), (1, 1)]);
        check(Band::within(1, 3, 3), &[(0, 2), (1, 3)]);
        assert!(Band::within(2, 3, 99).is_full());
    }

    #[test]
    fn a_sloping_band_ends_in_the_corner() {
        for (n, m) in [(1, 100), (100, 1), (1_000, 300), (300, 1_000)] {
            let band = Band::slope(n, m, 1);
            assert_eq!(band.columns(0).0, 0);
            assert_eq!(band.columns(n).1, m);
            let rows: Vec<_> = (0..=n).map(|row| band.columns(row)).collect();
            assert!(rows.windows(2).all(|two| two[1].0 <= two[0].1 && two[0].0 <= two[1].0));
        }
    }
}
