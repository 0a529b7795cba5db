//! Differences in readable units, rounded so that the printed numbers still add up.

use crate::explain::words::is_counting;
use crate::model::grouped;

/// A sum and its parts, rounded alike. The largest decides: to the nanosecond below 10 µs, to 10 ns below 1 ms, to the
/// microsecond below 1 s, else to the millisecond. Steps of a clock that only counts are whole.
pub struct Amounts {
    pub sum: String,
    /// None where it rounds to nothing.
    pub parts: Vec<Option<String>>,
}

/// `parts_ns` add up to `sum_ns`.
pub fn print(sum_ns: i64, parts_ns: &[i64]) -> Amounts {
    let largest_ns = parts_ns.iter().chain([&sum_ns]).map(|ns| ns.unsigned_abs()).max().unwrap_or(0);
    let step_ns = match largest_ns {
        _ if is_counting() => 1,
        ..10_000 => 1,
        10_000..1_000_000 => 10,
        1_000_000..1_000_000_000 => 1_000,
        _ => 1_000_000,
    };
    let sum = sum_ns.saturating_add(step_ns / 2).div_euclid(step_ns);
    let sign = if sum > 0 { "+" } else { "" };
    let parts = apportion(sum, step_ns, parts_ns);
    let part = |steps: &i64| (*steps != 0).then(|| text(*steps, step_ns));
    Amounts { sum: format!("{sign}{}", text(sum, step_ns)), parts: parts.iter().map(part).collect() }
}

/// Each part in steps, rounded up or down so that they add up to `sum`: up where most would be lost.
fn apportion(sum: i64, step_ns: i64, parts_ns: &[i64]) -> Vec<i64> {
    let mut steps: Vec<i64> = parts_ns.iter().map(|ns| ns.div_euclid(step_ns)).collect();
    let rounded_down = steps.iter().fold(0_i64, |sum, steps| sum.saturating_add(*steps));
    let missing = usize::try_from(sum.saturating_sub(rounded_down)).unwrap_or(0);
    let mut by_loss: Vec<(i64, &mut i64)> =
        parts_ns.iter().map(|ns| -ns.rem_euclid(step_ns)).zip(&mut steps).collect();
    by_loss.sort_by_key(|(loss, _)| *loss);
    by_loss.into_iter().take(missing).for_each(|(_, steps)| *steps = steps.saturating_add(1));
    steps
}

/// One amount by itself: `0.394 µs`, `−3.100 µs`, `1.777 ms`.
pub fn amount(ns: i64) -> String {
    print(ns, &[]).sum.trim_start_matches('+').to_owned()
}

/// A number of steps as text: `−3.100 µs`, `1.777 ms`, `168 µs` beside milliseconds, `8,369 clock ticks`.
fn text(steps: i64, step_ns: i64) -> String {
    let sign = if steps < 0 { "−" } else { "" };
    let digits = steps.unsigned_abs();
    if is_counting() {
        let plural = if digits == 1 { "" } else { "s" };
        return format!("{sign}{} clock tick{plural}", grouped(digits));
    }
    let thousandths = |unit: &str| format!("{sign}{}.{:03} {unit}", digits / 1_000, digits % 1_000);
    match (step_ns, digits) {
        (1, _) => thousandths("µs"),
        (10, _) => format!("{sign}{}.{:02} µs", digits / 100, digits % 100),
        (1_000, ..1_000) => format!("{sign}{digits} µs"),
        (1_000, _) => thousandths("ms"),
        (_, ..1_000) => format!("{sign}{digits} ms"),
        _ => thousandths("s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::words::in_unit;
    use crate::model::TimeUnit;

    fn check(parts_ns: &[i64], expected: &str) {
        let amounts = print(parts_ns.iter().sum(), parts_ns);
        let parts: Vec<String> =
            amounts.parts.into_iter().map(|part| part.unwrap_or("nothing".to_owned())).collect();
        assert_eq!(format!("{} = {}", amounts.sum, parts.join(", ")), expected);
    }

    #[test]
    fn what_is_printed_adds_up() {
        check(&[8_369, 1_687], "+10.06 µs = 8.37 µs, 1.69 µs");
        check(&[10_004, 10_004, 10_004], "+30.01 µs = 10.01 µs, 10.00 µs, 10.00 µs");
        check(&[470], "+0.470 µs = 0.470 µs");
        check(&[-3_100, 100], "−3.000 µs = −3.100 µs, 0.100 µs");
        check(&[5, -5], "0.000 µs = 0.005 µs, −0.005 µs");
        check(&[1_777_400, 168_200, 22_900, -8_100], "+1.960 ms = 1.777 ms, 168 µs, 23 µs, −8 µs");
        check(&[2_000_000_000, 5_600_000], "+2.006 s = 2.000 s, 6 ms");
        check(&[1_000_400, 1_000_400, 1_000_400], "+3.001 ms = 1.001 ms, 1.000 ms, 1.000 ms");
        check(&[9_999_600, -300], "+9.999 ms = 9.999 ms, nothing");
        check(&[2_000_500_000, -499_999], "+2.000 s = 2.000 s, nothing");
    }

    #[test]
    fn ticks_of_a_clock_are_counted() {
        in_unit(TimeUnit::Ticks, || {
            check(&[8_369, 1_687, 0], "+10,056 clock ticks = 8,369 clock ticks, 1,687 clock ticks, nothing");
            check(&[-3_100, 1], "−3,099 clock ticks = −3,100 clock ticks, 1 clock tick");
        });
    }
}
