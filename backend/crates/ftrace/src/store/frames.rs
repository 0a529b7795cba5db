//! What the parsing child writes to its pipe: `tag u8, length u32 little-endian, payload`.
//!
//! | tag | payload |
//! |---|---|
//! | `T` | `n u8`, n bytes table name, a complete binary COPY stream of that table |
//! | `R` | nothing; all rows before it are void, because the file is read again |
//! | `P` | JSON [`Progress`] |
//! | `S` | JSON summary; the last frame of a trace that was read |
//! | `E` | JSON [`ReadError`] ; the last frame of one that was not |

use std::io::{self, Read};

use serde::Serialize;
use thiserror::Error;

use crate::model::{Code, FailureClass, Place, ReadError};

/// Where frames go.
pub trait Output {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ReadError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Parsing,
    Storing,
}

/// How far an import is. `bytes_done` of `bytes_total` are bytes of the file as it was uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    pub stage: Stage,
    pub bytes_done: u64,
    pub bytes_total: u64,
    /// Bytes of the expanded recording that are accounted for.
    pub expanded_bytes: u64,
    pub events: i64,
}

/// Writes frames to an [`Output`].
pub struct Frames<'o> {
    output: &'o mut dyn Output,
}

impl<'o> Frames<'o> {
    pub fn new(output: &'o mut dyn Output) -> Self {
        Self { output }
    }

    /// Rows of a table, as a complete COPY stream.
    pub fn table(&mut self, name: &str, stream: &[u8]) -> Result<(), ReadError> {
        let name_length = u8::try_from(name.len()).map_err(|_| unwritable("a table's name is too long"))?;
        let head = [&[name_length], name.as_bytes()].concat();
        self.frame(b'T', &head, stream)
    }

    /// What was written so far does not count: the file is read again.
    pub fn restart(&mut self) -> Result<(), ReadError> {
        self.frame(b'R', &[], &[])
    }

    /// How far the reading has come.
    pub fn progress(&mut self, progress: &Progress) -> Result<(), ReadError> {
        self.json(b'P', progress)
    }

    /// The last frame of a file that was read.
    pub fn summary(&mut self, summary: &impl Serialize) -> Result<(), ReadError> {
        self.json(b'S', summary)
    }

    /// The last frame of a file that was not read, with the reason.
    pub fn error(&mut self, error: &ReadError) -> Result<(), ReadError> {
        self.json(b'E', error)
    }

    fn json(&mut self, tag: u8, payload: &impl Serialize) -> Result<(), ReadError> {
        let payload = serde_json::to_vec(payload).map_err(|error| unwritable(&error.to_string()))?;
        self.frame(tag, &payload, &[])
    }

    fn frame(&mut self, tag: u8, head: &[u8], body: &[u8]) -> Result<(), ReadError> {
        let length = u32::try_from(head.len().saturating_add(body.len()))
            .map_err(|_| unwritable("a frame is past 4 GiB"))?;
        let [a, b, c, d] = length.to_le_bytes();
        self.output.write(&[&[tag, a, b, c, d], head].concat())?;
        if body.is_empty() { Ok(()) } else { self.output.write(body) }
    }
}

fn unwritable(what: &str) -> ReadError {
    let sentence = format!("The result could not be written: {what}.");
    ReadError::new(FailureClass::Io, Code::ReadFailed, Place::default(), sentence)
}

/// A table's frame is closed near 1 MiB, but one row of long arguments may pass that by far.
const MAX_FRAME_BYTES: usize = 256 << 20;

/// Output that is not what a parser writes: it died in the middle, or is no longer itself.
#[derive(Debug, Error)]
pub enum FrameError {
    #[error("a frame of {0} bytes")]
    TooLarge(usize),
    #[error("a frame with the tag {0}")]
    Tag(u8),
    #[error("a frame that cannot be decoded")]
    Table,
    #[error("a summary that cannot be decoded: {0}")]
    Json(String),
    #[error("a frame after the last")]
    BehindTheLast,
    #[error("the pipe ended inside a frame")]
    CutOff,
    #[error("{0}")]
    Pipe(io::Error),
}

impl From<io::Error> for FrameError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { Self::CutOff } else { Self::Pipe(error) }
    }
}

/// A frame as it came; what is inside is still to be checked.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    Table { name: &'a str, stream: &'a [u8] },
    Restart,
    Progress,
    Summary(&'a [u8]),
    Error(&'a [u8]),
}

/// Reads frames, one at a time.
pub struct FrameReader<'i> {
    input: &'i mut dyn Read,
    payload: Vec<u8>,
}

impl<'i> FrameReader<'i> {
    pub fn new(input: &'i mut dyn Read) -> Self {
        Self { input, payload: Vec::new() }
    }

    /// The next frame; `None` at the end.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, FrameError> {
        let mut tag = [0];
        if self.input.read(&mut tag)? == 0 {
            return Ok(None);
        }
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        if length > MAX_FRAME_BYTES {
            return Err(FrameError::TooLarge(length));
        }
        self.payload.clear();
        // Not made that large before as much has come.
        let read = self.input.take(length as u64).read_to_end(&mut self.payload)?;
        if read < length {
            return Err(FrameError::CutOff);
        }
        let payload = self.payload.as_slice();
        match tag {
            [b'T'] => table_frame(payload).ok_or(FrameError::Table).map(Some),
            [b'R'] => Ok(Some(Frame::Restart)),
            [b'P'] => Ok(Some(Frame::Progress)),
            [b'S'] => Ok(Some(Frame::Summary(payload))),
            [b'E'] => Ok(Some(Frame::Error(payload))),
            [tag] => Err(FrameError::Tag(tag)),
        }
    }
}

fn table_frame(payload: &[u8]) -> Option<Frame<'_>> {
    let (length, rest) = payload.split_first()?;
    let (name, stream) = rest.split_at_checked(usize::from(*length))?;
    Some(Frame::Table { name: str::from_utf8(name).ok()?, stream })
}
