//! Small byte scanners that every layout shares. None looks at a byte twice.

/// `text` without its leading blanks and tabs.
pub fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
    text.get(blanks..).unwrap_or_default()
}

/// `text` without blanks and tabs on either side.
pub fn trim(text: &[u8]) -> &[u8] {
    skip_blanks(trim_end(text))
}

/// `text` without its trailing blanks and tabs.
pub fn trim_end(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| is_blank(**byte)).count();
    text.get(..text.len().saturating_sub(blanks)).unwrap_or_default()
}

/// True for the two characters that columns are filled with.
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The first word of `text` (up to a blank or tab) and what follows it.
pub fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let length = text.iter().position(|byte| is_blank(*byte)).unwrap_or(text.len());
    text.split_at_checked(length).unwrap_or((text, &[]))
}

/// The decimal digits at the start of `text` and what follows them; the digits may be none.
pub fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at_checked(length).unwrap_or((text, &[]))
}

/// The decimal number at the start of `text` and what follows it; `None` without a digit or past 64 bits.
pub fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = digits(text);
    Some((parse_u64(digits)?, rest))
}

/// All of `text` as a decimal number.
pub fn parse_u64(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    // Eighteen digits always fit; only longer ones need the checked steps.
    if text.len() <= 18 {
        return text.iter().try_fold(0_u64, |value, byte| {
            let digit = byte.wrapping_sub(b'0');
            (digit <= 9).then(|| value.wrapping_mul(10).wrapping_add(u64::from(digit)))
        });
    }
    text.iter().try_fold(0_u64, |value, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// All of `text` as a hexadecimal number, with or without `0x`.
pub fn parse_hex(text: &[u8]) -> Option<u64> {
    let text = text.strip_prefix(b"0x").unwrap_or(text);
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |value, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        value.checked_mul(16)?.checked_add(u64::from(digit))
    })
}

/// All of `text` as a signed decimal number.
pub fn parse_i32(text: &[u8]) -> Option<i32> {
    match text.strip_prefix(b"-") {
        Some(magnitude) => i32::try_from(parse_u64(magnitude)?).ok()?.checked_neg(),
        None => i32::try_from(parse_u64(text)?).ok(),
    }
}

/// Where `mark` is in a line. A searcher for so few bytes costs more than the search.
pub fn places_of(text: &[u8], mark: [u8; 2]) -> impl Iterator<Item = usize> {
    let [first, second] = mark;
    let is_mark = move |at: &usize| text.get(at.saturating_add(1)) == Some(&second);
    memchr::memchr_iter(first, text).filter(is_mark)
}

/// True where a bracket does not end, or ends before it began. Any of `ends` ends any of `begins`.
pub fn has_open_bracket(text: &[u8], begins: &[u8], ends: &[u8]) -> bool {
    let mut open = 0_usize;
    let is_closed = text.iter().all(|byte| {
        if begins.contains(byte) {
            open = open.saturating_add(1);
        } else if ends.contains(byte) {
            return open.checked_sub(1).map(|left| open = left).is_some();
        }
        true
    });
    !is_closed || open > 0
}

/// How many bytes two texts have in common, from the first that each iterator gives.
pub fn common<'a>(one: impl Iterator<Item = &'a u8>, other: impl Iterator<Item = &'a u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// The text before and after the first occurrence of `needle`.
pub fn split_once<'a>(text: &'a [u8], needle: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = memchr::memmem::find(text, needle)?;
    Some((text.get(..at)?, text.get(at.checked_add(needle.len())?..)?))
}

/// True for a byte of a kernel symbol, with the suffixes that compilers add (`.isra.0`, `$hash`).
pub fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'@' | b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stop_at_64_bits() {
        assert_eq!(number(b"18446744073709551615 x"), Some((u64::MAX, &b" x"[..])));
        assert_eq!(number(b"18446744073709551616"), None);
        assert_eq!(number(b"x"), None);
        assert_eq!(parse_hex(b"0xff"), Some(255));
        assert_eq!(parse_i32(b"-22"), Some(-22));
    }

    #[test]
    fn trimming_knows_blanks_and_tabs() {
        assert_eq!(trim(b" \t a b \t"), b"a b");
        assert_eq!(trim(b"  "), b"");
        assert_eq!(word(b"ab cd"), (&b"ab"[..], &b" cd"[..]));
    }
}
