//! Lines in a recording's tables of names that are none of the table's.

use crate::model::{Code, Diagnostic, Place, Sink, Stop};

/// Bytes of a line that are shown.
const MAX_SHOWN_BYTES: usize = 64;

/// Those of one table.
#[derive(Debug, Default)]
pub struct OddLines {
    count: u64,
    first: Vec<u8>,
}

impl OddLines {
    pub fn add(&mut self, line: &[u8]) {
        if self.count == 0 {
            self.first = line.get(..MAX_SHOWN_BYTES).unwrap_or(line).to_vec();
        }
        self.count = self.count.saturating_add(1);
    }

    /// Reports them, of the table of that name, whose text is at `place`.
    pub fn report(&self, table: &str, place: Place, sink: &mut dyn Sink) -> Result<(), Stop> {
        if self.count == 0 {
            return Ok(());
        }
        let sample = [table.as_bytes(), b": ", &self.first].concat();
        sink.diagnostic(Diagnostic { code: Code::BadSection, place, sample: &sample, count: self.count })
    }
}
