//! Lines of a stream, bounded in length, with their place in the expanded file.

use std::io::{self, Read};

use super::container;
use super::encoding::{Encoding, decode_utf16, utf16_size};
use crate::model::{Place, ReadError};

const CHUNK_BYTES: usize = 256 << 10;
/// What [`LineReader::head`] looks at.
const HEAD_BYTES: usize = 64 << 10;

/// Cuts a stream into lines without holding more than one chunk and one line of it.
pub struct LineReader<'r> {
    reader: &'r mut dyn Read,
    encoding: Encoding,
    /// Text that is read and decoded; `start..end` of it is not handed out yet.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes as read, before decoding; only for UTF-16.
    raw: Vec<u8>,
    at_end: bool,
    failure: Option<io::Error>,
    line_number: u64,
    byte_offset: u64,
    /// Of the last UTF-16 character, where the file ends inside it.
    missing_bytes: u64,
    max_line_bytes: usize,
    long_line: Vec<u8>,
}

/// One line without its end (`\n` or `\r\n`).
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    pub text: &'a [u8],
    pub place: Place,
    /// Bytes of the file that `text` and its line end took.
    pub used_bytes: u64,
    /// Bytes of an overlong line that are not in `text`.
    pub cut_bytes: u64,
    /// False where the file ends without a line end.
    pub is_complete: bool,
}

impl<'r> LineReader<'r> {
    /// Errors: those of the stream before its first byte.
    pub fn new(reader: &'r mut dyn Read, max_line_bytes: usize) -> Result<Self, ReadError> {
        let mut lines = Self {
            reader,
            encoding: Encoding::Bytes,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            raw: Vec::new(),
            at_end: false,
            failure: None,
            line_number: 0,
            byte_offset: 0,
            missing_bytes: 0,
            max_line_bytes: max_line_bytes.max(256),
            long_line: Vec::new(),
        };
        lines.buffer.resize(CHUNK_BYTES.max(lines.max_line_bytes.saturating_mul(2)), 0);
        while lines.end < HEAD_BYTES && !lines.at_end {
            lines.fill();
        }
        let (encoding, mark_bytes) = Encoding::of(lines.unread());
        lines.byte_offset = mark_bytes as u64;
        lines.start = mark_bytes;
        if encoding != Encoding::Bytes {
            lines.encoding = encoding;
            lines.raw = lines.unread().to_vec();
            (lines.start, lines.end) = (0, 0);
            lines.decode();
        }
        if lines.end == 0
            && let Some(failure) = lines.failure.take()
        {
            return Err(container::read_error(failure));
        }
        Ok(lines)
    }

    /// The first decoded bytes, before any line is taken.
    pub fn head(&self) -> &[u8] {
        let unread = self.unread();
        unread.get(..HEAD_BYTES).unwrap_or(unread)
    }

    /// True where the text was recoded from UTF-16, so that its offsets are not those of the file.
    pub fn is_utf16(&self) -> bool {
        self.encoding != Encoding::Bytes
    }

    /// Bytes of the file before the next line.
    pub fn byte_offset(&self) -> u64 {
        self.byte_offset
    }

    /// The next line; `None` at the end of the stream.
    ///
    /// Errors: those of the stream, after the last whole line before the failure.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        let mut searched = 0_usize;
        let found = loop {
            let unread = self.unread();
            let Some(fresh) = unread.get(searched..) else { break None };
            if let Some(at) = memchr::memchr(b'\n', fresh) {
                break searched.checked_add(at);
            }
            searched = unread.len();
            if self.at_end || searched > self.max_line_bytes {
                break None;
            }
            self.fill();
        };
        match found {
            Some(length) if length <= self.max_line_bytes => Ok(Some(self.take(length, true))),
            _ if searched > self.max_line_bytes || found.is_some() => Ok(Some(self.take_long())),
            _ => match self.failure.take() {
                Some(failure) => Err(container::read_error(failure)),
                None if searched == 0 => Ok(None),
                None => Ok(Some(self.take(searched, false))),
            },
        }
    }

    fn unread(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Hands out `length` bytes of text, and the line end after it.
    fn take(&mut self, length: usize, is_complete: bool) -> Line<'_> {
        let size = length.saturating_add(usize::from(is_complete));
        let from = self.start;
        let place = self.advance(size);
        let text = self.buffer.get(from..from.saturating_add(length)).unwrap_or_default();
        let used_bytes = self.byte_offset.saturating_sub(place.byte_offset);
        Line { text: text.strip_suffix(b"\r").unwrap_or(text), place, used_bytes, cut_bytes: 0, is_complete }
    }

    /// Hands out the start of a line that is too long and throws the rest of it away.
    fn take_long(&mut self) -> Line<'_> {
        let kept_bytes = self.whole_characters(self.max_line_bytes);
        self.long_line.clear();
        let kept = self.start..self.start.saturating_add(kept_bytes);
        self.long_line.extend_from_slice(self.buffer.get(kept).unwrap_or_default());
        let place = self.advance(kept_bytes);
        let used_bytes = self.byte_offset.saturating_sub(place.byte_offset);
        let is_complete = loop {
            let line_end = memchr::memchr(b'\n', self.unread());
            let size = line_end.map_or(self.unread().len(), |at| at.saturating_add(1));
            self.skip(size);
            if line_end.is_some() || self.at_end {
                break line_end.is_some();
            }
            self.fill();
        };
        let cut_bytes = self.byte_offset.saturating_sub(place.byte_offset).saturating_sub(used_bytes);
        Line { text: &self.long_line, place, used_bytes, cut_bytes, is_complete }
    }

    /// At most `most_bytes` of text; of decoded text, whole characters, each of which has its own bytes of
    /// the file.
    fn whole_characters(&self, most_bytes: usize) -> usize {
        let is_inside = |at: &usize| matches!(self.unread().get(*at), Some(0x80..0xc0));
        match self.encoding {
            Encoding::Bytes => most_bytes.min(self.unread().len()),
            Encoding::Utf16 { .. } => {
                (0..=most_bytes.min(self.unread().len())).rev().find(|at| !is_inside(at)).unwrap_or(0)
            }
        }
    }

    fn advance(&mut self, size: usize) -> Place {
        self.line_number = self.line_number.saturating_add(1);
        let place = Place::line(self.line_number, self.byte_offset);
        self.skip(size);
        place
    }

    fn skip(&mut self, size: usize) {
        let file_bytes = match self.encoding {
            Encoding::Bytes => size as u64,
            Encoding::Utf16 { .. } => utf16_size(self.unread().get(..size).unwrap_or_default()),
        };
        self.byte_offset = self.byte_offset.saturating_add(file_bytes);
        self.start = self.start.saturating_add(size).min(self.end);
        if self.at_end && self.start == self.end {
            self.byte_offset = self.byte_offset.saturating_sub(std::mem::take(&mut self.missing_bytes));
        }
    }

    /// Reads one more piece after `end`, and makes room for it first.
    fn fill(&mut self) {
        if self.start > 0 && self.buffer.len().saturating_sub(self.end) < CHUNK_BYTES / 4 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end = self.end.saturating_sub(self.start);
            self.start = 0;
        }
        if self.buffer.len() == self.end {
            self.buffer.resize(self.end.saturating_add(CHUNK_BYTES), 0);
        }
        match self.encoding {
            Encoding::Bytes => {
                let count = read(self.reader, self.buffer.get_mut(self.end..), &mut self.failure);
                self.end = self.end.saturating_add(count);
                self.at_end = count == 0;
            }
            Encoding::Utf16 { .. } => {
                let kept = self.raw.len();
                self.raw.resize(kept.saturating_add(CHUNK_BYTES / 4), 0);
                let count = read(self.reader, self.raw.get_mut(kept..), &mut self.failure);
                self.raw.truncate(kept.saturating_add(count));
                self.at_end = count == 0;
                self.decode();
            }
        }
    }

    fn decode(&mut self) {
        let Encoding::Utf16 { big_endian } = self.encoding else { return };
        self.buffer.truncate(self.end);
        if self.at_end && !self.raw.len().is_multiple_of(2) {
            self.missing_bytes = 1;
        }
        let used = decode_utf16(&self.raw, big_endian, self.at_end, &mut self.buffer);
        self.raw.drain(..used);
        self.end = self.buffer.len();
    }
}

/// Bytes read; 0 at the end of the stream and on a failure, which is kept.
fn read(reader: &mut dyn Read, into: Option<&mut [u8]>, failure: &mut Option<io::Error>) -> usize {
    let into = into.unwrap_or_default();
    loop {
        match reader.read(into) {
            Ok(count) => return count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                *failure = Some(error);
                return 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    /// Answers at most `step` bytes at a time.
    struct Slow<'a> {
        bytes: &'a [u8],
        step: usize,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.step.min(into.len()).min(self.bytes.len());
            into[..count].copy_from_slice(&self.bytes[..count]);
            self.bytes = &self.bytes[count..];
            Ok(count)
        }
    }

    fn lines(bytes: &[u8], step: usize, max_line_bytes: usize) -> Vec<String> {
        let mut reader = Slow { bytes, step };
        let mut lines = LineReader::new(&mut reader, max_line_bytes).unwrap();
        let mut seen = Vec::new();
        let mut accounted = lines.byte_offset();
        while let Some(line) = lines.next_line().unwrap() {
            assert_eq!(line.place.byte_offset, accounted);
            accounted += line.used_bytes + line.cut_bytes;
            let text = String::from_utf8_lossy(line.text);
            let text = if text.len() > 20 { format!("{} bytes", text.len()) } else { text.into_owned() };
            seen.push(format!(
                "{}@{} {text:?} used {} cut {} complete {}",
                line.place.line.unwrap(),
                line.place.byte_offset,
                line.used_bytes,
                line.cut_bytes,
                line.is_complete
            ));
        }
        assert_eq!(accounted, bytes.len() as u64);
        seen
    }

    fn check(bytes: &[u8], expected: Expect) {
        expected.assert_eq(&lines(bytes, usize::MAX, 256).join("\n"));
    }

    #[test]
    fn line_ends_and_marks_are_taken_off() {
        check(
            b"\xef\xbb\xbfa\r\n\nb",
            expect![[r#"
            1@3 "a" used 3 cut 0 complete true
            2@6 "" used 1 cut 0 complete true
            3@7 "b" used 1 cut 0 complete false"#]],
        );
    }

    #[test]
    fn utf16_lines_have_places_in_the_file() {
        check(
            b"\xff\xfea\0\r\0\n\0\x3d\xd8\x00\xde\n\0",
            expect![[r#"
            1@2 "a" used 6 cut 0 complete true
            2@8 "😀" used 6 cut 0 complete true"#]],
        );
    }

    #[test]
    fn a_file_may_end_inside_a_utf16_character() {
        check(b"\xff\xfea\0\n", expect![[r#"1@2 "a�" used 3 cut 0 complete false"#]]);
    }

    #[test]
    fn a_cut_line_keeps_whole_utf16_characters() {
        let mut bytes = b"\xff\xfe".to_vec();
        bytes.extend(b"x\0".repeat(255));
        bytes.push(b'y');
        check(&bytes, expect![[r#"1@2 "255 bytes" used 510 cut 1 complete false"#]]);
        bytes.extend(b"\0\x3d\xd8\x00\xde\n\0");
        bytes.extend(b"z\0");
        check(
            &bytes,
            expect![[r#"
            1@2 "256 bytes" used 512 cut 6 complete true
            2@520 "z" used 2 cut 0 complete false"#]],
        );
    }

    #[test]
    fn overlong_lines_are_cut_and_the_next_one_is_read() {
        let mut bytes = vec![b'x'; 1_000];
        bytes.extend_from_slice(b"\nnext\n");
        check(
            &bytes,
            expect![[r#"
            1@0 "256 bytes" used 256 cut 745 complete true
            2@1001 "next" used 5 cut 0 complete true"#]],
        );
    }

    proptest! {
        #[test]
        fn the_size_of_the_pieces_changes_nothing(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0xff), Just(0), any::<u8>()], 0..2_000),
            step in 1..100_usize,
        ) {
            prop_assert_eq!(lines(&bytes, step, 256), lines(&bytes, usize::MAX, 256));
        }
    }
}
