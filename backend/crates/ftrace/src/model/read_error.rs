//! Why a file was not read to its end.

use serde::Serialize;
use thiserror::Error;

use super::{Code, Place};

/// Whether an upload is refused, or becomes a trace in state `failed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Not something that we read: the upload is refused with 415 or 422.
    Unsupported,
    /// A format of ours that is damaged: `failed`.
    Corrupt,
    /// Ends too early: `failed`.
    Truncated,
    /// Past a limit of [`Limits`](super::Limits): `failed`.
    Limit,
    /// The caller's end of the pipe went away, or its disk failed.
    Io,
}

/// A final refusal: its class, a stable code, the place and one plain sentence that names the
/// thing, the limit and the way out.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{sentence}")]
pub struct ReadError {
    pub class: FailureClass,
    pub code: Code,
    pub place: Place,
    pub sentence: String,
}

impl ReadError {
    pub fn new(class: FailureClass, code: Code, place: Place, sentence: impl Into<String>) -> Self {
        Self { class, code, place, sentence: sentence.into() }
    }
}

/// Why a [`Sink`](super::Sink) or the format that feeds it ends before the file does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Stop {
    /// The file cannot be read, or its rows cannot be written.
    #[error(transparent)]
    Failed(#[from] ReadError),
    /// A record is earlier than the first one, from which times are counted: the file has to be read again.
    #[error("the first record is not the earliest")]
    BeginsEarlier,
}
