//! The receiving end of a format.

use super::{CallRecord, Diagnostic, EventRecord, Facts, LossRecord, NoteRecord, StackRecord, Stop};

/// Receives what a format reads, in file order (text) or merged by time (trace.dat).
///
/// A method may answer a [`Stop`] to end the reading, for instance because a limit is reached; a
/// format passes it on unchanged.
pub trait Sink {
    /// What the file says about itself. May come several times; later values win field by field.
    fn facts(&mut self, facts: Facts) -> Result<(), Stop>;
    /// The file has a trace instance of this name beside the top one, with records or without. Comes
    /// before the first record where the file says it there.
    fn buffer(&mut self, name: &[u8]) -> Result<(), Stop>;
    fn event(&mut self, event: &EventRecord<'_>) -> Result<(), Stop>;
    fn call(&mut self, call: &CallRecord<'_>) -> Result<(), Stop>;
    fn stack(&mut self, stack: &StackRecord<'_>) -> Result<(), Stop>;
    fn loss(&mut self, loss: &LossRecord<'_>) -> Result<(), Stop>;
    fn note(&mut self, note: &NoteRecord<'_>) -> Result<(), Stop>;
    /// A better name for a task of the whole file (saved_cmdlines, a banner that names `prev`).
    fn task_name(&mut self, pid: i32, comm: &[u8]) -> Result<(), Stop>;
    /// One problem met while reading. Counted always; the first few of a code are kept with sample.
    fn diagnostic(&mut self, diagnostic: Diagnostic<'_>) -> Result<(), Stop>;
    /// Bytes of the expanded input that are accounted for so far: used ones and skipped ones.
    fn progress(&mut self, used_bytes: u64, skipped_bytes: u64) -> Result<(), Stop>;
}
