//! Durations as people type them: `50us`, `1.5ms`, `9656`.

use crate::explain::words;
use crate::model::TimeUnit;

/// Nanoseconds in a decimal number with an optional unit (`ns`, `us` or `µs`, `ms`, `s`; none is ns).
///
/// Exact: a fraction finer than a nanosecond is refused, not rounded. `None` where the text is
/// something else or past the range of an `i64`.
pub fn parse_duration(text: &str) -> Option<i64> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let unit_at = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, unit) = unsigned.split_at_checked(unit_at)?;
    let fraction_digits = match unit {
        "" | "ns" => 0_usize,
        "us" | "µs" | "μs" => 3,
        "ms" => 6,
        "s" => 9,
        _ => return None,
    };
    let nanoseconds = scale_decimal(number, fraction_digits)?;
    if negative { nanoseconds.checked_neg() } else { Some(nanoseconds) }
}

/// `number` times ten to the `digits`, where that is an integer: `1.5` by 3 is 1500.
pub fn scale_decimal(number: &str, digits: usize) -> Option<i64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let has_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !has_digits(whole) || (number.contains('.') && !has_digits(fraction)) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = digits.checked_sub(fraction.len())?;
    let scale = 10_i64.checked_pow(u32::try_from(zeros).ok()?)?;
    let joined = whole.bytes().chain(fraction.bytes());
    let value = joined.into_iter().try_fold(0_i64, |value, byte| {
        value.checked_mul(10)?.checked_add(i64::from(byte.wrapping_sub(b'0')))
    })?;
    value.checked_mul(scale)
}

/// A duration as people read it, to three places of its unit: `9.656 ms`, `551 ns`.
pub fn duration_text(duration_ns: i64) -> String {
    let units = [(1_000_000_000_u64, "s"), (1_000_000, "ms"), (1_000, "µs")];
    let sign = if duration_ns < 0 { "-" } else { "" };
    let length_ns = duration_ns.unsigned_abs();
    let Some((unit_ns, unit)) = units.into_iter().find(|(unit_ns, _)| length_ns >= *unit_ns) else {
        return format!("{sign}{length_ns} ns");
    };
    let place_ns = unit_ns / 1_000;
    let places = length_ns.saturating_add(place_ns / 2) / place_ns;
    let (whole, rest) = (places / 1_000, places % 1_000);
    let fraction = format!("{rest:03}");
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole} {unit}"),
        fraction => format!("{sign}{whole}.{fraction} {unit}"),
    }
}

/// A duration on a clock as people read it: `46,156 clock ticks` where that counts steps of unknown length.
pub fn clock_text(duration: i64, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Ns => duration_text(duration),
        TimeUnit::Ticks => words::in_unit(unit, || words::time(duration)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<i64>) {
        assert_eq!(parse_duration(text), expected, "{text}");
    }

    #[test]
    fn units_are_exact() {
        check("9656", Some(9_656));
        check("50us", Some(50_000));
        check("1.5ms", Some(1_500_000));
        check("0.551µs", Some(551));
        check("2s", Some(2_000_000_000));
        check("-3us", Some(-3_000));
        check("1.500ns", None);
        check("1.000ns", Some(1));
    }

    #[test]
    fn texts_have_three_places() {
        for (duration_ns, text) in [
            (0, "0 ns"),
            (551, "551 ns"),
            (18_551, "18.551 µs"),
            (9_000_000, "9 ms"),
            (9_655_500, "9.656 ms"),
            (1_000_499_999, "1 s"),
            (-25_500, "-25.5 µs"),
            (i64::MIN, "-9223372036.855 s"),
        ] {
            assert_eq!(duration_text(duration_ns), text);
        }
    }

    #[test]
    fn what_is_no_duration_is_none() {
        for text in
            ["", "us", "1 us", "1.us", ".5us", "5m", "1e3", "--1", "9223372036854775808", "10000000000s"]
        {
            check(text, None);
        }
    }
}
