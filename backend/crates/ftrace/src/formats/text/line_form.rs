//! The form of printed arguments: what stays when their values are taken out.
//!
//! `local_timer:236 start 1263.775719917 duration 5958 ns` has the form `w 9 w 9 w`, and so has every other
//! record of this event. A line that is put together from two has another form.

use std::hash::Hasher;

use super::scan;

/// Hexadecimal digits that make a word an address.
const MIN_ADDRESS_DIGITS: usize = 8;

/// What a word between blanks may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Name,
    Number,
    /// Without a letter or digit: `==>`
    Sign,
}

/// Writes the form of `args` into `hasher`.
pub fn write(args: &[u8], hasher: &mut impl Hasher) {
    if let Some((_, array)) = scan::split_once(args, b"ARRAY[") {
        hasher.write_usize(array_length(array).unwrap_or_default());
    }
    let mut is_in_value = false;
    let mut was_name = false;
    // Brackets of the value that are not closed yet.
    let mut open_brackets = 0_usize;
    for word in words(args) {
        if word.contains(&b'=') && word.iter().any(u8::is_ascii_alphanumeric) {
            write_keys(word, hasher);
            (is_in_value, was_name) = (true, false);
            let count = |marks: [u8; 3]| word.iter().filter(|byte| marks.contains(byte)).count();
            open_brackets = count(*b"[({").saturating_sub(count(*b"])}"));
            continue;
        }
        let inner = word.strip_suffix(b",").unwrap_or(word);
        let (open, inner) = split_start(inner);
        let (inner, close) = split_end(inner);
        let kind = kind_of(inner);
        // A value or a name may hold blanks: `comm=Web Content`, `caller=ARRAY[cc, 3b]`.
        let is_plain = open.is_empty() && close.is_empty();
        let is_closed = close.is_empty() || !close.ends_with(b":") && close.len() <= open_brackets;
        let is_of_value =
            is_in_value && (kind != Word::Sign || inner.contains(&b'"')) && open.is_empty() && is_closed;
        open_brackets = open_brackets.saturating_sub(close.len());
        let is_more = is_of_value || is_plain && was_name && kind == Word::Name;
        if is_more {
            continue;
        }
        is_in_value = false;
        was_name = is_plain && kind == Word::Name;
        hasher.write(open);
        match kind {
            Word::Name => hasher.write_u8(b'w'),
            Word::Number => hasher.write_u8(b'9'),
            Word::Sign => hasher.write(inner),
        }
        hasher.write(close);
        hasher.write_u8(b' ');
    }
}

/// The name before each `=`, from which a blank may separate it: `pid=3`, `ino = 8`.
pub fn keys(args: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(b'=', args).map(|at| {
        let before = args.get(..at).unwrap_or_default();
        let is_apart = args.get(at.saturating_add(1)) == Some(&b' ');
        // `NR 1 = 1` is a number and what it returned.
        let is_name = |named: &&[u8]| named.last().is_some_and(u8::is_ascii_lowercase);
        let named = before.strip_suffix(b" ").filter(|named| is_apart && is_name(named));
        let before = named.unwrap_or(before);
        let length = before.iter().rev().take_while(|byte| is_of_key(**byte)).count();
        before.get(before.len().saturating_sub(length)..).unwrap_or_default()
    })
}

fn write_keys(word: &[u8], hasher: &mut impl Hasher) {
    hasher.write(split_start(word).0);
    for key in keys(word) {
        hasher.write(key);
        hasher.write_u8(b'=');
    }
}

/// The number of bytes in the `ARRAY[ee, 25, d1]` that begins `array`, after its bracket; `None` where it does not
/// end, or holds something else.
pub fn array_length(array: &[u8]) -> Option<usize> {
    let (inside, _) = scan::split_once(array, b"]")?;
    let is_byte = |element: &[u8]| element.len() == 2 && element.iter().all(u8::is_ascii_hexdigit);
    let mut elements = inside.split(|byte| *byte == b',').map(scan::trim);
    match inside {
        b"" => Some(0),
        _ => elements.try_fold(0_usize, |count, element| is_byte(element).then_some(count.saturating_add(1))),
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| scan::is_blank(*byte)).filter(|word| !word.is_empty())
}

/// The opening brackets of a word, and the rest.
fn split_start(word: &[u8]) -> (&[u8], &[u8]) {
    let length = word.iter().take_while(|byte| matches!(byte, b'[' | b'(' | b'{')).count();
    word.split_at_checked(length).unwrap_or((word, b""))
}

/// A word, and its closing brackets and colon.
fn split_end(word: &[u8]) -> (&[u8], &[u8]) {
    let length = word.iter().rev().take_while(|byte| matches!(byte, b']' | b')' | b'}' | b':')).count();
    word.split_at_checked(word.len().saturating_sub(length)).unwrap_or((word, b""))
}

fn kind_of(word: &[u8]) -> Word {
    let digits = word.strip_prefix(b"0x").unwrap_or(word);
    let is_address = (digits.len() >= MIN_ADDRESS_DIGITS || digits.len() < word.len())
        && digits.iter().all(u8::is_ascii_hexdigit);
    let is_decimal = word.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    match word.iter().any(u8::is_ascii_alphanumeric) || !word.is_ascii() {
        false => Word::Sign,
        true if is_address || is_decimal => Word::Number,
        true => Word::Name,
    }
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a form down as text.
    #[derive(Default)]
    struct Text(Vec<u8>);

    impl Hasher for Text {
        fn finish(&self) -> u64 {
            0
        }

        fn write(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }

        fn write_u8(&mut self, byte: u8) {
            self.0.push(byte);
        }
    }

    fn check(args: &str, expected: &str) {
        let mut text = Text::default();
        write(args.as_bytes(), &mut text);
        assert_eq!(String::from_utf8(text.0).unwrap().trim_end(), expected, "{args}");
    }

    #[test]
    fn values_and_names_are_taken_out() {
        check("local_timer:236 start 1263.775719917 duration 5958 ns", "w 9 w 9 w");
        check("kworker/0:1:10 [120] W ==> Web Content:656 [120]", "w [9] w ==> w [9]");
        check("comm=Web Content pid=5 prio=120", "comm=pid=prio=");
        check("vec=7 [action=SCHED]", "vec=[action=");
        check("arg1=\"cd ..\" arg2=5", "arg1=arg2=");
        check("vector=f, ff, ff]", "vector=w]");
        check("(0x446540 <- 0x446420) arg1=446540", "(9 <- 9) arg1=");
        check("timer=000000007185f23b function6: vec=7", "timer=w: vec=");
    }

    #[test]
    fn two_lines_in_one_have_another_form() {
        check(
            "local_timer:236 start 1263.7 duration 595ocal_timer:236 start 1.2 duration 6 ns",
            "w 9 w 9 w 9 w",
        );
        check(
            "local_timer:236 095: irq_noise: local_timer:236 start 117.2 duration 192221 ns",
            "w 9: w: w 9 w 9 w",
        );
    }

    #[test]
    fn a_name_may_be_apart_from_its_sign() {
        let names = |args: &'static str| {
            let names: Vec<&str> =
                keys(args.as_bytes()).map(|key| str::from_utf8(key).unwrap_or_default()).collect();
            names.join(" ")
        };
        assert_eq!(names("dev = (7,0), ino = 8, copied = 64"), "dev ino copied");
        assert_eq!(names("comm=x pid=3"), "comm pid");
        assert_eq!(names("NR 1 = 1"), "");
        assert_eq!(names("prev_state=R ==> next_comm=x"), "prev_state   next_comm");
    }

    #[test]
    fn arrays_hold_bytes_and_end() {
        assert_eq!(array_length(b"cc, 3b, c4] x"), Some(3));
        assert_eq!(array_length(b"]"), Some(0));
        assert_eq!(array_length(b"cc, 3b, c8ee=14 caller=ARRAY[cc]"), None);
        assert_eq!(array_length(b"cc, 3b"), None);
    }
}
