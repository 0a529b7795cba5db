//! The last column of a function graph: what is called, and whether the line begins or ends it.

use super::{annotation, scan, stated};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphCall<'a> {
    /// `f(args) {`
    Enter { symbol: &'a [u8], args: &'a [u8] },
    /// `f(args);`
    Leaf { symbol: &'a [u8], args: &'a [u8], retval: &'a [u8] },
    /// `}`, `} /* f = -22 */`
    Exit { symbol: Option<&'a [u8]>, retval: &'a [u8] },
    /// `==========> |`
    Irq { enter: bool },
    /// `/* sched_waking: comm=... */`
    Comment(&'a [u8]),
    /// `...`
    Elided,
    /// The start of a call, a comment or a name that the next line continues.
    Unfinished,
    /// No call at all, or nothing that we know.
    Nothing,
}

/// The call in `body`, which has no blanks around it. Text that a person drew before the symbol
/// (`|     hrtimer_forward();`, `+---->ktime_get();`) and wrote after the line is left aside.
pub fn parse(body: &[u8]) -> GraphCall<'_> {
    match body.first() {
        None => GraphCall::Nothing,
        Some(b'}' | b'/') if is_open_comment(body) => GraphCall::Unfinished,
        Some(b'}') => exit(body.get(1..).unwrap_or_default()),
        Some(b'/') if body.starts_with(b"/*") => GraphCall::Comment(comment_text(body)),
        _ if annotation::is_elision(body) => GraphCall::Elided,
        _ => called(body),
    }
}

/// True where another call, or a column before one, follows the call in `body`: two lines have become one.
pub fn has_second(body: &[u8]) -> bool {
    let behind = behind_call(body).unwrap_or_default();
    let call = body.get(..body.len().saturating_sub(behind.len())).unwrap_or_default();
    // `(~7.5us)   |    f() {`: what a person wrote before a symbol.
    let begins_with_symbol = body.first().is_some_and(|byte| scan::is_symbol_byte(*byte));
    let has_bar = begins_with_symbol && memchr::memmem::find(call, b" |").is_some();
    let has_more = behind.iter().any(|byte| matches!(byte, b'|' | b'{' | b'}' | b';'));
    let is_odd_exit = body.strip_prefix(b"}").is_some_and(stated::is_odd_exit);
    let has_two = |mark| memchr::memmem::find_iter(body, mark).nth(1).is_some();
    let has_two_comments = !body.starts_with(b"/*") && (has_two(b"/*") || has_two(b"*/"));
    // `f(); /* = 0x0ccount_g = 0x0 */`; what people write into a comment is in words.
    let value = memchr::memmem::find(body, b"; /* ").and_then(|at| body.get(at.saturating_add(5)..));
    let value = value.and_then(|value| scan::split_once(value, b"*/")).map(|(value, _)| value);
    let is_odd_value =
        value.is_some_and(|value| value.starts_with(b"= ") && stated::is_odd_comment_of_call(value));
    has_columns(body)
        || has_bar
        || is_odd_exit
        || is_odd_value
        || !behind.is_empty() && annotation::is_filler(scan::trim(behind))
        // A person writes `f() { ...`, and a second line has its indentation.
        || behind.starts_with(b"   ") && annotation::is_elision(scan::trim(behind))
        || has_two_comments
        || has_more && annotation::note(body).is_none()
}

/// True where the columns of a line precede the symbol: a bar ends them, which a hand-written note does not have.
fn has_columns(body: &[u8]) -> bool {
    let before = body.get(..memchr::memchr(b'(', body).unwrap_or(0)).unwrap_or_default();
    let column = memchr::memrchr(b'|', before).and_then(|bar| before.get(..bar)).unwrap_or_default();
    column.iter().any(u8::is_ascii_alphanumeric)
}

/// True where the symbol is not the first thing in `body`. Without a bar before them, a person draws no lines.
pub fn has_text_before(body: &[u8], call: &GraphCall<'_>) -> bool {
    let is_called = matches!(call, GraphCall::Enter { .. } | GraphCall::Leaf { .. });
    is_called && symbol_column(body, call) > 0
}

/// What follows the first end of a call, or of the comment in its place.
fn behind_call(body: &[u8]) -> Option<&[u8]> {
    let behind_comment = |text: &'_ [u8]| memchr::memmem::find(text, b"*/").map(|at| at.saturating_add(2));
    let end = match body.first()? {
        b'/' => behind_comment(body)?,
        b'}' if scan::skip_blanks(body.get(1..)?).starts_with(b"/*") => behind_comment(body)?,
        b'}' => 1,
        _ => memchr::memchr_iter(b')', body).find_map(|at| {
            let behind = body.get(at.checked_add(1)?..)?;
            let length = if behind.starts_with(b";") { 2 } else { 3 };
            (behind.starts_with(b";") || behind.starts_with(b" {")).then(|| at.saturating_add(length))
        })?,
    };
    body.get(end..)
}

/// True where a comment begins and does not end.
fn is_open_comment(body: &[u8]) -> bool {
    memchr::memmem::find(body, b"/*").is_some() && memchr::memmem::find(body, b"*/").is_none()
}

/// Bytes of `rest` before the symbol (or `}`), art and notes of a person included.
pub fn symbol_column(rest: &[u8], call: &GraphCall<'_>) -> usize {
    let first = rest.len().saturating_sub(scan::skip_blanks(rest).len());
    match call {
        GraphCall::Enter { symbol, .. } | GraphCall::Leaf { symbol, .. } if !symbol.is_empty() => {
            match rest.get(first..).is_some_and(|body| body.starts_with(symbol)) {
                true => first,
                false => memchr::memmem::find_iter(rest, symbol)
                    .find(|at| rest.get(at.saturating_add(symbol.len())) == Some(&b'('))
                    .unwrap_or(first),
            }
        }
        GraphCall::Exit { .. } => memchr::memchr(b'}', rest).unwrap_or(first),
        _ => first,
    }
}

/// Text of a person before the symbol, without the lines drawn around it: `additional part`.
pub fn note_before(rest: &[u8], column: usize) -> &[u8] {
    let is_art = |byte: &u8| matches!(byte, b'|' | b'+' | b'-' | b'>' | b'\\' | b'/' | b' ' | b'\t');
    let text = rest.get(..column).unwrap_or_default();
    let start = text.iter().take_while(|byte| is_art(byte)).count();
    let end = text.iter().rev().take_while(|byte| is_art(byte)).count();
    text.get(start..text.len().saturating_sub(end)).unwrap_or_default()
}

/// What follows a `}`: nothing, a comment, a depth ` (2)`, a return value ` (ret=0x0)` of trace-cmd, a note.
fn exit(behind: &[u8]) -> GraphCall<'_> {
    let behind = scan::trim(behind);
    let (comment, tail) = match behind.starts_with(b"/*") {
        true => split_comment(behind),
        false => (&b""[..], behind),
    };
    let (symbol, retval) = name_and_retval(comment);
    let retval = if retval.is_empty() { tail_retval(tail) } else { retval };
    GraphCall::Exit { symbol: (!symbol.is_empty()).then_some(symbol), retval }
}

/// `/* text */` and what follows it. Text may hold `*/`, so only the last one counts.
fn split_comment(text: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memmem::rfind(text, b"*/") {
        Some(end) => {
            let inside = text.get(2..end).unwrap_or_default();
            (scan::trim(inside), text.get(end.saturating_add(2)..).unwrap_or_default())
        }
        None => (scan::trim(text.get(2..).unwrap_or_default()), b""),
    }
}

fn comment_text(body: &[u8]) -> &[u8] {
    split_comment(body).0
}

/// `f`, `f = -22` (6.5 to 6.12), `f ret=-22` (later), `= 0x0`, `ret=0x0`, `<-caller+0x1/0x2 ret=0x0`.
fn name_and_retval(comment: &[u8]) -> (&[u8], &[u8]) {
    for mark in [&b"ret="[..], b"= "] {
        if let Some(at) = memchr::memmem::rfind(comment, mark)
            && let Some((name, value)) = comment.split_at_checked(at)
            && (name.is_empty() || name.ends_with(b" "))
        {
            return (scan::trim(name), scan::trim(value.get(mark.len()..).unwrap_or_default()));
        }
    }
    (comment, b"")
}

/// `(ret=0x0)` after a line of trace-cmd report.
fn tail_retval(tail: &[u8]) -> &[u8] {
    let value = scan::split_once(tail, b"(ret=").map(|(_, value)| value);
    let end = value.and_then(|value| memchr::memchr(b')', value));
    end.and_then(|end| value?.get(..end)).unwrap_or_default()
}

/// `f(args) {`, `f [mod](); /* = 0x0 */`, with what a person drew before it.
fn called(body: &[u8]) -> GraphCall<'_> {
    // trace-cmd prints a function that it cannot name as `) {`.
    if body.starts_with(b") {") || body == b")" {
        return GraphCall::Enter { symbol: b"[unknown]", args: b"" };
    }
    let Some((symbol, rest)) = symbol(body) else {
        return match body.strip_suffix(b"}") {
            Some(art) if art.iter().all(|byte| matches!(byte, b'|' | b'+' | b'-' | b'>' | b' ')) => exit(b""),
            // `cppc_cpufreq_get_rate` / `[cppc_cpufreq]() {`
            None if body.iter().all(|byte| scan::is_symbol_byte(*byte)) => GraphCall::Unfinished,
            _ => GraphCall::Nothing,
        };
    };
    let (code, comment, tail) = split_tail(rest);
    let (caller, retval) = name_and_retval(comment);
    let retval = if retval.is_empty() { tail_retval(tail) } else { retval };
    match code.last() {
        Some(b'{') => GraphCall::Enter { symbol, args: arguments(code, caller) },
        Some(b';') => GraphCall::Leaf { symbol, args: arguments(code, caller), retval },
        _ => GraphCall::Nothing,
    }
}

/// The symbol, with ` [module]`, and its parenthesis on: the first `(` that directly follows a name.
fn symbol(body: &[u8]) -> Option<(&[u8], &[u8])> {
    for open in memchr::memchr_iter(b'(', body).take(64) {
        let mut end = open;
        if let Some(before) = body.get(..open)
            && before.ends_with(b"]")
            && let Some(bracket) = memchr::memrchr(b'[', before)
        {
            end = bracket.saturating_sub(1);
        }
        let name = body.get(..end)?;
        let length = name.iter().rev().take_while(|byte| scan::is_symbol_byte(**byte)).count();
        let start = end.saturating_sub(length);
        if length > 0 {
            return Some((body.get(start..open)?, body.get(open..)?));
        }
    }
    None
}

/// Cuts `(args) { /* comment */ note` into code, comment and the rest.
fn split_tail(rest: &[u8]) -> (&[u8], &[u8], &[u8]) {
    // The common line ends right after the code.
    if let Some(b'{' | b';') = rest.last() {
        return (rest, b"", b"");
    }
    let comment_at = [&b"; /*"[..], b"{ /*"].iter().find_map(|mark| memchr::memmem::find(rest, mark));
    if let Some(at) = comment_at
        && let Some((code, comment)) = rest.split_at_checked(at.saturating_add(1))
    {
        let (text, tail) = split_comment(scan::skip_blanks(comment));
        return (code, text, tail);
    }
    let end = [&b"); "[..], b") { ", b");\t", b") {\t"].iter().find_map(|mark| {
        memchr::memmem::rfind(rest, mark).map(|at| at.saturating_add(mark.len()).saturating_sub(1))
    });
    match end.and_then(|end| rest.split_at_checked(end)) {
        Some((code, tail)) => (code, b"", tail),
        None => (rest, b"", b""),
    }
}

/// The text between the first `(` and the last `)`; the caller of the retaddr option where there is none.
fn arguments<'a>(code: &'a [u8], caller: &'a [u8]) -> &'a [u8] {
    let close = memchr::memrchr(b')', code).unwrap_or(1);
    match code.get(1..close) {
        Some(args) if !args.is_empty() => args,
        _ => caller,
    }
}
