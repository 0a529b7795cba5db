//! Text that is not one byte a character: byte order marks and UTF-16.

/// How the bytes of a text file become characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// ASCII, UTF-8 or anything else without a wider unit; passed on as it is.
    Bytes,
    Utf16 {
        big_endian: bool,
    },
}

impl Encoding {
    /// The encoding of a file by its first bytes, and the length of its byte order mark.
    ///
    /// UTF-16 without a mark is recognised by its zero bytes: the first characters of a trace are ASCII.
    pub fn of(head: &[u8]) -> (Self, usize) {
        match head {
            [0xef, 0xbb, 0xbf, ..] => (Self::Bytes, 3),
            [0xff, 0xfe, ..] => (Self::Utf16 { big_endian: false }, 2),
            [0xfe, 0xff, ..] => (Self::Utf16 { big_endian: true }, 2),
            _ => {
                let units = head.chunks_exact(2).take(64);
                let count = units.len();
                let (high, low) = units.fold((0, 0), |(high, low), unit| match unit {
                    [0, character] if *character != 0 => (high + 1, low),
                    [character, 0] if *character != 0 => (high, low + 1),
                    _ => (high, low),
                });
                match count >= 8 {
                    true if high == count => (Self::Utf16 { big_endian: true }, 0),
                    true if low == count => (Self::Utf16 { big_endian: false }, 0),
                    _ => (Self::Bytes, 0),
                }
            }
        }
    }
}

/// Appends `raw` as UTF-8 and answers how many of its bytes are used up; the others are half a character.
/// A surrogate without its partner, and at the `end` a lone byte, become U+FFFD.
pub fn decode_utf16(raw: &[u8], big_endian: bool, end: bool, text: &mut Vec<u8>) -> usize {
    let mut used = 0_usize;
    let unit = |at: usize| -> Option<u16> {
        let bytes = <[u8; 2]>::try_from(raw.get(at..at.checked_add(2)?)?).ok()?;
        Some(if big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    while let Some(first) = unit(used) {
        let is_high = (0xd800..0xdc00).contains(&first);
        let second = if is_high { unit(used.saturating_add(2)) } else { None };
        if is_high && second.is_none() && !end {
            return used;
        }
        let pair = [first, second.unwrap_or_default()];
        let (character, length) = match char::decode_utf16(pair).next() {
            Some(Ok(character)) => (character, character.len_utf16().saturating_mul(2)),
            _ => (char::REPLACEMENT_CHARACTER, 2),
        };
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        used = used.saturating_add(length);
    }
    if end && used < raw.len() {
        text.extend_from_slice(char::REPLACEMENT_CHARACTER.encode_utf8(&mut [0; 4]).as_bytes());
        used = raw.len();
    }
    used
}

/// Bytes that decoded text took in its UTF-16 file.
pub fn utf16_size(text: &[u8]) -> u64 {
    let bytes = text.iter().map(|byte| match byte {
        0x80..0xc0 => 0_u64,
        0xf0..=0xff => 4,
        _ => 2,
    });
    bytes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &[u8], end: bool, expected: (&str, usize)) {
        let mut text = Vec::new();
        let used = decode_utf16(raw, false, end, &mut text);
        assert_eq!((std::str::from_utf8(&text).unwrap(), used), expected);
    }

    #[test]
    fn utf16_becomes_utf8() {
        check(b"a\0\xe9\0", false, ("a\u{e9}", 4));
        check(b"\x3d\xd8\x00\xdea\0", false, ("\u{1f600}a", 6));
    }

    #[test]
    fn half_characters_wait_or_are_replaced() {
        check(b"a\0\x3d\xd8", false, ("a", 2));
        check(b"a\0\x3d\xd8", true, ("a\u{fffd}", 4));
        check(b"a\0b", true, ("a\u{fffd}", 3));
    }

    #[test]
    fn marks_and_zero_bytes_tell_the_encoding() {
        assert_eq!(Encoding::of(b"\xff\xfea\0"), (Encoding::Utf16 { big_endian: false }, 2));
        assert_eq!(Encoding::of(b"#\0 \0t\0r\0a\0c\0e\0r\0"), (Encoding::Utf16 { big_endian: false }, 0));
        assert_eq!(Encoding::of(b"\xef\xbb\xbf# tracer"), (Encoding::Bytes, 3));
        assert_eq!(Encoding::of(b"# tracer: nop\0\0\0\0"), (Encoding::Bytes, 0));
    }
}
