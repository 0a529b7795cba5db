//! What the compressed pages of all CPUs may together expand to, and hold in memory.

use std::cell::Cell;

use crate::model::{Code, FailureClass, Limits, Place, ReadError, grouped};

/// A page or a chunk is held for each CPU: 512 CPUs with chunks of ten 64 KiB pages take 320 MiB.
const MAX_RESIDENT_BYTES: u64 = 512 << 20;

/// Shared by the CPUs of a file, which are read by turns.
pub struct Budget {
    expanded: Cell<u64>,
    resident: Cell<u64>,
    max_expanded: u64,
    max_ratio: u64,
    ratio_bound: u64,
}

impl Budget {
    /// What a file of this size may be expanded to.
    pub fn new(file_bytes: u64, limits: &Limits) -> Self {
        let floor = limits.expansion_ratio_floor_bytes.min(limits.max_expanded_bytes / 4);
        Self {
            expanded: Cell::new(0),
            resident: Cell::new(0),
            max_expanded: limits.max_expanded_bytes,
            max_ratio: limits.max_expansion_ratio,
            ratio_bound: file_bytes.saturating_mul(limits.max_expansion_ratio).max(floor),
        }
    }

    /// Counts what a chunk at `place` will expand to, before it does.
    pub fn expand(&self, bytes: u64, place: u64) -> Result<(), ReadError> {
        let total = self.expanded.get().saturating_add(bytes);
        self.expanded.set(total);
        if total > self.max_expanded {
            let sentence =
                format!("The pages expand past {} bytes (max_expanded_bytes).", grouped(self.max_expanded));
            return Err(refusal(Code::ExpandedTooLarge, place, sentence));
        }
        if total > self.ratio_bound {
            let ratio = self.max_ratio;
            let sentence =
                format!("The pages expand to more than {ratio} times the file (max_expansion_ratio).");
            return Err(refusal(Code::ExpansionRatio, place, sentence));
        }
        Ok(())
    }

    /// Counts memory that a CPU keeps until the end.
    pub fn hold(&self, bytes: u64, place: u64) -> Result<(), ReadError> {
        let total = self.resident.get().saturating_add(bytes);
        self.resident.set(total);
        if total > MAX_RESIDENT_BYTES {
            let limit = MAX_RESIDENT_BYTES >> 20;
            let sentence = format!("One page or chunk for each CPU takes more than {limit} MiB.");
            return Err(refusal(Code::DecoderMemory, place, sentence));
        }
        Ok(())
    }
}

fn refusal(code: Code, place: u64, sentence: String) -> ReadError {
    ReadError::new(FailureClass::Limit, code, Place::byte(place), sentence)
}
