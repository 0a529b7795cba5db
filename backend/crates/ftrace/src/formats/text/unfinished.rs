//! Records that do not end with their line: broken by a mailer, or cut at the end of the file.

use super::context;
use super::graph::{self, Graph};
use super::reader::{TextReader, Verdict};
use super::scan;
use crate::model::{Place, ReadError};

/// A record whose first part stood on a line of its own.
#[derive(Debug, Default)]
pub struct Unfinished {
    pub text: Vec<u8>,
    pub place: Place,
    pub bytes: u64,
    parts: u8,
}

/// Lines that one record may be broken into.
const MAX_PARTS: u8 = 16;

/// True where the last line, which has no line end, stops within its record: it has fewer fields
/// than the record of the same name before it, or its last word is no `key=value` among such.
pub fn is_truncated(line: &[u8], behind: &[u8]) -> bool {
    let Some(context) = context::parse(line) else { return false };
    let name_length = context.payload.iter().position(|byte| *byte == b':').unwrap_or(context.payload.len());
    // ` NAME:` with the blank before it, so that no longer name matches.
    let start = line.len().saturating_sub(context.payload.len()).saturating_sub(1);
    let needle =
        line.get(start..).and_then(|text| text.get(..name_length.saturating_add(2))).unwrap_or_default();
    let fields = |text: &[u8]| memchr::memchr_iter(b'=', text).count();
    if !needle.is_empty()
        && let Some(at) = memchr::memmem::rfind(behind, needle)
    {
        let earlier = behind.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', earlier).unwrap_or(earlier.len());
        return fields(context.payload) < fields(earlier.get(..end).unwrap_or_default());
    }
    let args = scan::trim(context.payload.get(name_length.saturating_add(1)..).unwrap_or_default());
    let last = memchr::memrchr(b' ', args).and_then(|at| args.get(at..)).unwrap_or_default();
    scan::word(args).0.contains(&b'=') && !last.is_empty() && !last.contains(&b'=') && !last.ends_with(b"]")
}

impl TextReader<'_> {
    /// Tries the line that waits and `text` as one; where that is no record either, the first is
    /// unreadable and `text` stands for itself.
    pub(super) fn go_on(&mut self, text: &[u8], place: Place) -> Result<Verdict, ReadError> {
        let mut waiting = std::mem::take(&mut self.unfinished);
        let length = waiting.text.len();
        let is_short = length.saturating_add(text.len()) < self.limits.max_line_bytes;
        if is_short && waiting.parts < MAX_PARTS && !scan::trim(text).is_empty() {
            waiting.text.push(b' ');
            waiting.text.extend_from_slice(scan::trim(text));
            // A line with a task or a CPU is a record of its own.
            let is_graph_record = matches!(graph::parse(text), Graph::Line(line) if line.cpu.is_some());
            let starts_record = is_graph_record || context::parse(text).is_some();
            let verdict =
                if starts_record { Verdict::Unparsed } else { self.line(&waiting.text, waiting.place)? };
            match verdict {
                Verdict::Used | Verdict::Dropped => {
                    self.tally.account(verdict == Verdict::Used, waiting.bytes, 0);
                    return Ok(verdict);
                }
                Verdict::Unfinished => {
                    // The bytes of `text` are accounted for with the rest of the record.
                    self.unfinished = waiting;
                    return Ok(Verdict::Unfinished);
                }
                Verdict::Unparsed => waiting.text.truncate(length),
            }
        }
        let is_used = self.judge(Verdict::Unparsed, &waiting.text, waiting.place, true)?;
        self.tally.account(is_used, waiting.bytes, 0);
        self.line(text, place)
    }

    pub(super) fn keep_unfinished(&mut self, text: &[u8], place: Place, bytes: u64) {
        if self.unfinished.text.is_empty() {
            self.unfinished.text.extend_from_slice(text);
            self.unfinished.place = place;
        }
        self.unfinished.bytes = self.unfinished.bytes.saturating_add(bytes);
        self.unfinished.parts = self.unfinished.parts.saturating_add(1);
    }
}
