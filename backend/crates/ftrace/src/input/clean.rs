//! Takes off what mailers, web pages and terminals put around trace text.

use super::page::{self, Page, PageText};
use super::prefix::Prefix;
use super::unescape::{
    ENTITIES, decode_quoted_printable, has_colours, replace, strip_colours, unescape_script,
};
use crate::model::{Code, Place};

/// Lines of the head that decide what is taken off.
const LINES: usize = 400;

/// What was changed, each with how often and where first.
#[derive(Debug, Default)]
struct Changes {
    quoted_printable: Change,
    marks: Change,
    html: Change,
    colours: Change,
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
    /// Nothing was found, as in nearly every file.
    changes_nothing: bool,
    page: Option<Page>,
    has_quoted_printable: bool,
    has_entities: bool,
    has_nbsp: bool,
    has_markdown: bool,
    has_script_ends: bool,
    has_colours: bool,
    /// Blanks after every line.
    has_trailing_blanks: bool,
    /// Outermost first.
    prefixes: Vec<Prefix>,
    changes: Changes,
    text: Vec<u8>,
    /// The first part of a quoted-printable line with a soft end.
    partial: Vec<u8>,
    partial_place: Place,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaned<'a> {
    Line(&'a [u8], Place),
    /// The line continues in the next one.
    GoesOn,
    /// The line is of the page around the trace.
    Outside,
}

/// Joined lines are never longer than this.
const MAX_JOINED_BYTES: usize = 64 << 10;

impl Cleaner {
    /// Decides by the first lines of the file.
    pub fn for_head(head: &[u8]) -> Self {
        if page::is_page(head) {
            return Self { page: Some(Page::default()), ..Self::default() };
        }
        let has = |needle: &[u8]| memchr::memmem::find(head, needle).is_some();
        // Two bytes turn up by chance in binary damage.
        let is_text = memchr::memchr(0, head).is_none();
        let lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').take(LINES).collect();
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
        let full = lines.iter().filter(|line| !line.trim_ascii().is_empty()).count();
        let script_ends = lines.iter().filter(|line| line.ends_with(b"\\n\\")).count();
        let cleaner = Self {
            has_quoted_printable: is_quoted_printable(&lines),
            has_entities: [&b"=&gt;"[..], b"&lt;idle&gt;", b"&lt;...&gt;", b"&lt;unknown&gt;"]
                .into_iter()
                .any(has),
            has_nbsp: is_text && has(b"\xc2\xa0"),
            has_markdown: is_text && is_markdown(head),
            has_script_ends: script_ends.saturating_mul(2) > full,
            has_colours: has_colours(head),
            has_trailing_blanks: have_trailing_blanks(&lines),
            prefixes: Prefix::layers_of(&lines),
            ..Self::default()
        };
        let changes_nothing = !cleaner.has_quoted_printable
            && !cleaner.has_entities
            && !cleaner.has_nbsp
            && !cleaner.has_markdown
            && !cleaner.has_script_ends
            && !cleaner.has_colours
            && !cleaner.has_trailing_blanks
            && cleaner.prefixes.is_empty();
        Self { changes_nothing, ..cleaner }
    }

    /// The cleaned line and the place where it begins.
    pub fn clean<'a>(&'a mut self, line: &'a [u8], place: Place) -> Cleaned<'a> {
        if self.changes_nothing {
            return Cleaned::Line(line, place);
        }
        if self.page.is_some() {
            return self.page_line(line, place);
        }
        if !self.has_quoted_printable {
            self.text.clear();
            self.text.extend_from_slice(line);
            self.unescape(place);
            return Cleaned::Line(&self.text, place);
        }
        if self.partial.is_empty() {
            self.partial_place = place;
        }
        let place = self.partial_place;
        match line.strip_suffix(b"=") {
            Some(part) if self.partial.len().saturating_add(part.len()) < MAX_JOINED_BYTES => {
                self.partial.extend_from_slice(part);
                return Cleaned::GoesOn;
            }
            _ => self.partial.extend_from_slice(line),
        }
        self.join(place);
        Cleaned::Line(&self.text, place)
    }

    fn page_line<'a>(&'a mut self, line: &'a [u8], place: Place) -> Cleaned<'a> {
        self.text.clear();
        match self.page.as_mut().and_then(|page| page.text(line)) {
            None => return Cleaned::Outside,
            Some(PageText::Plain(text)) => return Cleaned::Line(text, place),
            Some(PageText::Entities(text)) => {
                self.text.extend_from_slice(text);
                if replace(&mut self.text, ENTITIES) {
                    self.changes.html.at(place);
                }
            }
            Some(PageText::ScriptText(text)) => unescape_script(text, &mut self.text),
        }
        Cleaned::Line(&self.text, place)
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

    /// True where the page's trace text has begun, and its end did not come.
    pub fn is_inside_page(&self) -> bool {
        self.page.as_ref().is_some_and(Page::is_inside)
    }

    /// Each kind of change that was made: its code, how often, where first.
    pub fn changes(&self) -> impl Iterator<Item = (Code, u64, Place)> {
        let changes = [
            (Code::QuotedPrintableDecoded, &self.changes.quoted_printable),
            (Code::QuoteMarksRemoved, &self.changes.marks),
            (Code::HtmlUnescaped, &self.changes.html),
            (Code::ColoursRemoved, &self.changes.colours),
        ];
        changes
            .into_iter()
            .filter(|(_, change)| change.count > 0)
            .map(|(code, change)| (code, change.count, change.first))
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
        if self.has_colours && strip_colours(&mut self.text) {
            self.changes.colours.at(place);
        }
        let mut rest = self.text.as_slice();
        for prefix in &self.prefixes {
            rest = prefix.strip(rest).unwrap_or(rest);
        }
        let prefix_bytes = self.text.len().saturating_sub(rest.len());
        if prefix_bytes > 0 {
            self.changes.marks.at(place);
            self.text.drain(..prefix_bytes);
        }
        if self.has_script_ends {
            self.changes.marks.at(place);
            let line = std::mem::take(&mut self.text);
            unescape_script(&line, &mut self.text);
        }
        if self.has_entities && replace(&mut self.text, ENTITIES) {
            self.changes.html.at(place);
        }
        if self.has_nbsp && replace(&mut self.text, &[(b"\xc2\xa0", b" ")]) {
            self.changes.html.at(place);
        }
        if self.has_markdown && replace(&mut self.text, &[(b"\\_", b"_"), (b"**", b"")]) {
            self.changes.marks.at(place);
        }
        if self.has_trailing_blanks {
            self.text.truncate(self.text.trim_ascii_end().len());
        }
    }
}

/// True where every line of the head ends with a blank, which no tracer prints. The last line may be cut.
fn have_trailing_blanks(lines: &[&[u8]]) -> bool {
    let whole = lines.split_last().map_or(lines, |(_, whole)| whole);
    let mut full = whole.iter().filter(|line| !line.trim_ascii().is_empty()).peekable();
    full.peek().is_some() && full.all(|line| line.last().is_some_and(|byte| matches!(byte, b' ' | b'\t')))
}

/// Markdown escapes the underscores of all names; one by itself is of a marker that somebody wrote.
fn is_markdown(head: &[u8]) -> bool {
    match memchr::memmem::find_iter(head, b"\\_").count() {
        0 => false,
        escaped => escaped.saturating_mul(2) > memchr::memchr_iter(b'_', head).count(),
    }
}

/// True where soft line ends show it and each `=` begins an escape; `addr=3Df0` alone is no mail.
fn is_quoted_printable(lines: &[&[u8]]) -> bool {
    let (mut soft_ends, mut encoded, mut others) = (0_usize, 0_usize, 0_usize);
    for line in lines {
        for at in memchr::memchr_iter(b'=', line) {
            let is_hex = |at: usize| line.get(at).is_some_and(u8::is_ascii_hexdigit);
            let behind = at.saturating_add(1);
            let count = match line.len() == behind {
                true => &mut soft_ends,
                false if is_hex(behind) && is_hex(behind.saturating_add(1)) => &mut encoded,
                false => &mut others,
            };
            *count = count.saturating_add(1);
        }
    }
    soft_ends > 0 && encoded > 0 && others.saturating_mul(10) <= encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut cleaner = Cleaner::for_head(text.as_bytes());
        let mut seen = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            if let Cleaned::Line(line, place) = cleaner.clean(line.as_bytes(), Place::line(number, 0)) {
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
    fn markdown_is_what_escapes_most_underscores() {
        check(
            " sh-1 [000] 1.0: sched\\_waking: a\\_b **c**\n",
            expect![[r#"
                1:  sh-1 [000] 1.0: sched_waking: a_b c
                quote_marks_removed 1 from line 1
            "#]],
        );
        check(
            " sh-1 [000] 1.0: tracing_mark_write: a\\_b **c**\n",
            expect![[r#"
                1:  sh-1 [000] 1.0: tracing_mark_write: a\_b **c**
            "#]],
        );
    }

    #[test]
    fn colours_of_a_terminal_are_taken_off() {
        check(
            " sh-1 [000] 1.0: \x1b[01;31m\x1b[Ksched_wak\x1b[m\x1b[King: a=\x1b[2A\n",
            expect![[r#"
                1:  sh-1 [000] 1.0: sched_waking: a=[2A
                colours_removed 1 from line 1
            "#]],
        );
    }

    #[test]
    fn blanks_behind_every_line_are_taken_off() {
        check(
            "# tracer: nop  \n#  \n  sh-1 [000] 1.0: a: b=1 \t\n  \n",
            expect![[r##"
                1: # tracer: nop
                2: #
                3:   sh-1 [000] 1.0: a: b=1
                4: 
            "##]],
        );
        check(
            "# tracer: nop\n  sh-1 [000] 1.0: a: b=1 \n",
            expect![[r##"
                1: # tracer: nop
                2:   sh-1 [000] 1.0: a: b=1 
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
