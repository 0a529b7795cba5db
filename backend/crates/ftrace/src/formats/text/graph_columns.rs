//! Lines of a call graph that are not laid out as all others of their text, because a part of them is gone.
//!
//! The kernel and trace-cmd fill every column up, so that the bar before the calls is always in one place, and indent each
//! call by two blanks more than its caller.
//! Source: kernel/trace/trace_functions_graph.c (`print_graph_duration`, `print_graph_entry_leaf`), Linux 5.10 to 7.3.

use crate::model::Place;

/// So many layouts are counted.
const MAX_LAYOUTS: usize = 8;
/// In a text of fewer lines of one layout, another says nothing.
const MIN_LINES: u64 = 4;
/// Blanks between the bar and a call without a caller.
const FIRST_BLANKS: usize = 2;

/// Where the last column begins, and how the call is indented in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    bar_end: usize,
    indent: Indent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Indent {
    Short,
    Even,
    Odd,
}

impl Layout {
    /// Of a line with its last column at `bar_end`, and so many blanks before its call.
    pub fn new(bar_end: usize, blanks: usize) -> Self {
        let indent = match blanks {
            _ if blanks < FIRST_BLANKS => Indent::Short,
            _ if blanks.is_multiple_of(2) => Indent::Even,
            _ => Indent::Odd,
        };
        Self { bar_end, indent }
    }
}

/// The layouts of the lines so far: how many lines have each, and the first.
#[derive(Debug, Default)]
pub struct GraphColumns {
    layouts: Vec<(Layout, u64, Place)>,
    /// There were more than are counted.
    has_others: bool,
}

impl GraphColumns {
    /// Takes note of the layout of a line.
    pub fn see(&mut self, layout: Layout, place: Place) {
        if let Some((_, count, _)) = self.layouts.iter_mut().find(|(known, ..)| *known == layout) {
            *count = count.saturating_add(1);
        } else if self.layouts.len() < MAX_LAYOUTS {
            self.layouts.push((layout, 1, place));
        } else {
            self.has_others = true;
        }
    }

    /// Lines that are the only ones of their layout, beside many of one other.
    pub fn alone(&self) -> impl Iterator<Item = Place> {
        let is_usual = self.layouts.iter().any(|(_, count, _)| *count >= MIN_LINES) && !self.has_others;
        let lone = self.layouts.iter().filter(move |(_, count, _)| is_usual && *count == 1);
        lone.map(|(.., place)| *place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(layouts: &[(usize, usize)]) -> Vec<u64> {
        let mut columns = GraphColumns::default();
        for (number, (bar_end, blanks)) in (0..).zip(layouts) {
            columns.see(Layout::new(*bar_end, *blanks), Place::byte(number));
        }
        columns.alone().map(|place| place.byte_offset).collect()
    }

    #[test]
    fn one_line_with_another_bar_or_indentation_is_damaged() {
        const WHOLE: [(usize, usize); 4] = [(18, 2), (18, 4), (18, 14), (18, 2)];
        let with = |others: &[(usize, usize)]| alone(&[&WHOLE[..], others].concat());
        assert!(with(&[]).is_empty());
        assert_eq!(with(&[(17, 4)]), [4]);
        assert_eq!(with(&[(18, 3)]), [4]);
        assert_eq!(with(&[(18, 0), (18, 2)]), [4]);
        // People write so.
        assert!(with(&[(18, 3), (18, 5)]).is_empty());
        assert!(alone(&[(18, 2), (18, 4), (18, 2), (17, 2)]).is_empty());
    }
}
