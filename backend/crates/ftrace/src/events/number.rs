//! Integers as the kernel prints them.

/// Bytes of the digits of a hashed pointer (`%p`) on the smallest machines.
const POINTER_DIGITS: usize = 8;

/// An integer: `-3`, `007`, `0x1f`. A pointer of 64 bits is no number: nobody adds it up.
pub fn parse_number(text: &str) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return hexadecimal_number(digits);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    // 000000002ac33b2e is a hashed pointer, and so is one that happens to have decimal digits only.
    let is_pointer = digits.len() >= POINTER_DIGITS && digits.starts_with('0');
    (!is_pointer && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Two's complement where all 64 bits are given, which is how errors come back from system calls.
pub fn hexadecimal_number(digits: &str) -> Option<i64> {
    if digits.starts_with('+') {
        return None;
    }
    let value = u64::from_str_radix(digits, 16).ok()?;
    let signed = value.cast_signed();
    // Small negative numbers are offsets and errors; other large values are addresses.
    (signed >= -0xffff).then_some(signed)
}
