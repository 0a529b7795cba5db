//! Recordings in the text of a test, imported and stored.

use crate::formats;
use crate::import::testing::import_with;
use crate::model::Limits;
use crate::store::tables;

/// The stored tables of a recording.
pub struct Stored {
    pub slices: Vec<u8>,
    pub task: Vec<u8>,
    pub symbol: Vec<u8>,
}

impl Stored {
    /// Of a file with this text; the indentation of the test is taken off.
    pub fn of(text: &str) -> Self {
        let lines = text.lines().map(|line| line.strip_prefix("        ").unwrap_or(line));
        let file: Vec<u8> = lines.collect::<Vec<_>>().join("\n").trim_start().as_bytes().to_vec();
        let limits = Limits::default();
        let (written, _) = import_with(&limits, |importer| {
            formats::read_any(&file, &mut Vec::new(), &limits, importer).unwrap();
        });
        Self {
            slices: written.whole(&tables::SLICE_BLOCK),
            task: written.whole(&tables::TASK),
            symbol: written.whole(&tables::SYMBOL),
        }
    }
}
