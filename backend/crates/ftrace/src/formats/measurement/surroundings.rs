//! What mailers, editors and people put before the lines of a program's text.

use std::cell::Cell;

use super::out::Out;
use super::{HEAD_LINES, Likeness};
use crate::input::prefix::Prefix;
use crate::model::{Code, Place, Stop};

/// Judges the first lines of a file.
type Judge = fn(&[&str]) -> Likeness;

/// The prefix of every line; empty in nearly every file.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    prefixes: Vec<Prefix>,
    /// Blanks that all lines of the head begin with.
    indent_bytes: usize,
    /// Lines from which a prefix was taken, and the first of them.
    stripped: Cell<(u64, Place)>,
}

impl Surroundings {
    /// What is around a text that begins with `head`, and how much it looks like a program's without that.
    ///
    /// A prefix is looked for only where the lines are of no program as they are, and taken off only where it
    /// leaves what is surely one's: numbers before numbers may be a column.
    pub fn of(head: &[u8], judge: Judge) -> (Likeness, Self) {
        let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).take(HEAD_LINES).collect();
        let likeness_of = |surroundings: &Self| {
            let stripped = lines.iter().filter_map(|line| str::from_utf8(surroundings.without(line)).ok());
            judge(&stripped.filter(|line| !line.is_empty()).collect::<Vec<_>>())
        };
        let none = Self::default();
        let plain = likeness_of(&none);
        if plain > Likeness::No {
            return (plain, none);
        }
        let indented = Self { indent_bytes: indent(&lines), ..Self::default() };
        let likeness = likeness_of(&indented);
        if likeness > Likeness::No {
            return (likeness, indented);
        }
        let prefixes = Prefix::layers_of(&lines);
        let prefixed = Self { prefixes, ..Self::default() };
        match likeness_of(&prefixed) {
            Likeness::Sure => (Likeness::Sure, prefixed),
            _ => (Likeness::No, none),
        }
    }

    /// A line of the text without its prefix.
    pub fn strip<'l>(&self, line: &'l [u8], place: Place) -> &'l [u8] {
        let rest = self.without(line);
        if !self.prefixes.is_empty() && rest.len() < line.len() {
            let (count, first) = self.stripped.get();
            self.stripped.set((count.saturating_add(1), if count == 0 { place } else { first }));
        }
        rest
    }

    fn without<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        let blanks = line.iter().take(self.indent_bytes).take_while(|byte| is_blank(**byte)).count();
        let rest = line.get(blanks..).unwrap_or_default();
        self.prefixes.iter().fold(rest, |rest, prefix| prefix.strip(rest).unwrap_or(rest))
    }

    /// Says that prefixes were taken off.
    pub fn report(&self, out: &mut Out<'_>) -> Result<(), Stop> {
        let (count, first) = self.stripped.get();
        if count == 0 {
            return Ok(());
        }
        out.place = first;
        out.report_many(Code::QuoteMarksRemoved, "", count)
    }
}

fn indent(lines: &[&[u8]]) -> usize {
    let blanks = |line: &&[u8]| line.iter().take_while(|byte| is_blank(**byte)).count();
    lines.iter().map(blanks).min().unwrap_or(0)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use crate::formats::detect;
    use crate::testing::check_measurements;
    use expect_test::expect;

    const SUMMARY: &str = "# /dev/cpu_dma_latency set to 0us
T: 0 (  822) P:80 I:1000 C:      2 Min:     19 Act:   32 Avg:   25 Max:      32
";

    fn each_line(text: &str, change: impl Fn(usize, &str) -> String) -> String {
        text.lines().zip(1..).map(|(line, number)| change(number, line)).collect()
    }

    #[test]
    fn a_text_that_is_indented_quoted_numbered_or_wide_is_the_same() {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for changed in [
            each_line(SUMMARY, |_, line| format!("    {line}\n")).into_bytes(),
            each_line(SUMMARY, |_, line| format!("\t{line}\n")).into_bytes(),
            each_line(SUMMARY, |_, line| format!("> {line}\n")).into_bytes(),
            each_line(SUMMARY, |_, line| format!("+{line}\n")).into_bytes(),
            each_line(SUMMARY, |number, line| format!("{number:6}\t{line}\n")).into_bytes(),
            utf16(SUMMARY),
            [&b"\xff\xfe"[..], &utf16(SUMMARY)].concat(),
        ] {
            let format = detect(&changed).map(|format| format.name());
            assert_eq!(format.ok(), Some("cyclictest_text"), "{}", String::from_utf8_lossy(&changed));
        }
    }

    #[test]
    fn what_stood_before_the_lines_is_told_but_for_blanks() {
        let quoted = each_line(SUMMARY, |_, line| format!("> {line}\n"));
        check_measurements(
            &quoted,
            expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 19000 reported
            measured cpu 0 cyclictest thread 0 start 1 duration 32000 reported
            quote_marks_removed: 2 from line 1
            average of cyclictest thread 0: 25 us
        "#]],
        );
        let indented = each_line(SUMMARY, |_, line| format!("    {line}\n"));
        check_measurements(
            &indented,
            expect![[r#"
            measured cpu 0 cyclictest thread 0 start 0 duration 19000 reported
            measured cpu 0 cyclictest thread 0 start 1 duration 32000 reported
            unparsed_lines: 1 from line 1
            average of cyclictest thread 0: 25 us
        "#]],
        );
    }
}
