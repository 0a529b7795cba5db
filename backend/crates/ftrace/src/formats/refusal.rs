//! Names what a file is when it is not a recording of ours.

use crate::input::container::{Compression, archive_name, compression_of, refused_archive};
use crate::model::{Code, FailureClass, Place, ReadError};

/// The refusal of an expanded head that holds another wrapping: archives, compression in compression.
pub fn refused_wrapping(head: &[u8]) -> Option<ReadError> {
    if let Some(name) = archive_name(head) {
        return Some(refused_archive(name));
    }
    (compression_of(head) != Compression::None).then(|| {
        let code = Code::NestedCompression;
        ReadError::new(FailureClass::Unsupported, code, Place::byte(0), code.sentence())
    })
}

/// The refusal of a head that no format knows: the text of `perf script`, or anything else.
pub fn refused_content(head: &[u8]) -> ReadError {
    let code = if is_perf_script(head) { Code::PerfScriptText } else { Code::UnknownFormat };
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
    fn other_text_is_unknown() {
        check("<!DOCTYPE html>\n<html>\n", Code::UnknownFormat);
        check("          <idle>-0     [001] d..1.  1.000100: cpu_idle: state=1\n", Code::UnknownFormat);
        check("", Code::UnknownFormat);
    }
}
