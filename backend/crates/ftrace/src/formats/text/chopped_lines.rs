//! Lines that a pager has cut at the edge of the terminal, where it puts a `>` (`less -S`).

use crate::model::Place;

const SAMPLE_BYTES: usize = 256;
/// No terminal is narrower.
const MIN_COLUMNS: usize = 40;

/// The widths of a section's lines.
#[derive(Debug, Default)]
pub struct ChoppedLines {
    max_width: usize,
    /// Of the first line that ends so, unless others that end so have another one.
    width: Option<usize>,
    are_several: bool,
    first: Option<(Place, Vec<u8>)>,
}

impl ChoppedLines {
    /// Takes note of the width of a line.
    pub fn see(&mut self, line: &[u8], place: Place) {
        self.max_width = self.max_width.max(line.len());
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

    /// The first line that was cut: all that end with the mark are as long as the longest.
    pub fn first(&self) -> Option<(Place, &[u8])> {
        let is_edge = |width: usize| width == self.max_width && width >= MIN_COLUMNS && !self.are_several;
        let first = self.first.as_ref().filter(|_| self.width.is_some_and(is_edge));
        first.map(|(place, line)| (*place, line.as_slice()))
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
}
