//! What damage looks like in a line that can be read all the same.

use super::annotation;
use super::context::{self, Context, Layout};
use super::flag_word;
use super::payload::Payload;
use super::scan;
use super::stated;
use crate::model::EventKind;

/// Equal bytes in a row that no tracer prints; a hole in a file is longer.
const MAX_RUN: usize = 24;
/// Blanks in a row, which also fill columns.
const MAX_BLANKS: usize = 40;
/// The number of bytes that the kernel keeps of a task's name.
const MAX_NAME_BYTES: usize = 15;

/// True for a parent of a function (`<-parent`) that is more than a symbol with its module, offset or address.
pub fn is_odd_parent(parent: &[u8]) -> bool {
    let parent = annotation::note(parent).map_or(parent, |(parent, _)| parent);
    let (symbol, decoration) = scan::word(parent);
    let is_decorated = matches!(scan::skip_blanks(decoration).first(), None | Some(b'[' | b'<' | b'('));
    let is_of_symbol = |byte: &u8| {
        scan::is_symbol_byte(*byte) || matches!(byte, b'+' | b'/' | b'[' | b']' | b'<' | b'>' | b'?')
    };
    // `<ffffffff8102f3c4>` is an address.
    let has_end_alone = symbol.contains(&b'>') && !symbol.contains(&b'<');
    !is_decorated
        || has_end_alone
        || !symbol.iter().all(is_of_symbol)
        || memchr::memmem::find(parent, b"<-").is_some()
}

/// True for what the kernel and tracers print in one way only, and is not of that way: a system call's return, a
/// raw marker, an array of bytes.
pub fn is_misstated(payload: &Payload<'_>) -> bool {
    match payload {
        Payload::Syscall { enter: false, args, .. } => {
            let args = annotation::note(args).map_or(*args, |(args, _)| args);
            let value = scan::trim(args.strip_prefix(b"->").unwrap_or(args));
            value.is_empty() || value.iter().any(|byte| scan::is_blank(*byte))
        }
        // `dfd: ffffff9c, filename: 7f00`
        Payload::Syscall { enter: true, args, .. } => {
            let first = args.split(|byte| *byte == b',').next().unwrap_or_default();
            !first.is_empty() && !first.contains(&b':')
        }
        Payload::Event { kind: EventKind::Unknown, name: b"raw_data", args } => {
            memchr::memmem::find(args, b" buf:").is_none()
        }
        Payload::Event { kind: EventKind::Tracepoint, args, .. } => stated::has_odd_array(args),
        Payload::Stack { args, .. } => stated::is_odd_stack(args),
        _ => false,
    }
}

/// True where a program printed what no terminal shows or what is no UTF-8, or damage put it there.
pub fn has_controls(payload: &Payload<'_>) -> bool {
    let Payload::Event { kind: EventKind::Print | EventKind::Bprint, args, .. } = payload else {
        return false;
    };
    args.iter().any(|byte| is_control(byte) && *byte != b'\n') || str::from_utf8(args).is_err()
}

/// True for a counter of Android's atrace, `C|124|VSYNC|1`, with more parts than one has.
pub fn is_odd_counter(payload: &Payload<'_>) -> bool {
    const MAX_BARS: usize = 4;
    matches!(payload, Payload::Event { kind: EventKind::Print | EventKind::Bprint, args, .. }
        if args.starts_with(b"C|") && memchr::memchr_iter(b'|', args).count() > MAX_BARS)
}

/// True where two lines have become one, or a part of the line is overwritten.
pub fn has_signs(context: &Context<'_>, payload: &Payload<'_>) -> bool {
    let is_print = matches!(payload, Payload::Event { kind: EventKind::Print | EventKind::Bprint, .. });
    let is_damaged = match payload {
        _ if is_print => false,
        Payload::Graph { text, .. } => is_broken_call(text),
        _ => {
            has_run(context.payload) || has_blanks(context.payload) || context.payload.iter().any(is_control)
        }
    };
    is_damaged
        || is_odd_name(context.task.comm)
        || context.buffer.contains(&b'[')
        || context.task.comm.is_empty() && context.head_bytes > MAX_BLANKS
        || has_header(context.payload)
        || (context::has_head(context.payload) || has_stamp(context.payload))
            && !(is_print && is_quote(context.payload))
}

/// True where the first line of another trace follows without a line feed.
fn has_header(text: &[u8]) -> bool {
    memchr::memchr_iter(b'#', text).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        rest.starts_with(b"# tracer: ") || rest.starts_with(b"# entries-in-buffer/")
    })
}

/// True for a name that the kernel does not keep, with the columns of another line in it, the frame of a stack, a line of
/// the header, or what a hole was filled with. Some tools write whole names of processes.
fn is_odd_name(comm: &[u8]) -> bool {
    comm.len() > MAX_NAME_BYTES
        && (comm.contains(&b'[')
            || comm.contains(&b']')
            || memchr::memmem::find(comm, b"  ").is_some()
            || comm.starts_with(b"=> ")
            || comm.starts_with(b"# ")
            || has_run(comm))
}

/// True for a name after what another program put before it, a quote or the number of a line: `"   bash`,
/// `trace.txt:<...>`, `7:cat`; and for what is left of `<idle>` and `<...>`.
pub fn is_quoted_name(comm: &[u8]) -> bool {
    let has_mark = [&b"<..."[..], b"<idle"].iter().any(|mark| memchr::memmem::find(comm, mark).is_some());
    let (number, behind) = scan::digits(comm);
    // `<idle>` and `<...>` without their beginning.
    let is_end = comm.ends_with(b">") && [&b"idle>"[..], b"...>"].iter().any(|end| end.ends_with(comm))
        || comm.ends_with(b"idle>") && comm != b"<idle>";
    comm.starts_with(b"\"")
        || has_mark && comm != b"<idle>"
        || is_end
        || !number.is_empty() && behind.starts_with(b":")
}

/// True where a marker's text begins with all the columns of a record: a program wrote it so. A line that
/// follows another without a line feed has that one's text before its columns.
fn is_quote(payload: &[u8]) -> bool {
    let Some((_, text)) = scan::split_once(payload, b": ") else { return false };
    let is_padded = |width, layout| {
        text.get(width) == Some(&b'-')
            && context::parse(text)
                .is_some_and(|quoted| quoted.layout == layout && !context::has_head(quoted.payload))
    };
    is_padded(16, Layout::Default) || is_padded(8, Layout::Latency)
}

/// True where one byte is repeated more often than any tracer does; blanks are the depth of a graph.
pub fn has_run(text: &[u8]) -> bool {
    has_run_of(text, MAX_RUN, |byte| byte != b' ')
}

/// True where the call of a graph is filled up, with blanks or others; those before it are its depth. Without any, `|ock();`,
/// it has lost its beginning.
pub fn is_broken_call(text: &[u8]) -> bool {
    let comment = memchr::memmem::find(text, b"/*").unwrap_or(text.len());
    // `/* hrtimer_start: ... mode=ABS|HARD */` has a bar that ends no column.
    let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let is_column =
        |bar: &usize| *bar < comment || !is_letter(bar.checked_sub(1)) || !is_letter(bar.checked_add(1));
    let bar = memchr::memrchr_iter(b'|', text).find(is_column);
    let call = bar.and_then(|bar| text.get(bar.saturating_add(1)..)).unwrap_or(text);
    let is_at_bar = call.len() < text.len() && call.first().is_some_and(u8::is_ascii_alphabetic);
    has_run(text) || has_blanks(scan::trim(call)) || is_at_bar
}

/// True where more blanks follow one another than a column has.
pub fn has_blanks(text: &[u8]) -> bool {
    has_run_of(text, MAX_BLANKS, |byte| byte == b' ')
}

fn has_run_of(text: &[u8], length: usize, is_meant: impl Fn(u8) -> bool) -> bool {
    // A run covers at least one of the places that are half of it apart.
    let step = length / 2;
    (step..text.len()).step_by(step).any(|at| {
        let Some(byte) = text.get(at).filter(|byte| is_meant(**byte)) else { return false };
        let is_same = |other: &&u8| *other == byte;
        let before = text.get(..at).unwrap_or_default().iter().rev().take_while(is_same).count();
        let behind = text.get(at..).unwrap_or_default().iter().take_while(is_same).count();
        before.saturating_add(behind) >= length
    })
}

/// True for a comment that is longer than a header's, holds what only records have, or begins with a small letter at once.
pub fn is_odd_comment(comment: &[u8]) -> bool {
    const MAX_COMMENT_BYTES: usize = 200;
    let marks =
        [&b"();"[..], b": sys_", b" duration ", b" {", b"}", b"*/", b" us ", b"ms (+", b"\r", b"\\n", b" [0"];
    comment.len() > MAX_COMMENT_BYTES
        || marks.iter().any(|mark| memchr::memmem::find(comment, mark).is_some())
        || is_like_record(comment)
        || has_field(comment)
        || comment.ends_with(b">")
        || comment.first().is_some_and(u8::is_ascii_lowercase)
        || comment.starts_with(b" trac") && !comment.starts_with(b" tracer: ")
        || is_symbol(comment)
        || is_sample(comment)
        || has_run_of(comment, MAX_RUN, |byte| !matches!(byte, b' ' | b'-' | b'=' | b'_' | b'*'))
            && comment.iter().any(|byte| *byte != b'#')
}

/// ` mer_interrupt`: the end of a line of the function tracer.
fn is_symbol(comment: &[u8]) -> bool {
    let word = scan::trim(comment);
    word.contains(&b'_') && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// `231   context thread timer_latency    243530 ns`, `3     inner/outer(us): 19938/16030`: what numbers a sample became
/// the sign of a comment when the columns before it were cut off.
fn is_sample(comment: &[u8]) -> bool {
    let behind = scan::number(comment).map(|(_, rest)| scan::skip_blanks(rest)).unwrap_or_default();
    behind.starts_with(b"context ") || behind.starts_with(b"inner/outer")
}

/// `target_cpu=000`; an arrow, `_-----=> irqs-off`, is none.
pub fn has_field(comment: &[u8]) -> bool {
    memchr::memchr_iter(b'=', comment).any(|at| {
        let before = at.checked_sub(1).and_then(|at| comment.get(at));
        let behind = comment.get(at.saturating_add(1));
        before.is_some_and(|byte| scan::is_symbol_byte(*byte))
            && behind.is_some_and(|byte| scan::is_symbol_byte(*byte) || matches!(byte, b'-' | b'"'))
    })
}

/// True for the frame of a stack that is no symbol, with or without its address:
/// `=> 021850: sched_switch:  cyclictest:656 [19] S ==> x`, `=> mlock_fixup (f0b902)`
pub fn is_odd_frame(frame: &[u8]) -> bool {
    const MIN_ADDRESS_DIGITS: usize = 8;
    let address = scan::split_once(frame, b" (").and_then(|(_, address)| address.strip_suffix(b")"));
    let is_address = |text: &[u8]| text.len() >= MIN_ADDRESS_DIGITS && scan::parse_hex(text).is_some();
    address.is_some_and(|address| !is_address(address))
        || stated::is_odd_frame(frame.strip_prefix(b"=>").unwrap_or(frame))
        || has_run(frame)
        || frame.iter().any(is_control)
        || memchr::memmem::find(frame, b": ").is_some()
}

/// True for a line that has lost too much to be a record, and keeps some of its columns: a task, a CPU, a time,
/// a bar.
pub fn is_like_record(line: &[u8]) -> bool {
    // `[001]`
    let is_cpu = |at: usize| digits_before(line, at) == 3 && line.get(at.saturating_sub(4)) == Some(&b'[');
    memchr::memchr_iter(b']', line).any(is_cpu)
        || has_stamp(line)
        || memchr::memchr_iter(b'-', line)
            .any(|at| is_task(line.get(at.saturating_add(1)..).unwrap_or_default()))
        || [&b" us   |"[..], b"] ==> ", b"] R ==> ", b"] S ==> ", b"next_comm=", b" <-"]
            .iter()
            .any(|mark| memchr::memmem::find(line, mark).is_some())
}

/// `1213    1d...1.. ` after the dash of a task, or `1213    [001] `
fn is_task(text: &[u8]) -> bool {
    let (pid, rest) = scan::digits(text);
    let (cpu, flags) = scan::digits(scan::skip_blanks(rest));
    let is_latency = !cpu.is_empty() && flag_word::parse(scan::word(flags).0).is_some();
    !pid.is_empty() && rest.first() == Some(&b' ') && (is_latency || flags.starts_with(b"["))
}

/// True where `text` holds what only a payload follows: `166.727747: `, `345us : `, `345us+: `.
fn has_stamp(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|colon| {
        if text.get(colon.saturating_add(1)) != Some(&b' ') {
            return false;
        }
        let digits = digits_before(text, colon);
        if digits >= 6 {
            return text.get(colon.saturating_sub(digits).saturating_sub(1)) == Some(&b'.');
        }
        let unit = colon.saturating_sub(3);
        let is_micros =
            text.get(unit..colon).is_some_and(|unit| matches!(unit, b"us " | b"us+" | b"us!" | b"us#"));
        is_micros && digits_before(text, unit) > 0
    })
}

fn digits_before(text: &[u8], at: usize) -> usize {
    text.get(..at).unwrap_or_default().iter().rev().take_while(|byte| byte.is_ascii_digit()).count()
}

fn is_control(byte: &u8) -> bool {
    matches!(byte, 0..0x20 | 0x7f) && *byte != b'\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_task_holds_no_frame_and_no_hole() {
        assert!(is_odd_name(b"=> trace_event_raw_event_x86_t"));
        assert!(is_odd_name(b"# entries-in-buffer/entries-written: 38/38le>"));
        assert!(is_odd_name(b"cyclict##########################t"));
        assert!(!is_odd_name(b"com.android.systemui"));
    }

    #[test]
    fn names_behind_quotes_and_numbers_are_told_from_names() {
        for comm in ["<idlidle>", "\"   bash", "trace.txt:<...>", "7:cat", "3:   cat", "<...", "<idle", "le>"]
        {
            assert!(is_quoted_name(comm.as_bytes()), "{comm}");
        }
        for comm in ["bash", "<idle>", "<unknown>", "<4583>", "<-transport", "kworker/0:1", "4", ""] {
            assert!(!is_quoted_name(comm.as_bytes()), "{comm}");
        }
    }
}
