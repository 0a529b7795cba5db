//! What people write behind a line, and what is the end of another line behind an arrow of theirs.

use super::{scan, signs};

/// True for the note of a person that is not apart from its arrow, holds a field, or ends with the end of a bracket: that
/// is the end of another line. `k switch (0)`, ` prepare to sl000002ad8bc6a mode=ABS`,
/// ` try to wake up cyclictesges:0 reason:flush on task switch (0)`.
pub fn is_odd_note(note: &[u8]) -> bool {
    let is_letter = |at: Option<usize>| at.and_then(|at| note.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let has_value = |at: usize| note.get(at.saturating_add(1)).is_some_and(u8::is_ascii_alphanumeric);
    // `the next expected wa== try to wake up`
    let has_arrow = memchr::memmem::find_iter(note, b"==").any(|at| {
        is_letter(at.checked_sub(1)) || at.checked_sub(1).and_then(|at| note.get(at)) == Some(&b'<')
    });
    // Behind words, and before others: `the next expected ==== try to wake up`
    let has_rule = memchr::memmem::find(note, b" ===").is_some_and(|at| {
        let behind = note.get(at..).unwrap_or_default().trim_ascii_start();
        behind.iter().any(|byte| !matches!(byte, b'=' | b'>' | b'<'))
    });
    let named = memchr::memchr_iter(b':', note).filter(|at| is_letter(at.checked_sub(1)) && has_value(*at));
    // The end of the kernel's sentence: `wakinreason:flush on task switch (0)`
    let is_named = |count: usize| count > 1 || count == 1 && note.ends_with(b")");
    // `NR 230 = 0`
    let has_result = memchr::memmem::find(note, b" = ").is_some_and(|at| {
        let is_digit = |at: usize| note.get(at).is_some_and(u8::is_ascii_digit);
        at.checked_sub(1).is_some_and(is_digit) && is_digit(at.saturating_add(3))
    });
    is_attached(note)
        || has_result
        || has_named_values(note)
        || is_named(named.count())
        || has_arrow
        || has_rule
        || signs::has_field(note)
        || is_closed_only(note)
        || note.ends_with(b"();")
        || note.ends_with(b"{")
}

/// `cyclictest`, `.`: what follows the arrow at once, and is no bracket or mark of a person: `(here)`, `!`.
fn is_attached(note: &[u8]) -> bool {
    note.first()
        .is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'.' | b',' | b';' | b':'))
}

/// Two values behind their names as the kernel prints them, one of them no word of a person's or an address; or one of
/// both: `ures: 2 xcomp_bv: 8`, `pctivated: x86/fpu: 00000000e2eb3eca initialized: 1`, `promp_bv: 8000000000000007`.
fn has_named_values(note: &[u8]) -> bool {
    const ADDRESS_DIGITS: usize = 16;
    let values = || {
        scan::places_of(note, *b": ").filter_map(|colon| {
            let name = note.get(..colon)?.rsplit(|byte| *byte == b' ').next()?;
            let value = scan::word(note.get(colon.saturating_add(2)..)?).0;
            let digits = value.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            (digits > 0 && digits == value.len() && !name.is_empty()).then_some((name, value))
        })
    };
    let is_of_kernel = |(name, value): (&[u8], &[u8])| {
        name.contains(&b'_') || name.contains(&b'/') || value.len() == ADDRESS_DIGITS
    };
    let is_address = |(name, value): (&[u8], &[u8])| name.contains(&b'_') && value.len() == ADDRESS_DIGITS;
    values().nth(1).is_some() && values().any(is_of_kernel) || values().any(is_address)
}

/// True where a bracket ends that has not begun, and is no face: `:-)`.
fn is_closed_only(text: &[u8]) -> bool {
    memchr::memchr2_iter(b')', b']', text).any(|at| {
        let before = text.get(..at).unwrap_or_default();
        let opens = if text.get(at) == Some(&b')') { b'(' } else { b'[' };
        !before.contains(&opens)
            && !before.ends_with(b":")
            && !before.ends_with(b"-")
            && !before.ends_with(b";")
    })
}

#[cfg(test)]
mod tests {
    use super::is_odd_note;

    #[test]
    fn people_write_words() {
        for note in [
            " prepare to sleep, the next expected waking up time is 6389900935569.",
            " tick interrupt (vector 236) comes :-)",
            " at 12:30:05 -> slow = bad",
            " here a == b",
            " the end ====",
            " see f() at file.c:12",
            "(here)",
            "!",
            " prio: 3 cpu: 4",
            " hrtimer_start: 3 us late",
            "",
        ] {
            assert!(!is_odd_note(note.as_bytes()), "{note}");
        }
        for note in [
            " tick interrupt hrtimer=000000002ad8bc6a",
            " try to wake up cycsh: pages:0 reason:flush on task switch (0)",
            " prepare to 0, rmtp: 0)",
            " the next expected wa== try to wake up",
            " the next expected ==== try to wake up",
            " tick interrupt <=== timer wakeup handler",
            " slo |  f();",
            " prepare to sleep, the next expected wakinreason:flush on task switch (0)",
            " current time is 6389900945120.0 = 0",
            "k switch (0)",
            ".",
            " try to wake up cycures: 2 xcomp_bv: 8000000000000007",
            " try to wake up cyclictest promp_bv: 8000000000000007",
            " pctivated: x86/fpu: 00000000e2eb3eca initialized: 1 xfea",
        ] {
            assert!(is_odd_note(note.as_bytes()), "{note}");
        }
    }
}
