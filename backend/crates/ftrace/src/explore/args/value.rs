//! The value of one field.

use serde::ser::{Serialize, Serializer};

/// JavaScript reads integers up to here exactly.
const MAX_EXACT: u64 = (1 << 53) - 1;
/// Bytes of the digits of a hashed pointer (`%p`) on the smallest machines.
const POINTER_DIGITS: usize = 8;

/// Printed text, and the integer that it stands for where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    pub text: &'a str,
    pub number: Option<i64>,
}

impl<'a> Value<'a> {
    pub fn text(text: &'a str) -> Self {
        Self { text, number: None }
    }

    /// `text` as a number where it is one: decimal, or hexadecimal behind `0x`.
    pub fn of(text: &'a str) -> Self {
        Self { text, number: parse_number(text) }
    }

    /// `text` as hexadecimal without `0x`, as the kernel prints arguments of system calls.
    pub fn hexadecimal(text: &'a str) -> Self {
        let is_octal = text.len() > 1 && text.starts_with('0') && !text.starts_with("0x");
        match from_hexadecimal(text) {
            // `mode: 0644` of newer kernels is as `chmod` takes it.
            _ if is_octal => Self::text(text),
            Some(number) => Self { text, number: Some(number) },
            None => Self::of(text),
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number {
            Some(number) if number.unsigned_abs() <= MAX_EXACT => serializer.serialize_i64(number),
            _ => serializer.serialize_str(self.text),
        }
    }
}

/// An integer: `-3`, `007`, `0x1f`. A pointer of 64 bits is no number: nobody adds it up.
pub fn parse_number(text: &str) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x") {
        return from_hexadecimal(digits);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    // 000000002ac33b2e is a hashed pointer, and so is one that happens to have decimal digits only.
    let is_pointer = digits.len() >= POINTER_DIGITS && digits.starts_with('0');
    (!is_pointer && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Two's complement where all 64 bits are given, which is how errors come back from system calls.
fn from_hexadecimal(digits: &str) -> Option<i64> {
    if digits.starts_with('+') {
        return None;
    }
    let value = u64::from_str_radix(digits, 16).ok()?;
    let signed = value.cast_signed();
    // Small negative numbers are offsets and errors; other large values are addresses.
    (signed >= -0xffff).then_some(signed)
}
