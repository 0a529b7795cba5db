//! Bands of a distribution that is known by cells: unions of cells, so that sums over them are exact.

use std::collections::BTreeMap;

use super::tail_profile::CellCount;

/// Where bands end, in parts per million of all samples, from the shortest up.
const EDGES: [(&str, i64); 6] = [
    ("0-50 %", 500_000),
    ("50-90 %", 900_000),
    ("90-99 %", 990_000),
    ("99-99.9 %", 999_000),
    ("99.9-99.99 %", 999_900),
    ("99.99-100 %", 1_000_000),
];

/// Samples next to each other in the order of their durations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    pub name: &'static str,
    /// The samples that are shorter, and those that are no longer, in parts per million of all.
    pub from_ppm: i64,
    pub to_ppm: i64,
    pub count: i64,
    pub total_ns: i64,
    pub min_ns: i64,
    pub max_ns: i64,
    /// Where it ends by its name.
    wanted_ppm: i64,
    cells: std::ops::RangeInclusive<i16>,
}

impl Band {
    /// What a sum by cell is in it.
    pub fn sum(&self, cells: &BTreeMap<i16, i64>) -> i64 {
        cells.range(self.cells.clone()).fold(0, |sum, (_, value)| sum.saturating_add(*value))
    }
}

/// The bands that hold any sample, from the shortest up. Each ends at the end of a cell: the nearest one, but the
/// last cell is always the last band's, so that this has the longest sample.
pub fn bands(counts: &BTreeMap<i16, CellCount>) -> Vec<Band> {
    let total = counts.values().map(|cell| cell.count).fold(0, i64::saturating_add);
    let ppm = |count: i64| {
        let ppm = i128::from(count).saturating_mul(1_000_000).checked_div(i128::from(total)).unwrap_or(0);
        i64::try_from(ppm).unwrap_or(0)
    };
    let mut rest = counts.iter().peekable();
    let mut passed = 0_i64;
    let mut bands = Vec::new();
    for (name, wanted_ppm) in EDGES {
        let mut band: Option<Band> = None;
        while let Some((cell, count)) = rest.peek() {
            let after = passed.saturating_add(count.count);
            let is_last_band = wanted_ppm == 1_000_000;
            let is_nearer =
                ppm(after).saturating_sub(wanted_ppm).abs() < ppm(passed).saturating_sub(wanted_ppm).abs();
            if !is_last_band && (after >= total || !is_nearer) {
                break;
            }
            let start = band.unwrap_or(Band {
                name,
                from_ppm: ppm(passed),
                to_ppm: 0,
                count: 0,
                total_ns: 0,
                min_ns: i64::MAX,
                max_ns: 0,
                wanted_ppm,
                cells: **cell..=**cell,
            });
            band = Some(Band {
                to_ppm: ppm(after),
                count: start.count.saturating_add(count.count),
                total_ns: start.total_ns.saturating_add(count.total_ns),
                min_ns: start.min_ns.min(count.min_ns),
                max_ns: start.max_ns.max(count.max_ns),
                cells: *start.cells.start()..=**cell,
                ..start
            });
            passed = after;
            rest.next();
        }
        bands.extend(band);
    }
    bands
}

/// The cells with a sample of `min_ns` to `max_ns`, both included, as one band, which is as wide as these cells are;
/// `None` where there is no such sample.
pub fn chosen_band(counts: &BTreeMap<i16, CellCount>, min_ns: i64, max_ns: i64) -> Option<Band> {
    let is_touched = |cell: &CellCount| cell.max_ns >= min_ns && cell.min_ns <= max_ns;
    let chosen: BTreeMap<i16, CellCount> =
        counts.iter().filter(|(_, cell)| is_touched(cell)).map(|(number, cell)| (*number, *cell)).collect();
    let (first, last) = (*chosen.keys().next()?, *chosen.keys().next_back()?);
    let sum = |cells: &mut dyn Iterator<Item = &CellCount>| {
        cells.map(|cell| cell.count).fold(0_i64, i64::saturating_add)
    };
    let total = i128::from(sum(&mut counts.values()).max(1));
    let ppm = |count: i64| {
        let ppm = i128::from(count).saturating_mul(1_000_000).checked_div(total).unwrap_or(0);
        i64::try_from(ppm).unwrap_or(0)
    };
    let shorter = sum(&mut counts.range(..first).map(|(_, cell)| cell));
    let count = sum(&mut chosen.values());
    Some(Band {
        name: "chosen",
        from_ppm: ppm(shorter),
        to_ppm: ppm(shorter.saturating_add(count)),
        count,
        total_ns: chosen.values().map(|cell| cell.total_ns).fold(0, i64::saturating_add),
        min_ns: chosen.values().map(|cell| cell.min_ns).min()?,
        max_ns: chosen.values().map(|cell| cell.max_ns).max()?,
        wanted_ppm: ppm(shorter.saturating_add(count)),
        cells: first..=last,
    })
}

/// How far the end of a band may be from the one in its name.
pub fn edge_error_ppm(bands: &[Band]) -> i64 {
    bands.iter().map(|band| band.to_ppm.saturating_sub(band.wanted_ppm).abs()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(counts: &[(i16, i64)], expected: Expect) {
        let cell = |cell: i16, count| {
            let (min_ns, total_ns) = (i64::from(cell) * 10, i64::from(cell) * 10 * count);
            (cell, CellCount { count, total_ns, min_ns, max_ns: min_ns + 9 })
        };
        let bands = bands(&counts.iter().map(|(at, count)| cell(*at, *count)).collect());
        let lines = bands.iter().map(|band| {
            let Band { name, from_ppm, to_ppm, count, min_ns, max_ns, .. } = band;
            format!("{name}: {from_ppm}..{to_ppm}, {count} of {min_ns}..={max_ns}\n")
        });
        let text = lines.collect::<String>() + &format!("within {}", edge_error_ppm(&bands));
        expected.assert_eq(&text);
    }

    #[test]
    fn bands_end_at_the_nearest_end_of_a_cell() {
        check(&[], expect!["within 0"]);
        check(
            &[(1, 480), (2, 410), (3, 100), (4, 8), (7, 2)],
            expect![[r#"
                0-50 %: 0..480000, 480 of 10..=19
                50-90 %: 480000..890000, 410 of 20..=29
                90-99 %: 890000..990000, 100 of 30..=39
                99-99.9 %: 990000..998000, 8 of 40..=49
                99.99-100 %: 998000..1000000, 2 of 70..=79
                within 20000"#]],
        );
    }

    #[test]
    fn a_chosen_band_is_of_whole_cells() {
        let cell = |cell: i16, count| {
            let (min_ns, total_ns) = (i64::from(cell) * 10, i64::from(cell) * 10 * count);
            (cell, CellCount { count, total_ns, min_ns, max_ns: min_ns + 9 })
        };
        let counts = BTreeMap::from([cell(1, 500), cell(2, 300), cell(3, 150), cell(7, 50)]);
        let band = |min_ns, max_ns| {
            chosen_band(&counts, min_ns, max_ns)
                .map(|band| (band.from_ppm, band.to_ppm, band.count, band.total_ns, band.min_ns, band.max_ns))
        };
        assert_eq!(band(25, 31), Some((500_000, 950_000, 450, 10_500, 20, 39)));
        assert_eq!(band(79, 500), Some((950_000, 1_000_000, 50, 3_500, 70, 79)));
        assert_eq!(band(40, 69), None);
        // All of them add up to the bands by name.
        let all = chosen_band(&counts, 0, i64::MAX).unwrap();
        let named: i64 = bands(&counts).iter().map(|band| band.total_ns).sum();
        assert_eq!((all.total_ns, all.from_ppm, all.to_ppm), (named, 0, 1_000_000));
    }

    #[test]
    fn the_longest_sample_is_in_the_last_band() {
        check(
            &[(3, 5)],
            expect![[r#"
                99.99-100 %: 0..1000000, 5 of 30..=39
                within 0"#]],
        );
        check(
            &[(3, 1), (9, 1)],
            expect![[r#"
                0-50 %: 0..500000, 1 of 30..=39
                99.99-100 %: 500000..1000000, 1 of 90..=99
                within 0"#]],
        );
    }
}
