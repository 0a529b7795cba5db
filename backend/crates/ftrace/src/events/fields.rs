//! Values in printed arguments, found without allocating.

use memchr::memchr_iter;

/// The text after `key=`, up to the end of the arguments.
///
/// A key counts only at the beginning or after a blank: `pid=` is not found in `next_pid=7`.
pub fn after_key<'a>(args: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    memchr_iter(b'=', args).find_map(|equals| {
        let (before, value) = args.split_at_checked(equals)?;
        let before_key = before.strip_suffix(key)?;
        let is_whole = before_key.last().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'{' | b','));
        is_whole.then(|| value.get(1..)).flatten()
    })
}

/// The integer after `key=`: decimal, or hexadecimal after `0x`.
pub fn number(args: &[u8], key: &[u8]) -> Option<i64> {
    leading_number(after_key(args, key)?).map(|(value, _)| value)
}

/// The word after `key=`, up to the next blank.
pub fn word<'a>(args: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    after_key(args, key).map(|value| value.split(|byte| *byte == b' ').next().unwrap_or_default())
}

/// The integer that `text` begins with, and what follows it.
pub fn leading_number(text: &[u8]) -> Option<(i64, &[u8])> {
    if let Some(digits) = text.strip_prefix(b"0x") {
        return digits_of(digits, 16);
    }
    match text.strip_prefix(b"-") {
        Some(digits) => digits_of(digits, 10).map(|(value, rest)| (value.saturating_neg(), rest)),
        None => digits_of(text, 10),
    }
}

fn digits_of(text: &[u8], radix: u32) -> Option<(i64, &[u8])> {
    let mut value = 0_i64;
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        let Some(digit) = char::from(*byte).to_digit(radix) else { break };
        value = value.checked_mul(i64::from(radix))?.checked_add(i64::from(digit))?;
        rest = after;
    }
    (rest.len() < text.len()).then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_whole_key() {
        let args = b"comm=sh pid=12 irq=-1 prev_pid=7 state=0x1f (31) vec=9 [action=RCU]";
        assert_eq!(number(args, b"pid"), Some(12));
        assert_eq!(number(args, b"irq"), Some(-1));
        assert_eq!(number(args, b"state"), Some(31));
        assert_eq!(number(args, b"vec"), Some(9));
        assert_eq!(number(args, b"comm"), None);
        assert_eq!(number(args, b"id"), None);
        assert_eq!(word(args, b"comm"), Some(b"sh".as_slice()));
    }

    #[test]
    fn a_number_past_64_bits_is_none() {
        assert_eq!(leading_number(b"9223372036854775807 "), Some((i64::MAX, b" ".as_slice())));
        assert_eq!(leading_number(b"9223372036854775808"), None);
        assert_eq!(leading_number(b"-"), None);
    }
}
