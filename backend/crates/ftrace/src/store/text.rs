//! Bytes of a trace as text that PostgreSQL can hold.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// The bytes as UTF-8 without NUL. What cannot be held is written `\xNN`, and so is a backslash that
/// would read as such an escape, so that the original bytes can be recovered from the text.
pub fn storable(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(0, b'\\', bytes).is_none() && str::from_utf8(bytes).is_ok() {
        return Cow::Borrowed(bytes);
    }
    let mut text = Vec::with_capacity(bytes.len().saturating_add(16));
    for chunk in bytes.utf8_chunks() {
        push_valid(chunk.valid().as_bytes(), &mut text);
        for byte in chunk.invalid() {
            push_escape(*byte, &mut text);
        }
    }
    Cow::Owned(text)
}

/// The first `max_bytes` of the bytes, as text on one line: control characters are written `\xNN` too,
/// and `…` stands for what was cut off.
pub fn excerpt(bytes: &[u8], max_bytes: usize) -> String {
    let kept = bytes.get(..max_bytes).unwrap_or(bytes);
    let mut text = Vec::with_capacity(kept.len());
    for character in String::from_utf8_lossy(&storable(kept)).chars() {
        let mut buffer = [0; 4];
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii_control() && byte != b'\t' => push_escape(byte, &mut text),
            _ => text.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if kept.len() < bytes.len() {
        text.push('…');
    }
    text
}

fn push_valid(mut bytes: &[u8], text: &mut Vec<u8>) {
    while let Some(at) = memchr2(0, b'\\', bytes) {
        let (before, from) = bytes.split_at(at);
        text.extend_from_slice(before);
        let Some((byte, after)) = from.split_first() else { break };
        match (byte, after) {
            (b'\\', [b'x', high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                push_escape(b'\\', text);
            }
            (b'\\', _) => text.push(b'\\'),
            _ => push_escape(*byte, text),
        }
        bytes = after;
    }
    assert!(!cfg!(test) || memchr(0, bytes).is_none());
    text.extend_from_slice(bytes);
}

fn push_escape(byte: u8, text: &mut Vec<u8>) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| DIGITS.get(usize::from(value)).map_or(b'?', |digit| *digit as u8); // ASCII digits.
    text.extend_from_slice(&[b'\\', b'x', digit(byte >> 4), digit(byte & 15)]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(String::from_utf8(storable(bytes).into_owned()).unwrap(), expected);
    }

    /// What `storable` promises: every `\xNN` in the text is one byte of the original.
    fn original(text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = text;
        while let Some((first, after)) = rest.split_first() {
            if let [b'\\', b'x', high, low, tail @ ..] = rest
                && high.is_ascii_hexdigit()
                && let Ok(byte) = u8::from_str_radix(str::from_utf8(&[*high, *low]).unwrap_or(""), 16)
            {
                bytes.push(byte);
                rest = tail;
            } else {
                bytes.push(*first);
                rest = after;
            }
        }
        bytes
    }

    #[test]
    fn only_what_cannot_be_held_is_escaped() {
        check(b"comm=sh pid=7", "comm=sh pid=7");
        check("für\u{1b}[0m".as_bytes(), "für\u{1b}[0m");
        check(b"a\0b", "a\\x00b");
        check(b"\xff\xfe!", "\\xff\\xfe!");
        check(b"C:\\temp", "C:\\temp");
    }

    #[test]
    fn a_written_out_escape_stays_what_it_was() {
        check(b"\\x41", "\\x5cx41");
        check(b"\\\\x41 \\xg1", "\\\\x5cx41 \\xg1");
    }

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt(b"a\x1b[31m\nb", 80), "a\\x1b[31m\\x0ab");
        assert_eq!(excerpt(b"0123456789", 4), "0123…");
    }

    proptest! {
        #[test]
        fn text_is_storable_and_tells_its_bytes(bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'\\'), Just(b'x'), Just(0), Just(b'4')], 0..64)) {
            let text = storable(&bytes).into_owned();
            prop_assert!(!text.contains(&0) && str::from_utf8(&text).is_ok());
            prop_assert_eq!(original(&text), bytes);
        }
    }
}
