//! Signs that a line is not what it was read as, because it was damaged.
//!
//! They are held until the section ends. Where as many entries were read as its header announces, no entry is
//! missing; the texts may be damaged, or are a program's own.

use hashbrown::HashSet;

use crate::model::{Code, Diagnostic, Place, Severity, Sink, Stop};

const SAMPLE_BYTES: usize = 256;
/// Lines that are remembered, so that each counts once; beyond them, a line may count twice.
const MAX_LINES: usize = 4_096;

#[derive(Debug)]
struct Suspicion {
    code: Code,
    count: u64,
    first: Place,
    sample: Vec<u8>,
}

/// One of each code, counted.
#[derive(Debug, Default)]
pub struct Suspicions {
    found: Vec<Suspicion>,
    /// Lines that are counted: one that is odd in several ways is one.
    lines: HashSet<(Code, u64)>,
}

impl Suspicions {
    /// Counts a line under `code` once; the first of each code is the sample.
    pub fn add(&mut self, code: Code, place: Place, line: &[u8]) {
        let line_key = (code, place.byte_offset);
        if self.lines.contains(&line_key) {
            return;
        }
        if self.lines.len() < MAX_LINES {
            self.lines.insert(line_key);
        }
        let sample = || line.get(..SAMPLE_BYTES).unwrap_or(line).to_vec();
        let Some(known) = self.found.iter_mut().find(|known| known.code == code) else {
            self.found.push(Suspicion { code, count: 1, first: place, sample: sample() });
            return;
        };
        known.count = known.count.saturating_add(1);
        if place.byte_offset < known.first.byte_offset {
            (known.first, known.sample) = (place, sample());
        }
    }

    /// Lines that may each hide an entry.
    pub fn count(&self) -> u64 {
        let hiding = self.found.iter().filter(|suspicion| suspicion.code != Code::DoubtfulText);
        hiding.map(|suspicion| suspicion.count).sum()
    }

    /// Where the first line is that probably costs a record.
    pub fn first_loss(&self) -> Option<Place> {
        let losses = self.found.iter().filter(|suspicion| suspicion.code.severity() == Severity::DataLoss);
        losses.map(|suspicion| suspicion.first).min_by_key(|place| place.byte_offset)
    }

    /// Hands on one diagnostic for each code.
    pub fn report(&self, sink: &mut dyn Sink) -> Result<(), Stop> {
        for Suspicion { code, count, first, sample } in &self.found {
            sink.diagnostic(Diagnostic { code: *code, place: *first, sample, count: *count })?;
        }
        Ok(())
    }
}
