//! Counts as people read them.

/// `46,156`.
pub fn grouped(count: impl TryInto<i64>) -> String {
    let count = count.try_into().unwrap_or(i64::MAX);
    let digits = count.unsigned_abs().to_string();
    let mut text = String::from(if count < 0 { "-" } else { "" });
    for (at, digit) in digits.char_indices() {
        if at > 0 && digits.len().saturating_sub(at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_thousands() {
        let texts = [0, 7, 999, 1_000, 46_156, -1_234_567].map(|count: i64| grouped(count));
        assert_eq!(texts, ["0", "7", "999", "1,000", "46,156", "-1,234,567"]);
        assert_eq!(grouped(u64::MAX), "9,223,372,036,854,775,807");
    }
}
