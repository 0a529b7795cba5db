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

/// Takes the colours of a terminal out of `text`, as `grep --color=always` puts them around what it found; true
/// where there were any. `\x1b[01;31m\x1b[Ksched_switch\x1b[m\x1b[K`
pub fn strip_colours(text: &mut Vec<u8>) -> bool {
    let mut out = Vec::new();
    let mut rest = text.as_slice();
    let mut is_changed = false;
    while let Some(at) = memchr::memchr(0x1b, rest) {
        let (before, sequence) = rest.split_at_checked(at).unwrap_or((rest, b""));
        out.extend_from_slice(before);
        let length = colour_bytes(sequence);
        is_changed |= length.is_some();
        let (kept, behind) = sequence.split_at_checked(length.unwrap_or(1)).unwrap_or((sequence, b""));
        if length.is_none() {
            out.extend_from_slice(kept);
        }
        rest = behind;
    }
    if is_changed {
        out.extend_from_slice(rest);
        *text = out;
    }
    is_changed
}

/// True where a text holds colours.
pub fn has_colours(text: &[u8]) -> bool {
    memchr::memchr_iter(0x1b, text).any(|at| text.get(at..).and_then(colour_bytes).is_some())
}

/// Length of the sequence that begins here, if it is a colour or clears the rest of a line.
fn colour_bytes(text: &[u8]) -> Option<usize> {
    let parameters = text.strip_prefix(b"\x1b[")?;
    let length = parameters.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    matches!(parameters.get(length), Some(b'm' | b'K')).then_some(length.saturating_add(3))
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
