//! The layouts in which a recording can arrive. One file or folder and one line in [`FORMATS`] each.

use crate::input::Input;
use crate::model::{Code, FailureClass, Limits, Place, ReadError, Sink};

/// How much the head of a file looks like a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    No,
    Maybe,
    Sure,
}

/// How a format wants its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Stream,
    Random,
}

/// One layout of a recording.
pub trait TraceFormat: Sync {
    /// Stable name, as the API shows it: `trace_dat`.
    fn name(&self) -> &'static str;
    /// What a person calls it: `trace.dat (trace-cmd)`.
    fn title(&self) -> &'static str;
    fn access(&self) -> Access;
    /// Judged by content alone; `head` is the first 64 KiB of the expanded file, or all of it.
    fn likeness(&self, head: &[u8]) -> Likeness;
    /// Hands everything in the file to `sink`. Bad bytes become diagnostics and reading goes on; an
    /// error means that nothing usable is there, or that the sink asked to stop.
    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), ReadError>;
}

/// Every format. Order decides only between two that say the same.
pub static FORMATS: &[&dyn TraceFormat] = &[];

/// The format that the head of an expanded file looks most like.
///
/// Errors: what the file is instead where that is known (`perf_script_text`, `archive_not_supported`),
/// `unknown_format` otherwise.
pub fn detect(head: &[u8]) -> Result<&'static dyn TraceFormat, ReadError> {
    FORMATS
        .iter()
        .map(|format| (format.likeness(head), *format))
        .filter(|(likeness, _)| *likeness > Likeness::No)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, format)| format)
        .ok_or_else(|| {
            let code = Code::UnknownFormat;
            ReadError::new(FailureClass::Unsupported, code, Place::line(1, 0), code.sentence())
        })
}
