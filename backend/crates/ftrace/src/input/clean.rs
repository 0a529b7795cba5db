//! Takes off what mailers, web pages and terminals put around trace text.

use crate::model::{Code, Place};

/// Lines of the head that decide what is taken off.
const LINES: usize = 400;

/// What was changed, each with how often and where first.
#[derive(Debug, Default)]
struct Changes {
    quoted_printable: Change,
    marks: Change,
    html: Change,
}

#[derive(Debug, Default)]
struct Change {
    count: u64,
    first: Place,
}

impl Change {
    fn at(&mut self, place: Place) {
        if self.count == 0 {
            self.first = place;
        }
        self.count = self.count.saturating_add(1);
    }
}

/// Cleans lines one by one, but only of what the head of the file showed to be there: a trace may
/// itself hold any of these strings.
#[derive(Debug, Default)]
pub struct Cleaner {
    has_quoted_printable: bool,
    has_entities: bool,
    has_nbsp: bool,
    has_markdown: bool,
    has_script_ends: bool,
    prefix: Option<Prefix>,
    changes: Changes,
    text: Vec<u8>,
    /// The first part of a quoted-printable line with a soft end.
    partial: Vec<u8>,
    partial_place: Place,
}

/// What stands before most lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    /// `> > ` of mail.
    Quote,
    /// `+` of a diff.
    Diff,
    /// `  12\t` of an editor.
    LineNumber,
    /// `[   12.345678] ` of the kernel's console.
    Console,
}

/// Joined lines are never longer than this.
const MAX_JOINED_BYTES: usize = 64 << 10;

impl Cleaner {
    /// Decides by the first lines of the file.
    pub fn for_head(head: &[u8]) -> Self {
        let has = |needle: &[u8]| memchr::memmem::find(head, needle).is_some();
        // Two bytes turn up by chance in binary damage.
        let is_text = memchr::memchr(0, head).is_none();
        let lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').take(LINES).collect();
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
        let most = |is: &dyn Fn(&[u8]) -> bool, one_in: usize| {
            let full = lines.iter().filter(|line| !line.trim_ascii().is_empty());
            let (count, all) = full.fold((0_usize, 0_usize), |(count, all), line| {
                (count.saturating_add(usize::from(is(line))), all.saturating_add(1))
            });
            all > 0 && count.saturating_mul(one_in) > all
        };
        let prefixes = [Prefix::Quote, Prefix::Diff, Prefix::LineNumber, Prefix::Console];
        Self {
            has_quoted_printable: has(b"=3D") && lines.iter().any(|line| line.ends_with(b"=")),
            has_entities: has(b"=&gt;") || has(b"&lt;idle&gt;") || has(b"&lt;...&gt;"),
            has_nbsp: is_text && has(b"\xc2\xa0"),
            has_markdown: is_text && has(b"\\_"),
            has_script_ends: most(&|line| line.ends_with(b"\\n\\"), 2),
            prefix: prefixes
                .into_iter()
                .find(|prefix| most(&|line| prefix.strip(line).is_some(), prefix.one_in())),
            ..Self::default()
        }
    }

    /// The cleaned line and its place; `None` where the line goes on in the next one.
    pub fn clean<'a>(&'a mut self, line: &'a [u8], place: Place) -> Option<(&'a [u8], Place)> {
        if self.changes_nothing() {
            return Some((line, place));
        }
        let mut line = line;
        if let Some(rest) = self.prefix.and_then(|prefix| prefix.strip(line)) {
            self.changes.marks.at(place);
            line = rest;
        }
        if self.has_script_ends
            && let Some(rest) = line.strip_suffix(b"\\n\\")
        {
            self.changes.marks.at(place);
            line = rest;
        }
        if !self.has_quoted_printable {
            self.text.clear();
            self.text.extend_from_slice(line);
            self.unescape(place);
            return Some((&self.text, place));
        }
        if self.partial.is_empty() {
            self.partial_place = place;
        }
        let place = self.partial_place;
        match line.strip_suffix(b"=") {
            Some(part) if self.partial.len().saturating_add(part.len()) < MAX_JOINED_BYTES => {
                self.partial.extend_from_slice(part);
                return None;
            }
            _ => self.partial.extend_from_slice(line),
        }
        self.join(place);
        Some((&self.text, place))
    }

    /// What is left of a line whose end did not come.
    pub fn finish(&mut self) -> Option<(&[u8], Place)> {
        if self.partial.is_empty() {
            return None;
        }
        let place = self.partial_place;
        self.join(place);
        Some((&self.text, place))
    }

    /// Each kind of change that was made: its code, how often, where first.
    pub fn changes(&self) -> impl Iterator<Item = (Code, u64, Place)> {
        let changes = [
            (Code::QuotedPrintableDecoded, &self.changes.quoted_printable),
            (Code::QuoteMarksRemoved, &self.changes.marks),
            (Code::HtmlUnescaped, &self.changes.html),
        ];
        changes
            .into_iter()
            .filter(|(_, change)| change.count > 0)
            .map(|(code, change)| (code, change.count, change.first))
    }

    fn changes_nothing(&self) -> bool {
        !self.has_quoted_printable
            && !self.has_entities
            && !self.has_nbsp
            && !self.has_markdown
            && !self.has_script_ends
            && self.prefix.is_none()
    }

    fn join(&mut self, place: Place) {
        self.text.clear();
        if decode_quoted_printable(&self.partial, &mut self.text) {
            self.changes.quoted_printable.at(place);
        }
        self.partial.clear();
        self.unescape(place);
    }

    fn unescape(&mut self, place: Place) {
        if self.has_entities && replace(&mut self.text, ENTITIES) {
            self.changes.html.at(place);
        }
        if self.has_nbsp && replace(&mut self.text, &[(b"\xc2\xa0", b" ")]) {
            self.changes.html.at(place);
        }
        if self.has_markdown && replace(&mut self.text, &[(b"\\_", b"_"), (b"**", b"")]) {
            self.changes.marks.at(place);
        }
    }
}

impl Prefix {
    /// Of how many lines more than one must have it. Mail quotes only what it answers to, and no trace
    /// line begins like a quote.
    fn one_in(self) -> usize {
        match self {
            Self::Quote => 5,
            Self::Diff | Self::LineNumber | Self::Console => 2,
        }
    }

    /// The line without the prefix; `None` where it has none.
    fn strip(self, line: &[u8]) -> Option<&[u8]> {
        match self {
            Self::Quote => {
                let marks = line.iter().take_while(|byte| matches!(byte, b'>' | b' ')).count();
                let end = line.get(..marks)?.iter().rposition(|byte| *byte == b'>')?.checked_add(1)?;
                let rest = line.get(end..)?;
                Some(rest.strip_prefix(b" ").unwrap_or(rest))
            }
            Self::Diff => line.strip_prefix(b"+"),
            Self::LineNumber => {
                let rest = line.trim_ascii_start();
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if digits == 0 { None } else { rest.get(digits..)?.strip_prefix(b"\t") }
            }
            Self::Console => {
                let inside = line.strip_prefix(b"[")?;
                let close = inside.iter().take(24).position(|byte| *byte == b']')?;
                let stamp = inside.get(..close)?.trim_ascii();
                let is_stamp =
                    stamp.contains(&b'.') && stamp.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
                let rest = inside.get(close.checked_add(1)?..).filter(|_| is_stamp)?;
                Some(rest.strip_prefix(b" ").unwrap_or(rest))
            }
        }
    }
}

/// A string and what stands for it.
type Replacement = (&'static [u8], &'static [u8]);

const ENTITIES: &[Replacement] = &[
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&quot;", b"\""),
    (b"&#39;", b"'"),
    (b"&nbsp;", b" "),
    (b"&amp;", b"&"),
];

/// Replaces every occurrence, once from front to back; true where there was one.
fn replace(text: &mut Vec<u8>, replacements: &[Replacement]) -> bool {
    let starts = |byte: &u8| replacements.iter().any(|(from, _)| from.first() == Some(byte));
    if !text.iter().any(starts) {
        return false;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_slice();
    let mut is_changed = false;
    while let Some((first, behind)) = rest.split_first() {
        let found =
            replacements.iter().find_map(|(from, to)| rest.strip_prefix(*from).map(|rest| (rest, to)));
        match found {
            Some((after, to)) => {
                out.extend_from_slice(to);
                rest = after;
                is_changed = true;
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    *text = out;
    is_changed
}

/// Appends `line` with its `=3D` decoded; true where there was one.
fn decode_quoted_printable(line: &[u8], out: &mut Vec<u8>) -> bool {
    let mut rest = line;
    let mut is_changed = false;
    while let Some((first, behind)) = rest.split_first() {
        let digit = |at: usize| behind.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let byte = match (first, digit(0), digit(1)) {
            (b'=', Some(high), Some(low)) => u8::try_from(high.saturating_mul(16).saturating_add(low)).ok(),
            _ => None,
        };
        match byte {
            Some(byte) => {
                out.push(byte);
                is_changed = true;
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    is_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut cleaner = Cleaner::for_head(text.as_bytes());
        let mut seen = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            if let Some((line, place)) = cleaner.clean(line.as_bytes(), Place::line(number, 0)) {
                seen += &format!("{}: {}\n", place.line.unwrap(), String::from_utf8_lossy(line));
            }
        }
        for (code, count, place) in cleaner.changes() {
            seen += &format!("{} {count} from line {}\n", code.name(), place.line.unwrap());
        }
        expected.assert_eq(&seen);
    }

    #[test]
    fn quoted_mail_loses_its_marks() {
        check(
            "> > # tracer: nop\n> >   dd-820       0d.... 8104us : f\n> <-g\n",
            expect![[r#"
                1: # tracer: nop
                2:   dd-820       0d.... 8104us : f
                3: <-g
                quote_marks_removed 3 from line 1
            "#]],
        );
    }

    #[test]
    fn quoted_printable_is_joined_and_decoded() {
        check(
            "#  =3D> started at: f\n swapper-1 new=\n record: 1 us\n",
            expect![[r#"
                1: #  => started at: f
                2:  swapper-1 new record: 1 us
                quoted_printable_decoded 1 from line 1
            "#]],
        );
    }

    #[test]
    fn entities_are_undone_once() {
        check(
            "  &lt;idle&gt;-0 [002] ==&gt; a &amp;lt; b\n",
            expect![[r#"
                1:   <idle>-0 [002] ==> a &lt; b
                html_unescaped 1 from line 1
            "#]],
        );
    }

    #[test]
    fn console_and_editor_prefixes_are_taken_off() {
        check(
            "[  100.013678]      rcu-8     [002]\n[  100.013679]  2)   0.153 us\n",
            expect![[r#"
                1:      rcu-8     [002]
                2:  2)   0.153 us
                quote_marks_removed 2 from line 1
            "#]],
        );
        check(
            "  1\t# tracer: nop\n  2\t#\n",
            expect![[r##"
                1: # tracer: nop
                2: #
                quote_marks_removed 2 from line 1
            "##]],
        );
    }

    #[test]
    fn clean_text_is_left_alone() {
        check(
            "          <idle>-0 [001] a=3D &amp; b\n",
            expect![[r#"
                1:           <idle>-0 [001] a=3D &amp; b
            "#]],
        );
    }
}
