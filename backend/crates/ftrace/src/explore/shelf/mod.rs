//! Recordings that no database holds: the rows that a parser writes are put on a shelf, and questions are answered
//! from there. Rows lie in a scratch file, so that memory does not grow with the recording.

mod known;
mod placed;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use thiserror::Error;

pub use known::Known;
use rows::Rows;

use super::ExploreError;
use super::protocol::{Filter, Need, Part, Question};
use crate::input::Scratch;
use crate::model::ReadError;
use crate::store::frames::{Frame, FrameError, FrameReader};
use crate::store::own_rows::Refusal;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ShelfError {
    #[error(transparent)]
    Question(#[from] ExploreError),
    #[error("{}", .0.sentence)]
    Scratch(#[from] ReadError),
    #[error("the answer could not be written: {0}")]
    Output(#[from] io::Error),
}

/// Why a recording is not on its shelf.
#[derive(Debug, Error)]
pub enum Unreceived {
    #[error(transparent)]
    Frames(#[from] FrameError),
    #[error(transparent)]
    Rows(#[from] Refusal),
    #[error("{}", .0.sentence)]
    Scratch(#[from] ReadError),
}

/// How the frames of a parser ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// All rows are there; this is what is known of the recording as a whole.
    Whole(Box<Known>),
    /// The parser's own error, as JSON.
    Refused(Vec<u8>),
    /// Without a word.
    Nothing,
}

/// The rows of one recording.
struct Shelf<S> {
    rows: Rows<S>,
    known: Known,
    kept: BTreeMap<String, Part>,
}

impl<S: Scratch> Shelf<S> {
    fn fetch(&self, need: &Need) -> Result<Part, ShelfError> {
        match (need.table, need.filters.as_slice()) {
            ("trace", _) => Ok(Part::new(self.known.trace_facts())),
            ("recording", _) => Ok(Part::new(self.known.side_facts(&need.trace))),
            ("isolation", _) => Ok(Part::new(self.known.isolated_cpus())),
            ("kept", [Filter::Name(name)]) => Ok(self.kept.get(name).cloned().unwrap_or_else(Part::empty)),
            (table, filters) => self.rows.fetch(table, filters).map(Part::new),
        }
    }
}

/// Recordings by the ids under which questions know them.
pub struct Shelves<S>(BTreeMap<String, Shelf<S>>);

impl<S> Default for Shelves<S> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<S: Scratch> Shelves<S> {
    /// Takes in what a parser writes that was started for `trace_key`, and calls the recording `id`, and `name` where
    /// it is shown.
    ///
    /// The frames are as untrusted as the file: they must be well formed, and each row one of this trace.
    pub fn receive(
        &mut self,
        (id, name): (&str, &str),
        trace_key: i64,
        scratch: S,
        frames: &mut dyn Read,
    ) -> Result<Received, Unreceived> {
        let mut rows = Rows::new(scratch, trace_key);
        let mut frames = FrameReader::new(frames);
        let mut received = Received::Nothing;
        while let Some(frame) = frames.next_frame()? {
            match frame {
                _ if received != Received::Nothing => return Err(FrameError::BehindTheLast.into()),
                Frame::Table { name, stream } => rows.add(name, stream)?,
                Frame::Restart => rows.clear(),
                Frame::Progress => {}
                Frame::Error(json) => received = Received::Refused(json.to_owned()),
                Frame::Summary(json) => {
                    let known =
                        Known::read(name, json).map_err(|error| FrameError::Json(error.to_string()))?;
                    received = Received::Whole(Box::new(known));
                }
            }
        }
        if let Received::Whole(known) = &received {
            rows.settle();
            let shelf = Shelf { rows, known: Known::clone(known), kept: BTreeMap::new() };
            self.0.insert(id.to_owned(), shelf);
        }
        Ok(received)
    }

    /// The JSON that answers a question of the registry. `request` names the trace by its id, as [`Question::new`]
    /// has it.
    pub fn ask(&mut self, question: &str, request: &str) -> Result<Vec<u8>, ShelfError> {
        let mut answer = Vec::new();
        self.write(question, request, &mut answer)?;
        Ok(answer)
    }

    /// Writes the answer to a question as it is made, so that one of any length takes little memory.
    pub fn write(&mut self, question: &str, request: &str, output: &mut dyn Write) -> Result<(), ShelfError> {
        let mut question = Question::new(question, request)?;
        let mut parts = Vec::new();
        loop {
            let turn = question.go_on(parts, false)?;
            for keep in turn.keeps {
                if let Some(shelf) = self.0.get_mut(&keep.trace) {
                    shelf.kept.insert(keep.name, Part::new(keep.bytes));
                }
            }
            output.write_all(&turn.written)?;
            if let Some(answer) = turn.answer {
                return Ok(output.write_all(&answer)?);
            }
            parts = turn.needs.iter().map(|need| self.fetch(need)).collect::<Result<_, _>>()?;
        }
    }

    fn fetch(&self, need: &Need) -> Result<Part, ShelfError> {
        let missing = || ExploreError::Missing(format!("There is no trace {:?}.", need.trace));
        self.0.get(&need.trace).ok_or_else(missing)?.fetch(need)
    }
}
