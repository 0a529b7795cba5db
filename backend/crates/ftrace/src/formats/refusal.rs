//! Names what a file is when it is not a recording of ours.

use crate::input::container::{archive_name, refused_archive, wrapping_of};
use crate::model::{Code, FailureClass, Place, ReadError};

/// The refusal of an expanded head that holds another wrapping: archives, compression in compression.
pub fn refused_wrapping(head: &[u8]) -> Option<ReadError> {
    if let Some(name) = archive_name(head) {
        return Some(refused_archive(name));
    }
    wrapping_of(head).map(|_| {
        let code = Code::NestedCompression;
        ReadError::new(FailureClass::Unsupported, code, Place::byte(0), code.sentence())
    })
}

/// True where a head is of what the code names.
type Is = fn(&[u8]) -> bool;

/// What people take for a recording.
static KNOWN: &[(Is, Code)] = &[
    (is_perf_script, Code::PerfScriptText),
    (is_json, Code::JsonTrace),
    (is_tracefs_description, Code::TracefsDescription),
];

/// The refusal of a head that no format knows: what it is instead, where that is known.
pub fn refused_content(head: &[u8]) -> ReadError {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let known = KNOWN.iter().find(|(is, _)| is(head));
    let code = known.map_or(Code::UnknownFormat, |(_, code)| *code);
    ReadError::new(FailureClass::Unsupported, code, Place::line(1, 0), code.sentence())
}

/// True where most of the first lines are `perf script`'s:
/// `swapper     0 [001] 106439.675571:       sched:sched_switch: prev_comm=...`
///
/// It differs from ftrace text in the blank (not a dash) between comm and pid and in the system's name
/// before the event's; the layout with call chains has indented frames between such lines.
pub fn is_perf_script(head: &[u8]) -> bool {
    let mut event_lines = 0_u32;
    let mut other_lines = 0_u32;
    for line in head.split(|byte| *byte == b'\n').take(200) {
        let is_frame = line.starts_with(b"\t") || line.starts_with(b"            ");
        if line.trim_ascii().is_empty() || line.starts_with(b"#") || is_frame {
            continue;
        }
        match is_perf_event_line(line) {
            true => event_lines = event_lines.saturating_add(1),
            false => other_lines = other_lines.saturating_add(1),
        }
    }
    event_lines > 0 && event_lines > other_lines
}

fn is_json(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    [&b"{\"traceEvents\""[..], b"{\"displayTimeUnit\"", b"[{", b"[\n{"]
        .iter()
        .any(|begin| start.starts_with(begin))
        || start.starts_with(b"{") && memchr::memmem::find(start, b"\"traceEvents\"").is_some()
}

/// `events/*/*/format`, `events/*/*/hist`, and `printk_formats`:
/// `0xffffffff81e24b8f : "Entries can be duplicated"`
fn is_tracefs_description(head: &[u8]) -> bool {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_format = first.starts_with(b"name: ") && memchr::memmem::find(head, b"\nformat:\n").is_some();
    let is_histogram = first == b"# event histogram";
    let is_printk =
        first.starts_with(b"0x") && first.ends_with(b"\"") && memchr::memmem::find(first, b" : \"").is_some();
    is_format || is_histogram || is_printk
}

fn is_perf_event_line(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).skip(1).peekable();
    // The comm may hold blanks; the pid is the last bare number before `[cpu]` or the time.
    let mut before: &[u8] = b"";
    while let Some(word) = words.next() {
        let is_cpu = word.first() == Some(&b'[') && word.last() == Some(&b']');
        if is_cpu || is_perf_time(word) {
            let is_pid = !before.is_empty()
                && before.iter().all(|byte| byte.is_ascii_digit() || *byte == b'/')
                && before.first().is_some_and(u8::is_ascii_digit);
            let time_follows = !is_cpu || words.peek().is_some_and(|next| is_perf_time(next));
            return is_pid && time_follows;
        }
        before = word;
    }
    false
}

/// `106439.675571:`
fn is_perf_time(word: &[u8]) -> bool {
    word.strip_suffix(b":").is_some_and(|time| {
        time.contains(&b'.') && time.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Code) {
        assert_eq!(refused_content(text.as_bytes()).code, expected, "{text}");
    }

    #[test]
    fn perf_script_is_named() {
        check("swapper     0 [001] 106439.675571:  sched:sched_switch: prev_comm=a\n", Code::PerfScriptText);
        check("sleep 1234/1234 [000] 1.000100: 1 cycles:\n\tffffffff do_idle (k)\n", Code::PerfScriptText);
        check("my task  77 106439.675571: probe:x: (ffff)\n", Code::PerfScriptText);
    }

    #[test]
    fn what_people_take_for_a_recording_is_named() {
        check("{\"traceEvents\": []}", Code::JsonTrace);
        check("[{\"ph\": \"X\"}]", Code::JsonTrace);
        check("name: sched_switch\nID: 103\nformat:\n\tfield:int x;\n", Code::TracefsDescription);
        check("# event histogram\n#\n{ lat: 32 } hitcount: 1\n", Code::TracefsDescription);
        check("0xffffffff81e24b8f : \"Entries can be duplicated\"\n", Code::TracefsDescription);
    }

    #[test]
    fn other_text_is_unknown() {
        check("<!DOCTYPE html>\n<html>\n", Code::UnknownFormat);
        check("          <idle>-0     [001] d..1.  1.000100: cpu_idle: state=1\n", Code::UnknownFormat);
        check("", Code::UnknownFormat);
    }
}
