//! The C of a print format, cut into tokens.

use crate::formats::trace_dat::text_tables::unescape;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    Word(&'t [u8]),
    /// Value, bytes and sign by C's rules for suffix and size.
    Number {
        value: i64,
        bytes: u8,
        is_signed: bool,
    },
    /// A string without its quotes and escapes; neighbours are one.
    Text(Vec<u8>),
    /// An operator or bracket.
    Sign(&'t [u8]),
}

const TWO_BYTE_SIGNS: [&[u8; 2]; 10] = [b"->", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"##"];

/// All tokens of `text`; `None` where something is no C, or a string does not end.
pub fn tokenize(text: &[u8]) -> Option<Vec<Token<'_>>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.first() {
        let length = match first {
            byte if byte.is_ascii_whitespace() => {
                rest = rest.trim_ascii_start();
                continue;
            }
            b'"' => quoted_length(rest, b'"')?,
            b'\'' => quoted_length(rest, b'\'')?,
            byte if is_word(*byte) => rest.iter().take_while(|byte| is_word(**byte)).count(),
            _ if TWO_BYTE_SIGNS.iter().any(|sign| rest.starts_with(*sign)) => 2,
            _ => 1,
        };
        let (lexeme, behind) = rest.split_at_checked(length)?;
        rest = behind;
        match first {
            b'"' => push_text(&mut tokens, unquoted(lexeme)?),
            b'\'' => {
                let value = i64::from(*unquoted(lexeme)?.first()?);
                tokens.push(Token::Number { value, bytes: 4, is_signed: true });
            }
            b'0'..=b'9' => tokens.push(number(lexeme)?),
            byte if is_word(*byte) => tokens.push(Token::Word(lexeme)),
            _ => tokens.push(Token::Sign(lexeme)),
        }
    }
    Some(tokens)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Length of a quoted lexeme with both quotes.
fn quoted_length(text: &[u8], quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let is_end = *byte == quote && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    })?;
    end.checked_add(2)
}

fn unquoted(lexeme: &[u8]) -> Option<Vec<u8>> {
    lexeme.get(1..lexeme.len().checked_sub(1)?).map(unescape)
}

fn push_text(tokens: &mut Vec<Token<'_>>, text: Vec<u8>) {
    match tokens.last_mut() {
        Some(Token::Text(before)) => before.extend_from_slice(&text),
        _ => tokens.push(Token::Text(text)),
    }
}

/// `10`, `0x1fULL`, `017`, `1u`
fn number(lexeme: &[u8]) -> Option<Token<'static>> {
    let text = std::str::from_utf8(lexeme).ok()?;
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = text.get(digits.len()..)?;
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let has_unsigned_suffix = suffix.contains(['u', 'U']);
    let is_long = suffix.contains(['l', 'L']) || value > u64::from(u32::MAX);
    let fits_int = i32::try_from(value).is_ok();
    let bytes = if is_long || (!fits_int && radix == 10 && !has_unsigned_suffix) { 8 } else { 4 };
    let fits_signed = if bytes == 4 { fits_int } else { i64::try_from(value).is_ok() };
    let is_signed = !has_unsigned_suffix && fits_signed;
    Some(Token::Number { value: value.cast_signed(), bytes, is_signed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_next_to_each_other_are_one() {
        let tokens = tokenize(br#""a\n" "b", REC->x == 'Z'"#).unwrap();
        let expected = [
            Token::Text(b"a\nb".to_vec()),
            Token::Sign(b","),
            Token::Word(b"REC"),
            Token::Sign(b"->"),
            Token::Word(b"x"),
            Token::Sign(b"=="),
            Token::Number { value: 90, bytes: 4, is_signed: true },
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn numbers_have_the_type_that_c_gives_them() {
        let check = |text: &str, value: i64, bytes: u8, is_signed: bool| {
            assert_eq!(
                tokenize(text.as_bytes()),
                Some(vec![Token::Number { value, bytes, is_signed }]),
                "{text}"
            );
        };
        check("10", 10, 4, true);
        check("0xffffffff", 0xffff_ffff, 4, false);
        check("4294967295", 0xffff_ffff, 8, true);
        check("1u", 1, 4, false);
        check("1ULL", 1, 8, false);
        check("017", 15, 4, true);
        check("0xffffffffffffffff", -1, 8, false);
    }

    #[test]
    fn what_does_not_end_is_none() {
        assert_eq!(tokenize(b"\"open"), None);
        assert_eq!(tokenize(b"0xzz"), None);
        assert_eq!(tokenize(b"''"), None);
    }
}
