//! `key=value` pairs, and the `key: number` of modules' own events.

use memchr::memmem;

use super::Args;
use super::value::{Value, parse_number};

/// A kernel comm has 15 bytes, each of which may be stored as `\xNN`.
const MAX_COMM_BYTES: usize = 60;
const MAX_KEY_BYTES: usize = 64;
/// Digits of a 64-bit number, its sign and blanks before it.
const MAX_NUMBER_BYTES: usize = 40;
/// Keys that are looked at in one text, so that its cost is bounded by its length.
const MAX_KEYS: usize = 256;

/// `(event, field, field after it)`: fields that may hold anything, also what looks like the next one.
/// None after it: they reach to the end. Fields named `...comm` before `...pid` need no line.
/// Source: include/trace/events/{irq,sched,task}.h, Linux 6.12.
const FREE_TEXT: &[(&str, &str, Option<&str>)] = &[
    ("irq_handler_entry", "name", None),
    ("sched_process_exec", "filename", Some("pid")),
    ("sched_prepare_exec", "interp", Some("filename")),
    ("sched_prepare_exec", "filename", Some("pid")),
    ("sched_prepare_exec", "comm", None),
    ("task_newtask", "comm", Some("clone_flags")),
    ("task_rename", "oldcomm", Some("newcomm")),
    ("task_rename", "newcomm", Some("oom_score_adj")),
];

/// Adds the pairs of `text`.
pub fn parse<'a>(event: &str, text: &'a str, args: &mut Args<'a>) {
    let mut at = 0;
    for _ in 0..MAX_KEYS {
        let Some(key) = next_key(text, at) else { break };
        let end = key.free_text_end(event, text).or_else(|| next_key(text, key.value_at).map(|next| next.at));
        let end = end.unwrap_or(text.len());
        let value = text.get(key.value_at..end).unwrap_or_default();
        at = end;
        if key.is_colon {
            // `stat: now: 5`: only numbers are told from prose.
            match leading_number(value) {
                Some(number) => args.push(key.name, number),
                None => at = key.value_at,
            }
        } else if key.is_free_text(event) {
            args.push(key.name, Value::text(value.trim_end()));
        } else {
            args.push(key.name, trimmed(value));
        }
    }
}

/// A name followed by `=`, or by `:` where a number follows.
struct Key<'a> {
    name: &'a str,
    at: usize,
    value_at: usize,
    is_colon: bool,
}

impl Key<'_> {
    fn is_free_text(&self, event: &str) -> bool {
        self.name.ends_with("comm") || self.listed(event).is_some()
    }

    fn listed(&self, event: &str) -> Option<&'static (&'static str, &'static str, Option<&'static str>)> {
        FREE_TEXT.iter().find(|(known, field, _)| *known == event && *field == self.name)
    }

    /// Where a value that may hold anything ends: at the last place where the next field can begin.
    fn free_text_end(&self, event: &str, text: &str) -> Option<usize> {
        if self.is_colon {
            return None;
        }
        let rest = text.get(self.value_at..)?;
        let found = match self.listed(event) {
            Some((_, _, None)) => return Some(text.len()),
            Some((_, _, Some(next))) => rest.rfind(&format!(" {next}=")),
            None => {
                let next = format!(" {}pid=", self.name.strip_suffix("comm")?);
                let reach = MAX_COMM_BYTES.saturating_add(next.len()).min(rest.len());
                memmem::rfind(rest.as_bytes().get(..reach)?, next.as_bytes())
            }
        };
        // The field after it begins behind the blank.
        self.value_at.checked_add(found?)
    }
}

/// The next key at or after `from`. A key begins the text or stands behind a blank or an opening.
fn next_key(text: &str, from: usize) -> Option<Key<'_>> {
    let bytes = text.as_bytes();
    let mut search = from;
    loop {
        let sign = memchr::memchr2(b'=', b':', bytes.get(search..)?)?.checked_add(search)?;
        search = sign.checked_add(1)?;
        let before = text.get(from..sign)?;
        let name_at = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        let name_at = name_at.map_or(from, |at| from.saturating_add(at).saturating_add(1));
        let name_at = if text.is_char_boundary(name_at) { name_at } else { continue };
        let name = text.get(name_at..sign)?;
        let is_name =
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.len() <= MAX_KEY_BYTES;
        let stands_free =
            name_at.checked_sub(1).and_then(|at| bytes.get(at)).is_none_or(|byte| b" \t([{,;".contains(byte));
        let is_colon = bytes.get(sign) == Some(&b':');
        let value = text.get(search..)?;
        if is_name && stands_free && (!is_colon || leading_number(value).is_some()) {
            return Some(Key { name, at: name_at, value_at: search, is_colon });
        }
    }
}

/// The number that begins a value, up to a blank or a separator: ` 14372743560 [us]`.
fn leading_number(value: &str) -> Option<Value<'_>> {
    let begin = value.bytes().take(MAX_NUMBER_BYTES).position(|byte| byte != b' ')?;
    let value = value.get(begin..)?;
    let is_end = |byte: &u8| b" \t\n,;)]}".contains(byte);
    let end = value.bytes().take(MAX_NUMBER_BYTES).position(|byte| is_end(&byte));
    // Where no end is near, this is the last word or no number.
    let word = value.get(..end.unwrap_or(value.len()))?;
    let number = parse_number(word)?;
    Some(Value { text: word, number: Some(number) })
}

/// A value without what separates it from the next: `R+ ==>`, `do_it,`, `TIMER]`, `12345 [ns]`.
fn trimmed(value: &str) -> Value<'_> {
    let value = value.trim();
    let value = value.strip_suffix("==>").unwrap_or(value);
    let value = value.trim_end_matches([',', ';', ' ', '[', '(', '{']);
    let value = if value.contains(['[', '(', '{']) { value } else { value.trim_end_matches([']', ')', '}']) };
    leading_number(value).unwrap_or_else(|| Value::text(value))
}
