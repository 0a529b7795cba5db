//! How far the reading of a file is.

use std::cell::Cell;

/// How much of the stored file was read so far, whatever it expands to.
pub struct FileProgress<'a> {
    pub size_bytes: u64,
    pub read_bytes: &'a Cell<u64>,
    /// What a compressed recording was expanded to before it is read; 0 where it is read as it is expanded.
    pub scratch_bytes: &'a Cell<u64>,
}

impl FileProgress<'_> {
    /// Bytes of the stored file that are done when `accounted` expanded bytes are.
    pub fn done_bytes(&self, accounted: u64) -> u64 {
        match self.scratch_bytes.get() {
            // Of a plain file, what is accounted for; of a compressed one, what was read of it.
            0 => accounted.min(self.read_bytes.get()).min(self.size_bytes),
            // All of the file was read before the first record was: the share of what it expanded to.
            total => {
                let share = u128::from(accounted.min(total)).saturating_mul(u128::from(self.size_bytes));
                u64::try_from(share.div_euclid(u128::from(total))).unwrap_or(u64::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(read_bytes: u64, scratch_bytes: u64, accounted: u64, expected: u64) {
        let (read_bytes, scratch_bytes) = (Cell::new(read_bytes), Cell::new(scratch_bytes));
        let file = FileProgress { size_bytes: 1_000, read_bytes: &read_bytes, scratch_bytes: &scratch_bytes };
        assert_eq!(file.done_bytes(accounted), expected);
    }

    #[test]
    fn progress_is_told_in_bytes_of_the_stored_file() {
        // Plain; read while it expands; expanded before it is read.
        check(1_000, 0, 300, 300);
        check(100, 0, 900, 100);
        check(1_000, 8_000, 2_000, 250);
        check(1_000, 8_000, 9_000, 1_000);
    }
}
