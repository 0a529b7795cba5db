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
