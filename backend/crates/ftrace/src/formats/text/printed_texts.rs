//! Texts of programs that continue in the next line: where only one of many does, that line may have been a record.

use crate::model::Place;

/// With this many texts it is clear that a program prints lines.
const MIN_TEXTS: u64 = 4;

/// The printed texts of a section.
#[derive(Debug, Default)]
pub struct PrintedTexts {
    count: u64,
    /// Those that continue, and where the first of them does.
    longer: u64,
    first: Option<(Place, Vec<u8>)>,
    /// The last one has gone on.
    is_longer: bool,
}

impl PrintedTexts {
    /// A text begins.
    pub fn begin(&mut self) {
        self.count = self.count.saturating_add(1);
        self.is_longer = false;
    }

    /// `line` continues the text that began last.
    pub fn go_on(&mut self, place: Place, line: &[u8]) {
        if !std::mem::replace(&mut self.is_longer, true) {
            self.longer = self.longer.saturating_add(1);
            self.first.get_or_insert_with(|| (place, line.to_vec()));
        }
    }

    /// Where the only text that continues does so.
    pub fn alone(&self) -> Option<(Place, &[u8])> {
        let is_alone = self.longer == 1 && self.count >= MIN_TEXTS;
        self.first.as_ref().filter(|_| is_alone).map(|(place, line)| (*place, line.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader;
    use super::super::test_log::Log;
    use crate::model::Limits;

    /// Texts, a given number of which continue.
    fn is_reported(texts: usize, longer: usize) -> bool {
        let text: String = (0..texts)
            .map(|number| {
                let more = if number < longer { "57: and more\n" } else { "" };
                format!(
                    "            bash-175     [001] .....     1.00000{number}: tracing_mark_write: a\n{more}"
                )
            })
            .collect();
        let mut log = Log::default();
        reader::read(&mut text.as_bytes(), &Limits::default(), &mut log).unwrap();
        log.text.contains("! lines_joined x1")
    }

    #[test]
    fn one_of_many_texts_does_not_go_on_by_itself() {
        assert!(is_reported(4, 1));
        assert!(!is_reported(4, 0));
        assert!(!is_reported(4, 2));
        assert!(!is_reported(3, 1));
    }
}
