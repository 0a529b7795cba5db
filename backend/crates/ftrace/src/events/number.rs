//! Integers as the kernel prints them.

/// Bytes of the digits of a hashed pointer (`%p`) on the smallest machines.
const POINTER_DIGITS: usize = 8;

/// An integer: `-3`, `007`, `0x1f`. A 64-bit pointer is not a number: it cannot be added up.
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

/// An address, plain or hashed. `None` for `(____ptrval____)`, which stands for any: the kernel prints it until it
/// has gathered randomness to hash addresses with.
pub fn parse_address(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    let digits = digits.strip_suffix(b",").unwrap_or(digits);
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    digits.iter().try_fold(0_u64, |value, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        Some(value << 4 | u64::from(digit))
    })
}
