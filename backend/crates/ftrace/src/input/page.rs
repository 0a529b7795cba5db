//! Trace text inside a web page: what Android's systrace saves, with its viewer around it.

/// Follows a page line by line and lets only its trace text through.
///
/// The viewer's code quotes the strings that begin trace text, so only a line that is nothing but such a
/// beginning counts.
/// Source: catapult `systrace/systrace/output_generator.py`, and the pages of Android 4.
#[derive(Debug, Default)]
pub struct Page {
    inside: Inside,
    /// Entities are in no page that a tool wrote, but in one that a browser saved.
    has_entities: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    /// The viewer, or anything else of the page.
    #[default]
    Page,
    /// `var linuxPerfData = "\`: the lines of a string.
    Text,
    /// `<script class="trace-data" type="application/text">`, before the first line that says of what.
    Script,
    /// The same, with trace text in it.
    Trace,
    /// The same, with JSON or a list of processes in it.
    OtherData,
}

/// The trace text of a line, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageText<'a> {
    /// As in a file.
    Plain(&'a [u8]),
    /// `&lt;idle&gt;`
    Entities(&'a [u8]),
    /// `... ==> next_comm=a \"b\"\n\`
    ScriptText(&'a [u8]),
}

/// True where `head` begins a web page, after a byte order mark.
pub fn is_page(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let tag = start.get(..14).unwrap_or(start).to_ascii_lowercase();
    tag.starts_with(b"<!doctype") || tag.starts_with(b"<html")
}

/// True where `head` begins a page of systrace. The trace itself may begin megabytes later.
pub fn is_systrace(head: &[u8]) -> bool {
    let has = |needle: &[u8]| memchr::memmem::find(head, needle).is_some();
    is_page(head) && (has(b"linuxPerfData") || has(b"trace-data") || has(b"<title>Android System Trace"))
}

impl Page {
    /// The trace text of `line`; `None` where it has none.
    pub fn text<'a>(&mut self, line: &'a [u8]) -> Option<PageText<'a>> {
        match self.inside {
            Inside::Page => self.begin(line),
            // Some tools leave the end of the string away.
            Inside::Text if line.trim_ascii_start().starts_with(b"</script") => {
                self.inside = Inside::Page;
                None
            }
            Inside::Text => Some(PageText::ScriptText(self.end_of_text(line))),
            Inside::Script | Inside::Trace | Inside::OtherData => self.script(line),
        }
    }

    /// True inside a part that has a mark at its end.
    pub fn is_inside(&self) -> bool {
        self.inside != Inside::Page
    }

    fn begin<'a>(&mut self, line: &'a [u8]) -> Option<PageText<'a>> {
        let trimmed = line.trim_ascii();
        if let Some(value) = trimmed.strip_prefix(b"var linuxPerfData = \"") {
            self.inside = Inside::Text;
            return (value != b"\\").then(|| PageText::ScriptText(self.end_of_text(value)));
        }
        let attributes = trimmed.strip_prefix(b"<script ")?;
        let end = memchr::memchr(b'>', attributes)?;
        let (attributes, behind) = attributes.split_at_checked(end)?;
        memchr::memmem::find(attributes, b"\"trace-data\"")?;
        self.inside = Inside::Script;
        self.script(behind.get(1..)?)
    }

    /// The line without the `";` that ends the string.
    fn end_of_text<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        let trimmed = line.trim_ascii_end();
        match trimmed.strip_suffix(b"\";") {
            Some(last) if !last.ends_with(b"\\") || last.ends_with(b"\\\\") => {
                self.inside = Inside::Page;
                last
            }
            _ => line,
        }
    }

    fn script<'a>(&mut self, line: &'a [u8]) -> Option<PageText<'a>> {
        let end = memchr::memmem::find(line, b"</script");
        let text = line.get(..end.unwrap_or(line.len()))?;
        if self.inside == Inside::Script && !text.trim_ascii().is_empty() {
            self.inside = if is_other_data(text) { Inside::OtherData } else { Inside::Trace };
        }
        let is_trace = self.inside == Inside::Trace && !(end.is_some() && text.trim_ascii().is_empty());
        if end.is_some() {
            self.inside = Inside::Page;
        }
        let has = |needle: &[u8]| memchr::memmem::find(text, needle).is_some();
        self.has_entities =
            self.has_entities || is_trace && (has(b"==&gt;") || has(b"&lt;idle&gt;") || has(b"&lt;...&gt;"));
        is_trace.then_some(if self.has_entities { PageText::Entities(text) } else { PageText::Plain(text) })
    }
}

/// What later blocks hold: JSON of other agents, the output of ps, a dump of cgroups.
fn is_other_data(first_line: &[u8]) -> bool {
    let first_line = first_line.trim_ascii_start();
    let begins = [&b"{"[..], b"[", b"USER ", b"PROCESS DUMP", b"CGROUP DUMP", b"/proc/"];
    begins.iter().any(|begin| first_line.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::super::unescape::unescape_script;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(page: &str, expected: Expect) {
        assert!(is_systrace(page.as_bytes()), "{page}");
        let mut state = Page::default();
        let told = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let lines = page.lines().filter_map(|line| match state.text(line.as_bytes())? {
            PageText::Plain(text) => Some(format!("plain {:?}\n", told(text))),
            PageText::Entities(text) => Some(format!("entities {:?}\n", told(text))),
            PageText::ScriptText(text) => {
                let mut unescaped = Vec::new();
                unescape_script(text, &mut unescaped);
                Some(format!("string {:?}\n", told(&unescaped)))
            }
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn the_string_of_old_pages() {
        check(
            r#"<!DOCTYPE html>
<script>if(/^# tracer:/.exec(a)) g=[linuxPerfData];
  return /^  var linuxPerfData = "\\$/;
  var linuxPerfData = "\
# tracer: nop\n\
 a-1 [000] 1.0: 0: B|1|C:\\x \"q\"\\n\n\
 a-1 [000] 1.1: 0: E\n";
  </script>
  var linuxPerfData = "\
 a-1 [000] 1.2: 0: E
  </script>
"#,
            expect![[r##"
                string "# tracer: nop"
                string " a-1 [000] 1.0: 0: B|1|C:\\x \"q\"\\n"
                string " a-1 [000] 1.1: 0: E"
                string " a-1 [000] 1.2: 0: E"
            "##]],
        );
    }

    #[test]
    fn the_blocks_of_new_pages() {
        check(
            r#"<html>
<title>Android System Trace</title>
  <script class="trace-data" type="application/text">

# tracer: nop
 <idle>-0 [000] 1.0: x: "</b>
  </script>
  <script class="trace-data" type="application/text">
USER  PID
root    1
</script>
<script type="application/text" class="trace-data">{"traceEvents": []}</script>
<script class="trace-data">&lt;idle&gt;-0 [001] 1.1: y: 1
&lt;idle&gt;-0 [001] 1.2: y: 2 </script></body>
"#,
            expect![[r##"
                plain "# tracer: nop"
                plain " <idle>-0 [000] 1.0: x: \"</b>"
                entities "&lt;idle&gt;-0 [001] 1.1: y: 1"
                entities "&lt;idle&gt;-0 [001] 1.2: y: 2 "
            "##]],
        );
    }

    #[test]
    fn other_pages_are_none() {
        assert!(!is_systrace(b"<html><pre> a-1 [000] 1.0: x: y</pre>"));
        assert!(!is_systrace(b"# tracer: nop\nlinuxPerfData"));
    }
}
