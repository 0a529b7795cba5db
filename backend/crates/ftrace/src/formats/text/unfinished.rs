//! Records that do not end with their line, because a mailer broke it.

use super::context;
use super::graph::{self, Graph};
use super::reader::{TextReader, Verdict};
use super::scan;
use crate::model::{Code, Place, Stop};

/// A record whose first part was on a line of its own.
#[derive(Debug, Default)]
pub struct Unfinished {
    pub text: Vec<u8>,
    pub place: Place,
    pub bytes: u64,
    parts: u8,
}

/// Lines that one record may be broken into.
const MAX_PARTS: u8 = 16;

impl TextReader<'_> {
    /// Tries the line that waits and `text` as one; where that is no record either, the first is
    /// unreadable and `text` stands for itself.
    pub(super) fn go_on(&mut self, text: &[u8], place: Place) -> Result<Verdict, Stop> {
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
                    self.section.suspect(Code::LinesJoined, place, text);
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

    /// Keeps a line that may be the first part of a record, until the next line.
    pub(super) fn keep_unfinished(&mut self, text: &[u8], place: Place, bytes: u64) {
        if self.unfinished.text.is_empty() {
            self.unfinished.text.extend_from_slice(text);
            self.unfinished.place = place;
        }
        self.unfinished.bytes = self.unfinished.bytes.saturating_add(bytes);
        self.unfinished.parts = self.unfinished.parts.saturating_add(1);
    }
}
