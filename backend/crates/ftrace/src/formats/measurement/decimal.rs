//! Decimal numbers as whole steps of a smaller unit, without a float between them.

/// A decimal as a number of steps: `12.5` with 1,000 steps is 12,500. Digits below a step are cut off.
///
/// `None` for anything but a number that is not negative, and past 64 bits.
pub fn decimal(word: &str, steps: i64) -> Option<i64> {
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let mut digits = 0_i128;
    for digit in whole.chars().chain(fraction.chars()) {
        digits = digits.checked_mul(10)?.checked_add(i128::from(digit.to_digit(10)?))?;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let steps = digits.checked_mul(i128::from(steps))?;
    let value = match (scale, 10_i128.checked_pow(scale.unsigned_abs())) {
        (0.., Some(power)) => steps.checked_mul(power)?,
        (_, Some(power)) => steps.checked_div(power)?,
        // Smaller than any step; zero has no size.
        (..0, None) => 0,
        (_, None) => (steps == 0).then_some(0)?,
    };
    i64::try_from(value).ok().filter(|_| has_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (word, expected) in [
            ("12.5", Some(12_500)),
            ("7", Some(7_000)),
            ("0.0009", Some(0)),
            (".5", Some(500)),
            ("5.", Some(5_000)),
            ("7.7e-02", Some(77)),
            ("1e+3", Some(1_000_000)),
            ("0e99", Some(0)),
            ("1e-999", Some(0)),
            ("9223372036854775.807", Some(i64::MAX)),
            ("9223372036854775.808", None),
            ("1e999", None),
            ("-1", None),
            ("+1", None),
            ("", None),
            (".", None),
            ("e5", None),
            ("1e", None),
            ("1.2.3", None),
            ("0x10", None),
            ("nan", None),
        ] {
            assert_eq!(decimal(word, 1_000), expected, "{word}");
        }
    }
}
