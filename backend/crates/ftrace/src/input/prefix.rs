//! What mailers, editors, diffs and consoles put before the lines of a text.

/// A prefix that most lines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `> > ` of mail.
    Quote,
    /// `+` and `-` of a diff, and the blank of what it leaves alone.
    Diff,
    /// `  12\t` of an editor.
    LineNumber,
    /// `[   12.345678] ` of the kernel's console, also with what syslog puts before it.
    Console,
}

/// Mail may quote a diff of a console log; deeper nesting has not been seen.
const MAX_LAYERS: usize = 3;
/// Bytes that syslog writes before the kernel's message: `2026-11-21T17:35:02.123456+00:00 host kernel: `.
const SYSLOG_BYTES: usize = 128;

impl Prefix {
    const ALL: [Self; 4] = [Self::Quote, Self::Diff, Self::LineNumber, Self::Console];

    /// The prefixes of the lines, outermost first.
    pub fn layers_of(lines: &[&[u8]]) -> Vec<Self> {
        let mut lines: Vec<&[u8]> =
            lines.iter().copied().filter(|line| !line.trim_ascii().is_empty()).collect();
        let mut layers = Vec::new();
        while layers.len() < MAX_LAYERS
            && let Some(prefix) = Self::ALL.into_iter().find(|prefix| prefix.is_before(&lines))
        {
            for line in &mut lines {
                *line = prefix.strip(line).unwrap_or(line);
            }
            layers.push(prefix);
        }
        layers
    }

    fn is_before(self, lines: &[&[u8]]) -> bool {
        let marked = lines.iter().filter(|line| self.marks(line)).count();
        marked.saturating_mul(self.one_in()) > lines.len()
    }

    /// Of how many lines more than one must have it. Mail quotes only what it answers to, and no trace
    /// line begins like a quote.
    fn one_in(self) -> usize {
        match self {
            Self::Quote => 5,
            Self::Diff | Self::LineNumber | Self::Console => 2,
        }
    }

    /// True where `line` shows that the prefix is there; a blank shows nothing.
    fn marks(self, line: &[u8]) -> bool {
        match self {
            Self::Diff => matches!(line.first(), Some(b'+' | b'-')),
            Self::Quote => self.strip(line).is_some() && !is_task_called_so(line),
            Self::LineNumber | Self::Console => self.strip(line).is_some(),
        }
    }

    /// The line without the prefix; `None` where it has none.
    pub fn strip(self, line: &[u8]) -> Option<&[u8]> {
        match self {
            Self::Quote => {
                let mut rest = line.trim_ascii_start();
                let mut is_quoted = false;
                // One blank at most between two marks; before a task called `>` there are more.
                while let Some(behind) = mark(rest).or_else(|| rest.strip_prefix(b" ").and_then(mark)) {
                    (rest, is_quoted) = (behind, true);
                }
                is_quoted.then(|| rest.strip_prefix(b" ").unwrap_or(rest))
            }
            Self::Diff => {
                let headers = [&b"+++ "[..], b"--- ", b"@@ -", b"diff --git ", b"index "];
                if headers.iter().any(|header| line.starts_with(header)) {
                    return Some(b"");
                }
                line.strip_prefix(b"+")
                    .or_else(|| line.strip_prefix(b"-"))
                    .or_else(|| line.strip_prefix(b" "))
            }
            Self::LineNumber => {
                let rest = line.trim_ascii_start();
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if digits == 0 { None } else { rest.get(digits..)?.strip_prefix(b"\t") }
            }
            Self::Console => console(line),
        }
    }
}

/// What stands behind a mark of a quote, unless it is the name of a task: `>-175   [001] `.
fn mark(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b">")?;
    (!is_dash_of_task(rest)).then_some(rest)
}

/// True for a line whose mark is the name of a task, or begins it: the kernel puts the dash behind the name into
/// column 16, and into column 8 of the latency format. A quote moves it to the right.
fn is_task_called_so(line: &[u8]) -> bool {
    [16, 8].iter().any(|width| line.get(*width..).is_some_and(is_dash_of_task))
}

/// `-175   [001] `
fn is_dash_of_task(text: &[u8]) -> bool {
    let pid = text.strip_prefix(b"-").unwrap_or_default();
    let digits = pid.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && pid.get(digits) == Some(&b' ')
}

/// `[   12.345678] `, `<4>[   12.345678][    C1] `, `Nov 21 17:35:02 host kernel: [   12.345678] `
fn console(line: &[u8]) -> Option<&[u8]> {
    let message = syslog(line);
    let level = message.unwrap_or(line);
    let stamped = match level.strip_prefix(b"<") {
        Some(digits) => {
            digits.get(memchr::memchr(b'>', digits.get(..digits.len().min(4))?)?.checked_add(1)?..)?
        }
        None => level,
    };
    let is_stamp = |inside: &[u8]| {
        inside.contains(&b'.') && inside.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
    };
    let Some(rest) = bracketed(stamped, is_stamp) else { return message };
    // CONFIG_PRINTK_CALLER: the task or CPU that printed.
    let is_caller = |inside: &[u8]| {
        inside.split_first().is_some_and(|(kind, number)| {
            matches!(kind, b'T' | b'C') && number.iter().all(u8::is_ascii_digit)
        })
    };
    let rest = bracketed(rest.strip_prefix(b" ").unwrap_or(rest), is_caller).unwrap_or(rest);
    Some(rest.strip_prefix(b" ").unwrap_or(rest))
}

/// The text after `[inside]` at the start of `text`.
fn bracketed(text: &[u8], is: impl Fn(&[u8]) -> bool) -> Option<&[u8]> {
    let inside = text.strip_prefix(b"[")?;
    let close = inside.iter().take(24).position(|byte| *byte == b']')?;
    if is(inside.get(..close)?.trim_ascii()) { inside.get(close.checked_add(1)?..) } else { None }
}

/// The kernel's message in a line of syslog or of journalctl.
fn syslog(line: &[u8]) -> Option<&[u8]> {
    const MONTHS: [&[u8]; 12] =
        [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
    let is_month = MONTHS.iter().any(|month| line.starts_with(month)) && line.get(3) == Some(&b' ');
    let is_date = line.starts_with(b"2") && line.get(4) == Some(&b'-') && line.get(7) == Some(&b'-');
    if !is_month && !is_date {
        return None;
    }
    let head = line.get(..SYSLOG_BYTES).unwrap_or(line);
    let at = memchr::memmem::find(head, b" kernel: ")?;
    line.get(at.checked_add(b" kernel: ".len())?..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(prefix: Prefix, line: &str, expected: Option<&str>) {
        let rest = prefix.strip(line.as_bytes()).map(|rest| str::from_utf8(rest).unwrap());
        assert_eq!(rest, expected, "{line}");
    }

    #[test]
    fn consoles_stamp_their_lines_in_many_ways() {
        check(Prefix::Console, "[  100.013678]      rcu-8", Some("     rcu-8"));
        check(Prefix::Console, "<4>[  100.013678][    C1]      rcu-8", Some("     rcu-8"));
        check(Prefix::Console, "[  100.013678] [   T12] rcu-8", Some("rcu-8"));
        check(Prefix::Console, "Nov 21 17:35:02 host kernel: [  100.013678]  rcu-8", Some(" rcu-8"));
        check(Prefix::Console, "2026-11-21T17:35:02+00:00 host kernel:  rcu-8", Some(" rcu-8"));
        check(Prefix::Console, "[ 100 ] a", None);
        check(Prefix::Console, "[  100.013678", None);
        check(Prefix::Console, "May-12 [000] 1.0: a: kernel: b", None);
    }

    #[test]
    fn diffs_mark_what_changed() {
        check(Prefix::Diff, "+ 0)  f();", Some(" 0)  f();"));
        check(Prefix::Diff, "- 0)  f();", Some(" 0)  f();"));
        check(Prefix::Diff, "  0)  f();", Some(" 0)  f();"));
        check(Prefix::Diff, "@@ -1,3 +1,4 @@ x", Some(""));
        check(Prefix::Diff, "# tracer: nop", None);
    }

    /// Names that begin like a quote, in both widths of the kernel, as they are and quoted.
    #[test]
    fn a_task_may_be_called_like_a_mark() {
        for (width, behind) in
            [(16, "     [001] d..2.     1.000001: x: a=1"), (8, "       1d..2.  345us : x: a=1")]
        {
            for name in [">", ">>", "> >", ">sh", "> sh", ">-1", "a>b", ">>sh"] {
                let line = format!("{name:>width$}-175{behind}");
                assert_eq!(Prefix::layers_of(&[line.as_bytes()]), [], "{line}");
                for marks in ["> ", ">> ", "> > "] {
                    let quoted = format!("{marks}{line}");
                    assert_eq!(Prefix::layers_of(&[quoted.as_bytes()]), [Prefix::Quote], "{quoted}");
                    check(Prefix::Quote, &quoted, Some(&line));
                }
            }
        }
        check(Prefix::Quote, ">-175     [001] d..2.     1.000001: x: a=1", None);
    }

    #[test]
    fn layers_are_found_from_outside() {
        let lines = [&b"> +[  1.5] # tracer: nop"[..], b"> +[  1.5] #", b"", b"> -[  1.5]  <idle>-0"];
        assert_eq!(Prefix::layers_of(&lines), [Prefix::Quote, Prefix::Diff, Prefix::Console]);
        assert_eq!(Prefix::layers_of(&[b"  <idle>-0", b"  <idle>-0"]), []);
    }
}
