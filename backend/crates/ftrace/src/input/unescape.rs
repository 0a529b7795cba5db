//! Characters that something on the way wrote as several: mail, web pages, scripts.

/// A string and what stands for it.
pub type Replacement = (&'static [u8], &'static [u8]);

pub const ENTITIES: &[Replacement] = &[
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&quot;", b"\""),
    (b"&#39;", b"'"),
    (b"&nbsp;", b" "),
    (b"&amp;", b"&"),
];

/// Replaces every occurrence, once from front to back; true where there was one.
pub fn replace(text: &mut Vec<u8>, replacements: &[Replacement]) -> bool {
    let starts = |byte: &u8| replacements.iter().any(|(from, _)| from.first() == Some(byte));
    if !text.iter().any(starts) {
        return false;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_slice();
    let mut is_changed = false;
    while let Some((first, behind)) = rest.split_first() {
        let found =
            replacements.iter().find_map(|(from, to)| rest.strip_prefix(*from).map(|rest| (rest, to)));
        match found {
            Some((after, to)) => {
                out.extend_from_slice(to);
                rest = after;
                is_changed = true;
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    *text = out;
    is_changed
}

/// Appends `line` with its `=3D` decoded; true where there was one.
pub fn decode_quoted_printable(line: &[u8], out: &mut Vec<u8>) -> bool {
    let mut rest = line;
    let mut is_changed = false;
    while let Some((first, behind)) = rest.split_first() {
        let digit = |at: usize| behind.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let byte = match (first, digit(0), digit(1)) {
            (b'=', Some(high), Some(low)) => u8::try_from(high.saturating_mul(16).saturating_add(low)).ok(),
            _ => None,
        };
        match byte {
            Some(byte) => {
                out.push(byte);
                is_changed = true;
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    is_changed
}

/// Appends a line of a JavaScript string with its escapes undone; an escaped line end at its end is its own.
pub fn unescape_script(line: &[u8], out: &mut Vec<u8>) {
    let line = line.strip_suffix(b"\\").filter(|rest| !rest.ends_with(b"\\")).unwrap_or(line);
    let line = line.strip_suffix(b"\\n").filter(|rest| !rest.ends_with(b"\\")).unwrap_or(line);
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, b""));
        out.extend_from_slice(before);
        match escape.get(1) {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(byte @ (b'\\' | b'"' | b'\'' | b'/')) => out.push(*byte),
            Some(byte) => out.extend_from_slice(&[b'\\', *byte]),
            None => out.push(b'\\'),
        }
        rest = escape.get(2..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}
