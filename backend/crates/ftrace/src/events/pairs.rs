//! `key=value` pairs in printed arguments, and the `key: number` of modules' own events.

use memchr::memmem;

use super::number::parse_number;

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

/// A pair as it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<'a> {
    pub name: &'a str,
    /// The text before the next pair, with the separator.
    pub value: &'a str,
    /// `name: number`; the value begins with the number.
    pub is_colon: bool,
    /// The value may hold anything, as names do.
    pub is_free_text: bool,
}

/// The pairs of `text`, the arguments of an event of that name, in their order.
pub fn pairs<'a>(event: &str, text: &'a str) -> impl Iterator<Item = Pair<'a>> {
    let mut at = 0;
    let mut left = MAX_KEYS;
    std::iter::from_fn(move || {
        loop {
            left = left.checked_sub(1)?;
            let key = next_key(text, at)?;
            let next = || next_key(text, key.value_at).map(|next| next.at);
            let end = key.free_text_end(event, text).or_else(next).unwrap_or(text.len());
            let value = text.get(key.value_at..end).unwrap_or_default();
            if key.is_colon && leading_number(value).is_none() {
                // `stat: now: 5`: only a number is distinguishable from prose.
                at = key.value_at;
                continue;
            }
            at = end;
            let is_free_text = !key.is_colon && key.is_free_text(event);
            return Some(Pair { name: key.name, value, is_colon: key.is_colon, is_free_text });
        }
    })
}

/// The integer that the field of this name holds; `None` where it is none.
pub fn field_number(event: &str, text: &str, field: &str) -> Option<i64> {
    let pair = pairs(event, text).find(|pair| pair.name == field).filter(|pair| !pair.is_free_text)?;
    leading_number(pair.value).map(|number| number.value)
}

/// A number at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadingNumber<'a> {
    pub value: i64,
    pub text: &'a str,
    /// What follows it: ` [us], `.
    pub rest: &'a str,
}

/// The number that begins a value, up to a blank or a separator: ` 14372743560 [us]`.
pub fn leading_number(value: &str) -> Option<LeadingNumber<'_>> {
    let begin = value.bytes().take(MAX_NUMBER_BYTES).position(|byte| byte != b' ')?;
    let value = value.get(begin..)?;
    let is_end = |byte: &u8| b" \t\n,;)]}".contains(byte);
    let end = value.bytes().take(MAX_NUMBER_BYTES).position(|byte| is_end(&byte));
    // Where no end is near, this is the last word or no number.
    let (text, rest) = value.split_at_checked(end.unwrap_or(value.len()))?;
    Some(LeadingNumber { value: parse_number(text)?, text, rest })
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
            Some((_, _, Some(next))) => last_key(rest.as_bytes(), next, "="),
            None => {
                let prefix = self.name.strip_suffix("comm")?;
                let reach = MAX_COMM_BYTES.saturating_add(prefix.len()).saturating_add(" pid=".len());
                last_key(rest.as_bytes().get(..reach.min(rest.len()))?, prefix, "pid=")
            }
        };
        // The field after it begins after the blank.
        self.value_at.checked_add(found?)
    }
}

/// The position of the last blank that `prefix` and `suffix` follow.
fn last_key(text: &[u8], prefix: &str, suffix: &str) -> Option<usize> {
    memmem::rfind_iter(text, suffix).find_map(|at| {
        let before = text.get(..at)?.strip_suffix(prefix.as_bytes())?;
        before.strip_suffix(b" ").map(<[u8]>::len)
    })
}

/// The next key at or after `from`. A key begins the text or follows a blank or an opening.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(event: &str, text: &str, field: &str, expected: Option<i64>) {
        assert_eq!(field_number(event, text, field), expected, "{text}");
    }

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let text = "hrtimer stat: now: 14372743560 [us] expect_expires: 14372733904 [us], delta: 9656";
        check("hrtimer_cb", text, "delta", Some(9_656));
        check("hrtimer_cb", text, "expires", None);
        check("hrtimer_cb", text, "stat", None);
        check("x", "latency=-5 [us]", "latency", Some(-5));
        check("x", "p=0xffff888012345678", "p", None);
    }

    #[test]
    fn a_name_that_looks_like_a_field_is_a_name() {
        let text = "comm=a runtime=1 pid=7 runtime=12345 [ns]";
        check("sched_stat_runtime", text, "runtime", Some(12_345));
        check("sched_stat_runtime", text, "comm", None);
    }
}
