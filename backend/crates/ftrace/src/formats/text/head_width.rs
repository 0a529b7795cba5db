//! The line of which the front was cut off, and whose rest can be read: the kernel fills the name of a task with
//! blanks, so that all lines of a text have their columns at one place.

use super::context::{Context, Layout};
use crate::model::Place;

const SAMPLE_BYTES: usize = 256;
/// Some tools fill up some lines only. In a text of fewer whole lines, a short one says nothing.
const MIN_WHOLE_LINES: u64 = 4;

/// Lines whose columns are where the kernel puts them, and those further left.
#[derive(Debug, Default)]
pub struct HeadWidth {
    whole_lines: u64,
    short_lines: u64,
    /// The first of those further left.
    first: Option<(Place, Vec<u8>)>,
}

impl HeadWidth {
    /// Takes note of the width of a line's task column.
    pub fn see(&mut self, context: &Context<'_>, place: Place) {
        let width = if context.layout == Layout::Latency { 8 } else { 16 };
        if context.head_bytes == width {
            self.whole_lines = self.whole_lines.saturating_add(1);
        } else if context.head_bytes < width {
            self.short_lines = self.short_lines.saturating_add(1);
            let sample = || context.payload.get(..SAMPLE_BYTES).unwrap_or(context.payload).to_vec();
            self.first.get_or_insert_with(|| (place, sample()));
        }
    }

    /// The only line that has lost its front.
    pub fn cut(&self) -> Option<(Place, &[u8])> {
        let is_alone = self.short_lines == 1 && self.whole_lines >= MIN_WHOLE_LINES;
        let first = self.first.as_ref().filter(|_| is_alone);
        first.map(|(place, line)| (*place, line.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::context;
    use super::*;

    /// The number of the line that has lost its front.
    fn cut(lines: &[&str]) -> Option<u64> {
        let mut heads = HeadWidth::default();
        for (number, line) in (0..).zip(lines) {
            heads.see(&context::parse(line.as_bytes()).unwrap(), Place::byte(number));
        }
        heads.cut().map(|(place, _)| place.byte_offset)
    }

    #[test]
    fn the_columns_of_all_lines_stand_below_each_other() {
        let whole = "            bash-175     [000] d..2.     1.000001: x: a=1";
        let short = "sh-175     [000] d..2.     1.000001: x: a=1";
        let long = "a-name-of-20-letters-175     [000] d..2.     1.000001: x: a=1";
        assert_eq!(cut(&[whole, whole, long]), None);
        assert_eq!(cut(&[short, whole, whole, whole, whole]), Some(0));
        assert_eq!(cut(&[whole, whole, short, whole, whole]), Some(2));
        assert_eq!(cut(&[short, whole, whole]), None);
        // A tool that fills up the names of some lines only.
        assert_eq!(cut(&[whole, short, short, whole, whole, whole]), None);
        assert_eq!(cut(&[short, short]), None);
    }
}
