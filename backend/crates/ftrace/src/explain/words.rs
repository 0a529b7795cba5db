//! Times, shares and names as people say them. The exact numbers are shown beside the sentence.

use std::cell::Cell;

use crate::model::{TimeUnit, grouped};

const MICROSECOND: i64 = 1_000;
const MILLISECOND: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;

thread_local! {
    /// What a step of the clock is of which this thread speaks: a parameter of every sentence and of all its parts.
    static UNIT: Cell<TimeUnit> = const { Cell::new(TimeUnit::Ns) };
}

/// What `say` says, with times in the unit of a trace's clock.
pub fn in_unit<T>(unit: TimeUnit, say: impl FnOnce() -> T) -> T {
    struct Before(TimeUnit);
    impl Drop for Before {
        fn drop(&mut self) {
            UNIT.set(self.0);
        }
    }
    let _before = Before(UNIT.replace(unit));
    say()
}

/// True where times are steps of unknown length.
pub fn is_counting() -> bool {
    UNIT.get() == TimeUnit::Ticks
}

/// `551 ns`, `9.0 µs`, `18.6 µs`, `25 µs`, `551 µs`, `9.656 ms`, `2.160 s`: microseconds to three digits,
/// longer times to the microsecond or the millisecond, as tools print them. `46,156 clock ticks` of a clock that
/// counts steps of unknown length: `uptime`, `counter`, `x86-tsc`.
pub fn time(duration_ns: i64) -> String {
    match duration_ns {
        _ if is_counting() => ticks(duration_ns),
        // Most files are stamped in microseconds.
        0 => "less than 1 µs".to_owned(),
        ..MICROSECOND => format!("{duration_ns} ns"),
        // What would be rounded to 10.0 µs or 100 µs is said in the next larger form.
        MICROSECOND..9_950 => tenths(duration_ns),
        9_950..99_950 if rounded(duration_ns, 100) % 10 != 0 => tenths(duration_ns),
        9_950..999_500 => format!("{} µs", rounded(duration_ns, MICROSECOND)),
        999_500..999_999_500 => thousandths(duration_ns, MICROSECOND, "ms"),
        _ => thousandths(duration_ns, MILLISECOND, "s"),
    }
}

fn ticks(count: i64) -> String {
    if count == 0 {
        return "less than 1 clock tick".to_owned();
    }
    let plural = if count == 1 { "" } else { "s" };
    format!("{} clock tick{plural}", grouped(count))
}

fn tenths(duration_ns: i64) -> String {
    let tenths = rounded(duration_ns, 100);
    format!("{}.{} µs", tenths.div_euclid(10), tenths.rem_euclid(10))
}

fn thousandths(duration_ns: i64, of_ns: i64, unit: &str) -> String {
    let thousandths = rounded(duration_ns, of_ns);
    format!("{}.{:03} {unit}", thousandths.div_euclid(1_000), thousandths.rem_euclid(1_000))
}

fn rounded(value: i64, to: i64) -> i64 {
    value.saturating_add(to.div_euclid(2)).div_euclid(to)
}

/// Millionths of `whole` that `part` is; none of nothing.
pub fn share_ppm(part: i64, whole: i64) -> u32 {
    let ppm = i128::from(part).saturating_mul(1_000_000).checked_div(i128::from(whole)).unwrap_or(0);
    u32::try_from(ppm).unwrap_or(0).min(1_000_000)
}

/// `all of it`, `over 99 % of it`, `60 % of it`, `less than 1 % of it`.
pub fn share(part: i64, whole: i64) -> String {
    let ppm = share_ppm(part, whole);
    match ppm.saturating_add(5_000) / 10_000 {
        100.. if part >= whole => "all of it".to_owned(),
        100.. => "over 99 % of it".to_owned(),
        0 => "less than 1 % of it".to_owned(),
        percent => format!("{percent} % of it"),
    }
}

/// `1.8 GHz`, `1.35 GHz`, `800 MHz`.
pub fn frequency(khz: i64) -> String {
    if khz < 1_000_000 {
        return format!("{} MHz", rounded(khz, 1_000));
    }
    let hundredths = rounded(khz, SECOND / 100_000);
    let text = format!("{}.{:02}", hundredths.div_euclid(100), hundredths.rem_euclid(100));
    format!("{} GHz", text.strip_suffix('0').unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(duration_ns: i64, expected: &str) {
        assert_eq!(time(duration_ns), expected, "{duration_ns}");
    }

    #[test]
    fn clocks_that_count_have_no_nanoseconds() {
        let said = in_unit(TimeUnit::Ticks, || [time(1), time(999), time(46_156), time(5_640_774)]);
        assert_eq!(said, ["1 clock tick", "999 clock ticks", "46,156 clock ticks", "5,640,774 clock ticks"]);
        check(46_156, "46.2 µs");
    }

    #[test]
    fn times_are_said_in_the_unit_that_people_use() {
        check(0, "less than 1 µs");
        check(551, "551 ns");
        check(9_000, "9.0 µs");
        check(9_949, "9.9 µs");
        check(9_951, "10 µs");
        check(18_551, "18.6 µs");
        check(25_000, "25 µs");
        check(99_960, "100 µs");
        check(550_700, "551 µs");
        check(999_600, "1.000 ms");
        check(9_656_000, "9.656 ms");
        check(10_966_000, "10.966 ms");
        check(2_160_000_000, "2.160 s");
    }

    #[test]
    fn shares_and_frequencies_are_rounded() {
        assert_eq!(share(15, 25), "60 % of it");
        assert_eq!(share(9_653, 9_656), "over 99 % of it");
        assert_eq!(share(9_656, 9_656), "all of it");
        assert_eq!(share(1, 1_000), "less than 1 % of it");
        assert_eq!(share(1, 0), "less than 1 % of it");
        assert_eq!(frequency(1_800_000), "1.8 GHz");
        assert_eq!(frequency(1_347_000), "1.35 GHz");
        assert_eq!(frequency(800_000), "800 MHz");
    }
}
