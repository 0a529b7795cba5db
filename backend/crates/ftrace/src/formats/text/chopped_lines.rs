//! Lines that were cut at the edge of a terminal: by a pager, which puts a `>` there (`less -S`), or by whatever else
//! knows a width.

use crate::model::Place;

const SAMPLE_BYTES: usize = 256;
/// No terminal is narrower.
const MIN_COLUMNS: usize = 40;
/// Of fewer, two may be as long as each other by chance.
const MIN_LONGEST: usize = 4;
/// Last words that are compared.
const MAX_WORDS: usize = 16;

/// The widths of a section's lines.
#[derive(Debug, Default)]
pub struct ChoppedLines {
    max_width: usize,
    /// Of the first line that ends so, unless others that end so have another one.
    width: Option<usize>,
    are_several: bool,
    first: Option<(Place, Vec<u8>)>,
    /// The last words of the longest lines, how many such lines there are, and the first.
    last_words: Vec<Vec<u8>>,
    longest_count: usize,
    longest: Option<(Place, Vec<u8>)>,
}

impl ChoppedLines {
    /// Takes note of the width of a line.
    pub fn see(&mut self, line: &[u8], place: Place) {
        if line.len() >= self.max_width {
            self.see_longest(line, place);
        }
        // `<stack trace>` and `<idle>` are whole.
        if line.last() != Some(&b'>') || line.contains(&b'<') {
            return;
        }
        self.are_several |= self.width.is_some_and(|width| width != line.len());
        if self.first.is_none() {
            self.width = Some(line.len());
            self.first = Some((place, line.get(..SAMPLE_BYTES).unwrap_or(line).to_vec()));
        }
    }

    /// The first line that was cut: all that end with the mark are as long as the longest; or several of the longest
    /// lines end within a word, so that one has more of it than another.
    pub fn first(&self) -> Option<(Place, &[u8])> {
        let is_edge = |width: usize| width == self.max_width && width >= MIN_COLUMNS && !self.are_several;
        let marked = self.first.as_ref().filter(|_| self.width.is_some_and(is_edge));
        let first = marked.or_else(|| self.longest.as_ref().filter(|_| self.ends_within_a_word()));
        first.map(|(place, line)| (*place, line.as_slice()))
    }

    fn see_longest(&mut self, line: &[u8], place: Place) {
        if line.len() > self.max_width {
            self.max_width = line.len();
            self.last_words.clear();
            self.longest_count = 0;
            self.longest = None;
        }
        self.longest_count = self.longest_count.saturating_add(1);
        let start = memchr::memrchr(b' ', line).map_or(0, |blank| blank.saturating_add(1));
        let word = line.get(start..).unwrap_or_default();
        if self.last_words.len() < MAX_WORDS && !self.last_words.iter().any(|known| known == word) {
            self.last_words.push(word.to_vec());
        }
        self.longest.get_or_insert_with(|| (place, line.get(..SAMPLE_BYTES).unwrap_or(line).to_vec()));
    }

    fn ends_within_a_word(&self) -> bool {
        let goes_on = |word: &Vec<u8>| {
            word.last().is_some_and(u8::is_ascii_alphabetic)
                && self.last_words.iter().any(|other| other.len() > word.len() && other.starts_with(word))
        };
        self.max_width >= MIN_COLUMNS
            && self.longest_count >= MIN_LONGEST
            && self.last_words.iter().any(goes_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether lines of these lengths are seen as cut.
    fn is_chopped(lines: &[(usize, &str)]) -> bool {
        let mut chopped = ChoppedLines::default();
        for (width, end) in lines {
            chopped.see(format!("{:x<1$}{end}", "", width - end.len()).as_bytes(), Place::default());
        }
        chopped.first().is_some()
    }

    #[test]
    fn all_lines_that_end_so_are_as_long_as_the_longest() {
        assert!(is_chopped(&[(79, ">"), (60, ""), (79, ">")]));
        assert!(!is_chopped(&[(79, ">"), (80, "")]));
        assert!(!is_chopped(&[(79, ">"), (70, ">")]));
        assert!(!is_chopped(&[(79, "<idle>"), (20, ">"), (60, "")]));
    }

    #[test]
    fn a_word_of_which_lines_have_more_or_less_was_cut() {
        let cut =
            [(100, " fast=f"), (80, " fast=false"), (100, " fast=fal"), (100, " fast=f"), (100, " fast")];
        assert!(is_chopped(&cut));
        assert!(!is_chopped(&cut.map(|(width, word)| (width, &word[1..]))), "one word is the line");
        assert!(!is_chopped(&cut[..3]), "too few");
        let longer = [&cut[..], &[(101, " fast=false")]].concat();
        assert!(!is_chopped(&longer), "one line is longer");
        let whole = [(100, " fast=false"), (100, " fast=true"), (100, " prio=1"), (100, " prio=120")];
        assert!(!is_chopped(&whole));
    }
}
