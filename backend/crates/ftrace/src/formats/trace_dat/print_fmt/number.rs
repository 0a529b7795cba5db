//! Numbers and padded text as the kernel's vsnprintf prints them.

use super::spec::{Conversion, Spec};
use crate::formats::trace_dat::byte_order::{sign_extend, zero_extend};

/// A width comes from the file; no real event pads further.
const MAX_PADDING: usize = 1_024;

/// Width and precision with their arguments filled in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Padding {
    pub width: usize,
    pub precision: Option<usize>,
}

impl Padding {
    /// A negative precision is as none.
    pub fn new(width: i64, precision: Option<i64>) -> Self {
        let bounded = |value: i64| usize::try_from(value).unwrap_or(0).min(MAX_PADDING);
        Self { width: bounded(width), precision: precision.filter(|value| *value >= 0).map(bounded) }
    }
}

/// Appends `value` in decimal.
pub fn push_decimal(output: &mut Vec<u8>, value: u64) {
    let (digits, start) = decimal_digits(value);
    output.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// Appends `value` in hexadecimal without a prefix.
pub fn push_hex(output: &mut Vec<u8>, value: u64) {
    let digits = hex_digits(value);
    let start = (value.leading_zeros() / 4).min(15) as usize;
    output.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// Appends an integer by its conversion.
pub fn push_integer(output: &mut Vec<u8>, value: i64, spec: &Spec, padding: Padding) {
    let size = usize::from(spec.size);
    let (is_negative, magnitude) = match spec.conversion {
        Conversion::Decimal => {
            let value = sign_extend(value, size);
            (value < 0, value.unsigned_abs())
        }
        _ => (false, zero_extend(value, size).cast_unsigned()),
    };
    let (digits, start) = match spec.conversion {
        Conversion::Hex => power_of_two_digits(magnitude, 4, b"0123456789abcdef"),
        Conversion::HexUpper => power_of_two_digits(magnitude, 4, b"0123456789ABCDEF"),
        Conversion::Octal => power_of_two_digits(magnitude, 3, b"01234567"),
        _ => decimal_digits(magnitude),
    };
    let digits = digits.get(start..).unwrap_or_default();
    let prefix: &[u8] = match spec.conversion {
        _ if is_negative => b"-",
        Conversion::Decimal if spec.has_plus => b"+",
        Conversion::Decimal if spec.has_blank => b" ",
        Conversion::Hex if spec.is_alternate => b"0x",
        Conversion::HexUpper if spec.is_alternate => b"0X",
        Conversion::Octal if spec.is_alternate => b"0",
        _ => b"",
    };
    let mut zeros = padding.precision.unwrap_or(0).saturating_sub(digits.len());
    let printed = prefix.len().saturating_add(digits.len());
    if spec.is_zero_padded && !spec.is_left && padding.precision.is_none() {
        zeros = padding.width.saturating_sub(printed);
    }
    let blanks = padding.width.saturating_sub(printed.saturating_add(zeros));
    if !spec.is_left {
        push_repeated(output, b' ', blanks);
    }
    output.extend_from_slice(prefix);
    push_repeated(output, b'0', zeros);
    output.extend_from_slice(digits);
    if spec.is_left {
        push_repeated(output, b' ', blanks);
    }
}

/// Appends text cut to the precision and padded to the width.
pub fn push_text(output: &mut Vec<u8>, text: &[u8], spec: &Spec, padding: Padding) {
    let length = padding.precision.unwrap_or(usize::MAX).min(text.len());
    let text = text.get(..length).unwrap_or_default();
    let blanks = padding.width.saturating_sub(length);
    if !spec.is_left {
        push_repeated(output, b' ', blanks);
    }
    output.extend_from_slice(text);
    if spec.is_left {
        push_repeated(output, b' ', blanks);
    }
}

fn push_repeated(output: &mut Vec<u8>, byte: u8, count: usize) {
    output.resize(output.len().saturating_add(count), byte);
}

/// Right-aligned digits and where they begin. Two at a time, since each division waits for the one before.
fn decimal_digits(mut value: u64) -> ([u8; 24], usize) {
    let mut digits = [b'0'; 24];
    let mut start = digits.len();
    for pair in digits.rchunks_exact_mut(2) {
        let two = (value % 100) as u8;
        value /= 100;
        pair.copy_from_slice(&[b'0' | (two / 10), b'0' | (two % 10)]);
        start = start.saturating_sub(2);
        if value == 0 {
            start = start.saturating_add(usize::from(two < 10));
            break;
        }
    }
    (digits, start)
}

/// All sixteen at once, since most numbers of a trace are pointers: each half becomes eight bytes with a digit each.
fn hex_digits(value: u64) -> [u8; 16] {
    let spread = |half: u64| {
        let pairs = (half | half << 16) & 0x0000_ffff_0000_ffff;
        let bytes = (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff;
        let digits = (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        // Six more than nine reaches the upper half of its byte.
        let letters = (digits.wrapping_add(0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
        let to_letter = u64::from(b'a' - b'9' - 1);
        digits.wrapping_add(0x3030_3030_3030_3030).wrapping_add(letters.wrapping_mul(to_letter))
    };
    let halves = [spread(value >> 32), spread(value & 0xffff_ffff)].map(u64::to_be_bytes);
    halves.as_flattened().try_into().unwrap_or_default()
}

fn power_of_two_digits(mut value: u64, bits: u32, alphabet: &[u8]) -> ([u8; 24], usize) {
    let mut digits = [b'0'; 24];
    let mut start = digits.len();
    let mask = (1_u64 << bits) - 1;
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        *digit = alphabet.get((value & mask) as usize).copied().unwrap_or(b'0');
        value >>= bits;
        start = at;
        if value == 0 {
            break;
        }
    }
    (digits, start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::spec::{Amount, Piece, pieces};
    use super::*;

    fn check(format: &str, value: i64, expected: &str) {
        let Some(Some(Piece::Conversion(spec))) = pieces(format.as_bytes(), 8).next() else {
            panic!("{format}");
        };
        let fixed = |amount| match amount {
            Amount::Fixed(value) => Some(i64::from(value)),
            _ => None,
        };
        let mut output = Vec::new();
        let padding = Padding::new(fixed(spec.width).unwrap_or(0), fixed(spec.precision));
        push_integer(&mut output, value, &spec, padding);
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{format}");
    }

    #[test]
    fn integers_print_as_in_c() {
        check("%d", -1, "-1");
        check("%d", 0xffff_ffff, "-1");
        check("%u", -1, "4294967295");
        check("%llu", -1, "18446744073709551615");
        check("%lld", i64::MIN, "-9223372036854775808");
        check("%hhd", 0x1ff, "-1");
        check("%03d", 7, "007");
        check("%03d", -7, "-07");
        check("%-4d", 7, "7   ");
        check("%4d", 7, "   7");
        check("%.3d", 7, "007");
        check("%+d", 7, "+7");
        check("%#x", 255, "0xff");
        check("%#010x", 255, "0x000000ff");
        check("%4.4x", 255, "00ff");
        check("%X", 255, "FF");
        check("%o", 8, "10");
        check("%lx", -1, "ffffffffffffffff");
        check("%d", 0, "0");
    }

    proptest! {
        #[test]
        fn decimals_have_all_their_digits(value: u64, shift in 0_u32..64) {
            let mut output = Vec::new();
            push_decimal(&mut output, value >> shift);
            prop_assert_eq!(String::from_utf8(output).unwrap(), (value >> shift).to_string());
        }

        #[test]
        fn hexadecimals_have_all_their_digits(value: u64, shift in 0_u32..=64) {
            let value = value.checked_shr(shift).unwrap_or(0);
            let mut output = Vec::new();
            push_hex(&mut output, value);
            prop_assert_eq!(String::from_utf8(output).unwrap(), format!("{value:x}"));
        }
    }
}
