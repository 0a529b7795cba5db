//! What the parsing child writes to its pipe: `tag u8, length u32 little-endian, payload`.
//!
//! | tag | payload |
//! |---|---|
//! | `T` | `n u8`, n bytes table name, a complete binary COPY stream of that table |
//! | `R` | nothing; all rows before it are void, because the file is read again |
//! | `P` | JSON [`Progress`] |
//! | `S` | JSON summary; the last frame of a trace that was read |
//! | `E` | JSON [`ReadError`] ; the last frame of one that was not |

use serde::Serialize;

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

    pub fn table(&mut self, name: &str, stream: &[u8]) -> Result<(), ReadError> {
        let name_length = u8::try_from(name.len()).map_err(|_| unwritable("a table's name is too long"))?;
        let head = [&[name_length], name.as_bytes()].concat();
        self.frame(b'T', &head, stream)
    }

    pub fn restart(&mut self) -> Result<(), ReadError> {
        self.frame(b'R', &[], &[])
    }

    pub fn progress(&mut self, progress: &Progress) -> Result<(), ReadError> {
        self.json(b'P', progress)
    }

    pub fn summary(&mut self, summary: &impl Serialize) -> Result<(), ReadError> {
        self.json(b'S', summary)
    }

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
