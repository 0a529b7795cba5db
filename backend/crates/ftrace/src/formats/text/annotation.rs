//! Lines between the records: lost events, stack frames, rules, notes of a person.

use super::{context, scan};

/// Events that are missing on a CPU, and how many where the line says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss<'a> {
    /// As of a record; empty for the top one.
    pub buffer: &'a [u8],
    pub cpu: u64,
    pub count: Option<u64>,
}

/// `CPU:1 [LOST 228456 EVENTS]`, `CPU:7 [204600 EVENTS DROPPED]`, `##### CPU 2 buffer started ####`.
///
/// The kernel prints the last only where the buffer has overrun: what this CPU did before is overwritten.
/// trace-cmd puts the buffer before it: `     rt: CPU:1 [17944 EVENTS DROPPED]`.
pub fn loss(text: &[u8]) -> Option<Loss<'_>> {
    let (buffer, text) = match scan::split_once(text, b": CPU:") {
        Some((prefix, _)) => (context::buffer(prefix), text.get(prefix.len().saturating_add(2)..)?),
        None => (&b""[..], text),
    };
    if let Some(rest) = text.strip_prefix(b"CPU:") {
        let (cpu, rest) = scan::number(rest)?;
        let inside = scan::skip_blanks(rest).strip_prefix(b"[")?.strip_suffix(b"]")?;
        let amount = match inside.strip_prefix(b"LOST ") {
            Some(amount) => amount.strip_suffix(b"EVENTS")?,
            None => inside.strip_suffix(b"EVENTS DROPPED")?,
        };
        return Some(Loss { buffer, cpu, count: scan::parse_u64(scan::trim(amount)) });
    }
    let (cpu, rest) = scan::number(text.strip_prefix(b"##### CPU ")?)?;
    let behind = rest.strip_prefix(b" buffer started")?;
    behind.iter().all(|byte| matches!(byte, b' ' | b'#')).then_some(Loss { buffer, cpu, count: None })
}

/// The function of ` => do_idle`, ` =>  <00007fbba3d62545>`, `=> do_idle (ffffffff84a0012f)`.
pub fn frame(text: &[u8]) -> Option<&[u8]> {
    let frame =
        text.strip_prefix(b"=>").filter(|rest| rest.first().is_some_and(|byte| scan::is_blank(*byte)))?;
    let frame = scan::trim(frame);
    match memchr::memmem::rfind(frame, b" (") {
        Some(at) if frame.ends_with(b")") => frame.get(..at),
        _ => Some(frame),
    }
}

/// True for lines that carry nothing: rules, prompts, what tools say.
pub fn is_filler(text: &[u8]) -> bool {
    let is_rule = text.len() >= 20 && text.iter().all(|byte| *byte == b'-');
    is_rule
        || text == b"^C"
        || is_prompt(text)
        || is_overrun_count(text)
        || is_fence(text)
        || is_page_mark(text)
        || text == b"TRACE:"
        || text.starts_with(b"capturing trace...")
        || is_said_by_trace_cmd(text)
        || is_dump_banner(text)
}

/// "```text", as people put around a listing; a hole filled with such signs is longer.
fn is_fence(text: &[u8]) -> bool {
    let signs = text.iter().take_while(|byte| **byte == b'`').count();
    (3..=8).contains(&signs) && text.iter().skip(signs).all(u8::is_ascii_alphanumeric)
}

/// `(Overruns: 0)`
fn is_overrun_count(text: &[u8]) -> bool {
    let count = text.strip_prefix(b"(Overruns: ").and_then(|text| text.strip_suffix(b")"));
    count.is_some_and(|count| scan::parse_u64(count).is_some())
}

/// The kernel prints `[LINE TOO BIG]` in place of a line that does not fit its buffer.
pub fn is_cut_line(text: &[u8]) -> bool {
    text.ends_with(b"[LINE TOO BIG]")
}

/// `CPU:1 [SUBBUFFER START] [10773890620:0x9a000]`, after `rt: ` for one of several buffers.
fn is_page_mark(text: &[u8]) -> bool {
    scan::split_once(text, b" [SUBBUFFER START] [").is_some_and(|(before, _)| {
        before.starts_with(b"CPU:") || memchr::memmem::find(before, b": CPU:").is_some()
    })
}

/// What trace-cmd report prints between and after the events with -w, -V and --debug.
fn is_said_by_trace_cmd(text: &[u8]) -> bool {
    let begins = [
        &b"Average wakeup latency: "[..],
        b"Maximum Latency: ",
        b"Minimum Latency: ",
        b"RT task timings:",
        b"registering plugin: ",
        b"overriding event (",
        b"TIME EXTEND: ",
        b"TIME STAMP: ",
    ];
    begins.iter().any(|begin| text.starts_with(begin))
}

/// What the kernel prints around the buffer on its console (`ftrace_dump_on_oops`).
fn is_dump_banner(text: &[u8]) -> bool {
    matches!(text, b"Dumping ftrace buffer:" | b"(ftrace buffer empty)")
}

/// `...`, `[...]`, `<snip>`, `[omitted for brevity]`, `……`, and the `.` of a column of dots.
pub fn is_elision(text: &[u8]) -> bool {
    let brackets = [(&b"["[..], &b"]"[..]), (b"<", b">"), (b"(", b")")];
    let inside = brackets.into_iter().find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let inside = inside.unwrap_or(text);
    let is_word = matches!(inside, b"snip" | b"omitted" | b"omitted for brevity");
    let is_dots = !inside.is_empty() && inside.len() <= 12 && inside.iter().all(|byte| *byte == b'.');
    is_word || is_dots || !inside.is_empty() && inside.chunks(3).all(|part| part == "\u{2026}".as_bytes())
}

/// `root@x:~# cat trace`, `[root@x y]# cat trace`, `$ trace-cmd report`
fn is_prompt(text: &[u8]) -> bool {
    let command = [&b"# "[..], b"$ "].iter().find_map(|mark| scan::split_once(text, mark));
    command.is_some_and(|(before, command)| {
        let is_known = [&b"cat "[..], b"trace-cmd ", b"tail ", b"head ", b"echo "]
            .iter()
            .any(|name| command.starts_with(name));
        is_known && (before.is_empty() || before.contains(&b'@') || before.contains(&b':'))
    })
}

/// Cuts a note of a person off printed arguments: `mode=ABS <========= prepare to sleep`,
/// `foo()  <---- spinlock`, `foo()   <- here`. ` <-parent` of a function and ` <-- parent` of trace-cmd are none.
/// The note begins right behind the arrow, which people set apart from it.
pub fn note(args: &[u8]) -> Option<(&[u8], &[u8])> {
    for at in memchr::memchr_iter(b'<', args) {
        let (before, arrow) = args.split_at_checked(at)?;
        if !before.last().is_some_and(|byte| scan::is_blank(*byte)) {
            continue;
        }
        let body = arrow.get(1..).unwrap_or_default();
        let shaft = body.iter().take_while(|byte| matches!(byte, b'=' | b'-')).count();
        let text = body.get(shaft..).unwrap_or_default();
        // A short arrow counts only apart from what it points at, on both sides.
        let is_apart = (before.ends_with(b"  ") || before.ends_with(b"\t"))
            && text.first().is_some_and(|byte| scan::is_blank(*byte));
        let is_long = body.starts_with(b"==") || body.starts_with(b"---");
        if !(is_long || shaft > 0 && is_apart) {
            continue;
        }
        return Some((scan::trim_end(before), scan::trim_end(text)));
    }
    None
}

/// True where the arrow of a note follows a letter or digit at once, as where the line before it ends early: `cl<====`.
pub fn has_glued_arrow(args: &[u8]) -> bool {
    memchr::memchr_iter(b'<', args).any(|at| {
        let before = at.checked_sub(1).and_then(|at| args.get(at));
        before.is_some_and(u8::is_ascii_alphanumeric)
            && args.get(at..).is_some_and(|arrow| arrow.starts_with(b"<=="))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_name_their_cpu() {
        let check = |line: &str, expected: Option<(u64, Option<u64>)>| {
            assert_eq!(loss(line.as_bytes()).map(|loss| (loss.cpu, loss.count)), expected, "{line}");
        };
        check("CPU:1 [LOST 228456 EVENTS]", Some((1, Some(228_456))));
        check("CPU:1 [LOST EVENTS]", Some((1, None)));
        check("CPU:7 [204600 EVENTS DROPPED]", Some((7, Some(204_600))));
        check("CPU:7 [EVENTS DROPPED]", Some((7, None)));
        check("##### CPU 2 buffer started ####", Some((2, None)));
        check("CPU:0 [LOST 18446744073709551615 EVENTS]", Some((0, Some(u64::MAX))));
        check("CPU:1 [SUBBUFFER START]", None);
        check("rt: CPU:1 [17944 EVENTS DROPPED]", Some((1, Some(17_944))));
        check("it said CPU:1 [LOST EVENTS]", None);
    }

    #[test]
    fn frames_lose_their_address_in_brackets() {
        assert_eq!(frame(b"=> do_idle"), Some(&b"do_idle"[..]));
        assert_eq!(frame(b"=> do_idle (ffffffff84a0012f)"), Some(&b"do_idle"[..]));
        assert_eq!(frame(b"=>  <00007fbba3d62545>"), Some(&b"<00007fbba3d62545>"[..]));
        assert_eq!(frame(b"==> x"), None);
    }

    #[test]
    fn notes_are_cut_off_and_parents_are_not() {
        assert_eq!(note(b"mode=ABS <========= prepare"), Some((&b"mode=ABS"[..], &b" prepare"[..])));
        assert_eq!(note(b"f <-g  <---- here"), Some((&b"f <-g"[..], &b" here"[..])));
        assert_eq!(note(b"f <-g"), None);
        assert_eq!(note(b"f <-- g"), None);
        assert_eq!(note(b"f();   <- why?"), Some((&b"f();"[..], &b" why?"[..])));
        assert_eq!(note(b"8,0    A   W 1234 + 8 <- (8,1) 1226"), None);
        assert_eq!(note(b"prev_comm=<===x"), None);
        assert!(!has_glued_arrow(b"prev_comm=<===x <=== here"));
        assert!(has_glued_arrow(b"hrtimer=000000002ad8bc6a cl<==== syscall returns."));
    }
}
